/* Points: what a place at a table and an unplayed round are worth.
 *
 * A scheme is data. Seats that tie share the points of the places they cover: two who tie for first
 * of 5/3/2/1 get 4 each. Every share has to come out in whole 60ths, which scoring_valid() checks;
 * with whole points it always does.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_SCORING_H
#define TILLROLL_ENGINE_TOURNAMENT_SCORING_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/tournament/result.h"

enum { SCORING_POINTS_MAX = 16384 }; /* of one round, in 60ths: 273 points */

struct scoring {
    /* place[k][i]: place i + 1 at a table of k, in 60ths, not rising with i; 0 .. the maximum. */
    int32_t place[TOURNAMENT_SEATS_MAX + 1][TOURNAMENT_SEATS_MAX];
    /* Kinds without a place: byes, absence and a forfeit loss. 0 .. the maximum. The kinds with a
     * place (PLAYED, ADJUDICATED, FORFEIT_WIN) are not read here. */
    int32_t unplayed[ROUND_KINDS];
    /* What a round that nothing is known of is worth where an opponent's strength is measured. */
    int32_t neutral;
};

/* The default.
 *
 *      seats   places        mean
 *      2       5 1           3
 *      3       5 2 1         2 2/3
 *      4       5 3 2 1       2 3/4
 *      5       5 4 3 2 1     3
 *
 * A win is worth the same at every table, coming last is worth one, and the mean is as near to that
 * of four as falling whole numbers allow, so that an odd table is neither gift nor loss. Pairing
 * and full byes and the neutral round are worth the mean of four (2 3/4), a half bye one point,
 * everything else unplayed nothing. */
extern const struct scoring scoring_default;

/* True if all points are in range, no place is worth more than a better one, and all shares come
 * out in whole 60ths. */
bool scoring_valid(const struct scoring *scoring);

/* The points of seat `seat` of a table, in 60ths. The table has valid ranks (result.h). A table of
 * one seat has no places: the kind decides. */
int32_t scoring_points(const struct scoring *scoring, const struct table_result *table,
                       unsigned seat);

#endif
