/* A shopkeeper's rule of thumb for every choice, for the tests of Supermarché: a quick way through
 * a game, and what trials (engine/games/supermarche/trial.h) have to play as well. Buy somewhat
 * more than the demand, stock the shelves in proportion to it, and restock when a food that may be
 * rolled has run out. */
#ifndef TILLROLL_TESTS_ENGINE_GAMES_SUPERMARCHE_RULE_OF_THUMB_H
#define TILLROLL_TESTS_ENGINE_GAMES_SUPERMARCHE_RULE_OF_THUMB_H

#include "engine/games/supermarche/amounts.h"
#include "engine/games/supermarche/move.h"
#include "engine/games/supermarche/turn.h"

/* The whole order is recomputed at every food; its first food is bought. */
static inline struct supermarche_move plan_purchase(const struct supermarche_components *set,
                                                    const struct supermarche_state *state)
{
    unsigned ordered[FOODS];
    supermarche_usual_order(set, state, ordered);
    for (uint8_t food = 0; food < FOODS; food++)
        if (ordered[food] > 0)
            return (struct supermarche_move){
                .verb = VERB_BUY, .food = food, .number = (uint8_t)ordered[food]};
    return (struct supermarche_move){.verb = VERB_BUY_DONE};
}

static inline struct supermarche_move plan_stocking(const struct supermarche_components *set,
                                                    const struct supermarche_state *state)
{
    unsigned moved[PAIRS];
    supermarche_usual_shelves(set, state, moved);
    for (unsigned pair = 0; pair < PAIRS; pair++)
        if (moved[pair] > 0)
            return (struct supermarche_move){.verb = VERB_STOCK,
                                             .food = (uint8_t)(pair / BOXES),
                                             .box = (uint8_t)(pair % BOXES),
                                             .number = (uint8_t)moved[pair]};
    return (struct supermarche_move){.verb = VERB_STOCK_DONE};
}

/* True if a food that is still wanted is missing in the Store and available in the Stock Room. */
static inline bool needs_restock(const struct supermarche_components *set,
                                 const struct supermarche_state *state)
{
    unsigned demand[FOODS];
    supermarche_estimate_demand(set, state, demand);
    for (unsigned food = 0; food < FOODS; food++)
        if (demand[food] > SUPERMARCHE_SCALE / 2 && supermarche_shelf(state, food) == 0 &&
            supermarche_kept(state, food) > 0)
            return true;
    return false;
}

static inline struct supermarche_move plan_sale(const struct supermarche_components *set,
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

static inline struct supermarche_move plan_customer(const struct supermarche_state *state)
{
    uint8_t position = supermarche_first_card(state, CARD_UP);
    return (struct supermarche_move){.verb = VERB_SERVE,
                                     .customer = supermarche_customer_at(state, position)};
}

static inline bool is_available(const struct supermarche_components *set,
                                const struct supermarche_state *state)
{
    uint8_t food[SALE_ITEMS];
    unsigned count = supermarche_basket(set, state, false, food);
    return supermarche_has(state, food, count);
}

static inline struct supermarche_move plan(const struct supermarche_components *set,
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

/* Writes a legal move by rule of thumb, without using face-down cards. */
static inline void supermarche_plan(const struct supermarche_components *set,
                                    const struct supermarche_state *state, struct text *out)
{
    const struct supermarche_move move = plan(set, state);
    supermarche_write_move(set, &move, out);
}

#endif
