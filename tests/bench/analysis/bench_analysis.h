/* What the parts of bench_analysis.c share. */
#ifndef TILLROLL_BENCH_ANALYSIS_H
#define TILLROLL_BENCH_ANALYSIS_H

#include "engine/analysis/analysis.h"
#include "engine/game/catalog.h"
#include "engine/search/level.h"
#include "tests/engine/support/dice.h"
#include "tests/engine/support/table.h"

struct bench {
    const struct game *game;
    const char *level;
    struct level_player *player;
    struct move_list list;
    unsigned seats;
    uint32_t games, first, budget;
    int64_t least; /* hundredths */
};

/* Time of the processor used so far. */
double bench_seconds(void);

/* The first seat that decides. */
unsigned bench_decider(const struct game *game, const void *state);

/* Luck for one decision or sample. */
void bench_luck_of(struct dice *dice, struct chance *chance);

void bench_luck(struct bench *bench);
void bench_blunders(struct bench *bench);
void bench_calibration(struct bench *bench);

#endif
