/* Histories of ratings: the same as rating game by game, and what a correction changes. */
#include <string.h>

#include "engine/tournament/standings/rating_history.h"
#include "tests/test.h"

enum { PLAYERS = 12, GAMES = 60, STEPS_MAX = GAMES * RATING_PLAYERS_MAX };

static uint32_t roll(uint32_t *luck, uint32_t sides)
{
    *luck = *luck * 1664525U + 1013904223U;
    return (*luck >> 8) % sides;
}

static void pairing_games(struct rated_game *games, uint32_t luck)
{
    for (uint64_t i = 0; i < GAMES; i++) {
        uint32_t first = roll(&luck, PLAYERS);
        games[i] = (struct rated_game){.key = 100 + 3 * i, .count = 2 + roll(&luck, 4)};
        for (uint32_t seat = 0; seat < games[i].count; seat++) {
            games[i].player[seat] = (first + 5 * seat) % PLAYERS;
            games[i].rank[seat] = (int32_t)roll(&luck, 4);
        }
    }
}

struct history {
    struct rating ratings[PLAYERS];
    struct rating_step steps[STEPS_MAX];
    size_t count;
};

static void make(const struct rated_game *games, size_t count, struct history *history)
{
    size_t failed;
    for (size_t i = 0; i < PLAYERS; i++)
        history->ratings[i] = rating_initial();
    assert_int_equal(rating_history_make(games, count, history->ratings, PLAYERS, history->steps,
                                         &history->count, &failed),
                     RATING_HISTORY_OK);
}

TEST(history_is_game_by_game)
{
    static struct rated_game games[GAMES];
    static struct history history;
    struct rating plain[PLAYERS];
    const struct rating_step *step = history.steps;
    pairing_games(games, 1);
    make(games, GAMES, &history);
    for (size_t i = 0; i < PLAYERS; i++)
        plain[i] = rating_initial();
    for (size_t i = 0; i < GAMES; i++) {
        struct rating table[RATING_PLAYERS_MAX];
        for (uint32_t seat = 0; seat < games[i].count; seat++)
            table[seat] = plain[games[i].player[seat]];
        assert_true(rating_update(table, games[i].rank, games[i].count));
        for (uint32_t seat = 0; seat < games[i].count; seat++, step++) {
            struct rating *before = &plain[games[i].player[seat]];
            assert_int_equal(step->key, games[i].key);
            assert_int_equal(step->player, games[i].player[seat]);
            assert_true(step->before[0] == before->mu && step->before[1] == before->sigma);
            assert_true(step->after[0] == table[seat].mu && step->after[1] == table[seat].sigma);
            *before = table[seat];
        }
    }
    assert_int_equal(step - history.steps, history.count);
    assert_memory_equal(plain, history.ratings, sizeof plain);
}

static size_t compare(const struct history *was, const struct history *is,
                      struct rating_difference *differences)
{
    size_t count;
    assert_true(
        rating_history_compare(was->steps, was->count, is->steps, is->count, differences, &count));
    return count;
}

/* Every step of one history is in the other one and the same, or is listed. */
static void assert_complete(const struct history *was, const struct history *is,
                            const struct rating_difference *differences, size_t count)
{
    size_t listed = 0;
    for (size_t i = 0; i < was->count; i++) {
        const struct rating_step *step = &was->steps[i], *found = NULL;
        for (size_t j = 0; j < is->count; j++)
            if (is->steps[j].key == step->key && is->steps[j].player == step->player)
                found = &is->steps[j];
        if (found != NULL && memcmp(found, step, sizeof *step) == 0)
            continue;
        size_t at = 0;
        while (at < count && (differences[at].was != step || differences[at].is != found))
            at++;
        assert_true(at < count);
        listed++;
    }
    for (size_t i = 0; i < count; i++)
        listed += differences[i].was == NULL;
    assert_int_equal(listed, count);
}

TEST(a_corrected_result_changes_only_what_follows)
{
    static struct rated_game games[GAMES];
    static struct history was, is;
    static struct rating_difference differences[2 * STEPS_MAX];
    pairing_games(games, 2);
    make(games, GAMES, &was);
    assert_int_equal(compare(&was, &was, differences), 0);
    games[40].rank[0] += 10;
    make(games, GAMES, &is);
    size_t count = compare(&was, &is, differences);
    assert_in_range(count, 2, was.count);
    assert_int_equal(differences[0].was->key, games[40].key);
    for (size_t i = 0; i < count; i++) {
        assert_non_null(differences[i].was);
        assert_non_null(differences[i].is);
        assert_true(differences[i].was->key >= games[40].key);
    }
    assert_complete(&was, &is, differences, count);
}

