/* Hidden in Super Motherload: the order of draw piles, artifacts and minors, sides of boards to
 * come; hands and artifacts until the end. */
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/super-motherload/state.h"
#include "tests/engine/support/twist/twist.h"

static bool pile(void *opaque, unsigned seat, struct dice *dice)
{
    struct motherload_state *state = opaque;
    return twist_pile(state->pile[seat], state->pile_next[seat], state->pile_end[seat], dice);
}

/* What has been drawn lies in the arrays of the piles as it was drawn. */
static bool drawn(void *opaque, unsigned seat, struct dice *dice)
{
    struct motherload_state *state = opaque;
    return dice != NULL && dice_one_in(dice, 2)
               ? twist_pile(state->artifact_pile, 0, state->artifact_next, dice)
               : twist_pile(state->pile[seat], 0, state->pile_next[seat], dice);
}

/* A card that the seat drew with the last ply. */
static bool draw(void *opaque, unsigned seat, struct dice *dice)
{
    struct motherload_state *state = opaque;
    (void)dice;
    for (unsigned i = 0; i < state->notes; i++) {
        struct note *note = &state->note[i];
        if (note->kind != NOTE_DRAWN || note->a != seat)
            continue;
        note->b = (uint8_t)((note->b + 1) % CARDS);
        return true;
    }
    return false;
}

static bool artifact_pile(void *opaque, unsigned seat, struct dice *dice)
{
    struct motherload_state *state = opaque;
    (void)seat;
    return twist_pile(state->artifact_pile, state->artifact_next, ARTIFACT_TILES, dice);
}

static bool minors(void *opaque, unsigned seat, struct dice *dice)
{
    struct motherload_state *state = opaque;
    (void)seat;
    unsigned unknown = (unsigned)(state->minor_deck_count - state->minor_deck_known);
    return twist_pile(state->minor_deck, 0, unknown, dice);
}

/* Depths whose boards nobody has seen. */
static unsigned first_unseen(const struct motherload_state *state)
{
    const struct motherload_components *set = catalog_newest(span_of("super-motherload"))->set;
    return state->boards == 0 ? 0 : set->boards[state->board[state->boards - 1]].depth;
}

static bool side(void *opaque, unsigned seat, struct dice *dice)
{
    struct motherload_state *state = opaque;
    (void)seat;
    unsigned first = first_unseen(state);
    if (!state->sides_drawn || first >= DEPTHS)
        return false;
    unsigned depth = dice == NULL ? DEPTHS - 1 : first + dice_below(dice, DEPTHS - first);
    state->side[depth] ^= 1;
    return true;
}

static bool hand(void *opaque, unsigned seat, struct dice *dice)
{
    struct motherload_state *state = opaque;
    uint8_t drawn[CARDS]; /* unseen, from this pile */
    for (unsigned card = 0; card < CARDS; card++)
        drawn[card] = (uint8_t)(state->hand[seat][card] - state->known[seat][card]);
    if (state->point == AT_OVER ||
        !twist_counts(drawn, CARDS, state->pile[seat], state->pile_next[seat],
                      state->pile_end[seat], dice))
        return false;
    for (unsigned card = 0; card < CARDS; card++)
        state->hand[seat][card] = (uint8_t)(state->known[seat][card] + drawn[card]);
    return true;
}

static bool artifacts(void *opaque, unsigned seat, struct dice *dice)
{
    struct motherload_state *state = opaque;
    return state->point != AT_OVER &&
           twist_counts(state->artifacts[seat], ARTIFACTS, state->artifact_pile,
                        state->artifact_next, ARTIFACT_TILES, dice);
}

static void conceal_notes(struct motherload_state *state, struct viewer viewer, unsigned mover)
{
    for (unsigned i = 0; i < state->notes; i++) {
        struct note *note = &state->note[i];
        if (note->kind == NOTE_DRAWN && conceals(viewer, note->a))
            note->b = 0;
        if (note->kind == NOTE_FOUND && conceals(viewer, mover))
            note->a = 0;
    }
}

static void conceal(void *opaque, struct viewer viewer, unsigned mover)
{
    struct motherload_state *state = opaque;
    unsigned unknown = (unsigned)(state->minor_deck_count - state->minor_deck_known);
    memset(state->pile, 0, sizeof state->pile);
    memset(state->artifact_pile, 0, sizeof state->artifact_pile);
    memset(state->minor_deck, 0, unknown);
    for (unsigned depth = first_unseen(state); depth < DEPTHS; depth++)
        state->side[depth] = 0;
    conceal_notes(state, viewer, mover);
    for (unsigned seat = 0; seat < state->seats && state->point != AT_OVER; seat++) {
        if (!conceals(viewer, seat))
            continue;
        conceal_counts(state->hand[seat], CARDS);
        conceal_counts(state->artifacts[seat], ARTIFACTS);
    }
}

static const struct twist twists[] = {
    {"draw pile", TWIST_NOBODY, pile, false},
    {"artifact pile", TWIST_NOBODY, artifact_pile, false},
    {"drawn cards and tiles", TWIST_NOBODY, drawn, false},
    {"draw", TWIST_SEAT_AND_AUDITOR, draw, false},
    {"minor deck", TWIST_NOBODY, minors, false},
    {"sides to come", TWIST_NOBODY, side, false},
    {"hand", TWIST_SEAT_AND_AUDITOR, hand, false},
    {"artifacts", TWIST_SEAT_AND_AUDITOR, artifacts, false},
};

static void tally(const void *opaque, unsigned counts[static TALLY_MAX])
{
    const struct motherload_state *state = opaque;
    unsigned *tiles = counts + SEATS_MAX * CARDS;
    unsigned *minors_of = tiles + ARTIFACTS;
    for (unsigned i = state->artifact_next; i < ARTIFACT_TILES; i++)
        tiles[state->artifact_pile[i]]++;
    for (unsigned i = 0; i < state->minor_deck_count; i++)
        minors_of[state->minor_deck[i]]++;
    for (unsigned seat = 0; seat < state->seats; seat++) {
        unsigned *own = counts + (size_t)seat * CARDS;
        for (unsigned i = state->pile_next[seat]; i < state->pile_end[seat]; i++)
            own[state->pile[seat][i]]++;
        for (unsigned card = 0; card < CARDS; card++)
            own[card] += state->hand[seat][card];
        for (unsigned artifact = 0; artifact < ARTIFACTS; artifact++)
            tiles[artifact] += state->artifacts[seat][artifact];
    }
}

const struct twisting twisting_super_motherload = {"super-motherload", conceal, twists,
                                                   sizeof twists / sizeof twists[0], tally};
