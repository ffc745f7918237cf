#include "engine/games/shinjuku/judge.h"

#include <string.h>

#include "engine/games/shinjuku/rules.h"

enum {
    POINT = 4,    /* value of a point */
    CUSTOMER = 3, /* value of a customer besides its points */
    FAR = SHINJUKU_FAR,
    UNBUILT = 4 /* steps that a connection without track counts for */
};

int32_t shinjuku_worth(const struct shinjuku_components *set, const uint8_t earned[static KINDS],
                       unsigned bonus)
{
    int32_t worth = POINT * shinjuku_score(set, earned, bonus);
    for (unsigned kind = 0; kind < KINDS; kind++)
        worth += CUSTOMER * earned[kind] * set->kinds[kind].value;
    return worth;
}

void shinjuku_draw_map(const struct shinjuku_components *set, const struct shinjuku_state *state,
                       struct shinjuku_map *map)
{
    memset(map, 0, sizeof *map);
    for (unsigned i = 0; i < set->connection_count; i++) {
        uint8_t a = set->connections[i].a;
        uint8_t b = set->connections[i].b;
        map->links[a] |= UINT64_C(1) << b;
        map->links[b] |= UINT64_C(1) << a;
        if (!shinjuku_has_rails(set, state, i))
            continue;
        map->rails[a] |= UINT64_C(1) << b;
        map->rails[b] |= UINT64_C(1) << a;
    }
}

/* Steps from the nearest of some stations, FAR at most; missing track counts UNBUILT. */
static void measure(const struct shinjuku_map *map, uint64_t from, struct shinjuku_way *way)
{
    uint64_t ring[FAR + UNBUILT] = {from};
    uint64_t seen = 0;
    memset(way->steps, FAR, STATIONS);
    for (uint8_t distance = 0; distance < FAR; distance++) {
        uint64_t here = ring[distance] & ~seen;
        seen |= here;
        for (; here != 0; here &= here - 1) {
            unsigned at = (unsigned)__builtin_ctzll(here);
            way->steps[at] = distance;
            ring[distance + 1] |= map->rails[at];
            ring[distance + UNBUILT] |= map->links[at];
        }
    }
}

void shinjuku_measure(const struct shinjuku_map *map, unsigned from, struct shinjuku_way *way)
{
    measure(map, UINT64_C(1) << from, way);
}

void shinjuku_look_near(const struct shinjuku_components *set, const struct shinjuku_map *map,
                        const struct shinjuku_waiting *waiting, struct shinjuku_near *near)
{
    uint64_t stations[WARDS] = {0};
    near->crowds = 0;
    memset(near->steps, 0, sizeof near->steps);
    for (unsigned i = 0; i < STATIONS; i++)
        stations[set->stations[i].ward] |= UINT64_C(1) << i;
    for (uint32_t wards = waiting->crowded; wards != 0; wards &= wards - 1) {
        struct shinjuku_way way;
        unsigned ward = (unsigned)__builtin_ctz(wards);
        unsigned lane = near->crowds % SHINJUKU_LANES * 8;
        measure(map, stations[ward], &way);
        for (unsigned i = 0; i < STATIONS; i++)
            near->steps[i][near->crowds / SHINJUKU_LANES] |= (uint64_t)way.steps[i] << lane;
        near->ward[near->crowds++] = (uint8_t)ward;
    }
}

void shinjuku_store_reach(const struct shinjuku_near *near, const struct shinjuku_waiting *waiting,
                          unsigned station, int32_t reach[static GOODS])
{
    memset(reach, 0, GOODS * sizeof *reach);
    for (unsigned i = 0; i < near->crowds; i++) {
        const int32_t *of = waiting->of[near->ward[i]];
        const int32_t closer = FAR - (int32_t)shinjuku_lane(near->steps[station], i);
        for (unsigned good = 0; good < GOODS; good++)
            reach[good] += of[good] * closer;
    }
}

/* Customers in the Queue come later and count half. */
void shinjuku_count_waiting(const struct shinjuku_components *set,
                            const struct shinjuku_state *state, unsigned seat,
                            struct shinjuku_waiting *waiting)
{
    memset(waiting, 0, sizeof *waiting);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        int32_t value = set->kinds[kind].value;
        for (unsigned ward = 0; ward < WARDS; ward++)
            waiting->of[ward][GOOD_OF(kind)] += 2 * value * state->customers[ward][kind];
        for (unsigned space = 0; space < QUEUE_SPACES; space++)
            waiting->of[state->queue_ward[space]][GOOD_OF(kind)] +=
                value * state->queue[space][kind];
    }
    for (unsigned good = 0; good < GOODS; good++) {
        int32_t owned =
            state->earned[seat][2 * good] + 2 * (int32_t)state->earned[seat][2 * good + 1];
        for (unsigned ward = 0; ward < WARDS; ward++)
            waiting->of[ward][good] *= owned < 4 ? 6 - owned : 2;
    }
    for (uint8_t ward = 0; ward < WARDS; ward++) {
        const int32_t *of = waiting->of[ward];
        if (of[0] + of[1] + of[2] + of[3] > 0)
            waiting->crowded |= UINT32_C(1) << ward;
    }
}
