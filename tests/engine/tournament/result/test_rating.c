/* Ratings against openskill.js 5.0.1. */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/result/rating.h"
#include "tests/test.h"

enum { PLAYERS = 5 };

struct game_case {
    const char *name;
    size_t count;
    struct rating before[PLAYERS];
    int32_t ranks[PLAYERS];
    struct rating after[PLAYERS];
    int32_t tolerance; /* millionths */
};

#define NEW                                                                                        \
    {                                                                                              \
        25000000, 8333333                                                                          \
    }

/* The reference starts new players from 25/3 exactly, which no number of millionths is: results may
 * differ by one unit there. The cases with whole numbers are met exactly. */
static const struct game_case game_cases[] = {
    {"two new", 2, {NEW, NEW}, {1, 2}, {{27635389, 8065901}, {22364611, 8065901}}, 1},
    {"three new",
     3,
     {NEW, NEW, NEW},
     {1, 2, 3},
     {{27869049, 8205243}, {25717262, 8058224}, {21413689, 8058224}},
     1},
    {"four new",
     4,
     {NEW, NEW, NEW, NEW},
     {1, 2, 3, 4},
     {{27795253, 8263572}, {26552918, 8179618}, {24689416, 8084128}, {20962413, 8084128}},
     1},
    {"five new",
     5,
     {NEW, NEW, NEW, NEW, NEW},
     {1, 2, 3, 4, 5},
     {{27666827, 8290970},
      {26833443, 8240555},
      {25722266, 8180401},
      {24055499, 8112195},
      {20721966, 8112195}},
     1},
    {"two first",
     4,
     {NEW, NEW, NEW, NEW},
     {1, 1, 3, 4},
     {{25931751, 8263572}, {25931751, 8263572}, {25931751, 8169063}, {22204747, 8169063}},
     1},
    {"all tied",
     4,
     {NEW, NEW, NEW, NEW},
     {1, 1, 1, 1},
     {{25000000, 8263572}, {25000000, 8263572}, {25000000, 8263572}, {25000000, 8263572}},
     1},
    {"scores 37 19 37 42",
     4,
     {NEW, NEW, NEW, NEW},
     {-37, -19, -37, -42},
     {{24689416, 8179618}, {22825915, 8179618}, {24689416, 8179618}, {27795253, 8263572}},
     1},
    {"mixed in order",
     4,
     {{30000000, 3000000}, {27000000, 5000000}, {24000000, 7000000}, {21000000, 2000000}},
     {1, 2, 3, 4},
     {{30471131, 2996466}, {27624437, 4929759}, {23605537, 6599607}, {20722603, 1999365}},
     0},
    {"mixed 2 1 3 4",
     4,
     {{30000000, 3000000}, {27000000, 5000000}, {24000000, 7000000}, {21000000, 2000000}},
     {2, 1, 3, 4},
     {{30129229, 2991286}, {28455417, 4968963}, {23735267, 6607770}, {20730948, 1999420}},
     0},
    {"mixed reversed",
     4,
     {{30000000, 3000000}, {27000000, 5000000}, {24000000, 7000000}, {21000000, 2000000}},
     {4, 3, 2, 1},
     {{29048799, 2986292}, {26921358, 4893386}, {26071412, 6776481}, {21266400, 2001161}},
     0},
    /* Drawn at random, then computed by the reference. */
    {"drawn 0",
     4,
     {{-4183282, 2319708}, {5624696, 8897257}, {60028923, 2169417}, {5175938, 7747921}},
     {1, 1, 1, 2},
     {{-4066313, 2321150}, {7281699, 8875141}, {59835299, 2170826}, {5082329, 7735809}},
     0},
    {"drawn 3",
     4,
     {{35167971, 3358137}, {18762446, 8102520}, {23280115, 1769600}, {11342342, 3353324}},
     {1, 3, 1, 4},
     {{35123572, 3351432}, {19834061, 7715353}, {23350575, 1771153}, {10950363, 3344823}},
     0},
    {"drawn 7",
     4,
     {{16431684, 8475711}, {31264181, 1470670}, {22337193, 1150643}, {41241822, 7681084}},
     {2, 2, 1, 4},
     {{17962416, 8318023}, {31256046, 1472706}, {22417633, 1153621}, {36639561, 7382389}},
     0},
    {"drawn 399",
     5,
     {{11185379, 3944184},
      {30329129, 2382727},
      {7004285, 4591747},
      {42413387, 3353867},
      {10719967, 5733533}},
     {1, 5, 5, 2, 1},
     {{11709727, 3942232},
      {29953965, 2380599},
      {7432555, 4572200},
      {42167606, 3342220},
      {11832635, 5721904}},
     0},
};

