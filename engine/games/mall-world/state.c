/* Queries of a position: what fits where, what counts, which seats decide. */
#include "engine/games/mall-world/state.h"

rooms mall_world_empty(const struct mall_world_components *set,
                       const struct mall_world_state *state)
{
    rooms taken = state->covered;
    for (unsigned use = 0; use < USES; use++)
        taken |= state->tile[use];
    return set->plan & ~taken;
}

unsigned mall_world_card_uses(const struct mall_world_components *set, unsigned card)
{
    return set->cards[card].use[0] == set->cards[card].use[1] ? 1 : 2;
}

rooms mall_world_building_sites(const struct mall_world_components *set,
                                const struct mall_world_state *state, unsigned card, unsigned which)
{
    const uint8_t *use = set->cards[card].use;
    if (mall_world_tiles_left(state, use[which]) == 0)
        return 0;
    return mall_world_neighbours(set, state->tile[use[1 - which]]) & mall_world_empty(set, state);
}

rooms mall_world_letting_sites(const struct mall_world_components *set,
                               const struct mall_world_state *state, unsigned chain)
{
    const struct mall_world_chain *store = &set->chains[chain];
    if (!state->rents_open || mall_world_chips_left(state, store->group) == 0)
        return 0;
    return mall_world_vacant(state, store->use);
}

bool mall_world_is_realizable(const struct mall_world_components *set,
                              const struct mall_world_state *state, unsigned card)
{
    for (unsigned which = 0; which < mall_world_card_uses(set, card); which++)
        if (mall_world_building_sites(set, state, card, which) != 0)
            return true;
    for (unsigned i = 0; i < set->cards[card].chain_count; i++)
        if (mall_world_letting_sites(set, state, set->cards[card].chain[i]) != 0)
            return true;
    return false;
}

/* Specification of unusable cards, a: a tile of `place` may still come to stand beside one of
 * `beside`, which is already placed or also comes from the supply. */
static bool may_build(const struct mall_world_components *set, const struct mall_world_state *state,
                      unsigned place, unsigned beside)
{
    rooms empty = mall_world_empty(set, state);
    if (mall_world_tiles_left(state, place) == 0)
        return false;
    if ((mall_world_neighbours(set, state->tile[beside]) & empty) != 0)
        return true;
    unsigned needed = place == beside ? 2 : 1;
    return mall_world_tiles_left(state, beside) >= needed &&
           (mall_world_neighbours(set, empty) & empty) != 0;
}

/* The same, b: a shop of the chain store may still arise. */
static bool may_let(const struct mall_world_components *set, const struct mall_world_state *state,
                    unsigned chain)
{
    const struct mall_world_chain *store = &set->chains[chain];
    if (mall_world_chips_left(state, store->group) == 0)
        return false;
    return mall_world_vacant(state, store->use) != 0 ||
           (mall_world_tiles_left(state, store->use) > 0 && mall_world_empty(set, state) != 0);
}

bool mall_world_is_usable(const struct mall_world_components *set,
                          const struct mall_world_state *state, unsigned card)
{
    const struct mall_world_card *type = &set->cards[card];
    if (may_build(set, state, type->use[0], type->use[1]) ||
        may_build(set, state, type->use[1], type->use[0]))
        return true;
    for (unsigned i = 0; i < type->chain_count; i++)
        if (may_let(set, state, type->chain[i]))
            return true;
    return false;
}

/* Pairs of neighbouring rooms, one in each set. The sets are the same or have no room in common. */
static unsigned pairs(rooms a, rooms b)
{
    unsigned count = mall_world_room_count(a << 1 & b) + mall_world_room_count(a << STRIDE & b);
    if (a != b)
        count += mall_world_room_count(a >> 1 & b) + mall_world_room_count(a >> STRIDE & b);
    return count;
}

unsigned mall_world_count(const struct mall_world_components *set,
                          const struct mall_world_state *state, unsigned order)
{
    const struct mall_world_order *card = &set->orders[order];
    if (card->kind == USE_ORDER)
        return pairs(mall_world_vacant(state, card->first), mall_world_vacant(state, card->second));
    rooms first = mall_world_chain_rooms(set, state, card->first);
    rooms second = mall_world_chain_rooms(set, state, card->second);
    if (card->kind == RENT_ORDER)
        return mall_world_room_count(first) + mall_world_room_count(second);
    return pairs(first, second);
}

