/* The adviser: uses a rule of thumb for amounts, and trials for choices among a few moves.
 *
 * A trial deals the unseen cards in its own order, rolls its own dice, makes the move and continues
 * by rule of thumb until the round is over. All moves of a choice go through the same trials.
 * Nothing is known about the real deck or dice, and the same view gives the same advice.
 */
#include "engine/games/supermarche/advise.h"

#include <string.h>

#include "engine/game/view_parts.h"
#include "engine/games/supermarche/luck.h"
#include "engine/games/supermarche/rules.h"

/* Reading a view back into a position. */

static void read_numbers(const json_t *object, uint8_t counts[static FOODS])
{
    for (unsigned food = 0; food < FOODS; food++)
        counts[food] = view_read_number(json_object_get(object, supermarche_foods[food].name.at));
}

static void read_shelves(const json_t *object, uint8_t counts[FOODS][BOXES])
{
    for (unsigned food = 0; food < FOODS; food++) {
        const json_t *boxes = json_object_get(object, supermarche_foods[food].name.at);
        for (unsigned box = 0; box < BOXES; box++)
            counts[food][box] =
                view_read_number(json_object_get(boxes, supermarche_boxes[box].name.at));
    }
}

static uint8_t read_point(const json_t *decision)
{
    uint8_t point = AT_DELIVERY;
    while (point < AT_OVER && !span_is(view_read_text(decision), supermarche_point_name(point)))
        point++;
    return point;
}

static void read_round(struct supermarche_state *state, const json_t *view)
{
    state->point = read_point(json_object_get(view, "decision"));
    state->money = (int16_t)json_integer_value(json_object_get(view, "money"));
    state->round = view_read_number(json_object_get(view, "round"));
    if (state->round < 1 || state->round > ROUNDS)
        state->round = 1;
    state->restocked = json_is_true(json_object_get(view, "restocked"));
    state->on_sale = supermarche_food_named(view_read_text(json_object_get(view, "on_sale")));
    state->sales =
        (uint8_t)view_read_set(json_object_get(view, "sales_so_far"), supermarche_food_named);
}

static uint8_t read_card_state(const json_t *card)
{
    uint8_t state = CARD_DOWN;
    struct span word = view_read_text(json_object_get(card, "state"));
    while (state < CARD_DISCARDED && !span_is(word, supermarche_card_name(state)))
        state++;
    return state;
}

/* Puts the customers of the row in their places. Bit c of the result: customer c has one. */
static uint32_t read_row(struct supermarche_state *state, const json_t *row)
{
    uint32_t dealt = 0;
    for (unsigned position = 0; position < ROW; position++) {
        const json_t *card = json_array_get(row, position);
        unsigned place = (unsigned)ROW * (state->round - 1u) + position;
        uint8_t customer =
            supermarche_customer_named(view_read_text(json_object_get(card, "customer")));
        state->row[position] = read_card_state(card);
        state->deck[place] = customer;
        if (state->row[position] == CARD_DISCARDED)
            state->discarded |= UINT32_C(1) << place;
        if (customer != NONE)
            dealt |= UINT32_C(1) << customer;
        if (state->row[position] == CARD_SHOPPING)
            state->shopper = (uint8_t)position;
    }
    return dealt;
}

static uint8_t next_customer(uint32_t *dealt, uint32_t wanted)
{
    for (unsigned customer = 0; customer < CUSTOMERS; customer++) {
        if ((*dealt >> customer & 1) != 0 || (wanted >> customer & 1) == 0)
            continue;
        *dealt |= UINT32_C(1) << customer;
        return (uint8_t)customer;
    }
    return NONE;
}

/* Unseen customers get the places after the row and the face-down places in it; the others get the
 * places before it. A customer discarded in an earlier round leaves one place too few. */
