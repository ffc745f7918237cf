/* A sensible shopkeeper: a rule of thumb for amounts, and trials for choices among a few moves.
 *
 * A trial deals the unseen cards in its own order, rolls its own dice, makes the move and continues
 * by rule of thumb until the round is over. All moves of a choice go through the same trials.
 * Nothing is known about the real deck or dice.
 */
#include <string.h>

#include "engine/games/supermarche/luck.h"
#include "engine/games/supermarche/policy.h"
#include "engine/games/supermarche/rules.h"

/* A shopkeeper's rule of thumb. Demand is what the customers of the row will roll on average;
 * face-down ones count as the average of all. Buy somewhat more than that, stock the shelves in
 * proportion, and restock when a food that may be rolled has run out. Amounts are cubes times
 * SCALE. */

enum {
    SCALE = 36,       /* the number of rolls of two dice */
    SPARE = 20,       /* percent bought beyond the demand */
    KEPT = 1 * SCALE, /* and this much of durable food */
    RESERVE = 6       /* dollars to keep for penalties */
};

static unsigned ways(unsigned total)
{
    return total <= 7 ? total - 1 : 13 - total;
}

/* The average content of a customer's cart. */
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

/* The customers still to come this round, and the rest of the current trip. */
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

/* A purchase being composed. */
struct order {
    unsigned demand[FOODS];
    unsigned cubes[FOODS]; /* in the shop, including the order */
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

/* The appeal of one more cube: the shortage, weighted by price against cost. */
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

/* Adds one cube. False if none is wanted, or none fits. */
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

/* The whole order is recomputed at every food; its first food is bought. */
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

/* The food in stock that is shortest on the shelves relative to demand; NONE if there is none. */
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

/* True if a food that is still wanted is missing in the Store and available in the Stock Room. */
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

enum {
    TRIALS = 24,
    RUIN = -60,     /* value of a lost game, in dollars */
    STEPS_MAX = 60, /* plies of one trial */
    CENTS = 100,
    PLANNED = 3000 /* weight of the amount that the rule of thumb names */
};

/* The value of a cube to a shop that stays open. */
static int worth_of_cubes(const struct supermarche_state *state)
{
    static const int dollars[FOODS] = {[BAKERY] = 2, [DAIRY] = 2, [DRY_GOODS] = 5, [FROZEN] = 4};
    int sum = 0;
    for (unsigned food = 0; food < FOODS; food++) {
        unsigned cubes =
            supermarche_shelf(state, food) + supermarche_sum(state->stock[food], BOXES);
        sum += dollars[food] * (int)cubes;
    }
    return sum;
}

static int worth(const struct supermarche_state *state)
{
    if (state->result == RESULT_BANKRUPT)
        return RUIN;
    if (state->result == RESULT_COMPLETE)
        return state->money;
    return state->money + worth_of_cubes(state);
}

static void play_by_rule_of_thumb(struct supermarche_state *state, const struct chance *chance)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text move = TEXT_OVER(bytes);
    struct refusal refusal;
    supermarche_plan(state, &move);
    (void)supermarche_play(state, 0, text_span(&move), chance, &refusal);
}

static int try_out(const struct supermarche_state *seen, struct span move, unsigned trial)
{
    static const struct chance chance = {.stacks = NULL};
    struct supermarche_state state = *seen;
    struct refusal refusal;
    supermarche_rekey(&state, 1 + trial, &chance);
    if (!supermarche_play(&state, 0, move, &chance, &refusal))
        return RUIN;
    for (unsigned i = 0; i < STEPS_MAX && state.point != AT_OVER && state.round == seen->round; i++)
        play_by_rule_of_thumb(&state, &chance);
    return worth(&state);
}

/* The mean of some trials, in hundredths of a dollar. */
static int32_t weigh_by_trials(const struct supermarche_state *seen, struct span move)
{
    int32_t sum = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++)
        sum += try_out(seen, move, trial);
    return sum * CENTS / TRIALS;
}

static void weigh_by_plan(const struct supermarche_state *seen, const struct move_list *legal,
                          int32_t *weight)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text move = TEXT_OVER(bytes);
    supermarche_plan(seen, &move);
    for (size_t i = 0; i < legal->count; i++)
        weight[i] = span_equal(move_list_get(legal, i), text_span(&move)) ? PLANNED : 0;
}

static bool is_amount(const struct supermarche_state *seen)
{
    return seen->point == AT_DELIVERY || seen->point == AT_STOCKING || seen->point == AT_RESTOCK;
}

/* What is not known is supposed first, so that nothing hidden counts. */
void supermarche_weigh(const void *state, unsigned seat, const struct move_list *legal,
                       int32_t *weight)
{
    static const struct chance none = {.stacks = NULL};
    struct supermarche_state seen = *(const struct supermarche_state *)state;
    supermarche_imagine(&seen, (struct viewer){VIEWER_SEAT, seat}, &none);
    if (is_amount(&seen))
        weigh_by_plan(&seen, legal, weight);
    for (size_t i = 0; !is_amount(&seen) && i < legal->count; i++)
        weight[i] = weigh_by_trials(&seen, move_list_get(legal, i));
}
