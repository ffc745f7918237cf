/* Events that came from another service: their bundles while they are sent in parts, and afterwards
 * what is kept of each besides what every event has. */
#ifndef TILLROLL_DB_STORE_EVENTS_IMPORTS_H
#define TILLROLL_DB_STORE_EVENTS_IMPORTS_H

#include "db/link/db.h"

enum { IMPORT_PARTS_MAX = 4096 };

/* Stores part `number` (1 .. IMPORT_PARTS_MAX) of the bundle with this SHA-256, in place of one
 * that is there. DB_CONFLICT if the parts that the player has sent would have more than
 * `bytes_most` bytes together. */
enum db_status import_part_put(struct db *db, const struct id *player,
                               const uint8_t bundle[static 32], unsigned number, struct span body,
                               int64_t now_ms, size_t bytes_most);

/* Parts 1 .. `count` one after another, in the arena. DB_NONE if one of them is not there. */
enum db_status import_parts_join(struct db *db, struct arena *arena, const struct id *player,
                                 const uint8_t bundle[static 32], unsigned count,
                                 struct span *whole);

/* Those of one bundle. */
enum db_status import_parts_delete(struct db *db, const struct id *player,
                                   const uint8_t bundle[static 32]);

struct event_origin {
    struct id event;
    uint8_t bundle[32];                         /* SHA-256 of the whole bundle; for adding only */
    uint8_t sha256[32], key[32], signature[64]; /* the seal of its bundle */
    struct span players;                        /* the bundle's lines with players, LF and all */
    struct id imported_by;
    int64_t imported_at_ms;
};

/* DB_CONFLICT if the event has one. */
enum db_status event_origin_add(struct db *db, const struct event_origin *origin);

/* The event that came in the bundle with this SHA-256, and the key that had signed it. DB_NONE also
 * if it was imported before migration 0032. */
enum db_status event_origin_find_bundle(struct db *db, const uint8_t bundle[static 32],
                                        struct id *event, uint8_t key[static 32]);

/* In the arena. DB_NONE for an event that was made here. */
enum db_status event_origin_find(struct db *db, struct arena *arena, const struct id *event,
                                 struct event_origin *origin);

#endif
