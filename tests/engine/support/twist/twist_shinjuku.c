/* Hidden in Shinjuku: the order of draw pile and bag; hands and collections until the end. */
#include <string.h>

#include "engine/games/shinjuku/state.h"
#include "tests/engine/support/twist/twist.h"

static bool deck(void *opaque, unsigned seat, struct dice *dice)
{
    struct shinjuku_state *state = opaque;
    (void)seat;
    return twist_pile(state->deck, state->deck_next, state->deck_end, dice);
}

static bool bag(void *opaque, unsigned seat, struct dice *dice)
{
    struct shinjuku_state *state = opaque;
    (void)seat;
    return twist_pile(state->bag, state->bag_next, state->bag_end, dice);
}

static bool hand(void *opaque, unsigned seat, struct dice *dice)
{
    struct shinjuku_state *state = opaque;
    return state->point != AT_OVER && twist_counts(state->hand[seat], WARDS, state->deck,
                                                   state->deck_next, state->deck_end, dice);
}

static bool collection(void *opaque, unsigned seat, struct dice *dice)
{
    struct shinjuku_state *state = opaque;
    return state->point != AT_OVER && twist_counts(state->earned[seat], KINDS, state->bag,
                                                   state->bag_next, state->bag_end, dice);
}

/* Cards that a seat drew unseen. */
static void conceal_notes(struct shinjuku_state *state, struct viewer viewer)
{
    bool hidden = false;
    for (unsigned i = 0; i < state->notes; i++) {
        struct note *note = &state->note[i];
        if (note->kind != NOTE_CARD)
            hidden = note->kind == NOTE_INCOME && conceals(viewer, note->a);
        else if (hidden)
            note->a = 0;
    }
}

static void conceal(void *opaque, struct viewer viewer, unsigned mover)
{
    struct shinjuku_state *state = opaque;
    (void)mover;
    state->deck_words = 0;
    memset(state->deck, 0, sizeof state->deck);
    memset(state->bag, 0, sizeof state->bag);
    conceal_notes(state, viewer);
    for (unsigned seat = 0; seat < state->seats && state->point != AT_OVER; seat++) {
        if (!conceals(viewer, seat))
            continue;
        conceal_counts(state->hand[seat], WARDS);
        conceal_counts(state->earned[seat], KINDS);
    }
}

static const struct twist twists[] = {
    {"deck", TWIST_NOBODY, deck},
    {"bag", TWIST_NOBODY, bag},
    {"hand", TWIST_SEAT_AND_AUDITOR, hand},
    {"collection", TWIST_SEAT_AND_AUDITOR, collection},
};

const struct twisting twisting_shinjuku = {"shinjuku", conceal, twists,
                                           sizeof twists / sizeof twists[0]};
