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
    unsigned amount = demand[food] * (100 + SPARE) / 100;
    if (supermarche_foods[food].lasts == 1)
        return demand[food];
    return state->round == ROUNDS ? amount : amount + KEPT;
}

/* A purchase that is being put together. */
struct order {
    unsigned demand[FOODS];
    unsigned cubes[FOODS]; /* in the shop, those of the order included */
    unsigned most[FOODS];  /* that may still be ordered */
    unsigned ordered[FOODS];
    unsigned money, room;
};

static void begin_order(const struct supermarche_state *state, struct order *order)
{
    *order = (struct order){.money = state->money > RESERVE ? (unsigned)state->money - RESERVE : 0,
                            .room = STOCK_ROOM_MAX - supermarche_stock_size(state)};
    estimate_demand(state, order->demand);
    for (unsigned food = 0; food < FOODS; food++) {
        order->cubes[food] =
            supermarche_shelf(state, food) + supermarche_sum(state->stock[food], BOXES);
        order->most[food] = supermarche_buy_max(state, food);
    }
}

/* How much one cube more is wanted: what is missing, weighed by price against cost. */
static unsigned appeal(const struct supermarche_state *state, const struct order *order,
                       unsigned food)
{
    unsigned wanted = target(state, order->demand, food);
    unsigned cost = supermarche_cost(state, food);
    if (order->most[food] == 0 || cost > order->money || order->cubes[food] * SCALE >= wanted)
        return 0;
    unsigned missing = (wanted - order->cubes[food] * SCALE) * 100 / wanted;
    return missing * (supermarche_foods[food].price + 10) / (cost + 6);
}

/* Adds one cube. False if none is wanted, or fits. */
static bool order_one(const struct supermarche_state *state, struct order *order)
{
    unsigned best = 0;
    unsigned best_appeal = 0;
    for (unsigned food = 0; order->room > 0 && food < FOODS; food++) {
        unsigned value = appeal(state, order, food);
        if (value > best_appeal) {
            best = food;
            best_appeal = value;
        }
    }
    if (best_appeal == 0)
        return false;
    order->money -= supermarche_cost(state, best);
    order->room--;
    order->cubes[best]++;
    order->most[best]--;
    order->ordered[best]++;
    return true;
}

/* The whole order is made up anew at every food; its first food is bought. */
static void plan_purchase(const struct supermarche_state *state, struct text *move)
{
    struct order order;
    begin_order(state, &order);
    while (order_one(state, &order)) {
    }
    unsigned food = 0;
    while (food < FOODS && order.ordered[food] == 0)
        food++;
    if (food == FOODS) {
        text_add(move, "buy done");
        return;
    }
    write_move(move, "buy ", supermarche_foods[food].name);
    text_add_char(move, ' ');
    text_add_number(move, order.ordered[food]);
}

/* ---- Stocking ---- */

/* The food that is shortest on the shelves against the demand, of those in stock; NONE without. */
static unsigned shortest(const unsigned demand[static FOODS], const unsigned shelf[static FOODS],
                         const unsigned stock[static FOODS])
{
    unsigned best = NONE;
    for (unsigned food = 0; food < FOODS; food++)
        if (stock[food] > 0 &&
            (best == NONE || (shelf[food] + 1) * demand[best] < (shelf[best] + 1) * demand[food]))
            best = food;
    return best;
}

/* How many cubes of each food go to the Store. */
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
        unsigned food = shortest(demand, shelf, stock);
        if (food == NONE)
            return;
        shelf[food]++;
        stock[food]--;
        moved[food]++;
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
