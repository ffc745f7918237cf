/* Table sizes against enumeration of every way to cut N players into tables. */
#include "engine/tournament/result/table_sizes.h"
#include "tests/test.h"

enum { PLAYERS_MAX = 200 };

#define SIZES(...) sizes_of((unsigned[]){__VA_ARGS__, 0})

static uint8_t sizes_of(const unsigned *sizes)
{
    uint8_t allowed = 0;
    for (; *sizes != 0; sizes++)
        allowed = (uint8_t)(allowed | 1U << *sizes);
    return allowed;
}

/* The order of choice, as one number to be made small, from the counts of twos to fives. */
static uint64_t rank_of(struct table_rule rule, const unsigned tables[6])
{
    uint64_t larger = 0, lacking = 0, smaller = 0, different = 0, rank = 0;
    for (unsigned size = 2; size <= 5; size++) {
        larger += size > rule.preferred ? tables[size] : 0;
        smaller += size < rule.preferred ? tables[size] : 0;
        for (unsigned seat = size; rule.even && seat < rule.preferred; seat++)
            lacking += tables[size] * (2 * (seat - size) + 1); /* 1 + 3 + 5 ..: a square */
        different += tables[size] > 0;
    }
    rank = (((larger << 10 | lacking) << 10) | smaller) << 3 | different;
    for (unsigned size = 5; size >= 2; size--)
        rank = rank << 8 | (255 - tables[size]);
    return rank;
}

static void take_if_better(struct table_rule rule, const unsigned tables[6], unsigned best[6],
                           uint64_t *least)
{
    uint64_t rank = rank_of(rule, tables);
    if (rank >= *least)
        return;
    *least = rank;
    for (unsigned size = 0; size < 6; size++)
        best[size] = tables[size];
}

/* Every combination of allowed tables with exactly `players` seats. */
static bool enumerate(struct table_rule rule, unsigned players, unsigned best[6])
{
    uint64_t least = UINT64_MAX;
    for (unsigned fives = 0; 5 * fives <= players; fives++)
        for (unsigned fours = 0; 5 * fives + 4 * fours <= players; fours++)
            for (unsigned threes = 0; 5 * fives + 4 * fours + 3 * threes <= players; threes++) {
                unsigned rest = players - 5 * fives - 4 * fours - 3 * threes;
                unsigned tables[6] = {0, 0, rest / 2, threes, fours, fives};
                bool fits = rest % 2 == 0;
                for (unsigned size = 2; size <= 5; size++)
                    fits = fits && (tables[size] == 0 || (rule.allowed >> size & 1) != 0);
                if (fits)
                    take_if_better(rule, tables, best, &least);
            }
    return least != UINT64_MAX && players > 0;
}

static void compare_one(struct table_rule rule, unsigned players_max)
{
    for (unsigned players = 0; players <= players_max; players++) {
        unsigned best[6] = {0}, seated = players;
        while (seated > 0 && !enumerate(rule, seated, best))
            seated--;
        struct table_sizes sizes;
        bool possible = table_sizes_choose(rule, players, &sizes);
        assert_int_equal(possible, seated > 0);
        assert_int_equal(sizes.byes, possible ? players - seated : 0);
        unsigned count = 0;
        for (unsigned size = 2; size <= 5; size++) {
            assert_int_equal(sizes.tables[size], possible ? best[size] : 0);
            count += sizes.tables[size];
        }
        assert_int_equal(sizes.table_count, count);
    }
}

/* Both even and not. */
static void compare_with_enumeration(uint8_t allowed, uint8_t preferred, unsigned players_max)
{
    for (int even = 0; even < 2; even++)
        compare_one((struct table_rule){allowed, preferred, even != 0}, players_max);
}

TEST(common_rules_up_to_200)
{
    compare_with_enumeration(SIZES(3, 4), 4, PLAYERS_MAX);
    compare_with_enumeration(SIZES(4, 5), 4, PLAYERS_MAX);
    compare_with_enumeration(SIZES(3, 4, 5), 4, PLAYERS_MAX);
    compare_with_enumeration(SIZES(3, 5), 5, PLAYERS_MAX);
    compare_with_enumeration(SIZES(3, 5), 3, PLAYERS_MAX);
    compare_with_enumeration(SIZES(4), 4, PLAYERS_MAX);
}

TEST(every_rule_up_to_40)
{
    for (uint8_t allowed = 0; allowed < 64; allowed++)
        for (uint8_t preferred = 2; preferred <= 5; preferred++)
            if (table_rule_valid((struct table_rule){.allowed = allowed, .preferred = preferred}))
                compare_with_enumeration(allowed, preferred, 40);
}

