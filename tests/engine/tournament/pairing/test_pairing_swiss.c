/* Pod Swiss rounds of events: the same as the pairing functions make of the same results, and the
 * same for logs that differ in order only. */
#include "engine/tournament/formats/pods/pod_history.h"
#include "engine/tournament/standings/standings.h"
#include "tests/engine/tournament/pairing/pairing_event.h"
#include "tests/test.h"

#define PODS                                                                                       \
    "{'name':'Pods','ruleset':'shinjuku','format':'pod_swiss','rounds':5,'seats_min':3,"           \
    "'seats_max':4,'seats_preferred':4%s}"

enum { PLAYERS_MOST = 40 };

/* ---- Against the functions by themselves ---- */

/* What is asked of pod_swiss.h, gathered without a draw: results, standings, history. */
struct reference {
    struct entry entries[PLAYERS_MOST];
    uint16_t present[PLAYERS_MOST];
    struct pod_player players[PLAYERS_MOST];
    uint8_t met[PLAYERS_MOST * PLAYERS_MOST], before[PLAYERS_MOST * PLAYERS_MOST];
    uint16_t groups[TOURNAMENT_ROUNDS_MAX];
    int32_t work[PLAYERS_MOST];
    size_t count;
};

static void rank(struct reference *reference, const struct table_result *results, size_t count)
{
    struct standings standings;
    struct refusal refusal;
    const struct standings_input input = {.entries = reference->entries,
                                          .entry_count = event.entrant_count,
                                          .results = results,
                                          .result_count = count,
                                          .scoring = &scoring_default,
                                          .chain = tie_break_pods,
                                          .chain_count = tie_break_pods_count,
                                          .rounds = event.rounds_started,
                                          .chance = &chance};
    assert_true(standings_make(&input, &standings, &refusal));
    for (size_t i = 0; i < reference->count; i++)
        for (size_t row = 0; row < standings.count; row++)
            if (standings.rows[row].entry == reference->present[i])
                reference->players[i].place = standings.rows[row].rank;
    standings_free(&standings);
}

static void pair_reference(struct reference *reference, enum pod_profile profile,
                           struct pod_pairing *pairing)
{
    size_t count;
    struct refusal refusal;
    struct table_result *results = tournament_results(&event, 0, 0, event.rounds_started, &count);
    assert_non_null(results);
    reference->count = 0;
    for (uint16_t i = 0; i < event.entrant_count; i++) {
        reference->entries[i].tpn = event.entrants[i].number;
        if (tournament_presence(&event, i, event.rounds_started + 1U) == ROUND_PLAYED)
            reference->present[reference->count++] = i;
    }
    const struct pod_history history = {.entries = reference->entries,
                                        .entry_count = event.entrant_count,
                                        .results = results,
                                        .result_count = count,
                                        .scoring = &scoring_default,
                                        .present = reference->present,
                                        .present_count = reference->count,
                                        .rounds = event.rounds_started,
                                        .preferred = 4};
    pod_history_count(&history, reference->players, reference->met, reference->before,
                      reference->groups, reference->work);
    rank(reference, results, count);
    free(results);
    const struct pod_request request = {.players = reference->players,
                                        .player_count = reference->count,
                                        .met = reference->met,
                                        .before = reference->before,
                                        .earlier_groups = reference->groups,
                                        .earlier_rounds = event.rounds_started,
                                        .rule = table_rule_range(3, 4, 4),
                                        .profile = profile,
                                        .round = (uint16_t)(event.rounds_started + 1),
                                        .later_rounds = (uint16_t)(4 - event.rounds_started),
                                        .attempt = 1,
                                        .chance = &chance};
    assert_true(pod_swiss_pair(&request, pairing, &refusal));
}

static void expect_pairing(const struct pairing *draw, const struct reference *reference,
                           const struct pod_pairing *pairing)
{
    assert_int_equal(draw->table_count, pairing->table_count);
    for (size_t t = 0; t < draw->table_count; t++) {
        assert_int_equal(draw->tables[t].seats, pairing->tables[t].seats);
        for (unsigned seat = 0; seat < draw->tables[t].seats; seat++)
            assert_int_equal(draw->tables[t].entry[seat],
                             reference->present[pairing->tables[t].player[seat]]);
    }
    assert_int_equal(pairing->bye_count,
                     reference->count == 5 ? 1 : 0); /* three and two, or four and one */
    for (size_t i = 0; i < pairing->bye_count; i++)
        assert_int_equal(draw->byes[i].entry, reference->present[pairing->byes[i]]);
    assert_true(draw->bye_count >= pairing->bye_count);
}

