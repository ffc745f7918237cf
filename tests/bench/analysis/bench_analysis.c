/* What analysis tells of games among players of one level (engine/analysis/analysis.h):
 *
 *      bench_analysis SLUG SEATS GAMES LEVEL BUDGET
 *
 * A budget of 0 is the game's usual one. Prints one line of JSON. Of seat 0: means and variances
 * over the games of its result, its luck, and its result less luck. Then how many plies there were,
 * for how many of them a better move was found, and the core's own time for a game, playing it
 * included. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/analysis/analysis.h"
#include "engine/game/catalog.h"
#include "engine/search/level.h"
#include "tests/engine/support/roll.h"
#include "tests/engine/support/table.h"

struct sums {
    double sum, squares;
};

struct bench {
    struct level_player *player;
    struct move_list list;
    unsigned seats;
    unsigned long games, plies, flagged;
    struct sums result, luck, adjusted;
};

static void add(struct sums *sums, int64_t value)
{
    const double share = (double)value / ANALYSIS_ONE;
    sums->sum += share;
    sums->squares += share * share;
}

static double mean(const struct sums *sums, unsigned long count)
{
    return sums->sum / (double)count;
}

static double variance(const struct sums *sums, unsigned long count)
{
    return (sums->squares - sums->sum * sums->sum / (double)count) / (double)(count - 1);
}

static void play(struct bench *bench, struct roll_writer *writer)
{
    const struct replay *replay = &writer->roll->replay;
    char words[GAME_MOVE_MAX + 32];
    struct text text = TEXT_OVER(words);
    struct chance luck;
    unsigned seat = 0;
    while (!game_decides(replay->header.game, replay->state, seat))
        seat++;
    table_legal(replay->header.game, replay->state, seat, &bench->list);
    level_luck(&luck, replay->head, seat);
    const size_t move = level_choose(bench->player, replay->state, seat, &luck, &bench->list);
    text_add_number(&text, seat);
    text_add_char(&text, ' ');
    /* Decisions that are taken together have the same time. */
    text_add_number(&text, replay->together ? replay->elapsed_ms : (int64_t)replay->seq * 10);
    text_add_char(&text, ' ');
    text_add_span(&text, move_list_get(&bench->list, move));
    if (roll_say(writer, words) != NULL)
        abort();
}

static void bench_game(struct bench *bench, const struct game *game, uint32_t number,
                       uint32_t budget)
{
    const struct game_options options = game_options_initial(game);
    struct record_header header;
    uint8_t secret[32];
    struct roll roll;
    struct roll_writer writer;
    enum replay_verdict verdict;
    struct record_fault fault;
    roll_header(&header, game, bench->seats, &options, number, secret);
    roll_begin(&writer, &roll, &header, secret, number);
    while (game->deciders(roll.replay.state) != 0)
        play(bench, &writer);
    while (roll_due(&writer))
        ;
    struct analysis *analysis = analysis_new(roll_span(&roll), budget, &verdict, &fault);
    if (analysis == NULL)
        abort();
    while (analysis_step(analysis)) {
        bench->plies++;
        bench->flagged += analysis_ply(analysis, analysis_done(analysis) - 1)->loss > 0;
    }
    const struct analysis_total total = analysis_total(analysis, 0);
    add(&bench->result, total.result);
    add(&bench->luck, total.luck);
    add(&bench->adjusted, total.result - total.luck);
    analysis_free(analysis);
    roll_end(&writer);
    roll_free(&roll);
}

int main(int argc, char **argv)
{
    struct bench bench = {.games = 0};
    const struct game *game = argc == 6 ? catalog_newest(span_of(argv[1])) : NULL;
    const struct level *level = argc == 6 ? level_named(span_of(argv[4])) : NULL;
    if (game == NULL || level == NULL || sodium_init() < 0)
        return 2;
    bench.seats = (unsigned)strtoul(argv[2], NULL, 10);
    bench.games = strtoul(argv[3], NULL, 10);
    const uint32_t budget = (uint32_t)strtoul(argv[5], NULL, 10);
    bench.player = level_player_new(game, level);
    if (bench.player == NULL || bench.seats < game->seats_min || bench.seats > game->seats_max ||
        bench.games < 2 || (budget != 0 && budget < ANALYSIS_BUDGET_MIN) ||
        budget > ANALYSIS_BUDGET_MAX)
        return 2;
    table_list_init(&bench.list, game);
    struct timespec spent;
    for (uint32_t i = 0; i < bench.games; i++)
        bench_game(&bench, game, i, budget);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    printf("{\"slug\":\"%s\",\"level\":\"%s\",\"budget\":%u,\"games\":%lu,\"result\":%.3f,"
           "\"luck\":%.3f,\"luck_variance\":%.4f,\"result_variance\":%.4f,"
           "\"adjusted_variance\":%.4f,\"plies\":%lu,\"flagged\":%lu,\"seconds_per_game\":%.2f}\n",
           game->slug, level->name, (unsigned)(budget == 0 ? analysis_usual_budget(game) : budget),
           bench.games, mean(&bench.result, bench.games), mean(&bench.luck, bench.games),
           variance(&bench.luck, bench.games), variance(&bench.result, bench.games),
           variance(&bench.adjusted, bench.games), bench.plies, bench.flagged,
           ((double)spent.tv_sec + (double)spent.tv_nsec / 1e9) / (double)bench.games);
    level_player_free(bench.player);
    move_list_free(&bench.list);
    return 0;
}
