/* Glicko-2 (Glickman, "Example of the Glicko-2 system", 2013), for events of two seats.
 *
 * A rating is three integers: the rating and its deviation in millionths, on Glickman's scale
 * (1500, 350), and the volatility in billionths. They are authoritative: the result of every
 * rating period is rounded to them. The arithmetic in between is fixed point on integers (wide.h),
 * so every compiler, option and machine computes the same integers.
 *
 * Accuracy: before rounding, errors stay below 1e-7 for the rating, below 1e-8 for the deviation
 * and below 1e-10 for the volatility, so a result differs from the exact one by at most one unit.
 *
 * The caller defines the rating periods: all games of a period are rated at once, against the
 * opponents' ratings at its start. Glickman advises 10 to 15 games per player; here it is an event,
 * or a week of open play (rating_history.h). A player without games in a period keeps rating and
 * volatility, and the deviation grows.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_RESULT_GLICKO_H
#define TILLROLL_ENGINE_TOURNAMENT_RESULT_GLICKO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GLICKO_RATING_UNIT INT64_C(1000000)
#define GLICKO_RATING_MAX  (10000 * GLICKO_RATING_UNIT) /* |rating| */

enum {
    GLICKO_DEVIATION_MIN = 1000000,
    GLICKO_DEVIATION_MAX = 350000000, /* that of a new player; it grows no further */
    GLICKO_VOLATILITY_UNIT = 1000000000,
    GLICKO_VOLATILITY_MIN = 1000000,
    GLICKO_VOLATILITY_MAX = GLICKO_VOLATILITY_UNIT,
    GLICKO_GAMES_MAX = 256,   /* games of one player in one period */
    GLICKO_TAU_DEFAULT = 500, /* thousandths: how fast volatility changes */
    GLICKO_TAU_MAX = 1200,
    GLICKO_PERIODS_MAX = 100000
};

struct glicko {
    int64_t rating;     /* millionths, -GLICKO_RATING_MAX .. GLICKO_RATING_MAX */
    int32_t deviation;  /* millionths, GLICKO_DEVIATION_MIN .. MAX */
    int32_t volatility; /* billionths, GLICKO_VOLATILITY_MIN .. MAX */
};

struct glicko_game {
    struct glicko opponent; /* when the period began */
    uint32_t halves;        /* 2 won, 1 drawn, 0 lost */
    uint32_t padding;
};

/* 1500, 350 and 0.06. */
struct glicko glicko_initial(void);

/* Rates one period of a player with 1 .. GLICKO_GAMES_MAX games. `tau` is 1 .. GLICKO_TAU_MAX
 * thousandths. Writes the new rating in place; deviation and volatility are clamped to their
 * ranges. False, with nothing changed, if anything is out of range. The result does not depend on
 * the order of games. Pure; any thread. */
bool glicko_update(struct glicko *player, const struct glicko_game *games, size_t count,
                   int32_t tau);

/* The player after 0 .. GLICKO_PERIODS_MAX periods without a game: deviation^2 grows by
 * volatility^2 per period. `player` must be in range. */
struct glicko glicko_rest(struct glicko player, uint32_t periods);

#endif
