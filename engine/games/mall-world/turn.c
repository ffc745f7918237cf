/* The turn as a state machine: each automatic step moves the state to the next point, until a
 * decision or the end of the game. A decision is skipped only if all viewers can see that it is
 * forced. */
#include "engine/games/mall-world/turn.h"

#include <string.h>

#include "engine/games/mall-world/piles.h"
#include "engine/games/mall-world/recall.h"

/* Dealing with approval cards: offer, sealed bids, rights to realise, realisations.
 *
 *      cards offered    first right             second right          third right
 *      3                best bid, to the seat   second bid, to the    active seat, free
 *                       that offers             slush fund
 *      2                best bid, to the fund   active seat, free
 *      1                active seat, who paid 1 coin to the fund on offering
 *
 * A right without a bid goes to the active seat for free. A bid stays hidden in the state until the
 * last bid is in; the order of arrival leaves no trace.
 */

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
        mall_world_recall_left(state, card, cards[card]);
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

/* The n-th seat in breaking ties. The active seat comes first if it bids (with three seats), and
 * last if it does not and has no bid to be ranked. */
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

static bool any_realizable(const struct mall_world_components *set,
                           const struct mall_world_state *state)
{
    for (unsigned card = 0; card < CARDS; card++)
        if (state->offer[card] > 0 && mall_world_is_realizable(set, state, card))
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

/* Starts the next right: its holder pays and has to realise a card, or the offer is over. */
static void mall_world_next_right(const struct mall_world_components *set,
                                  struct mall_world_state *state)
{
    if (state->right == state->rights || !any_realizable(set, state)) {
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

/* True if exactly one realisation is legal; it is written to `only`. */
static bool mall_world_only_realization(const struct mall_world_components *set,
                                        const struct mall_world_state *state,
                                        struct realization *only)
{
    unsigned found = 0;
    for (uint8_t card = 0; card < CARDS; card++) {
        if (state->offer[card] == 0)
            continue;
        const struct mall_world_card *type = &set->cards[card];
        for (unsigned which = 0; which < mall_world_card_uses(set, card); which++) {
            rooms sites = mall_world_building_sites(set, state, card, which);
            found += mall_world_room_count(sites);
            if (sites != 0)
                *only = (struct realization){card, false, type->use[which],
                                             mall_world_next_room(&sites)};
        }
        for (unsigned i = 0; i < type->chain_count; i++) {
            rooms sites = mall_world_letting_sites(set, state, type->chain[i]);
            found += mall_world_room_count(sites);
            if (sites != 0)
                *only = (struct realization){card, true, set->chains[type->chain[i]].group,
                                             mall_world_next_room(&sites)};
        }
    }
    return found == 1;
}

void mall_world_forget_notes(struct mall_world_state *state)
{
    memset(state->note, 0, state->notes * sizeof state->note[0]);
    state->notes = 0;
}

static void start_turn(const struct mall_world_components *set, struct mall_world_state *state,
                       const struct chance *chance)
{
    uint8_t everybody = (uint8_t)((1u << state->seats) - 1);
    mall_world_note(state, NOTE_TURN, (struct note){.a = state->active});
    if (state->markers == everybody && state->lobby_orders > 0)
        mall_world_remove_cheapest(set, state, chance);
    state->point = AT_ACCEPT;
}

/* True if everyone can see that no order can be accepted. */
static bool pass_acceptance(struct mall_world_state *state)
{
    if (state->lobby_orders > 0 && mall_world_hand_size(state, state->active) < HAND_MAX)
        return false;
    mall_world_decline(state, true);
    state->point = AT_PROGRESS;
    return true;
}

/* True if the numbers of cards in hand show that no progress can be made. */
static bool pass_progress(struct mall_world_state *state)
{
    unsigned seat = state->active;
    if ((!state->offer_made && mall_world_hand_cards(state, seat) > 0) ||
        (!state->confirm_made && mall_world_hand_orders(state, seat) > 0))
        return false;
    mall_world_note(state, NOTE_IDLE, (struct note){.a = state->active, .b = 1});
    state->point = AT_FILL;
    return true;
}

/* True if all bids are in. */
static bool close_auction(struct mall_world_state *state)
{
    if (state->bids_in != mall_world_bidders(state))
        return false;
    mall_world_open_bids(state);
    return true;
}

static bool pass_realization(const struct mall_world_components *set,
                             struct mall_world_state *state)
{
    struct realization only;
    if (!mall_world_only_realization(set, state, &only))
        return false;
    mall_world_realize(state, only);
    return true;
}

/* In the third round both actions are allowed. */
static void end_action(struct mall_world_state *state)
{
    bool once_more = state->round == ROUNDS && state->offer_made != state->confirm_made;
    state->point = once_more ? AT_PROGRESS : AT_FILL;
}

/* ---- The end of a turn ---- */

static void share_slush(struct mall_world_state *state)
{
    uint8_t each = state->slush / state->seats;
    if (each == 0)
        return;
    for (unsigned seat = 0; seat < state->seats; seat++)
        state->coins[seat] = (uint8_t)(state->coins[seat] + each);
    state->slush = (uint8_t)(state->slush - each * state->seats);
    mall_world_note(state, NOTE_SHARED, (struct note){.a = each});
}

static void count_standstill(struct mall_world_state *state)
{
    if (state->progress)
        state->standstill = 0;
    else if (state->standstill < UINT8_MAX)
        state->standstill++;
}

static void cash_orders(const struct mall_world_components *set, struct mall_world_state *state)
{
    for (uint8_t seat = 0; seat < state->seats; seat++) {
        for (uint8_t order = 0; order < ORDERS; order++) {
            if ((state->confirmed[seat] >> order & 1) == 0)
                continue;
            state->account[seat] += mall_world_income(set, state, order);
            mall_world_note(state, NOTE_CASHED,
                            (struct note){.a = order,
                                          .b = seat,
                                          .c = (uint8_t)mall_world_count(set, state, order)});
        }
        state->closed |= state->confirmed[seat];
        state->confirmed[seat] = 0;
    }
}

static void end_game(struct mall_world_state *state)
{
    state->point = AT_OVER;
    mall_world_note(state, NOTE_OVER, (struct note){0});
}

static bool bureau_is_empty(const struct mall_world_state *state)
{
    for (unsigned bribe = 0; bribe < BRIBES; bribe++)
        if (state->bribes[bribe] > 0)
            return false;
    return true;
}

static void prepare_round(const struct mall_world_components *set, struct mall_world_state *state,
                          const struct chance *chance)
{
    state->round++;
    mall_world_note(state, NOTE_ROUND, (struct note){.a = state->round});
    mall_world_return_markers(state);
    mall_world_lay_bribes(set, state, chance);
    if (!state->rents_open)
        mall_world_note(state, NOTE_RENTS_OPEN, (struct note){0});
    state->rents_open = 1;
    if (state->round == 2)
        mall_world_purge_lobby(set, state, chance);
}

static void end_round(const struct mall_world_components *set, struct mall_world_state *state,
                      const struct chance *chance)
{
    mall_world_note(state, NOTE_ROUND_ENDED, (struct note){.a = state->round});
    cash_orders(set, state);
    if (state->round == ROUNDS)
        end_game(state);
    else
        prepare_round(set, state, chance);
}

static bool ends_early(const struct mall_world_components *set,
                       const struct mall_world_state *state)
{
    return mall_world_empty(set, state) == 0 || state->lobby_orders == 0 ||
           state->standstill >= 2 * state->seats;
}

static void count_last_turns(const struct mall_world_components *set,
                             struct mall_world_state *state)
{
    if (!state->last_turns_run) {
        if (!ends_early(set, state))
            return;
        state->last_turns_run = 1;
        state->last_turns = state->seats;
        mall_world_note(state, NOTE_LAST_TURNS, (struct note){.a = state->last_turns});
        return;
    }
    state->last_turns--;
    if (state->last_turns > 0)
        return;
    cash_orders(set, state);
    end_game(state);
}

static void end_turn(const struct mall_world_components *set, struct mall_world_state *state,
                     const struct chance *chance)
{
    share_slush(state);
    count_standstill(state);
    if (bureau_is_empty(state))
        end_round(set, state, chance);
    if (state->point == AT_OVER)
        return;
    count_last_turns(set, state);
    if (state->point == AT_OVER)
        return;
    state->offer_made = 0;
    state->confirm_made = 0;
    state->progress = 0;
    state->active = (uint8_t)((state->active + 1) % state->seats);
    state->point = AT_START;
}

/* One automatic step; false if a seat has to decide, or the game is over. */
static bool step(const struct mall_world_components *set, struct mall_world_state *state,
                 const struct chance *chance)
{
    switch ((enum point)state->point) {
    case AT_ACCEPT:
        return pass_acceptance(state);
    case AT_PROGRESS:
        return pass_progress(state);
    case AT_BID:
        return close_auction(state);
    case AT_REALIZE:
        return pass_realization(set, state);
    case AT_SUPPLY:
    case AT_OVER:
        return false;
    case AT_START:
        start_turn(set, state, chance);
        return true;
    case AT_RIGHT:
        mall_world_next_right(set, state);
        return true;
    case AT_ACTION_DONE:
        end_action(state);
        return true;
    case AT_FILL:
        mall_world_fill_display(set, state, chance);
        state->point = AT_SUPPLY;
        return true;
    case AT_END:
        end_turn(set, state, chance);
        return true;
    }
    assert(false);
    return false;
}

void mall_world_advance(const struct mall_world_components *set, struct mall_world_state *state,
                        const struct chance *chance)
{
    while (step(set, state, chance))
        continue;
}
