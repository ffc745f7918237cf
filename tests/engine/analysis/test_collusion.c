/* Evidence of collusion: a favoured opponent is found, honest pairs are flagged as rarely as is
 * said, and nobody for being weak. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis/collusion.h"
#include "tests/test.h"

enum { PLAYERS = 60, GAMES = 600, SEATS = 4 };

static uint64_t luck = 1;

static int64_t roll(int64_t sides)
{
    luck = luck * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((luck >> 33) % (uint64_t)sides);
}

static void seat_by_lot(struct collusion_game *game, unsigned players, unsigned seats)
{
    *game = (struct collusion_game){.seats = seats};
    for (unsigned seat = 0; seat < seats; seat++) {
        bool again = true;
        while (again) {
            game->player[seat] = (uint32_t)roll(players);
            again = false;
            for (unsigned other = 0; other < seat; other++)
                again = again || game->player[other] == game->player[seat];
        }
    }
}

/* Everybody errs, some more than others, and whoever gains is a matter of lot, with heavy tails. */
static void err(struct collusion_game *game)
{
    for (unsigned a = 0; a < game->seats; a++)
        for (unsigned b = 0; b < game->seats; b++)
            if (a != b) {
                game->gift[a][b] =
                    roll(1000) * (1 + game->player[a] % 5) + (roll(30) == 0 ? 40000 : 0) - 500;
                game->cost[a] += game->gift[a][b];
            }
}

static unsigned seat_of(const struct collusion_game *game, uint32_t player)
{
    unsigned seat = 0;
    while (seat < game->seats && game->player[seat] != player)
        seat++;
    return seat;
}

/* Player 0 favours player 1 by `favour` at each of their tables. */
static struct collusion_pair *find(unsigned players, unsigned seats, int64_t favour, size_t *count)
{
    struct collusion *collusion = collusion_new();
    for (unsigned i = 0; i < GAMES; i++) {
        struct collusion_game game;
        seat_by_lot(&game, players, seats);
        err(&game);
        unsigned from = seat_of(&game, 0), to = seat_of(&game, 1);
        if (from < seats && to < seats) {
            game.gift[from][to] += favour;
            game.cost[from] += favour;
        }
        assert_true(collusion_add(collusion, &game));
    }
    struct collusion_pair *pairs = collusion_find(collusion, count);
    collusion_free(collusion);
    return pairs;
}

static void expect_only_the_favoured(unsigned players, unsigned seats)
{
    size_t count, flagged = 0;
    struct collusion_pair *pairs = find(players, seats, 60000, &count);
    assert_true(count > 0);
    assert_int_equal(pairs[0].from, 0);
    assert_int_equal(pairs[0].to, 1);
    assert_true(pairs[0].flagged && pairs[0].permuted);
    assert_true(pairs[0].excess > 0 && pairs[0].cost >= pairs[0].given);
    for (size_t i = 0; i < count; i++)
        flagged += pairs[i].flagged;
    assert_int_equal(flagged, 1);
    free(pairs);
}

TEST(test_finds_a_favourite)
{
    expect_only_the_favoured(10, 4);
    expect_only_the_favoured(8, 3);
    expect_only_the_favoured(8, 2);
}

/* Sixty fields are expected to have about one flagged pair; five times as many would be no
 * accident. The everyday run has twenty fields. */
TEST(test_false_alarms)
{
    enum { FIELD_PLAYERS = 12 };
    const unsigned fields = getenv("TILLROLL_LONG") == NULL ? 20 : 60;
    size_t seen = 0, flagged = 0, screened = 0;
    for (unsigned i = 0; i < fields; i++) {
        size_t count;
        struct collusion_pair *pairs = find(FIELD_PLAYERS, 2 + i % 3, 0, &count);
        for (size_t n = 0; n < count; n++) {
            flagged += pairs[n].flagged;
            screened += pairs[n].permuted;
        }
        seen += count;
        free(pairs);
    }
    printf("%zu of %zu honest pairs flagged, %zu permuted\n", flagged, seen, screened);
    assert_true(seen > (size_t)fields * FIELD_PLAYERS * (FIELD_PLAYERS - 2));
    assert_true(flagged * COLLUSION_LEVEL <= seen * 5);
}

TEST(test_all_moves_count)
{
    const int64_t bad[GAME_SEATS_MAX] = {-700, 500, 200}, good[GAME_SEATS_MAX] = {300, -200, -100};
    struct collusion_game game = {.seats = 3};
    collusion_read_move(&game, 0, bad);
    collusion_read_move(&game, 0, good);
    assert_int_equal(game.cost[0], 400);
    assert_int_equal(game.gift[0][1], 300);
    assert_int_equal(game.gift[0][2], 100);
    assert_int_equal(game.gift[0][0], 0);
    assert_int_equal(game.gift[1][0], 0);
}

/* A player who plays better than `regular` throughout, and so gives others nothing, is no suspect.
 */
TEST(test_needs_a_cost)
{
    struct collusion *collusion = collusion_new();
    struct collusion_game game = {.seats = 3, .player = {0, 1, 2}};
    size_t count;
    game.gift[0][2] = -65536;
    game.cost[0] = -65536;
    for (unsigned i = 0; i < 20; i++)
        assert_true(collusion_add(collusion, &game));
    struct collusion_pair *pairs = collusion_find(collusion, &count);
    assert_int_equal(pairs[0].from, 0);
    assert_int_equal(pairs[0].to, 1);
    assert_true(pairs[0].permuted);
    assert_false(pairs[0].flagged);
    free(pairs);
    collusion_free(collusion);
}

TEST(test_few_games_say_nothing)
{
    struct collusion *collusion = collusion_new();
    struct collusion_game game = {.seats = 3, .player = {0, 1, 2}};
    size_t count;
    game.gift[0][1] = 65536;
    game.cost[0] = 65536;
    for (unsigned i = 0; i < 6; i++)
        assert_true(collusion_add(collusion, &game));
    struct collusion_pair *pairs = collusion_find(collusion, &count);
    assert_int_equal(count, 6);
    for (size_t i = 0; i < count; i++)
        assert_false(pairs[i].flagged);
    free(pairs);
    /* One in 2^15 that it is lot; of nine games one in 512 is not little enough. */
    for (unsigned i = 6; i < 15; i++)
        assert_true(collusion_add(collusion, &game));
    pairs = collusion_find(collusion, &count);
    assert_true(pairs[0].flagged);
    free(pairs);
    collusion_free(collusion);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