static void deal_rest(struct supermarche_state *state, const json_t *view, uint32_t dealt)
{
    uint32_t unseen =
        view_read_set(json_object_get(view, "customers_unseen"), supermarche_customer_named);
    for (unsigned place = CUSTOMERS; place-- > 0;)
        if (state->deck[place] == NONE)
            state->deck[place] = next_customer(&dealt, unseen);
    for (unsigned place = 0; place < CUSTOMERS; place++)
        if (state->deck[place] == NONE)
            state->deck[place] = next_customer(&dealt, UINT32_MAX);
}

static void read_costs(struct supermarche_state *state, const json_t *view)
{
    const json_t *card = json_object_get(json_object_get(view, "cost_card"), "card");
    uint8_t now = supermarche_cost_card_named(view_read_text(card));
    const json_t *entry;
    size_t i;
    unsigned round = state->round;
    state->costs[state->round - 1] = now == NONE ? 0 : now;
    json_array_foreach(json_object_get(view, "cost_cards_to_come"), i, entry)
    {
        uint8_t later = supermarche_cost_card_named(view_read_text(entry));
        if (later != NONE && round < ROUNDS)
            state->costs[round++] = later;
    }
}

static void read_trip(struct supermarche_state *state, const json_t *trip)
{
    state->space = view_read_number(json_object_get(trip, "space"));
    state->coupons = view_read_number(json_object_get(trip, "coupons"));
    state->bought = view_read_number(json_object_get(trip, "bought"));
    state->takings = view_read_number(json_object_get(trip, "takings"));
    for (unsigned i = 0; i < 2; i++) {
        const json_t *die = json_array_get(json_object_get(trip, "dice"), i);
        state->dice[i] = (uint8_t)json_integer_value(die);
    }
}

void supermarche_read_view(struct supermarche_state *state, const json_t *view)
{
    supermarche_clear(state);
    read_round(state, view);
    read_shelves(json_object_get(view, "store"), state->store);
    read_shelves(json_object_get(view, "stock_room"), state->stock);
    read_numbers(json_object_get(view, "distribution_center"), state->supply);
    read_numbers(json_object_get(view, "on_customer_cards"), state->on_cards);
    read_costs(state, view);
    read_trip(state, json_object_get(view, "trip"));
    memset(state->deck, NONE, sizeof state->deck);
    deal_rest(state, view, read_row(state, json_object_get(view, "row")));
    bool shopping = state->point >= AT_INITIAL && state->point <= AT_PAY;
    if (shopping && state->shopper == NONE)
        state->point = AT_OVER; /* not a view of this game: there is nothing to advise */
}

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
    RUIN = -60,    /* value of a lost game, in dollars */
    STEPS_MAX = 60 /* plies of one trial */
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

static size_t choose_by_trials(const struct supermarche_state *seen, const struct move_list *legal)
{
    size_t best = 0;
    int best_sum = 0;
    for (size_t i = 0; i < legal->count; i++) {
        int sum = 0;
        for (unsigned trial = 0; trial < TRIALS; trial++)
            sum += try_out(seen, move_list_get(legal, i), trial);
        if (i == 0 || sum > best_sum) {
            best = i;
            best_sum = sum;
        }
    }
    return best;
}

static size_t choose_by_plan(const struct supermarche_state *seen, const struct move_list *legal)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text move = TEXT_OVER(bytes);
    supermarche_plan(seen, &move);
    ptrdiff_t index = move_list_find(legal, text_span(&move));
    return index < 0 ? 0 : (size_t)index;
}

static bool is_amount(const struct supermarche_state *seen)
{
    return seen->point == AT_DELIVERY || seen->point == AT_STOCKING || seen->point == AT_RESTOCK;
}

size_t supermarche_advise(const json_t *view, const struct move_list *legal)
{
    struct supermarche_state seen;
    supermarche_read_view(&seen, view);
    return is_amount(&seen) ? choose_by_plan(&seen, legal) : choose_by_trials(&seen, legal);
}
