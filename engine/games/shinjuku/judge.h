/* What a position is worth to a player: the customers it has, and those in reach of its Stores. */
#ifndef TILLROLL_SHINJUKU_JUDGE_H
#define TILLROLL_SHINJUKU_JUDGE_H

#include "engine/games/shinjuku/state.h"

/* The value of a collection to a player who may add to it: four for each point. */
int32_t shinjuku_worth(const struct shinjuku_components *set, const uint8_t earned[static KINDS],
                       unsigned bonus);

/* Stations joined to each station: bit s for station s. */
struct shinjuku_map {
    uint64_t links[STATIONS]; /* by any connection */
    uint64_t rails[STATIONS]; /* by one that can be used */
};

void shinjuku_draw_map(const struct shinjuku_components *set, const struct shinjuku_state *state,
                       struct shinjuku_map *map);

/* Steps from a station to every other, as a Store there counts them; missing track lengthens the
 * way. */
struct shinjuku_way {
    uint8_t steps[STATIONS];
};

/* Customers who wait in each ward, by how much the seat needs them. */
struct shinjuku_waiting {
    int32_t of[WARDS][GOODS];
    uint32_t crowded; /* bit w: somebody waits in ward w */
};

void shinjuku_count_waiting(const struct shinjuku_components *set,
                            const struct shinjuku_state *state, unsigned seat,
                            struct shinjuku_waiting *waiting);

void shinjuku_measure(const struct shinjuku_map *map, unsigned from, struct shinjuku_way *way);

/* Steps from which on a customer is out of reach. */
enum { SHINJUKU_FAR = 9 };

/* The wards in which somebody waits, and the steps to each of them from every station, at most
 * SHINJUKU_FAR: a byte for each ward, eight of them in a word that is computed at once. */
enum { SHINJUKU_LANES = 8, SHINJUKU_WORDS = (WARDS + SHINJUKU_LANES - 1) / SHINJUKU_LANES };

struct shinjuku_near {
    unsigned crowds; /* wards listed */
    uint8_t ward[WARDS];
    uint64_t steps[STATIONS][SHINJUKU_WORDS]; /* to ward[i]: byte i % 8, from the lowest, of word
                                               * i / 8; 0 beyond the list */
};

static inline unsigned shinjuku_lane(const uint64_t *words, unsigned i)
{
    return words[i / SHINJUKU_LANES] >> (i % SHINJUKU_LANES * 8) & 0xff;
}

void shinjuku_look_near(const struct shinjuku_components *set, const struct shinjuku_map *map,
                        const struct shinjuku_waiting *waiting, struct shinjuku_near *near);

/* How well customers who want each good can reach a Store in this station. */
void shinjuku_store_reach(const struct shinjuku_near *near, const struct shinjuku_waiting *waiting,
                          unsigned station, int32_t reach[static GOODS]);

#endif
