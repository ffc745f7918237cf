/* Seats at one table: the order that evens out the use of seats.
 *
 *      cost of an order = 16 * sum over players of (c+1)^2 - c^2    c = rounds in that seat so far
 *                            + sum over neighbours of (b+1)^2 - b^2    b = how often so before
 *
 * Neighbours are each player and the one in the next seat, the last before the first. Squares make
 * a third time in one seat cost more than a second. The factor 16 puts the seat before the
 * neighbour.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_SEATS_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_SEATS_H

#include <stdint.h>

#include "engine/game/chance.h"
#include "engine/tournament/result/result.h"

enum { POD_SEAT_WEIGHT = 16 };

/* What the cost of a table's seat orders depends on. */
struct pod_seating {
    unsigned players;                                                /* 2 .. TOURNAMENT_SEATS_MAX */
    uint16_t seat_count[TOURNAMENT_SEATS_MAX][TOURNAMENT_SEATS_MAX]; /* [player][seat] */
    uint8_t before[TOURNAMENT_SEATS_MAX][TOURNAMENT_SEATS_MAX]; /* [a][b]: a sat just before b */
};

/* The cost of one order; order[seat] = player, a permutation of 0 .. players - 1. */
int64_t pod_seats_cost(const struct pod_seating *seating, const uint8_t *order);

/* The least cost of all orders. */
int64_t pod_seats_least(const struct pod_seating *seating);

/* Draws one of the orders of least cost, each equally likely, and writes it to `order`. Examines
 * all players! orders, in lexicographic order. */
int64_t pod_seats_pairing(const struct pod_seating *seating, struct chance_stream *stream,
                          uint8_t *order);

#endif
