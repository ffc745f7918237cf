/* Standings worked out by hand, exact rationals, and independence from the order of the input. */
#include <string.h>

#include "engine/tournament/standings/standings.h"
#include "tests/test.h"

enum { PTS, DE, WIN, OPA_C1, SBA, SHR, LAST, RND }; /* positions in the default chain */

static const struct chance test_chance = {.seed = {1, 2, 3}};

static struct standings_input input_of(const struct entry *entries, size_t entry_count,
                                       const struct table_result *results, size_t result_count,
                                       uint16_t rounds)
{
    return (struct standings_input){.entries = entries,
                                    .entry_count = entry_count,
                                    .results = results,
                                    .result_count = result_count,
                                    .scoring = &scoring_default,
                                    .chain = tie_break_pods,
                                    .chain_count = tie_break_pods_count,
                                    .rounds = rounds,
                                    .chance = &test_chance};
}

static struct standings make(const struct standings_input *input)
{
    struct standings standings;
    struct refusal refusal;
    if (!standings_make(input, &standings, &refusal))
        fail_msg("refused: %s", refusal.code);
    return standings;
}

static const struct standing *row_of(const struct standings *standings, uint16_t entry)
{
    for (size_t i = 0; i < standings->count; i++)
        if (standings->rows[i].entry == entry)
            return &standings->rows[i];
    return NULL;
}

static void assert_order(const struct standings *standings, const uint16_t *entries)
{
    for (size_t i = 0; i < standings->count; i++) {
        assert_int_equal(standings->rows[i].entry, entries[i]);
        assert_int_equal(standings->rows[i].rank, i + 1);
    }
}

static void assert_value(const struct standings *standings, uint16_t entry, size_t position,
                         int64_t numerator, int64_t denominator)
{
    const struct tie_break_value *value = &row_of(standings, entry)->value[position];
    assert_int_equal(value->numerator, numerator);
    assert_int_equal(value->denominator, denominator);
}

/* Four players A B C D, two rounds at one table of four (5/3/2/1).
 *
 *      round 1   A 1st (score 10), B 2nd (6), C 3rd (3), D 4th (1)     5    3    2    1
 *      round 2   B and C share 1st (8 each), A 3rd (4), D 4th (0)      2    4    4    1
 *      points                                                          7    7    6    2
 *
 * A and B are tied. DE: each was ahead once, nothing decided. WIN: A won one table, B half of one:
 * A is first. */
static const struct entry four[] = {{1}, {2}, {3}, {4}};
static const struct table_result one_table[] = {
    {.round = 1,
     .table = 1,
     .seats = 4,
     .seat = {{0, ROUND_PLAYED, 1, 10},
              {1, ROUND_PLAYED, 2, 6},
              {2, ROUND_PLAYED, 3, 3},
              {3, ROUND_PLAYED, 4, 1}}},
    {.round = 2,
     .table = 1,
     .seats = 4,
     .seat = {{3, ROUND_PLAYED, 4, 0},
              {2, ROUND_PLAYED, 1, 8},
              {0, ROUND_PLAYED, 3, 4},
              {1, ROUND_ADJUDICATED, 1, 8}}},
};

TEST(shared_places_by_hand)
{
    struct standings_input input = input_of(four, 4, one_table, 2, 2);
    struct standings standings = make(&input);
    assert_order(&standings, (uint16_t[]){0, 1, 2, 3});
    assert_int_equal(row_of(&standings, 0)->points, 7 * 60);
    assert_int_equal(row_of(&standings, 1)->points, 7 * 60);
    assert_int_equal(row_of(&standings, 2)->points, 6 * 60);
    assert_value(&standings, 3, PTS, 120, 60);
    assert_value(&standings, 0, DE, 0, 1);
    assert_true(row_of(&standings, 0)->value[WIN].used);
    assert_false(row_of(&standings, 0)->value[OPA_C1].used);
    assert_false(row_of(&standings, 2)->value[DE].used);
    assert_value(&standings, 0, WIN, 60, 60);
    assert_value(&standings, 1, WIN, 30, 60);
    /* A met B C D twice: 7 6 2 7 6 2 points, one 2 cut: 28 over 5 opponents and 2 rounds. */
    assert_value(&standings, 0, OPA_C1, 28 * 60, 60 * 2 * 5);
    /* A beat B C D, then D: 7+6+2+2 = 17. B beat C D, drew with C, beat A D: 6+2+3+7+2 = 20. */
    assert_value(&standings, 0, SBA, 3600 * 17, 3600 * 6);
    assert_value(&standings, 1, SBA, 3600 * 20, 3600 * 6);
    /* A: 10/20 and 4/20. B: 6/20 and 8/20. C: 3/20 and 8/20. D: 1/20 and 0/20. Means: */
    assert_value(&standings, 0, SHR, 7, 20);
    assert_value(&standings, 1, SHR, 7, 20);
    assert_value(&standings, 2, SHR, 11, 40);
    assert_value(&standings, 3, SHR, 1, 40);
    assert_value(&standings, 0, LAST, -(8 + 3), 1);
    standings_free(&standings);
}

