/* A sensible shopkeeper: a rule of thumb for amounts, and trials (trial.h) for choices among a few
 * moves. */
#include <limits.h>
#include <string.h>

#include "engine/games/supermarche/move.h"
#include "engine/games/supermarche/policy.h"
#include "engine/games/supermarche/rules.h"
#include "engine/games/supermarche/trial.h"
#include "engine/games/supermarche/turn.h"

/* A shopkeeper's rule of thumb. Demand is what the customers of the row will roll on average;
 * face-down ones count as the average of all. Buy somewhat more than that, stock the shelves in
 * proportion, and restock when a food that may be rolled has run out. Amounts are cubes times
 * SCALE. */

enum {
    SCALE = SUPERMARCHE_SCALE,
    SPARE = 20,       /* percent bought beyond the demand */
    KEPT = 1 * SCALE, /* and this much of durable food */
    RESERVE = 6       /* dollars to keep for penalties */
};

/* The average content of a customer's cart. */
static void add_cart(unsigned demand[static FOODS], const struct supermarche_customer *customer,
                     unsigned items)
{
    for (unsigned food = 0; food < FOODS; food++)
        demand[food] += customer->rolls[food] * items;
}

static void add_average_carts(const struct supermarche_components *set,
                              unsigned demand[static FOODS], unsigned carts)
{
    for (unsigned food = 0; food < FOODS; food++)
        demand[food] += carts * set->carts[food] / CUSTOMERS;
}

/* The customers still to come this round, and the rest of the current trip. */
static void estimate_demand(const struct supermarche_components *set,
                            const struct supermarche_state *state, unsigned demand[static FOODS])
{
    for (unsigned food = 0; food < FOODS; food++)
        demand[food] = 1;
    for (unsigned position = 0; position < ROW; position++) {
        uint8_t customer = supermarche_customer_at(state, position);
        if (state->row[position] == CARD_UP)
            add_cart(demand, &set->customers[customer], set->customers[customer].cart);
        else if (state->row[position] == CARD_SHOPPING)
            add_cart(demand, &set->customers[customer], state->space);
    }
    add_average_carts(set, demand, supermarche_cards(state, CARD_DOWN));
}

/* ---- Delivery ---- */

