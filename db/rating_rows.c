#include "db/rating_rows.h"

void rating_change_read(const struct rows *rows, int row, int first, struct arena *arena,
                        struct rating_change *change)
{
    *change = (struct rating_change){
        .game = row_id(rows, row, first),
        .event = row_id(rows, row, first + 1),
        .number = row_integer(rows, row, first + 2),
        .player = row_id(rows, row, first + 3),
        .player_name = row_text(rows, row, first + 4, arena),
        .scope = row_text(rows, row, first + 5, arena),
        .at_ms = row_integer(rows, row, first + 6),
        .revision = row_unsigned(rows, row, first + 7),
        .games = row_unsigned(rows, row, first + 8),
        .none = row_boolean(rows, row, first + 9),
        .mu_before = row_integer(rows, row, first + 10),
        .sigma_before = row_integer(rows, row, first + 11),
        .mu_after = row_integer(rows, row, first + 12),
        .sigma_after = row_integer(rows, row, first + 13),
        .volatility_before = row_integer(rows, row, first + 14),
        .volatility_after = row_integer(rows, row, first + 15),
    };
}

static void read_change(const struct rows *rows, int row, struct arena *arena, void *element)
{
    rating_change_read(rows, row, 0, arena, element);
}

enum db_status rating_changes_read(struct db *db, struct arena *arena,
                                   const struct statement *statement, const struct parameters *p,
                                   struct rating_change **changes, size_t *count)
{
    enum db_status status;
    *changes =
        statement_list(db, arena, statement, p, sizeof **changes, read_change, count, &status);
    return status;
}
