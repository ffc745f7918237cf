/* Hidden in Supermarché, from its one seat as well: customers that lie face down or were sent away
 * unseen, and the order of the cost cards to come. */
#include <string.h>

#include "engine/games/supermarche/state.h"
#include "tests/engine/support/twist/twist.h"

static bool is_hidden(const struct supermarche_state *state, unsigned i)
{
    unsigned first = ROW * (state->round - 1u);
    if ((state->discarded >> i & 1) != 0)
        return state->point != AT_OVER;
    return i >= first + ROW || (i >= first && state->row[i - first] == CARD_DOWN);
}

/* The hidden places of the deck, in order. */
static unsigned list_hidden(const struct supermarche_state *state, uint8_t places[static CUSTOMERS])
{
    unsigned count = 0;
    for (unsigned i = 0; i < CUSTOMERS; i++)
        if (is_hidden(state, i))
            places[count++] = (uint8_t)i;
    return count;
}

static bool customers(void *opaque, unsigned seat, struct dice *dice)
{
    struct supermarche_state *state = opaque;
    uint8_t places[CUSTOMERS];
    uint8_t items[CUSTOMERS];
    (void)seat;
    unsigned count = list_hidden(state, places);
    for (unsigned i = 0; i < count; i++)
        items[i] = state->deck[places[i]];
    if (!twist_pile(items, 0, count, dice))
        return false;
    for (unsigned i = 0; i < count; i++)
        state->deck[places[i]] = items[i];
    return true;
}

static bool costs(void *opaque, unsigned seat, struct dice *dice)
{
    struct supermarche_state *state = opaque;
    (void)seat;
    return twist_pile(state->costs, state->round, COST_CARDS, dice);
}

static void conceal(void *opaque, struct viewer viewer, unsigned mover)
{
    struct supermarche_state *state = opaque;
    (void)viewer;
    (void)mover;
    for (unsigned i = 0; i < CUSTOMERS; i++)
        if (is_hidden(state, i))
            state->deck[i] = 0;
    for (unsigned round = state->round; round < COST_CARDS; round++)
        state->costs[round] = 0;
}

static const struct twist twists[] = {
    {"customers", TWIST_NOBODY, customers, false},
    {"cost cards", TWIST_NOBODY, costs, false},
};

static void tally(const void *opaque, unsigned counts[static TALLY_MAX])
{
    const struct supermarche_state *state = opaque;
    for (unsigned i = 0; i < CUSTOMERS; i++)
        counts[state->deck[i]]++;
    for (unsigned i = 0; i < COST_CARDS; i++)
        counts[CUSTOMERS + state->costs[i]]++;
}

const struct twisting twisting_supermarche = {"supermarche", conceal, twists,
                                              sizeof twists / sizeof twists[0], tally};
