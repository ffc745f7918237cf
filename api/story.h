/* A game told entry by entry, as each viewer may know it: what GET /v1/games/{id}/events lists and
 * what streams send. The one place that goes through a record and tells it.
 */
#ifndef TILLROLL_API_STORY_H
#define TILLROLL_API_STORY_H

#include <jansson.h>

#include "api/live.h"
#include "db/records.h"

struct story {
    struct replay *replay; /* the caller's; after the entry */
    struct record_entry entry;
    unsigned char before[GAME_STATE_MAX]; /* the state before the entry */
};

/* Starts a replay from the header row of a game. */
struct live_result story_begin(const struct keys *keys, struct db *db, struct arena *arena,
                               const struct id *game, const struct record_row *header,
                               struct replay *replay);

/* Goes on with a row that is not the header. `told`: whether it is an entry and can be told; the
 * head is none. False with a fault if the record is damaged; then the replay is spoilt. */
bool story_go_on(struct story *story, const struct record_row *row, bool *told,
                 struct record_fault *fault);

/* The entry, as this viewer may know it. The marks are left out: the record has them. */
json_t *story_entry(const struct story *story, struct viewer viewer);

#endif
