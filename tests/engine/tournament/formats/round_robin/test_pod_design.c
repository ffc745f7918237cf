/* Fields by their axioms; constructed schedules by counting who meets whom. */
#include <string.h>

#include "engine/tournament/formats/round_robin/pod_design.h"
#include "engine/tournament/result/result.h"
#include "tests/test.h"

static bool is_prime_power(unsigned number)
{
    for (unsigned prime = 2; prime <= number; prime++)
        if (number % prime == 0) {
            while (number % prime == 0)
                number /= prime;
            return number == 1;
        }
    return false;
}

static void check_axioms(const struct galois *field)
{
    for (unsigned a = 0; a < field->size; a++) {
        bool sums[GALOIS_SIZE_MAX] = {false}, products[GALOIS_SIZE_MAX] = {false};
        assert_int_equal(galois_add(field, a, 0), a);
        assert_int_equal(galois_multiply(field, a, 1), a);
        assert_int_equal(galois_multiply(field, a, 0), 0);
        for (unsigned b = 0; b < field->size; b++) {
            unsigned sum = galois_add(field, a, b), product = galois_multiply(field, a, b);
            assert_int_equal(sum, galois_add(field, b, a));
            assert_int_equal(product, galois_multiply(field, b, a));
            assert_int_equal(galois_subtract(field, sum, b), a);
            assert_false(sums[sum]);
            assert_true(a == 0 || !products[product]);
            sums[sum] = products[product] = true;
            unsigned c = (7 * a + 3 * b + 1) % field->size;
            assert_int_equal(
                galois_multiply(field, c, sum),
                galois_add(field, galois_multiply(field, c, a), galois_multiply(field, c, b)));
            assert_int_equal(galois_multiply(field, c, product),
                             galois_multiply(field, galois_multiply(field, c, a), b));
        }
    }
}

TEST(fields)
{
    for (unsigned size = 0; size <= GALOIS_SIZE_MAX + 5; size++) {
        struct galois field;
        bool made = galois_make(&field, size);
        assert_int_equal(made, size <= GALOIS_SIZE_MAX && is_prime_power(size));
        if (made)
            check_axioms(&field);
    }
}

/* Every round seats everybody once, no pair meets twice. Returns how many pairs met. */
static unsigned check_design(unsigned players, unsigned seats, unsigned rounds)
{
    static bool met[POD_DESIGN_PLAYERS_MAX][POD_DESIGN_PLAYERS_MAX];
    unsigned pairs = 0;
    memset(met, 0, sizeof met);
    for (unsigned round = 0; round < rounds; round++) {
        uint16_t order[POD_DESIGN_PLAYERS_MAX] = {0};
        bool seated[POD_DESIGN_PLAYERS_MAX] = {false};
        pod_design_round(players, seats, round, order);
        for (unsigned i = 0; i < players; i++) {
            assert_true(order[i] < players && !seated[order[i]]);
            seated[order[i]] = true;
            for (unsigned j = i - i % seats; j < i; j++, pairs++) {
                assert_false(met[order[i]][order[j]]);
                met[order[i]][order[j]] = met[order[j]][order[i]] = true;
            }
        }
    }
    return pairs;
}

TEST(nobody_meets_twice)
{
    unsigned designs = 0;
    for (unsigned seats = 2; seats <= TOURNAMENT_SEATS_MAX; seats++)
        for (unsigned players = 1; players <= POD_DESIGN_PLAYERS_MAX; players++) {
            unsigned rounds = pod_design_rounds(players, seats);
            assert_true(rounds <= (players - 1) / (seats - 1));
            assert_true(rounds <= POD_DESIGN_ROUNDS_MAX);
            designs += rounds > 0;
            check_design(players, seats, rounds);
        }
    assert_true(designs > 100);
}

/* Everybody meets everybody. */
TEST(complete_designs)
{
    static const unsigned complete[][2] = {
        {3, 3},   {9, 3},   {15, 3},  {21, 3},  {27, 3},  {39, 3},  {51, 3},  {57, 3},
        {63, 3},  {75, 3},  {81, 3},  {87, 3},  {93, 3},  {99, 3},  {111, 3}, {123, 3},
        {129, 3}, {243, 3}, {4, 4},   {16, 4},  {28, 4},  {40, 4},  {52, 4},  {64, 4},
        {76, 4},  {88, 4},  {112, 4}, {124, 4}, {148, 4}, {160, 4}, {220, 4}, {256, 4},
        {5, 5},   {25, 5},  {125, 5}, {8, 2},   {16, 2}};
    for (size_t i = 0; i < sizeof complete / sizeof complete[0]; i++) {
        unsigned players = complete[i][0], seats = complete[i][1];
        unsigned rounds = pod_design_rounds(players, seats);
        if (rounds != (players - 1) / (seats - 1))
            fail_msg("%u at tables of %u: %u rounds", players, seats, rounds);
        assert_int_equal(check_design(players, seats, rounds), players * (players - 1) / 2);
    }
}

/* Sizes that an organizer is told: groups of a prime power. */
TEST(group_designs)
{
    static const unsigned sizes[][3] = {{20, 4, 5},  {28, 4, 9},   {32, 4, 8},   {36, 4, 9},
                                        {44, 4, 11}, {15, 3, 7},   {35, 5, 7},   {40, 5, 8},
                                        {24, 3, 8},  {100, 4, 25}, {108, 4, 27}, {12, 3, 4}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_int_equal(pod_design_rounds(sizes[i][0], sizes[i][1]), sizes[i][2]);
    assert_int_equal(pod_design_rounds(24, 4), 0);
    assert_int_equal(pod_design_rounds(13, 4), 0);
    assert_int_equal(pod_design_rounds(8, 4), 0);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
