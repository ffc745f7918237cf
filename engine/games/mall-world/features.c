/* How a seat stands, in numbers, for the learned value of a position. */
#include <string.h>

#include "engine/games/mall-world/judge.h"
#include "engine/games/mall-world/rules.h"
#include "engine/games/mall-world/turn.h"

/* CHF to a unit of a feature. */
enum { UNIT = 100 };

static int32_t bounded(int32_t number)
{
    return number > GAME_FEATURE_MAX    ? GAME_FEATURE_MAX
           : number < -GAME_FEATURE_MAX ? -GAME_FEATURE_MAX
                                        : number;
}

/* What a set of orders counts now, may count, and the best one of it. */
static void describe_orders(const struct mall_world_state *state, uint32_t orders,
                            int32_t feature[static 4])
{
    int32_t best = 0;
    for (uint32_t rest = orders; rest != 0; rest &= rest - 1) {
        unsigned order = (unsigned)__builtin_ctz(rest);
        int32_t income = mall_world_income(state, order);
        feature[0] += income;
        feature[1] += mall_world_prospect(state, order);
        best = income > best ? income : best;
    }
    feature[0] = bounded(feature[0] / UNIT);
    feature[1] = bounded(feature[1] / UNIT);
    feature[2] = best / UNIT;
    feature[3] = __builtin_popcount(orders);
}

static unsigned phase_of(const struct mall_world_state *state)
{
    unsigned each = GAME_PHASE_END / ROUNDS;
    unsigned phase = (state->round - 1u) * each;
    unsigned shops =
        mall_world_room_count(mall_world_plan & ~state->covered & ~mall_world_empty(state));
    phase += state->last_turns_run ? each * 3 / 4 : each * shops / 72;
    return phase > GAME_PHASE_END ? GAME_PHASE_END : phase;
}

unsigned mall_world_features(const void *opaque, unsigned seat, int32_t *feature)
{
    const struct mall_world_state *state = opaque;
    memset(feature, 0, MALL_WORLD_FEATURES * sizeof *feature);
    feature[0] = 1;
    feature[1] = bounded(state->account[seat] / UNIT);
    describe_orders(state, state->held[seat], &feature[2]);
    describe_orders(state, state->confirmed[seat], &feature[6]);
    feature[10] = state->coins[seat];
    feature[11] = (int32_t)mall_world_hand_size(state, seat);
    feature[12] = state->active == seat;
    feature[13] = state->active == seat && !state->offer_made;
    return phase_of(state);
}
