/* What odds cost, and whether they are right.
 *
 *      bench_odds cost           seconds of one core, for fields of several sizes
 *      bench_odds calibration N SPREAD GAMES..
 *                                N Swiss events of 16 entries and 5 rounds, paired as the service
 *                                does. The players come from 64, whose strengths are normally
 *                                distributed with a standard deviation of SPREAD points of the
 *                                pages' scale (350 is what ratings assume), and who have played as
 *                                many games as one of GAMES says, by lot. Results are by the model
 *                                that ratings assume, from the true strengths. Before the results
 *                                of round 2, 3, 4 or 5, with both versions of odds: Brier score
 *                                and logarithmic loss of first place; and of those who were given
 *                                some chance, how many won
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/tournament/odds/odds.h"
#include "engine/tournament/pairing/pairing.h"
#include "engine/tournament/pairing/ranking.h"
#include "tests/engine/support/told_event.h"

#define EVENT(ruleset, stages) "{'name': 'T', 'ruleset': '" ruleset "', 'stages': [" stages "]}"

#define BETA (25.0 / 6)
#define PI   3.14159265358979323846

enum { FROM = 64, SAMPLES = 1000, BINS = 7 };

/* What players have done before they enter. */
struct before {
    double spread; /* of strengths, on the scale of the pages */
    unsigned games[16];
    unsigned count; /* of `games` */
};

static uint64_t luck = 1;

static double lot(void)
{
    luck = luck * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(luck >> 11) / (double)(UINT64_C(1) << 53);
}

/* The true strengths of the entries. */
static double strength[TOURNAMENT_ENTRIES_MAX];

static double normal(void)
{
    return sqrt(-2 * log(1 - lot())) * cos(2 * PI * lot());
}

/* Places by Plackett-Luce: in the order of strengths with Gumbel's noise. */
static void rank_by_lot(const double *strong, unsigned seats, unsigned *rank)
{
    double shown[TOURNAMENT_SEATS_MAX];
    for (unsigned i = 0; i < seats; i++)
        shown[i] = strong[i] / (BETA * sqrt(seats)) - log(-log(1 - lot()));
    for (unsigned i = 0; i < seats; i++) {
        rank[i] = 1;
        for (unsigned other = 0; other < seats; other++)
            rank[i] += shown[other] > shown[i];
    }
}

