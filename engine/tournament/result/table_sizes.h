/* The number of tables of each size in a round (Tillroll Pod Swiss, step A).
 *
 * The choice depends on the number of players alone, in this order: fewest byes; fewest tables
 * larger than the preferred size, because everyone waits for the longest table; if the rule is
 * `even`, the least sum of squares of the seats that smaller tables lack; fewest tables smaller
 * than the preferred size; fewest different sizes; more of the larger sizes.
 *
 *      allowed   preferred   rule                                        byes needed for
 *      3 4       4           (4 - N mod 4) mod 4 tables of three         5
 *      4 5       4           N mod 4 tables of five                      6 7 11
 *      3 4 5     4           as 3 4, and one table of five for N = 5     -
 *      k         k           tables of k                                 N mod k > 0
 *
 * Without `even`, six at tables of 2 to 4 sit 4-2 and nine sit 4-3-2. With it they sit 3-3 and
 * 3-3-3: a game for two is another game, so a table may lack one seat before any table lacks two.
 * Where at most one size below the preferred one is allowed, both are the same.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_RESULT_TABLE_SIZES_H
#define TILLROLL_ENGINE_TOURNAMENT_RESULT_TABLE_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/tournament/result/result.h"

enum { TABLE_SIZE_MIN = 2 };

/* The sizes that an event allows. Bit k of `allowed` is set if tables of k may be formed, k = 2 ..
 * TOURNAMENT_SEATS_MAX; `preferred` is one of them. */
struct table_rule {
    uint8_t allowed;
    uint8_t preferred;
    bool even;
};

struct table_sizes {
    uint16_t tables[TOURNAMENT_SEATS_MAX + 1]; /* [k] = tables of k players */
    uint16_t table_count;
    uint16_t byes;
};

/* The rule that allows every size from `smallest` to `largest`; not `even`. */
struct table_rule table_rule_range(uint8_t smallest, uint8_t largest, uint8_t preferred);

/* True if at least one size is allowed, none outside 2 .. TOURNAMENT_SEATS_MAX, and the preferred
 * size is allowed. */
bool table_rule_valid(struct table_rule rule);

/* The smallest size that a valid rule allows. */
static inline unsigned table_rule_smallest(struct table_rule rule)
{
    return (unsigned)__builtin_ctz(rule.allowed);
}

/* Chooses the tables for `players` (0 .. TOURNAMENT_ENTRIES_MAX) under a valid rule. False, with
 * everything 0, if they are fewer than the smallest allowed size. Pure; any thread. */
bool table_sizes_choose(struct table_rule rule, unsigned players, struct table_sizes *sizes);

#endif
