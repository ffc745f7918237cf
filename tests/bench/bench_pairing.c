/* Pairs simulated events and prints, per size, time and quality. Asserts nothing.
 *
 *      bench_pairing [players [rounds [profile]]]    default: 16, 64, 256, 1000 players, 8 rounds
 *      bench_pairing dutch [players [rounds]]        two seats: 120, 300, 1000 players, 9 rounds
 *
 * One line per round: players, round, milliseconds of the processor, the criteria, the bound of P3,
 * and at the end of the round the repeats so far, sum of (m - 1) over pairs, and the spread of
 * seats: the largest difference between a player's most and least used seat. For two seats:
 * milliseconds, memory, and the sums of the criteria that are not 0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/tournament/dutch.h"
#include "engine/tournament/pod_history.h"
#include "engine/tournament/pod_swiss.h"

enum { ROUNDS_MAX = 16 };

struct simulation {
    size_t count;
    struct entry *entries;
    uint16_t *present;
    struct table_result *results;
    size_t result_count;
    struct pod_player *players;
    uint8_t *met, *before;
    uint16_t groups[ROUNDS_MAX];
    int32_t *work;
    uint32_t luck;
};

static uint32_t roll(struct simulation *simulation, uint32_t sides)
{
    simulation->luck = simulation->luck * 1664525U + 1013904223U;
    return (simulation->luck >> 8) % sides;
}

static void start(struct simulation *simulation, size_t count, uint32_t luck)
{
    *simulation = (struct simulation){.count = count, .luck = luck};
    simulation->entries = calloc(count, sizeof *simulation->entries);
    simulation->present = calloc(count, sizeof *simulation->present);
    simulation->results = calloc(count * ROUNDS_MAX, sizeof *simulation->results);
    simulation->players = calloc(count, sizeof *simulation->players);
    simulation->met = calloc(count, count);
    simulation->before = calloc(count, count);
    simulation->work = calloc(count, sizeof *simulation->work);
    for (size_t i = 0; i < count; i++) {
        simulation->entries[i].tpn = (uint16_t)(i + 1);
        simulation->present[i] = (uint16_t)i;
    }
}

static void stop(struct simulation *simulation)
{
    free(simulation->entries);
    free(simulation->present);
    free(simulation->results);
    free(simulation->players);
    free(simulation->met);
    free(simulation->before);
    free(simulation->work);
}

/* Stronger players (lower numbers) win more often. */
static void play(struct simulation *simulation, const struct pod_pairing *pairing, uint16_t round)
{
    for (size_t t = 0; t < pairing->table_count; t++) {
        const struct pod_table *table = &pairing->tables[t];
        struct table_result *result = &simulation->results[simulation->result_count++];
        uint32_t strength[TOURNAMENT_SEATS_MAX];
        *result = (struct table_result){
            .round = round, .table = (uint16_t)(t + 1), .seats = table->seats};
        for (unsigned seat = 0; seat < table->seats; seat++)
            strength[seat] = roll(simulation, 1000) +
                             (uint32_t)((size_t)500 * table->player[seat] / simulation->count);
        for (unsigned seat = 0; seat < table->seats; seat++) {
            uint8_t rank = 1;
            for (unsigned other = 0; other < table->seats; other++)
                rank = (uint8_t)(rank + (strength[other] < strength[seat] ||
                                         (other < seat && strength[other] == strength[seat])));
            result->seat[seat] = (struct seat_result){.entry = table->player[seat], .rank = rank};
        }
    }
    for (size_t i = 0; i < pairing->bye_count; i++)
        simulation->results[simulation->result_count++] = (struct table_result){
            .round = round, .seats = 1, .seat = {{pairing->byes[i], ROUND_PAIRING_BYE, 0, 0}}};
}

static void count(struct simulation *simulation, uint16_t rounds)
{
    struct pod_history history = {.entries = simulation->entries,
                                  .entry_count = simulation->count,
                                  .results = simulation->results,
                                  .result_count = simulation->result_count,
                                  .scoring = &scoring_default,
                                  .present = simulation->present,
                                  .present_count = simulation->count,
                                  .rounds = rounds,
                                  .preferred = 4};
    pod_history_count(&history, simulation->players, simulation->met, simulation->before,
                      simulation->groups, simulation->work);
}

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

static double milliseconds(struct timespec from, struct timespec to)
{
    return 1e3 * (double)(to.tv_sec - from.tv_sec) + 1e-6 * (double)(to.tv_nsec - from.tv_nsec);
}

static void bench(size_t players, uint16_t rounds, enum pod_profile profile, uint8_t seed)
{
    struct simulation simulation;
    struct chance chance = {.seed = {seed}};
    start(&simulation, players, seed);
    count(&simulation, 0);
    for (uint16_t round = 1; round <= rounds; round++) {
        struct pod_request request = {.players = simulation.players,
                                      .player_count = players,
                                      .met = simulation.met,
                                      .before = simulation.before,
                                      .earlier_groups = simulation.groups,
                                      .earlier_rounds = round - 1U,
                                      .rule = table_rule_range(3, 4, 4),
                                      .profile = profile,
                                      .round = round,
                                      .later_rounds = rounds - round,
                                      .attempt = 1,
                                      .chance = &chance};
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

int main(int argc, char **argv)
{
    static const size_t sizes[] = {16, 64, 256, 1000};
    if (argc > 1 && strcmp(argv[1], "dutch") == 0)
        return main_dutch(argc, argv);
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
