/* Counting what a schedule is worth. */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/pod_round_robin.h"

struct tally {
    uint16_t byes, others;
    uint16_t seat[TOURNAMENT_SEATS_MAX];
};

struct count {
    unsigned players, preferred;
    unsigned smallest;   /* table */
    struct tally *tally; /* owned: of each player */
    uint16_t *met;       /* owned: [a * players + b] */
    uint64_t meetings;
};

static void count_table(struct count *count, const struct pod_schedule_table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        struct tally *tally = &count->tally[table->player[seat]];
        if (table->table == 0) {
            tally->byes++;
            continue;
        }
        tally->seat[seat]++;
        tally->others = (uint16_t)(tally->others + (table->seats != count->preferred));
        for (unsigned other = 0; other < table->seats; other++)
            count->met[(size_t)table->player[seat] * count->players + table->player[other]]++;
        count->meetings += seat;
    }
    if (table->table != 0 && table->seats < count->smallest)
        count->smallest = table->seats;
}

static void measure_pairs(const struct count *count, struct pod_schedule_quality *quality)
{
    uint64_t pairs = (uint64_t)count->players * (count->players - 1) / 2;
    for (size_t a = 0; a < count->players; a++)
        for (size_t b = 0; b < a; b++) {
            unsigned met = count->met[a * count->players + b];
            quality->meetings[met < POD_MEETINGS_MAX ? met : POD_MEETINGS_MAX]++;
            quality->repeats += met > 1 ? met - 1 : 0;
        }
    quality->repeats_bound = (uint32_t)(count->meetings > pairs ? count->meetings - pairs : 0);
}

static void widen(uint16_t *least, uint16_t *most, uint16_t value)
{
    *least = value < *least ? value : *least;
    *most = value > *most ? value : *most;
}

static void measure_players(const struct count *count, struct pod_schedule_quality *quality)
{
    quality->short_least = quality->bye_least = UINT16_MAX;
    for (unsigned player = 0; player < count->players; player++) {
        const struct tally *tally = &count->tally[player];
        uint16_t least = UINT16_MAX, most = 0;
        widen(&quality->short_least, &quality->short_most, tally->others);
        widen(&quality->bye_least, &quality->bye_most, tally->byes);
        for (unsigned seat = 0; seat < count->smallest; seat++)
            widen(&least, &most, tally->seat[seat]);
        if (most > least && most - least > quality->seat_spread)
            quality->seat_spread = (uint16_t)(most - least);
    }
}

bool pod_schedule_measure(const struct pod_schedule_table *tables, size_t table_count,
                          unsigned players, unsigned preferred,
                          struct pod_schedule_quality *quality)
{
    struct count count = {
        .players = players, .preferred = preferred, .smallest = TOURNAMENT_SEATS_MAX};
    *quality = (struct pod_schedule_quality){0};
    count.tally = calloc(players, sizeof *count.tally);
    count.met = calloc((size_t)players * players, sizeof *count.met);
    bool memory = count.tally != NULL && count.met != NULL;
    for (size_t i = 0; memory && i < table_count; i++)
        count_table(&count, &tables[i]);
    if (memory) {
        measure_pairs(&count, quality);
        measure_players(&count, quality);
    }
    free(count.tally);
    free(count.met);
    return memory;
}
