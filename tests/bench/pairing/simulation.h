/* Events that are simulated, for measuring draws of pod Swiss. */
#ifndef TILLROLL_TESTS_BENCH_PAIRING_SIMULATION_H
#define TILLROLL_TESTS_BENCH_PAIRING_SIMULATION_H

#include <stdlib.h>
#include <time.h>

#include "engine/tournament/formats/pods/pod_history.h"
#include "engine/tournament/formats/pods/pod_swiss.h"

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
    uint8_t preferred;
};

static inline uint32_t roll(struct simulation *simulation, uint32_t sides)
{
    simulation->luck = simulation->luck * 1664525U + 1013904223U;
    return (simulation->luck >> 8) % sides;
}

static inline void start(struct simulation *simulation, size_t count, uint32_t luck)
{
    *simulation = (struct simulation){.count = count, .luck = luck, .preferred = 4};
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

static inline void stop(struct simulation *simulation)
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
static inline void play(struct simulation *simulation, const struct pod_pairing *pairing,
                        uint16_t round)
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

static inline void count(struct simulation *simulation, uint16_t rounds)
{
    struct pod_history history = {.entries = simulation->entries,
                                  .entry_count = simulation->count,
                                  .results = simulation->results,
                                  .result_count = simulation->result_count,
                                  .scoring = &scoring_default,
                                  .present = simulation->present,
                                  .present_count = simulation->count,
                                  .rounds = rounds,
                                  .preferred = simulation->preferred};
    pod_history_count(&history, simulation->players, simulation->met, simulation->before,
                      simulation->groups, simulation->work);
}

static inline double milliseconds(struct timespec from, struct timespec to)
{
    return 1e3 * (double)(to.tv_sec - from.tv_sec) + 1e-6 * (double)(to.tv_nsec - from.tv_nsec);
}

static inline struct pod_request request_of(const struct simulation *simulation,
                                            struct table_rule rule, uint16_t round, uint16_t rounds,
                                            const struct chance *chance)
{
    return (struct pod_request){.players = simulation->players,
                                .player_count = simulation->count,
                                .met = simulation->met,
                                .before = simulation->before,
                                .earlier_groups = simulation->groups,
                                .earlier_rounds = round - 1U,
                                .rule = rule,
                                .round = round,
                                .later_rounds = (uint16_t)(rounds - round),
                                .attempt = 1,
                                .chance = chance};
}

/* Pairs, and says how many milliseconds of a processor it took. False: refused. */
static inline bool timed_pair(const struct pod_request *request, struct pod_pairing *pairing,
                              double *time)
{
    struct refusal refusal;
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    bool paired = pod_swiss_pair(request, pairing, &refusal);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    *time = milliseconds(from, to);
    return paired;
}

#endif
