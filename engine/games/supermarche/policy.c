/* A sensible shopkeeper: a rule of thumb for amounts, and trials (trial.h) for choices among a few
 * moves. */
#include <limits.h>
#include <string.h>

#include "engine/games/supermarche/move.h"
#include "engine/games/supermarche/policy.h"
#include "engine/games/supermarche/rules.h"
#include "engine/games/supermarche/trial.h"
#include "engine/games/supermarche/turn.h"

/* A shopkeeper's rule of thumb. Buy somewhat more than the demand, stock the shelves in proportion
 * to it, and restock when a food that may be rolled has run out. */

enum {
    SCALE = SUPERMARCHE_SCALE,
    SPARE = 20,       /* percent bought beyond the demand */
    KEPT = 1 * SCALE, /* and this much of durable food */
    RESERVE = 6,      /* dollars to keep for penalties */
    LIKED = 10,       /* what a cube is worth beside its price, when foods are compared */
    DEAR = 6          /* and what it costs */
};

/* ---- Delivery ---- */

static unsigned target(const struct supermarche_components *set,
                       const struct supermarche_state *state, unsigned demand, unsigned food)
{
    unsigned amount = demand * (100 + SPARE) / 100;
    if (set->foods[food].lasts == 1)
        return demand;
    return state->round == ROUNDS ? amount : amount + KEPT;
}

static void order_foods(const struct supermarche_components *set,
                        const struct supermarche_state *state, unsigned ordered[static FOODS])
{
    struct supermarche_order order = {.reserve = RESERVE, .dear = DEAR};
    supermarche_estimate_demand(set, state, order.wanted);
    for (unsigned food = 0; food < FOODS; food++) {
        order.wanted[food] = target(set, state, order.wanted[food], food);
        order.worth[food] = set->foods[food].price + LIKED;
    }
    supermarche_fill_order(set, state, &order, ordered);
}

/* The whole order is recomputed at every food; its first food is bought. */
static struct supermarche_move plan_purchase(const struct supermarche_components *set,
                                             const struct supermarche_state *state)
{
    unsigned ordered[FOODS];
    order_foods(set, state, ordered);
    for (uint8_t food = 0; food < FOODS; food++)
        if (ordered[food] > 0)
            return (struct supermarche_move){
                .verb = VERB_BUY, .food = food, .number = (uint8_t)ordered[food]};
    return (struct supermarche_move){.verb = VERB_BUY_DONE};
}

/* ---- Stocking ---- */

static void share_pairs(const struct supermarche_components *set,
                        const struct supermarche_state *state, unsigned moved[static PAIRS])
{
    unsigned demand[FOODS];
    supermarche_estimate_demand(set, state, demand);
    supermarche_share_pairs(state, demand, moved);
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
    supermarche_estimate_demand(set, state, demand);
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
    supermarche_estimate_demand(set, state, demand);
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

void supermarche_plan(const struct supermarche_components *set,
                      const struct supermarche_state *state, struct text *out)
{
    const struct supermarche_move move = plan(set, state);
    supermarche_write_move(set, &move, out);
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
    if (seen->point != AT_DELIVERY) {
        amounts->kinds = PAIRS;
        share_pairs(set, seen, amounts->of);
        return;
    }
    amounts->kinds = FOODS;
    order_foods(set, seen, amounts->of);
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

void supermarche_weigh(const struct game *game, const void *state, unsigned seat,
                       const struct move_list *legal, int32_t *weight)
{
    const struct supermarche_state *seen = state;
    const struct supermarche_components *set = game->set;
    struct supermarche_trials trials;
    (void)seat;
    if (supermarche_is_amount(seen)) {
        weigh_by_plan(set, seen, legal, weight);
        return;
    }
    supermarche_begin_trials(&trials, seen);
    for (size_t i = 0; i < legal->count; i++)
        weight[i] = weigh_by_trials(set, &trials, move_list_get(legal, i));
}