TEST(operands_add_up_to_the_value)
{
    struct standings_input input = input_of(four, 4, one_table, 2, 2);
    struct standings standings = make(&input);
    struct tie_break_operand operands[STANDINGS_OPERANDS_MAX];
    assert_int_equal(standings_operands(&standings, PTS, 1, operands), 2);
    assert_int_equal(operands[0].numerator, 180);
    assert_int_equal(operands[1].numerator, 240);
    assert_int_equal(standings_operands(&standings, OPA_C1, 0, operands), 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(operands[i].cut, i == 2); /* the first of the two 2s: D in round 1 */
    assert_int_equal(operands[2].entry, 3);
    assert_int_equal(standings_operands(&standings, DE, 0, operands), 2);
    assert_int_equal(operands[0].entry, 1);
    assert_int_equal(operands[0].numerator, 60);
    assert_int_equal(operands[1].numerator, 0);
    assert_int_equal(standings_operands(&standings, DE, 3, operands), 0);
    assert_int_equal(standings_operands(&standings, WIN, 2, operands), 1);
    assert_int_equal(operands[0].round, 2);
    assert_int_equal(operands[0].numerator, 30);
    assert_int_equal(standings_operands(&standings, SHR, 0, operands), 2);
    assert_int_equal(operands[1].numerator, 4);
    assert_int_equal(operands[1].denominator, 20);
    assert_int_equal(standings_operands(&standings, LAST, 0, operands), 0);
    standings_free(&standings);
}

/* Eight players 0..7, tables of four and three, a bye, a half bye and a forfeit.
 *
 *      round 1   table 1: 0 1 2 3 in this order                     5 3 2 1
 *                table 2: 4 first, 5 and 6 share second of three    5 1.5 1.5
 *                7 has the bye                                      2.75
 *      round 2   table 1: 4, 0, 1 in this order, three seats        5 2 1
 *                table 2: 2, 3, 5 in this order; 7 does not come    5 3 2 0
 *                6 takes a half bye                                 1
 *      points    0: 7   1: 4   2: 7   3: 4   4: 10   5: 3.5   6: 2.5   7: 2.75
 *
 * DE: 0 was ahead of 2, and 1 ahead of 3. */
static const struct entry eight[] = {{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};
static const struct table_result mixed[] = {
    {.round = 1,
     .table = 1,
     .seats = 4,
     .seat = {{0, ROUND_PLAYED, 1, 0},
              {1, ROUND_PLAYED, 2, 0},
              {2, ROUND_PLAYED, 3, 0},
              {3, ROUND_PLAYED, 4, 0}}},
    {.round = 1,
     .table = 2,
     .seats = 3,
     .seat = {{6, ROUND_PLAYED, 2, 0}, {5, ROUND_PLAYED, 2, 0}, {4, ROUND_PLAYED, 1, 0}}},
    {.round = 1, .seats = 1, .seat = {{7, ROUND_PAIRING_BYE, 0, 0}}},
    {.round = 2,
     .table = 1,
     .seats = 3,
     .seat = {{0, ROUND_PLAYED, 2, 0}, {4, ROUND_PLAYED, 1, 0}, {1, ROUND_PLAYED, 3, 0}}},
    {.round = 2,
     .table = 2,
     .seats = 4,
     .seat = {{7, ROUND_FORFEIT_LOSS, 4, 0},
              {5, ROUND_PLAYED, 3, 0},
              {3, ROUND_PLAYED, 2, 0},
              {2, ROUND_PLAYED, 1, 0}}},
    {.round = 2, .seats = 1, .seat = {{6, ROUND_HALF_BYE, 0, 0}}},
};

TEST(odd_tables_and_unplayed_rounds_by_hand)
{
    static const int32_t points[] = {420, 240, 420, 240, 600, 210, 150, 165};
    struct standings_input input = input_of(eight, 8, mixed, 6, 2);
    struct standings standings = make(&input);
    assert_order(&standings, (uint16_t[]){4, 0, 2, 1, 3, 5, 7, 6});
    for (uint16_t entry = 0; entry < 8; entry++)
        assert_int_equal(row_of(&standings, entry)->points, points[entry]);
    assert_value(&standings, 0, DE, 1, 1);
    assert_value(&standings, 2, DE, 0, 1);
    assert_value(&standings, 1, DE, 1, 1);
    assert_value(&standings, 4, WIN, 120, 60);
    /* 5 met 4 (10 points), 6 (1.5 + neutral 2.75 for the half bye after which it did not play), 2
     * (7) and 3 (4, cut); 7 forfeited and was not met: 21.25 over 3 opponents and 2 rounds. */
    assert_value(&standings, 5, OPA_C1, 1275, 60 * 2 * 3);
    /* 5 was behind 4, level with 6 and behind the others: half of 4.25 over 4 opponents. */
    assert_value(&standings, 5, SBA, 30 * 255, 3600 * 4);
    assert_value(&standings, 7, SBA, 0, 1);
    assert_value(&standings, 7, LAST, -(8 * 2 + 4), 1);
    assert_value(&standings, 6, LAST, -8 * 65536, 1);
    assert_value(&standings, 6, SHR, 0, 1);
    assert_int_equal(row_of(&standings, 7)->played, 0);
    assert_int_equal(row_of(&standings, 7)->unplayed, 2);
    assert_int_equal(row_of(&standings, 6)->played, 1);
    assert_int_equal(row_of(&standings, 6)->unplayed, 1);
    standings_free(&standings);
}

/* The same results, of which only round 1 counts: 0 and 4 lead with 5 points and have not met. */
TEST(standings_after_an_earlier_round)
{
    struct standings_input input = input_of(eight, 8, mixed, 6, 1);
    struct standings standings = make(&input);
    assert_int_equal(row_of(&standings, 0)->points, 300);
    assert_int_equal(row_of(&standings, 4)->points, 300);
    assert_value(&standings, 0, DE, 0, 1);
    /* Opponents of 0: 3 2 and 1 points, 1 cut. Of 4: 1.5 twice, one cut. So 0 leads. */
    assert_value(&standings, 0, OPA_C1, 300, 60 * 2);
    assert_value(&standings, 4, OPA_C1, 90, 60);
    assert_int_equal(standings.rows[0].entry, 0);
    assert_int_equal(standings.rows[1].entry, 4);
    standings_free(&standings);
    input.rounds = 0;
    standings = make(&input);
    assert_int_equal(standings.rows[0].points, 0);
    assert_int_equal(standings.count, 8);
    standings_free(&standings);
}

/* Two-seat games in which both get one point, so that only direct encounter tells players apart. */
static struct scoring even_scoring(void)
{
    struct scoring scoring = scoring_default;
    scoring.place[2][0] = scoring.place[2][1] = 60;
    return scoring;
}

static struct table_result duel(uint16_t round, uint16_t table, uint16_t winner, uint16_t loser)
{
    return (struct table_result){
        .round = round,
        .table = table,
        .seats = 2,
        .seat = {{winner, ROUND_PLAYED, 1, 0}, {loser, ROUND_PLAYED, 2, 0}}};
}

static const struct tie_break_rule only_encounters[] = {{.code = TIE_BREAK_PTS},
                                                        {.code = TIE_BREAK_DE}};

static struct standings make_duels(const struct table_result *duels, size_t count,
                                   const struct scoring *scoring, size_t entries, uint16_t rounds)
{
    struct standings_input input = input_of(four, entries, duels, count, rounds);
    input.scoring = scoring;
    input.chain = only_encounters;
    input.chain_count = 2;
    return make(&input);
}

/* All have met: A beats B and C, B beats C and D, C beats D, D beats A. A and B have two wins, C
 * and D one; among A and B, A won; among C and D, C won. */
TEST(direct_encounter_is_recursive)
{
    struct scoring scoring = even_scoring();
    struct table_result duels[] = {duel(1, 1, 0, 1), duel(1, 2, 2, 3), duel(2, 1, 0, 2),
                                   duel(2, 2, 1, 3), duel(3, 1, 3, 0), duel(3, 2, 1, 2)};
    struct standings standings = make_duels(duels, 6, &scoring, 4, 3);
    assert_order(&standings, (uint16_t[]){0, 1, 2, 3});
    for (uint16_t entry = 0; entry < 4; entry++)
        assert_value(&standings, entry, DE, 3 - entry, 1);
    standings_free(&standings);
}

/* A and B beat C and drew with each other: C is last, A and B stay tied. */
TEST(direct_encounter_leaves_a_drawn_pair_tied)
{
    struct scoring scoring = even_scoring();
    struct table_result duels[] = {duel(1, 1, 0, 2), duel(2, 1, 1, 2), duel(3, 1, 0, 1)};
    duels[2].seat[1].rank = 1;
    struct table_result byes[] = {{.round = 1, .seats = 1, .seat = {{1, ROUND_HALF_BYE, 0, 0}}},
                                  {.round = 2, .seats = 1, .seat = {{0, ROUND_HALF_BYE, 0, 0}}},
                                  {.round = 3, .seats = 1, .seat = {{2, ROUND_HALF_BYE, 0, 0}}}};
    struct table_result results[] = {duels[0], byes[0], duels[1], byes[1], duels[2], byes[2]};
    struct standings standings = make_duels(results, 6, &scoring, 3, 3);
    for (uint16_t entry = 0; entry < 3; entry++) {
        assert_int_equal(row_of(&standings, entry)->rank, entry < 2 ? 1 : 3);
        assert_value(&standings, entry, DE, entry < 2 ? 1 : 0, 1);
    }
    standings_free(&standings);
}

/* A beat B, B beat C, A and C have not met: if C beat A, all three would be level. Not used. */
TEST(direct_encounter_waits_for_games_not_played)
{
    struct scoring scoring = even_scoring();
    struct table_result duels[] = {duel(1, 1, 0, 1),
                                   duel(2, 1, 1, 2),
                                   {.round = 1, .seats = 1, .seat = {{2, ROUND_HALF_BYE, 0, 0}}},
                                   {.round = 2, .seats = 1, .seat = {{0, ROUND_HALF_BYE, 0, 0}}}};
    struct standings standings = make_duels(duels, 4, &scoring, 3, 2);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(standings.rows[i].points, 120);
        assert_int_equal(standings.rows[i].rank, 1);
        assert_int_equal(standings.rows[i].entry, i); /* in order of TPN */
    }
    standings_free(&standings);
}

/* A beat B and C, who have not met: A is first whatever they would play; B and C stay tied. */
TEST(direct_encounter_decides_what_is_certain)
{
    struct scoring scoring = even_scoring();
    struct table_result duels[] = {duel(1, 1, 2, 1),
                                   duel(2, 1, 2, 0),
                                   {.round = 1, .seats = 1, .seat = {{0, ROUND_HALF_BYE, 0, 0}}},
                                   {.round = 2, .seats = 1, .seat = {{1, ROUND_HALF_BYE, 0, 0}}}};
    struct standings standings = make_duels(duels, 4, &scoring, 3, 2);
    assert_int_equal(standings.rows[0].entry, 2);
    assert_int_equal(standings.rows[1].rank, 2);
    assert_int_equal(standings.rows[2].rank, 2);
    assert_value(&standings, 2, DE, 2, 1);
    assert_value(&standings, 0, DE, 0, 1);
    standings_free(&standings);
}

/* Somebody who leaves counts neutral from then on; a bye in between counts what it gave. */
TEST(adjusted_points_of_who_left)
{
    static const struct tie_break_rule chain[] = {{.code = TIE_BREAK_PTS}, {.code = TIE_BREAK_OPA}};
    struct table_result results[] = {{.round = 1, .seats = 1, .seat = {{1, ROUND_ZERO_BYE, 0, 0}}},
                                     duel(2, 1, 1, 0),
                                     {.round = 3, .seats = 1, .seat = {{1, ROUND_ABSENT, 0, 0}}}};
    struct standings_input input = input_of(four, 2, results, 3, 4);
    input.chain = chain;
    input.chain_count = 2;
    struct standings standings = make(&input);
    /* Opponent 1: 0 for the zero bye, 5 for the win, 2.75 each for the absence and for round 4, of
     * which nothing is known: 10.5 over 4 rounds. */
    assert_value(&standings, 0, 1, 630, 60 * 4);
    /* Opponent 0: 1 for the loss, nothing known of three rounds: 1 + 8.25. */
    assert_value(&standings, 1, 1, 555, 60 * 4);
    standings_free(&standings);
}

/* Mean shares of two entries that are the same to the billionth: the last round differs by one part
 * in 10^12. */
TEST(rounded_shares_are_compared_exactly)
{
    static const struct tie_break_rule chain[] = {
        {.code = TIE_BREAK_PTS}, {.code = TIE_BREAK_SHR}, {.code = TIE_BREAK_TPN}};
    static const int32_t all[] = {1000033, 1000037, 1000039, 1000081, 1000099, 1000117, 1000121};
    enum { ROUNDS = 8, FIRST = 600000, IN = 1000003, OTHER_FIRST = 66667, OTHER_IN = 111112 };
    struct table_result results[2 * ROUNDS];
    for (uint8_t i = 0; i < ROUNDS; i++)
        for (uint8_t side = 0; side < 2; side++) {
            bool last = i + 1 == ROUNDS;
            int32_t own = last && side == 1 ? OTHER_FIRST : FIRST;
            int32_t sum = !last ? all[i] : side == 1 ? OTHER_IN : IN;
            results[2 * i + side] =
                (struct table_result){.round = (uint8_t)(i + 1),
                                      .table = (uint8_t)(side + 1),
                                      .seats = 2,
                                      .seat = {{side, ROUND_PLAYED, 1, own},
                                               {(uint16_t)(side + 2), ROUND_PLAYED, 2, sum - own}}};
        }
    struct standings_input input = input_of(four, 4, results, 2 * ROUNDS, ROUNDS);
    input.chain = chain;
    input.chain_count = 3;
    struct standings standings = make(&input);
    assert_int_equal(row_of(&standings, 0)->value[1].numerator,
                     row_of(&standings, 1)->value[1].numerator);
    assert_true(row_of(&standings, 0)->value[1].rounded);
    assert_order(&standings, (uint16_t[]){1, 0, 2, 3});
    standings_free(&standings);
}

TEST(forfeit_win_counts_as_first_place_without_opponents)
{
    static const struct table_result results[] = {{.round = 1,
                                                   .table = 1,
                                                   .seats = 3,
                                                   .seat = {{0, ROUND_FORFEIT_WIN, 1, 0},
                                                            {1, ROUND_FORFEIT_LOSS, 2, 0},
                                                            {2, ROUND_FORFEIT_LOSS, 2, 0}}}};
    struct standings_input input = input_of(four, 3, results, 1, 1);
    struct standings standings = make(&input);
    assert_int_equal(standings.rows[0].entry, 0);
    assert_int_equal(standings.rows[0].points, 300);
    assert_int_equal(standings.rows[0].played, 0);
    assert_value(&standings, 0, WIN, 60, 60);
    assert_value(&standings, 0, SBA, 0, 1);
    assert_int_equal(row_of(&standings, 1)->points, 0);
    standings_free(&standings);
}

/* The draw is the TPN's own word, so one entry more does not change that of the others. */
TEST(pairing_belongs_to_the_pairing_number)
{
    struct standings_input three = input_of(four, 3, NULL, 0, 0);
    struct standings_input all = input_of(four, 4, NULL, 0, 0);
    struct standings standings = make(&three), more = make(&all);
    for (uint16_t entry = 0; entry < 3; entry++) {
        struct chance_stream stream;
        chance_open(&stream, &test_chance, "standing", four[entry].tpn);
        int64_t word = chance_word(&stream);
        assert_value(&standings, entry, RND, word, 1);
        assert_value(&more, entry, RND, word, 1);
    }
    for (size_t i = 1; i < 4; i++) {
        assert_true(more.rows[i - 1].value[RND].numerator > more.rows[i].value[RND].numerator);
        assert_int_equal(more.rows[i].rank, i + 1);
    }
    standings_free(&standings);
    standings_free(&more);
}

enum { MANY = 30, MANY_ROUNDS = 6, MANY_TABLES = 8 };

static uint32_t roll(uint32_t *luck, uint32_t sides)
{
    *luck = *luck * 1664525U + 1013904223U;
    return (*luck >> 8) % sides;
}

/* A table with drawn scores and the ranks that follow from them. */
static void pairing_table(struct table_result *table, uint32_t *luck)
{
    for (unsigned seat = 0; seat < table->seats; seat++)
        table->seat[seat].score = (int32_t)roll(luck, 6) - 1;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        table->seat[seat].rank = 1;
        for (unsigned other = 0; other < table->seats; other++)
            table->seat[seat].rank = (uint8_t)(table->seat[seat].rank + (table->seat[other].score >
                                                                         table->seat[seat].score));
    }
}

