/* Calibration: is a value the mean of the results that follow it?
 *
 * Of each game one position, drawn by lot, is valued with SAMPLES samples for a seat drawn by lot.
 * The fewer samples, the greater the error, as values then differ by chance.
 *
 *      error           values are sorted into ten bins of the same number of games; the mean over
 *                      the bins of the distance between mean value and mean result: in hundredths
 *                      of the rivals, alone in points
 *      bias            mean value less mean result, in the same units
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search/search.h"
#include "engine/search/value.h"
#include "tests/bench/analysis/bench_analysis.h"

enum { BINS = 10 };

struct pair {
    double value, result;
};

struct calibration {
    struct search *search;
    struct dice dice;
    struct table table;
    _Alignas(8) unsigned char drawn[GAME_STATE_MAX];
    _Alignas(8) unsigned char copy[GAME_STATE_MAX];
};

/* Plays a game, and keeps one of its positions, each with the same chance. */
static void play(struct bench *bench, struct calibration *run)
{
    struct table *table = &run->table;
    for (uint32_t count = 1; bench->game->deciders(table->state) != 0; count++) {
        struct refusal refusal;
        struct chance luck;
        const unsigned seat = bench_decider(bench->game, table->state);
        if (dice_one_in(&run->dice, count))
            memcpy(run->drawn, table->state, sizeof run->drawn);
        table_legal(bench->game, table->state, seat, &bench->list);
        bench_luck_of(&run->dice, &luck);
        const size_t move = level_choose(bench->player, table->state, seat, &luck, &bench->list);
        if (!bench->game->play(bench->game, table->state, seat, move_list_get(&bench->list, move),
                               &table->chance, &refusal))
            abort();
    }
}

static double value_of(const struct bench *bench, const void *state, unsigned seat)
{
    struct outcome outcome;
    bench->game->outcome(bench->game, state, &outcome);
    return value_halves(&outcome, seat) / 2.0 / (bench->seats == 1 ? 1 : bench->seats - 1);
}

static struct pair one(struct bench *bench, struct calibration *run)
{
    struct pair pair = {0, 0};
    play(bench, run);
    const unsigned seat = dice_below(&run->dice, bench->seats);
    for (uint32_t i = 0; i < bench->budget; i++) {
        struct chance chance;
        bench_luck_of(&run->dice, &chance);
        memcpy(run->copy, run->drawn, sizeof run->copy);
        bench->game->imagine(bench->game, run->copy, (struct viewer){VIEWER_AUDITOR, 0}, &chance);
        search_play_out(run->search, run->copy, &chance);
        pair.value += value_of(bench, run->copy, seat) / bench->budget;
    }
    pair.result = value_of(bench, run->table.state, seat);
    return pair;
}

static int by_value(const void *a, const void *b)
{
    const double x = ((const struct pair *)a)->value, y = ((const struct pair *)b)->value;
    return (x > y) - (x < y);
}

void bench_calibration(struct bench *bench)
{
    struct calibration *run = calloc(1, sizeof *run);
    struct pair *pair = calloc(bench->games, sizeof *pair);
    const struct game_options options = game_options_initial(bench->game);
    const struct search_settings settings = {.candidates = 2, .playouts = 1, .margin = 1};
    if (run == NULL || pair == NULL || (run->search = search_new(bench->game, &settings)) == NULL)
        abort();
    for (uint32_t i = 0; i < bench->games; i++) {
        dice_open(&run->dice, "calibration", bench->first + i);
        table_set(&run->table, bench->game, bench->seats, &options, bench->first + i);
        pair[i] = one(bench, run);
    }
    qsort(pair, bench->games, sizeof *pair, by_value);
    double error = 0, bias = 0;
    for (uint32_t bin = 0; bin < BINS; bin++) {
        double apart = 0;
        for (uint32_t i = bench->games * bin / BINS; i < bench->games * (bin + 1) / BINS; i++)
            apart += pair[i].value - pair[i].result;
        error += fabs(apart) / bench->games;
        bias += apart / bench->games;
    }
    const double unit = bench->seats == 1 ? 1 : 100;
    printf("{\"slug\":\"%s\",\"seats\":%u,\"level\":\"%s\",\"samples\":%u,\"games\":%u,"
           "\"error\":%.2f,\"bias\":%.2f,\"seconds\":%.4f}\n",
           bench->game->slug, bench->seats, bench->level, (unsigned)bench->budget,
           (unsigned)bench->games, error * unit, bias * unit, bench_seconds() / bench->games);
    search_free(run->search);
    free(run);
    free(pair);
}
