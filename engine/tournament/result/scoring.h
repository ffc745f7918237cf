/* Points: the value of a place at a table and of an unplayed round.
 *
 * A scheme is data. Tied seats share the points of the places they cover: two who tie for first of
 * 5/3/2/1 get 4 each. Every share must be a whole number of 60ths, which scoring_valid() checks;
 * with whole points it always is. A draw of two seats can have a value of its own (3-1-0), and a
 * scheme can count the margin of the game's scores instead of places.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_RESULT_SCORING_H
#define TILLROLL_ENGINE_TOURNAMENT_RESULT_SCORING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/text.h"
#include "engine/tournament/result/result.h"

enum {
    SCORING_POINTS_MAX = 16384, /* of one round, in 60ths: 273 points */
    SCORING_MARGIN_STEP = 12    /* margin_unit is a multiple of this */
};

/* The result of one seat of a table against another. */
enum duel { DUEL_AHEAD, DUEL_LEVEL, DUEL_BEHIND, DUELS };

struct scoring {
    /* place[k][i]: place i + 1 at a table of k, in 60ths, not increasing with i; 0 .. the
     * maximum. */
    int32_t place[TOURNAMENT_SEATS_MAX + 1][TOURNAMENT_SEATS_MAX];
    /* Kinds without a place: byes, absence and a forfeit loss. 0 .. the maximum. Not read for the
     * kinds with a place (PLAYED, ADJUDICATED, FORFEIT_WIN). */
    int32_t unplayed[ROUND_KINDS];
    /* The value of an unknown round when an opponent's strength is measured. In schemes for two
     * seats, a draw. */
    int32_t neutral;
    /* With `pairing_apart`, each of two who tie at a table of two gets `draw`; otherwise they
     * share. */
    int32_t draw;
    bool pairing_apart;
    uint8_t padding[3];
    /* The value of coming out ahead of, level with or behind one opponent wherever opponents are
     * counted one by one (direct encounter, Sonneborn-Berger, Koya), in 60ths, not increasing. All
     * zero: 1 point, 1/2 and 0. */
    int32_t duel[DUELS];
    /* With a margin_unit > 0, played games are scored by margin instead of places: the mean over
     * the opponents of (own score - theirs), each clamped to -margin_cap .. margin_cap, times
     * margin_unit, plus margin_base. A seat that did not play loses to the others by margin_cap.
     * The unit is a multiple of SCORING_MARGIN_STEP, so the mean over 1 .. 4 opponents is whole. */
    int32_t margin_unit, margin_cap, margin_base;
};

/* The default.
 *
 *      seats   places        mean
 *      2       5 1           3
 *      3       5 2 1         2 2/3
 *      4       5 3 2 1       2 3/4
 *      5       5 4 3 2 1     3
 *
 * A win is worth the same at every table, last place is worth one, and the mean is as near to that
 * of four as decreasing whole numbers allow, so a table of another size is neither an advantage nor
 * a disadvantage. Pairing and full byes and the neutral round are worth the mean of four (2 3/4), a
 * half bye one point, and all other unplayed rounds nothing.
 */
extern const struct scoring scoring_default;

/* A scheme that organizers can choose by name. */
struct scoring_scheme {
    const char *code; /* `5-3-2-1` */
    struct scoring scoring;
};

/* 5-3-2-1 (the default), 4-3-2-1, win-only, 3-1-0, 1-half-0, margin. All are valid. */
extern const struct scoring_scheme scoring_schemes[];
extern const size_t scoring_scheme_count;

/* The scheme with this code, or NULL. Static. */
const struct scoring_scheme *scoring_find(struct span code);

/* True if all points are in range, no place is worth more than a better one, a draw lies between
 * win and loss, and all shares come out in whole 60ths. */
bool scoring_valid(const struct scoring *scoring);

/* The points of seat `seat` of a table, in 60ths. The table has valid ranks (result.h). A table of
 * one seat has no places: the kind decides. */
int32_t scoring_points(const struct scoring *scoring, const struct table_result *table,
                       unsigned seat);

/* The value of `duel`, in 60ths. */
int32_t scoring_duel(const struct scoring *scoring, enum duel duel);

/* The points of each seat at a table of `seats` (2 .. TOURNAMENT_SEATS_MAX) if all are level, in
 * 60ths. */
int32_t scoring_all_level(const struct scoring *scoring, unsigned seats);

/* The points of the scheme's best first place, in 60ths. */
int32_t scoring_first(const struct scoring *scoring);

#endif
