/* Pairs simulated events and prints, per size, time and quality. Asserts nothing.
 *
 *      bench_pairing [players [rounds [profile]]]    default: 16, 64, 256, 1000 players, 8 rounds
 *      bench_pairing dutch [players [rounds]]        two seats: 120, 300, 1000 players, 9 rounds
 *      bench_pairing sweep [step]                    every step-th size of 2 to 200, all ranges of
 *                                                    table sizes, 9 rounds; step 1 takes long
 *      bench_pairing quality [step [profile]]        every step-th of these fields (default: 1),
 *                                                    profile 0 strict, 1 balanced, 2 power: how
 *                                                    often a draw is better, equal or worse than by
 *                                                    version 2 and by a plain annealer. Exits with
 *                                                    1 if any is worse than by version 2, with 2 if
 *                                                    an argument is wrong
 *
 * One line per round: players, round, milliseconds of the processor, the criteria, the bound of P3,
 * and at the end of the round the repeats so far, sum of (m - 1) over pairs, and the spread of
 * seats: the largest difference between a player's most and least used seat. For two seats:
 * milliseconds, memory, and the sums of the criteria that are not 0. A sweep prints the worst draws
 * as it finds them, and the worst and the 99th percentile of up to 64 and up to 200 players.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/tournament/formats/dutch/dutch.h"
#include "tests/bench/pairing/quality.h"
#include "tests/bench/pairing/simulation.h"

static long repeats_so_far(const struct simulation *simulation)
{
    long sum = 0;
    for (size_t a = 0; a < simulation->count; a++)
        for (size_t b = a + 1; b < simulation->count; b++)
            if (simulation->met[a * simulation->count + b] > 1)
                sum += simulation->met[a * simulation->count + b] - 1;
    return sum;
}

static unsigned seat_spread(const struct simulation *simulation)
{
    unsigned spread = 0;
    for (size_t i = 0; i < simulation->count; i++) {
        const uint16_t *seats = simulation->players[i].seat_count;
        uint16_t least = seats[0], most = seats[0];
        for (unsigned seat = 1; seat < 4; seat++) {
            least = seats[seat] < least ? seats[seat] : least;
            most = seats[seat] > most ? seats[seat] : most;
        }
        if ((unsigned)(most - least) > spread)
            spread = most - least;
    }
    return spread;
}

static void bench(size_t players, uint16_t rounds, enum pod_profile profile, uint8_t seed)
{
    struct simulation simulation;
    struct chance chance = {.seed = {seed}};
    start(&simulation, players, seed);
    count(&simulation, 0);
    for (uint16_t round = 1; round <= rounds; round++) {
        struct pod_request request =
            request_of(&simulation, table_rule_range(3, 4, 4), round, rounds, &chance);
        request.profile = profile;
        struct pod_pairing pairing;
        struct refusal refusal;
        struct timespec from, to;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        if (!pod_swiss_pair(&request, &pairing, &refusal)) {
            printf("refused: %s\n", refusal.code);
            break;
        }
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        play(&simulation, &pairing, round);
        count(&simulation, round);
        printf("%5zu round %2d %8.1f ms ", players, round, milliseconds(from, to));
        for (unsigned i = 0; i + 1 < POD_CRITERIA; i++)
            printf(" %s %lld", pod_criterion_describe(i)->code,
                   (long long)pairing.criteria.value[i]);
        printf("  bound %lld  repeats %ld  seats %u\n", (long long)pairing.repeats_bound,
               repeats_so_far(&simulation), seat_spread(&simulation));
        pod_pairing_free(&pairing);
    }
    stop(&simulation);
}

/* ---- Every size ---- */

enum { SWEEP_ROUNDS = 9, SWEEP_MOST = 200, SWEEP_SMALL = 64 };

struct sweep {
    double *times[2]; /* of draws of up to SWEEP_SMALL players, and of all others */
    size_t count[2];
    double worst;
};

