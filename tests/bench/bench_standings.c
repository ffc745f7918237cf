/* Makes the standings of drawn events and prints the time. Asserts nothing.
 *
 *      bench_standings [entries [rounds]]    default: 10,000 entries, 12 rounds
 *
 * One line per chain: that of each format, then each rule of the dictionary alone behind the
 * points. Pods have tables of four, the other chains tables of two. `event` is an event of pods
 * from its log's tables to its places (ranking.h). Best of five, in milliseconds of the processor,
 * memory included.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine/tournament/event/tournament_parts.h"
#include "engine/tournament/pairing/ranking.h"
#include "engine/tournament/standings/standings.h"

enum { REPEATS = 5 };

struct field {
    size_t entries, result_count;
    uint16_t rounds;
    struct entry *entry;
    int32_t *rating;
    uint16_t *order;
    struct table_result *results;
};

static const struct chance chance = {.seed = {1}};
static const int32_t handicap[TOURNAMENT_SEATS_MAX + 1][TOURNAMENT_SEATS_MAX] = {
    [2] = {-10, 10}, [4] = {-70, 10, 10, 50}};

static uint32_t roll(uint32_t *luck, uint32_t sides)
{
    *luck = *luck * 1664525U + 1013904223U;
    return (*luck >> 8) % sides;
}

static struct table_result play(const uint16_t *sitting, uint8_t seats, uint32_t *luck)
{
    struct table_result table = {.seats = seats};
    for (unsigned seat = 0; seat < seats; seat++)
        table.seat[seat] =
            (struct seat_result){.entry = sitting[seat], .score = (int32_t)roll(luck, 60)};
    for (unsigned seat = 0; seat < seats; seat++) {
        table.seat[seat].rank = 1;
        for (unsigned other = 0; other < seats; other++)
            table.seat[seat].rank = (uint8_t)(table.seat[seat].rank +
                                              (table.seat[other].score > table.seat[seat].score));
    }
    return table;
}

static void draw(struct field *field, uint8_t seats, uint32_t luck)
{
    field->result_count = 0;
    for (uint16_t round = 1; round <= field->rounds; round++) {
        for (size_t i = 0; i < field->entries; i++)
            field->order[i] = (uint16_t)i;
        for (size_t i = field->entries; i > 1; i--) {
            size_t j = roll(&luck, (uint32_t)i);
            uint16_t moved = field->order[i - 1];
            field->order[i - 1] = field->order[j];
            field->order[j] = moved;
        }
        for (size_t i = 0; i + seats <= field->entries; i += seats) {
            struct table_result *table = &field->results[field->result_count++];
            *table = play(&field->order[i], seats, &luck);
            table->round = round;
            table->table = (uint16_t)(i / seats + 1);
        }
    }
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void measure(const struct field *field, const char *name, enum unplayed_rules rules,
                    const struct tie_break_rule *chain, size_t count)
{
    struct standings_input input = {.entries = field->entry,
                                    .entry_count = field->entries,
                                    .results = field->results,
                                    .result_count = field->result_count,
                                    .scoring = &scoring_default,
                                    .chain = chain,
                                    .chain_count = count,
                                    .rules = rules,
                                    .rounds = field->rounds,
                                    .chance = &chance,
                                    .ratings = field->rating,
                                    .handicap = handicap};
    double best = 0;
    if (rules != UNPLAYED_PODS_1)
        input.scoring = &scoring_find(span_of("1-half-0"))->scoring;
    for (int i = 0; i < REPEATS; i++) {
        struct standings standings;
        struct refusal refusal;
        double begin = now_ms();
        if (!standings_make(&input, &standings, &refusal)) {
            printf("%-12s refused: %s\n", name, refusal.code);
            return;
        }
        standings_free(&standings);
        double time = now_ms() - begin;
        best = i == 0 || time < best ? time : best;
    }
    printf("%-12s %8.1f ms\n", name, best);
}

/* An event as its lines would have made it; more entries than it would take, so without lines. */
static bool begin_event(const struct field *field, struct tournament *event)
{
    struct stage_settings *stage = &event->settings.stage[0];
    tournament_init(event);
    event->phase = PHASE_RUNNING;
    stage->format = FORMAT_POD_SWISS;
    stage->scheme = scoring_find(span_of("5-3-2-1"));
    stage->scoring = stage->scheme->scoring;
    stage->chain_count = tie_break_pods_count;
    for (size_t i = 0; i < tie_break_pods_count; i++)
        stage->chain[i] = tie_break_pods[i];
    event->entrant_count = event->numbered = event->stage[0].entry_count = field->entries;
    event->stages = 1;
    event->stage[0].first_round = 1;
    event->rounds_started = field->rounds;
    event->table_count = field->result_count;
    event->entrants = calloc(field->entries, sizeof *event->entrants);
    event->stage[0].entries = calloc(field->entries, sizeof *event->stage[0].entries);
    event->tables = calloc(field->result_count, sizeof *event->tables);
    event->index = calloc(1, sizeof *event->index);
    if (event->index != NULL)
        event->index->by_number = calloc(field->entries, sizeof *event->index->by_number);
    return event->entrants != NULL && event->stage[0].entries != NULL && event->tables != NULL &&
           event->index != NULL && event->index->by_number != NULL;
}

