/* How often players meet again, over whole events: looking ahead, and no more repeats than a
 * prototype needed that was measured when the rules were written. With TILLROLL_LONG in the
 * environment also in fields of 20, 24 and 48 players, which take a minute. */
#include <stdlib.h>

#include "tests/engine/tournament/formats/pods/pod_event.h"
#include "tests/test.h"

static struct event event;

static void begin(size_t players, uint16_t planned, struct table_rule rule, uint8_t seed)
{
    event_start(&event, players);
    event.planned = planned;
    event.luck = seed;
    event.field.request.rule = rule;
    event_count(&event, 0);
}

/* The sum of m - 1 over pairs that met m times. */
static unsigned count_repeats(size_t players)
{
    unsigned sum = 0;
    for (size_t a = 0; a < players; a++)
        for (size_t b = a + 1; b < players; b++)
            if (event.field.met[a * players + b] > 1)
                sum += event.field.met[a * players + b] - 1U;
    return sum;
}

/* Sixteen at tables of four, nine and fifteen at tables of three, eight and ten at tables of two:
 * perfect schedules exist, and the pairing finds into one whatever the scores. */
TEST(what_is_planned_goes_without_repeats)
{
    static const struct {
        size_t players;
        uint16_t planned;
        uint8_t seats;
    } fields[] = {{16, 4, 4}, {16, 5, 4}, {9, 4, 3}, {15, 5, 3}, {8, 7, 2}, {10, 9, 2}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        for (uint8_t seed = 1; seed <= 8; seed++) {
            uint8_t seats = fields[i].seats;
            begin(fields[i].players, fields[i].planned, table_rule_range(seats, seats, seats),
                  seed);
            for (uint16_t round = 1; round <= fields[i].planned; round++)
                assert_int_equal(event_round(&event).value[POD_P2_COMPLETION], 0);
            assert_int_equal(count_repeats(fields[i].players), 0);
        }
}

/* Tables of four round the corners of a square: rows, columns, and then a cyclic square, after
 * which there is no other without repeats. */
TEST(a_round_that_spoils_the_next_is_seen)
{
    static const struct {
        unsigned step;
        int64_t completion;
    } third[] = {{1, 1}, {0, 0}};
    begin(16, 4, table_rule_range(4, 4, 4), 1);
    event.field.request.met = event.field.met;
    for (size_t a = 0; a < 16; a++)
        for (size_t b = 0; b < 16; b++)
            event.field.met[a * 16 + b] = a / 4 == b / 4 || a % 4 == b % 4;
    event.field.request.round = 3;
    event.field.request.later_rounds = 1;
    for (size_t i = 0; i < 2; i++) {
        struct pod_table tables[4] = {{.seats = 0}};
        struct pod_pairing pairing = {.tables = tables, .table_count = 4};
        struct refusal refusal;
        for (unsigned row = 0; row < 4; row++)
            for (unsigned column = 0; column < 4; column++) {
                struct pod_table *table =
                    &tables[third[i].step == 1 ? (row + column) % 4 : (row ^ column)];
                table->player[table->seats++] = (uint16_t)(4 * row + column);
            }
        assert_true(pod_swiss_judge(&event.field.request, &pairing, &refusal));
        assert_int_equal(pairing.criteria.value[POD_P3_REPEATS], 0);
        assert_int_equal(pairing.criteria.value[POD_P2_COMPLETION], third[i].completion);
    }
}

TEST(who_does_not_plan_does_not_look_ahead)
{
    begin(16, 0, table_rule_range(4, 4, 4), 1);
    for (uint16_t round = 1; round <= 4; round++)
        assert_int_equal(event_round(&event).value[POD_P2_COMPLETION], 0);
    begin(16, 8, table_rule_range(4, 4, 4), 1);
    event.field.request.profile = POD_POWER;
    for (uint16_t round = 1; round <= 8; round++)
        assert_int_equal(event_round(&event).value[POD_P2_COMPLETION], 0);
}

/* ---- Fields of 17 to 24 ---- */

/* A field with a history in which a third of the pairs has met. */
static void begin_at_random(struct field *field, size_t players, uint32_t seed)
{
    fill(field, players, seed);
    field->request.profile = POD_STRICT;
    field->request.pair_count = 0;
    field->request.later_rounds = 1;
}

/* The fewest repeats of two rounds of so many pairs, by taking the cheapest again and again. */
static int64_t fewest_of_two_rounds(const struct field *field, const struct pod_pairing *pairing)
{
    size_t players = field->request.player_count;
    unsigned often[4] = {0}, pairs = 0;
    int64_t fewest = 0;
    for (size_t a = 0; a < players; a++)
        for (size_t b = a + 1; b < players; b++) {
            often[field->met[a * players + b]]++;
            often[field->met[a * players + b] + 1]++;
        }
    for (size_t t = 0; t < pairing->table_count; t++)
        pairs += pairing->tables[t].seats * (pairing->tables[t].seats - 1U);
    for (unsigned met = 0; pairs > 0; met++) {
        unsigned taken = often[met] < pairs ? often[met] : pairs;
        fewest += taken * met;
        pairs -= taken;
    }
    return fewest;
}

static void meet(struct field *field, const struct pod_pairing *pairing)
{
    size_t players = field->request.player_count;
    for (size_t t = 0; t < pairing->table_count; t++)
        for (unsigned i = 0; i < pairing->tables[t].seats; i++)
            for (unsigned j = 0; j < pairing->tables[t].seats; j++)
                if (i != j)
                    field->met[pairing->tables[t].player[i] * players +
                               pairing->tables[t].player[j]]++;
}

/* What P2 counts is what the two rounds come to have: the search of the next one finds nothing
 * better than the short one that looked ahead. */
static void expect_next_round(struct field *field, const struct pod_pairing *pairing)
{
    int64_t both = pairing->criteria.value[POD_P3_REPEATS];
    int64_t fewest = fewest_of_two_rounds(field, pairing);
    meet(field, pairing);
    field->request.round++;
    field->request.later_rounds = 0;
    struct pod_pairing next = pair_field(field);
    both += next.criteria.value[POD_P3_REPEATS];
    assert_int_equal(next.criteria.value[POD_P2_COMPLETION], 0);
    assert_int_equal(pairing->criteria.value[POD_P2_COMPLETION], both - fewest);
    pod_pairing_free(&next);
}

/* The first version looks no further than its round, and leaves more to the next one. */
static void expect_less_of_version_1(struct field *field, const struct pod_pairing *pairing)
{
    struct refusal refusal;
    field->request.version = 1;
    struct pod_pairing first = pair_field(field);
    assert_int_equal(first.criteria.value[POD_P2_COMPLETION], 0);
    field->request.version = POD_VERSION;
    assert_true(pod_swiss_judge(&field->request, &first, &refusal));
    assert_true(pod_criteria_compare(&field->request, &pairing->criteria, &first.criteria) < 0);
    assert_true(first.criteria.value[POD_P2_COMPLETION] >
                pairing->criteria.value[POD_P2_COMPLETION]);
    pod_pairing_free(&first);
}

TEST(version_2_looks_a_round_ahead)
{
    static const size_t sizes[] = {20, 23};
    static struct field field;
    struct refusal refusal;
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        begin_at_random(&field, sizes[i], i + 1);
        struct pod_pairing pairing = pair_field(&field);
        if (i == 0)
            expect_less_of_version_1(&field, &pairing);
        expect_next_round(&field, &pairing);
        pod_pairing_free(&pairing);
    }
    struct pod_pairing none;
    field.request.version = POD_VERSION + 1;
    assert_false(pod_swiss_pair(&field.request, &none, &refusal));
    assert_string_equal(refusal.code, POD_REFUSAL_REQUEST);
}

