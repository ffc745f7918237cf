/* The newest version of pod Swiss is never worse than version 2, whose search it makes first, in
 * rounds of more than 16 players. All fields: build/release/tests/bench_pairing quality. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/engine/tournament/formats/pods/pod_event.h"

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

static void is_never_worse_than_version_2(void **state)
{
    (void)state;
    assert_never_worse(22, table_rule_range(3, 4, 4), POD_STRICT, 4);
    assert_never_worse(19, table_rule_range(3, 4, 4), POD_STRICT, 4);
    assert_never_worse(30, table_rule_range(3, 5, 4), POD_STRICT, 3);
    assert_never_worse(21, table_rule_range(3, 4, 4), POD_BALANCED, 3);
    assert_never_worse(33, table_rule_range(3, 4, 4), POD_POWER, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_never_worse_than_version_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
