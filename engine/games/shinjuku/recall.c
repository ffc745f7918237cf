#include "engine/games/shinjuku/recall.h"

#include <string.h>

#include "engine/game/told.h"
#include "engine/game/unseen.h"
#include "engine/games/shinjuku/moves.h"
#include "engine/games/shinjuku/rules.h"

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
static bool can_pay(const struct shinjuku_components *set, const struct shinjuku_state *state)
{
    return state->point != AT_PAY ||
           (shinjuku_payable(set, state, state->active) & shinjuku_pending_wards(set, state)) != 0;
}

void shinjuku_imagine(const struct game *game, void *opaque, struct viewer viewer,
                      const struct chance *chance)
{
    struct shinjuku_state *state = opaque;
    const struct shinjuku_components *set = game->set;
    struct chance_stream stream;
    struct hands hands;
    unseen_open(&stream, chance);
    gather(state, viewer, &hands, &stream);
    do
        deal(state, &hands);
    while (!can_pay(set, state));
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

/* ---- Luck that is told: what a spectator cannot tell apart changes places ---- */

/* Where a spectator cannot tell older cards from later ones, all are one group, as in imagine(). */
static void merge_groups(struct shinjuku_state *state)
{
    if ((state->blurred >> SEATS_MAX & 1) == 0)
        return;
    memset(state->older, 0, sizeof state->older);
    state->blurred = UINT8_MAX;
}

bool shinjuku_exchange(struct shinjuku_state *state, uint8_t *card, uint8_t ward)
{
    merge_groups(state);
    for (unsigned seat = 0; seat < state->seats; seat++) {
        if (later(state, seat, ward) == 0)
            continue;
        state->hand[seat][ward]--;
        state->hand[seat][*card]++;
        *card = ward;
        return true;
    }
    return false;
}

/* How many of the cards that a seat needs come from the older ones, and how many from later ones.
 */
struct split {
    uint8_t older[WARDS], later[WARDS];
};

/* As few as possible are older, but no more are later than the seat has room for. False if the
 * cards that nobody has seen cannot be divided so. */
static bool divide(const struct shinjuku_state *state, unsigned seat,
                   const uint8_t need[static WARDS], struct split *split)
{
    unsigned old_left = total(state->older[seat]);
    unsigned late_left = later_total(state, seat);
    uint8_t spare[WARDS];
    for (unsigned ward = 0; ward < WARDS; ward++) {
        unsigned old = 0;
        unsigned young = 0;
        unsigned known = state->known[seat][ward];
        unsigned wanted = need[ward] > known ? need[ward] - known : 0;
        for (unsigned i = state->deck_next; i < state->deck_end; i++)
            young += state->deck[i] == ward;
        for (unsigned holder = 0; holder < state->seats; holder++) {
            old += state->older[holder][ward];
            young += later(state, holder, ward);
        }
        unsigned least = wanted > young ? wanted - young : 0;
        if (least > old || least > old_left)
            return false;
        old_left -= least;
        split->older[ward] = (uint8_t)least;
        split->later[ward] = (uint8_t)(wanted - least);
        spare[ward] = (uint8_t)(old - least);
    }
    unsigned late = total(split->later);
    for (unsigned ward = 0; ward < WARDS && late > late_left;) {
        if (spare[ward] == 0 || split->later[ward] == 0 || old_left == 0) {
            ward++;
            continue;
        }
        spare[ward]--;
        split->later[ward]--;
        split->older[ward]++;
        old_left--;
        late--;
    }
    return late <= late_left;
}

static void swap_later(struct shinjuku_state *state, unsigned seat, uint8_t ward, uint8_t other)
{
    uint8_t *pile = state->deck + state->deck_next;
    size_t count = (size_t)(state->deck_end - state->deck_next);
    uint8_t *found = count == 0 ? NULL : memchr(pile, ward, count);
    unsigned holder = 0;
    if (found != NULL) {
        *found = other;
    } else {
        while (holder == seat || later(state, holder, ward) == 0)
            holder++;
        state->hand[holder][ward]--;
        state->hand[holder][other]++;
    }
    state->hand[seat][other]--;
    state->hand[seat][ward]++;
}

static void swap_older(struct shinjuku_state *state, unsigned seat, uint8_t ward, uint8_t other)
{
    unsigned holder = 0;
    while (holder == seat || state->older[holder][ward] == 0)
        holder++;
    state->hand[holder][ward]--;
    state->older[holder][ward]--;
    state->hand[holder][other]++;
    state->older[holder][other]++;
    state->hand[seat][other]--;
    state->older[seat][other]--;
    state->hand[seat][ward]++;
    state->older[seat][ward]++;
}

/* Lets the seat hold these cards. False, with nothing changed, if it cannot. */
static bool bring(struct shinjuku_state *state, unsigned seat, const uint8_t need[static WARDS])
{
    struct split split;
    if (!divide(state, seat, need, &split))
        return false;
    for (uint8_t ward = 0; ward < WARDS; ward++) {
        uint8_t other = 0;
        while (state->older[seat][ward] < split.older[ward]) {
            while (state->older[seat][other] <= split.older[other])
                other++;
            swap_older(state, seat, ward, other);
        }
    }
    for (uint8_t ward = 0; ward < WARDS; ward++) {
        uint8_t other = 0;
        while (later(state, seat, ward) < split.later[ward]) {
            while (later(state, seat, other) <= split.later[other])
                other++;
            swap_later(state, seat, ward, other);
        }
    }
    return true;
}

static bool bring_card(struct shinjuku_state *state, unsigned seat, uint8_t ward)
{
    uint8_t need[WARDS] = {0};
    need[ward] = 1;
    return bring(state, seat, need);
}

static void bring_all(struct shinjuku_state *state, unsigned seat, const struct shinjuku_move *move)
{
    uint8_t need[WARDS] = {0};
    for (unsigned i = 0; i < move->count; i++)
        need[move->word[i]]++;
    (void)bring(state, seat, need);
}

/* The wards in which an action takes place that a card pays for; 0 for any other move. */
static uint32_t wards_of(const struct shinjuku_components *set, const struct shinjuku_move *move)
{
    uint32_t wards = 0;
    unsigned stations = 0;
    if (move->verb == VERB_OPEN || move->verb == VERB_RELOCATE || move->verb == VERB_MOVE ||
        move->verb == VERB_UPGRADE)
        stations = 1;
    else if (move->verb == VERB_EXPAND && move->count > 2)
        stations = (unsigned)move->count;
    for (unsigned i = 0; i < stations; i++)
        wards |= UINT32_C(1) << set->stations[move->word[i]].ward;
    return wards;
}

/* A seat that names an action says that it can pay for it. */
static void bring_payment(const struct shinjuku_components *set, struct shinjuku_state *state,
                          unsigned seat, uint32_t wards)
{
    if (wards == 0 || (shinjuku_payable(set, state, seat) & wards) != 0)
        return;
    wards |= shinjuku_wild_wards(set, state, seat);
    for (uint8_t ward = 0; ward < WARDS; ward++)
        if ((wards >> ward & 1) != 0 && bring_card(state, seat, ward))
            return;
}

/* The only card of the hand pays by itself (turn.c): the seat turns it up, if nobody knows it. */
static void turn_only_card_up(const struct shinjuku_components *set, struct shinjuku_state *state,
                              unsigned seat, const struct chance *chance)
{
    char place[TOLD_WORD_MAX + 1];
    struct span told;
    uint8_t only = 0;
    while (state->hand[seat][only] == 0)
        only++;
    if (state->known[seat][only] > 0)
        return;
    told_seat_place(place, "hand", seat);
    told_hear(chance, place, set->wards[only].name);
    if (!told_take(chance, place, &told))
        return;
    uint8_t ward = shinjuku_ward_named(set, told);
    if (ward == NONE || !bring_card(state, seat, ward))
        told_refuse(chance);
}

void shinjuku_fit(const struct game *game, void *opaque, unsigned seat, struct span text,
                  const struct chance *chance)
{
    struct shinjuku_state *state = opaque;
    const struct shinjuku_components *set = game->set;
    struct shinjuku_move move;
    struct refusal refusal;
    if (seat != state->active || !shinjuku_read_move(set, text, &move, &refusal))
        return;
    if (!told_listens(chance))
        merge_groups(state);
    uint32_t wards = state->point == AT_ACTION ? wards_of(set, &move) : 0;
    if (state->point == AT_PAY && move.verb == VERB_PAY)
        bring_all(state, seat, &move);
    else if (wards != 0 && shinjuku_hand_size(state, seat) == 1)
        turn_only_card_up(set, state, seat, chance);
    else
        bring_payment(set, state, seat, wards);
}
