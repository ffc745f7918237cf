#include "engine/games/supermarche/sketch.h"

#include <limits.h>

#include "engine/games/supermarche/amounts.h"
#include "engine/games/supermarche/move.h"
#include "engine/games/supermarche/rules.h"
#include "engine/games/supermarche/trial.h"
#include "engine/games/supermarche/turn.h"

enum { SCALE = SUPERMARCHE_SCALE, PERCENT = 100 };

const struct supermarche_thumb supermarche_thumb = {
    .spare = {-14, 13, 3, 30, 26},
    .last_spare = {-7, 9, -1, 32, 10},
    .ahead = {0, 24, 10, 61, 44},
    .cheap = {0, 7, 15, 21, 19},
    .worth = {24, 18, 18, 19, 17},
    .dear = 16,
    .shelf = {15, 14, 14, 19, 17},
    .sale = {-4, 13, 3, 0, -3},
    .sale_demand = -73,
    .sale_spare = 35,
    .kept = {2, 1, 2, 3, 4},
    .spared = 2,
    .penalty = 96,
    .bonus = 16,
    .cart = -3,
    .on_shelf = 2,
};

/* What to look at. */
struct shop {
    const struct supermarche_components *set;
    const struct supermarche_thumb *thumb;
    const struct supermarche_state *state;
};

/* ---- Amounts ---- */

/* By how much a cube will be dearer in the rounds to come, on average, in quarters of a dollar. The
 * cost cards that are left are known, their order is not. */
static int dearer_later(const struct shop *shop, unsigned food)
{
    enum { QUARTERS = 4 };
    const struct supermarche_state *state = shop->state;
    int sum = 0;
    for (unsigned round = state->round; round < ROUNDS; round++)
        sum += shop->set->cost_cards[state->costs[round]].cost[food];
    return QUARTERS * sum / (ROUNDS - state->round) -
           QUARTERS * (int)supermarche_cost(shop->set, state, food);
}

/* What is wanted for later rounds: no more than will be asked for while it keeps. */
static int wanted_later(const struct shop *shop, unsigned food)
{
    const int lasts = shop->set->foods[food].lasts;
    const int rounds = ROUNDS - shop->state->round;
    const int later = lasts == 0 || lasts - 1 > rounds ? rounds : lasts - 1;
    if (later == 0)
        return 0;
    const int each = shop->set->carts[food] * ROW / CUSTOMERS;
    const int part = shop->thumb->ahead[food] + shop->thumb->cheap[food] * dearer_later(shop, food);
    const int amount = each * part / PERCENT;
    return amount < 0 ? 0 : amount < each * later ? amount : each * later;
}

static void plan_purchase(const struct shop *shop, const unsigned demand[static FOODS],
                          unsigned ordered[static FOODS])
{
    const struct supermarche_thumb *thumb = shop->thumb;
    const int16_t *spare = shop->state->round == ROUNDS ? thumb->last_spare : thumb->spare;
    struct supermarche_order order = {.dear = (unsigned)thumb->dear};
    for (unsigned food = 0; food < FOODS; food++) {
        const int wanted = (int)demand[food] * (PERCENT + spare[food]) / PERCENT;
        const int all = wanted + wanted_later(shop, food);
        order.wanted[food] = all < 1 ? 1 : (unsigned)all;
        order.worth[food] = (unsigned)thumb->worth[food];
    }
    supermarche_fill_order(shop->set, shop->state, &order, ordered);
}

/* In the order of play: so many kinds, which are foods or pairs. */
static unsigned plan_amounts(const struct shop *shop, unsigned amount[static PAIRS])
{
    unsigned demand[FOODS];
    supermarche_estimate_demand(shop->set, shop->state, demand);
    if (shop->state->point == AT_DELIVERY) {
        plan_purchase(shop, demand, amount);
        return FOODS;
    }
    for (unsigned food = 0; food < FOODS; food++)
        demand[food] *= (unsigned)shop->thumb->shelf[food];
    supermarche_share_pairs(shop->state, demand, amount);
    return PAIRS;
}

