/* Disputes as their logs make them, who sees and does what in them, and the one way to go on: a
 * step that the fold takes (engine/record/dispute.h) is stored.
 *
 * Who sees what. Whoever may see a game (api/request/visibility.h) may see that there are disputes
 * about it, what they are about, each step, and each ruling with its orders and the code of its
 * reason. What people have written may tell of what a player holds, so it waits: until the game is
 * over the complaints are read by who wrote them and by who may decide, and the reasons of rulings
 * by the players as well.
 *
 * Who decides. Arbiters and organizers of the event, and arbiters and auditors of the site: these
 * alone where a game belongs to no event. Nobody decides who is a party to the game
 * (api/request/impartial.h). An appeal goes to another (engine/record/dispute.h).
 */
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
    bool player;   /* the caller plays in the game, or did so when the dispute was opened */
    bool official; /* the caller may decide */
};

/* Loads a dispute for the caller. With `change` others are kept from taking steps in disputes of
 * its game, and from writing to the game, until the end of the transaction. False with a problem:
 * `not-found` also where the game is hidden from the caller. */
bool dispute_load(struct call *call, const struct id *id, bool change,
                  struct loaded_dispute *loaded);

/* Starts one over a game, which is locked. */
void dispute_begin(struct call *call, const struct game_row *game, struct loaded_dispute *loaded);

/* Tries a step on a copy: `after` is the dispute as it would be. `detail` is borrowed. */
bool dispute_try(struct call *call, const struct loaded_dispute *loaded, const char *kind,
                 const json_t *detail, struct dispute *after);

/* Takes a step of the caller's: stores its line, and puts a leaf into the transparency log where it
 * rules or closes. `detail` is taken over. */
bool dispute_take(struct call *call, struct loaded_dispute *loaded, const char *kind,
                  json_t *detail);

/* ---- Documents ---- */

/* The dispute as lists show it: the same for everybody. `loaded` needs no `game`. */
json_t *dispute_summary(const struct loaded_dispute *loaded);

/* All that the caller may know of it. */
json_t *dispute_document(struct call *call, const struct loaded_dispute *loaded);

/* True if the caller may read what people have written. */
bool dispute_shows_texts(const struct loaded_dispute *loaded);

/* Folds the lines of one dispute into `loaded`, whose row is there. False with a problem. */
bool dispute_fold(struct call *call, struct loaded_dispute *loaded);

/* How long after the end of a game, or after a ruling, a dispute or an appeal may come. */
bool dispute_protest_ms(struct call *call, const struct game_row *game, int64_t *protest_ms);

#endif
