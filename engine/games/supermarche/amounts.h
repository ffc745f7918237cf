/* Amounts by rule of thumb: what customers will ask for, what to buy, what to move to the Store.
 * Nothing hidden is looked at. Demand is in parts of a cube, SUPERMARCHE_SCALE each.
 */
#ifndef TILLROLL_SUPERMARCHE_AMOUNTS_H
#define TILLROLL_SUPERMARCHE_AMOUNTS_H

#include "engine/games/supermarche/state.h"

enum { SUPERMARCHE_SCALE = 36 }; /* the rolls of two dice */

/* What the customers still to come this round, and the rest of the current trip, will roll on
 * average; those face down count as the average of all. At least 1 of each food. */
void supermarche_estimate_demand(const struct supermarche_components *set,
                                 const struct supermarche_state *state,
                                 unsigned demand[static FOODS]);

/* How a purchase is composed: cube by cube, the one first for which `worth` by `dear` dollars more
 * than its cost, in proportion to what is missing, is greatest. */
struct supermarche_order {
    unsigned wanted[FOODS]; /* in the shop, including the order; as demand; at least 1 */
    unsigned worth[FOODS];
    unsigned dear;    /* at least 1 */
    unsigned reserve; /* dollars that are not spent */
};

/* How many cubes of each food are bought. */
void supermarche_fill_order(const struct supermarche_components *set,
                            const struct supermarche_state *state,
                            const struct supermarche_order *order, unsigned ordered[static FOODS]);

/* How many cubes of each pair go to the Store, the earliest dates first: foods in proportion to
 * `demand`, at least 1 of each. */
void supermarche_share_pairs(const struct supermarche_state *state,
                             const unsigned demand[static FOODS], unsigned moved[static PAIRS]);

/* The amounts of a rule of thumb: how many cubes of each food are bought, somewhat more than the
 * demand; and how many of each pair go to the Store, in proportion to it. */
void supermarche_usual_order(const struct supermarche_components *set,
                             const struct supermarche_state *state, unsigned ordered[static FOODS]);
void supermarche_usual_shelves(const struct supermarche_components *set,
                               const struct supermarche_state *state, unsigned moved[static PAIRS]);

/* True at the points at which amounts are chosen. */
bool supermarche_is_amount(const struct supermarche_state *state);

#endif