static struct supermarche_move move_of(const struct shop *shop, unsigned kind, unsigned amount)
{
    const bool buys = shop->state->point == AT_DELIVERY;
    return (struct supermarche_move){.verb = buys ? VERB_BUY : VERB_STOCK,
                                     .food = (uint8_t)(buys ? kind : kind / BOXES),
                                     .box = (uint8_t)(buys ? 0 : kind % BOXES),
                                     .number = (uint8_t)amount};
}

static struct supermarche_move end_of_amounts(const struct shop *shop)
{
    return (struct supermarche_move){.verb = shop->state->point == AT_DELIVERY ? VERB_BUY_DONE
                                                                               : VERB_STOCK_DONE};
}

static struct supermarche_move plan_amount(const struct shop *shop)
{
    unsigned amount[PAIRS];
    const unsigned kinds = plan_amounts(shop, amount);
    for (unsigned kind = 0; kind < kinds; kind++)
        if (amount[kind] > 0)
            return move_of(shop, kind, amount[kind]);
    return end_of_amounts(shop);
}

/* ---- A food on sale ---- */

/* None, for as long as that is allowed. */
static struct supermarche_move plan_sale(const struct shop *shop)
{
    enum { TENTHS = 10 };
    const struct supermarche_thumb *thumb = shop->thumb;
    unsigned demand[FOODS];
    uint8_t best = NONE;
    int most = 0;
    supermarche_estimate_demand(shop->set, shop->state, demand);
    for (uint8_t food = 0; food < FOODS; food++) {
        const int asked = (int)demand[food];
        const int spare = SCALE * (int)supermarche_shelf(shop->state, food) - asked;
        const int value = TENTHS * thumb->sale[food] +
                          (thumb->sale_demand * asked + thumb->sale_spare * spare) / SCALE;
        if ((shop->state->sales >> food & 1) == 0 && (best == NONE || value > most)) {
            best = food;
            most = value;
        }
    }
    if (best == NONE || supermarche_may_skip_sale(shop->state))
        return (struct supermarche_move){.verb = VERB_SALE_NONE};
    return (struct supermarche_move){.verb = VERB_SALE, .food = best};
}

/* ---- Customers ---- */

/* What selling a cube of this food brings, beside what it is worth later. */
static int gain_of(const struct shop *shop, unsigned food)
{
    const int price = (int)supermarche_price(shop->set, shop->state, food);
    return shop->state->round == ROUNDS ? price : price - shop->thumb->kept[food];
}

/* What the next roll is expected to bring, times SCALE, when a cube of `sold` is gone. Without the
 * food that is rolled the customer leaves, and `at_stake` is lost. */
static int next_roll(const struct shop *shop, const struct supermarche_customer *customer,
                     unsigned sold, int at_stake)
{
    int sum = 0;
    for (unsigned food = 0; food < FOODS; food++) {
        bool left = supermarche_shelf(shop->state, food) > (food == sold ? 1 : 0);
        sum += customer->rolls[food] * (left ? gain_of(shop, food) : -at_stake);
    }
    return sum;
}

static const struct supermarche_customer *shopper_of(const struct shop *shop)
{
    return &shop->set->customers[supermarche_customer_at(shop->state, shop->state->shopper)];
}

/* A coupon fills two spaces at once, but two cubes are gone where more may be asked for. */
static bool uses_coupon(const struct shop *shop)
{
    uint8_t normal[SALE_ITEMS], coupon[SALE_ITEMS];
    const struct supermarche_state *state = shop->state;
    const struct supermarche_customer *customer = shopper_of(shop);
    if (!supermarche_has(state, normal, supermarche_basket(shop->set, state, false, normal)))
        return true;
    if (!supermarche_has(state, coupon, supermarche_basket(shop->set, state, true, coupon)))
        return false;
    const int price = (int)supermarche_price(shop->set, state, normal[0]);
    const int more = gain_of(shop, coupon[0]) + gain_of(shop, coupon[1]) - COUPON_DISCOUNT -
                     gain_of(shop, normal[0]) - shop->thumb->spared;
    return SCALE * more >=
           next_roll(shop, customer, normal[0], state->takings + price + customer->penalty);
}

