#include "db/store/games/followed_games.h"

static const struct statement add = {
    "followed_game_add", "INSERT INTO tillroll.followed_game (player_id, game_id) VALUES ($1, $2)"};

enum db_status followed_game_add(struct db *db, const struct id *player, const struct id *game)
{
    return statement_change(db, &add, WITH(ID(player), ID(game)), DB_ERROR);
}

static const struct statement remove_one = {
    "followed_game_remove",
    "DELETE FROM tillroll.followed_game WHERE player_id = $1 AND game_id = $2"};

enum db_status followed_game_remove(struct db *db, const struct id *player, const struct id *game)
{
    return statement_change(db, &remove_one, WITH(ID(player), ID(game)), DB_OK);
}

static const struct statement remove_all = {
    "followed_games_remove", "DELETE FROM tillroll.followed_game WHERE player_id = $1"};

enum db_status followed_games_remove(struct db *db, const struct id *player)
{
    return statement_change(db, &remove_all, WITH(ID(player)), DB_OK);
}

static const struct statement ids = {"followed_game_ids",
                                     "SELECT game_id FROM tillroll.followed_game"
                                     " WHERE player_id = $1 ORDER BY game_id DESC LIMIT $2"};

enum db_status followed_game_ids(struct db *db, struct arena *arena, const struct id *player,
                                 size_t limit, struct id **games, size_t *count)
{
    return statement_list(db, arena, &ids, WITH(ID(player), NUMBER(limit)), sizeof **games,
                          row_read_id, games, count);
}

static const struct statement list = {
    "followed_game_list", "WITH page AS (SELECT game.* FROM tillroll.followed_game AS own"
                          " JOIN tillroll.game ON game.id = own.game_id"
                          " WHERE own.player_id = $3 AND own.game_id < $1"
                          " ORDER BY own.game_id DESC LIMIT $2" GAME_ROW_LISTED};

enum db_status followed_game_list(struct db *db, struct arena *arena, const struct id *player,
                                  const struct id *before, size_t limit, struct game_row **games,
                                  size_t *count)
{
    return game_rows_list(db, arena, &list, WITH(BEFORE(before), NUMBER(limit), ID(player)), games,
                          count);
}