static void assert_rating(const struct game_case *game, size_t i, struct rating rating)
{
    int32_t mu = abs(rating.mu - game->after[i].mu);
    int32_t sigma = abs(rating.sigma - game->after[i].sigma);
    if (mu > game->tolerance || sigma > game->tolerance)
        fail_msg("%s, player %zu: %d / %d", game->name, i, rating.mu, rating.sigma);
}

TEST(rates_as_the_reference)
{
    for (size_t i = 0; i < sizeof game_cases / sizeof game_cases[0]; i++) {
        const struct game_case *game = &game_cases[i];
        struct rating ratings[PLAYERS];
        memcpy(ratings, game->before, sizeof ratings);
        assert_true(rating_update(ratings, game->ranks, game->count));
        for (size_t player = 0; player < game->count; player++)
            assert_rating(game, player, ratings[player]);
    }
}

TEST(new_players_start_at_25)
{
    assert_int_equal(rating_initial().mu, 25000000);
    assert_int_equal(rating_initial().sigma, 8333333);
}

TEST(ordinal_is_three_sigma_below)
{
    assert_int_equal(rating_ordinal((struct rating){43070000, 2420000}), 35810000);
    assert_int_equal(rating_ordinal((struct rating){-RATING_MU_MAX, RATING_SIGMA_MAX}),
                     -1300000000);
}

/* Any order of the players, and any numbers for the ranks, give each the same rating. */
TEST(order_of_players_does_not_matter)
{
    static const struct rating before[4] = {
        {31000000, 4000000}, {22000000, 8000000}, {27500000, 3000000}, {19000000, 6000000}};
    static const int32_t ranks[4] = {3, 1, 1, 4};
    static const int32_t other_ranks[4] = {70, -5, -5, 71};
    static const size_t shuffled[4] = {2, 0, 3, 1};
    struct rating plain[4], moved[4];
    int32_t moved_ranks[4];
    memcpy(plain, before, sizeof plain);
    assert_true(rating_update(plain, ranks, 4));
    for (size_t i = 0; i < 4; i++) {
        moved[i] = before[shuffled[i]];
        moved_ranks[i] = other_ranks[shuffled[i]];
    }
    assert_true(rating_update(moved, moved_ranks, 4));
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(moved[i].mu, plain[shuffled[i]].mu);
        assert_int_equal(moved[i].sigma, plain[shuffled[i]].sigma);
    }
}

TEST(refuses_what_is_out_of_range)
{
    static const int32_t ranks[RATING_PLAYERS_MAX + 1] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    struct rating ratings[RATING_PLAYERS_MAX + 1];
    for (size_t i = 0; i <= RATING_PLAYERS_MAX; i++)
        ratings[i] = rating_initial();
    assert_false(rating_update(ratings, ranks, 1));
    assert_false(rating_update(ratings, ranks, RATING_PLAYERS_MAX + 1));
    ratings[1].sigma = 0;
    assert_false(rating_update(ratings, ranks, 2));
    assert_int_equal(ratings[0].mu, 25000000);
    static const struct rating outside[] = {
        {RATING_MU_MAX + 1, 8333333}, {-RATING_MU_MAX - 1, 8333333}, {0, RATING_SIGMA_MAX + 1}};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        ratings[1] = outside[i];
        assert_false(rating_update(ratings, ranks, 2));
    }
}

/* The ends of the range do not overflow and stay inside it. */
TEST(survives_the_ends_of_the_range)
{
    static const int32_t mus[] = {-RATING_MU_MAX, 0, RATING_MU_MAX};
    static const int32_t sigmas[] = {1, 1000000, RATING_SIGMA_MAX};
    for (size_t code = 0; code < 9 * 9 * 2; code++) {
        struct rating ratings[RATING_PLAYERS_MAX];
        int32_t ranks[RATING_PLAYERS_MAX];
        for (size_t i = 0; i < RATING_PLAYERS_MAX; i++) {
            size_t pick = i % 2 == 0 ? code % 9 : code / 9 % 9;
            ratings[i] = (struct rating){mus[pick % 3], sigmas[pick / 3]};
            ranks[i] = (int32_t)(code / 81 == 0 ? i : 0);
        }
        assert_true(rating_update(ratings, ranks, RATING_PLAYERS_MAX));
        for (size_t i = 0; i < RATING_PLAYERS_MAX; i++) {
            assert_in_range(ratings[i].mu + RATING_MU_MAX, 0, 2 * (uint32_t)RATING_MU_MAX);
            assert_in_range(ratings[i].sigma, 1, RATING_SIGMA_MAX);
        }
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