/* The closed forms that an organizer is told. */
TEST(closed_forms)
{
    struct table_sizes sizes;
    for (unsigned players = 12; players <= PLAYERS_MAX; players++) {
        assert_true(table_sizes_choose(table_rule_range(3, 4, 4), players, &sizes));
        assert_int_equal(sizes.tables[3], (4 - players % 4) % 4);
        assert_true(table_sizes_choose(table_rule_range(4, 5, 4), players, &sizes));
        assert_int_equal(sizes.tables[5], players % 4);
        assert_true(table_sizes_choose(table_rule_range(3, 5, 4), players, &sizes));
        assert_int_equal(sizes.tables[3], (4 - players % 4) % 4);
        assert_int_equal(sizes.tables[5], 0);
        assert_true(table_sizes_choose(table_rule_range(4, 4, 4), players, &sizes));
        assert_int_equal(sizes.byes, players % 4);
    }
    assert_true(table_sizes_choose(table_rule_range(3, 5, 4), 5, &sizes));
    assert_int_equal(sizes.tables[5], 1);
    assert_true(table_sizes_choose(table_rule_range(3, 4, 4), 9, &sizes));
    assert_int_equal(sizes.tables[3], 3);
    assert_true(table_sizes_choose(table_rule_range(2, 4, 4), 9, &sizes));
    assert_int_equal(sizes.table_count, 3);
    assert_int_equal(sizes.tables[4], 1);
    assert_int_equal(sizes.tables[2], 1);
    assert_true(table_sizes_choose(table_rule_range(2, 4, 3), 9, &sizes));
    assert_int_equal(sizes.tables[3], 3);
}

/* Six at tables of two to four do not sit 4-2 when the rule is even. */
TEST(even_tables)
{
    static const struct {
        unsigned players, fours, threes, twos;
    } known[] = {{2, 0, 0, 1},  {3, 0, 1, 0},  {4, 1, 0, 0},  {5, 0, 1, 1},  {6, 0, 2, 0},
                 {7, 1, 1, 0},  {8, 2, 0, 0},  {9, 0, 3, 0},  {10, 1, 2, 0}, {11, 2, 1, 0},
                 {12, 3, 0, 0}, {13, 1, 3, 0}, {14, 2, 2, 0}, {21, 3, 3, 0}};
    struct table_rule rule = table_rule_range(2, 4, 4);
    rule.even = true;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct table_sizes sizes;
        assert_true(table_sizes_choose(rule, known[i].players, &sizes));
        assert_int_equal(sizes.tables[4], known[i].fours);
        assert_int_equal(sizes.tables[3], known[i].threes);
        assert_int_equal(sizes.tables[2], known[i].twos);
        assert_int_equal(sizes.byes, 0);
    }
}

static bool contains(const unsigned *numbers, unsigned number)
{
    for (; *numbers != 0; numbers++)
        if (*numbers == number)
            return true;
    return false;
}

static void needs_byes_exactly_for(uint8_t allowed, uint8_t preferred, const unsigned *numbers)
{
    for (unsigned players = 1; players <= PLAYERS_MAX; players++) {
        struct table_sizes sizes;
        bool possible = table_sizes_choose(
            (struct table_rule){.allowed = allowed, .preferred = preferred}, players, &sizes);
        assert_int_equal(!possible || sizes.byes > 0, contains(numbers, players));
    }
}

TEST(impossible_numbers)
{
    needs_byes_exactly_for(SIZES(3, 4), 4, (unsigned[]){1, 2, 5, 0});
    needs_byes_exactly_for(SIZES(4, 5), 4, (unsigned[]){1, 2, 3, 6, 7, 11, 0});
    needs_byes_exactly_for(SIZES(3, 4, 5), 4, (unsigned[]){1, 2, 0});
    needs_byes_exactly_for(SIZES(3, 5), 5, (unsigned[]){1, 2, 4, 7, 0});
}

TEST(rules_that_make_no_sense)
{
    assert_true(table_rule_valid(table_rule_range(2, 5, 3)));
    assert_false(table_rule_valid((struct table_rule){.allowed = 0, .preferred = 4}));
    assert_false(table_rule_valid((struct table_rule){.allowed = SIZES(3, 4), .preferred = 5}));
    assert_false(table_rule_valid((struct table_rule){.allowed = SIZES(1, 4), .preferred = 4}));
    assert_false(table_rule_valid((struct table_rule){.allowed = SIZES(4, 6), .preferred = 4}));
    assert_false(table_rule_valid((struct table_rule){.allowed = SIZES(4), .preferred = 40}));
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
