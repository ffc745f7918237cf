/* Checks and applies a ply. A move is read, then its conditions are tested in the order of the
 * rules, and the first broken one is the answer; only then is anything changed. A check looks names
 * up as it needs them and stores their meaning in `struct intent`. */
#include "engine/games/mall-world/moves.h"
#include "engine/games/mall-world/piles.h"
#include "engine/games/mall-world/recall.h"
#include "engine/games/mall-world/rules.h"
#include "engine/games/mall-world/turn.h"

#include <string.h>

static const struct refusal game_over = {REFUSAL_GAME_OVER, "The game is over."};
static const struct refusal not_your_decision = {"not-your-decision",
                                                 "You have nothing to decide now."};
static const struct refusal already_bid = {"already-bid", "You have already bid."};
static const struct refusal unknown_order = {"unknown-order", "There is no such order."};
static const struct refusal order_not_in_lobby = {"order-not-in-lobby",
                                                  "This order is not in the lobby."};
static const struct refusal hand_full = {"hand-full", "Your hand would exceed eight cards."};
static const struct refusal offer_already_made = {
    "offer-already-made", "You have already dealt with approval cards this turn."};
static const struct refusal offer_too_large = {"too-many-cards",
                                               "At most three cards may be offered."};
static const struct refusal unknown_card = {"unknown-card", "There is no such approval card."};
static const struct refusal not_sorted = {"not-sorted", "List the cards in card order."};
static const struct refusal cards_not_in_hand = {"card-not-in-hand",
                                                 "You do not hold these cards."};
static const struct refusal card_not_realizable = {"card-not-realizable",
                                                   "One of these cards cannot be realized now."};
static const struct refusal no_coin = {"no-coin", "A single card costs one coin."};
static const struct refusal confirm_already_made = {
    "confirm-already-made", "You have already confirmed an order this turn."};
static const struct refusal order_not_in_hand = {"order-not-in-hand",
                                                 "You do not hold this order."};
static const struct refusal bribe_not_in_bureau = {"bribe-not-in-bureau",
                                                   "No such chip is in the bureau."};
static const struct refusal progress_required = {
    "progress-required", "You must deal with approval cards or confirm an order."};
static const struct refusal bid_over_coins = {"bid-over-coins", "You do not have that many coins."};
static const struct refusal card_not_offered = {"card-not-offered", "This card is not on offer."};
static const struct refusal unknown_use = {"unknown-use", "There is no such use."};
static const struct refusal use_not_on_card = {"use-not-on-card",
                                               "The card does not show this use."};
static const struct refusal unknown_room = {"unknown-room", "There is no such room."};
static const struct refusal room_blocked = {"room-blocked", "This room is covered."};
static const struct refusal room_occupied = {"room-occupied",
                                             "There is already a shop in this room."};
static const struct refusal no_shop_tile = {"no-shop-tile", "No such tile is left."};
static const struct refusal no_matching_neighbour = {"no-matching-neighbour",
                                                     "No neighboring shop has the other use."};
static const struct refusal unknown_group = {"unknown-group", "There is no such target group."};
static const struct refusal rents_closed = {"rents-closed", "Shops cannot be let yet."};
static const struct refusal no_shop = {"no-shop", "There is no shop in this room."};
static const struct refusal already_rented = {"already-rented", "This shop is already let."};
static const struct refusal rent_not_on_card = {"rent-not-on-card",
                                                "The card does not show this chain store."};
static const struct refusal no_chip = {"no-chip", "No such chip is left."};
static const struct refusal card_not_in_hand = {"card-not-in-hand", "You do not hold this card."};
static const struct refusal card_still_usable = {"card-still-usable",
                                                 "This card can still be used."};
static const struct refusal not_enough_coins = {"not-enough-coins",
                                                "A new display costs two coins."};
static const struct refusal no_cards = {"no-cards", "There are no approval cards left."};
static const struct refusal too_many_taken = {"too-many-cards", "At most two cards may be taken."};
static const struct refusal card_not_displayed = {"card-not-displayed",
                                                  "These cards are not on display."};

