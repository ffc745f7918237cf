#include "db/looks.h"

#include "db/statement.h"

static const struct statement add = {
    "look_add", "INSERT INTO tillroll.game_look (game_id, number, player_id, at, seq, reason)"
                " SELECT $1, number, $2, tillroll.from_ms($3), $4, $5"
                " FROM (SELECT coalesce(max(number), 0) + 1 AS number"
                "  FROM tillroll.game_look WHERE game_id = $1) AS next WHERE number <= $6"};

enum db_status look_add(struct db *db, const struct id *game, const struct look *look)
{
    struct parameters p = {0};
    parameter_id(&p, game);
    parameter_id(&p, &look->player);
    parameter_integer(&p, look->at_ms);
    parameter_integer(&p, look->seq);
    parameter_text(&p, look->reason);
    parameter_integer(&p, LOOKS_MAX);
    return statement_change(db, &add, &p, DB_CONFLICT);
}

static const struct statement list = {
    "look_list", "SELECT player_id, player.name, tillroll.to_ms(at), seq, reason"
                 " FROM tillroll.game_look JOIN tillroll.player ON player.id = player_id"
                 " WHERE game_id = $1 ORDER BY number"};

static void read_look(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct look *look = element;
    *look = (struct look){.player = row_id(rows, row, 0),
                          .player_name = row_text(rows, row, 1, arena),
                          .at_ms = row_integer(rows, row, 2),
                          .seq = row_unsigned(rows, row, 3),
                          .reason = row_text(rows, row, 4, arena)};
}

enum db_status look_list(struct db *db, struct arena *arena, const struct id *game,
                         struct look **looks, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, game);
    enum db_status status;
    *looks = statement_list(db, arena, &list, &p, sizeof **looks, read_look, count, &status);
    return status;
}
