/* Ladders: who may challenge whom, and what results do to the rungs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "engine/tournament/formats/ladder/ladder.h"

static const struct ladder_rule take = {.reach = 3, .effect = LADDER_TAKE_PLACE};
static const struct ladder_rule swap = {.reach = 3, .effect = LADDER_EXCHANGE};

static struct ladder ladder;

static bool apply(const struct ladder_rule *rule, struct ladder_event event, const char *code)
{
    static struct ladder before;
    struct refusal refusal = {"", ""};
    before = ladder;
    bool applied = ladder_apply(&ladder, rule, &event, &refusal);
    assert_string_equal(refusal.code, code);
    assert_int_equal(applied, code[0] == '\0');
    if (!applied)
        assert_memory_equal(&before, &ladder, sizeof ladder);
    return applied;
}

static struct ladder_event event_of(enum ladder_event_kind kind, uint16_t first, uint16_t second)
{
    return (struct ladder_event){.kind = (uint8_t)kind, .entry = {first, second}};
}

static struct ladder_event result_of(uint16_t challenger, uint16_t challenged, uint8_t rank,
                                     uint8_t other)
{
    struct ladder_event event = event_of(LADDER_RESULT, challenger, challenged);
    event.rank[0] = rank;
    event.rank[1] = other;
    return event;
}

/* Entries 1 .. count from the top. */
static void open_ladder(uint16_t count)
{
    memset(&ladder, 0, sizeof ladder);
    for (uint16_t entry = 1; entry <= count; entry++)
        apply(&take, event_of(LADDER_JOIN, entry, 0), "");
}

static void expect_order(const char *order)
{
    assert_int_equal(ladder.count, strlen(order));
    for (size_t i = 0; i < ladder.count; i++)
        assert_int_equal(ladder.rung[i].entry, order[i] - '0');
}

static void play(const struct ladder_rule *rule, uint16_t challenger, uint16_t challenged,
                 bool wins)
{
    apply(rule, event_of(LADDER_CHALLENGE, challenger, challenged), "");
    apply(rule, result_of(challenger, challenged, wins ? 1 : 2, wins ? 2 : 1), "");
}

static void winner_takes_the_place(void **state)
{
    (void)state;
    open_ladder(6);
    play(&take, 5, 2, true);
    expect_order("152346");
    play(&take, 6, 3, false);
    expect_order("152346");
    open_ladder(6);
    play(&swap, 5, 2, true);
    expect_order("153426");
    play(&swap, 3, 5, true);
    expect_order("135426");
}

static void a_tie_holds(void **state)
{
    (void)state;
    open_ladder(3);
    apply(&take, event_of(LADDER_CHALLENGE, 2, 1), "");
    apply(&take, result_of(2, 1, 1, 1), "");
    expect_order("123");
}

static void who_may_challenge_whom(void **state)
{
    (void)state;
    open_ladder(8);
    apply(&take, event_of(LADDER_CHALLENGE, 2, 3), LADDER_REFUSAL_BELOW);
    apply(&take, event_of(LADDER_CHALLENGE, 2, 2), LADDER_REFUSAL_BELOW);
    apply(&take, event_of(LADDER_CHALLENGE, 5, 1), LADDER_REFUSAL_REACH);
    apply(&take, event_of(LADDER_CHALLENGE, 9, 1), LADDER_REFUSAL_ABSENT);
    apply(&take, event_of(LADDER_CHALLENGE, 2, 9), LADDER_REFUSAL_ABSENT);
    apply(&take, event_of(LADDER_CHALLENGE, 4, 1), "");
    apply(&take, event_of(LADDER_CHALLENGE, 4, 2), LADDER_REFUSAL_BUSY);
    apply(&take, event_of(LADDER_CHALLENGE, 6, 4), LADDER_REFUSAL_BUSY);
    apply(&take, event_of(LADDER_CHALLENGE, 3, 1), LADDER_REFUSAL_BUSY);
    apply(&take, event_of(LADDER_CHALLENGE, 3, 2), "");
    apply(&take, result_of(1, 4, 1, 2), LADDER_REFUSAL_NO_GAME); /* the wrong way round */
    apply(&take, result_of(4, 2, 1, 2), LADDER_REFUSAL_NO_GAME);
    apply(&take, result_of(4, 1, 2, 1), "");
    apply(&take, event_of(LADDER_CHALLENGE, 4, 1), LADDER_REFUSAL_REMATCH);
    apply(&take, event_of(LADDER_CANCEL, 3, 2), "");
    apply(&take, event_of(LADDER_CANCEL, 3, 2), LADDER_REFUSAL_NO_GAME);
    play(&take, 4, 3, false); /* now 4 has played another */
    apply(&take, event_of(LADDER_CHALLENGE, 4, 1), "");
    expect_order("12345678");
}

static void coming_and_going(void **state)
{
    (void)state;
    open_ladder(4);
    apply(&take, event_of(LADDER_JOIN, 2, 0), LADDER_REFUSAL_TWICE);
    apply(&take, event_of(LADDER_LEAVE, 9, 0), LADDER_REFUSAL_ABSENT);
    apply(&take, event_of(LADDER_CHALLENGE, 4, 3), "");
    apply(&take, event_of(LADDER_LEAVE, 3, 0), "");
    expect_order("124");
    assert_int_equal(ladder.rung[2].open, LADDER_NOBODY);
    apply(&take, event_of(LADDER_CHALLENGE, 4, 2), "");
    apply(&take, event_of(LADDER_JOIN, 3, 0), "");
    expect_order("1243");
    apply(&take, event_of(LADDER_JOIN, LADDER_NOBODY, 0), LADDER_REFUSAL_ABSENT);

    open_ladder(LADDER_ENTRIES_MAX);
    apply(&take, event_of(LADDER_JOIN, 5000, 0), LADDER_REFUSAL_FULL);
}

