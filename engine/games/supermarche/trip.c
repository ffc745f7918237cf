/* A customer's shopping trip: from her turn to the last item, the first missing one, or a restock.
 */
#include "engine/games/supermarche/turn.h"

static unsigned shopper(const struct supermarche_state *state)
{
    return supermarche_customer_at(state, state->shopper);
}

void supermarche_serve(struct supermarche_state *state, unsigned position)
{
    assert(state->row[position] == CARD_UP);
    state->row[position] = CARD_SHOPPING;
    state->shopper = (uint8_t)position;
    state->space = supermarche_customers[shopper(state)].cart;
    state->coupons = supermarche_customers[shopper(state)].coupons;
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

void supermarche_sell(struct supermarche_state *state, unsigned food)
{
    unsigned box = earliest_box(state, food);
    unsigned price = supermarche_price(state, food);
    state->store[food][box]--;
    state->on_cards[food]++;
    state->bought++;
    state->money = (int16_t)(state->money + (int)price);
    state->takings = (uint8_t)(state->takings + price);
    supermarche_note(state, NOTE_SOLD, food, box, price);
}

void supermarche_before_roll(struct supermarche_state *state)
{
    bool restock = !state->restocked && state->bought > 0 && supermarche_stock_size(state) > 0;
    state->point = restock ? AT_ROLL : AT_DICE;
}

static bool is_available(const struct supermarche_state *state, bool coupon)
{
    uint8_t food[SALE_ITEMS];
    unsigned count = supermarche_basket(state, coupon, food);
    return supermarche_has(state, food, count);
}

/* RULES.md, R21: what does not fit into the cart is in 0.9.0 bought all the same. */
static bool has_space_for_coupon(const struct supermarche_state *state)
{
    return state->coupon_overflows ? state->space > 0 : state->space >= COUPON_ITEMS;
}

void supermarche_read_dice(struct supermarche_state *state)
{
    supermarche_note(state, NOTE_ROLLED, state->dice[0], state->dice[1], 0);
    bool choice = state->coupons > 0 && has_space_for_coupon(state) &&
                  (is_available(state, false) || is_available(state, true));
    if (choice)
        state->point = AT_PAY;
    else
        supermarche_resolve(state, false);
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
    state->point = AT_TRIP_OVER;
}

/* Rulebook, Running out of Food. What is on the card stays there. */
static void fail(struct supermarche_state *state)
{
    unsigned penalty = supermarche_customers[shopper(state)].penalty;
    supermarche_note(state, NOTE_FAILED, shopper(state), penalty, state->takings);
    state->money = (int16_t)(state->money - (int)(penalty + state->takings));
    end_trip(state);
    (void)supermarche_check_bankrupt(state);
}

static void complete(struct supermarche_state *state)
{
    unsigned bonus = supermarche_customers[shopper(state)].bonus;
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

void supermarche_resolve(struct supermarche_state *state, bool coupon)
{
    uint8_t food[SALE_ITEMS];
    unsigned count = supermarche_basket(state, coupon, food);
    if (!supermarche_has(state, food, count)) {
        fail(state);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        supermarche_sell(state, food[i]);
    if (coupon)
        use_coupon(state);
    state->space = (uint8_t)(state->space > count ? state->space - count : 0);
    if (state->space == 0)
        complete(state);
    else
        state->point = AT_BEFORE_ROLL;
}

/* Rulebook, Restocking During a Customer's Shopping Trip: the penalty, but no refund. */
static void restock_during_trip(struct supermarche_state *state)
{
    unsigned penalty = supermarche_customers[shopper(state)].penalty;
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

void supermarche_restock(struct supermarche_state *state)
{
    state->restocked = 1;
    if (state->point == AT_ROLL)
        restock_during_trip(state);
    else
        discard_unseen(state);
    if (supermarche_check_bankrupt(state))
        return;
    state->next_pair = 0;
    state->point = AT_RESTOCK;
}

void supermarche_trip_over(struct supermarche_state *state)
{
    bool restock = !state->restocked && supermarche_stock_size(state) > 0 &&
                   supermarche_store_size(state) < STORE_MAX &&
                   supermarche_cards(state, CARD_DOWN) > 0;
    state->point = restock ? AT_BETWEEN : AT_FLIP;
}