static void pairing_event(struct table_result *results, uint32_t *luck)
{
    memset(results, 0, MANY_ROUNDS * MANY_TABLES * sizeof *results);
    for (uint16_t round = 1; round <= MANY_ROUNDS; round++) {
        uint16_t entry = (uint16_t)roll(luck, MANY);
        for (uint16_t table = 1; table <= MANY_TABLES; table++) {
            struct table_result *result = results++;
            result->round = round;
            result->table = table;
            result->seats = table <= 6 ? 4 : 3;
            for (unsigned seat = 0; seat < result->seats; seat++) {
                entry = (uint16_t)((entry + 7) % MANY);
                result->seat[seat].entry = entry;
            }
            pairing_table(result, luck);
        }
    }
}

static void shuffle(uint16_t *numbers, uint16_t count, uint32_t *luck)
{
    for (uint16_t i = 0; i < count; i++)
        numbers[i] = i;
    for (uint16_t i = count; i-- > 1;) {
        uint16_t j = (uint16_t)roll(luck, i + 1U), moved = numbers[i];
        numbers[i] = numbers[j];
        numbers[j] = moved;
    }
}

/* Entries renumbered, tables in another order, seats turned. */
static void permute(struct table_result *to, struct entry *entries, const struct table_result *from,
                    const uint16_t *entry_at, uint32_t *luck)
{
    uint16_t order[MANY_ROUNDS * MANY_TABLES];
    shuffle(order, MANY_ROUNDS * MANY_TABLES, luck);
    for (uint16_t i = 0; i < MANY; i++)
        entries[entry_at[i]].tpn = (uint16_t)(i + 1);
    for (size_t i = 0; i < MANY_ROUNDS * MANY_TABLES; i++) {
        struct table_result *table = &to[order[i]];
        unsigned turn = roll(luck, from[i].seats);
        *table = from[i];
        for (unsigned seat = 0; seat < table->seats; seat++) {
            table->seat[seat] = from[i].seat[(seat + turn) % table->seats];
            table->seat[seat].entry = entry_at[table->seat[seat].entry];
        }
    }
}

