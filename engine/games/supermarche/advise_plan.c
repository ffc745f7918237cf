/* A shopkeeper's rule of thumb. Demand is what the customers of the row will roll on average, those
 * who lie face down counting as the average of all; buy somewhat more than that, keep the shelves
 * in proportion to it, and restock when a food that somebody may roll has run out. Amounts are
 * cubes times SCALE. */
#include "engine/games/supermarche/advise.h"
#include "engine/games/supermarche/rules.h"

enum {
    SCALE = 36,       /* as many as there are rolls of two dice */
    SPARE = 20,       /* percent more than the demand is bought */
    KEPT = 1 * SCALE, /* and this much of what lasts */
    RESERVE = 6       /* dollars to keep for penalties */
};

static unsigned ways(unsigned total)
{
    return total <= 7 ? total - 1 : 13 - total;
}

/* What a customer's cart holds on average. */
static void add_cart(unsigned demand[static FOODS], const struct supermarche_customer *customer,
                     unsigned items)
{
    for (unsigned total = 2; total <= DICE_MAX; total++)
        demand[customer->want[total]] += ways(total) * items;
}

static void add_average_carts(unsigned demand[static FOODS], unsigned carts)
{
    unsigned all[FOODS] = {0};
    for (unsigned i = 0; i < CUSTOMERS; i++)
        add_cart(all, &supermarche_customers[i], supermarche_customers[i].cart);
    for (unsigned food = 0; food < FOODS; food++)
        demand[food] += carts * all[food] / CUSTOMERS;
}

/* The customers who are still to come this round, and the rest of the present trip. */
static void estimate_demand(const struct supermarche_state *state, unsigned demand[static FOODS])
{
    for (unsigned food = 0; food < FOODS; food++)
        demand[food] = 1;
    for (unsigned position = 0; position < ROW; position++) {
        uint8_t customer = supermarche_customer_at(state, position);
        if (state->row[position] == CARD_UP)
            add_cart(demand, &supermarche_customers[customer],
                     supermarche_customers[customer].cart);
        else if (state->row[position] == CARD_SHOPPING)
            add_cart(demand, &supermarche_customers[customer], state->space);
    }
    add_average_carts(demand, supermarche_cards(state, CARD_DOWN));
}

static void write_move(struct text *move, const char *verb, struct span name)
{
    text_add(move, verb);
    text_add_span(move, name);
}

/* ---- Delivery ---- */

static unsigned target(const struct supermarche_state *state, const unsigned demand[static FOODS],
                       unsigned food)
{
    unsigned lasts = supermarche_foods[food].lasts;
    unsigned left = ROUNDS - state->round;
    unsigned amount = demand[food] * (100 + SPARE) / 100;
    if (lasts == 1)
        return demand[food];
    return left == 0 ? amount : amount + KEPT;
}

/* The food of which a cube more is wanted most, NONE if none is. */
static uint8_t most_wanted(const struct supermarche_state *state,
                           const unsigned demand[static FOODS], const unsigned cubes[static FOODS],
                           const unsigned most[static FOODS], unsigned money)
{
    uint8_t best = NONE;
    unsigned best_value = 0;
    for (uint8_t food = 0; food < FOODS; food++) {
        unsigned wanted = target(state, demand, food);
        unsigned cost = supermarche_cost(state, food);
        if (most[food] == 0 || cost > money || cubes[food] * SCALE >= wanted)
            continue;
        unsigned missing = (wanted - cubes[food] * SCALE) * 100 / wanted;
        unsigned value = missing * (supermarche_foods[food].price + 10) / (cost + 6);
        if (value > best_value) {
            best = food;
            best_value = value;
        }
    }
    return best;
}

static void plan_purchase(const struct supermarche_state *state, struct text *move)
{
    unsigned demand[FOODS];
    unsigned cubes[FOODS];
    unsigned most[FOODS];
    unsigned bought[FOODS] = {0};
    unsigned money = state->money > RESERVE ? (unsigned)state->money - RESERVE : 0;
    unsigned room = STOCK_ROOM_MAX - supermarche_stock_size(state);
    estimate_demand(state, demand);
    for (unsigned food = 0; food < FOODS; food++) {
        cubes[food] = supermarche_shelf(state, food) + supermarche_sum(state->stock[food], BOXES);
        most[food] = supermarche_buy_max(state, food);
    }
    for (; room > 0; room--) {
        uint8_t food = most_wanted(state, demand, cubes, most, money);
        if (food == NONE)
            break;
        money -= supermarche_cost(state, food);
        cubes[food]++;
        most[food]--;
        bought[food]++;
    }
    unsigned food = 0;
    while (food < FOODS && bought[food] == 0)
        food++;
    if (food == FOODS) {
        text_add(move, "buy done");
        return;
    }
    write_move(move, "buy ", supermarche_foods[food].name);
    text_add_char(move, ' ');
    text_add_number(move, bought[food]);
}