static unsigned target(const struct supermarche_components *set,
                       const struct supermarche_state *state, const unsigned demand[static FOODS],
                       unsigned food)
{
    unsigned amount = demand[food] * (100 + SPARE) / 100;
    if (set->foods[food].lasts == 1)
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

static void begin_order(const struct supermarche_components *set,
                        const struct supermarche_state *state, struct order *order)
{
    *order = (struct order){.money = state->money > RESERVE ? (unsigned)state->money - RESERVE : 0,
                            .room = STOCK_ROOM_MAX - supermarche_stock_size(state)};
    estimate_demand(set, state, order->demand);
    for (unsigned food = 0; food < FOODS; food++) {
        order->cubes[food] = supermarche_shelf(state, food) + supermarche_kept(state, food);
        order->most[food] = supermarche_buy_max(set, state, food);
    }
}

/* The appeal of one more cube: the shortage, weighted by price against cost. */
static unsigned appeal(const struct supermarche_components *set,
                       const struct supermarche_state *state, const struct order *order,
                       unsigned food)
{
    unsigned wanted = target(set, state, order->demand, food);
    unsigned cost = supermarche_cost(set, state, food);
    if (order->most[food] == 0 || cost > order->money || order->cubes[food] * SCALE >= wanted)
        return 0;
    unsigned missing = (wanted - order->cubes[food] * SCALE) * 100 / wanted;
    return missing * (set->foods[food].price + 10) / (cost + 6);
}

/* Adds one cube. False if none is wanted, or none fits. */
static bool order_one(const struct supermarche_components *set,
                      const struct supermarche_state *state, struct order *order)
{
    unsigned best = 0;
    unsigned best_appeal = 0;
    for (unsigned food = 0; order->room > 0 && food < FOODS; food++) {
        unsigned value = appeal(set, state, order, food);
        if (value > best_appeal) {
            best = food;
            best_appeal = value;
        }
    }
    if (best_appeal == 0)
        return false;
    order->money -= supermarche_cost(set, state, best);
    order->room--;
    order->cubes[best]++;
    order->most[best]--;
    order->ordered[best]++;
    return true;
}

static void fill_order(const struct supermarche_components *set,
                       const struct supermarche_state *state, struct order *order)
{
    begin_order(set, state, order);
    while (order_one(set, state, order)) {
    }
}

/* The whole order is recomputed at every food; its first food is bought. */
static struct supermarche_move plan_purchase(const struct supermarche_components *set,
                                             const struct supermarche_state *state)
{
    struct order order;
    fill_order(set, state, &order);
    for (uint8_t food = 0; food < FOODS; food++)
        if (order.ordered[food] > 0)
            return (struct supermarche_move){
                .verb = VERB_BUY, .food = food, .number = (uint8_t)order.ordered[food]};
    return (struct supermarche_move){.verb = VERB_BUY_DONE};
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
static void share_shelves(const struct supermarche_components *set,
                          const struct supermarche_state *state, unsigned room,
                          unsigned moved[static FOODS])
{
    unsigned demand[FOODS];
    unsigned shelf[FOODS];
    unsigned stock[FOODS];
    estimate_demand(set, state, demand);
    for (unsigned food = 0; food < FOODS; food++) {
        shelf[food] = supermarche_shelf(state, food);
        stock[food] = PAIR(food, 0) < state->next_pair ? 0 : supermarche_kept(state, food);
    }
    for (unsigned pair = state->next_pair; pair % BOXES != 0; pair++)
        stock[pair / BOXES] += state->stock[pair / BOXES][pair % BOXES];
    for (; room > 0; room--) {
        unsigned food = shortest(demand, shelf, stock);
        if (food == NONE)
            return;
        shelf[food]++;
        stock[food]--;
        moved[food]++;
    }
}

/* How many cubes of each pair go to the Store, the earliest dates first. */
static void share_pairs(const struct supermarche_components *set,
                        const struct supermarche_state *state, unsigned moved[static PAIRS])
{
    unsigned of_food[FOODS] = {0};
    share_shelves(set, state, STORE_MAX - supermarche_store_size(state), of_food);
    for (unsigned pair = 0; pair < PAIRS; pair++) {
        unsigned most = pair < state->next_pair ? 0 : state->stock[pair / BOXES][pair % BOXES];
        unsigned *left = &of_food[pair / BOXES];
        moved[pair] = *left < most ? *left : most;
        *left -= moved[pair];
    }
}

static struct supermarche_move plan_stocking(const struct supermarche_components *set,
                                             const struct supermarche_state *state)
{
    unsigned moved[PAIRS];
    share_pairs(set, state, moved);
    for (unsigned pair = 0; pair < PAIRS; pair++)
        if (moved[pair] > 0)
            return (struct supermarche_move){.verb = VERB_STOCK,
                                             .food = (uint8_t)(pair / BOXES),
                                             .box = (uint8_t)(pair % BOXES),
                                             .number = (uint8_t)moved[pair]};
    return (struct supermarche_move){.verb = VERB_STOCK_DONE};
}

/* ---- Customers ---- */

/* True if a food that is still wanted is missing in the Store and available in the Stock Room. */
static bool needs_restock(const struct supermarche_components *set,
                          const struct supermarche_state *state)
{
    unsigned demand[FOODS];
    estimate_demand(set, state, demand);
    for (unsigned food = 0; food < FOODS; food++)
        if (demand[food] > SCALE / 2 && supermarche_shelf(state, food) == 0 &&
            supermarche_kept(state, food) > 0)
            return true;
    return false;
}

static struct supermarche_move plan_sale(const struct supermarche_components *set,
                                         const struct supermarche_state *state)
{
    unsigned demand[FOODS];
    uint8_t best = NONE;
    estimate_demand(set, state, demand);
    for (uint8_t food = 0; food < FOODS; food++)
        if ((state->sales >> food & 1) == 0 && (best == NONE || demand[food] < demand[best]))
            best = food;
    if (best == NONE || supermarche_may_skip_sale(state))
        return (struct supermarche_move){.verb = VERB_SALE_NONE};
    return (struct supermarche_move){.verb = VERB_SALE, .food = best};
}

static struct supermarche_move plan_customer(const struct supermarche_state *state)
{
    uint8_t position = supermarche_first_card(state, CARD_UP);
    return (struct supermarche_move){.verb = VERB_SERVE,
                                     .customer = supermarche_customer_at(state, position)};
}

static bool is_available(const struct supermarche_components *set,
                         const struct supermarche_state *state)
{
    uint8_t food[SALE_ITEMS];
    unsigned count = supermarche_basket(set, state, false, food);
    return supermarche_has(state, food, count);
}

static struct supermarche_move plan(const struct supermarche_components *set,
                                    const struct supermarche_state *state)
{
    enum verb verb = VERB_ROLL;
    if (state->point == AT_DELIVERY)
        return plan_purchase(set, state);
    if (state->point == AT_STOCKING || state->point == AT_RESTOCK)
        return plan_stocking(set, state);
    if (state->point == AT_SALE)
        return plan_sale(set, state);
    if (state->point == AT_CHOOSE)
        return plan_customer(state);
    if (state->point == AT_INITIAL)
        verb = VERB_SKIP;
    else if (state->point == AT_PAY)
        verb = is_available(set, state) ? VERB_PAY_NORMAL : VERB_PAY_COUPON;
    else if (state->point == AT_BETWEEN)
        verb = needs_restock(set, state) ? VERB_RESTOCK : VERB_NEXT;
    return (struct supermarche_move){.verb = verb};
}

static void add_name(struct text *out, struct span name)
{
    text_add_char(out, ' ');
    text_add_span(out, name);
}

static void add_number(struct text *out, unsigned number)
{
    text_add_char(out, ' ');
    text_add_number(out, number);
}

static void write_move(const struct supermarche_components *set,
                       const struct supermarche_move *move, struct text *out)
{
    static const char *const words[] = {
        [VERB_BUY] = "buy",           [VERB_BUY_DONE] = "buy done",
        [VERB_STOCK] = "stock",       [VERB_STOCK_DONE] = "stock done",
        [VERB_SALE] = "sale",         [VERB_SALE_NONE] = "sale none",
        [VERB_SERVE] = "serve",       [VERB_TAKE] = "initial take",
        [VERB_SKIP] = "initial skip", [VERB_ROLL] = "roll",
        [VERB_RESTOCK] = "restock",   [VERB_PAY_NORMAL] = "pay normal",
        [VERB_NEXT] = "next",         [VERB_PAY_COUPON] = "pay coupon"};
    text_add(out, words[move->verb]);
    if (move->verb == VERB_BUY || move->verb == VERB_STOCK || move->verb == VERB_SALE)
        add_name(out, set->foods[move->food].name);
    if (move->verb == VERB_STOCK)
        add_name(out, set->boxes[move->box].name);
    if (move->verb == VERB_SERVE)
        add_name(out, set->customers[move->customer].name);
    if (move->verb == VERB_BUY || move->verb == VERB_STOCK)
        add_number(out, move->number);
}

void supermarche_plan(const struct supermarche_components *set,
                      const struct supermarche_state *state, struct text *out)
{
    const struct supermarche_move move = plan(set, state);
    write_move(set, &move, out);
}

enum {
    CENTS = 100,
    PLANNED = 3000, /* weight of the amount that the rule of thumb names */
    APART = 600     /* less for every cube more or less */
};

/* The mean of some trials, in hundredths of a dollar. */
static int32_t weigh_by_trials(const struct supermarche_components *set,
                               struct supermarche_trials *trials, struct span text)
{
    struct supermarche_move move;
    struct refusal refusal;
    if (!supermarche_read_move(set, text, &move, &refusal))
        return SUPERMARCHE_RUIN * CENTS;
    return supermarche_try(set, trials, &move) * CENTS / SUPERMARCHE_TRIALS;
}

/* What the rule of thumb buys or moves, in the order of play: `kinds` foods, or pairs. */
struct amounts {
    unsigned kinds;
    unsigned of[PAIRS];
};

static void plan_amounts(const struct supermarche_components *set,
                         const struct supermarche_state *seen, struct amounts *amounts)
{
    struct order order;
    if (seen->point != AT_DELIVERY) {
        amounts->kinds = PAIRS;
        share_pairs(set, seen, amounts->of);
        return;
    }
    fill_order(set, seen, &order);
    amounts->kinds = FOODS;
    memcpy(amounts->of, order.ordered, sizeof order.ordered);
}

/* By how many cubes a move departs from them; it leaves out all kinds before its own. */
static unsigned cubes_apart(const struct amounts *amounts, const struct supermarche_move *move)
{
    unsigned kind = amounts->kinds, apart = 0;
    if (move->verb == VERB_BUY)
        kind = move->food;
    else if (move->verb == VERB_STOCK)
        kind = (unsigned)PAIR(move->food, move->box);
    for (unsigned i = 0; i < kind; i++)
        apart += amounts->of[i];
    if (kind == amounts->kinds)
        return apart;
    unsigned planned = amounts->of[kind];
    return apart + (move->number > planned ? move->number - planned : planned - move->number);
}

static void weigh_by_plan(const struct supermarche_components *set,
                          const struct supermarche_state *seen, const struct move_list *legal,
                          int32_t *weight)
{
    struct amounts amounts;
    plan_amounts(set, seen, &amounts);
    for (size_t i = 0; i < legal->count; i++) {
        struct supermarche_move move;
        struct refusal refusal;
        weight[i] = 0;
        if (!supermarche_read_move(set, move_list_get(legal, i), &move, &refusal))
            continue;
        int32_t less = APART * (int32_t)cubes_apart(&amounts, &move);
        weight[i] = less < PLANNED ? PLANNED - less : 0;
    }
}

static bool is_amount(const struct supermarche_state *seen)
{
    return seen->point == AT_DELIVERY || seen->point == AT_STOCKING || seen->point == AT_RESTOCK;
}

void supermarche_weigh(const struct game *game, const void *state, unsigned seat,
                       const struct move_list *legal, int32_t *weight)
{
    const struct supermarche_state *seen = state;
    const struct supermarche_components *set = game->set;
    struct supermarche_trials trials;
    (void)seat;
    if (is_amount(seen)) {
        weigh_by_plan(set, seen, legal, weight);
        return;
    }
    supermarche_begin_trials(&trials, seen);
    for (size_t i = 0; i < legal->count; i++)
        weight[i] = weigh_by_trials(set, &trials, move_list_get(legal, i));
}

/* ---- To the end of the game ---- */

/* What selling a cube of this food brings, beside what it is worth on the shelf. */
static int gain_of(const struct supermarche_components *set, const struct supermarche_state *state,
                   unsigned food)
{
    return (int)supermarche_price(set, state, food) - supermarche_cube_worth[food];
}

/* What the next roll is expected to bring, times SCALE, when a cube of `sold` is gone. Without the
 * food that is rolled the customer leaves, and `at_stake` is lost. */
static int next_roll(const struct supermarche_components *set,
                     const struct supermarche_state *state,
                     const struct supermarche_customer *customer, unsigned sold, int at_stake)
{
    int sum = 0;
    for (unsigned food = 0; food < FOODS; food++) {
        bool left = supermarche_shelf(state, food) > (food == sold ? 1 : 0);
        sum += customer->rolls[food] * (left ? gain_of(set, state, food) : -at_stake);
    }
    return sum;
}

static const struct supermarche_customer *shopper_of(const struct supermarche_components *set,
                                                     const struct supermarche_state *state)
{
    return &set->customers[supermarche_customer_at(state, state->shopper)];
}

/* A coupon fills two spaces at once, but two cubes are gone where more may be asked for. */
static bool uses_coupon(const struct supermarche_components *set,
                        const struct supermarche_state *state)
{
    enum { SPARED = 2 }; /* dollars that a coupon has to bring beyond two rolls */
    uint8_t normal[SALE_ITEMS], coupon[SALE_ITEMS];
    const struct supermarche_customer *customer = shopper_of(set, state);
    if (!supermarche_has(state, normal, supermarche_basket(set, state, false, normal)))
        return true;
    if (!supermarche_has(state, coupon, supermarche_basket(set, state, true, coupon)))
        return false;
    const int price = (int)supermarche_price(set, state, normal[0]);
    const int more = gain_of(set, state, coupon[0]) + gain_of(set, state, coupon[1]) -
                     COUPON_DISCOUNT - gain_of(set, state, normal[0]) - SPARED;
    return SCALE * more >=
           next_roll(set, state, customer, normal[0], state->takings + price + customer->penalty);
}

/* Before a roll: whether what may be lost by it is more than the penalty of a restock. */
static bool breaks_off(const struct supermarche_components *set,
                       const struct supermarche_state *state)
{
    const struct supermarche_customer *customer = shopper_of(set, state);
    unsigned missing = 0, helped = 0;
    for (unsigned food = 0; food < FOODS; food++) {
        if (supermarche_shelf(state, food) > 0)
            continue;
        missing += customer->rolls[food];
        helped += supermarche_kept(state, food) > 0 ? customer->rolls[food] : 0;
    }
    return helped > 0 &&
           (int)missing * (state->takings + customer->penalty) > SCALE * (customer->penalty - 1);
}

/* The waiting customer who spends most: the shelves are fullest now. */
static uint8_t biggest_spender(const struct supermarche_components *set,
                               const struct supermarche_state *state)
{
    unsigned most = 0;
    uint8_t best = NONE;
    for (unsigned position = 0; position < ROW; position++) {
        const uint8_t id = supermarche_customer_at(state, position);
        const struct supermarche_customer *customer = &set->customers[id];
        unsigned spends = 0;
        for (unsigned food = 0; food < FOODS; food++)
            spends += customer->rolls[food] * customer->cart * supermarche_price(set, state, food);
        if (state->row[position] == CARD_UP && (best == NONE || spends > most)) {
            best = id;
            most = spends;
        }
    }
    return best;
}

/* The rule of thumb, with more thought for what trials decide otherwise. */
static struct supermarche_move plan_quickly(const struct supermarche_components *set,
                                            const struct supermarche_state *state)
{
    enum { SPARE_CUBES = 2 }; /* of the food on sale, which a roll may need three of */
    enum verb verb;
    if (state->point == AT_CHOOSE)
        return (struct supermarche_move){.verb = VERB_SERVE,
                                         .customer = biggest_spender(set, state)};
    if (state->point == AT_INITIAL)
        verb = supermarche_shelf(state, state->on_sale) > SPARE_CUBES ? VERB_TAKE : VERB_SKIP;
    else if (state->point == AT_ROLL)
        verb = breaks_off(set, state) ? VERB_RESTOCK : VERB_ROLL;
    else if (state->point == AT_PAY)
        verb = uses_coupon(set, state) ? VERB_PAY_COUPON : VERB_PAY_NORMAL;
    else
        return plan(set, state);
    return (struct supermarche_move){.verb = verb};
}

void supermarche_plan_quickly(const struct supermarche_components *set,
                              const struct supermarche_state *state, struct text *out)
{
    const struct supermarche_move move = plan_quickly(set, state);
    write_move(set, &move, out);
}

/* Each customer has dice of their own, as in the game, but they cost no stream of `chance`. */
static void roll_in_thought(const struct supermarche_components *set,
                            struct supermarche_state *state, uint64_t luck)
{
    enum { SIDES = 6, ROLLS_MOST = 256 };
    const uint8_t customer = supermarche_customer_at(state, state->shopper);
    const uint64_t roll =
        supermarche_mix(luck + customer * ROLLS_MOST + state->dice_words[customer]++);
    state->dice[0] = (uint8_t)(1 + roll % SIDES);
    state->dice[1] = (uint8_t)(1 + roll / SIDES % SIDES);
    supermarche_read_dice(set, state);
}

/* Makes a move, and rolls until there is another decision. */
static void go_on(const struct supermarche_components *set, struct supermarche_state *state,
                  const struct supermarche_move *move, uint64_t luck)
{
    supermarche_apply(set, state, move);
    supermarche_advance_to_dice(set, state, NULL);
    while (state->point == AT_DICE) {
        roll_in_thought(set, state, luck);
        supermarche_advance_to_dice(set, state, NULL);
    }
}

/* The same moves as one after the other by plan_purchase() and plan_stocking(). */
static void carry_amounts(const struct supermarche_components *set, struct supermarche_state *state,
                          uint64_t luck)
{
    const uint8_t point = state->point;
    struct amounts amounts = {.kinds = 0};
    plan_amounts(set, state, &amounts);
    for (unsigned kind = 0; kind < amounts.kinds && state->point == point; kind++) {
        const bool buys = point == AT_DELIVERY;
        const struct supermarche_move move = {.verb = buys ? VERB_BUY : VERB_STOCK,
                                              .food = (uint8_t)(buys ? kind : kind / BOXES),
                                              .box = (uint8_t)(buys ? 0 : kind % BOXES),
                                              .number = (uint8_t)amounts.of[kind]};
        if (move.number > 0)
            go_on(set, state, &move, luck);
    }
    const struct supermarche_move done = {.verb = point == AT_DELIVERY ? VERB_BUY_DONE
                                                                       : VERB_STOCK_DONE};
    if (state->point == point)
        go_on(set, state, &done, luck);
}

void supermarche_finish(const struct game *game, void *opaque, const struct chance *chance)
{
    const struct supermarche_components *set = game->set;
    struct supermarche_state *state = opaque;
    uint64_t luck = 0;
    for (unsigned i = 0; i < sizeof luck; i++)
        luck = luck << CHAR_BIT | chance->seed[i];
    state->notes = NOTES_MAX; /* nobody asks for events: further notes are dropped */
    while (state->point != AT_OVER) {
        if (is_amount(state)) {
            carry_amounts(set, state, luck);
            continue;
        }
        const struct supermarche_move move = plan_quickly(set, state);
        go_on(set, state, &move, luck);
    }
}

size_t supermarche_sketch(const struct game *game, const void *state, unsigned seat,
                          const struct move_list *legal)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text move = TEXT_OVER(bytes);
    (void)seat;
    supermarche_plan_quickly(game->set, state, &move);
    ptrdiff_t found = move_list_find(legal, text_span(&move));
    assert(found >= 0);
    return (size_t)found;
}