TEST(order_of_input_does_not_matter)
{
    uint32_t luck = 17;
    for (int n = 0; n < 20; n++) {
        struct table_result results[MANY_ROUNDS * MANY_TABLES];
        struct table_result moved[MANY_ROUNDS * MANY_TABLES];
        struct entry entries[MANY], moved_entries[MANY];
        uint16_t entry_at[MANY];
        pairing_event(results, &luck);
        for (uint16_t i = 0; i < MANY; i++)
            entries[i].tpn = (uint16_t)(i + 1);
        shuffle(entry_at, MANY, &luck);
        permute(moved, moved_entries, results, entry_at, &luck);
        struct standings_input input =
            input_of(entries, MANY, results, MANY_ROUNDS * MANY_TABLES, MANY_ROUNDS);
        struct standings_input other =
            input_of(moved_entries, MANY, moved, MANY_ROUNDS * MANY_TABLES, MANY_ROUNDS);
        struct standings a = make(&input), b = make(&other);
        for (size_t i = 0; i < MANY; i++) {
            assert_int_equal(entry_at[a.rows[i].entry], b.rows[i].entry);
            assert_int_equal(a.rows[i].rank, i + 1);
            assert_memory_equal(a.rows[i].value, b.rows[i].value, sizeof a.rows[i].value);
        }
        standings_free(&a);
        standings_free(&b);
    }
}

