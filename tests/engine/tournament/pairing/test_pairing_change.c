/* Rounds changed by hand: what is allowed, what it costs, and that the log takes it. */
#include "tests/engine/tournament/pairing/pairing_event.h"
#include "tests/test.h"

static void pairing_draft(struct pairing *pairing)
{
    const char *code;
    assert_true(try_draw(pairing, &code));
    write_draw(pairing);
}

static const char *change(const struct pairing *by_hand, struct pairing *changed)
{
    static struct refusal refusal;
    refusal = (struct refusal){"", ""};
    return pairing_change(&event, &chance, by_hand->attempt, by_hand, NULL, changed, &refusal)
               ? NULL
               : refusal.code;
}

static void expect_refused(const struct pairing *by_hand)
{
    struct pairing changed;
    const char *code = change(by_hand, &changed);
    assert_non_null(code);
    assert_string_equal(code, PAIRING_REFUSAL_TABLES);
    assert_null(changed.tables);
    assert_null(changed.quality);
}

static json_int_t value_of(const struct pairing *pairing, const char *of, const char *code)
{
    return json_integer_value(json_object_get(json_object_get(pairing->quality, of), code));
}

static bool is_worse(const struct pairing *pairing, const char *code)
{
    const json_t *worse = json_object_get(pairing->quality, "worse");
    for (size_t i = 0; i < json_array_size(worse); i++)
        if (strcmp(json_string_value(json_array_get(worse, i)), code) == 0)
            return true;
    return false;
}

static void exchange(uint16_t *a, uint16_t *b)
{
    uint16_t kept = *a;
    *a = *b;
    *b = kept;
}

/* Where an entry is, in a seat or with a bye. */
static uint16_t *find_seat(const struct pairing *pairing, uint16_t entry)
{
    for (size_t t = 0; t < pairing->table_count; t++)
        for (unsigned seat = 0; seat < pairing->tables[t].seats; seat++)
            if (pairing->tables[t].entry[seat] == entry)
                return &pairing->tables[t].entry[seat];
    for (size_t i = 0; i < pairing->bye_count; i++)
        if (pairing->byes[i].entry == entry)
            return &pairing->byes[i].entry;
    fail_msg("entry %u is nowhere", entry);
    return NULL;
}

/* The first seat of the entry's table, or the second if that is its own. */
static uint16_t *beside(const struct pairing *pairing, uint16_t entry)
{
    for (size_t t = 0; t < pairing->table_count; t++)
        for (unsigned seat = 0; seat < pairing->tables[t].seats; seat++)
            if (pairing->tables[t].entry[seat] == entry)
                return &pairing->tables[t].entry[seat == 0];
    fail_msg("entry %u has no table", entry);
    return NULL;
}

static void expect_taken(const struct pairing *changed)
{
    take("round_changed", pairing_change_line(&event, changed, "for a test"));
    const struct tournament_round *draft = tournament_draft(&event);
    assert_non_null(draft);
    assert_int_equal(draft->changes, 1);
    for (size_t t = 0; t < changed->table_count; t++) {
        const struct tournament_table *table =
            tournament_table(&event, draft->number, (unsigned)t + 1);
        assert_int_equal(table->match, changed->tables[t].match);
        assert_memory_equal(table->entry, changed->tables[t].entry,
                            changed->tables[t].seats * sizeof table->entry[0]);
    }
}

#define PODS                                                                                       \
    "{'name':'Pods','ruleset':'shinjuku','late_entries':3,'format':'pod_swiss','rounds':4,"        \
    "'seats_min':4,'seats_max':4,'seats_preferred':4}"