static void add_time(struct sweep *sweep, size_t players, double time)
{
    size_t part = players > SWEEP_SMALL;
    size_t count = sweep->count[part]++;
    if ((count & (count + 1)) == 0)
        sweep->times[part] = realloc(sweep->times[part], (2 * count + 2) * sizeof(double));
    sweep->times[part][count] = time;
}

static void sweep_event(struct sweep *sweep, size_t players, struct table_rule rule)
{
    struct simulation simulation;
    struct chance chance = {.seed = {1}};
    start(&simulation, players, (uint32_t)players);
    simulation.preferred = rule.preferred;
    count(&simulation, 0);
    for (uint16_t round = 1; round <= SWEEP_ROUNDS; round++) {
        struct pod_request request = request_of(&simulation, rule, round, SWEEP_ROUNDS, &chance);
        struct pod_pairing pairing;
        double time;
        if (!timed_pair(&request, &pairing, &time))
            break;
        if (time > sweep->worst) {
            sweep->worst = time;
            printf("%5zu round %2d %8.1f ms, preferred %d, sizes %02x, %llu steps\n", players,
                   round, time, rule.preferred, rule.allowed, (unsigned long long)pairing.steps);
            fflush(stdout);
        }
        add_time(sweep, players, time);
        play(&simulation, &pairing, round);
        count(&simulation, round);
        pod_pairing_free(&pairing);
    }
    stop(&simulation);
}