/* Before a roll: whether what may be lost by it is more than the penalty of a restock. */
static bool breaks_off(const struct shop *shop)
{
    const struct supermarche_customer *customer = shopper_of(shop);
    unsigned missing = 0, helped = 0;
    for (unsigned food = 0; food < FOODS; food++) {
        if (supermarche_shelf(shop->state, food) > 0)
            continue;
        missing += customer->rolls[food];
        helped += supermarche_kept(shop->state, food) > 0 ? customer->rolls[food] : 0;
    }
    return helped > 0 &&
           (int)missing * (shop->state->takings + customer->penalty) > SCALE * customer->penalty;
}

/* The waiting customer who matters most: the shelves are fullest now. */
static uint8_t first_served(const struct shop *shop)
{
    int most = 0;
    uint8_t best = NONE;
    for (unsigned position = 0; position < ROW; position++) {
        const uint8_t id = supermarche_customer_at(shop->state, position);
        const struct supermarche_customer *customer = &shop->set->customers[id];
        int matters = shop->thumb->penalty * customer->penalty +
                      shop->thumb->bonus * customer->bonus + shop->thumb->cart * customer->cart;
        for (unsigned food = 0; food < FOODS; food++)
            matters += (int)(customer->rolls[food] * customer->cart *
                             supermarche_price(shop->set, shop->state, food));
        if (shop->state->row[position] == CARD_UP && (best == NONE || matters > most)) {
            best = id;
            most = matters;
        }
    }
    return best;
}

static bool sells_first(const struct shop *shop)
{
    return (int)supermarche_shelf(shop->state, shop->state->on_sale) > shop->thumb->on_shelf;
}

static struct supermarche_move plan(const struct shop *shop)
{
    enum verb verb = VERB_RESTOCK; /* whenever it is possible between two customers */
    switch ((enum point)shop->state->point) {
    case AT_SALE:
        return plan_sale(shop);
    case AT_CHOOSE:
        return (struct supermarche_move){.verb = VERB_SERVE, .customer = first_served(shop)};
    case AT_INITIAL:
        verb = sells_first(shop) ? VERB_TAKE : VERB_SKIP;
        break;
    case AT_ROLL:
        verb = breaks_off(shop) ? VERB_RESTOCK : VERB_ROLL;
        break;
    case AT_PAY:
        verb = uses_coupon(shop) ? VERB_PAY_COUPON : VERB_PAY_NORMAL;
        break;
    default:
        if (supermarche_is_amount(shop->state))
            return plan_amount(shop);
    }
    return (struct supermarche_move){.verb = verb};
}

void supermarche_plan_quickly(const struct supermarche_components *set,
                              const struct supermarche_state *state, struct text *out)
{
    const struct shop shop = {set, &supermarche_thumb, state};
    const struct supermarche_move move = plan(&shop);
    supermarche_write_move(set, &move, out);
}

/* ---- To the end of the game ---- */

/* Each customer has dice of their own, as in the game, but they cost no random stream. */
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

/* The same moves as one after the other by plan_amount(). */
static void carry_amounts(const struct shop *shop, struct supermarche_state *state, uint64_t luck)
{
    const uint8_t point = state->point;
    unsigned amount[PAIRS];
    const unsigned kinds = plan_amounts(shop, amount);
    for (unsigned kind = 0; kind < kinds && state->point == point; kind++) {
        const struct supermarche_move move = move_of(shop, kind, amount[kind]);
        if (move.number > 0)
            go_on(shop->set, state, &move, luck);
    }
    const struct supermarche_move done = end_of_amounts(shop);
    if (state->point == point)
        go_on(shop->set, state, &done, luck);
}

void supermarche_finish_by(const struct supermarche_components *set,
                           const struct supermarche_thumb *thumb, struct supermarche_state *state,
                           uint64_t luck)
{
    const struct shop shop = {set, thumb, state};
    state->notes = NOTES_MAX; /* nobody asks for events: further notes are dropped */
    while (state->point != AT_OVER) {
        if (supermarche_is_amount(state)) {
            carry_amounts(&shop, state, luck);
            continue;
        }
        const struct supermarche_move move = plan(&shop);
        go_on(set, state, &move, luck);
    }
}

void supermarche_finish(const struct game *game, void *state, const struct chance *chance)
{
    uint64_t luck = 0;
    for (unsigned i = 0; i < sizeof luck; i++)
        luck = luck << CHAR_BIT | chance->seed[i];
    supermarche_finish_by(game->set, &supermarche_thumb, state, luck);
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
