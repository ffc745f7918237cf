/* The best way to seat every set of a few players (pod_exhaustive.c). Internal to the pairing. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_EXHAUSTIVE_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_EXHAUSTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/tournament/formats/pods/pod_cost.h"
#include "engine/tournament/result/table_sizes.h"

/* The solution of one set of players, given how many tables of each size are left. */
struct pod_solution {
    struct pod_key key;
    uint16_t company; /* the first table: a set of players */
    bool known;
};

struct pod_exhaustive {
    const struct pod_problem *problem;
    struct pod_key *table_keys;     /* key of every possible table */
    uint16_t *table_index;          /* set -> index into table_keys */
    struct pod_solution *solutions; /* [code * 2^players + set] */
    uint64_t steps;                 /* companies tried */
};

typedef uint16_t pod_tables_left[TOURNAMENT_SEATS_MAX + 1];

/* Solves a set with the tables counted in `left`, which is unchanged afterwards. */
const struct pod_solution *pod_exhaustive_solve(struct pod_exhaustive *search,
                                                const struct table_sizes *sizes, uint32_t set,
                                                pod_tables_left left);

/* The key of a table, a set of players. */
static inline const struct pod_key *pod_exhaustive_key(const struct pod_exhaustive *search,
                                                       uint32_t table)
{
    return &search->table_keys[search->table_index[table]];
}

enum {
    POD_LOOK_STEPS = 1000000,     /* tables tried to find a round that others can follow */
    POD_LOOK_BEGINNINGS = 1 << 16 /* beginnings of rounds kept for it */
};

/* Version 3: if P2 of the best round is 1, replaces it by the best round that `later` others
 * without repeats can follow. `round`: its tables as sets of players. *proved becomes false if the
 * work limit was reached before it was certain that none is better; `round` is then the best one
 * found. False when out of memory. */
bool pod_exhaustive_look_ahead(struct pod_exhaustive *search, const struct table_sizes *sizes,
                               unsigned later, uint16_t *round, bool *proved);

#endif