/* ---- Against the prototype ---- */

/* Means of five events at tables of four and three, after 4, 6 and 8 rounds, in tenths. */
TEST(no_more_repeats_than_the_prototype)
{
    enum { EVENTS = 5, AFTER = 3 };
    static const struct {
        size_t players;
        unsigned most[AFTER];
        bool takes_long;
    } measured[] = {{12, {180, 444, 780}, false}, {13, {10, 136, 420}, false},
#ifndef PLAYOUTS_DEFAULT /* these take long with checks built in */
                    {16, {32, 240, 720}, false},  {32, {0, 0, 68}, true},
                    {20, {6, 132, 504}, true},    {24, {0, 56, 292}, true},
                    {48, {0, 0, 0}, true}
#endif
    };
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        if (measured[i].takes_long && getenv("TILLROLL_LONG") == NULL)
            continue;
        unsigned sum[AFTER] = {0};
        for (uint8_t seed = 1; seed <= EVENTS; seed++) {
            struct chance chance = {.seed = {seed}};
            begin(measured[i].players, 8, table_rule_range(3, 4, 4), seed);
            event.field.request.chance = &chance;
            for (unsigned round = 1; round <= 8; round++) {
                event_round(&event);
                if (round == 4 || round == 6 || round == 8)
                    sum[round / 2 - 2] += count_repeats(measured[i].players);
            }
        }
        for (unsigned after = 0; after < AFTER; after++)
            if (10 * sum[after] > EVENTS * measured[i].most[after])
                fail_msg("%zu players, %u rounds: %u repeats in %d events", measured[i].players,
                         2 * after + 4, sum[after], EVENTS);
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
