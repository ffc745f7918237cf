/* The versions of pod Swiss: what those of before draw stays as it was, and the newest one, which
 * begins with the search of version 2, is no worse in rounds of more than 16 players. All fields:
 * build/release/tests/bench_pairing quality. */
#include "engine/tournament/formats/pods/pod_cost.h"
#include "tests/engine/tournament/formats/pods/pod_event.h"
#include "tests/test.h"

static struct event event;

/* All criteria but P9, which is not searched for. */
static int compare(const struct pod_pairing *a, const struct pod_pairing *b)
{
    struct pod_criteria newest = a->criteria, other = b->criteria;
    newest.value[POD_P9_DRAW] = other.value[POD_P9_DRAW] = 0;
    return pod_criteria_compare(&event.field.request, &newest, &other);
}

static void assert_never_worse(size_t players, struct table_rule rule, enum pod_profile profile,
                               uint16_t rounds)
{
    event_start(&event, players);
    event.planned = rounds + 1;
    event.luck = (uint32_t)players;
    event.field.request.rule = rule;
    event.field.request.profile = profile;
    event_count(&event, 0);
    if (getenv("TILLROLL_LONG") == NULL)
        rounds = 2;
    for (uint16_t round = 1; round <= rounds; round++) {
        struct pod_pairing newest = pair_field(&event.field);
        event.field.request.version = 2;
        struct pod_pairing other = pair_field(&event.field);
        event.field.request.version = 0;
        assert_true(compare(&newest, &other) <= 0);
        event_play(&event, &newest);
        event_count(&event, round);
        pod_pairing_free(&newest);
        pod_pairing_free(&other);
    }
}

TEST(is_never_worse_than_version_2)
{
    assert_never_worse(22, table_rule_range(3, 4, 4), POD_STRICT, 4);
    assert_never_worse(19, table_rule_range(3, 4, 4), POD_STRICT, 4);
    assert_never_worse(30, table_rule_range(3, 5, 4), POD_STRICT, 3);
    assert_never_worse(21, table_rule_range(3, 4, 4), POD_BALANCED, 3);
    assert_never_worse(33, table_rule_range(3, 4, 4), POD_POWER, 3);
}

/* ---- What was drawn stays ---- */

/* FNV-1a. */
static void add_number(uint64_t *sum, uint64_t number)
{
    for (unsigned i = 0; i < 8; i++)
        *sum = (*sum ^ (number >> 8 * i & 255)) * UINT64_C(1099511628211);
}

static void add_draw(uint64_t *sum, const struct pod_pairing *pairing)
{
    for (size_t t = 0; t < pairing->table_count; t++)
        for (unsigned seat = 0; seat < pairing->tables[t].seats; seat++)
            add_number(sum, pairing->tables[t].player[seat]);
    for (unsigned i = 0; i < POD_CRITERIA; i++)
        add_number(sum, (uint64_t)pairing->criteria.value[i]);
}

/* Three rounds of a field, each by another profile. */
static uint64_t sum_of_draws(size_t players, uint8_t version)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    event_start(&event, players);
    event.planned = 4;
    event.luck = (uint32_t)players;
    for (uint16_t round = 1; round <= 3; round++) {
        event.field.request.version = version;
        event.field.request.profile = (enum pod_profile)(round % POD_PROFILES);
        struct pod_pairing pairing = pair_field(&event.field);
        add_draw(&sum, &pairing);
        event_play(&event, &pairing);
        event_count(&event, round);
        pod_pairing_free(&pairing);
    }
    return sum;
}

TEST(what_was_drawn_stays)
{
    static const struct {
        size_t players;
        uint64_t sum[POD_VERSION];
    } known[] = {
        {9, {0x30af8c6db4f34fae, 0x30af8c6db4f34fae, 0x30af8c6db4f34fae, 0x30af8c6db4f34fae}},
        {20, {0xecf1f525ccd1d8ce, 0x75455ea01adc7263, 0xa03f233885245236, 0xa03f233885245236}},
        {41, {0x2b56c330de15f120, 0x2b56c330de15f120, 0x57d0b36e447c8a2c, 0x57d0b36e447c8a2c}},
        {70, {0xd5a13328c90891df, 0xd5a13328c90891df, 0x64e79f625df10844, 0x64e79f625df10844}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        for (uint8_t version = 1; version <= POD_VERSION; version++) {
            uint64_t sum = sum_of_draws(known[i].players, version);
            if (sum != known[i].sum[version - 1])
                fail_msg("%zu players, version %d: %016llx", known[i].players, version,
                         (unsigned long long)sum);
        }
}

/* ---- The least spread ---- */

/* Where the spread comes first and all seatings are tried, the best one has the least. */
TEST(the_least_spread_is_that_of_the_best_seating)
{
    static const struct {
        size_t players;
        uint8_t smallest, largest, preferred;
    } fields[] = {{7, 2, 5, 5}, {11, 2, 4, 3}, {12, 3, 5, 4}, {13, 2, 5, 5}, {14, 3, 4, 4}};
    for (uint32_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        bool seated[COUNT_MAX];
        struct table_sizes sizes;
        struct pod_problem problem;
        int64_t least = 0;
        fill(&event.field, fields[i].players, i);
        event.field.request.profile = POD_POWER;
        event.field.request.pair_count = 0;
        event.field.request.rule =
            table_rule_range(fields[i].smallest, fields[i].largest, fields[i].preferred);
        memset(seated, true, sizeof seated);
        assert_true(
            table_sizes_choose(event.field.request.rule, (unsigned)fields[i].players, &sizes));
        assert_int_equal(sizes.byes, 0);
        assert_true(pod_problem_init(&problem, &event.field.request, seated, 1));
        assert_true(pod_cost_spread_least(&problem, &sizes, &least));
        struct pod_pairing pairing = pair_field(&event.field);
        assert_int_equal(pairing.criteria.value[POD_P5_SPREAD], least);
        pod_pairing_free(&pairing);
        pod_problem_free(&problem);
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
