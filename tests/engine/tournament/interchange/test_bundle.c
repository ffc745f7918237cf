/* Bundles: what is written is read, and what it says of games and ratings is made again. */
#include "tests/engine/tournament/interchange/bundle_event.h"
#include "tests/test.h"

LISTED_TEST(an_event_is_made_again_from_its_bundle)
{
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    struct ranking ours, theirs;
    struct refusal refusal;
    const struct chance chance = event_chance();
    assert_true(bundle.revealed);
    assert_string_equal(bundle.event, event_id);
    assert_int_equal(bundle.draws, 1);
    assert_int_equal(bundle.lines, event.lines);
    assert_int_equal(bundle.record_count, 1);
    assert_true(bundle.records[0].signatures.length > 1000);
    assert_string_equal(bundle.names[1], "Player B");
    assert_true(bundle_check_records(&bundle, &replay, &fault));
    assert_true(ranking_make(&event, &chance, 1, &theirs, &refusal));
    assert_true(ranking_make(&bundle.tournament, &bundle.chance, 1, &ours, &refusal));
    assert_int_equal(ours.place_count, theirs.place_count);
    assert_memory_equal(ours.places, theirs.places, ours.place_count * sizeof *ours.places);
    ranking_free(&ours);
    ranking_free(&theirs);
    bundle_free(&bundle);
}

/* While it runs there is no secret, and what it would prove is not asked. */
LISTED_TEST(a_running_event_keeps_its_secret)
{
    json_object_set_new(json_array_get(lines, 0), "secret", json_null());
    json_t *table = json_array_get(json_object_get(find_kind("round_drawn"), "tables"), 0);
    json_t *moved = json_incref(json_array_get(table, 0));
    json_array_remove(table, 0);
    json_array_append_new(table, moved);
    json_t *seats = json_object_get(find_kind("result"), "seats");
    moved = json_incref(json_array_get(seats, 0));
    json_array_remove(seats, 0);
    json_array_append_new(seats, moved);
    write_file();
    struct bundle bundle = read_good();
    assert_false(bundle.revealed);
    assert_int_equal(bundle.draws, 0);
    bundle_free(&bundle);
}

/* The log becomes that of an event from before these kinds of lines, told anew in one: line 3 of
 * the bundle. Returns the lines told. */
static json_t *tell_anew(void)
{
    json_t *told = json_array(), *first = json_array();
    size_t i;
    json_t *each;
    json_array_foreach(lines, i, each)
    {
        if (json_object_get(each, "line") != NULL)
            json_array_append_new(told, json_pack("{sssOsOsO}", "actor", "", "at",
                                                  json_object_get(each, "at"), "detail",
                                                  json_object_get(each, "detail"), "kind",
                                                  json_object_get(each, "kind")));
        else if (i == 0) {
            json_array_append(first, each);
            json_array_append_new(first, json_loads("{\"actor\":\"\",\"at\":1,\"detail\":{\"old\":"
                                                    "true},\"kind\":\"created\",\"line\":1}",
                                                    0, NULL));
            json_array_append_new(first,
                                  json_pack("{sssis{so}sssi}", "actor", "", "at", 2, "detail",
                                            "lines", told, "kind", "restated", "line", 2));
        } else {
            json_array_append(first, each);
        }
    }
    json_decref(lines);
    lines = first;
    write_file();
    return told;
}

LISTED_TEST(what_stands_before_restated_is_for_people)
{
    json_t *told = tell_anew();
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    assert_int_equal(bundle.lines, 2);
    assert_int_equal(bundle.finished_count, 1);
    assert_int_equal(bundle.tournament.phase, PHASE_CLOSED);
    assert_true(bundle_check_records(&bundle, &replay, &fault));
    bundle_free(&bundle);
    json_object_set_new(json_array_get(told, 3), "detail", json_null());
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, 3);
    json_array_remove(lines, 2);
    write_file();
    expect_refused(BUNDLE_FAULT_LOG, 2);
}

static void move_first_to_end(json_t *list)
{
    json_t *moved = json_incref(json_array_get(list, 0));
    json_array_remove(list, 0);
    json_array_append_new(list, moved);
}

/* The first of the lines told anew whose detail has a list of this name. */
static json_t *find_list(const json_t *told, const char *name)
{
    size_t i;
    json_t *each;
    json_array_foreach(told, i, each)
    {
        json_t *list = json_object_get(json_object_get(each, "detail"), name);
        if (json_is_array(list))
            return list;
    }
    fail_msg("no list %s", name);
    return NULL;
}

