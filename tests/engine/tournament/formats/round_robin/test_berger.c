/* Berger tables: FIDE's for six and eight, and what must hold for every size. */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/round_robin/berger.h"
#include "engine/tournament/standings/standings.h"
#include "tests/test.h"

enum { PAIRINGS_MAX = BERGER_ENTRIES_MAX / 2, ROUNDS_MAX = 2 * BERGER_ENTRIES_MAX };

/* As printed in FIDE C.05, annex 1. */
struct printed {
    uint16_t first, second;
};

static const struct printed six[] = {
    /* clang-format off */
    {1, 6}, {2, 5}, {3, 4},
    {6, 4}, {5, 3}, {1, 2},
    {2, 6}, {3, 1}, {4, 5},
    {6, 5}, {1, 4}, {2, 3},
    {3, 6}, {4, 2}, {5, 1},
    /* clang-format on */
};

static const struct printed eight[] = {
    /* clang-format off */
    {1, 8}, {2, 7}, {3, 6}, {4, 5},
    {8, 5}, {6, 4}, {7, 3}, {1, 2},
    {2, 8}, {3, 1}, {4, 7}, {5, 6},
    {8, 6}, {7, 5}, {1, 4}, {2, 3},
    {3, 8}, {4, 2}, {5, 1}, {6, 7},
    {8, 7}, {1, 6}, {2, 5}, {3, 4},
    {4, 8}, {5, 3}, {6, 2}, {7, 1},
    /* clang-format on */
};

static void compare_with_table(unsigned entries, const struct printed *table)
{
    for (unsigned round = 1; round <= berger_rounds(entries, false); round++) {
        struct berger_pairing pairings[PAIRINGS_MAX] = {{0}};
        unsigned count = berger_round(entries, false, round, pairings);
        assert_int_equal(count, entries / 2);
        for (unsigned i = 0; i < count; i++, table++) {
            assert_int_equal(pairings[i].first + 1, table->first);
            assert_int_equal(pairings[i].second + 1, table->second);
        }
    }
}

TEST(fide_tables)
{
    compare_with_table(6, six);
    compare_with_table(8, eight);
}

/* Seats of one tournament: first[a][b] = games in which a had the first seat against b. */
struct crosstable {
    uint8_t first[BERGER_ENTRIES_MAX][BERGER_ENTRIES_MAX];
    uint8_t byes[BERGER_ENTRIES_MAX];
    int8_t seat[BERGER_ENTRIES_MAX][ROUNDS_MAX]; /* 1 first, -1 second, 0 bye */
};

/* Plays all rounds; everybody is paired exactly once in each of them. */
static struct crosstable *play(unsigned entries, bool twice)
{
    struct crosstable *cross = calloc(1, sizeof *cross);
    assert_non_null(cross);
    for (unsigned round = 1; round <= berger_rounds(entries, twice); round++) {
        struct berger_pairing pairings[PAIRINGS_MAX] = {{0}};
        bool seen[BERGER_ENTRIES_MAX] = {false};
        unsigned count = berger_round(entries, twice, round, pairings);
        assert_int_equal(count, (entries + 1) / 2);
        for (unsigned i = 0; i < count; i++) {
            unsigned first = pairings[i].first, second = pairings[i].second;
            assert_true(first < entries && !seen[first]);
            seen[first] = true;
            if (second == BERGER_NOBODY) {
                assert_int_equal(i, 0);
                cross->byes[first]++;
                continue;
            }
            assert_true(second < entries && !seen[second]);
            seen[second] = true;
            cross->first[first][second]++;
            cross->seat[first][round - 1] = 1;
            cross->seat[second][round - 1] = -1;
        }
        for (unsigned entry = 0; entry < entries; entry++)
            assert_true(seen[entry]);
    }
    return cross;
}

TEST(everybody_meets_everybody)
{
    for (unsigned entries = BERGER_ENTRIES_MIN; entries <= BERGER_ENTRIES_MAX; entries++) {
        struct crosstable *once = play(entries, false), *twice = play(entries, true);
        for (unsigned a = 0; a < entries; a++) {
            assert_int_equal(once->byes[a], entries % 2);
            assert_int_equal(twice->byes[a], 2 * (entries % 2));
            for (unsigned b = 0; b < a; b++) {
                assert_int_equal(once->first[a][b] + once->first[b][a], 1);
                assert_int_equal(twice->first[a][b], 1);
                assert_int_equal(twice->first[b][a], 1);
            }
        }
        free(once);
        free(twice);
    }
}

/* First seats less second seats: 0 or, with an odd number of games, 1 or -1. */
TEST(seats_are_even)
{
    for (unsigned entries = BERGER_ENTRIES_MIN; entries <= BERGER_ENTRIES_MAX; entries++) {
        struct crosstable *once = play(entries, false);
        for (unsigned a = 0; a < entries; a++) {
            int balance = 0;
            for (unsigned round = 0; round < berger_rounds(entries, false); round++)
                balance += once->seat[a][round];
            assert_true(abs(balance) == (entries % 2 == 0 ? 1 : 0));
        }
        free(once);
    }
}

TEST(no_seat_three_times_in_a_row)
{
    for (unsigned entries = BERGER_ENTRIES_MIN; entries <= BERGER_ENTRIES_MAX; entries++) {
        struct crosstable *twice = play(entries, true);
        for (unsigned a = 0; a < entries; a++)
            for (unsigned round = 2; round < berger_rounds(entries, true); round++)
                assert_true(abs(twice->seat[a][round] + twice->seat[a][round - 1] +
                                twice->seat[a][round - 2]) < 3);
        free(twice);
    }
}

