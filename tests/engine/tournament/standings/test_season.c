/* Seasons: by hand, against a plain recomputation, and what can still change against every way in
 * which small seasons can end. */
#include <string.h>

#include "engine/tournament/standings/season.h"
#include "tests/test.h"

#define MILLION INT64_C(1000000)

static struct season make(const struct season_input *input)
{
    struct season season;
    struct refusal refusal;
    if (!season_make(input, &season, &refusal))
        fail_msg("refused: %s", refusal.code);
    return season;
}

static const struct season_row *row_of(const struct season *season, uint32_t player)
{
    for (size_t i = 0; i < season->count; i++)
        if (season->rows[i].player == player)
            return &season->rows[i];
    return NULL;
}

static struct season_result points(uint32_t player, uint16_t event, uint16_t place, int whole)
{
    return (struct season_result){
        .player = player, .event = event, .place = place, .shared = 1, .points = 60 * whole};
}

/* Three events of weights 1, 1 and 2, of which two results count; the fourth is to come.
 *
 *      player   event 0   event 1   event 2 (doubled)   counts           total
 *      0        10        6         -                   10 6             16
 *      1        8         -         5 = 10              10 8             18
 *      2        6         8         3 = 6               8 6 (6 dropped)  14
 *      3        -         -         -                                    0 */
static const struct season_event by_hand_events[4] = {{.weight = 1000, .entrants = 3, .over = true},
                                                      {.weight = 1000, .entrants = 3, .over = true},
                                                      {.weight = 2000, .entrants = 3, .over = true},
                                                      {.weight = 500, .points_most = 600}};

TEST(best_results_count)
{
    const struct season_result results[] = {
        points(0, 0, 1, 10), points(1, 0, 2, 8), points(2, 0, 3, 6), points(2, 1, 1, 8),
        points(0, 1, 2, 6),  points(1, 2, 1, 5), points(2, 2, 2, 3)};
    struct season_input input = {.rules = {SEASON_POINTS, 2, 2},
                                 .events = by_hand_events,
                                 .event_count = 4,
                                 .results = results,
                                 .result_count = 7,
                                 .player_count = 4};
    struct season season = make(&input);
    static const uint32_t order[] = {1, 0, 2, 3};
    static const int64_t totals[] = {18, 16, 14, 0};
    /* The fourth gives 5 at most: more than nothing that 0, 1 or 2 count but for 3. */
    static const int64_t mosts[] = {18, 16, 14, 5};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(season.rows[i].player, order[i]);
        assert_int_equal(season.rows[i].rank, i + 1);
        assert_int_equal(season.rows[i].total, totals[i] * MILLION);
        assert_int_equal(season.rows[i].most, mosts[i] * MILLION);
        assert_int_equal(season.rows[i].rank_best, i + 1);
        assert_int_equal(season.rows[i].rank_worst, i + 1);
    }
    const struct season_row *third = row_of(&season, 2);
    const struct season_value *values = &season.values[third->value_from];
    assert_int_equal(third->value_count, 3);
    assert_true(values[0].event == 1 && values[0].counted && values[0].value == 8 * MILLION);
    assert_true(values[1].event == 0 && values[1].counted && values[1].value == 6 * MILLION);
    assert_true(values[2].event == 2 && !values[2].counted && values[2].value == 6 * MILLION);
    /* To reach 16, its 6 has to become more than 8; player 3 has room for two. */
    assert_int_equal(season_needed(&input.rules, &season, third, 16 * MILLION), 8 * MILLION);
    assert_int_equal(season_needed(&input.rules, &season, third, 14 * MILLION), 0);
    assert_int_equal(season_needed(&input.rules, &season, row_of(&season, 3), 3 * MILLION),
                     3 * MILLION);
    season_free(&season);
}

/* 100 (n + 5) / (n + 6) (n - p) / (n - 1), rounded down; two who share 2nd and 3rd stand at 2.5. */
TEST(percentiles)
{
    static const struct season_event events[] = {{.weight = 1000, .entrants = 5, .over = true},
                                                 {.weight = 1500, .entrants = 100, .over = true},
                                                 {.weight = 1000, .entrants = 1, .over = true}};
    const struct season_result results[] = {{.player = 0, .event = 0, .place = 1, .shared = 1},
                                            {.player = 1, .event = 0, .place = 2, .shared = 2},
                                            {.player = 2, .event = 0, .place = 5, .shared = 1},
                                            {.player = 2, .event = 1, .place = 10, .shared = 1},
                                            {.player = 1, .event = 2, .place = 1, .shared = 1}};
    struct season_input input = {.rules = {SEASON_PERCENTILE, 10, 2},
                                 .events = events,
                                 .event_count = 3,
                                 .results = results,
                                 .result_count = 5,
                                 .player_count = 3};
    struct season season = make(&input);
    assert_int_equal(row_of(&season, 0)->total, 90909090);  /* 100 * 10 / 11 */
    assert_int_equal(row_of(&season, 1)->total, 56818181);  /* 100 * 10 / 11 * 5 / 8 */
    assert_int_equal(row_of(&season, 2)->total, 135077186); /* 150 * 105 / 106 * 90 / 99 */
    /* A field of one counts for nobody. */
    const struct season_row *second = row_of(&season, 1);
    assert_int_equal(second->value_count, 2);
    assert_false(season.values[second->value_from + 1].counted);
    assert_int_equal(season.values[second->value_from + 1].event, 2);
    season_free(&season);
}