/* Two meet again who were kept apart by the draw: P3, and with a forbidden pair P1. */
LISTED_TEST(test_pods)
{
    struct pairing pairing, changed;
    const char *code;
    begin(PODS, 16, 5);
    assert_true(whole_round(0, &code));
    const struct tournament_table *old = tournament_table(&event, 1, 1);
    uint16_t a = old->entry[0], b = old->entry[1];
    tell(&event, "kept_apart", "{'players':[<%u>,<%u>],'weight':'forbidden'}", a + 1U, b + 1U);
    pairing_draft(&pairing);
    exchange(find_seat(&pairing, b), beside(&pairing, a));
    assert_null(change(&pairing, &changed));
    assert_true(is_worse(&changed, "P1"));
    assert_int_equal(value_of(&changed, "drawn", "P1"), 0);
    assert_int_equal(value_of(&changed, "changed", "P1"), 1);
    assert_true(value_of(&changed, "changed", "P3") > 0);
    assert_false(is_worse(&changed, "P9"));
    expect_everybody_once(&changed);
    expect_taken(&changed);
    pairing_free(&changed);
    pairing_free(&pairing);
}

LISTED_TEST(test_pods_refused)
{
    struct pairing pairing;
    begin(PODS, 17, 5);
    tell(&event, "bye_granted", "{'player':<17>,'round':1,'kind':'half'}");
    pairing_draft(&pairing);
    assert_int_equal(pairing.table_count, 4);
    uint16_t kept = pairing.tables[1].entry[2];
    pairing.tables[1].entry[2] = pairing.tables[0].entry[0]; /* one twice, one nowhere */
    expect_refused(&pairing);
    pairing.tables[1].entry[2] = 16; /* who has a bye */
    expect_refused(&pairing);
    pairing.tables[1].entry[2] = 4711; /* nobody */
    expect_refused(&pairing);
    pairing.tables[1].entry[2] = kept;
    pairing.tables[1].seats = 3;
    expect_refused(&pairing);
    pairing.tables[1].seats = 200;
    expect_refused(&pairing);
    pairing.tables[1].seats = 4;
    pairing.table_count = 3; /* a whole table is missing */
    expect_refused(&pairing);
    pairing.table_count = 4;
    pairing.byes[0].kind = ROUND_FULL_BYE; /* another kind than was granted */
    expect_refused(&pairing);
    pairing.byes[0].kind = ROUND_HALF_BYE;
    pairing.bye_count = 0; /* who is absent need not be named */
    struct pairing changed;
    assert_null(change(&pairing, &changed));
    assert_int_equal(changed.bye_count, 1);
    assert_int_equal(changed.byes[0].kind, ROUND_HALF_BYE);
    pairing_free(&changed);
    pairing_free(&pairing);
}

/* A whole table can stand aside if somebody wants so: B says what that is worth. */
LISTED_TEST(test_more_byes)
{
    struct pairing pairing, changed;
    begin(PODS, 16, 5);
    pairing_draft(&pairing);
    for (unsigned seat = 0; seat < 4; seat++)
        pairing.byes[pairing.bye_count++] =
            (struct pairing_bye){pairing.tables[3].entry[seat], ROUND_PAIRING_BYE};
    pairing.table_count = 3;
    assert_null(change(&pairing, &changed));
    assert_true(is_worse(&changed, "B"));
    assert_int_equal(value_of(&changed, "changed", "B"), 4);
    pairing_free(&changed);
    pairing_free(&pairing);
}

/* A rematch is C1, exchanged colours are S1; only one bye. */
LISTED_TEST(test_dutch)
{
    struct pairing pairing, changed;
    const char *code;
    begin("{'name':'Dutch','ruleset':'shinjuku','format':'dutch','rounds':5}", 12, 5);
    assert_true(whole_round(0, &code));
    pairing_draft(&pairing);
    exchange(&pairing.tables[2].entry[0], &pairing.tables[2].entry[1]);
    assert_null(change(&pairing, &changed));
    assert_true(is_worse(&changed, "S1"));
    assert_int_equal(value_of(&changed, "changed", "S1"), 1);
    pairing_free(&changed);
    exchange(&pairing.tables[2].entry[0], &pairing.tables[2].entry[1]);
    const struct tournament_table *old = tournament_table(&event, 1, 1);
    exchange(find_seat(&pairing, old->entry[1]), beside(&pairing, old->entry[0]));
    assert_null(change(&pairing, &changed));
    assert_true(is_worse(&changed, "C1"));
    expect_taken(&changed);
    pairing_free(&changed);
    pairing.byes[pairing.bye_count++] =
        (struct pairing_bye){pairing.tables[5].entry[0], ROUND_PAIRING_BYE};
    pairing.byes[pairing.bye_count++] =
        (struct pairing_bye){pairing.tables[5].entry[1], ROUND_PAIRING_BYE};
    pairing.table_count = 5;
    expect_refused(&pairing);
    pairing_free(&pairing);
}

