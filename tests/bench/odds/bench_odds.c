/* What odds cost, and whether they are right.
 *
 *      bench_odds cost           seconds of one core, for fields of several sizes
 *      bench_odds calibration N  N Swiss events of 16 entries, paired as the service does and
 *                                played by the model: of those who were given some chance, how many
 *                                won
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

static uint64_t luck = 1;

static double lot(void)
{
    luck = luck * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(luck >> 11) / (double)(UINT64_C(1) << 53);
}

static double weight_of(const struct tournament *event, uint16_t entry)
{
    return exp2(event->entrants[entry].rating / (double)ODDS_RATING_DOUBLES);
}

/* By weight: a result of its own luck. */
static void play(struct tournament *event, const struct tournament_table *table)
{
    unsigned ranks[TOURNAMENT_SEATS_MAX] = {0};
    char text[64] = "";
    for (unsigned place = 1; place <= table->seats; place++) {
        double sum = 0;
        for (unsigned seat = 0; seat < table->seats; seat++)
            sum += ranks[seat] == 0 ? weight_of(event, table->entry[seat]) : 0;
        double drawn = lot() * sum;
        unsigned last = 0;
        for (unsigned seat = 0; seat < table->seats && drawn >= 0; seat++)
            if (ranks[seat] == 0) {
                drawn -= weight_of(event, table->entry[seat]);
                last = seat;
            }
        ranks[last] = place;
    }
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

/* A field with ratings by lot, whose round `round` is running. */
static void begin(struct tournament *event, const struct chance *chance, const char *settings,
                  unsigned players, unsigned round)
{
    tell_entries(event, settings, players);
    for (unsigned i = 0; i < players; i++)
        event->entrants[i].rating = 20000 + (int32_t)(lot() * 12000);
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
    begin(&event, &chance, settings, players, round);
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

static int calibrate(unsigned events)
{
    enum { PLAYERS = 16, ROUNDS = 5, SAMPLES = 1000, BINS = 10 };
    double expected[BINS] = {0}, won[BINS] = {0};
    unsigned count[BINS] = {0};
    for (unsigned n = 0; n < events; n++) {
        struct tournament event;
        struct chance chance = {.stacks = NULL};
        double predicted[PLAYERS] = {0};
        memcpy(chance.seed, &n, sizeof n);
        begin(&event, &chance, EVENT("shinjuku", "{'format': 'pod_swiss', 'rounds': 5}"), PLAYERS,
              2 + n % 3);
        struct odds odds = make(&event, SAMPLES);
        for (size_t i = 0; i < odds.count; i++)
            predicted[odds.entries[i].entry] = (double)odds.entries[i].first / SAMPLES / ODDS_PART;
        odds_free(&odds);
        play_round(&event, 0);
        while (event.rounds_started < ROUNDS) {
            tell_draw(&event, &chance);
            play_round(&event, 0);
        }
        struct ranking ranking;
        struct refusal refusal;
        if (!ranking_make(&event, &chance, ROUNDS, &ranking, &refusal))
            return 1;
        for (size_t i = 0; i < ranking.place_count; i++) {
            double chance_of = predicted[ranking.places[i].entry];
            int bin = (int)fmin(chance_of * BINS, BINS - 1);
            expected[bin] += chance_of;
            won[bin] += ranking.places[i].place == 1;
            count[bin]++;
        }
        ranking_free(&ranking);
        tournament_free(&event);
    }
    printf("%u events; entries with a chance of, how many, how many should win, how many won\n",
           events);
    for (unsigned bin = 0; bin < BINS; bin++)
        printf("%3u .. %3u %%  %6u  %7.1f  %5.0f\n", 100 * bin / BINS, 100 * (bin + 1) / BINS,
               count[bin], expected[bin], won[bin]);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "cost") == 0)
        return cost();
    if (argc == 3 && strcmp(argv[1], "calibration") == 0)
        return calibrate((unsigned)strtoul(argv[2], NULL, 10));
    fprintf(stderr, "bench_odds cost | calibration EVENTS\n");
    return 2;
}