/* A move whose names have been looked up. */
struct intent {
    uint8_t order;
    uint8_t site;
    uint8_t bribe;
    uint8_t coins;
    uint8_t card;         /* the only one, or */
    uint8_t cards[CARDS]; /* how many of each type */
    struct realization realization;
};

/* The result of a check: the refusal, or NULL if the move is legal. */
typedef const struct refusal *check_result;

static check_result check_accept(const struct mall_world_components *set,
                                 const struct mall_world_state *state,
                                 const struct mall_world_move *move, struct intent *intent)
{
    intent->order = mall_world_order_named(set, move->id[0]);
    if (intent->order == NONE)
        return &unknown_order;
    intent->site = mall_world_site_of(state, intent->order);
    if (intent->site == NONE)
        return &order_not_in_lobby;
    return mall_world_hand_size(state, state->active) < HAND_MAX ? NULL : &hand_full;
}

static check_result check_pass(const struct mall_world_components *set,
                               const struct mall_world_state *state,
                               const struct mall_world_move *move, struct intent *intent)
{
    (void)move;
    (void)intent;
    bool may = state->point == AT_ACCEPT || mall_world_may_pass(set, state);
    return may ? NULL : &progress_required;
}

/* The cards that the move names, in card order. */
static check_result read_cards(const struct mall_world_components *set,
                               const struct mall_world_move *move, struct intent *intent)
{
    uint8_t card[MOVE_IDS_MAX];
    for (size_t i = 0; i < move->ids; i++) {
        card[i] = mall_world_card_named(set, move->id[i]);
        if (card[i] == NONE)
            return &unknown_card;
        intent->cards[card[i]]++;
    }
    for (size_t i = 1; i < move->ids; i++)
        if (card[i - 1] > card[i])
            return &not_sorted;
    return NULL;
}

static bool has_cards(const uint8_t cards[static CARDS], const uint8_t wanted[static CARDS])
{
    for (unsigned card = 0; card < CARDS; card++)
        if (cards[card] < wanted[card])
            return false;
    return true;
}

static check_result check_offer(const struct mall_world_components *set,
                                const struct mall_world_state *state,
                                const struct mall_world_move *move, struct intent *intent)
{
    if (state->offer_made)
        return &offer_already_made;
    if (move->ids > OFFER_MAX)
        return &offer_too_large;
    check_result reason = read_cards(set, move, intent);
    if (reason != NULL)
        return reason;
    if (!has_cards(state->hand[state->active], intent->cards))
        return &cards_not_in_hand;
    for (unsigned card = 0; card < CARDS; card++)
        if (intent->cards[card] > 0 && !mall_world_is_realizable(set, state, card))
            return &card_not_realizable;
    bool pays = move->ids == 1 && state->coins[state->active] < SINGLE_CARD_FEE;
    return pays ? &no_coin : NULL;
}

static check_result check_confirm(const struct mall_world_components *set,
                                  const struct mall_world_state *state,
                                  const struct mall_world_move *move, struct intent *intent)
{
    if (state->confirm_made)
        return &confirm_already_made;
    intent->order = mall_world_order_named(set, move->id[0]);
    if (intent->order == NONE)
        return &unknown_order;
    if ((state->held[state->active] >> intent->order & 1) == 0)
        return &order_not_in_hand;
    intent->bribe = mall_world_bribe_of(set, move->number);
    if (intent->bribe == NONE || state->bribes[intent->bribe] == 0)
        return &bribe_not_in_bureau;
    return NULL;
}

/* The bidder's coins are those of the seat in the ply; see mall_world_play(). */
static check_result check_bid(const struct mall_world_state *state, unsigned seat,
                              const struct mall_world_move *move, struct intent *intent)
{
    if (move->number < 0 || move->number > state->coins[seat])
        return &bid_over_coins;
    intent->coins = (uint8_t)move->number;
    return NULL;
}

static check_result check_offered(const struct mall_world_components *set,
                                  const struct mall_world_state *state,
                                  const struct mall_world_move *move, struct intent *intent)
{
    intent->realization.card = mall_world_card_named(set, move->id[0]);
    if (intent->realization.card == NONE)
        return &unknown_card;
    return state->offer[intent->realization.card] > 0 ? NULL : &card_not_offered;
}