static struct ladder_event pod_of(unsigned seats, const uint16_t *entries, const uint8_t *ranks)
{
    struct ladder_event event = {.kind = LADDER_POD, .seats = (uint8_t)seats};
    memcpy(event.entry, entries, seats * sizeof *entries);
    memcpy(event.rank, ranks, seats);
    return event;
}

static void pods_permute_their_rungs(void **state)
{
    (void)state;
    open_ladder(6);
    apply(&take, pod_of(4, (const uint16_t[]){5, 2, 3, 4}, (const uint8_t[]){1, 3, 4, 2}), "");
    expect_order("154236");
    apply(&take, pod_of(3, (const uint16_t[]){6, 1, 4}, (const uint8_t[]){1, 2, 2}), "");
    expect_order("651234"); /* 1 and 4 tie and stay as they stood; 5, 2 and 3 do not move */
    apply(&take, pod_of(2, (const uint16_t[]){6, 6}, (const uint8_t[]){1, 2}),
          LADDER_REFUSAL_TWICE);
    apply(&take, pod_of(2, (const uint16_t[]){6, 9}, (const uint8_t[]){1, 2}),
          LADDER_REFUSAL_ABSENT);
    apply(&take, pod_of(2, (const uint16_t[]){6, 5}, (const uint8_t[]){1, 3}),
          LADDER_REFUSAL_EVENT);
    apply(&take, pod_of(1, (const uint16_t[]){6}, (const uint8_t[]){1}), LADDER_REFUSAL_EVENT);
    apply(&take, event_of(LADDER_CHALLENGE, 5, 6), "");
    apply(&take, pod_of(2, (const uint16_t[]){6, 3}, (const uint8_t[]){1, 2}), LADDER_REFUSAL_BUSY);
}

static void events_out_of_form(void **state)
{
    (void)state;
    open_ladder(3);
    apply(&take, (struct ladder_event){.kind = 6}, LADDER_REFUSAL_EVENT);
    apply(&take, event_of(LADDER_CHALLENGE, 3, 2), "");
    apply(&take, result_of(3, 2, 0, 1), LADDER_REFUSAL_EVENT);
    apply(&take, result_of(3, 2, 1, 3), LADDER_REFUSAL_EVENT);
    struct ladder_event pod = {.kind = LADDER_POD, .seats = 6};
    apply(&take, pod, LADDER_REFUSAL_EVENT);
}

/* Whatever comes in: everybody stands on one rung, challenges are mutual, the challenger below. */
static void check_ladder(void)
{
    for (size_t i = 0; i < ladder.count; i++) {
        const struct ladder_rung *rung = &ladder.rung[i];
        assert_int_equal(ladder_find(&ladder, rung->entry), i);
        if (rung->open == LADDER_NOBODY) {
            assert_false(rung->challenger);
            continue;
        }
        size_t other = ladder_find(&ladder, rung->open);
        assert_true(other < ladder.count);
        assert_int_equal(ladder.rung[other].open, rung->entry);
        assert_int_equal(rung->challenger, other < i);
    }
}

static void any_events(void **state)
{
    (void)state;
    uint32_t luck = 9;
    unsigned applied[LADDER_POD + 1] = {0};
    memset(&ladder, 0, sizeof ladder);
    for (unsigned n = 0; n < 200000; n++) {
        struct ladder_event event = {0};
        uint8_t *bytes = (uint8_t *)&event;
        for (size_t i = 0; i < sizeof event; i++) {
            luck = luck * 1664525U + 1013904223U;
            bytes[i] = (uint8_t)(luck >> 24);
        }
        event.kind %= LADDER_POD + 1;
        event.seats = (uint8_t)(2 + event.seats % 4);
        for (unsigned i = 0; i < TOURNAMENT_SEATS_MAX; i++) {
            event.entry[i] %= 20;
            event.rank[i] = (uint8_t)(1 + event.rank[i] % 2);
        }
        struct refusal refusal;
        size_t rung = ladder_find(&ladder, event.entry[0]);
        if ((event.kind == LADDER_RESULT || event.kind == LADDER_CANCEL) && rung < ladder.count)
            event.entry[1] = ladder.rung[rung].open;
        if (event.kind == LADDER_LEAVE && n % 8 != 0)
            continue;
        applied[event.kind] += ladder_apply(&ladder, n % 2 == 0 ? &take : &swap, &event, &refusal);
        check_ladder();
    }
    for (unsigned kind = 0; kind <= LADDER_POD; kind++)
        assert_true(applied[kind] > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(winner_takes_the_place),
        cmocka_unit_test(a_tie_holds),
        cmocka_unit_test(who_may_challenge_whom),
        cmocka_unit_test(coming_and_going),
        cmocka_unit_test(pods_permute_their_rungs),
        cmocka_unit_test(events_out_of_form),
        cmocka_unit_test(any_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
