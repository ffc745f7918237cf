/* The result: the account, and 1,000 CHF for each coin. Orders that are confirmed but not yet paid
 * count as if they were paid now; once the game is over there are none. */
#include "engine/games/mall-world/rules.h"

void mall_world_outcome(const void *opaque, struct outcome *outcome)
{
    const struct mall_world_state *state = opaque;
    outcome->seats = state->seats;
    outcome->tie_breaks = 0;
    for (unsigned seat = 0; seat < state->seats; seat++) {
        outcome->score[seat] = state->account[seat] + COIN_VALUE * state->coins[seat];
        for (unsigned order = 0; order < ORDERS; order++)
            if ((state->confirmed[seat] >> order & 1) != 0)
                outcome->score[seat] += mall_world_income(state, order);
    }
    outcome_rank(outcome);
}