TEST(ties_are_parted_by_results_then_meetings_then_time)
{
    static const struct season_event events[] = {{.weight = 1000, .entrants = 9, .over = true},
                                                 {.weight = 1000, .entrants = 9, .over = true},
                                                 {.weight = 1000, .entrants = 9, .over = true}};
    /* 0 and 1: 12 of 7 + 5 against 8 + 4: the best result. 2 and 3: 5 4 3 in another order, 2 was
     * ahead twice. 4, 5 and 6: the same numbers, three of them: the last event, where 5 and 6 are
     * equal; then the one before. 7 and 8 are equal in everything. */
    const struct season_result results[] = {
        points(0, 0, 1, 7), points(0, 1, 1, 5), points(1, 0, 1, 8), points(1, 1, 1, 4),
        points(2, 0, 1, 5), points(2, 1, 1, 4), points(2, 2, 1, 3), points(3, 0, 1, 4),
        points(3, 1, 1, 3), points(3, 2, 1, 5), points(4, 0, 1, 2), points(4, 2, 1, 1),
        points(5, 1, 1, 1), points(5, 2, 1, 2), points(6, 0, 1, 1), points(6, 2, 1, 2),
        points(7, 1, 1, 1), points(8, 1, 1, 1)};
    struct season_input input = {.rules = {SEASON_POINTS, 3, 2},
                                 .events = events,
                                 .event_count = 3,
                                 .results = results,
                                 .result_count = sizeof results / sizeof results[0],
                                 .player_count = 9};
    struct season season = make(&input);
    static const uint32_t order[] = {1, 0, 2, 3, 5, 6, 4, 7, 8};
    static const uint32_t ranks[] = {1, 2, 3, 4, 5, 6, 7, 8, 8};
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(season.rows[i].player, order[i]);
        assert_int_equal(season.rows[i].rank, ranks[i]);
    }
    season_free(&season);
}

/* ---- every way in which a season can end ---- */

enum { PLAYERS = 4, EVENTS = 4, OPEN = 2, RESULTS_MAX = PLAYERS * EVENTS };

static uint32_t roll(uint32_t *luck, uint32_t sides)
{
    *luck = *luck * 1664525U + 1013904223U;
    return (*luck >> 8) % sides;
}

static size_t pairing_season(struct season_event *events, struct season_result *results,
                             uint32_t *luck)
{
    size_t count = 0;
    for (uint16_t event = 0; event < EVENTS; event++) {
        events[event] = (struct season_event){.weight = 500 + 500 * roll(luck, 3),
                                              .points_most = 60 * 4,
                                              .entrants = PLAYERS,
                                              .over = event < EVENTS - OPEN};
        for (uint32_t player = 0; event < EVENTS - OPEN && player < PLAYERS; player++)
            if (roll(luck, 4) > 0)
                results[count++] = points(player, event, 1, (int)roll(luck, 5));
    }
    return count;
}

/* Gives everybody 0 .. 4 points in both open events, as the digits of `ending` say, and closes. */
static size_t end_season(struct season_event *events, struct season_result *results, size_t count,
                         unsigned ending)
{
    for (uint16_t event = EVENTS - OPEN; event < EVENTS; event++) {
        events[event].over = true;
        for (uint32_t player = 0; player < PLAYERS; player++, ending /= 5)
            results[count++] = points(player, event, 1, (int)(ending % 5));
    }
    return count;
}

TEST(nobody_leaves_the_bounds)
{
    uint32_t luck = 4;
    for (int n = 0; n < 6; n++) {
        struct season_event events[EVENTS], ended[EVENTS];
        struct season_result results[RESULTS_MAX];
        struct season_input input = {.rules = {SEASON_POINTS, (uint16_t)(1 + n % EVENTS), 2},
                                     .events = events,
                                     .event_count = EVENTS,
                                     .results = results,
                                     .player_count = PLAYERS};
        size_t count = input.result_count = pairing_season(events, results, &luck);
        struct season before = make(&input);
        input.events = ended;
        for (unsigned ending = 0; ending < 390625; ending += 1 + ending % 7) {
            memcpy(ended, events, sizeof ended);
            input.result_count = end_season(ended, results, count, ending);
            struct season after = make(&input);
            for (uint32_t player = 0; player < PLAYERS; player++) {
                const struct season_row *was = row_of(&before, player);
                const struct season_row *is = row_of(&after, player);
                assert_in_range(is->total, was->total, was->most);
                assert_in_range(is->rank, was->rank_best, was->rank_worst);
                assert_true(is->most == is->total && is->rank_best == is->rank);
            }
            season_free(&after);
        }
        /* The bound of the total is met. */
        unsigned all = 390624;
        memcpy(ended, events, sizeof ended);
        input.result_count = end_season(ended, results, count, all);
        struct season after = make(&input);
        for (uint32_t player = 0; player < PLAYERS; player++)
            assert_int_equal(row_of(&after, player)->total, row_of(&before, player)->most);
        season_free(&after);
        season_free(&before);
    }
}