/* In every row of a drawn event, each value is not below that of the next row as long as all before
 * are equal. SHR is left to
 * tests/engine/tournament/number/test_share.c. */
TEST(rows_are_in_the_order_of_the_chain)
{
    uint32_t luck = 5;
    struct table_result results[MANY_ROUNDS * MANY_TABLES];
    struct entry entries[MANY];
    for (uint16_t i = 0; i < MANY; i++)
        entries[i].tpn = (uint16_t)(i + 1);
    for (int n = 0; n < 20; n++) {
        pairing_event(results, &luck);
        struct standings_input input = input_of(entries, MANY, results, MANY_ROUNDS * MANY_TABLES,
                                                (uint16_t)(1 + n % MANY_ROUNDS));
        struct standings standings = make(&input);
        for (size_t i = 1; i < MANY; i++) {
            const struct tie_break_value *a = standings.rows[i - 1].value;
            const struct tie_break_value *b = standings.rows[i].value;
            int64_t difference = 0;
            for (size_t c = 0; difference == 0; c++) {
                assert_true(c < tie_break_pods_count && a[c].used && b[c].used);
                assert_false(a[c].rounded || b[c].rounded);
                difference = a[c].numerator * b[c].denominator - b[c].numerator * a[c].denominator;
                assert_true(difference >= 0);
            }
        }
        standings_free(&standings);
    }
}

