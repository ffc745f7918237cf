/* The basis of a player's decision: the seat's view of a game, and its legal moves. Both are
 * answered from memory, on the loop thread, if memory is up to date; otherwise by a worker.
 */
#ifndef TILLROLL_API_PLAY_VIEWS_H
#define TILLROLL_API_PLAY_VIEWS_H

#include <jansson.h>

#include "api/request/call.h"
#include "api/state/stored_record.h"
#include "db/store/games/games.h"
#include "engine/record/replay.h"

/* Finds the game whose id comes first in the path, and its state as far as the caller may see it
 * (api/request/visibility.h). False with a problem. */
bool views_load_game(struct call *call, struct game_row *game, struct replay **replay);

/* The quick handlers (api/request/route.h) of GET /v1/games/{id}/view and /legal-moves, for a
 * player of the game. QUICK_NO for other callers, who may share a response, and if the database
 * must be queried. Loop thread. */
enum http_quick views_quick(struct call *call, struct http_pending *pending);
enum http_quick legal_moves_quick(struct call *call, struct http_pending *pending);

/* ---- A game told entry by entry ---- */

/* A game told entry by entry, as each viewer may know it, for GET /v1/games/{id}/events and for
 * streams. No other code does this. */

struct story {
    struct stored_record record;
    struct replay *replay; /* the caller's; the game after the entry */
    struct record_entry entry;
    unsigned char before[GAME_STATE_MAX]; /* the state before the entry */
};

/* Begins with the header's row; `record` and `replay` must be set. */
struct record_result story_begin(struct story *story, const struct record_row *header);

/* Goes on with a row that is not the header. Sets `is_entry` unless the row is the head,
 * which has nothing to show. After a fault the replay must not be used. */
struct record_result story_go_on(struct story *story, const struct record_row *row, bool *is_entry);

/* The entry as this viewer may know it, without the marks, which are in the record. */
json_t *story_entry(const struct story *story, struct viewer viewer);

#endif
