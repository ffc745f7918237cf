/* Scoring (rulebook, Game End and Scoring). */
#ifndef TILLROLL_SUPERSTORE_SCORE_H
#define TILLROLL_SUPERSTORE_SCORE_H

#include "engine/game/game.h"
#include "engine/games/superstore-3000/plan.h"

/* The kinds of balloons, the rainbow first. */
enum balloon { RAINBOW, BALLOON_HOBBY, BALLOON_FOOD, BALLOON_FASHION, BALLOONS };

extern const struct span superstore_balloons[BALLOONS];

/* A seat's merit for a balloon. For the rainbow: all satisfied customers, with `size` as their
 * number; for a colour: its best cluster of the category, all 0 without a store. */
struct superstore_merit {
    uint8_t size;             /* stores */
    uint8_t customers;        /* satisfied, in them */
    uint8_t floor[TILES_MAX]; /* of the customers, in descending order */
};

struct superstore_points {
    int32_t balloons[BALLOONS][SEATS_MAX];
    int32_t attractions[SEATS_MAX];
    int32_t docks[SEATS_MAX];
};

/* The tiles of `nodes` that are connected with tile `start`, which is one of them, through each
 * other. */
uint32_t superstore_cluster(const struct superstore_plan *plan, uint32_t nodes, unsigned start);

/* The best cluster of a store category: stores that are adjacent, or connected by attractions. */
void superstore_best_cluster(const struct superstore_mall *mall, unsigned category,
                             struct superstore_merit *merit);

/* For a condition of elements in a line: how many there are on the lines of a tile of that kind, if
 * it is added. */
unsigned superstore_reached_with(const struct superstore_components *set,
                                 const struct superstore_mall *mall,
                                 const struct superstore_condition *condition,
                                 const struct superstore_tile *tile);

/* Points of a tile, which may be one that is not in the mall yet: an attraction or docking bay. */
int32_t superstore_tile_points(const struct superstore_components *set,
                               const struct superstore_mall *mall,
                               const struct superstore_tile *tile);

int32_t superstore_attraction_points(const struct superstore_components *set,
                                     const struct superstore_mall *mall);
int32_t superstore_dock_points(const struct superstore_components *set,
                               const struct superstore_mall *mall);

/* All points as if the game ended now. */
void superstore_count_points(const struct superstore_components *set,
                             const struct superstore_state *state,
                             struct superstore_points *points);

void superstore_outcome(const struct game *game, const void *state, struct outcome *outcome);

#endif