static void assert_refused(const struct standings_input *input, const char *code)
{
    struct standings standings;
    struct refusal refusal = {0};
    assert_false(standings_make(input, &standings, &refusal));
    assert_string_equal(refusal.code, code);
    assert_null(standings.rows);
}

TEST(refuses_bad_results)
{
    struct table_result results[2];
    struct standings_input input = input_of(four, 4, results, 2, 2);
    memcpy(results, one_table, sizeof results);
    results[1].round = 1;
    assert_refused(&input, STANDINGS_REFUSAL_TWICE);
    memcpy(results, one_table, sizeof results);
    results[0].seat[0].entry = 4;
    assert_refused(&input, STANDINGS_REFUSAL_RESULT);
    memcpy(results, one_table, sizeof results);
    results[0].seat[0].rank = 2;
    assert_refused(&input, STANDINGS_REFUSAL_RESULT);
    memcpy(results, one_table, sizeof results);
    results[0].seat[2].kind = ROUND_PAIRING_BYE;
    assert_refused(&input, STANDINGS_REFUSAL_RESULT);
    memcpy(results, one_table, sizeof results);
    results[0].table = 0;
    assert_refused(&input, STANDINGS_REFUSAL_RESULT);
    memcpy(results, one_table, sizeof results);
    results[0].seats = TOURNAMENT_SEATS_MAX + 1;
    assert_refused(&input, STANDINGS_REFUSAL_RESULT);
    memcpy(results, one_table, sizeof results);
    results[0].round = 0;
    assert_refused(&input, STANDINGS_REFUSAL_RESULT);
    memcpy(results, one_table, sizeof results);
    results[0].seat[1].score = RESULT_SCORE_MAX + 1;
    assert_refused(&input, STANDINGS_REFUSAL_RESULT);
}

