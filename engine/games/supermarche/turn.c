/* The phases of a round. Each step ends by setting the next point (see the drawing in state.h);
 * supermarche_advance() takes steps until there is a decision. If exactly one move is legal, and
 * everyone can see that, it is made here and is not a ply. */
#include "engine/games/supermarche/turn.h"

#include <string.h>

#include "engine/games/supermarche/luck.h"

/* A customer's shopping trip: from the start of the turn to the last item, the first missing one,
 * or a restock.
 */

static unsigned shopper(const struct supermarche_state *state)
{
    return supermarche_customer_at(state, state->shopper);
}

void supermarche_serve(const struct supermarche_components *set, struct supermarche_state *state,
                       unsigned position)
{
    assert(state->row[position] == CARD_UP);
    state->row[position] = CARD_SHOPPING;
    state->shopper = (uint8_t)position;
    state->space = set->customers[shopper(state)].cart;
    state->coupons = set->customers[shopper(state)].coupons;
    supermarche_note(state, NOTE_SERVED, shopper(state), 0, 0);
    bool sale = state->on_sale != NONE && supermarche_shelf(state, state->on_sale) > 0;
    state->point = sale ? AT_INITIAL : AT_BEFORE_ROLL;
}

static unsigned earliest_box(const struct supermarche_state *state, unsigned food)
{
    unsigned box = 0;
    while (state->store[food][box] == 0) {
        box++;
        assert(box < BOXES);
    }
    return box;
}

void supermarche_sell(const struct supermarche_components *set, struct supermarche_state *state,
                      unsigned food)
{
    unsigned box = earliest_box(state, food);
    unsigned price = supermarche_price(set, state, food);
    state->store[food][box]--;
    state->on_cards[food]++;
    state->bought++;
    state->money = (int16_t)(state->money + (int)price);
    state->takings = (uint8_t)(state->takings + price);
    supermarche_note(state, NOTE_SOLD, food, box, price);
}

/* Continues after the shopper's last item, before the next roll. */
static void supermarche_before_roll(struct supermarche_state *state)
{
    bool restock = !state->restocked && state->bought > 0 && supermarche_stock_size(state) > 0;
    state->point = restock ? AT_ROLL : AT_DICE;
}

static bool is_available(const struct supermarche_components *set,
                         const struct supermarche_state *state, bool coupon)
{
    uint8_t food[SALE_ITEMS];
    unsigned count = supermarche_basket(set, state, coupon, food);
    return supermarche_has(state, food, count);
}

/* RULES.md, R21: in 0.9.0, items that do not fit into the cart are bought all the same. */
static bool has_space_for_coupon(const struct supermarche_state *state)
{
    return state->coupon_overflows ? state->space > 0 : state->space >= COUPON_ITEMS;
}

void supermarche_read_dice(const struct supermarche_components *set,
                           struct supermarche_state *state)
{
    supermarche_note(state, NOTE_ROLLED, state->dice[0], state->dice[1], 0);
    bool choice = state->coupons > 0 && has_space_for_coupon(state) &&
                  (is_available(set, state, false) || is_available(set, state, true));
    if (choice)
        state->point = AT_PAY;
    else
        supermarche_resolve(set, state, false);
}

static void end_trip(struct supermarche_state *state)
{
    state->row[state->shopper] = CARD_DONE;
    state->shopper = NONE;
    state->space = 0;
    state->coupons = 0;
    state->bought = 0;
    state->takings = 0;
    state->dice[0] = 0;
    state->dice[1] = 0;
    supermarche_drop_dice(state);
    state->point = AT_TRIP_OVER;
}

static void end_game(struct supermarche_state *state, enum result result)
{
    state->result = (uint8_t)result;
    state->point = AT_OVER;
    supermarche_note(state, NOTE_OVER, result, 0, 0);
}

/* Ends the game if money is below $0. True if it did. */
static bool supermarche_check_bankrupt(struct supermarche_state *state)
{
    if (state->money >= 0)
        return false;
    end_game(state, RESULT_BANKRUPT);
    return true;
}

