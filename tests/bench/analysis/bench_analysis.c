/* Measures what an analysis claims (engine/analysis/analysis.h):
 *
 *      bench_analysis luck SLUG SEATS GAMES LEVEL BUDGET [FIRST]
 *      bench_analysis blunders SLUG SEATS GAMES LEVEL BUDGET LEAST [FIRST]
 *      bench_analysis flags SLUG SEATS GAMES LEVEL BUDGET [FIRST]
 *      bench_analysis calibration SLUG SEATS GAMES LEVEL SAMPLES [FIRST]
 *
 * All games are among players of one level; FIRST is the number of the first one. A budget of 0 is
 * the game's usual one. Each prints lines of JSON, whose members bench_luck.c, bench_blunders.c and
 * bench_calibration.c explain. */
#include "tests/bench/analysis/bench_analysis.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_seconds(void)
{
    struct timespec spent;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return (double)spent.tv_sec + (double)spent.tv_nsec / 1e9;
}

unsigned bench_decider(const struct game *game, const void *state)
{
    unsigned seat = 0;
    while (!game_decides(game, state, seat))
        seat++;
    return seat;
}

void bench_luck_of(struct dice *dice, struct chance *chance)
{
    *chance = (struct chance){.stacks = NULL};
    for (size_t i = 0; i < CHANCE_SEED_BYTES; i++)
        chance->seed[i] = (uint8_t)dice_below(dice, 256);
}

int main(int argc, char **argv)
{
    struct bench bench = {.first = 0};
    if (argc < 7 || sodium_init() < 0)
        return 2;
    const bool blunders = strcmp(argv[1], "blunders") == 0;
    const bool luck = strcmp(argv[1], "luck") == 0;
    const struct level *level = level_named(span_of(argv[5]));
    bench.game = catalog_newest(span_of(argv[2]));
    bench.seats = (unsigned)strtoul(argv[3], NULL, 10);
    bench.games = (uint32_t)strtoul(argv[4], NULL, 10);
    bench.budget = (uint32_t)strtoul(argv[6], NULL, 10);
    if (bench.game == NULL || level == NULL || bench.games < (luck ? 2 : 1) ||
        (blunders && (argc < 8 || strtol(argv[7], NULL, 10) < 1)) ||
        bench.seats < bench.game->seats_min || bench.seats > bench.game->seats_max)
        return 2;
    bench.level = level->name;
    bench.least = blunders ? strtol(argv[7], NULL, 10) : 0;
    if (argc > (blunders ? 8 : 7))
        bench.first = (uint32_t)strtoul(argv[argc - 1], NULL, 10);
    if (bench.budget == 0)
        bench.budget = analysis_usual_budget(bench.game);
    if (bench.budget < ANALYSIS_BUDGET_MIN || bench.budget > ANALYSIS_BUDGET_MAX)
        return 2;
    bench.player = level_player_new(bench.game, level);
    if (bench.player == NULL)
        return 2;
    table_list_init(&bench.list, bench.game);
    if (blunders || strcmp(argv[1], "flags") == 0)
        bench_blunders(&bench);
    else if (luck)
        bench_luck(&bench);
    else
        bench_calibration(&bench);
    level_player_free(bench.player);
    move_list_free(&bench.list);
    return 0;
}
