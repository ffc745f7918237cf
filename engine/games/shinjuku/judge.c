#include "engine/games/shinjuku/judge.h"

#include <string.h>

#include "engine/games/shinjuku/rules.h"

enum {
    POINT = 4,    /* value of a point */
    CUSTOMER = 3, /* value of a customer besides its points */
    FAR = 9,      /* steps beyond which a customer is out of reach */
    UNBUILT = 4   /* steps that a connection without track counts for */
};

int32_t shinjuku_worth(const uint8_t earned[static KINDS], unsigned bonus)
{
    int32_t worth = POINT * shinjuku_score(earned, bonus);
    for (unsigned kind = 0; kind < KINDS; kind++)
        worth += CUSTOMER * earned[kind] * shinjuku_kinds[kind].value;
    return worth;
}

/* Steps from one station to every other, FAR at most; missing track counts UNBUILT. */
static void measure(const struct shinjuku_state *state, unsigned from, uint8_t steps[STATIONS])
{
    uint64_t ring[FAR + UNBUILT] = {UINT64_C(1) << from};
    uint64_t seen = 0;
    memset(steps, FAR, STATIONS);
    for (uint8_t distance = 0; distance < FAR; distance++) {
        for (unsigned at = 0; at < STATIONS; at++) {
            if (((ring[distance] & ~seen) >> at & 1) == 0)
                continue;
            seen |= UINT64_C(1) << at;
            steps[at] = distance;
            const struct shinjuku_station *station = &shinjuku_stations[at];
            for (unsigned i = 0; i < station->link_count; i++) {
                bool rails = shinjuku_has_rails(state, station->link[i].connection);
                ring[distance + (rails ? 1 : UNBUILT)] |= UINT64_C(1) << station->link[i].station;
            }
        }
    }
}

/* The prospects of one Store: customers it sells to, by distance and need. Customers in the Queue
 * come later and count half. */
static int32_t store_reach(const struct shinjuku_state *state, unsigned station,
                           const int32_t need[static GOODS], int32_t waiting[static WARDS][GOODS])
{
    uint8_t steps[STATIONS];
    uint8_t nearest[WARDS];
    int32_t reach = 0;
    memset(nearest, FAR, sizeof nearest);
    measure(state, station, steps);
    for (unsigned i = 0; i < STATIONS; i++)
        if (steps[i] < nearest[shinjuku_stations[i].ward])
            nearest[shinjuku_stations[i].ward] = steps[i];
    for (unsigned ward = 0; ward < WARDS; ward++)
        for (unsigned good = 0; nearest[ward] < FAR && good < GOODS; good++)
            if (state->store_sells[station] == DEPARTMENT || state->store_sells[station] == good)
                reach += waiting[ward][good] * need[good] * (FAR - nearest[ward]);
    return reach;
}

int32_t shinjuku_reach(const struct shinjuku_state *state, unsigned seat)
{
    int32_t need[GOODS];
    int32_t waiting[WARDS][GOODS] = {{0}};
    for (unsigned good = 0; good < GOODS; good++) {
        int32_t owned =
            state->earned[seat][2 * good] + 2 * (int32_t)state->earned[seat][2 * good + 1];
        need[good] = owned < 4 ? 6 - owned : 2;
    }
    for (unsigned kind = 0; kind < KINDS; kind++) {
        int32_t value = shinjuku_kinds[kind].value;
        for (unsigned ward = 0; ward < WARDS; ward++)
            waiting[ward][GOOD_OF(kind)] += 2 * value * state->customers[ward][kind];
        for (unsigned space = 0; space < QUEUE_SPACES; space++)
            waiting[state->queue_ward[space]][GOOD_OF(kind)] += value * state->queue[space][kind];
    }
    int32_t reach = 0;
    for (unsigned station = 0; station < STATIONS; station++)
        if (state->store_owner[station] == seat)
            reach += store_reach(state, station, need, waiting);
    return reach;
}
