/* Leagues: who moves up and down, and what comes of those who leave and join. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/round_robin/league.h"
#include "tests/test.h"

static struct league_place places[LEAGUE_ENTRIES_MAX + 1], next[LEAGUE_ENTRIES_MAX];
static uint16_t joining[LEAGUE_ENTRIES_MAX + 1];

/* Divisions as text, `/` between them: entries are letters. */
static size_t read_places(const char *text)
{
    size_t count = 0;
    uint16_t division = 1, rank = 1;
    for (; *text != '\0'; text++) {
        if (*text == '/') {
            division++;
            rank = 1;
            continue;
        }
        places[count++] = (struct league_place){(uint16_t)*text, division, rank++};
    }
    return count;
}

static size_t read_entries(const char *text, uint16_t *entries)
{
    for (size_t i = 0; i < strlen(text); i++)
        entries[i] = (uint16_t)text[i];
    return strlen(text);
}

static void expect_next(struct league_rule rule, const char *season, const char *leaves,
                        const char *joins, const char *expected)
{
    uint16_t leaving[64];
    struct refusal refusal = {"", ""};
    size_t count;
    const struct league_season input = {.rule = rule,
                                        .places = places,
                                        .place_count = read_places(season),
                                        .leaving = leaving,
                                        .leaving_count = read_entries(leaves, leaving),
                                        .joining = joining,
                                        .joining_count = read_entries(joins, joining)};
    if (!league_next(&input, next, &count, &refusal))
        fail_msg("%s", refusal.code);
    char text[128];
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && next[i].division != next[i - 1].division) {
            assert_int_equal(next[i].division, next[i - 1].division + 1);
            text[length++] = '/';
        }
        text[length++] = (char)next[i].entry;
        assert_int_equal(next[i].rank, i == 0 || next[i].division != next[i - 1].division
                                           ? 1
                                           : next[i - 1].rank + 1);
    }
    text[length] = '\0';
    assert_string_equal(text, expected);
}

static const struct league_rule fours = {.size = 4, .smallest = 3, .moves = 1};

TEST(up_and_down)
{
    expect_next(fours, "abcd/efgh/ijkl", "", "", "abce/dfgi/hjkl");
    expect_next((struct league_rule){4, 3, 2}, "abcd/efgh/ijkl", "", "", "abef/cdij/ghkl");
    expect_next((struct league_rule){4, 3, 0}, "abcd/efgh", "", "", "abcd/efgh");
    expect_next(fours, "abcd", "", "", "abcd");
    expect_next(fours, "", "", "", "");
}

/* A last division too small for all moves: nobody moves both ways. */
TEST(small_last_division)
{
    expect_next((struct league_rule){6, 3, 3}, "abcdef/ghi", "", "", "abcdeg/fhi");
    expect_next((struct league_rule){5, 2, 2}, "abcde/fghij/kl", "", "", "abcfg/dehik/jl");
    expect_next(fours, "abc/defgh/ijkl", "", "",
                "abdc/efgi/hjkl"); /* other sizes than the rule's */
}

TEST(leaving_and_joining)
{
    /* The best who would have come down stays up. */
    expect_next(fours, "abcd/efgh", "b", "", "aced/fgh");
    expect_next(fours, "abcd/efgh", "b", "xy", "aced/fghxy");
    expect_next(fours, "abcd/efgh", "", "xyz", "abce/dfgh/xyz");
    expect_next(fours, "abcd/efgh", "abcdefgh", "xyz", "xyz");
    expect_next(fours, "", "", "uvwxyz", "uvwxyz");
    expect_next(fours, "", "", "tuvwxyz", "tuvw/xyz");
    expect_next(fours, "abcd/efgh", "eg", "", "abcdfh");
}

TEST(order_does_not_matter)
{
    struct league_place shuffled[12];
    struct refusal refusal;
    size_t count = read_places("abcd/efgh/ijkl"), made;
    struct league_season input = {.rule = fours, .places = places, .place_count = count};
    assert_true(league_next(&input, next, &made, &refusal));
    struct league_place first[12];
    memcpy(first, next, sizeof first);
    for (size_t i = 0; i < count; i++)
        shuffled[i] = places[(5 * i + 3) % count];
    input.places = shuffled;
    assert_true(league_next(&input, next, &made, &refusal));
    assert_memory_equal(first, next, sizeof first);
}

/* Everybody is there once, in divisions of the right sizes, and nobody moves by more than one. */
TEST(any_size)
{
    for (uint16_t size = 2; size <= 9; size++)
        for (uint16_t smallest = 2; smallest <= size; smallest++)
            for (uint16_t moves = 0; moves <= size / 2; moves++)
                for (uint16_t count = 0; count <= 40; count++) {
                    const struct league_rule rule = {size, smallest, moves};
                    struct refusal refusal;
                    size_t made;
                    struct league_season input = {
                        .rule = rule, .joining = joining, .joining_count = count};
                    for (uint16_t i = 0; i < count; i++)
                        joining[i] = i;
                    assert_true(league_next(&input, places, &made, &refusal));
                    input =
                        (struct league_season){.rule = rule, .places = places, .place_count = made};
                    assert_true(league_next(&input, next, &made, &refusal));
                    assert_int_equal(made, count);
                    bool seen[40] = {false};
                    for (size_t i = 0; i < made; i++) {
                        assert_false(seen[next[i].entry]);
                        seen[next[i].entry] = true;
                        assert_int_equal(next[i].division, places[i].division);
                        assert_in_range(abs(next[i].division - places[next[i].entry].division), 0,
                                        1);
                    }
                }
}

static void expect_refusal(const struct league_season *input, const char *code)
{
    struct refusal refusal = {"", ""};
    size_t count;
    assert_false(league_next(input, next, &count, &refusal));
    assert_string_equal(refusal.code, code);
}

TEST(refusals)
{
    static const struct league_rule bad[] = {{1, 1, 0}, {4, 1, 1}, {4, 5, 1}, {4, 3, 3}};
    struct league_season input = {.places = places, .place_count = read_places("abcd/efgh")};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        input.rule = bad[i];
        expect_refusal(&input, LEAGUE_REFUSAL_RULE);
    }
    input.rule = fours;
    input.leaving = (const uint16_t[]){'z'};
    input.leaving_count = 1;
    expect_refusal(&input, LEAGUE_REFUSAL_ENTRY);
    input.leaving = (const uint16_t[]){'a', 'a'};
    input.leaving_count = 2;
    expect_refusal(&input, LEAGUE_REFUSAL_ENTRY);
    input.leaving_count = 0;
    input.joining = (const uint16_t[]){'a'};
    input.joining_count = 1;
    expect_refusal(&input, LEAGUE_REFUSAL_ENTRY);
    input.joining = (const uint16_t[]){'x', 'x'};
    input.joining_count = 2;
    expect_refusal(&input, LEAGUE_REFUSAL_ENTRY);
    input.joining_count = LEAGUE_ENTRIES_MAX;
    expect_refusal(&input, LEAGUE_REFUSAL_ENTRY);
    input.joining_count = 0;
    places[2].rank = 4;
    expect_refusal(&input, LEAGUE_REFUSAL_ENTRY);
    places[2].rank = 3;
    places[7].division = 4;
    expect_refusal(&input, LEAGUE_REFUSAL_ENTRY);
    places[7] = places[6];
    expect_refusal(&input, LEAGUE_REFUSAL_ENTRY);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
