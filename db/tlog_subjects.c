#include "db/tlog_subjects.h"

#include "db/statement.h"

static const struct statement list_games = {
    "tlog_games",
    "SELECT id, event_id, coalesce(round, 0), coalesce(table_number, 0), slug, version"
    " FROM tillroll.game WHERE id = ANY ($1) ORDER BY id"};

static void read_game(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct tlog_game *game = element;
    *game = (struct tlog_game){.id = row_id(rows, row, 0),
                               .event = row_id(rows, row, 1),
                               .round = row_unsigned(rows, row, 2),
                               .table = row_unsigned(rows, row, 3),
                               .slug = row_text(rows, row, 4, arena),
                               .version = row_text(rows, row, 5, arena)};
}

enum db_status tlog_games(struct db *db, struct arena *arena, const struct id *ids, size_t count,
                          struct tlog_game **games, size_t *found)
{
    struct parameters p = {0};
    parameter_array_id(&p, arena, ids, count);
    enum db_status status;
    *games = statement_list(db, arena, &list_games, &p, sizeof **games, read_game, found, &status);
    return status;
}

static const struct statement list_disputes = {
    "tlog_disputes", "SELECT id, game_id FROM tillroll.dispute WHERE id = ANY ($1) ORDER BY id"};

enum db_status tlog_disputes(struct db *db, struct arena *arena, const struct id *ids, size_t count,
                             struct tlog_dispute **disputes, size_t *found)
{
    struct parameters p = {0};
    struct rows rows;
    parameter_array_id(&p, arena, ids, count);
    enum db_status status = statement_rows(db, &list_disputes, &p, &rows);
    if (status != DB_OK)
        return status;
    *found = (size_t)rows.count;
    *disputes = arena_array(arena, *found, sizeof **disputes);
    for (int row = 0; row < rows.count; row++)
        (*disputes)[row] =
            (struct tlog_dispute){.id = row_id(&rows, row, 0), .game = row_id(&rows, row, 1)};
    rows_free(&rows);
    return DB_OK;
}