/* Which of the card's uses it is: 0 or 1, NONE if neither. */
static uint8_t which_use(const struct mall_world_card *card, uint8_t use)
{
    if (card->use[0] == use)
        return 0;
    return card->use[1] == use ? 1 : NONE;
}

static check_result check_build(const struct mall_world_components *set,
                                const struct mall_world_state *state,
                                const struct mall_world_move *move, struct intent *intent)
{
    struct realization *realization = &intent->realization;
    check_result reason = check_offered(set, state, move, intent);
    if (reason != NULL)
        return reason;
    const struct mall_world_card *card = &set->cards[realization->card];
    realization->what = mall_world_use_named(move->id[1]);
    if (realization->what == NONE)
        return &unknown_use;
    uint8_t which = which_use(card, realization->what);
    if (which == NONE)
        return &use_not_on_card;
    realization->square = mall_world_room_named(set, move->id[2]);
    if (realization->square == NONE)
        return &unknown_room;
    rooms room = mall_world_room(realization->square);
    if ((state->covered & room) != 0)
        return &room_blocked;
    if ((mall_world_empty(set, state) & room) == 0)
        return &room_occupied;
    if (mall_world_tiles_left(state, realization->what) == 0)
        return &no_shop_tile;
    rooms beside = mall_world_neighbours(set, state->tile[card->use[1 - which]]);
    return (beside & room) != 0 ? NULL : &no_matching_neighbour;
}

static bool shows_chain(const struct mall_world_components *set, const struct mall_world_card *card,
                        rooms room, const struct mall_world_state *state, uint8_t group)
{
    for (unsigned i = 0; i < card->chain_count; i++) {
        const struct mall_world_chain *chain = &set->chains[card->chain[i]];
        if (chain->group == group && (state->tile[chain->use] & room) != 0)
            return true;
    }
    return false;
}

static rooms shops(const struct mall_world_state *state)
{
    return state->tile[CLOTHING] | state->tile[FOOD] | state->tile[HOBBY] | state->tile[SPORTS];
}

static rooms vacant_shops(const struct mall_world_state *state)
{
    rooms vacant = 0;
    for (unsigned use = 0; use < USES; use++)
        vacant |= mall_world_vacant(state, use);
    return vacant;
}

static check_result check_rent(const struct mall_world_components *set,
                               const struct mall_world_state *state,
                               const struct mall_world_move *move, struct intent *intent)
{
    struct realization *realization = &intent->realization;
    check_result reason = check_offered(set, state, move, intent);
    if (reason != NULL)
        return reason;
    realization->lets = true;
    realization->what = mall_world_group_named(move->id[1]);
    if (realization->what == NONE)
        return &unknown_group;
    realization->square = mall_world_room_named(set, move->id[2]);
    if (realization->square == NONE)
        return &unknown_room;
    if (!state->rents_open)
        return &rents_closed;
    rooms room = mall_world_room(realization->square);
    if ((shops(state) & room) == 0)
        return &no_shop;
    if ((vacant_shops(state) & room) == 0)
        return &already_rented;
    if (!shows_chain(set, &set->cards[realization->card], room, state, realization->what))
        return &rent_not_on_card;
    return mall_world_chips_left(state, realization->what) > 0 ? NULL : &no_chip;
}

static check_result check_remove(const struct mall_world_components *set,
                                 const struct mall_world_state *state,
                                 const struct mall_world_move *move, struct intent *intent)
{
    intent->card = mall_world_card_named(set, move->id[0]);
    if (intent->card == NONE)
        return &unknown_card;
    if (state->hand[state->active][intent->card] == 0)
        return &card_not_in_hand;
    return mall_world_is_usable(set, state, intent->card) ? &card_still_usable : NULL;
}

static check_result check_refresh(const struct mall_world_state *state,
                                  const struct mall_world_move *move, struct intent *intent)
{
    (void)move;
    (void)intent;
    if (state->coins[state->active] < REFRESH_COST)
        return &not_enough_coins;
    return mall_world_has_cards(state) ? NULL : &no_cards;
}

