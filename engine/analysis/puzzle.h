/* Puzzles: positions of finished games in which one move is better than all others by far.
 *
 * Each legal move is played in the same imagined positions (imagine() for the seat that decides, so
 * that nothing is used that it cannot know) with the same luck, and the game is played to its end,
 * all seats as level `regular`. A few samples find candidates for puzzles. Then new samples, so
 * that the difference is not one that was picked for its size, must show the same move ahead of
 * each other one by at least PUZZLE_APART standard errors of their difference.
 *
 * Integers only: the same position and luck give the same puzzle everywhere.
 */
#ifndef TILLROLL_ENGINE_ANALYSIS_PUZZLE_H
#define TILLROLL_ENGINE_ANALYSIS_PUZZLE_H

#include "engine/analysis/analysis.h"

enum {
    PUZZLE_MOVES_MIN = 3,  /* fewer are no question, */
    PUZZLE_MOVES_MAX = 24, /* and more cost too much */
    PUZZLE_SCREEN = 24,
    PUZZLE_SAMPLES = 200,
    PUZZLE_APART = 5
};

struct puzzle {
    size_t best; /* index of the move */
    uint32_t samples;
    int64_t value[PUZZLE_MOVES_MAX]; /* of each move for its seat, as in analysis.h */
    int32_t apart; /* by how many hundredths of a standard error the best is ahead of the nearest */
};

struct puzzle_finder;

/* Memory for games with this ruleset; NULL when out of memory. puzzle_finder_free() frees; NULL is
 * fine. One thread at a time. */
struct puzzle_finder *puzzle_finder_new(const struct game *game);
void puzzle_finder_free(struct puzzle_finder *finder);

/* True if the position is a puzzle for `seat`, one of the deciders. `legal` is what legal() lists
 * for it; `luck` is the source of all luck. */
bool puzzle_find(struct puzzle_finder *finder, const void *state, unsigned seat,
                 const struct chance *luck, const struct move_list *legal, struct puzzle *puzzle);

#endif
