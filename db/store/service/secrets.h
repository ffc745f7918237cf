/* The secrets of events, rounds and games, which the service has sealed with its key
 * (api/state/keys.h). They are stored with what they belong to; here they are read.
 */
#ifndef TILLROLL_DB_STORE_SERVICE_SECRETS_H
#define TILLROLL_DB_STORE_SERVICE_SECRETS_H

#include "db/link/db.h"

/* Each as it is stored, in the arena. DB_NONE. */
enum db_status event_secret(struct db *db, struct arena *arena, const struct id *id,
                            const uint8_t **sealed, size_t *size);

/* That the round's games share. */
enum db_status round_secret(struct db *db, struct arena *arena, const struct id *event,
                            unsigned round, const uint8_t **sealed, size_t *size);

/* Of a game that waits (db/store/games/waiting_games.h). */
enum db_status waiting_secret(struct db *db, struct arena *arena, const struct id *id,
                              const uint8_t **sealed, size_t *size);

/* That a game is played with, its own or its round's. */
enum db_status game_secret(struct db *db, struct arena *arena, const struct id *id,
                           const uint8_t **sealed, size_t *size);

/* The same of `count` games at once; an empty span for one that has none. */
enum db_status game_secrets(struct db *db, struct arena *arena, const struct id *ids, size_t count,
                            struct span *sealed);

/* The newest of each kind, at most 4. */
enum db_status secrets_newest(struct db *db, struct arena *arena, struct span **sealed,
                              size_t *count);

#endif
