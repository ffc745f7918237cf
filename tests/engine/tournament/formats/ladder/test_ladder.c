/* Ladders: who may challenge whom, and what results do to the rungs. */
#include <string.h>

#include "engine/tournament/formats/ladder/ladder.h"
#include "tests/test.h"

static const struct ladder_rule take = {.reach = 3, .effect = LADDER_TAKE_PLACE};
static const struct ladder_rule swap = {.reach = 3, .effect = LADDER_EXCHANGE};

static struct ladder ladder;

/* What a ladder is told, as numbers: the test of any steps draws them. */
enum step_kind { JOIN, CHALLENGE, WIN, HOLD, STEP_KINDS };

static bool take_step(const struct ladder_rule *rule, enum step_kind kind, uint16_t first,
                      uint16_t second, struct refusal *refusal)
{
    if (kind == JOIN)
        return ladder_join(&ladder, first, refusal);
    if (kind == CHALLENGE)
        return ladder_challenge(&ladder, rule, first, second, refusal);
    return ladder_end(&ladder, rule, first, second, kind == WIN, refusal);
}

static void apply(const struct ladder_rule *rule, enum step_kind kind, uint16_t first,
                  uint16_t second, const char *code)
{
    static struct ladder before;
    struct refusal refusal = {"", ""};
    before = ladder;
    bool applied = take_step(rule, kind, first, second, &refusal);
    assert_string_equal(refusal.code, code);
    assert_int_equal(applied, code[0] == '\0');
    if (!applied)
        assert_memory_equal(&before, &ladder, sizeof ladder);
}

/* Entries 1 .. count from the top. */
static void open_ladder(uint16_t count)
{
    memset(&ladder, 0, sizeof ladder);
    for (uint16_t entry = 1; entry <= count; entry++)
        apply(&take, JOIN, entry, 0, "");
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
    apply(rule, CHALLENGE, challenger, challenged, "");
    apply(rule, wins ? WIN : HOLD, challenger, challenged, "");
}

TEST(winner_takes_the_place)
{
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

TEST(who_may_challenge_whom)
{
    open_ladder(8);
    apply(&take, CHALLENGE, 2, 3, LADDER_REFUSAL_BELOW);
    apply(&take, CHALLENGE, 2, 2, LADDER_REFUSAL_BELOW);
    apply(&take, CHALLENGE, 5, 1, LADDER_REFUSAL_REACH);
    apply(&take, CHALLENGE, 9, 1, LADDER_REFUSAL_ABSENT);
    apply(&take, CHALLENGE, 2, 9, LADDER_REFUSAL_ABSENT);
    apply(&take, CHALLENGE, 4, 1, "");
    apply(&take, CHALLENGE, 4, 2, LADDER_REFUSAL_BUSY);
    apply(&take, CHALLENGE, 6, 4, LADDER_REFUSAL_BUSY);
    apply(&take, CHALLENGE, 3, 1, LADDER_REFUSAL_BUSY);
    apply(&take, CHALLENGE, 3, 2, "");
    apply(&take, WIN, 1, 4, LADDER_REFUSAL_NO_GAME); /* the wrong way round */
    apply(&take, WIN, 4, 2, LADDER_REFUSAL_NO_GAME);
    apply(&take, HOLD, 4, 1, "");
    apply(&take, CHALLENGE, 4, 1, LADDER_REFUSAL_REMATCH);
    apply(&take, HOLD, 3, 2, "");
    apply(&take, HOLD, 3, 2, LADDER_REFUSAL_NO_GAME);
    play(&take, 4, 3, false); /* now 4 has played another */
    apply(&take, CHALLENGE, 4, 1, "");
    expect_order("12345678");
}

TEST(everybody_joins_once)
{
    open_ladder(4);
    apply(&take, JOIN, 2, 0, LADDER_REFUSAL_TWICE);
    apply(&take, JOIN, LADDER_NOBODY, 0, LADDER_REFUSAL_ABSENT);

    open_ladder(LADDER_ENTRIES_MAX);
    apply(&take, JOIN, 5000, 0, LADDER_REFUSAL_FULL);
}

/* After any input everybody stands on one rung, challenges are mutual, and the challenger is below.
 */
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

static uint16_t draw(uint32_t *luck, unsigned count)
{
    *luck = *luck * 1664525U + 1013904223U;
    return (uint16_t)((*luck >> 16) % count);
}

TEST(any_steps)
{
    uint32_t luck = 9;
    unsigned applied[STEP_KINDS] = {0};
    for (unsigned n = 0; n < 200000; n++) {
        if (n % 1000 == 0)
            memset(&ladder, 0, sizeof ladder);
        struct refusal refusal;
        enum step_kind kind = draw(&luck, STEP_KINDS);
        uint16_t first = draw(&luck, 20), second = draw(&luck, 20);
        size_t rung = ladder_find(&ladder, first);
        if (kind >= WIN && rung < ladder.count)
            second = ladder.rung[rung].open;
        applied[kind] += take_step(n % 2 == 0 ? &take : &swap, kind, first, second, &refusal);
        check_ladder();
    }
    for (unsigned kind = 0; kind < STEP_KINDS; kind++)
        assert_true(applied[kind] > 100);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