/* Rulebook, Running out of Food. What is on the card stays there. */
static void fail(const struct supermarche_components *set, struct supermarche_state *state)
{
    unsigned penalty = set->customers[shopper(state)].penalty;
    supermarche_note(state, NOTE_FAILED, shopper(state), penalty, state->takings);
    state->money = (int16_t)(state->money - (int)(penalty + state->takings));
    end_trip(state);
    (void)supermarche_check_bankrupt(state);
}

static void complete(const struct supermarche_components *set, struct supermarche_state *state)
{
    unsigned bonus = set->customers[shopper(state)].bonus;
    supermarche_note(state, NOTE_COMPLETED, shopper(state), bonus, 0);
    state->money = (int16_t)(state->money + (int)bonus);
    end_trip(state);
}

static void use_coupon(struct supermarche_state *state)
{
    state->coupons--;
    state->money = (int16_t)(state->money - COUPON_DISCOUNT);
    state->takings = (uint8_t)(state->takings - COUPON_DISCOUNT);
    supermarche_note(state, NOTE_COUPON, COUPON_DISCOUNT, 0, 0);
}

void supermarche_resolve(const struct supermarche_components *set, struct supermarche_state *state,
                         bool coupon)
{
    uint8_t food[SALE_ITEMS];
    unsigned count = supermarche_basket(set, state, coupon, food);
    if (!supermarche_has(state, food, count)) {
        fail(set, state);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        supermarche_sell(set, state, food[i]);
    if (coupon)
        use_coupon(state);
    state->space = (uint8_t)(state->space > count ? state->space - count : 0);
    if (state->space == 0)
        complete(set, state);
    else
        state->point = AT_BEFORE_ROLL;
}

/* Rulebook, Restocking During a Customer's Shopping Trip: the penalty, but no refund. */
static void restock_during_trip(const struct supermarche_components *set,
                                struct supermarche_state *state)
{
    unsigned penalty = set->customers[shopper(state)].penalty;
    supermarche_note(state, NOTE_LEFT, shopper(state), penalty, 0);
    state->money = (int16_t)(state->money - (int)penalty);
    end_trip(state);
}

/* Rulebook, Restocking After a Customer's Shopping Trip. All unseen cards are alike, so the one in
 * the highest position goes. */
static void discard_unseen(struct supermarche_state *state)
{
    unsigned position = ROW - 1;
    while (state->row[position] != CARD_DOWN) {
        assert(position > 0);
        position--;
    }
    state->row[position] = CARD_DISCARDED;
    state->discarded |= UINT32_C(1) << ((unsigned)ROW * (state->round - 1u) + position);
    supermarche_note(state, NOTE_DISCARDED, position, 0, 0);
}

void supermarche_restock(const struct supermarche_components *set, struct supermarche_state *state)
{
    state->restocked = 1;
    if (state->point == AT_ROLL)
        restock_during_trip(set, state);
    else
        discard_unseen(state);
    if (supermarche_check_bankrupt(state))
        return;
    state->next_pair = 0;
    state->point = AT_RESTOCK;
}

/* After a trip: BETWEEN, or the next card. */
static void supermarche_trip_over(struct supermarche_state *state)
{
    bool restock = !state->restocked && supermarche_stock_size(state) > 0 &&
                   supermarche_store_size(state) < STORE_MAX &&
                   supermarche_cards(state, CARD_DOWN) > 0;
    state->point = restock ? AT_BETWEEN : AT_FLIP;
}

/* Rulebook, Preparation Phase. All face-down cards are alike, so the first two are turned up. */
static void begin_round(const struct supermarche_components *set, struct supermarche_state *state,
                        const struct chance *chance)
{
    supermarche_turn_cost_up(set, state, chance);
    state->on_sale = NONE;
    state->restocked = 0;
    state->next_food = 0;
    supermarche_note(state, NOTE_ROUND, state->round, 0, 0);
    memset(state->row, CARD_DOWN, sizeof state->row);
    for (unsigned position = 0; position < FACE_UP; position++) {
        supermarche_turn_customer_up(set, state, position, chance);
        state->row[position] = CARD_UP;
        supermarche_note(state, NOTE_FLIPPED, position, supermarche_customer_at(state, position),
                         0);
    }
    supermarche_note(state, NOTE_COST_CARD, state->costs[state->round - 1], 0, 0);
    state->point = AT_DELIVERY;
}

void supermarche_end_phase(struct supermarche_state *state)
{
    supermarche_note(state, NOTE_PHASE_END, state->point, 0, 0);
    if (state->point == AT_DELIVERY)
        state->point = AT_STOCKING;
    else if (state->point == AT_STOCKING)
        state->point = AT_SALE;
    else
        state->point = AT_FLIP;
    state->next_food = 0;
    state->next_pair = 0;
}

void supermarche_put_on_sale(struct supermarche_state *state, uint8_t food)
{
    state->on_sale = food;
    if (food != NONE)
        state->sales |= (uint8_t)(1u << food);
    supermarche_note(state, NOTE_SALE, food, 0, 0);
    state->point = AT_CHOOSE;
}

void supermarche_move_cubes(struct supermarche_state *state, unsigned food, unsigned box,
                            unsigned number, enum note_kind kind)
{
    state->stock[food][box] = (uint8_t)(state->stock[food][box] - number);
    state->store[food][box] = (uint8_t)(state->store[food][box] + number);
    state->next_pair = (uint8_t)(PAIR(food, box) + 1);
    supermarche_note(state, kind, food, box, number);
}

/* True if supermarche_buy_max() is not 0 for all foods. */
static bool can_buy(const struct supermarche_components *set, const struct supermarche_state *state)
{
    if (supermarche_stock_size(state) == STOCK_ROOM_MAX)
        return false;
    for (unsigned food = state->next_food; food < FOODS; food++)
        if (state->supply[food] > 0 && (int)supermarche_cost(set, state, food) <= state->money)
            return true;
    return false;
}

/* How many `stock` moves with a number are legal, and one of them; at least 2 stands for more. */
static unsigned count_moves(const struct supermarche_state *state, unsigned *pair)
{
    unsigned count = 0;
    unsigned room = STORE_MAX - supermarche_store_size(state);
    for (unsigned i = state->next_pair; room > 0 && count < 2 && i < PAIRS; i++) {
        unsigned cubes = state->stock[i / BOXES][i % BOXES];
        if (cubes > 0)
            *pair = i;
        count += cubes < room ? cubes : room;
    }
    return count;
}

/* True if the Stocking or the restock continues: there is a choice. */
static bool is_stocking_open(struct supermarche_state *state)
{
    unsigned pair = 0;
    unsigned moves = count_moves(state, &pair);
    bool must_move = state->point == AT_RESTOCK && state->next_pair == 0;
    if (must_move && moves == 1) {
        supermarche_move_cubes(state, pair / BOXES, pair % BOXES, 1, NOTE_AUTO_STOCKED);
        moves = count_moves(state, &pair);
    }
    return moves > 0;
}

static bool is_sale_open(const struct supermarche_state *state)
{
    enum { ALL = (1 << FOODS) - 1 };
    return state->sales != ALL;
}

/* Serves the only waiting customer, or closes the shop. True if there is a choice instead. */
static bool serve_if_forced(const struct supermarche_components *set,
                            struct supermarche_state *state)
{
    unsigned waiting = supermarche_cards(state, CARD_UP);
    if (waiting > 1)
        return true;
    if (waiting == 1)
        supermarche_serve(set, state, supermarche_first_card(state, CARD_UP));
    else
        state->point = AT_CLOSE;
    return false;
}

static void flip_card(const struct supermarche_components *set, struct supermarche_state *state,
                      const struct chance *chance)
{
    uint8_t position = supermarche_first_card(state, CARD_DOWN);
    if (position != NONE) {
        supermarche_turn_customer_up(set, state, position, chance);
        state->row[position] = CARD_UP;
        supermarche_note(state, NOTE_FLIPPED, position, supermarche_customer_at(state, position),
                         0);
    }
    state->point = AT_CHOOSE;
}

static void return_cubes(struct supermarche_state *state)
{
    for (unsigned food = 0; food < FOODS; food++) {
        if (state->on_cards[food] == 0)
            continue;
        supermarche_note(state, NOTE_RETURNED, food, state->on_cards[food], 0);
        state->supply[food] = (uint8_t)(state->supply[food] + state->on_cards[food]);
        state->on_cards[food] = 0;
    }
}

static unsigned waste_box(struct supermarche_state *state, unsigned food, unsigned box)
{
    unsigned cubes = (unsigned)state->store[food][box] + state->stock[food][box];
    if (cubes == 0)
        return 0;
    supermarche_note(state, NOTE_WASTED, food, box, cubes);
    state->store[food][box] = 0;
    state->stock[food][box] = 0;
    state->supply[food] = (uint8_t)(state->supply[food] + cubes);
    return cubes;
}

/* Rulebook, Waste Phase: Store and Stock Room alike. */
static unsigned waste(const struct supermarche_components *set, struct supermarche_state *state)
{
    unsigned cubes = 0;
    for (unsigned box = 0; box < BOXES; box++) {
        if (set->boxes[box].expires != 0 && set->boxes[box].expires != state->round)
            continue;
        for (unsigned food = 0; food < FOODS; food++)
            cubes += waste_box(state, food, box);
    }
    return cubes;
}

static void end_round(const struct supermarche_components *set, struct supermarche_state *state)
{
    return_cubes(state);
    state->on_sale = NONE;
    unsigned fee = waste(set, state) * WASTE_FEE;
    if (fee > 0)
        supermarche_note(state, NOTE_WASTE_PAID, fee, 0, 0);
    state->money = (int16_t)(state->money - (int)fee);
    if (supermarche_check_bankrupt(state))
        return;
    if (state->round == ROUNDS) {
        end_game(state, RESULT_COMPLETE);
        return;
    }
    state->round++;
    state->point = AT_ROUND_BEGIN;
}

/* Ends the phase, unless it is for the player to decide. True if it goes on by itself. */
static bool end_phase_unless(struct supermarche_state *state, bool decision)
{
    if (!decision)
        supermarche_end_phase(state);
    return !decision;
}

/* False if there is a decision, or dice are to be rolled. */
static bool take_step(const struct supermarche_components *set, struct supermarche_state *state,
                      const struct chance *chance)
{
    switch ((enum point)state->point) {
    case AT_DELIVERY:
        return end_phase_unless(state, can_buy(set, state));
    case AT_STOCKING:
    case AT_RESTOCK:
        return end_phase_unless(state, is_stocking_open(state));
    case AT_SALE:
        if (is_sale_open(state))
            return false;
        supermarche_put_on_sale(state, NONE);
        return true;
    case AT_CHOOSE:
        return !serve_if_forced(set, state);
    case AT_ROUND_BEGIN:
        begin_round(set, state, chance);
        return true;
    case AT_BEFORE_ROLL:
        supermarche_before_roll(state);
        return true;
    case AT_TRIP_OVER:
        supermarche_trip_over(state);
        return true;
    case AT_FLIP:
        flip_card(set, state, chance);
        return true;
    case AT_CLOSE:
        end_round(set, state);
        return true;
    case AT_INITIAL:
    case AT_ROLL:
    case AT_DICE:
    case AT_PAY:
    case AT_BETWEEN:
    case AT_OVER:
        break;
    }
    return false;
}

void supermarche_advance_to_dice(const struct supermarche_components *set,
                                 struct supermarche_state *state, const struct chance *chance)
{
    while (take_step(set, state, chance)) {
    }
}

bool supermarche_advance(const struct supermarche_components *set, struct supermarche_state *state,
                         const struct chance *chance)
{
    supermarche_advance_to_dice(set, state, chance);
    while (state->point == AT_DICE) {
        if (!supermarche_roll(set, state, chance))
            return false;
        supermarche_read_dice(set, state);
        supermarche_advance_to_dice(set, state, chance);
    }
    return true;
}