/* Lists byes of rounds in another order, and none of boards, as old events were told anew. */
static void write_byes_as_then(const json_t *told)
{
    size_t i;
    json_t *each;
    json_array_foreach(told, i, each)
    {
        json_t *detail = json_object_get(each, "detail");
        json_t *byes = json_object_get(detail, "byes");
        if (byes != NULL && json_object_get(detail, "board") != NULL)
            json_array_clear(byes);
        else if (byes != NULL)
            move_first_to_end(byes);
    }
    write_file();
}

static void check_told_draws(unsigned draws)
{
    const json_t *told = tell_anew();
    static const char *const lists[] = {"numbers", "tables", "byes"};
    write_byes_as_then(told);
    struct bundle bundle = read_good();
    assert_int_equal(bundle.restated_line, 2);
    assert_int_equal(bundle.draws, draws);
    bundle_free(&bundle);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        json_t *list = find_list(told, lists[i]);
        if (strcmp(lists[i], "tables") == 0)
            list = json_array_get(list, 0);
        json_t *was = json_deep_copy(list);
        if (strcmp(lists[i], "byes") == 0)
            json_array_append_new(list, json_integer(1));
        else
            move_first_to_end(list);
        write_file();
        expect_refused(BUNDLE_FAULT_DRAW, 3);
        json_array_clear(list);
        json_array_extend(list, was);
        json_decref(was);
    }
    json_decref(lines);
    tournament_free(&event);
}

/* A restated event is paired again: otherwise its organizer could choose pairings without the
 * secret. */
LISTED_TEST(what_is_told_anew_is_drawn_again)
{
    play_all("{'name':'A','ruleset':'shinjuku','format':'pod_swiss','rounds':3,'seats_min':4,"
             "'seats_max':4}",
             11, 3);
    assert_int_equal(event.rounds[0].bye_count, 3);
    check_told_draws(3);
    play_boards();
    check_told_draws(4);
}

LISTED_TEST(every_format_is_drawn_again)
{
    static const struct {
        const char *settings;
        unsigned players, rounds;
    } events[] = {
        {"{'name':'A','ruleset':'shinjuku','format':'pod_swiss','rounds':4,'seats_min':3,"
         "'seats_max':4}",
         11, 4},
        {"{'name':'B','ruleset':'shinjuku','format':'dutch','rounds':4}", 9, 4},
        {"{'name':'C','ruleset':'shinjuku','format':'round_robin'}", 5, 5},
        {"{'name':'D','ruleset':'shinjuku','stages':[{'format':'pod_swiss','rounds':2,'seats_min':"
         "4,'seats_max':4},{'format':'single_elimination','entrants':4}]}",
         8, 4},
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        play_all(events[i].settings, events[i].players, events[i].rounds);
        struct bundle bundle = read_good();
        struct rating *ratings = calloc(events[i].players, sizeof *ratings);
        assert_non_null(ratings);
        assert_int_equal(bundle.draws, events[i].rounds);
        assert_false(bundle.with_records);
        assert_true(bundle_rate(&bundle, false, ratings) > 0);
        free(ratings);
        bundle_free(&bundle);
        json_decref(lines);
        tournament_free(&event);
    }
}

LISTED_TEST(boards_are_drawn_again)
{
    play_boards();
    struct bundle bundle = read_good();
    struct duplicate_ranking ranking;
    struct refusal refusal;
    struct duplicate_board drawn;
    assert_int_equal(bundle.draws, 4);
    assert_int_equal(bundle.round_count, 2);
    assert_int_equal(bundle.rounds[1].commitment[31], 2);
    assert_true(duplicate_ranking_make(&bundle.tournament, &bundle.chance, 2, &ranking, &refusal));
    assert_int_equal(ranking.boards, 4);
    assert_int_equal(ranking.count, 24);
    assert_int_equal(ranking.standings.count, 7);
    duplicate_ranking_free(&ranking);
    /* No board is to come. */
    assert_false(duplicate_board_pairing(&bundle.tournament, &bundle.chance, &drawn, &refusal));
    assert_string_equal(refusal.code, DUPLICATE_REFUSAL_INPUT);
    bundle_free(&bundle);
    json_decref(lines);
    tournament_free(&event);
}

/* Nobody but a forger begins more rounds than are planned: there are no streams to draw them from.
 */