static int compare_times(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void print_part(struct sweep *sweep, size_t part, const char *name)
{
    size_t draws = sweep->count[part];
    if (draws == 0)
        return;
    qsort(sweep->times[part], draws, sizeof(double), compare_times);
    printf("sweep %s players: %zu draws, median %.1f ms, 99%% %.1f ms, worst %.1f ms\n", name,
           draws, sweep->times[part][draws / 2], sweep->times[part][draws * 99 / 100],
           sweep->times[part][draws - 1]);
    free(sweep->times[part]);
}

static int main_sweep(size_t step)
{
    struct sweep sweep = {.worst = 0};
    for (size_t players = 2; players <= SWEEP_MOST; players += step)
        for (uint8_t smallest = 2; smallest <= TOURNAMENT_SEATS_MAX; smallest++)
            for (uint8_t largest = smallest; largest <= TOURNAMENT_SEATS_MAX; largest++)
                for (uint8_t preferred = smallest; preferred <= largest; preferred++)
                    sweep_event(&sweep, players, table_rule_range(smallest, largest, preferred));
    print_part(&sweep, 0, "2 to 64");
    print_part(&sweep, 1, "65 to 200");
    return 0;
}

/* ---- Two seats ---- */

static void print_dutch_round(size_t players, unsigned round, double time, size_t memory,
                              const struct dutch_pair *pairs, size_t count)
{
    printf("dutch %5zu round %2u %8.1f ms %6.1f MB ", players, round, time, 1e-6 * (double)memory);
    for (unsigned criterion = 0; criterion < DUTCH_CRITERIA; criterion++) {
        unsigned long sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += pairs[i].cost[criterion];
        if (sum > 0)
            printf(" %s %lu", dutch_criterion_describe(criterion)->code, sum);
    }
    printf("\n");
}

/* Stronger players (lower numbers) win more often; a third of the games are drawn. */
static void play_dutch(struct simulation *simulation, const struct dutch_pair *pair,
                       struct dutch_result *white, struct dutch_result *black)
{
    if (pair->black == DUTCH_NOBODY) {
        *white = (struct dutch_result){DUTCH_NOBODY, 60, ROUND_PAIRING_BYE, DUTCH_NO_COLOUR};
        return;
    }
    uint32_t better = pair->white < pair->black ? 45 : 22, luck = roll(simulation, 100);
    uint16_t points = luck < better ? 60 : luck < better + 33 ? 30 : 0;
    *white = (struct dutch_result){pair->black, points, ROUND_PLAYED, DUTCH_WHITE};
    *black = (struct dutch_result){pair->white, (uint16_t)(60 - points), ROUND_PLAYED, DUTCH_BLACK};
}

static void bench_dutch(size_t players, uint16_t rounds)
{
    struct simulation luck = {.luck = 1};
    struct dutch_player *entered = calloc(players, sizeof *entered);
    struct dutch_result *results = calloc(players * rounds, sizeof *results);
    struct dutch_result *packed = calloc(players * rounds, sizeof *packed);
    struct dutch_pair *pairs = calloc(players, sizeof *pairs);
    size_t memory = dutch_work_size(players), count;
    void *work = malloc(memory);
    for (size_t i = 0; i < players; i++)
        entered[i] = (struct dutch_player){(uint16_t)(i + 1), true};
    for (uint16_t round = 0; round < rounds; round++) {
        struct refusal refusal;
        struct timespec from, to;
        for (size_t i = 0; i < players; i++)
            for (uint16_t earlier = 0; earlier < round; earlier++)
                packed[i * round + earlier] = results[i * rounds + earlier];
        struct dutch_request request = {.players = entered,
                                        .player_count = players,
                                        .results = packed,
                                        .rounds_played = round,
                                        .rounds_planned = rounds,
                                        .points_for_win = 60,
                                        .initial = DUTCH_WHITE};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        if (!dutch_pair_round(&request, work, pairs, &count, &refusal)) {
            printf("refused: %s\n", refusal.code);
            break;
        }
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        print_dutch_round(players, round + 1U, milliseconds(from, to), memory, pairs, count);
        for (size_t i = 0; i < count; i++)
            play_dutch(&luck, &pairs[i], &results[pairs[i].white * (size_t)rounds + round],
                       &results[pairs[i].black * (size_t)rounds + round]);
    }
    free(entered);
    free(results);
    free(packed);
    free(pairs);
    free(work);
}

static int main_dutch(int argc, char **argv)
{
    static const size_t sizes[] = {120, 300, 1000};
    uint16_t rounds = argc > 3 ? (uint16_t)atoi(argv[3]) : 9;
    if (argc > 2) {
        bench_dutch((size_t)atoi(argv[2]), rounds);
        return 0;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        bench_dutch(sizes[i], rounds);
    return 0;
}

static int main_quality(int argc, char **argv)
{
    int step = argc > 2 ? atoi(argv[2]) : 1, profile = argc > 3 ? atoi(argv[3]) : POD_STRICT;
    if (step < 1 || profile < 0 || profile >= POD_PROFILES)
        return 2;
    return quality_compare((enum pod_profile)profile, (size_t)step);
}

int main(int argc, char **argv)
{
    if (sodium_init() < 0)
        return 2;
    static const size_t sizes[] = {16, 64, 256, 1000};
    if (argc > 1 && strcmp(argv[1], "dutch") == 0)
        return main_dutch(argc, argv);
    if (argc > 1 && strcmp(argv[1], "sweep") == 0)
        return main_sweep(argc > 2 && atoi(argv[2]) > 0 ? (size_t)atoi(argv[2]) : 1);
    if (argc > 1 && strcmp(argv[1], "quality") == 0)
        return main_quality(argc, argv);
    uint16_t rounds = argc > 2 ? (uint16_t)atoi(argv[2]) : 8;
    int profile = argc > 3 ? atoi(argv[3]) : POD_STRICT;
    uint8_t seed = argc > 4 ? (uint8_t)atoi(argv[4]) : 1;
    if (rounds > ROUNDS_MAX || profile < 0 || profile >= POD_PROFILES)
        return 2;
    if (argc > 1) {
        bench((size_t)atoi(argv[1]), rounds, (enum pod_profile)profile, seed);
        return 0;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        bench(sizes[i], rounds, (enum pod_profile)profile, seed);
    return 0;
}
