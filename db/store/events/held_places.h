/* Places that are held in events for people without an account: guests (db/store/people/players.h)
 * whom nobody is until their place is claimed. */
#ifndef TILLROLL_DB_STORE_EVENTS_HELD_PLACES_H
#define TILLROLL_DB_STORE_EVENTS_HELD_PLACES_H

#include "db/link/db.h"

struct held_place {
    struct id player;
    struct id event;
    const char *name; /* the player's, where it was read */
    int64_t held_at_ms;
};

/* Holds a place; `code_hash` is the SHA-256 of its code. DB_CONFLICT if the player's is held. */
enum db_status held_place_create(struct db *db, const struct held_place *place,
                                 const uint8_t code_hash[static 32]);

/* Those of an event, by player, at most `limit`, in the arena. */
enum db_status held_place_list(struct db *db, struct arena *arena, const struct id *event,
                               size_t limit, struct held_place **places, size_t *count);

/* The place with this code. DB_NONE. */
enum db_status held_place_by_code(struct db *db, struct arena *arena,
                                  const uint8_t code_hash[static 32], struct held_place *place);

/* Another code; the one of before is worth nothing. DB_NONE if the player's place is not held in
 * the event. */
enum db_status held_place_set_code(struct db *db, const struct id *event, const struct id *player,
                                   const uint8_t code_hash[static 32]);

/* Ends the hold by its code, once: DB_NONE if another transaction was faster. */
enum db_status held_place_claim(struct db *db, const uint8_t code_hash[static 32]);

/* Ends the hold of a place that is given up. DB_OK also if there is none. */
enum db_status held_place_give_up(struct db *db, const struct id *event, const struct id *player);

#endif
