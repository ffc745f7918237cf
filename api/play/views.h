/* What a player needs to decide: the seat's view of a game, and its legal moves. Both are answered
 * from memory where that is up to date, on the loop thread, or else by a worker.
 */
#ifndef TILLROLL_API_PLAY_VIEWS_H
#define TILLROLL_API_PLAY_VIEWS_H

#include <jansson.h>

#include "api/request/call.h"
#include "api/state/stored_record.h"
#include "db/store/games/games.h"
#include "engine/record/replay.h"

/* Finds the game whose id comes first in the path, as the caller may see it
 * (api/request/visibility.h), and its state. False with a problem. */
bool views_load_game(struct call *call, struct game_row *game, struct replay **replay);

/* The quick ways (api/request/route.h) of GET /v1/games/{id}/view and /legal-moves, for a player of
 * the game: QUICK_NO for others, who may share an answer, and where the database has to be asked.
 * Loop thread. */
enum http_quick views_quick(struct call *call, struct http_pending *pending);
enum http_quick legal_moves_quick(struct call *call, struct http_pending *pending);

/* ---- A game told entry by entry ---- */

/* A game told entry by entry, as each viewer may know it: what GET /v1/games/{id}/events lists and
 * what streams send. The one place that goes through a record and tells it.
 */

struct story {
    struct stored_record record;
    struct replay *replay; /* the caller's; after the entry */
    struct record_entry entry;
    unsigned char before[GAME_STATE_MAX]; /* the state before the entry */
};

/* Begins with the header row; `record` and `replay` are set. */
struct record_result story_begin(struct story *story, const struct record_row *header);

/* Goes on with a row that is not the header. `told`: whether it is an entry and can be told; the
 * head is none. On a fault the replay is spoilt. */
struct record_result story_go_on(struct story *story, const struct record_row *row, bool *told);

/* The entry, as this viewer may know it. The marks are left out: the record has them. */
json_t *story_entry(const struct story *story, struct viewer viewer);

#endif
