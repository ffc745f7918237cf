/* Twins of a position, for the tests of what is hidden: what each game hides, said once more, apart
 * from its views.
 *
 *      conceal   blots out of a state all that a viewer may not know: where two states are the same
 *                to the last byte after that, nothing that reaches the viewer may differ
 *      twist     changes one hidden thing to another that might as well have been: a card in a hand
 *                against one in a pile, the order of a pile
 *
 * tests/engine/game/test_twins.c plays games with twins, test_imagine.c has them imagined;
 * tests/api/request/twin_catalog.c has a service deal them.
 */
#ifndef TILLROLL_TESTS_ENGINE_SUPPORT_TWIST_TWIST_H
#define TILLROLL_TESTS_ENGINE_SUPPORT_TWIST_TWIST_H

#include "engine/game/game.h"
#include "tests/engine/support/dice.h"

/* The viewers who see the change that a twist makes. */
enum twist_seen { TWIST_NOBODY, TWIST_SEAT, TWIST_SEAT_AND_AUDITOR, TWIST_SEATS_AND_AUDITOR };

/* Kinds of components of a game, all together. */
enum { TALLY_MAX = 256 };

struct twist {
    const char *what; /* `hand` */
    enum twist_seen seen;
    /* Changes what `seat` has, or what nobody sees. Without `dice` the things that come last in
     * play. False, and nothing changed, where there is nothing to change. */
    bool (*apply)(void *state, unsigned seat, struct dice *dice);
    /* No view shows it, but it follows from what happened in the open: whoever remembers that can
     * tell the two apart (`imagine` in engine/game/game.h). */
    bool remembered;
};

struct twisting {
    const char *slug;
    /* `mover` made the last ply; GAME_SEATS_MAX for nobody. */
    void (*conceal)(void *state, struct viewer viewer, unsigned mover);
    const struct twist *twists;
    size_t count;
    /* Counts every component that hidden places may hold, wherever it is. */
    void (*tally)(const void *state, unsigned counts[static TALLY_MAX]);
};

/* What a game hides, or NULL if nobody has said. */
const struct twisting *twisting_of(const struct game *game);

/* ---- For the files of the games ---- */

/* Swaps two different items of items[from .. end). False if all are alike. */
bool twist_pile(uint8_t *items, unsigned from, unsigned end, struct dice *dice);

/* Swaps one of the things that `counts` counts, by kind, with a different one of the items. */
bool twist_counts(uint8_t *counts, unsigned kinds, uint8_t *items, unsigned from, unsigned end,
                  struct dice *dice);

/* Leaves the sum of the counts, and nothing of what they count. */
void conceal_counts(uint8_t *counts, unsigned kinds);

/* True if `viewer` may not know what is private to `seat`. */
bool conceals(struct viewer viewer, unsigned seat);

extern const struct twisting twisting_mall_world;
extern const struct twisting twisting_shinjuku;
extern const struct twisting twisting_super_motherload;
extern const struct twisting twisting_supermarche;
extern const struct twisting twisting_superstore_3000;

#endif
