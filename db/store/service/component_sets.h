/* Component sets that organizers have registered (engine/game/component_set.h). They are never
 * changed or removed: records name them by the SHA-256 of their bytes. */
#ifndef TILLROLL_DB_STORE_SERVICE_COMPONENT_SETS_H
#define TILLROLL_DB_STORE_SERVICE_COMPONENT_SETS_H

#include "db/link/db.h"

struct stored_set {
    uint8_t hash[32];
    struct id id; /* made at the time of registration: the set's place in lists */
    const char *ruleset;
    const char *name; /* given by its author; "" = none */
    int64_t registered_at_ms;
    struct id registered_by;
    const char *registrant; /* that player's name; filled in on reading */
};

/* Stores a set with its bytes, whose hash is in `set`. DB_CONFLICT if it is stored already. */
enum db_status component_set_add(struct db *db, const struct stored_set *set, struct span body);

/* Finds a set by its hash, its texts in the arena; with `body` (not NULL) its bytes, too. DB_NONE.
 */
enum db_status component_set_find(struct db *db, struct arena *arena, const uint8_t hash[static 32],
                                  struct stored_set *set, struct span *body);

/* Lists the next `limit` of a ruleset's sets, newest first, registered before `before` ("" = all),
 * in the arena. */
enum db_status component_set_list(struct db *db, struct arena *arena, const char *ruleset,
                                  const struct id *before, size_t limit, struct stored_set **sets,
                                  size_t *count);

/* Counts the sets registered since `from_ms` by a player, the owner and the owner's bots, up to
 * `most`. */
enum db_status component_set_count(struct db *db, const struct id *player, int64_t from_ms,
                                   unsigned most, unsigned *count);

#endif
