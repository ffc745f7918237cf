#include "db/opponents.h"

#include "db/statement.h"

/* Results are looked up game by game: joined, those of all games might be read. */
static const struct statement list = {
    "opponent_list", "WITH page AS (SELECT game_id, seat FROM tillroll.game_seat"
                     " WHERE player_id = $1 ORDER BY game_id DESC LIMIT $2)"
                     " SELECT sitting.player_id, player.name,"
                     "  (array_agg(page.game_id ORDER BY page.game_id DESC))[1], count(*),"
                     "  count(*) FILTER (WHERE own.rank < other.rank),"
                     "  count(*) FILTER (WHERE own.rank = other.rank),"
                     "  count(*) FILTER (WHERE own.rank > other.rank)"
                     " FROM page JOIN LATERAL (SELECT rank FROM tillroll.counted_result AS result"
                     "  WHERE result.game_id = page.game_id AND result.seat = page.seat OFFSET 0)"
                     "  AS own ON true"
                     " JOIN LATERAL (SELECT seat, rank FROM tillroll.counted_result AS result"
                     "  WHERE result.game_id = page.game_id AND result.seat <> page.seat OFFSET 0)"
                     "  AS other ON true"
                     " JOIN tillroll.game_seat AS sitting"
                     "  ON sitting.game_id = page.game_id AND sitting.seat = other.seat"
                     " JOIN tillroll.player ON player.id = sitting.player_id"
                     " GROUP BY sitting.player_id, player.name"
                     " ORDER BY count(*) DESC, sitting.player_id LIMIT $3"};

static void read_opponent(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct opponent *opponent = element;
    *opponent = (struct opponent){.player = row_id(rows, row, 0),
                                  .name = row_text(rows, row, 1, arena),
                                  .last_game = row_id(rows, row, 2),
                                  .games = row_unsigned(rows, row, 3),
                                  .ahead = row_unsigned(rows, row, 4),
                                  .level = row_unsigned(rows, row, 5),
                                  .behind = row_unsigned(rows, row, 6)};
}

enum db_status opponent_list(struct db *db, struct arena *arena, const struct id *player,
                             size_t games_most, size_t limit, struct opponent **opponents,
                             size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, player);
    parameter_integer(&p, (int64_t)games_most);
    parameter_integer(&p, (int64_t)limit);
    enum db_status status;
    *opponents =
        statement_list(db, arena, &list, &p, sizeof **opponents, read_opponent, count, &status);
    return status;
}
