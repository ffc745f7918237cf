/* Dealing with approval cards: offer, sealed bids, rights to realise, realisations.
 *
 *      cards offered    first right             second right          third right
 *      3                best bid, to the seat   second bid, to the    active seat, free
 *                       that offers             slush fund
 *      2                best bid, to the fund   active seat, free
 *      1                active seat, who paid 1 coin to the fund on offering
 *
 * A right that nobody bids for is the active seat's, free. What a seat has bid stays in the state
 * unseen until the last bid is in; the order in which bids come leaves no trace. */
#include "engine/games/mall-world/turn.h"

#include <string.h>

static void pay(struct mall_world_state *state, uint8_t from, uint8_t coins, uint8_t to)
{
    bool to_itself = from == to;
    if (coins == 0 || to == PAYS_NOBODY)
        return;
    if (!to_itself) {
        state->coins[from] = (uint8_t)(state->coins[from] - coins);
        uint8_t *purse = to == PAYS_SLUSH ? &state->slush : &state->coins[to];
        *purse = (uint8_t)(*purse + coins);
    }
    mall_world_note(state, NOTE_PAID, (struct note){.a = from, .b = coins, .c = to});
}

static void grant(struct mall_world_state *state, uint8_t seat, uint8_t price, uint8_t payee)
{
    state->holder[state->rights] = seat;
    state->price[state->rights] = price;
    state->payee[state->rights] = payee;
    state->rights++;
}

void mall_world_offer(struct mall_world_state *state, const uint8_t cards[static CARDS])
{
    uint8_t *hand = state->hand[state->active];
    for (unsigned card = 0; card < CARDS; card++) {
        hand[card] = (uint8_t)(hand[card] - cards[card]);
        state->offer[card] = cards[card];
    }
    state->offer_made = 1;
    state->offered = (uint8_t)mall_world_card_total(cards);
    mall_world_note(state, NOTE_OFFERED, (struct note){.a = state->active});
    mall_world_note_cards(state, cards);
    state->point = AT_BID;
    if (state->offered > 1)
        return;
    pay(state, state->active, SINGLE_CARD_FEE, PAYS_SLUSH);
    grant(state, state->active, 0, PAYS_NOBODY);
    state->point = AT_RIGHT;
}

/* The n-th seat that wins a tie. The active seat comes first where it bids, that is with three
 * seats, and last where it does not, when it has no bid to be ranked. */
static unsigned tie_order(const struct mall_world_state *state, unsigned n)
{
    unsigned first = state->seats == SEATS_MIN ? state->active : state->active + 1u;
    return (first + n) % state->seats;
}

/* The seat with the highest bid above nothing among `seats`, or NONE. */
static uint8_t best_bidder(const struct mall_world_state *state, uint32_t seats)
{
    uint8_t best = NONE;
    for (unsigned n = 0; n < state->seats; n++) {
        unsigned seat = tie_order(state, n);
        if ((seats >> seat & 1) == 0 || state->bid[seat] == 0)
            continue;
        if (best == NONE || state->bid[seat] > state->bid[best])
            best = (uint8_t)seat;
    }
    return best;
}

static void grant_to_bidder(struct mall_world_state *state, uint8_t seat, uint8_t payee)
{
    if (seat == NONE)
        grant(state, state->active, 0, PAYS_NOBODY);
    else
        grant(state, seat, state->bid[seat], payee);
}

void mall_world_open_bids(struct mall_world_state *state)
{
    uint32_t bidders = mall_world_bidders(state);
    for (uint8_t seat = 0; seat < state->seats; seat++)
        if ((bidders >> seat & 1) != 0)
            mall_world_note(state, NOTE_BID, (struct note){.a = seat, .b = state->bid[seat]});
    uint8_t first = best_bidder(state, bidders);
    if (state->offered == 2) {
        grant_to_bidder(state, first, PAYS_SLUSH);
    } else {
        uint32_t others = first == NONE ? 0 : bidders & ~(UINT32_C(1) << first);
        grant_to_bidder(state, first, state->active);
        grant_to_bidder(state, best_bidder(state, others), PAYS_SLUSH);
    }
    grant(state, state->active, 0, PAYS_NOBODY);
    state->point = AT_RIGHT;
}

static bool any_realizable(const struct mall_world_state *state)
{
    for (unsigned card = 0; card < CARDS; card++)
        if (state->offer[card] > 0 && mall_world_is_realizable(state, card))
            return true;
    return false;
}

static void clear_auction(struct mall_world_state *state)
{
    memset(state->offer, 0, sizeof state->offer);
    state->bids_in = 0;
    memset(state->bid, 0, sizeof state->bid);
    state->offered = 0;
    state->right = 0;
    state->rights = 0;
    memset(state->holder, 0, sizeof state->holder);
    memset(state->price, 0, sizeof state->price);
    memset(state->payee, 0, sizeof state->payee);
}

static void end_offer(struct mall_world_state *state)
{
    if (mall_world_card_total(state->offer) > 0) {
        mall_world_note(state, NOTE_LAPSED, (struct note){0});
        mall_world_note_cards(state, state->offer);
    }
    for (unsigned card = 0; card < CARDS; card++)
        state->discard[card] = (uint8_t)(state->discard[card] + state->offer[card]);
    clear_auction(state);
    state->point = AT_ACTION_DONE;
}

void mall_world_next_right(struct mall_world_state *state)
{
    if (state->right == state->rights || !any_realizable(state)) {
        end_offer(state);
        return;
    }
    pay(state, state->holder[state->right], state->price[state->right], state->payee[state->right]);
    state->point = AT_REALIZE;
}

void mall_world_realize(struct mall_world_state *state, struct realization realization)
{
    rooms room = mall_world_room(realization.square);
    if (realization.lets)
        state->chip[realization.what] |= room;
    else
        state->tile[realization.what] |= room;
    mall_world_note(state, realization.lets ? NOTE_LET : NOTE_BUILT,
                    (struct note){.a = state->holder[state->right],
                                  .b = realization.card,
                                  .c = realization.what,
                                  .d = realization.square});
    state->offer[realization.card]--;
    state->discard[realization.card]++;
    state->progress = 1;
    state->right++;
    state->point = AT_RIGHT;
}

bool mall_world_only_realization(const struct mall_world_state *state, struct realization *only)
{
    unsigned found = 0;
    for (uint8_t card = 0; card < CARDS; card++) {
        if (state->offer[card] == 0)
            continue;
        const struct mall_world_card *type = &mall_world_cards[card];
        for (unsigned which = 0; which < mall_world_card_uses(card); which++) {
            rooms sites = mall_world_building_sites(state, card, which);
            found += mall_world_room_count(sites);
            if (sites != 0)
                *only = (struct realization){card, false, type->use[which],
                                             mall_world_next_room(&sites)};
        }
        for (unsigned i = 0; i < type->chain_count; i++) {
            rooms sites = mall_world_letting_sites(state, type->chain[i]);
            found += mall_world_room_count(sites);
            if (sites != 0)
                *only = (struct realization){card, true, mall_world_chains[type->chain[i]].group,
                                             mall_world_next_room(&sites)};
        }
    }
    return found == 1;
}
