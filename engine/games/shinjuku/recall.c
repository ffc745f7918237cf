#include "engine/games/shinjuku/recall.h"

#include <string.h>

#include "engine/game/unseen.h"

static unsigned total(const uint8_t wards[static WARDS])
{
    unsigned count = 0;
    for (unsigned ward = 0; ward < WARDS; ward++)
        count += wards[ward];
    return count;
}

/* Cards of a ward that the seat has drawn unseen since the last shuffle. */
static unsigned later(const struct shinjuku_state *state, unsigned seat, unsigned ward)
{
    return (unsigned)(state->hand[seat][ward] - state->known[seat][ward] -
                      state->older[seat][ward]);
}

static unsigned later_total(const struct shinjuku_state *state, unsigned seat)
{
    return total(state->hand[seat]) - total(state->known[seat]) - total(state->older[seat]);
}

/* The bit of a viewer in `blurred`; all viewers except seats share one. */
static unsigned blur_bit(struct viewer viewer)
{
    return viewer.kind == VIEWER_SEAT ? viewer.seat : SEATS_MAX;
}

/* ---- Memory ---- */

void shinjuku_recall_taken(struct shinjuku_state *state, unsigned seat, uint8_t ward)
{
    state->known[seat][ward]++;
}

/* True if `viewer`, a seat or SEATS_MAX for those who see no hand, cannot tell whether a card of
 * the active seat, which has older and later ones, is an older or a later one. */
static bool may_be_either(const struct shinjuku_state *state, unsigned viewer, uint8_t ward)
{
    unsigned payer = state->active;
    unsigned older = 0;
    unsigned younger = 0;
    unsigned elsewhere = 0; /* unseen older cards in other hands */
    for (unsigned i = state->deck_next; i < state->deck_end; i++)
        younger += state->deck[i] == ward;
    for (unsigned seat = 0; seat < state->seats; seat++) {
        if (seat == viewer)
            continue;
        older += state->older[seat][ward];
        younger += later(state, seat, ward);
        elsewhere += seat == payer ? 0 : total(state->older[seat]);
    }
    return elsewhere > 0 && older > 0 && younger > 0;
}

void shinjuku_recall_paid(struct shinjuku_state *state, uint8_t ward)
{
    unsigned payer = state->active;
    if (state->known[payer][ward] > 0) {
        state->known[payer][ward]--;
        return;
    }
    bool either = total(state->older[payer]) > 0 && later_total(state, payer) > 0;
    for (unsigned viewer = 0; either && viewer <= SEATS_MAX; viewer++)
        if (viewer != payer && (viewer < state->seats || viewer == SEATS_MAX) &&
            may_be_either(state, viewer, ward))
            state->blurred |= (uint8_t)(1u << viewer);
    if (state->older[payer][ward] > 0)
        state->older[payer][ward]--;
}

void shinjuku_recall_shuffled(struct shinjuku_state *state)
{
    state->blurred = 0;
    for (unsigned seat = 0; seat < state->seats; seat++)
        for (unsigned ward = 0; ward < WARDS; ward++)
            state->older[seat][ward] =
                (uint8_t)(state->hand[seat][ward] - state->known[seat][ward]);
}

/* ---- Imagination ---- */

/* How many cards of each kind are redealt to the hands, and which kinds there are. */
struct hands {
    bool hidden[SEATS_MAX];
    unsigned older[SEATS_MAX], later[SEATS_MAX];
    struct unseen old, young;
};

static void gather(const struct shinjuku_state *state, struct viewer viewer, struct hands *hands,
                   struct chance_stream *stream)
{
    bool blurred = (state->blurred >> blur_bit(viewer) & 1) != 0;
    unseen_init(&hands->old, stream);
    unseen_init(&hands->young, stream);
    unseen_add_pile(&hands->young, state->deck + state->deck_next,
                    (size_t)(state->deck_end - state->deck_next));
    for (unsigned seat = 0; seat < state->seats; seat++) {
        hands->hidden[seat] = state->point != AT_OVER && viewer.kind != VIEWER_AUDITOR &&
                              (viewer.kind != VIEWER_SEAT || viewer.seat != seat);
        hands->older[seat] = 0;
        hands->later[seat] = 0;
        for (uint8_t ward = 0; hands->hidden[seat] && ward < WARDS; ward++) {
            unsigned old = blurred ? 0 : state->older[seat][ward];
            unsigned young = state->hand[seat][ward] - state->known[seat][ward] - old;
            unseen_add(&hands->old, ward, old);
            unseen_add(&hands->young, ward, young);
            hands->older[seat] += old;
            hands->later[seat] += young;
        }
    }
}

static void deal(struct shinjuku_state *state, struct hands *hands)
{
    unseen_shuffle(&hands->old);
    unseen_shuffle(&hands->young);
    for (unsigned seat = 0; seat < state->seats; seat++) {
        if (!hands->hidden[seat])
            continue;
        uint8_t *hand = state->hand[seat];
        memset(state->older[seat], 0, WARDS);
        unseen_deal_counts(&hands->old, state->older[seat], hands->older[seat]);
        for (unsigned ward = 0; ward < WARDS; ward++)
            hand[ward] = (uint8_t)(state->known[seat][ward] + state->older[seat][ward]);
        unseen_deal_counts(&hands->young, hand, hands->later[seat]);
    }
    unseen_deal_pile(&hands->young, state->deck + state->deck_next,
                     (size_t)(state->deck_end - state->deck_next));
}

/* A seat that has named an action can pay for it. */
static bool can_pay(const struct shinjuku_state *state)
{
    return state->point != AT_PAY ||
           (shinjuku_payable(state, state->active) & shinjuku_pending_wards(state)) != 0;
}

void shinjuku_imagine(void *opaque, struct viewer viewer, const struct chance *chance)
{
    struct shinjuku_state *state = opaque;
    struct chance_stream stream;
    struct hands hands;
    unseen_open(&stream, chance);
    gather(state, viewer, &hands, &stream);
    do
        deal(state, &hands);
    while (!can_pay(state));
    unseen_shuffle_pile(&stream, state->bag + state->bag_next,
                        (size_t)(state->bag_end - state->bag_next));
    if (viewer.kind != VIEWER_AUDITOR)
        state->blurred = (state->blurred >> blur_bit(viewer) & 1) != 0 ? UINT8_MAX : 0;
    if (state->point == AT_OVER) {
        memset(state->older, 0, sizeof state->older);
        state->blurred = 0;
    }
    state->deck_words = 0;
    memset(state->deck, 0, state->deck_next);
    memset(state->note, 0, sizeof state->note);
    state->notes = 0;
}
