/* Disputes, loaded from their logs; the caller's rights; and the only way to change a dispute,
 * which is to store a step that the fold accepts (engine/record/dispute.h).
 *
 * Visibility. Everyone who may see a game (api/request/visibility.h) may see that disputes exist,
 * their subjects, each step, and each ruling with its orders and reason code. Written texts may
 * reveal what a player holds, so they are delayed: until the game is over, complaints are visible
 * to their authors and to officials who may decide, reasons of rulings also to the players.
 *
 * Decisions. Arbiters and organizers of the event, and arbiters and auditors of the site, decide;
 * only the latter if the game belongs to no event. Parties to the game never decide
 * (api/request/impartial.h). An appeal is decided by a different person
 * (engine/record/dispute.h). */
#ifndef TILLROLL_API_DISPUTES_DISPUTE_LOAD_H
#define TILLROLL_API_DISPUTES_DISPUTE_LOAD_H

#include "api/request/call.h"
#include "db/store/games/games.h"
#include "db/store/log/disputes.h"
#include "engine/record/dispute.h"

struct loaded_dispute {
    struct dispute_row row;
    struct game_row game;
    struct dispute dispute;
    struct dispute_line *lines;
    size_t count;
    bool player;   /* the caller plays in the game, or did when the dispute was opened */
    bool official; /* the caller may decide */
};

/* Loads a dispute for the caller. With `change`, locks the game, so that until the transaction ends
 * no other caller can take a step in its disputes or write to it. False with a problem, which is
 * `not-found` also for a game hidden from the caller. */
bool dispute_load(struct call *call, const struct id *id, bool change,
                  struct loaded_dispute *loaded);

/* Opens a dispute about a game, which must be locked. */
void dispute_begin(struct call *call, const struct game_row *game, struct loaded_dispute *loaded);

/* Tries a step on a copy: `after` becomes the dispute after the step. `detail` is borrowed. */
bool dispute_try(struct call *call, const struct loaded_dispute *loaded, const char *kind,
                 const json_t *detail, struct dispute *after);

/* Takes a step for the caller: stores its line and, for rulings and closings, adds a leaf to the
 * transparency log. `detail` is consumed. */
bool dispute_take(struct call *call, struct loaded_dispute *loaded, const char *kind,
                  json_t *detail);

/* ---- Documents ---- */

/* The dispute as lists show it, the same for every caller. `loaded` needs no `game`. */
json_t *dispute_summary(const struct loaded_dispute *loaded);

/* The parts of the dispute that the caller may see. */
json_t *dispute_document(struct call *call, const struct loaded_dispute *loaded);

/* True if the caller may read written texts. */
bool dispute_shows_texts(const struct loaded_dispute *loaded);

/* Folds the lines of a dispute into `loaded`, whose row is set. False with a problem. */
bool dispute_fold(struct call *call, struct loaded_dispute *loaded);

/* Reads the time allowed for filing a dispute after a game's end, or an appeal after a ruling.
 * False with a problem. */
bool dispute_protest_ms(struct call *call, const struct game_row *game, int64_t *protest_ms);

#endif
