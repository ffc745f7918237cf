/* Places held in events for people without an account. Each belongs to a guest
 * (db/store/people/players.h) that stands for no person until the place is claimed. */
#ifndef TILLROLL_DB_STORE_EVENTS_HELD_PLACES_H
#define TILLROLL_DB_STORE_EVENTS_HELD_PLACES_H

#include "db/link/db.h"

struct held_place {
    struct id player;
    struct id event;
    const char *name; /* of the player; filled in on reading */
    int64_t held_at_ms;
};

/* Holds a place; `code_hash` is the SHA-256 of its code. DB_CONFLICT if the player already has a
 * held place. */
enum db_status held_place_create(struct db *db, const struct held_place *place,
                                 const uint8_t code_hash[static 32]);

/* Lists the held places of an event, by player, at most `limit`, in the arena. */
enum db_status held_place_list(struct db *db, struct arena *arena, const struct id *event,
                               size_t limit, struct held_place **places, size_t *count);

/* Finds the place with this code, in the arena. DB_NONE. */
enum db_status held_place_by_code(struct db *db, struct arena *arena,
                                  const uint8_t code_hash[static 32], struct held_place *place);

/* Replaces the code; the previous one becomes invalid. DB_NONE if the event has no held place for
 * this player. */
enum db_status held_place_set_code(struct db *db, const struct id *event, const struct id *player,
                                   const uint8_t code_hash[static 32]);

/* Ends the hold by its code, once: DB_NONE if the code is not valid, or another transaction was
 * faster. */
enum db_status held_place_claim(struct db *db, const uint8_t code_hash[static 32]);

/* Ends the hold of a place that is given up. DB_OK even if there is none. */
enum db_status held_place_give_up(struct db *db, const struct id *event, const struct id *player);

#endif