static check_result check_take(const struct mall_world_components *set,
                               const struct mall_world_state *state,
                               const struct mall_world_move *move, struct intent *intent)
{
    if (move->ids > TAKE_MAX)
        return &too_many_taken;
    check_result reason = read_cards(set, move, intent);
    if (reason != NULL)
        return reason;
    if (!has_cards(state->display, intent->cards))
        return &card_not_displayed;
    bool fits = mall_world_hand_size(state, state->active) + move->ids <= HAND_MAX;
    return fits ? NULL : &hand_full;
}

static check_result check(const struct mall_world_components *set,
                          const struct mall_world_state *state, unsigned seat,
                          const struct mall_world_move *move, struct intent *intent)
{
    switch (move->verb) {
    case VERB_ACCEPT:
        return check_accept(set, state, move, intent);
    case VERB_PASS:
        return check_pass(set, state, move, intent);
    case VERB_OFFER:
        return check_offer(set, state, move, intent);
    case VERB_CONFIRM:
        return check_confirm(set, state, move, intent);
    case VERB_BID:
        return check_bid(state, seat, move, intent);
    case VERB_BUILD:
        return check_build(set, state, move, intent);
    case VERB_RENT:
        return check_rent(set, state, move, intent);
    case VERB_REMOVE:
        return check_remove(set, state, move, intent);
    case VERB_REFRESH:
        return check_refresh(state, move, intent);
    case VERB_TAKE:
        return check_take(set, state, move, intent);
    case VERB_DONE:
        break;
    }
    return NULL;
}

/* ---- Applying ---- */

static void apply_pass(const struct mall_world_components *set, struct mall_world_state *state)
{
    if (state->point == AT_ACCEPT) {
        mall_world_decline(state, false);
        state->point = AT_PROGRESS;
        return;
    }
    mall_world_recall_passed(set, state);
    mall_world_note(state, NOTE_IDLE, (struct note){.a = state->active});
    state->point = AT_FILL;
}

static void apply_confirm(const struct mall_world_components *set, struct mall_world_state *state,
                          const struct intent *intent)
{
    uint32_t order = UINT32_C(1) << intent->order;
    state->held[state->active] &= ~order;
    state->confirmed[state->active] |= order;
    state->bribes[intent->bribe]--;
    state->account[state->active] += set->bribe_value[intent->bribe];
    state->confirm_made = 1;
    state->progress = 1;
    mall_world_note(state, NOTE_CONFIRMED,
                    (struct note){.a = intent->order, .b = state->active, .c = intent->bribe});
    state->point = AT_ACTION_DONE;
}

static void apply_bid(struct mall_world_state *state, unsigned seat, const struct intent *intent)
{
    state->bid[seat] = intent->coins;
    state->bids_in |= (uint8_t)(1u << seat);
}

static void apply_remove(struct mall_world_state *state, const struct intent *intent)
{
    mall_world_recall_left(state, intent->card, 1);
    state->hand[state->active][intent->card]--;
    state->gone[intent->card]++;
    mall_world_note(state, NOTE_REMOVED, (struct note){.a = intent->card, .b = state->active});
}

static void apply_refresh(struct mall_world_state *state)
{
    state->coins[state->active] = (uint8_t)(state->coins[state->active] - REFRESH_COST);
    state->slush = (uint8_t)(state->slush + REFRESH_COST);
    mall_world_note(state, NOTE_REFRESHED, (struct note){.a = state->active});
    mall_world_note_cards(state, state->display);
    for (unsigned card = 0; card < CARDS; card++) {
        state->discard[card] = (uint8_t)(state->discard[card] + state->display[card]);
        state->display[card] = 0;
    }
    state->point = AT_FILL;
}

static void apply_take(const struct mall_world_components *set, struct mall_world_state *state,
                       const struct intent *intent, const struct chance *chance)
{
    uint8_t *hand = state->hand[state->active];
    uint8_t *known = state->known[state->active];
    for (unsigned card = 0; card < CARDS; card++) {
        hand[card] = (uint8_t)(hand[card] + intent->cards[card]);
        known[card] = (uint8_t)(known[card] + intent->cards[card]);
        state->display[card] = (uint8_t)(state->display[card] - intent->cards[card]);
    }
    mall_world_note(state, NOTE_TAKEN, (struct note){.a = state->active});
    mall_world_note_cards(state, intent->cards);
    mall_world_fill_display(set, state, chance);
    state->point = AT_END;
}

