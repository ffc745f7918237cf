/* Luck: is its mean 0, and does a result less its luck vary less than the result?
 *
 * A line for each game has every seat's result and luck. The last line:
 *
 *      luck_z          mean luck of the seat whose mean is farthest from 0, in standard errors
 *      variance        of the results about the seat's mean, averaged over the seats
 *      unlucky         of the result less its luck, as a share of that
 *      coefficient     C for which the result less C times its luck varies least, from all games
 *      adjusted        of the result less C times its luck, as a share, C each time from the other
 *                      half of the games
 *      changed         plies whose player chose otherwise than the playouts would
 *      seconds         of one core for the analysis of a game
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/analysis/bench_analysis.h"
#include "tests/engine/support/roll.h"

/* Sums over half of the games, of one seat. */
struct sums {
    double count, result, luck, result_squares, luck_squares, products;
};

struct luck {
    struct sums seat[GAME_SEATS_MAX][2];
    unsigned long plies, changed, flagged;
    double seconds;
};

static void add(struct sums *sums, double result, double luck)
{
    sums->count++;
    sums->result += result;
    sums->luck += luck;
    sums->result_squares += result * result;
    sums->luck_squares += luck * luck;
    sums->products += result * luck;
}

static struct sums join(const struct sums *a, const struct sums *b)
{
    return (struct sums){a->count + b->count,
                         a->result + b->result,
                         a->luck + b->luck,
                         a->result_squares + b->result_squares,
                         a->luck_squares + b->luck_squares,
                         a->products + b->products};
}

/* Sum of the products of the distances from the means. */
static double about(double products, double a, double b, double count)
{
    return products - a * b / count;
}

/* The sum of squares, about its mean, of the result less `times` its luck. */
static double squares_less(const struct sums *sums, double times)
{
    return about(sums->result_squares, sums->result, sums->result, sums->count) -
           2 * times * about(sums->products, sums->result, sums->luck, sums->count) +
           times * times * about(sums->luck_squares, sums->luck, sums->luck, sums->count);
}

/* ---- A game ---- */

static void play(struct bench *bench, struct roll_writer *writer)
{
    const struct replay *replay = &writer->roll->replay;
    char words[GAME_MOVE_MAX + 32];
    struct text text = TEXT_OVER(words);
    struct chance luck;
    const unsigned seat = bench_decider(bench->game, replay->state);
    table_legal(bench->game, replay->state, seat, &bench->list);
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

static void analyse(struct bench *bench, struct span record, unsigned half, struct luck *luck)
{
    enum replay_verdict verdict;
    struct record_fault fault;
    const double begun = bench_seconds();
    struct analysis *analysis = analysis_new(record, NULL, bench->budget, &verdict, &fault);
    if (analysis == NULL)
        abort();
    while (analysis_step(analysis)) {
        const struct analysis_ply *ply = analysis_ply(analysis, analysis_done(analysis) - 1);
        bool changed = false;
        for (unsigned seat = 0; seat < bench->seats; seat++)
            changed = changed || ply->skill[seat] != 0;
        luck->plies++;
        luck->changed += changed;
        luck->flagged += ply->loss > 0;
    }
    for (unsigned seat = 0; seat < bench->seats; seat++) {
        const struct analysis_total total = analysis_total(analysis, seat);
        printf("%s[%.3f,%.3f]", seat == 0 ? "[" : ",", (double)total.result / ANALYSIS_ONE,
               (double)total.luck / ANALYSIS_ONE);
        add(&luck->seat[seat][half], (double)total.result / ANALYSIS_ONE,
            (double)total.luck / ANALYSIS_ONE);
    }
    printf("]\n");
    (void)fflush(stdout);
    analysis_free(analysis);
    luck->seconds += bench_seconds() - begun;
}

static void bench_game(struct bench *bench, uint32_t number, struct luck *luck)
{
    const struct game_options options = game_options_initial(bench->game);
    struct record_header header;
    uint8_t secret[32];
    struct roll roll;
    struct roll_writer writer;
    roll_header(&header, bench->game, bench->seats, &options, number, secret);
    roll_begin(&writer, &roll, &header, secret, number);
    while (bench->game->deciders(roll.replay.state) != 0)
        play(bench, &writer);
    while (roll_due(&writer))
        ;
    analyse(bench, roll_span(&roll), number % 2, luck);
    roll_end(&writer);
    roll_free(&roll);
}

/* ---- All games ---- */

/* The coefficient is one for all seats. */
static double coefficient(const struct luck *luck, const struct bench *bench, unsigned halves)
{
    double products = 0, squares = 0;
    for (unsigned seat = 0; seat < bench->seats; seat++)
        for (unsigned half = 0; half < 2; half++) {
            const struct sums *sums = &luck->seat[seat][half];
            if ((halves >> half & 1) == 0)
                continue;
            products += about(sums->products, sums->result, sums->luck, sums->count);
            squares += about(sums->luck_squares, sums->luck, sums->luck, sums->count);
        }
    return squares == 0 ? 1 : products / squares;
}

void bench_luck(struct bench *bench)
{
    struct luck luck = {.plies = 0};
    double farthest = 0, raw = 0, unlucky = 0, split = 0, adjusted = 0;
    for (uint32_t i = 0; i < bench->games; i++)
        bench_game(bench, bench->first + i, &luck);
    for (unsigned seat = 0; seat < bench->seats; seat++) {
        const struct sums *half = luck.seat[seat];
        const struct sums all = join(&half[0], &half[1]);
        const double error =
            sqrt(about(all.luck_squares, all.luck, all.luck, all.count) / (all.count - 1));
        const double z = error == 0 ? 0 : all.luck / error / sqrt(all.count);
        farthest = fabs(z) > fabs(farthest) ? z : farthest;
        raw += squares_less(&all, 0);
        unlucky += squares_less(&all, 1);
        for (unsigned i = 0; i < 2; i++) {
            split += squares_less(&half[i], 0);
            adjusted += squares_less(&half[i], coefficient(&luck, bench, 2U >> i));
        }
    }
    const double degrees = (double)bench->seats * (bench->games - 1);
    printf("{\"slug\":\"%s\",\"seats\":%u,\"level\":\"%s\",\"budget\":%u,\"games\":%u,"
           "\"luck_z\":%.2f,\"variance\":%.4f,\"unlucky\":%.3f,\"coefficient\":%.3f,"
           "\"adjusted\":%.3f,\"plies\":%lu,\"changed\":%lu,\"flagged\":%lu,\"seconds\":%.2f}\n",
           bench->game->slug, bench->seats, bench->level, (unsigned)bench->budget,
           (unsigned)bench->games, farthest, raw / degrees, unlucky / raw,
           coefficient(&luck, bench, 3), adjusted / split, luck.plies, luck.changed, luck.flagged,
           luck.seconds / bench->games);
}
