/* Elimination at tables: cuts, uneven numbers, who goes on, and where everybody ends up. */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/knockout/pod_elimination.h"
#include "tests/test.h"

enum { ENTRIES = 300, RESULTS = 2000, FIRST_ENTRY = 1000 };

struct event {
    struct pod_elimination_input input;
    uint16_t seeding[TOURNAMENT_ENTRIES_MAX];
    struct table_result results[RESULTS];
    struct pod_withdrawal withdrawn[ENTRIES];
    struct pod_elimination made;
};

static struct event event;

static uint32_t roll(uint32_t *luck, uint32_t sides)
{
    *luck = *luck * 1664525U + 1013904223U;
    return (*luck >> 8) % sides;
}

static void make(void)
{
    struct refusal refusal = {"", ""};
    pod_elimination_free(&event.made);
    if (!pod_elimination_make(&event.input, &event.made, &refusal))
        fail_msg("%s: %s", refusal.code, refusal.message);
}

static void open_event(struct pod_elimination_rule rule, size_t entries)
{
    pod_elimination_free(&event.made);
    memset(&event, 0, sizeof event);
    event.input = (struct pod_elimination_input){.rule = rule,
                                                 .seeding = event.seeding,
                                                 .entry_count = entries,
                                                 .results = event.results,
                                                 .withdrawn = event.withdrawn};
    for (size_t i = 0; i < entries; i++)
        event.seeding[i] = (uint16_t)(FIRST_ENTRY + i);
    make();
}

FIXTURE(close_event)
{
    pod_elimination_free(&event.made);
    return 0;
}

/* A result in which the seats take these ranks, with scores that fall with the rank. */
static struct table_result *add_result(const struct pod_elimination_table *table,
                                       const uint8_t *ranks)
{
    assert_true(event.input.result_count < RESULTS && !table->decided);
    struct table_result *result = &event.results[event.input.result_count++];
    *result =
        (struct table_result){.round = table->round, .table = table->table, .seats = table->seats};
    for (unsigned i = 0; i < table->seats; i++)
        result->seat[i] = (struct seat_result){
            .entry = table->entry[i], .rank = ranks[i], .score = 100 - 10 * ranks[i]};
    return result;
}

static const uint8_t by_seed[] = {1, 2, 3, 4, 5};

/* Plays all tables that have no result; luck NULL: the better seed is better. */
static void play_round(uint32_t *luck)
{
    for (size_t i = 0; i < event.made.table_count; i++) {
        uint8_t ranks[TOURNAMENT_SEATS_MAX];
        const struct pod_elimination_table *table = &event.made.tables[i];
        if (table->decided)
            continue;
        for (unsigned j = 0; j < table->seats; j++)
            ranks[j] = luck == NULL ? by_seed[j] : (uint8_t)(1 + roll(luck, table->seats));
        add_result(table, ranks);
    }
    make();
}

static const struct pod_elimination_table *table_of(uint16_t round, uint16_t number)
{
    for (size_t i = 0; i < event.made.table_count; i++)
        if (event.made.tables[i].round == round && event.made.tables[i].table == number)
            return &event.made.tables[i];
    fail_msg("no table %u in round %u", number, round);
    return NULL;
}

static void expect_seeds(uint16_t round, uint16_t number, unsigned seats, const uint16_t *seeds)
{
    const struct pod_elimination_table *table = table_of(round, number);
    assert_int_equal(table->seats, seats);
    for (unsigned i = 0; i < seats; i++) {
        assert_int_equal(table->seed[i], seeds[i]);
        assert_int_equal(table->entry[i], FIRST_ENTRY + seeds[i] - 1);
    }
}

