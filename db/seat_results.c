#include "db/seat_results.h"

#include <assert.h>

#include "db/statement.h"

static const struct statement list = {
    "seat_results_list",
    "WITH page AS (SELECT id, version FROM tillroll.game"
    " WHERE slug = $1 AND finished_at IS NOT NULL ORDER BY id DESC LIMIT $2)"
    " SELECT page.id, version, score, rank, fallback"
    " FROM page JOIN tillroll.counted_result AS counted ON counted.game_id = page.id"
    " JOIN tillroll.game_seat AS sitting"
    "  ON sitting.game_id = page.id AND sitting.seat = counted.seat"
    " ORDER BY page.id DESC, counted.seat"};

enum db_status seat_results_list(struct db *db, struct arena *arena, const char *slug, size_t limit,
                                 struct seat_results **results, size_t *count)
{
    struct parameters p = {0};
    struct rows rows;
    parameter_text(&p, slug);
    parameter_integer(&p, (int64_t)limit);
    enum db_status status = statement_rows(db, &list, &p, &rows);
    if (status != DB_OK)
        return status;
    *count = 0;
    *results = arena_array(arena, (size_t)rows.count, sizeof **results);
    for (int row = 0; row < rows.count; row++) {
        struct id game = row_id(&rows, row, 0);
        if (*count == 0 || !id_equal(&(*results)[*count - 1].game, &game))
            (*results)[(*count)++] =
                (struct seat_results){.game = game, .version = row_text(&rows, row, 1, arena)};
        struct seat_results *result = &(*results)[*count - 1];
        assert(result->seats < GAME_ROW_SEATS);
        result->seat[result->seats].score = (int)row_integer(&rows, row, 2);
        result->seat[result->seats].rank = row_unsigned(&rows, row, 3);
        result->seat[result->seats++].fallback = row_boolean(&rows, row, 4);
    }
    rows_free(&rows);
    return DB_OK;
}
