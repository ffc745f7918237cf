/* Schemes of points: ties that share places, draws of two, margins, and what makes no sense. */
#include <string.h>

#include "engine/tournament/result/scoring.h"
#include "tests/test.h"

static const struct scoring *scheme(const char *code)
{
    const struct scoring_scheme *found = scoring_find(span_of(code));
    assert_non_null(found);
    return &found->scoring;
}

/* A table with these ranks, all played. */
static struct table_result table_of(unsigned seats, const uint8_t *ranks)
{
    struct table_result table = {.round = 1, .table = 1, .seats = (uint8_t)seats};
    for (unsigned seat = 0; seat < seats; seat++)
        table.seat[seat].rank = ranks[seat];
    return table;
}

static void assert_points(const char *code, unsigned seats, const uint8_t *ranks,
                          const int32_t *points)
{
    struct table_result table = table_of(seats, ranks);
    for (unsigned seat = 0; seat < seats; seat++)
        if (scoring_points(scheme(code), &table, seat) != points[seat])
            fail_msg("%s, %u seats, seat %u: %d", code, seats, seat,
                     scoring_points(scheme(code), &table, seat));
}

#define RANKS(...)  ((const uint8_t[]){__VA_ARGS__})
#define POINTS(...) ((const int32_t[]){__VA_ARGS__})

TEST(every_scheme_is_valid_and_found)
{
    for (size_t i = 0; i < scoring_scheme_count; i++) {
        assert_true(scoring_valid(&scoring_schemes[i].scoring));
        assert_ptr_equal(scoring_find(span_of(scoring_schemes[i].code)), &scoring_schemes[i]);
    }
    assert_null(scoring_find(span_of("5-3-2")));
    assert_memory_equal(scheme("5-3-2-1"), &scoring_default, sizeof scoring_default);
}

TEST(places_and_shared_places)
{
    assert_points("5-3-2-1", 4, RANKS(2, 1, 4, 3), POINTS(180, 300, 60, 120));
    assert_points("5-3-2-1", 5, RANKS(2, 2, 2, 2, 1), POINTS(150, 150, 150, 150, 300));
    assert_points("4-3-2-1", 3, RANKS(1, 1, 3), POINTS(195, 195, 60));
    assert_points("4-3-2-1", 5, RANKS(1, 2, 3, 4, 5), POINTS(240, 180, 180, 120, 60));
    assert_points("win-only", 4, RANKS(1, 1, 1, 4), POINTS(20, 20, 20, 0));
    assert_points("win-only", 5, RANKS(1, 1, 1, 1, 1), POINTS(12, 12, 12, 12, 12));
    assert_points("win-only", 2, RANKS(1, 1), POINTS(30, 30));
}

TEST(a_draw_of_two_has_its_own_worth)
{
    assert_points("3-1-0", 2, RANKS(1, 2), POINTS(180, 0));
    assert_points("3-1-0", 2, RANKS(1, 1), POINTS(60, 60));
    assert_points("3-1-0", 3, RANKS(1, 1, 1), POINTS(60, 60, 60));
    assert_points("3-1-0", 4, RANKS(1, 1, 3, 3), POINTS(90, 90, 0, 0));
    assert_points("1-half-0", 2, RANKS(1, 1), POINTS(30, 30));
    assert_points("5-3-2-1", 2, RANKS(1, 1), POINTS(180, 180));
    assert_int_equal(scoring_all_level(scheme("3-1-0"), 2), 60);
    assert_int_equal(scoring_all_level(&scoring_default, 4), 165);
}

TEST(duels)
{
    static const int32_t halves[DUELS] = {60, 30, 0}, football[DUELS] = {180, 60, 0};
    for (enum duel duel = DUEL_AHEAD; duel < DUELS; duel++) {
        assert_int_equal(scoring_duel(&scoring_default, duel), halves[duel]);
        assert_int_equal(scoring_duel(scheme("1-half-0"), duel), halves[duel]);
        assert_int_equal(scoring_duel(scheme("3-1-0"), duel), football[duel]);
    }
}

