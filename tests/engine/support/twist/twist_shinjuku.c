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
    uint8_t later[WARDS]; /* drawn unseen from this pile */
    for (unsigned ward = 0; ward < WARDS; ward++)
        later[ward] = (uint8_t)(state->hand[seat][ward] - state->known[seat][ward] -
                                state->older[seat][ward]);
    if (state->point == AT_OVER ||
        !twist_counts(later, WARDS, state->deck, state->deck_next, state->deck_end, dice))
        return false;
    for (unsigned ward = 0; ward < WARDS; ward++)
        state->hand[seat][ward] =
            (uint8_t)(state->known[seat][ward] + state->older[seat][ward] + later[ward]);
    return true;
}

/* Swaps a card that the seat drew before the last shuffle with one of the next seat. */
static bool older(void *opaque, unsigned seat, struct dice *dice)
{
    struct shinjuku_state *state = opaque;
    unsigned next = (seat + 1) % state->seats;
    unsigned first = dice == NULL ? 0 : dice_below(dice, WARDS);
    unsigned one = WARDS;
    unsigned two = WARDS;
    for (unsigned i = 0; i < WARDS; i++) {
        unsigned ward = (first + i) % WARDS;
        if (state->older[seat][ward] > state->older[next][ward] && one == WARDS)
            one = ward;
        if (state->older[next][ward] > state->older[seat][ward] && two == WARDS)
            two = ward;
    }
    if (state->point == AT_OVER || one == WARDS || two == WARDS)
        return false;
    state->older[seat][one]--;
    state->older[seat][two]++;
    state->older[next][two]--;
    state->older[next][one]++;
    state->hand[seat][one]--;
    state->hand[seat][two]++;
    state->hand[next][two]--;
    state->hand[next][one]++;
    return true;
}

/* What has been drawn lies in the deck's array as it was drawn. */
static bool drawn(void *opaque, unsigned seat, struct dice *dice)
{
    struct shinjuku_state *state = opaque;
    (void)seat;
    return twist_pile(state->deck, 0, state->deck_next, dice);
}

/* A card that the seat drew with the last ply. */
static bool income(void *opaque, unsigned seat, struct dice *dice)
{
    struct shinjuku_state *state = opaque;
    bool own = false;
    (void)dice;
    for (unsigned i = 0; i < state->notes; i++) {
        struct note *note = &state->note[i];
        if (note->kind == NOTE_INCOME)
            own = note->a == seat;
        if (note->kind != NOTE_CARD || !own)
            continue;
        note->a = (uint8_t)((note->a + 1) % WARDS);
        return true;
    }
    return false;
}

/* Whether the seat can tell older cards of the others from later ones. */
static bool doubt(void *opaque, unsigned seat, struct dice *dice)
{
    struct shinjuku_state *state = opaque;
    (void)dice;
    state->blurred ^= (uint8_t)(1u << seat);
    return state->point != AT_OVER;
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
    if (viewer.kind != VIEWER_AUDITOR)
        state->blurred &= (uint8_t)(1u << (viewer.kind == VIEWER_SEAT ? viewer.seat : SEATS_MAX));
    if (state->point == AT_OVER)
        state->blurred = 0;
    for (unsigned seat = 0; seat < state->seats && state->point != AT_OVER; seat++) {
        if (!conceals(viewer, seat))
            continue;
        conceal_counts(state->hand[seat], WARDS);
        memset(state->older[seat], 0, WARDS);
        conceal_counts(state->earned[seat], KINDS);
    }
}

static const struct twist twists[] = {
    {"deck", TWIST_NOBODY, deck, false},
    {"bag", TWIST_NOBODY, bag, false},
    {"hand", TWIST_SEAT_AND_AUDITOR, hand, false},
    {"older cards", TWIST_SEATS_AND_AUDITOR, older, false},
    {"drawn cards", TWIST_NOBODY, drawn, false},
    {"income", TWIST_SEAT_AND_AUDITOR, income, false},
    {"doubt", TWIST_SEAT_AND_AUDITOR, doubt, false},
    {"collection", TWIST_SEAT_AND_AUDITOR, collection, true},
};

static void tally(const void *opaque, unsigned counts[static TALLY_MAX])
{
    const struct shinjuku_state *state = opaque;
    unsigned *kinds = counts + WARDS;
    for (unsigned i = state->deck_next; i < state->deck_end; i++)
        counts[state->deck[i]]++;
    for (unsigned i = state->bag_next; i < state->bag_end; i++)
        kinds[state->bag[i]]++;
    for (unsigned seat = 0; seat < state->seats; seat++) {
        for (unsigned ward = 0; ward < WARDS; ward++)
            counts[ward] += state->hand[seat][ward];
        for (unsigned kind = 0; kind < KINDS; kind++)
            kinds[kind] += state->earned[seat][kind];
    }
}

const struct twisting twisting_shinjuku = {"shinjuku", conceal, twists,
                                           sizeof twists / sizeof twists[0], tally};