/* The order of results does not matter, and the total is the sum of the best. */
TEST(totals_are_plain_sums)
{
    enum { MANY = 40, MANY_EVENTS = 12 };
    static struct season_event events[MANY_EVENTS];
    static struct season_result results[MANY * MANY_EVENTS], turned[MANY * MANY_EVENTS];
    uint32_t luck = 12;
    for (int n = 0; n < 40; n++) {
        size_t count = 0;
        struct season_input input = {
            .rules = {(enum season_method)(n % 2), (uint16_t)(1 + n / 2 % 13), 2},
            .events = events,
            .event_count = MANY_EVENTS,
            .results = results,
            .player_count = MANY};
        for (uint16_t event = 0; event < MANY_EVENTS; event++) {
            events[event] =
                (struct season_event){.weight = roll(&luck, 3000), .entrants = MANY, .over = true};
            for (uint32_t player = 0; player < MANY; player++)
                if (roll(&luck, 3) > 0)
                    results[count++] =
                        (struct season_result){player, event, (uint16_t)(1 + roll(&luck, MANY)),
                                               1,      0,     (int32_t)roll(&luck, 2000)};
        }
        for (size_t i = 0; i < count; i++)
            turned[i] = results[count - 1 - i];
        input.result_count = count;
        struct season season = make(&input);
        input.results = turned;
        struct season other = make(&input);
        for (size_t i = 0; i < MANY; i++) {
            const struct season_row *row = &season.rows[i];
            int64_t sum = 0;
            for (size_t j = 0; j < row->value_count; j++) {
                const struct season_value *value = &season.values[row->value_from + j];
                assert_true(j == 0 || value->value <= value[-1].value);
                assert_int_equal(value->counted, j < input.rules.counted);
                sum += value->counted ? value->value : 0;
            }
            assert_int_equal(row->total, sum);
            assert_true(i == 0 || row->total <= season.rows[i - 1].total);
            assert_memory_equal(row, &other.rows[i], sizeof *row);
        }
        season_free(&season);
        season_free(&other);
    }
}

TEST(weight_of_a_field)
{
    int32_t ratings[100];
    for (size_t i = 0; i < 100; i++)
        ratings[i] = 1500;
    assert_int_equal(season_field_weight(ratings, 10, 1500, 5), 1000);
    assert_int_equal(season_field_weight(ratings, 100, 1500, 5), 10000);
    assert_int_equal(season_field_weight(ratings, 100, 1700, 5), 4800); /* 24 % each */
    assert_int_equal(season_field_weight(ratings, 0, 1500, 5), 0);
    ratings[0] = 4000;
    assert_int_equal(season_field_weight(ratings, 1, 1500, 1), 1000);
}

static void assert_refused(const struct season_input *input, const char *code)
{
    struct season season;
    struct refusal refusal = {0};
    assert_false(season_make(input, &season, &refusal));
    assert_string_equal(refusal.code, code);
    assert_null(season.rows);
}

TEST(refuses_what_makes_no_sense)
{
    struct season_event events[4];
    struct season_result results[2] = {points(0, 0, 1, 10), points(1, 0, 2, 8)};
    struct season_input input = {.rules = {SEASON_POINTS, 2, 2},
                                 .events = events,
                                 .event_count = 4,
                                 .results = results,
                                 .result_count = 2,
                                 .player_count = 2};
    memcpy(events, by_hand_events, sizeof events);
    results[1] = results[0];
    assert_refused(&input, SEASON_REFUSAL_TWICE);
    results[1] = points(1, 3, 1, 1); /* not over */
    assert_refused(&input, SEASON_REFUSAL_RESULT);
    results[1] = points(1, 0, 4, 1); /* 4th of 3 */
    assert_refused(&input, SEASON_REFUSAL_RESULT);
    results[1] = points(2, 0, 1, 1);
    assert_refused(&input, SEASON_REFUSAL_RESULT);
    results[1] = points(1, 0, 1, -1);
    assert_refused(&input, SEASON_REFUSAL_RESULT);
    results[1] = points(1, 0, 2, 8);
    events[1].weight = SEASON_WEIGHT_MAX + 1;
    assert_refused(&input, SEASON_REFUSAL_EVENT);
    input.rules.counted = 0;
    assert_refused(&input, SEASON_REFUSAL_INPUT);
    input.rules.counted = 1;
    input.rules.least_entrants = 1;
    assert_refused(&input, SEASON_REFUSAL_INPUT);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