LISTED_TEST(boards_beyond_the_last_are_refused)
{
    const struct chance chance = event_chance();
    struct duplicate_board drawn;
    struct refusal refusal;
    tell_entries(&event,
                 "{'name':'B','ruleset':'shinjuku','format':'duplicate','boards':32,'rounds':2,"
                 "'seats_preferred':2}",
                 2);
    assert_false(duplicate_board_pairing(&event, &chance, &drawn, &refusal));
    assert_string_equal(refusal.code, DUPLICATE_REFUSAL_INPUT);
    for (unsigned round = 1; round <= 3; round++) {
        tell(&event, "round_started", "{'round':%u,'boards':1,'attempt':1,'commitment':'%064u'}",
             round, round);
        bool is_drawn = duplicate_board_pairing(&event, &chance, &drawn, &refusal);
        assert_int_equal(is_drawn, round <= 2);
        if (is_drawn)
            duplicate_board_free(&drawn);
        else
            assert_string_equal(refusal.code, DUPLICATE_REFUSAL_INPUT);
        tell(&event, "board_started",
             "{'round':%u,'board':1,'first_table':1,'tables':[[1,2]],'byes':[]}", round);
        tell_result(&event, round, 1, "1 2");
    }
    tournament_free(&event);
}

/* ---- Records ---- */

LISTED_TEST(a_scorers_record_is_replayed)
{
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    if (!bundle_check_records(&bundle, &replay, &fault))
        fail_msg("line %zu: %s: %s", fault.line, fault.code, fault.message);
    assert_int_equal(bundle.version, BUNDLE_VERSION);
    assert_int_equal(bundle.recording_count, 1);
    assert_string_equal(bundle.recordings[0].id, recording_id);
    assert_true(tournament_is_recorded(&bundle.tournament, &bundle.tournament.tables[0]));
    bundle_free(&bundle);
}

LISTED_TEST(every_game_of_a_table_is_there)
{
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    struct rating ratings[4];
    assert_int_equal(bundle.version, BUNDLE_VERSION);
    assert_int_equal(bundle.record_count, 3);
    assert_int_equal(bundle_count_earlier(&bundle, 0), 2);
    assert_false(bundle.earlier[0].was.played);
    assert_true(bundle.earlier[1].was.played);
    if (!bundle_check_records(&bundle, &replay, &fault))
        fail_msg("line %zu: %s: %s", fault.line, fault.code, fault.message);
    assert_int_equal(bundle_rate(&bundle, false, ratings), 1);
    bundle_free(&bundle);
}

/* The first version of bundles has the records that count and no others. */
LISTED_TEST(bundles_of_version_1_are_read)
{
    struct bundle_fault fault;
    json_object_set_new(json_array_get(lines, 0), "bundle", json_integer(1));
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, json_array_size(lines) - 2);
    json_array_remove(lines, json_array_size(lines) - 3);
    json_array_remove(lines, json_array_size(lines) - 2);
    json_object_del(json_array_get(lines, json_array_size(lines) - 1), "attempt");
    write_file();
    struct bundle bundle = read_good();
    assert_int_equal(bundle.version, 1);
    assert_true(bundle_check_records(&bundle, &replay, &fault));
    bundle_free(&bundle);
    json_array_append(lines, json_array_get(lines, json_array_size(lines) - 1));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    json_array_remove(lines, json_array_size(lines) - 1);
    json_array_remove(lines, json_array_size(lines) - 1);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    json_object_set_new(json_array_get(lines, 0), "bundle", json_integer(BUNDLE_VERSION + 1));
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, 1);
}

/* ---- Ratings ---- */

LISTED_TEST(ratings_are_made_from_the_first_game_on)
{
    struct bundle bundle = read_good();
    struct rating ratings[4], expected[4];
    int32_t ranks[4];
    const struct table_result *result = &bundle.tournament.tables[0].result;
    assert_int_equal(bundle_rate(&bundle, false, ratings), 1);
    for (unsigned seat = 0; seat < 4; seat++) {
        expected[seat] = rating_initial();
        ranks[seat] = result->seat[seat].rank;
    }
    assert_true(rating_update(expected, ranks, 4));
    for (unsigned seat = 0; seat < 4; seat++)
        assert_memory_equal(&ratings[result->seat[seat].entry], &expected[seat], sizeof *ratings);
    bundle_free(&bundle);
}

/* As in the service: such a game is no measure of anybody's strength. */
LISTED_TEST(a_game_with_a_forfeit_is_not_rated)
{
    struct bundle bundle = read_good();
    struct rating ratings[4];
    const struct rating initial = rating_initial();
    struct table_result *result = &bundle.tournament.tables[0].result;
    for (unsigned seat = 0; seat < 4; seat++)
        result->seat[seat].kind = seat == 2 ? ROUND_FORFEIT_LOSS : ROUND_ADJUDICATED;
    assert_int_equal(bundle_rate(&bundle, false, ratings), 0);
    for (unsigned entry = 0; entry < 4; entry++)
        assert_memory_equal(&ratings[entry], &initial, sizeof initial);
    bundle_free(&bundle);
}

