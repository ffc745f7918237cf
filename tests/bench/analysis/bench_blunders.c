/* Reviews of moves, as an analysis makes them. A line for each game has the sums so far.
 *
 * Blunders: at every decision of a game a random legal move other than the player's is looked at.
 * If a review with LONGER times the samples, but at most as many as a review can take, shows it to
 * lose at least `least` hundredths of a place (alone, of a point), it is a planted blunder.
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

enum { LONGER = 20 };

struct blunders {
    struct search *review, *longer;
    uint32_t samples, more; /* of each */
    struct dice dice;
    struct table table;
    unsigned long planted, found, reviewed, flagged, unconfirmed;
    double seconds;
};

static bool review(struct bench *bench, struct blunders *blunders, bool longer, unsigned seat,
                   size_t move, struct search_finding *finding)
{
    struct chance luck;
    bench_luck_of(&blunders->dice, &luck);
    return search_review(longer ? blunders->longer : blunders->review, blunders->table.state, seat,
                         &luck, &bench->list, move, longer ? blunders->more : blunders->samples,
                         finding);
}

static void review_own(struct bench *bench, struct blunders *blunders, unsigned seat, size_t move)
{
    struct search_finding finding;
    const double begun = bench_seconds();
    const bool flagged = review(bench, blunders, false, seat, move, &finding);
    blunders->seconds += bench_seconds() - begun;
    blunders->reviewed++;
    blunders->flagged += flagged;
    if (flagged)
        blunders->unconfirmed += !review(bench, blunders, true, seat, move, &finding);
}

static void plant(struct bench *bench, struct blunders *blunders, unsigned seat, size_t move)
{
    struct search_finding finding;
    if (!review(bench, blunders, true, seat, move, &finding) ||
        finding.halves * 50 < bench->least * (int64_t)finding.samples)
        return;
    blunders->planted++;
    blunders->found += review(bench, blunders, false, seat, move, &finding);
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
           (double)blunders->more / blunders->samples, blunders->planted, blunders->found,
           blunders->reviewed, blunders->flagged, blunders->unconfirmed, blunders->seconds / games);
    (void)fflush(stdout);
}

static uint32_t at_most(uint32_t number, uint32_t most)
{
    return number < most ? number : most;
}

void bench_blunders(struct bench *bench)
{
    struct blunders blunders = {.samples = analysis_review_samples(bench->budget)};
    struct search_settings settings = analysis_review_settings(bench->game, bench->budget);
    const struct game_options options = game_options_initial(bench->game);
    blunders.review = search_new(bench->game, &settings);
    blunders.longer = search_new(bench->game, &settings);
    blunders.more = at_most(blunders.samples * LONGER, SEARCH_PLAYOUTS_MAX / 2);
    if (blunders.review == NULL || blunders.longer == NULL)
        abort();
    for (uint32_t i = 0; i < bench->games; i++) {
        dice_open(&blunders.dice, "blunders", bench->first + i);
        table_set(&blunders.table, bench->game, bench->seats, &options, bench->first + i);
        while (bench->game->deciders(blunders.table.state) != 0)
            play(bench, &blunders);
        print(bench, &blunders, i + 1);
    }
    search_free(blunders.review);
    search_free(blunders.longer);
}