/* p and q meet in the round for which p + q = round + 1, an independent reading of the tables; the
 * lower number has the first seat if the sum is odd. */
TEST(closed_form)
{
    for (unsigned entries = 4; entries <= BERGER_ENTRIES_MAX; entries += 2)
        for (unsigned round = 1; round < entries; round++) {
            struct berger_pairing pairings[PAIRINGS_MAX] = {{0}};
            unsigned count = berger_round(entries, false, round, pairings);
            for (unsigned i = 1; i < count; i++) {
                unsigned p = pairings[i].first + 1U, q = pairings[i].second + 1U;
                assert_int_equal((p + q) % (entries - 1), (round + 1) % (entries - 1));
                assert_int_equal(p < q, (p + q) % 2 == 1);
            }
            unsigned first = pairings[0].first + 1U, second = pairings[0].second + 1U;
            unsigned x = first == entries ? second : first;
            assert_int_equal(2 * x % (entries - 1), (round + 1) % (entries - 1));
            assert_int_equal(first == x, x <= entries / 2);
        }
}

TEST(withdrawal)
{
    assert_true(berger_results_stand(5, 9));
    assert_false(berger_results_stand(4, 9));
    assert_true(berger_results_stand(4, 8));
    assert_false(berger_results_stand(0, 1));
    assert_true(berger_results_stand(0, 0));
}

/* A round robin of six (FIDE TEC, exercises in tie-breaking): winners, and ranks by the standings.
 */
struct played {
    uint16_t round, table, first, second;
    char result; /* 1, 0 or = for the first seat; f: it forfeited */
};

static const struct played exercise[] = {
    {1, 1, 1, 5, '='}, {1, 2, 2, 6, '1'}, {1, 3, 3, 4, '1'}, {2, 1, 1, 2, '1'}, {2, 2, 6, 3, '0'},
    {2, 3, 5, 4, '1'}, {3, 1, 3, 1, '0'}, {3, 2, 2, 5, '1'}, {3, 3, 4, 6, '='}, {4, 1, 1, 4, '0'},
    {4, 2, 2, 3, '='}, {4, 3, 5, 6, 'f'}, {5, 1, 6, 1, '0'}, {5, 2, 4, 2, '0'}, {5, 3, 3, 5, '1'},
};

enum { GAMES = sizeof exercise / sizeof exercise[0], FIELD = 6 };

static struct table_result result_of(const struct played *game)
{
    bool forfeit = game->result == 'f', tied = game->result == '=';
    bool second_wins = game->result == '0' || forfeit;
    return (struct table_result){
        .round = game->round,
        .table = game->table,
        .seats = 2,
        .seat = {{.entry = (uint16_t)(game->first - 1),
                  .kind = forfeit ? ROUND_FORFEIT_LOSS : ROUND_PLAYED,
                  .rank = second_wins ? 2 : 1},
                 {.entry = (uint16_t)(game->second - 1),
                  .kind = forfeit ? ROUND_FORFEIT_WIN : ROUND_PLAYED,
                  .rank = second_wins || tied ? 1 : 2}},
    };
}

/* Published values: points 3.5 3.5 3.5 1.5 1.5 1.5, Sonneborn-Berger 9.25 6.25 6.25 4.25 3.25 2.25.
 * Within the first three, the first beat both others, who drew. */
TEST(exercise_of_six)
{
    struct entry entries[FIELD];
    struct table_result results[GAMES];
    const struct tie_break_rule chain[] = {
        {.code = TIE_BREAK_PTS}, {.code = TIE_BREAK_DE}, {.code = TIE_BREAK_SB}};
    for (unsigned i = 0; i < FIELD; i++)
        entries[i].tpn = (uint16_t)(i + 1);
    for (unsigned i = 0; i < GAMES; i++)
        results[i] = result_of(&exercise[i]);
    struct standings standings;
    struct refusal refusal;
    const struct chance chance = {.seed = {1}};
    assert_true(standings_make(
        &(struct standings_input){.entries = entries,
                                  .entry_count = FIELD,
                                  .results = results,
                                  .result_count = GAMES,
                                  .scoring = &scoring_find(span_of("1-half-0"))->scoring,
                                  .chain = chain,
                                  .chain_count = 3,
                                  .rules = UNPLAYED_ROUND_ROBIN,
                                  .rounds = 5,
                                  .chance = &chance},
        &standings, &refusal));
    const int64_t points[FIELD] = {210, 210, 210, 90, 90, 90};
    const int64_t hundredths[FIELD] = {925, 625, 625, 425, 325, 225};
    const int64_t behind[3] = {2, 0, 0};
    for (size_t i = 0; i < standings.count; i++) {
        const struct standing *row = &standings.rows[i];
        const struct tie_break_value *sb = &row->value[2];
        assert_int_equal(row->points, points[row->entry]);
        assert_int_equal(sb->numerator * 100, hundredths[row->entry] * sb->denominator);
        if (row->entry < 3)
            assert_int_equal(row->value[1].numerator, behind[row->entry]);
    }
    assert_int_equal(standings.rows[0].entry, 0);
    standings_free(&standings);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