/* Tables that a schedule or a bracket makes: seats can be exchanged, people cannot. */
static void expect_fixed(const char *settings, unsigned players)
{
    struct pairing pairing, changed;
    begin(settings, players, 5);
    pairing_draft(&pairing);
    exchange(&pairing.tables[0].entry[0], &pairing.tables[1].entry[0]);
    expect_refused(&pairing);
    exchange(&pairing.tables[0].entry[0], &pairing.tables[1].entry[0]);
    pairing.table_count--;
    expect_refused(&pairing);
    pairing.table_count++;
    exchange(&pairing.tables[1].entry[0], &pairing.tables[1].entry[1]);
    assert_null(change(&pairing, &changed));
    assert_true(is_worse(&changed, "S1"));
    assert_int_equal(value_of(&changed, "changed", "S1"), 2);
    assert_int_equal(value_of(&changed, "drawn", "S1"), 0);
    expect_taken(&changed);
    pairing_free(&changed);
    pairing_free(&pairing);
}

LISTED_TEST(test_fixed)
{
    expect_fixed("{'name':'Cup','ruleset':'shinjuku','format':'single_elimination'}", 7);
    expect_fixed("{'name':'Cup','ruleset':'shinjuku','format':'double_elimination'}", 9);
    expect_fixed("{'name':'All','ruleset':'shinjuku','format':'round_robin'}", 7);
    expect_fixed("{'name':'Cup','ruleset':'shinjuku','format':'pod_elimination','seats_min':4,"
                 "'seats_max':4,'seats_preferred':4}",
                 16);
    expect_fixed("{'name':'Nights','ruleset':'shinjuku','format':'pod_round_robin','rounds':3,"
                 "'seats_min':4,'seats_max':4,'seats_preferred':4}",
                 16);
}

/* An entry that drops out after the draw makes it stale; changed by hand, the draw can be started.
 */
LISTED_TEST(test_repair)
{
    struct pairing pairing, changed;
    begin("{'name':'Pods','ruleset':'shinjuku','format':'pod_swiss','rounds':4,'seats_min':3,"
          "'seats_max':4,'seats_preferred':4}",
          12, 5);
    pairing_draft(&pairing);
    uint16_t gone = pairing.tables[2].entry[1];
    tell(&event, "dropped", "{'player':<%u>,'after':0}", gone + 1U);
    struct refusal refusal;
    assert_false(
        line(&event, "round_started", json_pack("{sisn}", "round", 1, "deadline"), &refusal));
    assert_string_equal(refusal.code, TOURNAMENT_REFUSAL_STALE);
    pairing.tables[2].entry[1] = pairing.tables[2].entry[3];
    pairing.tables[2].seats = 3;
    assert_null(change(&pairing, &changed));
    assert_int_equal(changed.bye_count, 1);
    assert_int_equal(changed.byes[0].entry, gone);
    assert_int_equal(changed.byes[0].kind, ROUND_ABSENT);
    expect_taken(&changed);
    start_round();
    pairing_free(&changed);
    pairing_free(&pairing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_pods, clear),
        cmocka_unit_test_teardown(test_pods_refused, clear),
        cmocka_unit_test_teardown(test_more_byes, clear),
        cmocka_unit_test_teardown(test_dutch, clear),
        cmocka_unit_test_teardown(test_fixed, clear),
        cmocka_unit_test_teardown(test_repair, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