/* The explanation has the values of the pairing, and those of its tables add up to them. */
static void expect_explained(const struct pairing *draw, const struct pod_pairing *pairing)
{
    const json_t *criteria = json_object_get(draw->quality, "criteria");
    const json_t *tables = json_object_get(draw->quality, "tables");
    assert_int_equal(json_array_size(criteria), POD_CRITERIA + 1);
    assert_int_equal(json_array_size(tables), draw->table_count);
    for (size_t i = 0; i < POD_CRITERIA; i++) {
        const json_t *criterion = json_array_get(criteria, i);
        const char *code = pod_criterion_describe((enum pod_criterion)i)->code;
        json_int_t sum = 0;
        assert_string_equal(json_string_value(json_object_get(criterion, "code")), code);
        for (size_t t = 0; t < draw->table_count; t++)
            sum += json_integer_value(
                json_object_get(json_object_get(json_array_get(tables, t), "costs"), code));
        json_int_t value = json_integer_value(json_object_get(criterion, "value"));
        assert_int_equal(value, pairing->criteria.value[i]);
        if (i != POD_P2_COMPLETION) /* of the round as a whole */
            assert_int_equal(value, sum);
    }
    assert_int_equal(json_integer_value(json_object_get(draw->quality, "repeats_bound")),
                     pairing->repeats_bound);
    assert_int_equal(json_is_true(json_object_get(draw->quality, "proved_best")),
                     pairing->exhaustive);
}

static void play_against_reference(const char *profile_name, enum pod_profile profile,
                                   unsigned players, uint8_t number)
{
    static struct reference reference;
    char settings[300];
    snprintf(settings, sizeof settings, PODS, profile_name);
    set_luck(number);
    tell_entries(&event, settings, players);
    for (unsigned round = 1; round <= (players > POD_EXHAUSTIVE_MAX ? 3U : 5U); round++) {
        struct pod_pairing pairing;
        struct pairing draw;
        struct refusal refusal;
        if (round == 3)
            tell(&event, "dropped", "{'player':<2>,'after':2}");
        pair_reference(&reference, profile, &pairing);
        assert_true(pairing_next(&event, &chance, 1, &draw, &refusal));
        expect_pairing(&draw, &reference, &pairing);
        expect_explained(&draw, &pairing);
        write_draw(&draw);
        pairing_free(&draw);
        pod_pairing_free(&pairing);
        start_round();
        play_round(15);
    }
    tournament_free(&event);
}

LISTED_TEST(test_as_the_functions_pair)
{
    play_against_reference("", POD_STRICT, 11, 1);
    play_against_reference(",'profile':'balanced'", POD_BALANCED, 12, 2);
    play_against_reference(",'profile':'power'", POD_POWER, 13, 3);
    play_against_reference("", POD_STRICT, 20, 4);
    play_against_reference("", POD_STRICT, 5, 5); /* with a bye */
}

/* ---- The order of lines ---- */

enum { MIXED = 12 };

/* Somebody's luck in a round, whoever stands where in the log. */
static unsigned strength(unsigned number, unsigned round)
{
    return (number * 2654435761U ^ round * 40503U) % 1009;
}

static void tell_result_by_strength(struct tournament *to, unsigned round, unsigned n)
{
    const struct tournament_table *table = tournament_table(to, round, n);
    char ranks[32] = "";
    for (unsigned i = 0; i < table->seats; i++) {
        unsigned better = 0;
        for (unsigned j = 0; j < table->seats; j++)
            better += strength(to->entrants[table->entry[j]].number, round) >
                      strength(to->entrants[table->entry[i]].number, round);
        size_t length = strlen(ranks);
        snprintf(ranks + length, sizeof ranks - length, "%u ", better + 1);
    }
    tell_result(to, round, n, ranks);
}

/* Player k of 1 .. MIXED in an order that depends on `turn`. */
static unsigned mixed(unsigned k, unsigned turn)
{
    return turn == 0 ? k : 1 + (k * 5 + turn) % MIXED;
}

