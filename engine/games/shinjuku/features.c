/* How a seat stands, in numbers, for the learned value of a position. */
#include <string.h>

#include "engine/games/shinjuku/judge.h"
#include "engine/games/shinjuku/rules.h"

static int32_t bounded(int32_t number)
{
    return number > GAME_FEATURE_MAX ? GAME_FEATURE_MAX : number;
}

/* Customers by good, doubled ones twice: the most and the fewest of any good. */
static void describe_collection(const uint8_t earned[static KINDS], int32_t feature[static 2])
{
    feature[0] = 0;
    feature[1] = GAME_FEATURE_MAX;
    for (unsigned good = 0; good < GOODS; good++) {
        int32_t owned = earned[2 * good] + 2 * (int32_t)earned[2 * good + 1];
        feature[0] = owned > feature[0] ? owned : feature[0];
        feature[1] = owned < feature[1] ? owned : feature[1];
    }
}

static void describe_map(const struct shinjuku_state *state, unsigned seat,
                         int32_t feature[static 3])
{
    for (unsigned station = 0; station < STATIONS; station++)
        if (state->store_owner[station] == seat) {
            feature[0]++;
            feature[1] += state->store_sells[station] == DEPARTMENT;
        }
    for (unsigned connection = 0; connection < CONNECTIONS; connection++)
        feature[2] += state->track_owner[connection] == seat;
}

unsigned shinjuku_features(const void *opaque, unsigned seat, int32_t *feature)
{
    const struct shinjuku_state *state = opaque;
    memset(feature, 0, SHINJUKU_FEATURES * sizeof *feature);
    feature[0] = 1;
    feature[1] = shinjuku_score(state->earned[seat], state->bonus[seat]);
    feature[2] = bounded(shinjuku_worth(state->earned[seat], state->bonus[seat]) - 4 * feature[1]);
    feature[3] = bounded(shinjuku_reach(state, seat) / 16);
    feature[4] = (int32_t)shinjuku_hand_size(state, seat);
    feature[5] = __builtin_popcount(shinjuku_payable(state, seat));
    describe_map(state, seat, &feature[6]);
    describe_collection(state->earned[seat], &feature[9]);
    feature[11] = state->active == seat;
    feature[12] = state->active == seat && state->action_number == 1;
    if (state->point == AT_OVER)
        return GAME_PHASE_END;
    unsigned left = (unsigned)(state->bag_end - state->bag_next);
    return GAME_PHASE_END * (CUSTOMERS - left) / (CUSTOMERS + 8);
}
