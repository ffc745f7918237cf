/* Duplicate scoring: published vectors, cases worked out by hand, and every mark against its
 * definition. */
#include <sodium.h>
#include <string.h>

#include "engine/tournament/formats/duplicate/duplicate.h"
#include "tests/engine/support/dice.h"
#include "tests/test.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct chance chance = {.seed = {5}};
static const struct entry entries[] = {{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};

/* ---- Matchpoints and Neuberg ---- */

enum { FIELD_MAX = 40 };

/* Matchpoints of scores on one board. */
static void mark(const int32_t *scores, size_t count, uint16_t *matchpoints)
{
    struct entry field[FIELD_MAX];
    struct duplicate_result results[FIELD_MAX];
    struct duplicate_standings marked;
    struct refusal refusal = {"", ""};
    assert_true(count <= FIELD_MAX);
    for (size_t i = 0; i < count; i++) {
        field[i] = (struct entry){(uint16_t)(i + 1)};
        results[i] = (struct duplicate_result){(uint16_t)i, 1, 1, 0, scores[i]};
    }
    const struct duplicate_input input = {field,  count, results, count, 1, DUPLICATE_MATCHPOINTS,
                                          &chance};
    assert_true(duplicate_standings_make(&input, &marked, &refusal));
    for (size_t i = 0; i < count; i++)
        matchpoints[i] = marked.marks[i].matchpoints;
    duplicate_standings_free(&marked);
}

TEST(test_matchpoints)
{
    static const int32_t scores[] = {34, 41, 34, 28, 50};
    static const uint16_t expected[] = {3, 6, 3, 0, 8};
    uint16_t matchpoints[5];
    mark(scores, 5, matchpoints);
    assert_memory_equal(matchpoints, expected, sizeof expected);
    mark(scores, 1, matchpoints);
    assert_int_equal(matchpoints[0], 0);
    static const int32_t extremes[] = {-RESULT_SCORE_MAX, RESULT_SCORE_MAX, RESULT_SCORE_MAX};
    mark(extremes, 3, matchpoints);
    assert_int_equal(matchpoints[0], 0);
    assert_int_equal(matchpoints[1], 3);
    assert_int_equal(matchpoints[2], 3);
}

/* Against the definition, result by result; and the sum is always n(n - 1). */
TEST(test_matchpoints_of_random_fields)
{
    struct dice dice;
    dice_open(&dice, "matchpoints", 0);
    for (unsigned turn = 0; turn < 300; turn++) {
        int32_t scores[FIELD_MAX];
        uint16_t matchpoints[FIELD_MAX];
        unsigned count = 1 + dice_below(&dice, FIELD_MAX);
        unsigned sum = 0;
        for (unsigned i = 0; i < count; i++)
            scores[i] = (int32_t)dice_below(&dice, 1 + turn) - 20;
        mark(scores, count, matchpoints);
        for (unsigned i = 0; i < count; i++) {
            unsigned expected = 0;
            for (unsigned j = 0; j < count; j++)
                expected += j == i ? 0 : scores[i] > scores[j] ? 2 : scores[i] == scores[j];
            assert_int_equal(matchpoints[i], expected);
            sum += expected;
        }
        assert_int_equal(sum, count * (count - 1));
    }
}

static void assert_share(struct share share, uint32_t own, uint32_t total)
{
    assert_int_equal((uint64_t)share.own * total, (uint64_t)own * share.total);
}

TEST(test_neuberg)
{
    assert_share(duplicate_neuberg(4, 6, 7), 29, 6);
    assert_share(duplicate_neuberg(9, 6, 7), 32, 3);
    for (uint16_t points = 0; points <= 10; points++) {
        assert_share(duplicate_neuberg(points, 6, 6), points, 1);
        assert_share(duplicate_share(points, 6, 6), points, 10);
    }
    /* The mean of a field is half of the top in any other. */
    assert_share(duplicate_neuberg(5, 6, 9), 8, 1);
    assert_share(duplicate_share(5, 6, 9), 1, 2);
    assert_share(duplicate_share(0, 1, 9), 1, 2);
    assert_share(duplicate_share(0, 1, 1), 1, 2);
    assert_share(duplicate_share(2 * 4095, 4096, 4096), 1, 1);
    assert_share(duplicate_share(0, 4096, 4096), 0, 1);
}

/* ---- Standings ---- */

static struct duplicate_standings standings;

static void make(const struct duplicate_result *results, size_t count, size_t entry_count,
                 uint16_t boards, enum duplicate_scoring scoring)
{
    struct refusal refusal = {"", ""};
    const struct duplicate_input input = {entries, entry_count, results, count,
                                          boards,  scoring,     &chance};
    if (!duplicate_standings_make(&input, &standings, &refusal))
        fail_msg("%s: %s", refusal.code, refusal.message);
}

static const struct duplicate_standing *row_of(uint16_t entry)
{
    for (size_t i = 0; i < standings.count; i++)
        if (standings.rows[i].entry == entry)
            return &standings.rows[i];
    fail_msg("no row for entry %u", entry);
    return NULL;
}

static void assert_value(uint16_t entry, size_t position, int64_t numerator, int64_t denominator)
{
    const struct tie_break_value *value = &row_of(entry)->value[position];
    if (value->numerator * denominator != numerator * value->denominator)
        fail_msg("entry %u: %lld/%lld, expected %lld/%lld", entry, (long long)value->numerator,
                 (long long)value->denominator, (long long)numerator, (long long)denominator);
}

static void assert_order(const uint16_t *expected, size_t count)
{
    assert_int_equal(standings.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(standings.rows[i].entry, expected[i]);
        assert_int_equal(standings.rows[i].rank, i + 1);
    }
}

/* Board 1: 34 41 34 28. Board 2, which entry 3 sat out: 10 10 20. The larger field has 4, so on
 * board 2 one point comes to 4/3 * 2 - 1 = 5/3 and four to 4/3 * 5 - 1 = 17/3, out of 6. */
static const struct duplicate_result missing[] = {
    {0, 1, 1, 0, 34}, {1, 1, 1, 0, 41}, {2, 1, 1, 0, 34}, {3, 1, 1, 0, 28},
    {2, 1, 2, 0, 20}, {1, 1, 2, 0, 10}, {0, 1, 2, 0, 10},
};

TEST(test_missing_results)
{
    static const uint16_t order[] = {2, 1, 0, 3};
    make(missing, COUNT(missing), 4, 2, DUPLICATE_MATCHPOINTS);
    assert_int_equal(standings.field_most, 4);
    assert_share(standings.marks[5].share, 5, 18);
    assert_share(standings.marks[4].share, 17, 18);
    assert_int_equal(standings.marks[0].matchpoints, 3);
    assert_int_equal(standings.marks[0].place, 2);
    assert_int_equal(standings.marks[0].tied, 1);
    assert_int_equal(standings.marks[0].field, 4);
    assert_order(order, 4);
    assert_value(0, 0, 350, 9); /* (1/2 + 5/18) / 2 = 7/18 */
    assert_value(1, 0, 575, 9); /* (1 + 5/18) / 2 = 23/36 */
    assert_value(2, 0, 650, 9); /* (1/2 + 17/18) / 2 = 13/18 */
    assert_value(3, 0, 0, 1);
    assert_value(0, 1, 0, 1);
    assert_value(1, 1, 1, 1);
    assert_value(2, 1, 1, 1);
    assert_value(2, 2, 1700, 18); /* the last board */
    assert_value(3, 2, 0, 1);
    assert_int_equal(row_of(3)->played, 1);
    assert_int_equal(row_of(2)->played, 2);
    duplicate_standings_free(&standings);
}

/* Sums 44 51 54; entry 3 played one board of 28, so two count 56. */
TEST(test_totals)
{
    static const uint16_t order[] = {3, 2, 1, 0};
    make(missing, COUNT(missing), 4, 2, DUPLICATE_TOTAL);
    assert_order(order, 4);
    assert_value(0, 0, 44, 1);
    assert_value(1, 0, 51, 1);
    assert_value(2, 0, 54, 1);
    assert_value(3, 0, 56, 1);
    assert_value(2, 2, 1700, 18);
    duplicate_standings_free(&standings);
}

/* Each seat is a field of its own: seat 0 has 9 and 5, seat 1 has 7 and 7. */
TEST(test_seats_are_compared_apart)
{
    static const struct duplicate_result results[] = {
        {0, 1, 1, 0, 9}, {1, 1, 1, 1, 7}, {2, 1, 1, 0, 5}, {3, 1, 1, 1, 7}};
    make(results, COUNT(results), 4, 1, DUPLICATE_MATCHPOINTS);
    assert_value(0, 0, 100, 1);
    assert_value(1, 0, 50, 1);
    assert_value(2, 0, 0, 1);
    assert_value(3, 0, 50, 1);
    assert_value(0, 1, 1, 1);
    assert_value(1, 1, 1, 2);
    assert_value(3, 1, 1, 2);
    assert_int_equal(row_of(0)->rank, 1);
    assert_int_equal(row_of(2)->rank, 4);
    duplicate_standings_free(&standings);
}

/* Equal boards of different rounds are not one field. */
TEST(test_rounds_are_compared_apart)
{
    static const struct duplicate_result results[] = {
        {0, 1, 1, 0, 9}, {1, 1, 1, 0, 7}, {0, 2, 1, 0, 1}, {1, 2, 1, 0, 2}};
    make(results, COUNT(results), 2, 2, DUPLICATE_MATCHPOINTS);
    assert_int_equal(standings.marks[0].field, 2);
    assert_value(0, 0, 50, 1);
    assert_value(1, 0, 50, 1);
    assert_value(0, 2, 0, 1);
    assert_value(1, 2, 100, 1);
    assert_int_equal(row_of(1)->rank, 1); /* by the last board: all else is equal */
    assert_true(row_of(1)->value[2].used);
    assert_false(row_of(1)->value[3].used);
    duplicate_standings_free(&standings);
}

/* Three entries, equal in percent on three boards: 0 wins two and loses all else, 1 is always in
 * the middle. */
TEST(test_boards_won_decide)
{
    static const struct duplicate_result results[] = {
        {0, 1, 1, 0, 9}, {1, 1, 1, 0, 7}, {2, 1, 1, 0, 5},
        {0, 1, 2, 0, 1}, {1, 1, 2, 0, 2}, {2, 1, 2, 0, 3},
    };
    make(results, COUNT(results), 3, 2, DUPLICATE_MATCHPOINTS);
    for (uint16_t entry = 0; entry < 3; entry++)
        assert_value(entry, 0, 50, 1);
    assert_value(0, 1, 1, 1);
    assert_value(1, 1, 0, 1);
    assert_value(2, 1, 1, 1);
    static const uint16_t order[] = {2, 0, 1}; /* 2 was best on the last board */
    assert_order(order, 3);
    assert_false(row_of(1)->value[2].used);
    assert_true(row_of(0)->value[2].used);
    assert_false(row_of(0)->value[3].used);
    duplicate_standings_free(&standings);
}

/* Nothing tells them apart but the draw: word number TPN of the stream `standing`. */
TEST(test_draw_decides)
{
    for (size_t count = 0; count <= COUNT(entries); count++) {
        make(NULL, 0, count, 0, DUPLICATE_MATCHPOINTS);
        assert_int_equal(standings.field_most, 0);
        int64_t before = INT64_MAX;
        for (size_t i = 0; i < count; i++) {
            struct chance_stream stream;
            chance_open(&stream, &chance, "standing", entries[standings.rows[i].entry].tpn);
            int64_t word = chance_word(&stream);
            assert_int_equal(standings.rows[i].value[3].numerator, word);
            assert_int_equal(standings.rows[i].value[3].used, count > 1);
            assert_int_equal(standings.rows[i].rank, i + 1);
            assert_true(word < before);
            before = word;
        }
        duplicate_standings_free(&standings);
    }
}

TEST(test_alone_on_a_board)
{
    static const struct duplicate_result results[] = {{0, 1, 1, 0, 9}};
    make(results, 1, 2, 1, DUPLICATE_MATCHPOINTS);
    assert_value(0, 0, 50, 1);
    assert_value(0, 1, 0, 1);
    assert_value(1, 0, 0, 1);
    duplicate_standings_free(&standings);
}

/* ---- Random events ---- */

enum { RANDOM_ENTRIES = 8, RANDOM_BOARDS = 12 };

/* Every entry plays some of the boards, in a random seat. */
static size_t random_results(struct dice *dice, struct duplicate_result *results)
{
    size_t count = 0;
    for (uint16_t entry = 0; entry < RANDOM_ENTRIES; entry++)
        for (uint16_t board = 0; board < RANDOM_BOARDS; board++)
            if (dice_below(dice, 4) > 0)
                results[count++] = (struct duplicate_result){
                    entry, (uint16_t)(1 + board / 4), (uint16_t)(1 + board % 4),
                    (uint16_t)dice_below(dice, 2), (int32_t)dice_below(dice, 9) - 4};
    return count;
}

/* The share of one result by its definition, as a floating-point number: an independent reckoning.
 */
static double share_by_definition(const struct duplicate_result *results, size_t count, size_t i,
                                  unsigned most)
{
    unsigned field = 0;
    unsigned points = 0;
    for (size_t j = 0; j < count; j++) {
        if (results[j].round != results[i].round || results[j].board != results[i].board ||
            results[j].seat != results[i].seat)
            continue;
        field++;
        points += j == i                                ? 0
                  : results[i].score > results[j].score ? 2
                                                        : results[i].score == results[j].score;
    }
    return most == 1 ? 0.5 : ((double)most / field * (points + 1) - 1) / (2.0 * (most - 1));
}

TEST(test_random_events)
{
    struct dice dice;
    dice_open(&dice, "duplicate", 0);
    for (unsigned turn = 0; turn < 100; turn++) {
        struct duplicate_result results[RANDOM_ENTRIES * RANDOM_BOARDS];
        size_t count = random_results(&dice, results);
        make(results, count, RANDOM_ENTRIES, RANDOM_BOARDS, DUPLICATE_MATCHPOINTS);
        double sum[RANDOM_ENTRIES] = {0};
        for (size_t i = 0; i < count; i++)
            sum[results[i].entry] += share_by_definition(results, count, i, standings.field_most);
        for (size_t i = 0; i < standings.count; i++) {
            const struct duplicate_standing *row = &standings.rows[i];
            double mean = row->played == 0 ? 0 : 100 * sum[row->entry] / row->played;
            double shown = (double)row->value[0].numerator / (double)row->value[0].denominator;
            assert_true(shown - mean < 1e-6 && mean - shown < 1e-6);
        }
        duplicate_standings_free(&standings);
    }
}

TEST(test_order_of_results_does_not_matter)
{
    struct dice dice;
    struct duplicate_result results[RANDOM_ENTRIES * RANDOM_BOARDS];
    struct duplicate_standing first[RANDOM_ENTRIES];
    dice_open(&dice, "order", 0);
    size_t count = random_results(&dice, results);
    make(results, count, RANDOM_ENTRIES, RANDOM_BOARDS, DUPLICATE_TOTAL);
    memcpy(first, standings.rows, sizeof first);
    duplicate_standings_free(&standings);
    for (unsigned turn = 0; turn < 20; turn++) {
        for (size_t i = count - 1; i > 0; i--) {
            size_t j = dice_below(&dice, (uint32_t)i + 1);
            struct duplicate_result moved = results[i];
            results[i] = results[j];
            results[j] = moved;
        }
        make(results, count, RANDOM_ENTRIES, RANDOM_BOARDS, DUPLICATE_TOTAL);
        assert_memory_equal(standings.rows, first, sizeof first);
        duplicate_standings_free(&standings);
    }
}

/* Fields of 64 different sizes: the mean has more digits than 64 bits hold, and is compared exactly
 * all the same. Entries 0 and 1 have the same results but on one board. */
TEST(test_long_fractions)
{
    static struct entry many[200];
    static struct duplicate_result results[DUPLICATE_SITTINGS_MAX * 200];
    size_t count = 0;
    for (uint16_t i = 0; i < COUNT(many); i++)
        many[i].tpn = (uint16_t)(i + 1);
    for (uint16_t board = 0; board < DUPLICATE_SITTINGS_MAX; board++)
        for (uint16_t entry = 0; entry < 60 + 2 * board; entry++) {
            int32_t score = entry < 2 ? 81 : 2 * entry;
            if (entry == 1 && board == 63)
                score = 83;
            results[count++] = (struct duplicate_result){entry, (uint16_t)(1 + board / 32),
                                                         (uint16_t)(1 + board % 32), 0, score};
        }
    const struct duplicate_input input = {
        many, COUNT(many), results, count, DUPLICATE_SITTINGS_MAX, DUPLICATE_MATCHPOINTS, &chance};
    struct refusal refusal;
    assert_true(duplicate_standings_make(&input, &standings, &refusal));
    assert_true(row_of(0)->value[0].rounded);
    assert_int_equal(row_of(1)->rank + 1, row_of(0)->rank);
    assert_false(row_of(1)->value[1].used);
    duplicate_standings_free(&standings);
}

/* ---- Refusals ---- */

static void assert_refused(struct duplicate_result changed, const char *code)
{
    struct duplicate_result results[COUNT(missing)];
    struct refusal refusal = {"", ""};
    memcpy(results, missing, sizeof results);
    results[3] = changed;
    const struct duplicate_input input = {
        entries, 4, results, COUNT(missing), 2, DUPLICATE_MATCHPOINTS, &chance};
    assert_false(duplicate_standings_make(&input, &standings, &refusal));
    assert_string_equal(refusal.code, code);
    assert_null(standings.rows);
    assert_null(standings.marks);
}

TEST(test_refusals)
{
    assert_refused((struct duplicate_result){4, 1, 1, 0, 28}, DUPLICATE_REFUSAL_RESULT);
    assert_refused((struct duplicate_result){3, 0, 1, 0, 28}, DUPLICATE_REFUSAL_RESULT);
    assert_refused((struct duplicate_result){3, 1, 0, 0, 28}, DUPLICATE_REFUSAL_RESULT);
    assert_refused((struct duplicate_result){3, 1, 1, 5, 28}, DUPLICATE_REFUSAL_RESULT);
    assert_refused((struct duplicate_result){3, 1, 1, 0, RESULT_SCORE_MAX + 1},
                   DUPLICATE_REFUSAL_RESULT);
    assert_refused((struct duplicate_result){3, 1, 1, 0, -RESULT_SCORE_MAX - 1},
                   DUPLICATE_REFUSAL_RESULT);
    assert_refused((struct duplicate_result){0, 1, 2, 1, 28}, DUPLICATE_REFUSAL_TWICE);
    struct refusal refusal;
    struct duplicate_input input = {.entries = entries, .entry_count = TOURNAMENT_ENTRIES_MAX + 1};
    assert_false(duplicate_standings_make(&input, &standings, &refusal));
    assert_string_equal(refusal.code, DUPLICATE_REFUSAL_INPUT);
    input = (struct duplicate_input){.entries = entries, .boards = DUPLICATE_SITTINGS_MAX + 1};
    assert_false(duplicate_standings_make(&input, &standings, &refusal));
    assert_string_equal(refusal.code, DUPLICATE_REFUSAL_INPUT);
}

TEST(test_too_many_boards_of_one_entry)
{
    struct duplicate_result results[DUPLICATE_SITTINGS_MAX + 1];
    struct refusal refusal;
    for (uint16_t i = 0; i < COUNT(results); i++)
        results[i] = (struct duplicate_result){0, 1, (uint16_t)(i + 1), 0, 1};
    const struct duplicate_input input = {
        entries, 1, results, COUNT(results), 1, DUPLICATE_MATCHPOINTS, &chance};
    assert_false(duplicate_standings_make(&input, &standings, &refusal));
    assert_string_equal(refusal.code, DUPLICATE_REFUSAL_INPUT);
}

TEST(test_texts)
{
    static const char *const codes[2][DUPLICATE_CHAIN] = {{"MP", "WON", "LAST", "RND"},
                                                          {"TOT", "WON", "LAST", "RND"}};
    for (int scoring = 0; scoring < 2; scoring++)
        for (size_t i = 0; i < DUPLICATE_CHAIN; i++) {
            const struct duplicate_text *text =
                duplicate_describe(duplicate_chain((enum duplicate_scoring)scoring, i));
            assert_string_equal(text->code, codes[scoring][i]);
            assert_true(strlen(text->name) > 0 && strlen(text->definition) > 0);
        }
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
