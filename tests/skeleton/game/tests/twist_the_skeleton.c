/* Hidden in The Skeleton: the order of the pile. */
#include <string.h>

#include "engine/games/the-skeleton/rules.h"
#include "tests/engine/support/twist/twist.h"

static bool pile(void *opaque, unsigned seat, struct dice *dice)
{
    struct the_skeleton_state *state = opaque;
    (void)seat;
    return twist_pile(state->pile, state->next, CARDS, dice);
}

static void conceal(void *opaque, struct viewer viewer, unsigned mover)
{
    struct the_skeleton_state *state = opaque;
    (void)viewer;
    (void)mover;
    memset(state->pile, 0, sizeof state->pile);
}

static const struct twist twists[] = {{"pile", TWIST_NOBODY, pile, false}};

static void tally(const void *opaque, unsigned counts[static TALLY_MAX])
{
    const struct the_skeleton_state *state = opaque;
    for (unsigned i = 0; i < CARDS; i++)
        counts[state->pile[i]]++;
}

const struct twisting twisting_the_skeleton = {"the-skeleton", conceal, twists,
                                               sizeof twists / sizeof twists[0], tally};
