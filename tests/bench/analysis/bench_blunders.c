/* Reviews of moves, as an analysis makes them. A line for each game has the sums so far.
 *
 * Blunders: at every decision of a game a random legal move other than the player's is looked at.
 * If a review with LONGER times the samples, but at most as many as a review can take, shows it to
 * lose at least `least` hundredths of a place (alone, of a point), it is a planted blunder. Moves
 * for which one with SCREEN times the samples, in other luck, does not show half of that are left
 * out before, which saves most of the time.
 *
 *      longer              how many times as many samples the longer review has
 *      planted, found      blunders, and those of them that the review reports
 *
 * Flags: every move of the players is reviewed.
 *
 *      reviewed, flagged   their moves, and those that the review reports
 *      false               of these, those in which the longer review finds no loss
 *      seconds             of one core for the reviews of a game
 *
 * The same search confirms and finds, so that its blind spots do not count. */
#include <stdio.h>
#include <stdlib.h>

#include "engine/search/search.h"
#include "tests/bench/analysis/bench_analysis.h"

enum { SCREEN = 4, LONGER = 20 };

/* Reviews with so many times the playouts of an analysis, for the rival and for the comparison. */
struct reviewer {
    struct search *search;
    uint32_t samples;
};

struct blunders {
    struct reviewer usual, screen, longer;
    struct dice dice;
    struct table table;
    unsigned long planted, found, reviewed, flagged, unconfirmed;
    double seconds;
};

static struct reviewer open_reviewer(const struct bench *bench, uint32_t times)
{
    struct search_settings settings = analysis_review_settings(bench->game, bench->budget);
    struct reviewer reviewer = {NULL, analysis_review_samples(bench->budget) * times};
    settings.playouts *= times;
    reviewer.search = search_new(bench->game, &settings);
    if (reviewer.search == NULL)
        abort();
    return reviewer;
}

/* Whether a review finds the move to lose `least` hundredths, or anything at all if that is 0. */
static bool review(struct bench *bench, struct blunders *blunders, const struct reviewer *reviewer,
                   unsigned seat, size_t move, int64_t least)
{
    struct search_finding finding;
    struct chance luck;
    bench_luck_of(&blunders->dice, &luck);
    return search_review(reviewer->search, blunders->table.state, seat, &luck, &bench->list, move,
                         reviewer->samples, &finding) &&
           finding.halves * 50 >= least * (int64_t)finding.samples;
}

static void review_own(struct bench *bench, struct blunders *blunders, unsigned seat, size_t move)
{
    const double begun = bench_seconds();
    const bool flagged = review(bench, blunders, &blunders->usual, seat, move, 0);
    blunders->seconds += bench_seconds() - begun;
    blunders->reviewed++;
    blunders->flagged += flagged;
    if (flagged)
        blunders->unconfirmed += !review(bench, blunders, &blunders->longer, seat, move, 0);
}

static void plant(struct bench *bench, struct blunders *blunders, unsigned seat, size_t move)
{
    if (!review(bench, blunders, &blunders->screen, seat, move, bench->least / 2) ||
        !review(bench, blunders, &blunders->longer, seat, move, bench->least))
        return;
    blunders->planted++;
    blunders->found += review(bench, blunders, &blunders->usual, seat, move, 0);
}

static void play(struct bench *bench, struct blunders *blunders)
{
    struct table *table = &blunders->table;
    struct refusal refusal;
    struct chance luck;
    const unsigned seat = bench_decider(bench->game, table->state);
    table_legal(bench->game, table->state, seat, &bench->list);
    bench_luck_of(&blunders->dice, &luck);
    const size_t move = level_choose(bench->player, table->state, seat, &luck, &bench->list);
    const size_t other = dice_below(&blunders->dice, bench->list.count);
    if (bench->list.count > 1 && bench->least == 0)
        review_own(bench, blunders, seat, move);
    else if (other != move)
        plant(bench, blunders, seat, other);
    if (!bench->game->play(bench->game, table->state, seat, move_list_get(&bench->list, move),
                           &table->chance, &refusal))
        abort();
}

static void print(const struct bench *bench, const struct blunders *blunders, uint32_t games)
{
    printf("{\"slug\":\"%s\",\"seats\":%u,\"level\":\"%s\",\"budget\":%u,\"first\":%u,"
           "\"games\":%u,\"least\":%lld,\"longer\":%.1f,\"planted\":%lu,\"found\":%lu,"
           "\"reviewed\":%lu,\"flagged\":%lu,\"false\":%lu,\"seconds\":%.2f}\n",
           bench->game->slug, bench->seats, bench->level, (unsigned)bench->budget,
           (unsigned)bench->first, (unsigned)games, (long long)bench->least,
           (double)blunders->longer.samples / blunders->usual.samples, blunders->planted,
           blunders->found, blunders->reviewed, blunders->flagged, blunders->unconfirmed,
           blunders->seconds / games);
    (void)fflush(stdout);
}

void bench_blunders(struct bench *bench)
{
    struct blunders blunders = {.usual = open_reviewer(bench, 1),
                                .screen = open_reviewer(bench, SCREEN),
                                .longer = open_reviewer(bench, LONGER)};
    const struct game_options options = game_options_initial(bench->game);
    for (uint32_t i = 0; i < bench->games; i++) {
        dice_open(&blunders.dice, "blunders", bench->first + i);
        table_set(&blunders.table, bench->game, bench->seats, &options, bench->first + i);
        while (bench->game->deciders(blunders.table.state) != 0)
            play(bench, &blunders);
        print(bench, &blunders, i + 1);
    }
    search_free(blunders.usual.search);
    search_free(blunders.screen.search);
    search_free(blunders.longer.search);
}