LISTED_TEST(who_was_replaced_is_not_rated)
{
    struct bundle bundle = read_good();
    struct rating ratings[4];
    const struct rating initial = rating_initial();
    struct tournament_table *table = &bundle.tournament.tables[0];
    table->substituted = 1U << 2;
    assert_int_equal(bundle_rate(&bundle, false, ratings), 1);
    for (unsigned seat = 0; seat < 4; seat++)
        assert_int_equal(memcmp(&ratings[table->entry[seat]], &initial, sizeof initial) == 0,
                         seat == 2);
    bundle_free(&bundle);
}

/* On their own list, unless the event says otherwise. */
LISTED_TEST(games_with_house_players_are_rated_apart)
{
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    struct rating ratings[4];
    const struct rating initial = rating_initial();
    if (!bundle_check_records(&bundle, &replay, &fault))
        fail_msg("line %zu: %s: %s", fault.line, fault.code, fault.message);
    assert_int_equal(bundle.tournament.tables[0].house, 1U << (house_seat + 1) % 4);
    assert_int_equal(bundle_rate(&bundle, false, ratings), 0);
    for (unsigned entry = 0; entry < 4; entry++)
        assert_memory_equal(&ratings[entry], &initial, sizeof initial);
    assert_int_equal(bundle_rate(&bundle, true, ratings), 1);
    assert_memory_not_equal(&ratings[3], &initial, sizeof initial);
    bundle.tournament.settings.rate_house = true;
    assert_int_equal(bundle_rate(&bundle, true, ratings), 0);
    assert_int_equal(bundle_rate(&bundle, false, ratings), 1);
    bundle.tournament.settings.rate_house = false;
    bundle.tournament.entrants[3].house = HOUSE_NONE;
    assert_int_equal(bundle_rate(&bundle, true, ratings), 1); /* the substitute is one, too */
    bundle.tournament.tables[0].house = 0;
    assert_int_equal(bundle_rate(&bundle, true, ratings), 0);
    bundle_free(&bundle);
}

LISTED_TEST(reports_are_folded_and_not_rated)
{
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    struct ranking ours, theirs;
    struct refusal refusal;
    struct rating ratings[6];
    const struct chance chance = event_chance();
    assert_true(bundle_check_records(&bundle, &replay, &fault));
    assert_int_equal(bundle.finished_count, 0);
    assert_true(bundle.tournament.tables[0].reported);
    assert_true(tournament_report(&bundle.tournament, &bundle.tournament.tables[1])->corrected);
    assert_int_equal(bundle_rate(&bundle, false, ratings), 0);
    assert_true(ranking_make(&event, &chance, 1, &theirs, &refusal));
    assert_true(ranking_make(&bundle.tournament, &bundle.chance, 1, &ours, &refusal));
    assert_int_equal(ours.place_count, 6);
    assert_memory_equal(ours.places, theirs.places, ours.place_count * sizeof *ours.places);
    assert_int_equal(ours.places[0].points, 5 * POINTS_PER_POINT);
    ranking_free(&ours);
    ranking_free(&theirs);
    bundle_free(&bundle);
}

FIXTURE(start)
{
    return sodium_init() < 0 ? -1 : 0;
}

#define BUNDLE_TEST(test)   cmocka_unit_test_setup_teardown(test, play_event, forget_event)
#define ANEW_TEST(test)     cmocka_unit_test_setup_teardown(test, play_anew, forget_event)
#define RECORDED_TEST(test) cmocka_unit_test_setup_teardown(test, record_event, forget_event)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BUNDLE_TEST(an_event_is_made_again_from_its_bundle),
        BUNDLE_TEST(ratings_are_made_from_the_first_game_on),
        BUNDLE_TEST(a_game_with_a_forfeit_is_not_rated),
        BUNDLE_TEST(who_was_replaced_is_not_rated),
        cmocka_unit_test_setup_teardown(games_with_house_players_are_rated_apart, play_house_event,
                                        forget_event),
        BUNDLE_TEST(a_running_event_keeps_its_secret),
        BUNDLE_TEST(what_stands_before_restated_is_for_people),
        cmocka_unit_test(what_is_told_anew_is_drawn_again),
        ANEW_TEST(every_game_of_a_table_is_there),
        ANEW_TEST(bundles_of_version_1_are_read),
        cmocka_unit_test_setup_teardown(reports_are_folded_and_not_rated, report_event,
                                        forget_event),
        RECORDED_TEST(a_scorers_record_is_replayed),
        cmocka_unit_test(every_format_is_drawn_again),
        cmocka_unit_test(boards_are_drawn_again),
        cmocka_unit_test(boards_beyond_the_last_are_refused),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
