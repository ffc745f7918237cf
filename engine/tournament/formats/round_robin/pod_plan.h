/* A plan of a whole pod round robin: the tables of every round. Internal to pod_round_robin.h.
 *
 * Table sizes are the same in every round, the larger ones first; the remaining players have byes.
 * A round lists the players table after table, byes at the end.
 *
 * The cost of a plan, to be minimized, is the sum of
 *
 *      POD_PLAN_REPEAT   for every m (m - 1) / 2 of a pair that meets m times
 *      POD_PLAN_BYE      for every b * b of a player with b byes
 *      1                 for every s * s of a player with s sittings at tables not of the
 *                        preferred size
 *
 * Squares make a third time for one player cost more than a second time for another.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_ROUND_ROBIN_POD_PLAN_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_ROUND_ROBIN_POD_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/chance.h"
#include "engine/tournament/formats/round_robin/pod_design.h"
#include "engine/tournament/result/table_sizes.h"

enum {
    POD_PLAN_PLAYERS_MAX = POD_DESIGN_PLAYERS_MAX,
    POD_PLAN_TABLES_MAX = POD_PLAN_PLAYERS_MAX / TABLE_SIZE_MIN,
    POD_PLAN_REPEAT = 8,
    POD_PLAN_BYE = 64
};

struct pod_plan {
    unsigned players; /* 2 .. POD_PLAN_PLAYERS_MAX */
    unsigned rounds;  /* 1 .. TOURNAMENT_ROUNDS_MAX */
    unsigned tables;
    unsigned preferred;
    uint16_t first[POD_PLAN_TABLES_MAX + 2]; /* of each table; [tables] of the byes; [tables + 1]
                                                the number of players */
    uint16_t table[POD_PLAN_PLAYERS_MAX];    /* of a slot; `tables` for a bye */
    uint16_t *player;                        /* owned: [round * players + slot] */
};

/* A plan with the players in order in every round. False when out of memory. */
bool pod_plan_init(struct pod_plan *plan, unsigned players, unsigned rounds, unsigned preferred,
                   const struct table_sizes *sizes);
void pod_plan_free(struct pod_plan *plan);

/* The players of a round. */
uint16_t *pod_plan_round(const struct pod_plan *plan, unsigned round);

/* Writes met[a * players + b], how often a and b meet; the diagonal is 0. */
void pod_plan_count(const struct pod_plan *plan, uint8_t *met);

/* The sum of m (m - 1) / 2 over pairs. `met` is room for players^2. */
int64_t pod_plan_repeats(const struct pod_plan *plan, uint8_t *met);

/* The cost of byes and short tables. */
int64_t pod_plan_unfairness(const struct pod_plan *plan);

/* A lower bound of the cost of plans of this shape. */
int64_t pod_plan_floor(const struct pod_plan *plan);

/* pod_plan_search.c: searches for a plan of low cost. The first `kept` rounds stay unchanged; the
 * others start at random. A fixed number of proposed swaps of two players in such a round are
 * accepted if they do not raise the cost, or raise it by an amount that shrinks over time. Then the
 * best plan seen is improved until no swap of two players in any round lowers its cost. False when
 * out of memory. */
bool pod_plan_anneal(struct pod_plan *plan, unsigned kept, struct chance_stream *stream);

/* pod_plan.c: searches for a cyclic plan. All tables have one size, the players stand on circles of
 * `length`, and a few stand still; every round is the one before with every player moved to the
 * next place on the circle, so only one round has to be found. Sets `left` to the remaining cost: 0
 * means no repeats in the first `length` rounds. `tried` is false if too many players would stand
 * still; the plan is then unchanged. False when out of memory. */
bool pod_plan_cycle(struct pod_plan *plan, unsigned length, struct chance_stream *stream,
                    bool *tried, int64_t *left);

/* True with probability 2^(-raise / 16), for annealing without floating point. */
bool pod_plan_dares(struct chance_stream *stream, uint32_t raise);

/* pod_plan.c: orders the players of each table by seats, so that every player sits in each seat
 * about equally often. With tables of one size k and no byes, every player sits in each seat once
 * in each k rounds from the first on, and in no seat twice in the remaining rounds. False when out
 * of memory. */
bool pod_plan_seat(struct pod_plan *plan);

#endif