int32_t mall_world_income(const struct mall_world_components *set,
                          const struct mall_world_state *state, unsigned order)
{
    return (int32_t)mall_world_count(set, state, order) * set->order_value[set->orders[order].kind];
}

unsigned mall_world_card_total(const uint8_t cards[static CARDS])
{
    unsigned total = 0;
    for (unsigned card = 0; card < CARDS; card++)
        total += cards[card];
    return total;
}

unsigned mall_world_hand_cards(const struct mall_world_state *state, unsigned seat)
{
    return mall_world_card_total(state->hand[seat]);
}

unsigned mall_world_hand_orders(const struct mall_world_state *state, unsigned seat)
{
    return (unsigned)__builtin_popcount(state->held[seat]);
}

unsigned mall_world_hand_size(const struct mall_world_state *state, unsigned seat)
{
    return mall_world_hand_cards(state, seat) + mall_world_hand_orders(state, seat);
}

uint8_t mall_world_site_of(const struct mall_world_state *state, unsigned order)
{
    for (uint8_t site = 0; site < state->lobby_orders; site++)
        if (state->lobby[site] == order)
            return site;
    return NONE;
}

uint32_t mall_world_bidders(const struct mall_world_state *state)
{
    uint32_t all = (UINT32_C(1) << state->seats) - 1;
    return state->seats == SEATS_MIN ? all : all & ~(UINT32_C(1) << state->active);
}

uint8_t mall_world_decider(const struct mall_world_state *state)
{
    return state->point == AT_REALIZE ? state->holder[state->right] : state->active;
}

bool mall_world_can_offer(const struct mall_world_components *set,
                          const struct mall_world_state *state)
{
    if (state->offer_made)
        return false;
    unsigned cards = 0;
    for (unsigned card = 0; card < CARDS; card++)
        if (state->hand[state->active][card] > 0 && mall_world_is_realizable(set, state, card))
            cards += state->hand[state->active][card];
    return cards > 1 || (cards == 1 && state->coins[state->active] >= SINGLE_CARD_FEE);
}

/* True if some order could be confirmed now. */
static bool mall_world_can_confirm(const struct mall_world_state *state)
{
    unsigned chips = 0;
    for (unsigned bribe = 0; bribe < BRIBES; bribe++)
        chips += state->bribes[bribe];
    return !state->confirm_made && state->held[state->active] != 0 && chips > 0;
}

bool mall_world_may_pass(const struct mall_world_components *set,
                         const struct mall_world_state *state)
{
    return state->offer_made || state->confirm_made ||
           (!mall_world_can_confirm(state) && !mall_world_can_offer(set, state));
}

bool mall_world_has_cards(const struct mall_world_state *state)
{
    return state->stack_next < state->stack_end || mall_world_card_total(state->display) > 0 ||
           mall_world_card_total(state->discard) > 0;
}

void mall_world_note(struct mall_world_state *state, enum note_kind kind, struct note what)
{
    if (state->notes == NOTES_MAX)
        return;
    what.kind = (uint8_t)kind;
    state->note[state->notes++] = what;
}

void mall_world_note_cards(struct mall_world_state *state, const uint8_t cards[static CARDS])
{
    for (uint8_t card = 0; card < CARDS; card++)
        for (unsigned i = 0; i < cards[card]; i++)
            mall_world_note(state, NOTE_CARD, (struct note){.a = card});
}

/* ---- The result ---- */

/* The account, and 1,000 CHF for each coin. Confirmed orders that are not yet paid count as if they
 * were paid now; once the game is over there are none. */
void mall_world_outcome(const struct game *game, const void *opaque, struct outcome *outcome)
{
    const struct mall_world_state *state = opaque;
    const struct mall_world_components *set = game->set;
    outcome->seats = state->seats;
    outcome->tie_breaks = 0;
    for (unsigned seat = 0; seat < state->seats; seat++) {
        outcome->score[seat] = state->account[seat] + COIN_VALUE * state->coins[seat];
        for (unsigned order = 0; order < ORDERS; order++)
            if ((state->confirmed[seat] >> order & 1) != 0)
                outcome->score[seat] += mall_world_income(set, state, order);
    }
    outcome_rank(outcome);
}