TEST(a_voided_game_is_listed_as_gone)
{
    static struct rated_game games[GAMES], fewer[GAMES - 1];
    static struct history was, is;
    static struct rating_difference differences[2 * STEPS_MAX];
    pairing_games(games, 3);
    memcpy(fewer, games, 20 * sizeof *games);
    memcpy(fewer + 20, games + 21, (GAMES - 21) * sizeof *games);
    make(games, GAMES, &was);
    make(fewer, GAMES - 1, &is);
    size_t count = compare(&was, &is, differences);
    for (size_t i = 0; i < games[20].count; i++) {
        assert_int_equal(differences[i].was->key, games[20].key);
        assert_null(differences[i].is);
    }
    assert_complete(&was, &is, differences, count);
    /* The other way round it is new. */
    count = compare(&is, &was, differences);
    assert_null(differences[0].was);
    assert_int_equal(differences[0].is->key, games[20].key);
    assert_complete(&is, &was, differences, count);
}

TEST(refuses_games_that_make_no_sense)
{
    static struct rated_game games[GAMES];
    static struct history history;
    size_t failed = 0;
    struct rating *ratings = history.ratings;
    pairing_games(games, 4);
    make(games, GAMES, &history);
    games[7].key = games[6].key;
    assert_int_equal(
        rating_history_make(games, GAMES, ratings, PLAYERS, history.steps, &history.count, &failed),
        RATING_HISTORY_ORDER);
    assert_int_equal(failed, 7);
    games[5].player[1] = games[5].player[0];
    assert_int_equal(
        rating_history_make(games, GAMES, ratings, PLAYERS, history.steps, &history.count, &failed),
        RATING_HISTORY_PLAYER);
    assert_int_equal(failed, 5);
    games[3].player[1] = PLAYERS;
    assert_int_equal(
        rating_history_make(games, GAMES, ratings, PLAYERS, history.steps, &history.count, &failed),
        RATING_HISTORY_PLAYER);
    games[2].count = 1;
    assert_int_equal(
        rating_history_make(games, GAMES, ratings, PLAYERS, history.steps, &history.count, &failed),
        RATING_HISTORY_GAME);
    ratings[games[0].player[0]].sigma = 0;
    assert_int_equal(
        rating_history_make(games, GAMES, ratings, PLAYERS, history.steps, &history.count, &failed),
        RATING_HISTORY_RATING);
    assert_int_equal(failed, 0);
}

/* ---- periods ---- */

/* Glickman's example as a period: player 0 plays three others, who have played before in nothing.
 */
TEST(a_period_rates_all_games_at_once)
{
    struct glicko ratings[5] = {{1500000000, 200000000, 60000000},
                                {1400000000, 30000000, 60000000},
                                {1550000000, 100000000, 60000000},
                                {1700000000, 300000000, 60000000},
                                {1600000000, 90000000, 60000000}};
    const struct period_game games[3] = {{1, {0, 1}, 2}, {1, {2, 0}, 2}, {1, {0, 3}, 0}};
    struct rating_step steps[6];
    size_t count, failed;
    assert_int_equal(
        rating_history_glicko(games, 3, 1, GLICKO_TAU_DEFAULT, ratings, 5, steps, &count, &failed),
        RATING_HISTORY_OK);
    assert_int_equal(count, 4);
    assert_int_equal(ratings[0].rating, 1464050671);
    assert_int_equal(ratings[0].deviation, 151516524);
    for (uint32_t player = 0; player < 4; player++) {
        assert_int_equal(steps[player].player, player);
        assert_int_equal(steps[player].key, 1);
        assert_int_equal(steps[player].after[0], ratings[player].rating);
    }
    /* Player 1 lost to a 1500 of 200, not to what 0 became. */
    struct glicko loser = {1400000000, 30000000, 60000000};
    const struct glicko_game lost = {{1500000000, 200000000, 60000000}, 0, 0};
    assert_true(glicko_update(&loser, &lost, 1, GLICKO_TAU_DEFAULT));
    assert_memory_equal(&ratings[1], &loser, sizeof loser);
    /* Nobody has ever seen player 4 play: nothing changes. */
    assert_int_equal(ratings[4].deviation, 90000000);
}

