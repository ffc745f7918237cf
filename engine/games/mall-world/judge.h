/* What orders are worth to a player: what they count now, and a share of what they may count with
 * the shops in place. */
#ifndef TILLROLL_MALL_WORLD_JUDGE_H
#define TILLROLL_MALL_WORLD_JUDGE_H

#include "engine/games/mall-world/turn.h"

/* How many rooms of a set are beside each room: bit by bit. */
struct mall_world_beside {
    rooms bit[3];
};

/* The shops of a position, as far as the worth of a change depends on them. */
struct mall_world_shops {
    rooms vacant[USES];
    rooms sites[USES];                    /* empty rooms beside vacant shops of the use */
    struct mall_world_beside shops[USES]; /* vacant ones */
    struct mall_world_beside fresh[USES]; /* empty rooms beside no vacant shop of the use */
    struct mall_world_beside lone[USES];  /* empty rooms beside exactly one of them */
};

void mall_world_look_at_shops(const struct mall_world_components *set,
                              const struct mall_world_state *state, struct mall_world_shops *shops);

/* A set of orders, by what they count. */
struct mall_world_ledger {
    int32_t worth;             /* CHF that they count, and their prospects */
    int32_t pairs[USES][USES]; /* use orders of these two uses, both ways round */
    int32_t uses[USES];        /* how often use orders name the use */
    int32_t specials[SPECIAL_ORDERS];
    bool has_specials;

    /* CHF that rent orders gain by a shop of the use; by a shop of the use let to the group. */
    int32_t built[USES];
    int32_t let[USES][GROUPS];
};

/* Adds orders, bit o for order o, to a ledger that begins with zeros. */
void mall_world_add_orders(const struct mall_world_components *set,
                           const struct mall_world_state *state, uint32_t orders,
                           struct mall_world_ledger *ledger);

/* CHF by which the realisation changes the worth of a ledger. `state`, whose shops these are, is
 * changed and restored. */
int32_t mall_world_change(const struct mall_world_components *set, struct mall_world_state *state,
                          const struct mall_world_shops *shops,
                          const struct mall_world_ledger *ledger, struct realization realization);

#endif