#define SEEDS(...)                                                                                 \
    sizeof((uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t), (const uint16_t[])                       \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static struct pod_elimination_rule best_of_range(uint8_t smallest, uint8_t largest,
                                                 uint8_t preferred, uint8_t advance)
{
    return (struct pod_elimination_rule){table_rule_range(smallest, largest, preferred), advance};
}

/* A cut to one final table. */
static struct pod_elimination_rule cut_rule(uint8_t seats)
{
    return best_of_range(seats, seats, seats, 1);
}

TEST(cut_of_sixteen)
{
    open_event(cut_rule(4), 16);
    expect_seeds(1, 1, SEEDS(1, 8, 9, 16));
    expect_seeds(1, 2, SEEDS(2, 7, 10, 15));
    expect_seeds(1, 3, SEEDS(3, 6, 11, 14));
    expect_seeds(1, 4, SEEDS(4, 5, 12, 13));
    assert_false(event.made.final);
    play_round(NULL);
    assert_true(event.made.final);
    expect_seeds(2, 1, SEEDS(1, 2, 3, 4));
    play_round(NULL);
    assert_true(event.made.over);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(event.made.place[i], i + 1);
}

/* Sizes with at most one round before the final. 7: seeds 1 to 3 wait. */
TEST(cut_presets)
{
    for (uint8_t seats = 2; seats <= TOURNAMENT_SEATS_MAX; seats++)
        for (unsigned pods = 0; pods <= seats; pods++) {
            unsigned entries = seats + pods * (seats - 1U);
            open_event(cut_rule(seats), entries);
            assert_int_equal(event.made.table_count, pods == 0 ? 1 : seats);
            for (unsigned i = 0; pods > 0 && i < seats - pods; i++) {
                assert_int_equal(event.made.tables[i].table, 0);
                assert_int_equal(event.made.tables[i].seed[0], i + 1);
            }
            if (pods > 0)
                play_round(NULL);
            assert_true(event.made.final);
            play_round(NULL);
            assert_true(event.made.over);
            assert_int_equal(event.made.rounds, pods == 0 ? 1 : 2);
        }
    open_event(cut_rule(4), 7);
    expect_seeds(1, 1, SEEDS(4, 5, 6, 7));
    add_result(table_of(1, 1), (const uint8_t[]){4, 3, 2, 1});
    make();
    expect_seeds(2, 1, SEEDS(1, 2, 3, 7));
    assert_int_equal(event.made.place[5], 5);
    assert_int_equal(event.made.place[4], 6);
    assert_int_equal(event.made.place[3], 7);
    assert_int_equal(event.made.place[6], 0);
}

/* 10 at tables of three and four: the small ones are for the top seeds. */
TEST(uneven_tables)
{
    open_event(best_of_range(3, 4, 4, 2), 10);
    expect_seeds(1, 1, SEEDS(1, 6, 7));
    expect_seeds(1, 2, SEEDS(2, 5, 8));
    expect_seeds(1, 3, SEEDS(3, 4, 9, 10));
    play_round(NULL);
    expect_seeds(2, 1, SEEDS(1, 4, 5));
    expect_seeds(2, 2, SEEDS(2, 3, 6));
    play_round(NULL);
    expect_seeds(3, 1, SEEDS(1, 2, 3, 4));
}

/* Two winners at tables of four are too few for a final: the best two others come in, by place,
 * then by share of the table's best score, then by seed. */
TEST(best_of_the_others)
{
    open_event(cut_rule(4), 8); /* 1-4-5-8 and 2-3-6-7 */
    add_result(table_of(1, 1), by_seed);
    struct table_result *result = add_result(table_of(1, 2), by_seed);
    result->seat[0].score = 1000; /* seconds: seed 4 has 80 of 90, seed 3 has 880 of 1000 */
    result->seat[1].score = 880;
    result->seat[2].score = 879; /* third: better share than seed 4, but a worse place */
    make();
    expect_seeds(2, 1, SEEDS(1, 2, 3, 4));
    assert_int_equal(table_of(1, 1)->on, 3);
    assert_int_equal(event.made.place[5], 5);

    open_event(best_of_range(3, 3, 3, 1), 6); /* 1-4-5 and 2-3-6 */
    add_result(table_of(1, 1), by_seed);
    result = add_result(table_of(1, 2), by_seed);
    result->seat[1].score = 81; /* 81 of 90 beats 80 of 90 */
    make();
    expect_seeds(2, 1, SEEDS(1, 2, 3));
    result->seat[1].score = 79;
    make();
    expect_seeds(2, 1, SEEDS(1, 2, 4));
    result->seat[1].score = 80; /* the seed decides */
    make();
    expect_seeds(2, 1, SEEDS(1, 2, 3));
    result->seat[0].score = result->seat[1].score = result->seat[2].score = -5; /* no share */
    make();
    expect_seeds(2, 1, SEEDS(1, 2, 4));
}

TEST(shared_ranks_go_to_the_better_seed)
{
    open_event(cut_rule(4), 16);
    for (uint16_t number = 1; number <= 4; number++) {
        struct table_result *result =
            add_result(table_of(1, number), (const uint8_t[]){3, 1, 1, 4});
        assert_int_equal(result->seat[1].score, result->seat[2].score);
    }
    make();
    expect_seeds(2, 1, SEEDS(5, 6, 7, 8));
}

TEST(who_forfeits_does_not_go_on)
{
    open_event(best_of_range(3, 3, 3, 2), 6); /* 1-4-5 and 2-3-6: four go on, three and a bye */
    struct table_result *result = add_result(table_of(1, 1), by_seed);
    result->seat[1].kind = result->seat[2].kind = ROUND_FORFEIT_LOSS;
    add_result(table_of(1, 2), by_seed);
    make();
    expect_seeds(2, 0, SEEDS(1));
    expect_seeds(2, 1, SEEDS(2, 3, 6));
    assert_int_equal(event.made.place[3], 5);
    assert_int_equal(event.made.place[4], 6);
}

TEST(nobody_at_a_void_table_goes_on)
{
    open_event(best_of_range(3, 3, 3, 2), 6);
    struct table_result *result = add_result(table_of(1, 1), by_seed);
    for (unsigned seat = 0; seat < 3; seat++)
        result->seat[seat] =
            (struct seat_result){.entry = result->seat[seat].entry, .kind = ROUND_VOID, .rank = 1};
    add_result(table_of(1, 2), by_seed);
    make();
    expect_seeds(2, 1, SEEDS(2, 3, 6));
    assert_int_equal(event.made.place[0], 4);
    assert_int_equal(event.made.place[3], 5);
    assert_int_equal(event.made.place[4], 6);
}

TEST(withdrawals)
{
    open_event(cut_rule(4), 17);
    event.withdrawn[0] = (struct pod_withdrawal){FIRST_ENTRY, 1};
    event.withdrawn[1] = (struct pod_withdrawal){FIRST_ENTRY + 1, 2};
    event.withdrawn[2] = (struct pod_withdrawal){FIRST_ENTRY + 1, 9};
    event.input.withdrawn_count = 3;
    make();
    expect_seeds(1, 1, SEEDS(2, 9, 10, 17));
    assert_int_equal(event.made.place[0], 17);
    play_round(NULL);
    expect_seeds(2, 1, SEEDS(3, 4, 5, 9)); /* 2 won its table and left: the second goes on */
    assert_int_equal(event.made.place[1], 5);
    play_round(NULL);
    assert_true(event.made.over);

    /* Too few are left for a table. */
    open_event(cut_rule(4), 8);
    for (uint16_t i = 0; i < 6; i++)
        event.withdrawn[i] = (struct pod_withdrawal){(uint16_t)(FIRST_ENTRY + i), 2};
    event.input.withdrawn_count = 6;
    make();
    play_round(NULL);
    assert_true(event.made.over && !event.made.final);
    assert_int_equal(event.made.place[6], 1);
    assert_int_equal(event.made.place[7], 2);
}

/* A corrected table changes who goes on; the result of the final is then of no use. */
TEST(corrections)
{
    open_event(cut_rule(4), 16);
    play_round(NULL);
    play_round(NULL);
    assert_true(event.made.over);
    event.results[0].seat[0].rank = 2;
    event.results[0].seat[1].rank = 1;
    make();
    assert_false(event.made.over);
    assert_int_equal(event.made.unused_results, 1);
    expect_seeds(2, 1, SEEDS(2, 3, 4, 8));
}

/* What holds for every number of entries: the rounds are those of the plan, everybody who is in
 * sits once, and in the end everybody has a place of its own, better for who got further. */
static void check_rounds(const struct pod_elimination_round *rounds, size_t count)
{
    uint16_t reached[ENTRIES + 1] = {0};
    assert_int_equal(event.made.rounds, count);
    for (size_t r = 0; r < count; r++) {
        unsigned entries = 0, byes = 0, tables = 0, on = 0;
        for (size_t i = 0; i < event.made.table_count; i++) {
            const struct pod_elimination_table *table = &event.made.tables[i];
            if (table->round != r + 1)
                continue;
            byes += table->table == 0;
            tables += table->table > 0;
            entries += table->seats;
            on += (unsigned)__builtin_popcount(table->on);
            for (unsigned seat = 0; seat < table->seats; seat++) {
                assert_int_equal(reached[table->seed[seat]], r);
                reached[table->seed[seat]]++;
            }
        }
        assert_int_equal(entries, rounds[r].entries);
        assert_int_equal(byes, rounds[r].byes);
        assert_int_equal(tables, rounds[r].tables);
        assert_int_equal(on, rounds[r].on);
    }
    uint16_t at[ENTRIES + 1] = {0};
    for (uint16_t seed = 1; seed <= event.input.entry_count; seed++)
        at[event.made.place[seed - 1]] = seed;
    for (size_t place = 1; place <= event.input.entry_count; place++) {
        assert_int_not_equal(at[place], 0);
        assert_true(place == 1 || reached[at[place]] <= reached[at[place - 1]]);
    }
}

TEST(every_number_of_entries)
{
    const struct pod_elimination_rule rules[] = {cut_rule(4),
                                                 cut_rule(3),
                                                 best_of_range(3, 4, 4, 1),
                                                 best_of_range(3, 4, 4, 2),
                                                 best_of_range(3, 5, 4, 2),
                                                 best_of_range(4, 5, 4, 3),
                                                 best_of_range(2, 2, 2, 1),
                                                 best_of_range(5, 5, 5, 4)};
    uint32_t luck = 1;
    for (size_t rule = 0; rule < sizeof rules / sizeof rules[0]; rule++)
        for (unsigned entries = 2; entries <= 130; entries++) {
            struct pod_elimination_round rounds[TOURNAMENT_ROUNDS_MAX];
            size_t count = pod_elimination_plan(rules[rule], entries, rounds);
            if (count == 0)
                continue;
            assert_int_equal(rounds[count - 1].tables, 1);
            assert_int_equal(rounds[count - 1].on, 0);
            open_event(rules[rule], entries);
            while (!event.made.over)
                play_round(&luck);
            check_rounds(rounds, count);
        }
}

TEST(largest_event_ends)
{
    struct pod_elimination_round rounds[TOURNAMENT_ROUNDS_MAX];
    struct pod_elimination_rule slow = best_of_range(5, 5, 5, 4);
    size_t count = pod_elimination_plan(slow, TOURNAMENT_ENTRIES_MAX, rounds);
    assert_true(count < TOURNAMENT_ROUNDS_MAX);
    assert_int_equal(rounds[count - 1].on, 0);
    assert_int_equal(rounds[count - 1].entries, 5);
    assert_int_equal(pod_elimination_plan(slow, 4, rounds), 0);
}

/* Results and withdrawals in another order: the same bytes. */
TEST(order_does_not_matter)
{
    uint32_t luck = 2;
    open_event(best_of_range(3, 4, 4, 2), 50);
    for (uint16_t i = 0; i < 5; i++)
        event.withdrawn[i] =
            (struct pod_withdrawal){(uint16_t)(FIRST_ENTRY + 7 * i), (uint16_t)(1 + i % 3)};
    event.input.withdrawn_count = 5;
    make();
    while (!event.made.over)
        play_round(&luck);
    struct pod_elimination first = event.made;
    event.made = (struct pod_elimination){0};
    for (uint32_t i = (uint32_t)event.input.result_count; i-- > 1;) {
        uint32_t j = roll(&luck, i + 1);
        struct table_result result = event.results[i];
        event.results[i] = event.results[j];
        event.results[j] = result;
    }
    struct pod_withdrawal withdrawal = event.withdrawn[0];
    event.withdrawn[0] = event.withdrawn[4];
    event.withdrawn[4] = withdrawal;
    make();
    assert_int_equal(event.made.table_count, first.table_count);
    assert_memory_equal(event.made.tables, first.tables, first.table_count * sizeof *first.tables);
    assert_memory_equal(event.made.place, first.place, 50 * sizeof *first.place);
    pod_elimination_free(&first);
}

static void expect_refusal(const char *code)
{
    struct refusal refusal = {"", ""};
    struct pod_elimination made;
    assert_false(pod_elimination_make(&event.input, &made, &refusal));
    assert_string_equal(refusal.code, code);
}

TEST(refusals)
{
    open_event(cut_rule(4), 8);
    event.input.rule.advance = 4;
    expect_refusal(POD_ELIMINATION_REFUSAL_RULE);
    event.input.rule.advance = 0;
    expect_refusal(POD_ELIMINATION_REFUSAL_RULE);
    event.input.rule = cut_rule(4);
    event.input.entry_count = 3;
    expect_refusal(POD_ELIMINATION_REFUSAL_SEEDING);
    event.input.entry_count = TOURNAMENT_ENTRIES_MAX + 1;
    expect_refusal(POD_ELIMINATION_REFUSAL_SEEDING);
    event.input.entry_count = 8;
    event.seeding[7] = event.seeding[0];
    expect_refusal(POD_ELIMINATION_REFUSAL_SEEDING);

    open_event(cut_rule(4), 8);
    event.input.withdrawn_count = 1;
    event.withdrawn[0] = (struct pod_withdrawal){7, 1};
    expect_refusal(POD_ELIMINATION_REFUSAL_LEFT);
    event.withdrawn[0] = (struct pod_withdrawal){FIRST_ENTRY, 0};
    expect_refusal(POD_ELIMINATION_REFUSAL_LEFT);

    open_event(cut_rule(4), 8);
    struct table_result *result = add_result(table_of(1, 1), by_seed), good = *result;
    result->seat[2].rank = 5;
    expect_refusal(POD_ELIMINATION_REFUSAL_RESULT);
    *result = good;
    result->seat[2].entry = result->seat[1].entry;
    expect_refusal(POD_ELIMINATION_REFUSAL_RESULT);
    *result = good;
    result->seat[0].kind = ROUND_PAIRING_BYE;
    expect_refusal(POD_ELIMINATION_REFUSAL_RESULT);
    *result = good;
    result->seat[0].score = RESULT_SCORE_MAX + 1;
    expect_refusal(POD_ELIMINATION_REFUSAL_RESULT);
    *result = good;
    result->seats = 6;
    expect_refusal(POD_ELIMINATION_REFUSAL_RESULT);
    *result = good;
    event.results[event.input.result_count++] = good;
    expect_refusal(POD_ELIMINATION_REFUSAL_TWICE);
    event.input.result_count = POD_ELIMINATION_RESULTS_MAX + 1;
    expect_refusal(POD_ELIMINATION_REFUSAL_RESULT);
}

int main(void)
{
    return run_all_tests(NULL, close_event);
}
