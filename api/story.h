/* A game told entry by entry, as each viewer may know it: what GET /v1/games/{id}/events lists and
 * what streams send. The one place that goes through a record and tells it.
 */
#ifndef TILLROLL_API_STORY_H
#define TILLROLL_API_STORY_H

#include <jansson.h>

#include "api/stored_record.h"

struct story {
    struct stored_record record;
    struct replay *replay; /* the caller's; after the entry */
    struct record_entry entry;
    unsigned char before[GAME_STATE_MAX]; /* the state before the entry */
};

/* Begins with the header row; `record` and `replay` are set. */
struct live_result story_begin(struct story *story, const struct record_row *header);

/* Goes on with a row that is not the header. `told`: whether it is an entry and can be told; the
 * head is none. On a fault the replay is spoilt. */
struct live_result story_go_on(struct story *story, const struct record_row *row, bool *told);

/* The entry, as this viewer may know it. The marks are left out: the record has them. */
json_t *story_entry(const struct story *story, struct viewer viewer);

#endif
