/* Pod round robin and league nights: the seating of all rounds in advance, at tables of two to
 * five, in which everyone meets as many different opponents as possible.
 *
 * It depends only on the number of players. Players get their numbers by a draw, or on purpose: in
 * a schedule with groups, players i and j with i / group_size = j / group_size do not meet before
 * they have met all others (families, clubs).
 *
 * The methods are tried in this order until nothing better is possible (pod_plan.h defines better);
 * otherwise the best plan found is taken, the first among equals:
 *
 *      constructed   pod_design.h: proved to have no repeats. If more rounds are needed and
 *                    everyone has met everyone, the rounds start over: no schedule has fewer
 *                    repeats
 *      kept          pod_design.c: found by others, also without repeats, for 32 and 36 players at
 *                    tables of four; reported as constructed. Version 1 had none
 *      cyclic        a seeded search for one round whose copies, moved along circles, are the
 *                    others
 *      extended      one of these for fewer rounds, and the others by annealing
 *      shortened     a constructed or cyclic one for up to four players more, without repeats, with
 *                    the extra players removed: these never meet, and their tables are one short
 *      annealed      a seeded search with a fixed number of proposals. Like extended plans, it ends
 *                    with descent: no swap of two players of a round improves it
 *
 * Fewer repeats come before a more even share of byes and short tables. Then seats are assigned:
 * with tables of one size and no byes, a player's most and least used seats differ by at most one.
 *
 * Chance comes from the stream `schedule/<attempt>`; another attempt of a search may find better.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_ROUND_ROBIN_POD_ROUND_ROBIN_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_ROUND_ROBIN_POD_ROUND_ROBIN_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/chance.h"
#include "engine/game/game.h"
#include "engine/tournament/result/result.h"
#include "engine/tournament/result/table_sizes.h"

enum {
    POD_SCHEDULE_VERSION = 4, /* the newest version of how schedules are made; 3 is 2, and 4 is 2
                                 with `even` tables (one setting has these versions and those of
                                 pod_swiss.h) */
    POD_ROUND_ROBIN_PLAYERS_MAX = 256,
    POD_MEETINGS_MAX = 8 /* pairs that meet this often or more are counted together */
};

struct pod_round_robin_request {
    uint16_t players; /* up to POD_ROUND_ROBIN_PLAYERS_MAX, enough for a table */
    uint16_t rounds;  /* 1 .. TOURNAMENT_ROUNDS_MAX */
    struct table_rule rule;
    uint16_t attempt; /* >= 1, counted in public */
    uint8_t version;  /* 1 .. POD_SCHEDULE_VERSION; 0 = the newest */
    const struct chance *chance;
};

/* The values are stored: only add new ones at the end. */
enum pod_schedule_method {
    POD_SCHEDULE_CONSTRUCTED = 0,
    POD_SCHEDULE_CYCLIC = 1,
    POD_SCHEDULE_EXTENDED = 2,
    POD_SCHEDULE_SHORTENED = 3,
    POD_SCHEDULE_ANNEALED = 4
};

/* A table, or a bye: `table` 0 with one seat. */
struct pod_schedule_table {
    uint16_t round; /* from 1 */
    uint16_t table; /* from 1, or 0 */
    uint8_t seats;
    uint8_t padding;
    uint16_t player[TOURNAMENT_SEATS_MAX]; /* per seat, 0 .. players - 1 */
};

/* The quality of a schedule, which anyone can count. */
struct pod_schedule_quality {
    uint32_t meetings[POD_MEETINGS_MAX + 1]; /* [m]: pairs that meet m times; the last: or more */
    uint32_t repeats;       /* the sum of m - 1 over pairs that meet m >= 1 times */
    uint32_t repeats_bound; /* lower bound for these tables: seats at tables minus pairs */
    uint16_t short_least, short_most; /* a player's sittings at tables not of the preferred size */
    uint16_t bye_least, bye_most;     /* a player's byes */
    uint16_t seat_spread; /* the largest difference, over all players, between a player's most and
                             least used seats, among seats that all tables have */
    uint16_t padding;
};

struct pod_schedule {
    struct pod_schedule_table *tables; /* owned; in order of round and table, byes last */
    size_t table_count;
    enum pod_schedule_method method;
    uint16_t group_size; /* players of one group meet last or never; 1 without groups */
    struct pod_schedule_quality quality;
};

static_assert(sizeof(struct pod_schedule_table) == 16, "no implicit padding");

/* Refusals, stable. */
#define POD_SCHEDULE_REFUSAL_REQUEST "bad-schedule-request" /* players, rounds, rule or attempt */
#define POD_SCHEDULE_REFUSAL_MEMORY  "out-of-memory"

/* Makes a schedule. True: free with pod_schedule_free(). False: refused, nothing to free. Pure: the
 * same request gives the same bytes; any thread. Searches take up to a few seconds. */
bool pod_round_robin_make(const struct pod_round_robin_request *request,
                          struct pod_schedule *schedule, struct refusal *refusal);

void pod_schedule_free(struct pod_schedule *schedule);

/* Measures any tables and byes of `players` players, each at most once in every round, all numbers
 * in range. False when out of memory. */
bool pod_schedule_measure(const struct pod_schedule_table *tables, size_t table_count,
                          unsigned players, unsigned preferred,
                          struct pod_schedule_quality *quality);

#endif
