/* The history of players' signing keys (engine/keyring.h). It only grows. */
#ifndef TILLROLL_DB_SIGNING_KEYS_H
#define TILLROLL_DB_SIGNING_KEYS_H

#include "db/db.h"
#include "engine/keyring.h"

struct signing_key_step {
    struct id player;
    struct keyring_step step;
};

/* Adds a player's next step; the caller holds the player's lock (player_lock()). DB_CONFLICT if the
 * key that is registered was registered before, by anybody. */
enum db_status signing_key_add(struct db *db, const struct signing_key_step *step);

/* All steps of these players, by player and number, in the arena. */
enum db_status signing_key_list(struct db *db, struct arena *arena, const struct id *players,
                                size_t player_count, struct signing_key_step **steps,
                                size_t *count);

/* All steps of everybody after those of `after` ("" = from the first player), of at most `limit`
 * players, by player and number, in the arena. */
enum db_status signing_key_list_all(struct db *db, struct arena *arena, const struct id *after,
                                    size_t limit, struct signing_key_step **steps, size_t *count);

#endif