TEST(refuses_bad_input)
{
    static const struct entry twice[] = {{1}, {2}, {1}, {4}};
    static const struct tie_break_rule no_points[] = {{.code = TIE_BREAK_WIN}};
    static const struct tie_break_rule repeated[] = {{.code = TIE_BREAK_PTS},
                                                     {.code = TIE_BREAK_PTS}};
    static const struct tie_break_rule handicaps[] = {{.code = TIE_BREAK_PTS},
                                                      {.code = TIE_BREAK_SH}};
    struct scoring scoring = scoring_default;
    struct standings_input input = input_of(four, 4, one_table, 2, 2);
    input.entries = twice;
    assert_refused(&input, STANDINGS_REFUSAL_ENTRY);
    input.entries = four;
    input.rounds = TOURNAMENT_ROUNDS_MAX + 1;
    assert_refused(&input, STANDINGS_REFUSAL_INPUT);
    input.rounds = 2;
    input.chance = NULL;
    assert_refused(&input, STANDINGS_REFUSAL_INPUT);
    input.chance = &test_chance;
    input.chain = handicaps;
    input.chain_count = 2;
    assert_refused(&input, STANDINGS_REFUSAL_INPUT); /* without handicaps */
    input.chain_count = 0;
    assert_refused(&input, STANDINGS_REFUSAL_INPUT);
    input.chain = no_points;
    input.chain_count = 1;
    assert_refused(&input, STANDINGS_REFUSAL_INPUT);
    input.chain = repeated;
    input.chain_count = 2;
    assert_refused(&input, STANDINGS_REFUSAL_INPUT);
    input.chain_count = 1;
    scoring.place[3][1] = 301;
    input.scoring = &scoring;
    assert_refused(&input, STANDINGS_REFUSAL_POINTS);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
