/* The advantage of seats: what each seat of each table size won, with intervals of 95 %.
 *
 *      wins     first places, shared ones as fractions; against 1/k at a table of k
 *      share    own score / sum of the scores at the table (scores below zero count as zero)
 *      score    the game's own
 *
 * Win rates have Wilson's interval (JASA 22 (1927)), means the normal one; both with z = 1.96, in
 * integers, rounded outwards. They assume independent tables, which tables of the same players are
 * not quite; with fewer than about thirty tables the normal interval is too narrow. It takes a few
 * hundred tables to tell a real advantage from luck, so always show the interval.
 *
 * Of several intervals of 95 % one easily misses the even rate by luck; after the first table of
 * five the winner's does. So a seat is called significantly better or worse only if its interval
 * excludes the even rate and the wins of all seats together are too uneven for luck: by Pearson's
 * chi-squared test at 5 %, from SEAT_EXPECTED_LEAST expected wins per seat on (Cochran's rule),
 * because with fewer it does not hold. Shared wins vary less than the test assumes, so it errs
 * towards luck.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_STANDINGS_SEAT_ADVANTAGE_H
#define TILLROLL_ENGINE_TOURNAMENT_STANDINGS_SEAT_ADVANTAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/tournament/result/result.h"

enum {
    SEAT_TABLES_MAX = 4000000,
    SEAT_SCORE_MAX = 1 << 20, /* |score| of a counted table */
    SEAT_UNIT = 1000000,      /* one, in rates and means: six digits after the point */
    SEAT_HANDICAP_TABLES = 100,
    SEAT_EXPECTED_LEAST = 5 /* tables per seat, for the test of significance */
};

/* Sums over the tables of one size, for one seat. All zero: nothing counted yet. */
struct seat_tally {
    uint64_t won;    /* in 60ths */
    uint64_t shares; /* in millionths, each rounded down */
    uint64_t share_squares;
    int64_t scores;
    uint64_t score_squares;
};

struct seat_tallies {
    uint32_t tables[TOURNAMENT_SEATS_MAX + 1];                              /* [seats] */
    struct seat_tally seat[TOURNAMENT_SEATS_MAX + 1][TOURNAMENT_SEATS_MAX]; /* [seats][seat] */
};

/* Counts a table. False, with nothing counted: not every seat played, a score exceeds
 * SEAT_SCORE_MAX, or SEAT_TABLES_MAX tables of its size are counted already. */
bool seat_count(struct seat_tallies *tallies, const struct table_result *table);

/* A number and the interval around it, in millionths. */
struct seat_interval {
    int64_t value; /* rounded to the nearest, halves away from zero */
    int64_t low, high;
};

struct seat_advantage {
    uint32_t tables;
    struct seat_interval wins;  /* 0 .. SEAT_UNIT; even is SEAT_UNIT / seats */
    struct seat_interval share; /* 0 .. SEAT_UNIT; the same */
    struct seat_interval score;
    bool significant; /* the interval excludes the even rate, and seat_advantage_differs() */
    uint8_t padding[7];
};

/* The counts for a seat (0 .. seats - 1) of tables of `seats` (2 .. TOURNAMENT_SEATS_MAX). Without
 * tables everything is 0; with one, the intervals of the means have no width. */
struct seat_advantage seat_advantage(const struct seat_tallies *tallies, unsigned seats,
                                     unsigned seat);

/* True if seats of tables of `seats` (2 .. TOURNAMENT_SEATS_MAX) have won too unevenly for luck:
 * the test above. Pure; any thread. */
bool seat_advantage_differs(const struct seat_tallies *tallies, unsigned seats);

/* Wilson's interval for `won` 60ths of wins in `tables` (1 .. SEAT_TABLES_MAX). */
struct seat_interval seat_win_rate(uint64_t won, uint32_t tables);

/* The handicaps of seats for the tie-break SH: the even rate less the measured one, in thousandths
 * of a win; 0 for sizes with fewer than SEAT_HANDICAP_TABLES tables, where luck would be measured.
 */
void seat_handicaps(const struct seat_tallies *tallies,
                    int32_t handicap[TOURNAMENT_SEATS_MAX + 1][TOURNAMENT_SEATS_MAX]);

#endif