/* Scores 90, 40, 39 and 35: the means of the margins, no margin above 50, times 1/5 of a point, on
 * top of 10. First: (50 + 50 + 50) / 3 = 50. Second: (-50 + 1 + 5) / 3. Third: (-50 - 1 + 4) / 3.
 */
TEST(margins)
{
    const struct scoring *margin = scheme("margin");
    struct table_result table = table_of(4, RANKS(1, 2, 3, 4));
    static const int32_t scores[] = {90, 40, 39, 35};
    static const int32_t points[] = {600 + 4 * 150, 600 - 4 * 44, 600 - 4 * 47, 600 - 4 * 59};
    for (unsigned seat = 0; seat < 4; seat++)
        table.seat[seat].score = scores[seat];
    for (unsigned seat = 0; seat < 4; seat++)
        assert_int_equal(scoring_points(margin, &table, seat), points[seat]);
    /* The last one did not play on: 0, and everybody is 50 ahead of it. */
    table.seat[3].kind = ROUND_FORFEIT_LOSS;
    assert_int_equal(scoring_points(margin, &table, 3), 0);
    assert_int_equal(scoring_points(margin, &table, 2), 600 + 4 * (-50 - 1 + 50));
    table.seat[0].kind = ROUND_FORFEIT_WIN;
    assert_int_equal(scoring_points(margin, &table, 0), 1200);
    assert_int_equal(scoring_first(margin), 1200);
    assert_int_equal(scoring_all_level(margin, 3), 600);
}

/* Everybody's points together are the scheme's sum, whatever the ties. */
TEST(shares_lose_nothing)
{
    static const char *const codes[] = {"5-3-2-1", "4-3-2-1", "win-only"};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        for (unsigned seats = 2; seats <= TOURNAMENT_SEATS_MAX; seats++)
            for (unsigned ties = 0; ties < 1U << (seats - 1); ties++) {
                uint8_t ranks[TOURNAMENT_SEATS_MAX] = {1};
                int32_t sum = 0, whole = 0;
                for (unsigned seat = 1; seat < seats; seat++)
                    ranks[seat] =
                        (ties >> (seat - 1) & 1) != 0 ? ranks[seat - 1] : (uint8_t)(seat + 1);
                struct table_result table = table_of(seats, ranks);
                for (unsigned seat = 0; seat < seats; seat++) {
                    sum += scoring_points(scheme(codes[i]), &table, seat);
                    whole += scheme(codes[i])->place[seats][seat];
                }
                assert_int_equal(sum, whole);
            }
}

TEST(what_makes_no_sense)
{
    struct scoring scoring = scoring_default;
    scoring.place[4][2] = 90; /* 300 + 180 + 90 + 60 does not split among four */
    assert_false(scoring_valid(&scoring));
    scoring.place[4][2] = 240; /* third above second */
    assert_false(scoring_valid(&scoring));
    scoring = scoring_default;
    scoring.neutral = SCORING_POINTS_MAX + 1;
    assert_false(scoring_valid(&scoring));
    scoring.neutral = -60;
    assert_false(scoring_valid(&scoring));
    scoring = scoring_default;
    scoring.pairing_apart = true;
    scoring.draw = 301;
    assert_false(scoring_valid(&scoring));
    scoring.draw = 59;
    assert_false(scoring_valid(&scoring));
    scoring = scoring_default;
    scoring.duel[DUEL_AHEAD] = 60;
    scoring.duel[DUEL_LEVEL] = 61;
    assert_false(scoring_valid(&scoring));
    scoring = *scheme("margin");
    scoring.margin_unit = 10;
    assert_false(scoring_valid(&scoring));
    scoring.margin_unit = 24; /* 600 - 24 * 50 < 0 */
    assert_false(scoring_valid(&scoring));
    scoring.margin_unit = INT32_MAX - INT32_MAX % SCORING_MARGIN_STEP;
    assert_false(scoring_valid(&scoring));
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
