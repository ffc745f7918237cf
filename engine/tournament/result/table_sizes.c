/* k tables of size s seat as many players as s tables of the preferred size k, so in the best
 * choice every other size occurs fewer than k times: there are at most 5^3 combinations to
 * compare. */
#include "engine/tournament/result/table_sizes.h"

#include <assert.h>

enum { SIZES = TOURNAMENT_SEATS_MAX + 1 };

struct table_rule table_rule_range(uint8_t smallest, uint8_t largest, uint8_t preferred)
{
    assert(smallest <= largest && largest <= TOURNAMENT_SEATS_MAX);
    uint8_t allowed = 0;
    for (unsigned size = smallest; size <= largest; size++)
        allowed = (uint8_t)(allowed | 1U << size);
    return (struct table_rule){.allowed = allowed, .preferred = preferred};
}

bool table_rule_valid(struct table_rule rule)
{
    const unsigned possible = ((1U << SIZES) - 1) & ~((1U << TABLE_SIZE_MIN) - 1);
    return (rule.allowed & ~possible) == 0 && rule.preferred < SIZES &&
           (rule.allowed >> rule.preferred & 1) != 0;
}

static bool allows(struct table_rule rule, unsigned size)
{
    return (rule.allowed >> size & 1) != 0;
}

static unsigned count_different(const struct table_sizes *sizes)
{
    unsigned different = 0;
    for (unsigned size = TABLE_SIZE_MIN; size < SIZES; size++)
        different += sizes->tables[size] > 0;
    return different;
}

static unsigned count_between(const struct table_sizes *sizes, unsigned from, unsigned to)
{
    unsigned tables = 0;
    for (unsigned size = from; size < to; size++)
        tables += sizes->tables[size];
    return tables;
}

/* The sum of squares of the seats that tables lack to the preferred size. */
static unsigned count_lacking(struct table_rule rule, const struct table_sizes *sizes)
{
    unsigned sum = 0;
    for (unsigned size = TABLE_SIZE_MIN; size < rule.preferred; size++)
        sum += sizes->tables[size] * (rule.preferred - size) * (rule.preferred - size);
    return sum;
}

/* True if `a` is the better of two choices for the same number of players. Of choices that are
 * equal in all this, compare_from() comes first to the one with more of the larger sizes. */
static bool is_better(struct table_rule rule, const struct table_sizes *a,
                      const struct table_sizes *b)
{
    unsigned larger_a = count_between(a, rule.preferred + 1U, SIZES);
    unsigned larger_b = count_between(b, rule.preferred + 1U, SIZES);
    if (larger_a != larger_b)
        return larger_a < larger_b;
    unsigned lacking_a = count_lacking(rule, a), lacking_b = count_lacking(rule, b);
    if (rule.even && lacking_a != lacking_b)
        return lacking_a < lacking_b;
    unsigned smaller_a = count_between(a, TABLE_SIZE_MIN, rule.preferred);
    unsigned smaller_b = count_between(b, TABLE_SIZE_MIN, rule.preferred);
    if (smaller_a != smaller_b)
        return smaller_a < smaller_b;
    return count_different(a) < count_different(b);
}

/* Tries for every size from `size` on, except the preferred one, each number of tables below the
 * preferred size, fills up with preferred tables, and keeps the best in `best`. */
static void compare_from(struct table_rule rule, unsigned size, unsigned players,
                         struct table_sizes *current, struct table_sizes *best)
{
    if (size == SIZES) {
        if (players % rule.preferred != 0)
            return;
        current->tables[rule.preferred] = (uint16_t)(players / rule.preferred);
        current->table_count = (uint16_t)count_between(current, TABLE_SIZE_MIN, SIZES);
        if (best->table_count == 0 || is_better(rule, current, best))
            *best = *current;
        return;
    }
    unsigned tables_max = allows(rule, size) && size != rule.preferred ? rule.preferred - 1U : 0;
    for (unsigned tables = 0; tables <= tables_max && tables * size <= players; tables++) {
        current->tables[size] = (uint16_t)tables;
        compare_from(rule, size + 1, players - tables * size, current, best);
    }
    current->tables[size] = 0;
}

bool table_sizes_choose(struct table_rule rule, unsigned players, struct table_sizes *sizes)
{
    assert(table_rule_valid(rule) && players <= TOURNAMENT_ENTRIES_MAX);
    *sizes = (struct table_sizes){0};
    for (unsigned seated = players; seated >= TABLE_SIZE_MIN; seated--) {
        struct table_sizes current = {.byes = (uint16_t)(players - seated)};
        struct table_sizes best = {0};
        compare_from(rule, TABLE_SIZE_MIN, seated, &current, &best);
        if (best.table_count > 0) {
            *sizes = best;
            return true;
        }
    }
    return false;
}
