/* Simulated annealing of a round, version 3. Internal to the pairing.
 *
 * It swaps two drawn players; in half of the swaps they are near each other in the order of score.
 * Seatings are compared by one number, the weighted criteria P1 to P5: those that come first in the
 * profile weigh more, but not infinitely more. So at a high temperature the search can pass through
 * seatings with a repeat to others that have none and a smaller spread, which no chain of
 * repeat-free swaps reaches. The best seating seen, in the order of the profile, is kept.
 *
 * If the next round matters (pod_ahead.h), it is annealed together with this one: the repeats of
 * both count, and a pair together in both rounds is a repeat.
 *
 * Everything is integer arithmetic; the numbers drawn come from SplitMix64.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_ANNEAL_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_ANNEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/arena.h"
#include "engine/tournament/formats/pods/pod_cost.h"

/* The costs of a seating that the search compares. */
struct pod_anneal_costs {
    int64_t forbidden, ahead, repeats, odd, spread; /* `ahead`: repeats of both rounds */
};

/* The seats of the round or of the next one. */
struct pod_anneal_seating {
    uint16_t *player; /* [slot]: tables one after another */
    uint16_t *slot;   /* [player] */
    uint16_t *table;  /* [player] */
    int16_t *company; /* [table * players + player]: how often the player met those who sit there */
};

/* A table of the round. */
struct pod_anneal_table {
    int64_t sum;  /* of scores */
    int32_t size; /* factors of its spread: */
    int32_t part; /* 60 / size */
    int32_t odd;  /* 1 if it does not have the preferred size */
    int32_t padding;
};

struct pod_anneal {
    const struct pod_problem *problem; /* borrowed */
    const uint16_t *first;             /* borrowed: [table]: its first slot; and the end */
    size_t tables;
    bool looks_ahead;
    struct pod_anneal_seating now, next;
    struct pod_anneal_costs costs, best_costs;
    uint16_t *best, *best_next; /* [player]: table */
    int64_t both;               /* pairs that sit together both now and next */
    int64_t *score;             /* [player] */
    int32_t *odd_cost;          /* [player]: what P4 adds at an odd table */
    struct pod_anneal_table *table;
    int64_t forbidden, ahead, repeats, odd; /* weights; P5 weighs 1 */
    int64_t hot, cold;                      /* temperatures */
    uint64_t luck;
    struct arena_batch batch; /* all of the arrays that are not borrowed */
};

/* Allocates memory and sets the weights. False when out of memory; free the batch in either case.
 */
bool pod_anneal_init(struct pod_anneal *anneal, const struct pod_problem *problem,
                     const uint16_t *first, size_t tables, bool looks_ahead, uint64_t luck);

/* One search with this many proposals, from a drawn seating: the best goes to `best` and, if it
 * looks ahead, `best_next`. */
void pod_anneal_run(struct pod_anneal *anneal, uint32_t proposals);

#endif