/* ---- Stocking ---- */

/* How many cubes of each food go to the Store: always the one that is shortest against the demand.
 */
static void share_shelves(const struct supermarche_state *state, unsigned moved[static FOODS])
{
    unsigned demand[FOODS];
    unsigned shelf[FOODS];
    unsigned stock[FOODS] = {0};
    estimate_demand(state, demand);
    for (unsigned food = 0; food < FOODS; food++) {
        shelf[food] = supermarche_shelf(state, food);
        for (unsigned box = 0; box < BOXES; box++)
            if (supermarche_move_max(state, food, box) > 0)
                stock[food] += state->stock[food][box];
    }
    for (unsigned room = STORE_MAX - supermarche_store_size(state); room > 0; room--) {
        unsigned best = NONE;
        for (unsigned food = 0; food < FOODS; food++)
            if (stock[food] > 0 && (best == NONE || (shelf[food] + 1) * demand[best] <
                                                        (shelf[best] + 1) * demand[food]))
                best = food;
        if (best == NONE)
            return;
        shelf[best]++;
        stock[best]--;
        moved[best]++;
    }
}

static void plan_stocking(const struct supermarche_state *state, struct text *move)
{
    unsigned moved[FOODS] = {0};
    share_shelves(state, moved);
    for (unsigned pair = 0; pair < PAIRS; pair++) {
        unsigned food = pair / BOXES;
        unsigned most = supermarche_move_max(state, food, pair % BOXES);
        unsigned count = moved[food] < most ? moved[food] : most;
        if (count == 0)
            continue;
        write_move(move, "stock ", supermarche_foods[food].name);
        write_move(move, " ", supermarche_boxes[pair % BOXES].name);
        text_add_char(move, ' ');
        text_add_number(move, count);
        return;
    }
    text_add(move, "stock done");
}

/* ---- Customers ---- */

/* True if a food that is still wanted is missing in the Store, and waits in the Stock Room. */
static bool needs_restock(const struct supermarche_state *state)
{
    unsigned demand[FOODS];
    estimate_demand(state, demand);
    for (unsigned food = 0; food < FOODS; food++)
        if (demand[food] > SCALE / 2 && supermarche_shelf(state, food) == 0 &&
            supermarche_sum(state->stock[food], BOXES) > 0)
            return true;
    return false;
}

static void plan_sale(const struct supermarche_state *state, struct text *move)
{
    unsigned demand[FOODS];
    uint8_t best = NONE;
    estimate_demand(state, demand);
    for (uint8_t food = 0; food < FOODS; food++)
        if ((state->sales >> food & 1) == 0 && (best == NONE || demand[food] < demand[best]))
            best = food;
    if (best == NONE || supermarche_may_skip_sale(state))
        text_add(move, "sale none");
    else
        write_move(move, "sale ", supermarche_foods[best].name);
}

static void plan_customer(const struct supermarche_state *state, struct text *move)
{
    uint8_t customer = supermarche_customer_at(state, supermarche_first_card(state, CARD_UP));
    write_move(move, "serve ", supermarche_customers[customer].name);
}

static bool is_available(const struct supermarche_state *state, bool coupon)
{
    uint8_t food[SALE_ITEMS];
    unsigned count = supermarche_basket(state, coupon, food);
    return supermarche_has(state, food, count);
}

void supermarche_plan(const struct supermarche_state *state, struct text *move)
{
    if (state->point == AT_DELIVERY)
        plan_purchase(state, move);
    else if (state->point == AT_STOCKING || state->point == AT_RESTOCK)
        plan_stocking(state, move);
    else if (state->point == AT_SALE)
        plan_sale(state, move);
    else if (state->point == AT_CHOOSE)
        plan_customer(state, move);
    else if (state->point == AT_INITIAL)
        text_add(move, "initial skip");
    else if (state->point == AT_ROLL)
        text_add(move, "roll");
    else if (state->point == AT_PAY)
        text_add(move, is_available(state, false) ? "pay normal" : "pay coupon");
    else if (state->point == AT_BETWEEN)
        text_add(move, needs_restock(state) ? "restock" : "next");
}
