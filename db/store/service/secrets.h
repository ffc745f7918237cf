/* The secrets of events, rounds and games, sealed with the service's key (api/state/keys.h). They
 * are stored together with the rows they belong to, and read here. */
#ifndef TILLROLL_DB_STORE_SERVICE_SECRETS_H
#define TILLROLL_DB_STORE_SERVICE_SECRETS_H

#include "db/link/db.h"

/* Reads the sealed secret of an event, in the arena. DB_NONE. */
enum db_status event_secret(struct db *db, struct arena *arena, const struct id *id,
                            const uint8_t **sealed, size_t *size);

/* Reads the sealed secret that the round's games share, in the arena. DB_NONE. */
enum db_status round_secret(struct db *db, struct arena *arena, const struct id *event,
                            unsigned round, const uint8_t **sealed, size_t *size);

/* Reads the sealed secret of a waiting game (db/store/games/waiting_games.h), in the arena.
 * DB_NONE. */
enum db_status waiting_secret(struct db *db, struct arena *arena, const struct id *id,
                              const uint8_t **sealed, size_t *size);

/* Reads the sealed secret of a game, its own or its round's, in the arena. DB_NONE. */
enum db_status game_secret(struct db *db, struct arena *arena, const struct id *id,
                           const uint8_t **sealed, size_t *size);

/* Reads the sealed secrets of `count` games, in the arena; an empty span for a game without one. */
enum db_status game_secrets(struct db *db, struct arena *arena, const struct id *ids, size_t count,
                            struct span *sealed);

/* Reads the newest sealed secret of each kind, at most 4, in the arena. */
enum db_status secrets_newest(struct db *db, struct arena *arena, struct span **sealed,
                              size_t *count);

#endif
