/* Ladders: entries stand on rungs, one on each, and climb by beating those above.
 *
 * A ladder starts empty and results from what happens, applied in sequence:
 *
 *      join        onto the bottom rung
 *      challenge   an entry challenges one above, at most `reach` rungs up. Neither may have an
 *                  open challenge, and they may not both have met the other in their last game
 *      end         of a challenge. If the challenger wins, it takes the other's place, and the
 *                  entries from there to its old rung move down by one, or the two exchange
 *                  (ladder_effect). A tie changes nothing. A challenge that was not answered in
 *                  time is won by forfeit; the settings give the times
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_LADDER_LADDER_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_LADDER_LADDER_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/game.h"

enum { LADDER_ENTRIES_MAX = 1024, LADDER_NOBODY = UINT16_MAX };

/* The values are stored: only add new ones at the end. */
enum ladder_effect { LADDER_TAKE_PLACE = 0, LADDER_EXCHANGE = 1 };

struct ladder_rule {
    uint16_t reach; /* rungs, >= 1 */
    uint8_t effect; /* enum ladder_effect */
    uint8_t padding;
};

/* The entry on a rung. */
struct ladder_rung {
    uint16_t entry; /* < LADDER_NOBODY */
    uint16_t open;  /* opponent of an open challenge, or LADDER_NOBODY */
    uint16_t last;  /* opponent of the last game that was a challenge, or LADDER_NOBODY */
    bool challenger;
    uint8_t padding;
};

struct ladder {
    struct ladder_rung rung[LADDER_ENTRIES_MAX]; /* the top first */
    size_t count;
};

static_assert(sizeof(struct ladder_rung) == 8, "no implicit padding");

/* Refusals, stable. */
#define LADDER_REFUSAL_FULL    "ladder-full" /* LADDER_ENTRIES_MAX */
#define LADDER_REFUSAL_TWICE   "already-on-ladder"
#define LADDER_REFUSAL_ABSENT  "not-on-ladder"
#define LADDER_REFUSAL_BELOW   "not-above"      /* challenges an entry that stands below */
#define LADDER_REFUSAL_REACH   "too-far-above"  /* more than `reach` rungs */
#define LADDER_REFUSAL_BUSY    "challenge-open" /* one of them has another challenge */
#define LADDER_REFUSAL_REMATCH "met-last"       /* each met the other in its last game */
#define LADDER_REFUSAL_NO_GAME "no-such-challenge"

/* Whether a challenge is allowed now; if not, `refusal` says why. Pure. */
bool ladder_may_challenge(const struct ladder *ladder, const struct ladder_rule *rule,
                          uint16_t challenger, uint16_t challenged, struct refusal *refusal);

/* Each applies one step. False: refused, and the ladder is unchanged. An all-zero ladder is empty.
 */
bool ladder_join(struct ladder *ladder, uint16_t entry, struct refusal *refusal);
bool ladder_challenge(struct ladder *ladder, const struct ladder_rule *rule, uint16_t challenger,
                      uint16_t challenged, struct refusal *refusal);
bool ladder_end(struct ladder *ladder, const struct ladder_rule *rule, uint16_t challenger,
                uint16_t challenged, bool won, struct refusal *refusal);

/* The rung of an entry, 0 for the top; `count` if it is not on the ladder. */
size_t ladder_find(const struct ladder *ladder, uint16_t entry);

#endif
