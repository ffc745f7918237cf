/* A plan of a whole pod round robin: who sits at which table in which round. Internal to
 * pod_round_robin.h.
 *
 * The tables are the same in every round, the larger ones first; what is left over are byes. A
 * round is the players in a row, table after table, byes at the end.
 *
 * The cost of a plan, to be made small, is the sum of
 *
 *      POD_PLAN_REPEAT   for every m (m - 1) / 2 of a pair that meets m times
 *      POD_PLAN_BYE      for every b * b of a player with b byes
 *      1                 for every s * s of a player who sits at a table of another than the
 *                        preferred size s times
 *
 * Squares make a third time dearer than a second one, for somebody else.
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

/* A plan with everybody in order in every round. False if memory is short. */
bool pod_plan_init(struct pod_plan *plan, unsigned players, unsigned rounds, unsigned preferred,
                   const struct table_sizes *sizes);
void pod_plan_free(struct pod_plan *plan);

/* The players of a round. */
uint16_t *pod_plan_round(const struct pod_plan *plan, unsigned round);

/* Writes met[a * players + b], how often a and b meet; the diagonal is 0. */
void pod_plan_count(const struct pod_plan *plan, uint8_t *met);

/* The sum of m (m - 1) / 2 over pairs. `met` is room for players^2. */
int64_t pod_plan_repeats(const struct pod_plan *plan, uint8_t *met);

/* What byes and short tables cost. */
int64_t pod_plan_unfairness(const struct pod_plan *plan);

/* No plan of this shape costs less than this. */
int64_t pod_plan_floor(const struct pod_plan *plan);

/* pod_plan_search.c: looks for a plan of low cost. The first `kept` rounds stay as they are, the
 * others are drawn; then a fixed number of proposals to swap two players of such a round are taken
 * if they do not raise the cost, or do so by little, the less the longer it goes on; then the best
 * plan seen is improved until no swap of two players of any round lowers its cost. False if memory
 * is short. */
bool pod_plan_anneal(struct pod_plan *plan, unsigned kept, struct chance_stream *stream);

/* pod_plan.c: looks for a plan that repeats itself. All tables have one size, the players
 * stand on circles of `length`, and a few stand still; every round is the one before with everybody
 * moved to the next on the circle, so only one round has to be found. Sets `left` to what is left
 * of its cost: with 0, nobody meets twice in the first `length` rounds. `tried` is false if too
 * many would stand still; the plan is then as it was. False if memory is short. */
bool pod_plan_cycle(struct pod_plan *plan, unsigned length, struct chance_stream *stream,
                    bool *tried, int64_t *left);

/* True with a chance of 2^(-raise / 16), for annealing without floating point. */
bool pod_plan_dares(struct chance_stream *stream, uint32_t raise);

/* pod_plan.c: orders the players of each table by seats, so that everybody sits in each seat
 * about equally often. With tables of one size k and no byes, in every k rounds from the first on
 * everybody sits in each seat once, and in what is left over nobody sits in a seat twice. False if
 * memory is short. */
bool pod_plan_seat(struct pod_plan *plan);

#endif
