/* The games that a player follows. */
#ifndef TILLROLL_DB_STORE_GAMES_FOLLOWED_GAMES_H
#define TILLROLL_DB_STORE_GAMES_FOLLOWED_GAMES_H

#include "db/store/games/games.h"

/* DB_CONFLICT if the player follows it already, with which the transaction has failed. */
enum db_status followed_game_add(struct db *db, const struct id *player, const struct id *game);

/* DB_OK also if the player does not follow it. */
enum db_status followed_game_remove(struct db *db, const struct id *player, const struct id *game);

/* All games of the player are followed no more. */
enum db_status followed_games_remove(struct db *db, const struct id *player);

/* The newest `limit` of them, in the arena. */
enum db_status followed_game_ids(struct db *db, struct arena *arena, const struct id *player,
                                 size_t limit, struct id **games, size_t *count);

/* The same as games, those older than `before` ("" = from the newest). */
enum db_status followed_game_list(struct db *db, struct arena *arena, const struct id *player,
                                  const struct id *before, size_t limit, struct game_row **games,
                                  size_t *count);

#endif