static void enter_mixed(const char *format, unsigned turn)
{
    static const unsigned pairs[][2] = {{1, 2}, {3, 9}, {4, 5}, {7, 12}};
    struct tournament_settings settings;
    struct settings_fault fault;
    json_t *numbers = json_array(), *written;
    char text[300];
    snprintf(text, sizeof text,
             "{\"name\":\"Order\",\"ruleset\":\"shinjuku\",\"format\":\"%s\",\"rounds\":4}",
             format);
    json_t *document = json_loads(text, 0, NULL);
    assert_true(settings_read(document, true, &settings, &fault));
    written = settings_write(&settings);
    json_decref(document);
    take("created", written);
    tell(&event, "entries_opened", "{}");
    for (unsigned k = 1; k <= MIXED; k++)
        tell(&event, "entered", "{'player':<%u>,'rating':null}", mixed(k, turn));
    for (unsigned n = 1; n <= MIXED; n++)
        json_array_append_new(numbers, json_string(told_id(n)));
    take("entries_closed", json_pack("{so}", "numbers", numbers));
    for (unsigned i = 0; i < 4; i++) {
        const unsigned *pair = pairs[turn == 0 ? i : 3 - i];
        tell(&event, "kept_apart", "{'players':[<%u>,<%u>],'weight':%s}", pair[turn != 0],
             pair[turn == 0], pair[0] == 4 ? "500" : "'forbidden'");
    }
}

/* The lines of all draws of an event. To be freed. */
static json_t *lines_of_mixed(const char *format, unsigned turn)
{
    json_t *lines = json_array();
    set_luck(9);
    enter_mixed(format, turn);
    for (unsigned round = 1; round <= 4; round++) {
        static const unsigned gone[] = {6, 11, 8};
        struct pairing draw;
        const char *code;
        for (unsigned i = 0; round == 3 && i < 3; i++)
            tell(&event, "dropped", "{'player':<%u>,'after':2}", gone[turn == 0 ? i : 2 - i]);
        assert_true(try_draw(&draw, &code));
        json_array_append_new(lines, pairing_round_line(&event, &draw));
        write_draw(&draw);
        pairing_free(&draw);
        start_round();
        unsigned tables = (unsigned)event.rounds[round - 1].table_count;
        for (unsigned n = 1; n <= tables; n++)
            tell_result_by_strength(&event, round, turn == 0 ? n : tables + 1 - n);
    }
    tournament_free(&event);
    return lines;
}

/* In what order people entered (their numbers being the same), were kept apart and dropped out, and
 * results came in, makes no difference. */
LISTED_TEST(test_order_of_lines)
{
    static const char *const formats[] = {"pod_swiss", "dutch"};
    for (size_t i = 0; i < 2; i++) {
        json_t *straight = lines_of_mixed(formats[i], 0);
        for (unsigned turn = 1; turn <= 2; turn++) {
            json_t *other = lines_of_mixed(formats[i], turn);
            assert_true(json_equal(straight, other));
            json_decref(other);
        }
        json_decref(straight);
    }
}

/* ---- Attempts ---- */

/* Another attempt is another draw of as good a quality; the round's number is in its stream. */
LISTED_TEST(test_attempts)
{
    struct pairing first, second, again;
    const char *code;
    char settings[300];
    snprintf(settings, sizeof settings, PODS, "");
    set_luck(3);
    tell_entries(&event, settings, 12);
    assert_true(try_draw(&first, &code));
    write_draw(&first);
    tell(&event, "round_withdrawn", "{'round':1}");
    assert_int_equal(event.attempts, 1);
    assert_true(try_draw(&second, &code));
    assert_int_equal(second.attempt, 2);
    assert_false(second.begins_stage);
    assert_memory_not_equal(first.tables, second.tables, first.table_count * sizeof *first.tables);
    struct refusal refusal;
    assert_true(pairing_next(&event, &chance, 1, &again, &refusal));
    assert_memory_equal(first.tables, again.tables, first.table_count * sizeof *first.tables);
    pairing_free(&first);
    pairing_free(&second);
    pairing_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_as_the_functions_pair, clear),
        cmocka_unit_test_teardown(test_order_of_lines, clear),
        cmocka_unit_test_teardown(test_attempts, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