/* Plays in 1 and 5: three periods of rest before the second step, two after it. */
TEST(rest_comes_before_the_next_period)
{
    struct glicko ratings[2] = {glicko_initial(), glicko_initial()}, by_hand = glicko_initial();
    const struct period_game games[2] = {{1, {0, 1}, 2}, {5, {1, 0}, 1}};
    struct rating_step steps[4];
    size_t count, failed;
    assert_int_equal(
        rating_history_glicko(games, 2, 7, GLICKO_TAU_DEFAULT, ratings, 2, steps, &count, &failed),
        RATING_HISTORY_OK);
    assert_int_equal(count, 4);
    const struct glicko_game first = {glicko_initial(), 2, 0};
    assert_true(glicko_update(&by_hand, &first, 1, GLICKO_TAU_DEFAULT));
    assert_int_equal(steps[0].after[0], by_hand.rating);
    by_hand = glicko_rest(by_hand, 3);
    assert_int_equal(steps[2].before[1], by_hand.deviation);
    const struct glicko_game second = {
        {steps[3].before[0], (int32_t)steps[3].before[1], (int32_t)steps[3].before[2]}, 1, 0};
    assert_true(glicko_update(&by_hand, &second, 1, GLICKO_TAU_DEFAULT));
    assert_int_equal(steps[2].after[0], by_hand.rating);
    by_hand = glicko_rest(by_hand, 2);
    assert_memory_equal(&ratings[0], &by_hand, sizeof by_hand);
}

TEST(a_corrected_period_shows_its_differences)
{
    struct period_game games[GAMES];
    struct rating_step was[2 * GAMES], is[2 * GAMES];
    struct rating_difference differences[4 * GAMES];
    struct glicko ratings[PLAYERS];
    size_t was_count, is_count, failed, count;
    uint32_t luck = 8;
    for (uint32_t i = 0; i < GAMES; i++) {
        uint32_t player = roll(&luck, PLAYERS);
        games[i] = (struct period_game){1 + i / 10,
                                        {player, (player + 1 + roll(&luck, PLAYERS - 1)) % PLAYERS},
                                        roll(&luck, 3)};
    }
    for (size_t i = 0; i < PLAYERS; i++)
        ratings[i] = glicko_initial();
    assert_int_equal(
        rating_history_glicko(games, GAMES, 6, 500, ratings, PLAYERS, was, &was_count, &failed),
        RATING_HISTORY_OK);
    games[33].halves = 2 - games[33].halves + (games[33].halves == 1);
    for (size_t i = 0; i < PLAYERS; i++)
        ratings[i] = glicko_initial();
    assert_int_equal(
        rating_history_glicko(games, GAMES, 6, 500, ratings, PLAYERS, is, &is_count, &failed),
        RATING_HISTORY_OK);
    assert_true(rating_history_compare(was, was_count, is, is_count, differences, &count));
    size_t in_fourth = 0;
    for (size_t i = 0; i < count; i++) {
        assert_true(differences[i].was->key >= 4);
        in_fourth += differences[i].was->key == 4;
    }
    assert_int_equal(in_fourth, 2); /* the two who played the game, nobody else */
}

TEST(refuses_periods_that_make_no_sense)
{
    struct glicko ratings[3] = {glicko_initial(), glicko_initial(), glicko_initial()};
    struct period_game games[2] = {{1, {0, 1}, 2}, {2, {1, 2}, 1}};
    struct rating_step steps[4];
    size_t count, failed;
#define STATUS(last)                                                                               \
    rating_history_glicko(games, 2, (last), 500, ratings, 3, steps, &count, &failed)
    assert_int_equal(STATUS(1), RATING_HISTORY_ORDER);
    assert_int_equal(failed, 1);
    assert_int_equal(STATUS(GLICKO_PERIODS_MAX + 1), RATING_HISTORY_ORDER);
    games[0].period = 3;
    assert_int_equal(STATUS(3), RATING_HISTORY_ORDER);
    games[0].period = 0;
    assert_int_equal(STATUS(3), RATING_HISTORY_ORDER);
    games[0].period = 1;
    games[1].player[1] = 3;
    assert_int_equal(STATUS(3), RATING_HISTORY_PLAYER);
    games[1].player[1] = 1;
    assert_int_equal(STATUS(3), RATING_HISTORY_PLAYER);
    games[1].player[1] = 2;
    games[1].halves = 3;
    assert_int_equal(STATUS(3), RATING_HISTORY_GAME);
    games[1].halves = 0;
    ratings[1].volatility = 0;
    assert_int_equal(STATUS(3), RATING_HISTORY_RATING);
    assert_int_equal(failed, 0);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
