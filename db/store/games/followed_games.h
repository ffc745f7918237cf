/* The games that a player follows. */
#ifndef TILLROLL_DB_STORE_GAMES_FOLLOWED_GAMES_H
#define TILLROLL_DB_STORE_GAMES_FOLLOWED_GAMES_H

#include "db/store/games/games.h"

/* Adds a game. DB_CONFLICT if the player follows it already; the transaction has then failed. */
enum db_status followed_game_add(struct db *db, const struct id *player, const struct id *game);

/* Removes a game. DB_OK even if the player does not follow it. */
enum db_status followed_game_remove(struct db *db, const struct id *player, const struct id *game);

/* Removes all games that the player follows. */
enum db_status followed_games_remove(struct db *db, const struct id *player);

/* Lists the ids of the newest `limit` games that the player follows, in the arena. */
enum db_status followed_game_ids(struct db *db, struct arena *arena, const struct id *player,
                                 size_t limit, struct id **games, size_t *count);

/* Lists games that the player follows, newest first, those older than `before` ("" = from the
 * newest), at most `limit`, in the arena. */
enum db_status followed_game_list(struct db *db, struct arena *arena, const struct id *player,
                                  const struct id *before, size_t limit, struct game_row **games,
                                  size_t *count);

#endif
