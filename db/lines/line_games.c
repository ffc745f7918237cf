#include "db/lines/line_games.h"

#include <string.h>

#include "db/lines/line_databases.h"
#include "db/link/statement.h"

static const struct statement games_elsewhere = {
    "elsewhere_games", "SELECT game_id, max(seq) FROM tillroll.record_line"
                       " WHERE game_id > $1 AND line IS NOT NULL"
                       " GROUP BY game_id ORDER BY game_id LIMIT $2"};

static void read_game(const struct rows *rows, int row, struct arena *arena, void *element)
{
    (void)arena;
    *(struct line_game *)element =
        (struct line_game){row_id(rows, row, 0), row_unsigned(rows, row, 1)};
}

enum db_status line_games(struct db *lines, struct arena *arena, const struct id *after,
                          size_t limit, struct line_game **games, size_t *count)
{
    return statement_list(lines, arena, &games_elsewhere, WITH(AFTER(after), NUMBER(limit)),
                          sizeof **games, read_game, games, count);
}

static const struct statement games_over = {
    "owner_line_games_over",
    "SELECT given.id FROM unnest($1::uuid[], $2::integer[]) AS given (id, last)"
    " JOIN tillroll.game ON game.id = given.id"
    " WHERE game.finished_at < now() - interval '1 hour'"
    "  AND (SELECT max(seq) FROM tillroll.record_line WHERE game_id = given.id) > given.last"};

enum db_status line_games_over(struct db *db, struct arena *arena, const struct line_game *games,
                               size_t count, struct id **over, size_t *over_count)
{
    struct id *ids = arena_array(arena, count, sizeof *ids);
    int32_t *lasts = arena_array(arena, count, sizeof *lasts);
    for (size_t i = 0; i < count; i++) {
        ids[i] = games[i].id;
        lasts[i] = (int32_t)games[i].last;
    }
    return statement_list(db, arena, &games_over, WITH(IDS(ids, count), INTEGERS(lasts, count)),
                          sizeof **over, row_read_id, over, over_count);
}

static const struct statement games_behind = {
    "elsewhere_behind", "SELECT given.game_id FROM unnest($1::uuid[], $2::integer[])"
                        "  AS given (game_id, seq)"
                        " WHERE EXISTS (SELECT FROM tillroll.record_line AS line"
                        "  WHERE line.game_id = given.game_id AND line.seq > given.seq"
                        "   AND line.line IS NOT NULL OFFSET 0) LIMIT $3"};

static enum db_status list_behind(struct db *lines, struct arena *arena, const struct id *ids,
                                  const int32_t *seqs, size_t count, size_t limit,
                                  struct id **games, size_t *found)
{
    enum db_status status = db_begin(lines, true);
    if (status == DB_OK)
        status = statement_list(lines, arena, &games_behind,
                                WITH(IDS(ids, count), INTEGERS(seqs, count), NUMBER(limit)),
                                sizeof **games, row_read_id, games, found);
    db_rollback(lines);
    return status;
}

static void add_behind(size_t place, struct arena *arena, const struct line_mark *marks,
                       size_t count, size_t limit, struct id *games, size_t *found)
{
    struct id *ids = arena_array(arena, count, sizeof *ids);
    int32_t *seqs = arena_array(arena, count, sizeof *seqs);
    struct id *behind = NULL;
    size_t here = 0;
    size_t more = 0;
    for (size_t i = 0; i < count; i++)
        if (line_database_of(&marks[i].game) == place) {
            ids[here] = marks[i].game;
            seqs[here++] = marks[i].seq;
        }
    struct db *lines = here == 0 ? NULL : line_database_take(place);
    if (lines == NULL)
        return;
    enum db_status status =
        list_behind(lines, arena, ids, seqs, here, limit - *found, &behind, &more);
    line_database_give(place, lines, status);
    if (status == DB_OK && more > 0) {
        memcpy(games + *found, behind, more * sizeof *games);
        *found += more;
    }
}

void line_games_behind(struct arena *arena, const struct line_mark *marks, size_t count,
                       size_t limit, struct id **games, size_t *found)
{
    *games = arena_array(arena, limit, sizeof **games);
    *found = 0;
    for (size_t place = 1; place <= line_databases_count() && *found < limit; place++)
        add_behind(place, arena, marks, count, limit, *games, found);
}

static const struct statement may_remove = {
    "elsewhere_may_remove", "SELECT set_config('tillroll.settled', 'yes', true) = 'yes'"};

static const struct statement remove_games = {
    "elsewhere_remove", "WITH gone AS (DELETE FROM tillroll.record_line WHERE game_id = ANY ($1)"
                        " RETURNING 1) SELECT count(*) FROM gone"};

enum db_status line_games_remove(struct db *lines, const struct id *games, size_t count,
                                 size_t *rows)
{
    bool may;
    *rows = 0;
    enum db_status status = statement_value(lines, &may_remove, NULL, &may);
    return status == DB_OK ? statement_value(lines, &remove_games, WITH(IDS(games, count)), rows)
                           : status;
}