static void apply_done(struct mall_world_state *state)
{
    mall_world_note(state, NOTE_DONE, (struct note){.a = state->active});
    state->point = AT_END;
}

static void apply(const struct mall_world_components *set, struct mall_world_state *state,
                  unsigned seat, enum verb verb, const struct intent *intent,
                  const struct chance *chance)
{
    switch (verb) {
    case VERB_ACCEPT:
        mall_world_accept(set, state, intent->site, chance);
        state->point = AT_PROGRESS;
        break;
    case VERB_PASS:
        apply_pass(set, state);
        break;
    case VERB_OFFER:
        mall_world_offer(state, intent->cards);
        break;
    case VERB_CONFIRM:
        apply_confirm(set, state, intent);
        break;
    case VERB_BID:
        apply_bid(state, seat, intent);
        break;
    case VERB_BUILD:
    case VERB_RENT:
        mall_world_realize(state, intent->realization);
        break;
    case VERB_REMOVE:
        apply_remove(state, intent);
        break;
    case VERB_REFRESH:
        apply_refresh(state);
        break;
    case VERB_TAKE:
        apply_take(set, state, intent, chance);
        break;
    case VERB_DONE:
        apply_done(state);
        break;
    }
}

void mall_world_make_move(const struct mall_world_components *set, struct mall_world_state *state,
                          unsigned seat, const struct mall_world_option *option,
                          const struct chance *chance)
{
    const uint8_t *id = option->id;
    struct intent intent = {.card = id[0],
                            .coins = id[0],
                            .realization = {id[0], option->verb == VERB_RENT, id[1], id[2]}};
    if (option->verb == VERB_ACCEPT)
        intent.site = mall_world_site_of(state, id[0]);
    if (option->verb == VERB_CONFIRM) {
        intent.order = id[0];
        intent.bribe = id[1];
    }
    for (unsigned i = 0;
         (option->verb == VERB_OFFER || option->verb == VERB_TAKE) && i < option->ids; i++)
        intent.cards[id[i]]++;
    mall_world_forget_notes(state);
    apply(set, state, seat, (enum verb)option->verb, &intent, chance);
    mall_world_advance(set, state, chance);
}

uint32_t mall_world_deciders(const void *opaque)
{
    const struct mall_world_state *state = opaque;
    if (state->point == AT_OVER)
        return 0;
    if (state->point == AT_BID)
        return mall_world_bidders(state) & ~(uint32_t)state->bids_in;
    return UINT32_C(1) << mall_world_decider(state);
}

/* NULL if the seat has a decision to make. */
static check_result check_seat(const struct mall_world_state *state, unsigned seat)
{
    if (state->point == AT_OVER)
        return &game_over;
    if (seat >= state->seats)
        return &not_your_decision;
    if ((mall_world_deciders(state) >> seat & 1) != 0)
        return NULL;
    return state->point == AT_BID && (state->bids_in >> seat & 1) != 0 ? &already_bid
                                                                       : &not_your_decision;
}

static bool refuse_with(struct refusal *refusal, check_result reason)
{
    *refusal = *reason;
    return false;
}

bool mall_world_play(const struct game *game, void *opaque, unsigned seat, struct span text,
                     const struct chance *chance, struct refusal *refusal)
{
    struct mall_world_state *state = opaque;
    const struct mall_world_components *set = game->set;
    struct mall_world_move move;
    struct intent intent = {0};
    check_result reason = check_seat(state, seat);
    if (reason != NULL)
        return refuse_with(refusal, reason);
    if (!mall_world_read_move(text, state->point, &move, refusal))
        return false;
    reason = check(set, state, seat, &move, &intent);
    if (reason != NULL)
        return refuse_with(refusal, reason);
    mall_world_forget_notes(state);
    apply(set, state, seat, move.verb, &intent, chance);
    mall_world_advance(set, state, chance);
    return true;
}