static void fill_event(const struct field *field, struct tournament *event)
{
    for (size_t i = 0; i < field->entries; i++) {
        event->entrants[i].number = field->entry[i].tpn;
        event->entrants[i].from = 1;
        event->stage[0].entries[i] = (uint16_t)i;
        event->index->by_number[i] = (uint16_t)i;
    }
    for (size_t i = 0; i < field->result_count; i++)
        event->tables[i] = (struct tournament_table){.round = field->results[i].round,
                                                     .table = field->results[i].table,
                                                     .seats = field->results[i].seats,
                                                     .has_result = true,
                                                     .result = field->results[i]};
}

static void time_event(const struct tournament *event)
{
    double best = 0;
    for (int i = 0; i < REPEATS; i++) {
        struct ranking ranking;
        struct refusal refusal;
        double begin = now_ms();
        if (!ranking_make(event, &chance, event->rounds_started, &ranking, &refusal)) {
            printf("%-12s refused: %s\n", "event", refusal.code);
            return;
        }
        ranking_free(&ranking);
        double time = now_ms() - begin;
        best = i == 0 || time < best ? time : best;
    }
    printf("%-12s %8.1f ms\n", "event", best);
}

static void measure_event(const struct field *field)
{
    struct tournament event;
    if (begin_event(field, &event)) {
        fill_event(field, &event);
        time_event(&event);
    }
    tournament_free(&event);
}

int main(int argc, char **argv)
{
    struct field field = {.entries = argc > 1 ? (size_t)atoi(argv[1]) : 10000,
                          .rounds = (uint16_t)(argc > 2 ? atoi(argv[2]) : 12)};
    if (field.entries < 4 || field.entries > STANDINGS_ENTRIES_MAX || field.rounds < 1 ||
        field.rounds > TOURNAMENT_ROUNDS_MAX)
        return 2;
    field.entry = calloc(field.entries, sizeof *field.entry);
    field.rating = calloc(field.entries, sizeof *field.rating);
    field.order = calloc(field.entries, sizeof *field.order);
    field.results = calloc(field.entries * field.rounds, sizeof *field.results);
    for (size_t i = 0; i < field.entries; i++) {
        field.entry[i].tpn = (uint16_t)(i + 1);
        field.rating[i] = 1000 + (int32_t)(i % 1500);
    }
    printf("%zu entries, %d rounds\n", field.entries, (int)field.rounds);
    for (size_t i = 0; i < tie_break_chain_count; i++) {
        draw(&field, tie_break_chains[i].rules == UNPLAYED_PODS_1 ? 4 : 2, 7);
        measure(&field, tie_break_chains[i].format, tie_break_chains[i].rules,
                tie_break_chains[i].chain, tie_break_chains[i].count);
    }
    draw(&field, 4, 7);
    measure_event(&field);
    for (uint8_t code = 1; code < TIE_BREAKS; code++) {
        struct tie_break_rule chain[2] = {{.code = TIE_BREAK_PTS}, {.code = code}};
        measure(&field, tie_break_describe((enum tie_break)code)->code, UNPLAYED_PODS_1, chain, 2);
    }
    free(field.entry);
    free(field.rating);
    free(field.order);
    free(field.results);
    return 0;
}
