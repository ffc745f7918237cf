#include "db/store/people/rating_reports.h"

#include <assert.h>

#include "db/link/statement.h"

/* ---- Percentiles ---- */

/* `standing`: one row per player, without house players. Two different means, of fewer than 10^9
 * games each, differ by more than 10^-18 of a millionth, so the integer part of 10^20 times the
 * mean orders them correctly. */
#define STANDING                                                                                   \
    "WITH result AS ("                                                                             \
    " SELECT player_id, count(*) OVER (PARTITION BY event_id, round, board) AS field,"             \
    "  rank() OVER (PARTITION BY event_id, round, board ORDER BY score) - 1 AS below,"             \
    "  count(*) OVER (PARTITION BY event_id, round, board, score) AS level"                        \
    " FROM tillroll.game JOIN tillroll.counted_result AS counted ON counted.game_id = game.id"     \
    "  JOIN tillroll.game_seat AS sitting"                                                         \
    "   ON sitting.game_id = game.id AND sitting.seat = counted.seat"                              \
    " WHERE slug = $1 AND board IS NOT NULL AND NOT EXISTS ("                                      \
    "  SELECT FROM tillroll.game_seat AS other WHERE other.game_id = game.id AND other.seat > 0)"  \
    "  AND NOT EXISTS (SELECT FROM tillroll.player"                                                \
    "   WHERE player.id = sitting.player_id AND player.house IS NOT NULL)"                         \
    "), total AS ("                                                                                \
    " SELECT player_id, count(*) AS games, sum(CASE field WHEN 1 THEN 500000"                      \
    "  ELSE (2 * below + level - 1) * 1000000 / (2 * (field - 1)) END) AS millionths"              \
    " FROM result GROUP BY player_id"                                                              \
    "), standing AS ("                                                                             \
    " SELECT *, div(millionths * 100000000000000000000, games) AS value FROM total)"

static const struct statement list = {
    "percentile_list", STANDING " SELECT player_id, player.name, games, millionths,"
                                " player.origin IS NOT NULL"
                                " FROM standing JOIN tillroll.player ON player.id = player_id"
                                " LEFT JOIN (SELECT games >= $5 AS placed, value AS last"
                                "  FROM standing WHERE player_id = $3::uuid) AS before ON true"
                                " WHERE games >= $2 AND ($3::uuid IS NULL"
                                "  OR (games >= $5, value) < (placed, last)"
                                "  OR ((games >= $5, value) = (placed, last)"
                                "   AND player_id > $3::uuid))"
                                " ORDER BY games >= $5 DESC, value DESC, player_id LIMIT $4"};

static void read_row(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct percentile_row *percentile = element;
    *percentile = (struct percentile_row){.player = row_id(rows, row, 0),
                                          .player_name = row_text(rows, row, 1, arena),
                                          .games = row_unsigned(rows, row, 2),
                                          .millionths = row_integer(rows, row, 3),
                                          .imported = row_boolean(rows, row, 4)};
}

enum db_status percentile_list(struct db *db, struct arena *arena, const char *slug,
                               unsigned games_least, unsigned games_for_place,
                               const struct id *after, size_t limit, struct percentile_row **rows,
                               size_t *count)
{
    return statement_list(
        db, arena, &list,
        WITH(TEXT(slug), NUMBER(games_least), ID(after), NUMBER(limit), NUMBER(games_for_place)),
        sizeof **rows, read_row, rows, count);
}

static const struct statement find = {"percentile_of",
                                      STANDING " SELECT 1 FROM standing WHERE player_id = $2"};

enum db_status percentile_of(struct db *db, const char *slug, const struct id *player)
{
    return statement_change(db, &find, WITH(TEXT(slug), ID(player)), DB_NONE);
}

/* ---- Opponents ---- */

