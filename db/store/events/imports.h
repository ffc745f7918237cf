/* Events imported from another service: their bundles while they are being uploaded in parts, and
 * the data kept of each afterwards, beyond that of every event. */
#ifndef TILLROLL_DB_STORE_EVENTS_IMPORTS_H
#define TILLROLL_DB_STORE_EVENTS_IMPORTS_H

#include "db/link/db.h"

enum { IMPORT_PARTS_MAX = 4096 };

/* Stores part `number` (1 .. IMPORT_PARTS_MAX) of the bundle with this SHA-256, replacing a stored
 * one. DB_CONFLICT if all parts sent by the player would exceed `bytes_most` bytes together. */
enum db_status import_part_put(struct db *db, const struct id *player,
                               const uint8_t bundle[static 32], unsigned number, struct span body,
                               int64_t now_ms, size_t bytes_most);

/* Joins parts 1 .. `count`, in the arena. DB_NONE if one of them is missing. */
enum db_status import_parts_join(struct db *db, struct arena *arena, const struct id *player,
                                 const uint8_t bundle[static 32], unsigned count,
                                 struct span *whole);

/* Deletes the parts of one bundle. */
enum db_status import_parts_delete(struct db *db, const struct id *player,
                                   const uint8_t bundle[static 32]);

struct event_origin {
    struct id event;
    uint8_t bundle[32]; /* SHA-256 of the whole bundle; only for event_origin_add() */
    uint8_t sha256[32], key[32], signature[64]; /* the seal of the bundle */
    struct span players; /* the bundle's lines with players, each with its LF */
    struct id imported_by;
    int64_t imported_at_ms;
};

/* Stores an event's origin. DB_CONFLICT if the event has one. */
enum db_status event_origin_add(struct db *db, const struct event_origin *origin);

/* Finds the event imported in the bundle with this SHA-256, and the key that signed the bundle.
 * DB_NONE also for events imported before migration 0032. */
enum db_status event_origin_find_bundle(struct db *db, const uint8_t bundle[static 32],
                                        struct id *event, uint8_t key[static 32]);

/* Finds an event's origin, in the arena. DB_NONE for an event created here. */
enum db_status event_origin_find(struct db *db, struct arena *arena, const struct id *event,
                                 struct event_origin *origin);

#endif
