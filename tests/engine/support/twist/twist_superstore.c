/* Hidden in Superstore 3000: the supply; a seat's card until its night club stands, or the end. */
#include <string.h>

#include "engine/games/superstore-3000/state.h"
#include "tests/engine/support/twist/twist.h"

static bool supply(void *opaque, unsigned seat, struct dice *dice)
{
    struct superstore_state *state = opaque;
    (void)seat;
    return twist_pile(state->supply, state->supply_next, state->supply_end, dice);
}

static bool is_secret(const struct superstore_state *state, unsigned seat)
{
    return state->point != AT_OVER && !superstore_has_night_club(&state->mall[seat]);
}

static bool is_dealt(const struct superstore_state *state, unsigned card)
{
    for (unsigned seat = 0; seat < state->seats; seat++)
        if (state->mall[seat].card == card)
            return true;
    return false;
}

/* Another card than the seat's, which no seat holds. */
static bool card(void *opaque, unsigned seat, struct dice *dice)
{
    struct superstore_state *state = opaque;
    unsigned first = dice == NULL ? 0 : dice_below(dice, CARDS);
    for (unsigned i = 0; i < CARDS && is_secret(state, seat); i++) {
        unsigned other = (first + i) % CARDS;
        if (is_dealt(state, other))
            continue;
        state->mall[seat].card = (uint8_t)other;
        return true;
    }
    return false;
}

static void conceal(void *opaque, struct viewer viewer, unsigned mover)
{
    struct superstore_state *state = opaque;
    (void)mover;
    memset(state->supply, 0, sizeof state->supply);
    for (unsigned seat = 0; seat < state->seats; seat++)
        if (is_secret(state, seat) && conceals(viewer, seat))
            state->mall[seat].card = 0;
}

static const struct twist twists[] = {
    {"supply", TWIST_NOBODY, supply, false},
    {"card", TWIST_SEAT_AND_AUDITOR, card, false},
};

/* Each card at most once; the rest of the cards is in the box. */
static void tally(const void *opaque, unsigned counts[static TALLY_MAX])
{
    const struct superstore_state *state = opaque;
    for (unsigned i = state->supply_next; i < state->supply_end; i++)
        counts[state->supply[i]]++;
    for (unsigned one = 0; one < state->seats; one++)
        for (unsigned two = 0; two < one; two++)
            counts[PIECES] += state->mall[one].card == state->mall[two].card;
}

const struct twisting twisting_superstore_3000 = {"superstore-3000", conceal, twists,
                                                  sizeof twists / sizeof twists[0], tally};