static void play(struct tournament *event, const struct tournament_table *table)
{
    unsigned ranks[TOURNAMENT_SEATS_MAX];
    double strong[TOURNAMENT_SEATS_MAX];
    char text[64] = "";
    for (unsigned seat = 0; seat < table->seats; seat++)
        strong[seat] = strength[table->entry[seat]];
    rank_by_lot(strong, table->seats, ranks);
    for (unsigned seat = 0; seat < table->seats; seat++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%u ", ranks[seat]);
    tell_result(event, table->round, table->table, text);
}

static void play_round(struct tournament *event, size_t left)
{
    const struct tournament_round *round = &event->rounds[event->rounds_started - 1];
    for (size_t i = 0; i + left < round->table_count; i++)
        if (!event->tables[round->first_table + i].has_result)
            play(event, &event->tables[round->first_table + i]);
}

/* Games of those who enter later, at tables drawn by lot from those who have games left. */
static void play_before(struct rating *ratings, const double *strong, unsigned *left)
{
    enum { SEATS = 4 };
    for (;;) {
        unsigned who[FROM], count = 0, rank[SEATS];
        struct rating at_table[SEATS];
        double strong_there[SEATS];
        int32_t ranks[SEATS];
        for (unsigned i = 0; i < FROM; i++)
            if (left[i] > 0)
                who[count++] = i;
        if (count < SEATS)
            return;
        for (unsigned seat = 0; seat < SEATS; seat++) {
            unsigned other = seat + (unsigned)(lot() * (count - seat)), drawn = who[other];
            who[other] = who[seat];
            who[seat] = drawn;
            at_table[seat] = ratings[drawn];
            strong_there[seat] = strong[drawn];
            left[drawn]--;
        }
        rank_by_lot(strong_there, SEATS, rank);
        for (unsigned seat = 0; seat < SEATS; seat++)
            ranks[seat] = (int32_t)rank[seat];
        if (!rating_update(at_table, ranks, SEATS))
            abort();
        for (unsigned seat = 0; seat < SEATS; seat++)
            ratings[who[seat]] = at_table[seat];
    }
}

/* As entry_line() has it. */
static void enter_with(struct entrant *entrant, struct rating rating, bool rated)
{
    int64_t thousandths = rating_ordinal(rating) / 1000;
    entrant->strength = rating;
    entrant->rating = !rated ? 0 : thousandths < 1 ? 1 : (int32_t)thousandths;
}

/* Entries of strengths by lot, who have played before. */
static void field(struct tournament *event, unsigned players, const struct before *before)
{
    struct rating ratings[FROM];
    double strong[FROM];
    unsigned games[FROM], left[FROM];
    for (unsigned i = 0; i < players; i += FROM) {
        for (unsigned k = 0; k < FROM; k++) {
            ratings[k] = rating_initial();
            strong[k] = 25 + before->spread / 42 * normal();
            games[k] = left[k] = before->games[(unsigned)(lot() * before->count)];
        }
        play_before(ratings, strong, left);
        for (unsigned k = 0; k < FROM && i + k < players; k++) {
            strength[i + k] = strong[k];
            enter_with(&event->entrants[i + k], ratings[k], games[k] > left[k]);
        }
    }
}

/* An event whose round `round` is running. */
static void begin(struct tournament *event, const struct chance *chance, const char *settings,
                  unsigned players, unsigned round, const struct before *before)
{
    tell_entries(event, settings, players);
    field(event, players, before);
    for (unsigned i = 1; i <= round; i++) {
        if (i > 1)
            play_round(event, 0);
        tell_draw(event, chance);
    }
}

static struct odds make(const struct tournament *event, unsigned samples)
{
    struct odds odds;
    struct refusal refusal;
    if (odds_make(event, samples, NULL, &odds, &refusal))
        return odds;
    fprintf(stderr, "%s\n", refusal.message);
    exit(1);
}

static void measure(const char *what, const char *settings, unsigned players, unsigned round)
{
    struct tournament event;
    struct chance chance = {.stacks = NULL};
    begin(&event, &chance, settings, players, round,
          &(struct before){.spread = 350, .games = {3, 10, 30}, .count = 3});
    clock_t from = clock();
    struct odds odds = make(&event, ODDS_SAMPLES);
    printf("%-48s %4u entries, round %u: %6.2f s\n", what, players, round,
           (double)(clock() - from) / CLOCKS_PER_SEC);
    odds_free(&odds);
    tournament_free(&event);
}

static int cost(void)
{
    static const char swiss[] = EVENT("shinjuku", "{'format': 'pod_swiss', 'rounds': 6}");
    measure("pod Swiss of 6 rounds", swiss, 16, 3);
    measure("pod Swiss of 6 rounds", swiss, 64, 4);
    measure("pod Swiss of 6 rounds", swiss, 256, 5);
    measure("pod Swiss of 4 rounds, cut to a final",
            EVENT("shinjuku", "{'format': 'pod_swiss', 'rounds': 4}, {'format': "
                              "'pod_elimination', 'entrants': 4}"),
            32, 3);
    measure("round robin", EVENT("super-motherload", "{'format': 'round_robin'}"), 12, 5);
    measure("round robin", EVENT("super-motherload", "{'format': 'round_robin'}"), 64, 2);
    measure("single elimination", EVENT("super-motherload", "{'format': 'single_elimination'}"),
            128, 1);
    measure("double elimination", EVENT("super-motherload", "{'format': 'double_elimination'}"), 64,
            1);
    return 0;
}

/* What a version of odds said, and what came of it. */
struct account {
    double brier, loss, expected[BINS], won[BINS];
    unsigned count[BINS];
};

static void settle(struct account *account, double chance, double won)
{
    int bin = (int)fmin(chance * 10, BINS - 1);
    account->brier += (chance - won) * (chance - won);
    account->loss -= won * log(fmax(chance, 0.5 / SAMPLES));
    account->expected[bin] += chance;
    account->won[bin] += won;
    account->count[bin]++;
}

/* By version 1 if `old`: as if the log had no strengths. */
static void predict(const struct tournament *event, bool old, double *predicted)
{
    struct tournament *copy = tournament_copy(event);
    for (size_t i = 0; old && i < copy->entrant_count; i++)
        copy->entrants[i].strength.sigma = 0;
    struct odds odds = make(copy, SAMPLES);
    for (size_t i = 0; i < odds.count; i++)
        predicted[odds.entries[i].entry] = (double)odds.entries[i].first / SAMPLES / ODDS_PART;
    odds_free(&odds);
    tournament_free(copy);
    free(copy);
}

static bool try_event(unsigned n, const struct before *before, struct account accounts[static 2])
{
    enum { PLAYERS = 16, ROUNDS = 5 };
    struct tournament event;
    struct chance chance = {.stacks = NULL};
    double predicted[2][PLAYERS] = {{0}};
    memcpy(chance.seed, &n, sizeof n);
    begin(&event, &chance, EVENT("shinjuku", "{'format': 'pod_swiss', 'rounds': 5}"), PLAYERS,
          2 + n % 4, before);
    for (unsigned i = 0; i < 2; i++)
        predict(&event, i == 0, predicted[i]);
    play_round(&event, 0);
    while (event.rounds_started < ROUNDS) {
        tell_draw(&event, &chance);
        play_round(&event, 0);
    }
    struct ranking ranking;
    struct refusal refusal;
    if (!ranking_make(&event, &chance, ROUNDS, &ranking, &refusal))
        return false;
    for (size_t i = 0; i < ranking.place_count; i++) {
        double won = ranking.places[i].place == 1 ? 1.0 / ranking.places[i].shared : 0;
        for (unsigned k = 0; k < 2; k++)
            settle(&accounts[k], predicted[k][ranking.places[i].entry], won);
    }
    ranking_free(&ranking);
    tournament_free(&event);
    return true;
}

static int calibrate(unsigned events, const struct before *before)
{
    struct account accounts[2] = {{.brier = 0}};
    for (unsigned n = 0; n < events; n++)
        if (!try_event(n, before, accounts))
            return 1;
    for (unsigned k = 0; k < 2; k++) {
        const struct account *account = &accounts[k];
        printf("version %u, %u events: Brier score %.3f, logarithmic loss %.3f\n", k + 1, events,
               account->brier / events, account->loss / events);
        printf("entries with a chance of, how many, how many should win, how many won\n");
        for (unsigned bin = 0; bin < BINS; bin++)
            printf("%3u .. %3u %%  %6u  %7.1f  %7.1f\n", 10 * bin,
                   bin + 1 == BINS ? 100 : 10 * (bin + 1), account->count[bin],
                   account->expected[bin], account->won[bin]);
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct before before = {.count = 0};
    if (argc == 2 && strcmp(argv[1], "cost") == 0)
        return cost();
    for (int i = 4; i < argc && before.count < sizeof before.games / sizeof *before.games; i++)
        before.games[before.count++] = (unsigned)strtoul(argv[i], NULL, 10);
    if (before.count > 0 && strcmp(argv[1], "calibration") == 0) {
        before.spread = strtod(argv[3], NULL);
        return calibrate((unsigned)strtoul(argv[2], NULL, 10), &before);
    }
    fprintf(stderr, "bench_odds cost | calibration EVENTS SPREAD GAMES..\n");
    return 2;
}