/* Results are looked up game by game: a join might read those of all games. */
static const struct statement list_opponents = {
    "opponent_list",
    "WITH page AS (SELECT game_id, seat FROM tillroll.game_seat"
    " WHERE player_id = $1 ORDER BY game_id DESC LIMIT $2"
    "), places AS (SELECT * FROM tillroll.reported_seat WHERE player_id = $1"
    " ORDER BY at DESC, event_id DESC, round DESC, table_number DESC LIMIT $2"
    "), met AS ("
    " SELECT sitting.player_id, page.game_id, own.rank AS own, other.rank AS other,"
    "  NULL::timestamptz AS at, NULL::uuid AS event_id, NULL::integer AS round,"
    "  NULL::integer AS table_number"
    " FROM page JOIN LATERAL (SELECT rank FROM tillroll.counted_result AS result"
    "  WHERE result.game_id = page.game_id AND result.seat = page.seat OFFSET 0) AS own ON true"
    " JOIN LATERAL (SELECT seat, rank FROM tillroll.counted_result AS result"
    "  WHERE result.game_id = page.game_id AND result.seat <> page.seat OFFSET 0) AS other ON true"
    " JOIN tillroll.game_seat AS sitting"
    "  ON sitting.game_id = page.game_id AND sitting.seat = other.seat"
    " UNION ALL"
    " SELECT other.player_id, NULL, places.rank, other.rank, places.at, places.event_id,"
    "  places.round, places.table_number"
    " FROM places JOIN LATERAL (SELECT player_id, rank FROM tillroll.reported_seat AS sitting"
    "  WHERE sitting.event_id = places.event_id AND sitting.round = places.round"
    "   AND sitting.table_number = places.table_number AND sitting.seat <> places.seat OFFSET 0)"
    "  AS other ON true"
    ") SELECT met.player_id, player.name,"
    "  (array_agg(game_id ORDER BY game_id DESC NULLS LAST))[1],"
    "  count(game_id),"
    "  count(game_id) FILTER (WHERE own < other), count(game_id) FILTER (WHERE own = other),"
    "  count(game_id) FILTER (WHERE own > other),"
    "  count(event_id),"
    "  count(event_id) FILTER (WHERE own < other), count(event_id) FILTER (WHERE own = other),"
    "  count(event_id) FILTER (WHERE own > other),"
    "  (array_agg(event_id ORDER BY at DESC NULLS LAST, round DESC, table_number DESC))[1],"
    "  coalesce((array_agg(round ORDER BY at DESC NULLS LAST, round DESC, table_number DESC))[1],"
    "   0),"
    "  coalesce((array_agg(table_number"
    "   ORDER BY at DESC NULLS LAST, round DESC, table_number DESC))[1], 0)"
    " FROM met JOIN tillroll.player ON player.id = met.player_id"
    " GROUP BY met.player_id, player.name ORDER BY count(*) DESC, met.player_id LIMIT $3"};

static struct opponent_tally read_tally(const struct rows *rows, int row, int column)
{
    return (struct opponent_tally){.count = row_unsigned(rows, row, column),
                                   .ahead = row_unsigned(rows, row, column + 1),
                                   .level = row_unsigned(rows, row, column + 2),
                                   .behind = row_unsigned(rows, row, column + 3)};
}

static void read_opponent(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct opponent *opponent = element;
    *opponent = (struct opponent){.player = row_id(rows, row, 0),
                                  .name = row_text(rows, row, 1, arena),
                                  .last_game = row_id(rows, row, 2),
                                  .games = read_tally(rows, row, 3),
                                  .reported = read_tally(rows, row, 7),
                                  .last_event = row_id(rows, row, 11),
                                  .last_round = row_unsigned(rows, row, 12),
                                  .last_table = row_unsigned(rows, row, 13)};
}

enum db_status opponent_list(struct db *db, struct arena *arena, const struct id *player,
                             size_t games_most, size_t limit, struct opponent **opponents,
                             size_t *count)
{
    return statement_list(db, arena, &list_opponents,
                          WITH(ID(player), NUMBER(games_most), NUMBER(limit)), sizeof **opponents,
                          read_opponent, opponents, count);
}

/* ---- Results by seat ---- */

static const struct statement list_seats = {
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
    struct rows rows;
    enum db_status status = statement_rows(db, &list_seats, WITH(TEXT(slug), NUMBER(limit)), &rows);
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
