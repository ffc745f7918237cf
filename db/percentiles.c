#include "db/percentiles.h"

#include "db/statement.h"

/* `standing`: a row a player. Two means of fewer than 10^9 games each that are not equal differ by
 * more than 10^-18 of a millionth, so the whole part of 10^20 times the mean is in their order. */
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
    "), total AS ("                                                                                \
    " SELECT player_id, count(*) AS games, sum(CASE field WHEN 1 THEN 500000"                      \
    "  ELSE (2 * below + level - 1) * 1000000 / (2 * (field - 1)) END) AS millionths"              \
    " FROM result GROUP BY player_id"                                                              \
    "), standing AS ("                                                                             \
    " SELECT *, div(millionths * 100000000000000000000, games) AS value FROM total)"

static const struct statement list = {"percentile_list", STANDING
                                      " SELECT player_id, player.name, games, millionths,"
                                      " player.origin IS NOT NULL"
                                      " FROM standing JOIN tillroll.player ON player.id = player_id"
                                      " LEFT JOIN (SELECT value AS last FROM standing"
                                      "  WHERE player_id = $3::uuid) AS before ON true"
                                      " WHERE games >= $2 AND ($3::uuid IS NULL OR value < last"
                                      "  OR (value = last AND player_id > $3::uuid))"
                                      " ORDER BY value DESC, player_id LIMIT $4"};

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
                               unsigned games_least, const struct id *after, size_t limit,
                               struct percentile_row **rows, size_t *count)
{
    struct parameters p = {0};
    parameter_text(&p, slug);
    parameter_integer(&p, games_least);
    parameter_id(&p, after);
    parameter_integer(&p, (int64_t)limit);
    enum db_status status;
    *rows = statement_list(db, arena, &list, &p, sizeof **rows, read_row, count, &status);
    return status;
}

static const struct statement find = {"percentile_of",
                                      STANDING " SELECT 1 FROM standing WHERE player_id = $2"};

enum db_status percentile_of(struct db *db, const char *slug, const struct id *player)
{
    struct parameters p = {0};
    struct rows rows;
    parameter_text(&p, slug);
    parameter_id(&p, player);
    enum db_status status = statement_row(db, &find, &p, &rows);
    if (status == DB_OK)
        rows_free(&rows);
    return status;
}
