/* Simulated annealing of a round, version 3. Internal to the pairing.
 *
 * Swaps of two players who are drawn, of whom half are near each other in the order of score. What
 * is compared is one number, the criteria P1 to P5 with weights: those that come first in the
 * profile weigh more, but not infinitely more. So a search at a high temperature passes through
 * seatings with a repeat too many to others that have none and a smaller spread, which no chain of
 * swaps without repeats leads to. The best seating seen is kept in the order of the profile.
 *
 * Where the next round is looked at (pod_ahead.h), it is annealed together with this one: repeats
 * of both, a pair that sits together in both being one.
 *
 * Everything is integer arithmetic; the numbers drawn come from SplitMix64.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_ANNEAL_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_ANNEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/tournament/formats/pods/pod_cost.h"

/* Of a seating: what the search compares. */
struct pod_anneal_costs {
    int64_t forbidden, ahead, repeats, odd, spread; /* `ahead`: repeats of both rounds */
};

/* Who sits where; of the round or of the next one. */
struct pod_anneal_seating {
    uint16_t *player; /* [slot]: tables one after another */
    uint16_t *slot;   /* [player] */
    uint16_t *table;  /* [player] */
    int16_t *company; /* [table * players + player]: how often met those who sit there */
};

/* A table of the round. */
struct pod_anneal_table {
    int64_t sum;  /* of scores */
    int32_t size; /* and what its spread is weighed with: */
    int32_t part; /* 60 / size */
    int32_t odd;  /* 1 if it is of another than the preferred size */
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
    int64_t both;               /* pairs that sit together now and next */
    int64_t *score;             /* [player] */
    int32_t *odd_cost;          /* [player]: what P4 adds at an odd table */
    struct pod_anneal_table *table;
    int64_t forbidden, ahead, repeats, odd; /* weights; P5 weighs 1 */
    int64_t hot, cold;                      /* temperatures */
    uint64_t luck;
};

/* Takes memory and sets the weights. False when it is short; in every case pod_anneal_free() gives
 * back what there is. */
bool pod_anneal_init(struct pod_anneal *anneal, const struct pod_problem *problem,
                     const uint16_t *first, size_t tables, bool looks_ahead, uint64_t luck);
void pod_anneal_free(struct pod_anneal *anneal);

/* One search with so many proposals, from a seating that is drawn: the best goes to `best` and, if
 * it looks ahead, `best_next`. */
void pod_anneal_run(struct pod_anneal *anneal, uint32_t proposals);

#endif
