/* Events for two seats, written as crosstables: one line of cells per player, a cell per round.
 *
 *      +W9   won with white against number 9      = drawn, - lost; B black
 *      +F9   won by forfeit against number 9      -F9 lost by it
 *      U     pairing bye      F full bye      H half bye      Z zero bye      V absent
 *      .     nothing known
 *
 * Numbers are pairing numbers from 1; number n is entry n - 1. Every game stands in both lines.
 */
#ifndef TILLROLL_TESTS_TWO_SEATS_H
#define TILLROLL_TESTS_TWO_SEATS_H

#include "engine/tournament/standings/standings.h"

enum { TWO_SEATS_PLAYERS_MAX = 64, TWO_SEATS_ROUNDS_MAX = 24 };

struct two_seats {
    struct entry entries[TWO_SEATS_PLAYERS_MAX];
    int32_t ratings[TWO_SEATS_PLAYERS_MAX];
    struct table_result results[TWO_SEATS_PLAYERS_MAX * TWO_SEATS_ROUNDS_MAX];
    size_t players, result_count;
    uint16_t rounds;
};

/* Reads `players` lines; rates number n 2200 - 50(n - 1). False if a line makes no sense. */
bool two_seats_read(struct two_seats *event, const char *const *lines, size_t players);

/* The input of standings with these rules and this chain; scheme 1-half-0. Borrows everything. */
struct standings_input two_seats_input(const struct two_seats *event, enum unplayed_rules rules,
                                       const struct tie_break_rule *chain, size_t chain_count);

#endif
