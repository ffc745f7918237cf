/* Bundles: what does not hold is found. */
#include "engine/base/calendar.h"
#include "engine/tournament/formats/pods/pod_swiss.h"
#include "tests/engine/tournament/interchange/bundle_event.h"
#include "tests/test.h"

/* ---- The file ---- */

LISTED_TEST(a_changed_byte_is_found)
{
    size_t lines_there = json_array_size(lines) + 1;
    char *name = strstr(file, "Player C");
    assert_non_null(name);
    name[7] = 'X';
    expect_refused(BUNDLE_FAULT_HASH, lines_there);
    name[7] = 'C';
    file[file_length - 1] = ' ';
    expect_refused(BUNDLE_FAULT_CUT, 0);
    file[file_length - 1] = '\n';
    char *signature = strstr(file, "\"signature\":\"");
    assert_non_null(signature);
    signature += 13;
    *signature = *signature == '0' ? '1' : '0';
    expect_refused(BUNDLE_FAULT_SIGNATURE, lines_there);
}

LISTED_TEST(a_missing_end_is_found)
{
    while (file[file_length - 2] != '\n')
        file_length--;
    file_length--;
    expect_refused(BUNDLE_FAULT_CUT, json_array_size(lines));
    file_length = 0;
    expect_refused(BUNDLE_FAULT_CUT, 0);
}

/* The same value written otherwise is not the same bundle. */
LISTED_TEST(there_is_one_way_to_write_it)
{
    static const uint8_t seed[32] = {1};
    size_t first = (size_t)(strchr(file, '\n') - file);
    memmove(file + 2, file + 1, first);
    file[1] = ' ';
    file_length = first + 2;
    file[first + 1] = '\n';
    seal_with(seed);
    expect_refused(BUNDLE_FAULT_FORM, 1);
}

LISTED_TEST(everybody_has_a_name)
{
    size_t at = line_of("closed"); /* the first player's line is the next */
    json_array_remove(lines, at);
    write_file();
    expect_refused(BUNDLE_FAULT_PLAYER, 0);
}

LISTED_TEST(lines_have_their_order)
{
    json_t *moved = json_incref(json_array_get(lines, json_array_size(lines) - 1));
    json_array_remove(lines, json_array_size(lines) - 1);
    json_array_insert_new(lines, line_of("closed"), moved);
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, line_of("closed") + 2);
}

/* ---- The log and its draws ---- */

LISTED_TEST(another_secret_is_found)
{
    char hex[65];
    const uint8_t other[32] = {8};
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, other, 32);
    json_object_set_new(json_array_get(lines, 0), "secret", json_string(hex));
    write_file();
    expect_refused(BUNDLE_FAULT_SECRET, 1);
}

LISTED_TEST(another_draw_is_found)
{
    json_t *table = json_array_get(json_object_get(find_kind("round_drawn"), "tables"), 0);
    json_t *moved = json_incref(json_array_get(table, 0));
    json_array_remove(table, 0);
    json_array_append_new(table, moved);
    write_file();
    expect_refused(BUNDLE_FAULT_DRAW, line_of("round_drawn"));
}

LISTED_TEST(other_numbers_are_found)
{
    json_t *numbers = json_object_get(find_kind("entries_closed"), "numbers");
    json_t *moved = json_incref(json_array_get(numbers, 0));
    json_array_remove(numbers, 0);
    json_array_append_new(numbers, moved);
    write_file();
    expect_refused(BUNDLE_FAULT_DRAW, line_of("entries_closed"));
}

/* Later rounds are read from the schedule that the first one tells: it has to come from the secret,
 * also where nothing else in the bundle contradicts it. */
static __attribute__((unused)) void another_schedule_is_found(void **state)
{
    (void)state;
    play_all("{'name':'E','ruleset':'shinjuku','format':'pod_round_robin','rounds':3,'seats_min':3,"
             "'seats_max':4}",
             7, 1);
    struct bundle bundle = read_good();
    bundle_free(&bundle);
    json_t *quality = json_object_get(find_kind("round_drawn"), "quality");
    json_t *division = json_array_get(json_object_get(quality, "divisions"), 0);
    json_t *third = json_array_get(json_object_get(division, "schedule"), 2);
    json_t *moved = json_incref(json_array_get(json_array_get(third, 0), 0));
    json_t *other = json_array_get(json_array_get(third, 1), 0);
    json_array_set(json_array_get(third, 0), 0, other);
    json_array_set_new(json_array_get(third, 1), 0, moved);
    write_file();
    expect_refused(BUNDLE_FAULT_DRAW, line_of("round_drawn"));
    json_decref(lines);
    tournament_free(&event);
}

/* `quality` is what the page of a round says about its pairing, so it has to follow from the log,
 * too; only its words may be others, and an older program may have told less. */
LISTED_TEST(other_reasons_are_found)
{
    json_t *quality = json_object_get(find_kind("round_drawn"), "quality");
    json_t *seats = json_array_get(json_object_get(quality, "criteria"), POD_P7_SEATS);
    assert_string_equal(json_string_value(json_object_get(seats, "code")), "P7");
    json_object_set_new(seats, "meaning", json_string("Other words."));
    json_object_del(quality, "version");
    write_file();
    struct bundle bundle = read_good();
    bundle_free(&bundle);

    json_t *value = json_incref(json_object_get(seats, "value"));
    json_object_set_new(seats, "value", json_integer(json_integer_value(value) + 1));
    write_file();
    expect_refused(BUNDLE_FAULT_DRAW, line_of("round_drawn"));
    json_object_set_new(seats, "value", value);

    json_t *costs = json_object_get(json_array_get(json_object_get(quality, "tables"), 0), "costs");
    json_object_set_new(costs, "P3", json_integer(1));
    write_file();
    expect_refused(BUNDLE_FAULT_DRAW, line_of("round_drawn"));
    json_object_del(costs, "P3");

    json_t *proved = json_object_get(quality, "proved_best");
    json_object_set_new(quality, "proved_best", json_boolean(!json_is_true(proved)));
    write_file();
    expect_refused(BUNDLE_FAULT_DRAW, line_of("round_drawn"));
}

/* The second round is paired by hand: what that cost follows from the log, too. */
LISTED_TEST(other_reasons_of_a_change_are_found)
{
    json_t *told = json_array();
    const struct chance chance = event_chance();
    lines = json_array();
    tell_into(told);
    tell_entries(&event,
                 "{'name':'E','ruleset':'shinjuku','format':'pod_swiss','rounds':2,'seats_min':3,"
                 "'seats_max':3}",
                 6);
    tell_draw(&event, &chance);
    tell_results(&event, 1, "1 2 3 / 3 1 2");
    tell_draw_by_hand(&event, &chance);
    tell_into(NULL);
    add_header(true, false);
    add_log(told);
    add_players();
    json_decref(told);
    write_file();
    struct bundle bundle = read_good();
    bundle_free(&bundle);

    json_t *quality = json_object_get(find_kind("round_changed"), "quality");
    json_t *worse = json_object_get(quality, "worse");
    assert_true(json_array_size(worse) > 0);
    json_t *kept = json_deep_copy(worse);
    json_array_clear(worse);
    write_file();
    expect_refused(BUNDLE_FAULT_DRAW, line_of("round_changed"));
    json_object_set_new(quality, "worse", kept);
    json_t *drawn = json_object_get(quality, "drawn");
    json_object_set_new(drawn, "P4",
                        json_integer(1 + json_integer_value(json_object_get(drawn, "P4"))));
    write_file();
    expect_refused(BUNDLE_FAULT_DRAW, line_of("round_changed"));
    json_object_clear(quality); /* an older program told none */
    write_file();
    bundle = read_good();
    bundle_free(&bundle);
    json_decref(lines);
    tournament_free(&event);
}

LISTED_TEST(another_board_is_found)
{
    play_boards();
    json_t *first = json_array_get(json_object_get(find_kind("board_started"), "tables"), 0);
    json_t *moved = json_incref(json_array_get(first, 0));
    json_array_remove(first, 0);
    json_array_append_new(first, moved);
    write_file();
    expect_refused(BUNDLE_FAULT_DRAW, line_of("board_started"));
    json_decref(lines);
    tournament_free(&event);
}

LISTED_TEST(a_log_that_cannot_be_is_found)
{
    json_object_set_new(find_kind("result"), "table", json_integer(2));
    write_file();
    expect_refused(BUNDLE_FAULT_LOG, line_of("result"));
    size_t at = line_of("closed") - 1;
    json_array_remove(lines, at - 1);
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, at);
}

/* Nobody confirms a report of their own. */
LISTED_TEST(a_forged_confirmation_is_found)
{
    size_t at = line_of("report_confirmed");
    json_t *reported = json_array_get(lines, at - 2), *confirmed = json_array_get(lines, at - 1);
    json_object_set(confirmed, "actor", json_object_get(reported, "actor"));
    write_file();
    expect_refused(BUNDLE_FAULT_LOG, at);
}

/* ---- Records ---- */

LISTED_TEST(another_result_is_found)
{
    json_t *seat = json_array_get(json_object_get(find_kind("result"), "seats"), 2);
    json_array_set_new(seat, 2, json_integer(json_integer_value(json_array_get(seat, 2)) + 1));
    write_file();
    expect_result_refused("The log has different players or a different result for the game");
}

LISTED_TEST(a_mark_that_is_not_in_the_record_is_found)
{
    static const char *const names[] = {"forfeited", "substituted"};
    for (size_t i = 0; i < 2; i++) {
        int number = event.entrants[event.tables[0].entry[1]].number;
        json_object_set_new(find_kind("result"), names[i], json_pack("[i]", number));
        write_file();
        expect_records_refused(BUNDLE_FAULT_RESULT);
        json_object_del(find_kind("result"), names[i]);
    }
}

LISTED_TEST(a_missing_record_is_found)
{
    json_array_remove(lines, json_array_size(lines) - 1);
    write_file();
    expect_result_refused("There is no record of the game");
}

LISTED_TEST(a_record_twice_is_found)
{
    json_array_append(lines, json_array_get(lines, json_array_size(lines) - 1));
    write_file();
    expect_result_refused("There are two records of the game");
}

/* The id beside the record, or the game of the result, is another. */
LISTED_TEST(a_record_of_another_game_is_found)
{
    static const char other[] = "0190163d-0000-7000-8000-0000000000f9";
    json_t *result = find_kind("result");
    json_t *game = json_incref(json_object_get(result, "game"));
    json_object_set_new(result, "game", json_string(other));
    write_file();
    expect_result_refused("The log has no result of the game");
    json_object_set_new(last_line(), "game", json_string(other));
    json_object_set_new(result, "game", game);
    write_file();
    expect_result_refused("This is the record of another game:");
}

/* A record that holds, but of another event, of a round that there is not, or of others who have
 * played it; the last of a game that is void. */
LISTED_TEST(records_of_other_tables_are_found)
{
    static const struct {
        enum header_lie lie;
        unsigned games;
        const char *sentence;
    } cases[] = {{HEADER_EVENT, 1, "This is the record of another game:"},
                 {HEADER_ROUND, 1, "The log has no result of the game"},
                 {HEADER_SEATS, 1, "The log has different players or a different result"},
                 {HEADER_SEATS, 2, "The log has different players for the game"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        forget_event(NULL);
        header_lie = cases[i].lie;
        play_table(cases[i].games);
        header_lie = HEADER_HONEST;
        expect_result_refused(cases[i].sentence);
    }
}

LISTED_TEST(a_record_that_does_not_hold_is_found)
{
    json_t *line = json_array_get(lines, json_array_size(lines) - 1);
    char *record = strdup(json_string_value(json_object_get(line, "record")));
    assert_non_null(record);
    char *start = strstr(record, "\nstart 2026");
    assert_non_null(start);
    start[10] = '7';
    json_object_set_new(line, "record", json_string(record));
    free(record);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RECORD);
}

LISTED_TEST(signatures_that_do_not_hold_are_found)
{
    json_t *line = json_array_get(lines, json_array_size(lines) - 1);
    char *signatures = strdup(json_string_value(json_object_get(line, "signatures")));
    assert_non_null(signatures);
    char *last = signatures + strlen(signatures) - 2;
    *last = *last == '0' ? '1' : '0';
    json_object_set_new(line, "signatures", json_string(signatures));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RECORD);
    json_object_set_new(line, "signatures", json_string(""));
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, json_array_size(lines));
    json_object_del(line, "signatures");
    write_file();
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    assert_int_equal(bundle.records[0].signatures.length, 0);
    assert_true(bundle_check_records(&bundle, &replay, &fault));
    bundle_free(&bundle);
    free(signatures);
}

/* The records say which seats the house played and at which level; the log must agree. */
LISTED_TEST(house_players_of_another_log_are_found)
{
    json_t *result = find_kind("result");
    json_t *mark = json_incref(json_object_get(result, "house"));
    json_object_del(result, "house");
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    json_object_set_new(result, "house",
                        json_pack("[i]", event.entrants[event.tables[0].entry[house_seat]].number));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    json_object_set_new(result, "house", mark);
    json_t *entered = NULL, *line;
    size_t i;
    json_array_foreach(lines, i, line)
    {
        json_t *detail = json_object_get(line, "detail");
        if (json_object_get(detail, "player") != NULL && json_object_get(detail, "house") != NULL)
            entered = detail;
    }
    json_object_set_new(entered, "house", json_string("regular"));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    json_object_del(entered, "house");
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    json_object_set_new(entered, "house", json_string("strong")); /* above the event's level */
    write_file();
    expect_refused(BUNDLE_FAULT_LOG, line_of("entered") + 4);
}

/* An operator could otherwise let somebody play an easier game, or without a clock. */
LISTED_TEST(games_have_the_rules_of_the_event)
{
    json_t *settings = find_kind("created");
    json_t *options = json_object_get(settings, "options");
    json_object_set_new(options, "advanced", json_string("on"));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RULES);
    json_object_set_new(options, "advanced", json_string("off"));
    json_object_set_new(settings, "clock", json_pack("{si}", "move_ms", 60000));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RULES);
}

/* Clocks apply to games that begin afterwards: the record's has to be one that the settings gave
 * until it began. */
LISTED_TEST(clocks_are_those_of_the_time)
{
    json_t *settings = find_kind("created");
    json_t *closed = json_array_get(lines, line_of("closed") - 1);
    json_t *changed = json_deep_copy(closed);
    struct bundle_fault fault;
    struct bundle bundle = read_good();
    struct record_header header;
    struct record_fault wrong;
    struct span rest = bundle.records[0].text;
    uint8_t head[32];
    uint32_t read = 0;
    assert_true(record_read_header(&rest, &header, head, &read, &wrong));
    const int64_t start_ms = calendar_read_ms(header.start);
    bundle_free(&bundle);
    json_object_set_new(changed, "kind", json_string("settings_changed"));
    json_object_set_new(changed, "detail", json_deep_copy(settings)); /* no clock */
    json_object_set_new(settings, "clock", json_pack("{si}", "move_ms", 60000));
    json_array_insert_new(lines, line_of("closed") - 1, changed);
    json_object_set_new(closed, "line",
                        json_integer(json_integer_value(json_object_get(closed, "line")) + 1));
    for (int64_t minutes = 0; minutes <= 2; minutes += 2) {
        json_object_set_new(changed, "at", json_integer(start_ms + minutes * 60000));
        json_object_set_new(closed, "at", json_integer(start_ms + minutes * 60000));
        write_file();
        if (minutes > 0) {
            expect_records_refused(BUNDLE_FAULT_RULES);
            continue;
        }
        bundle = read_good();
        if (!bundle_check_records(&bundle, &replay, &fault))
            fail_msg("line %zu: %s: %s", fault.line, fault.code, fault.message);
        bundle_free(&bundle);
    }
}

/* ---- Co-dealers ---- */

LISTED_TEST(dealers_are_those_of_the_event)
{
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    json_t *settings = find_kind("created");
    json_t *dealers = json_object_get(settings, "dealers");
    if (!bundle_check_records(&bundle, &replay, &fault))
        fail_msg("line %zu: %s: %s", fault.line, fault.code, fault.message);
    bundle_free(&bundle);

    json_object_del(settings, "dealers_seconds");
    write_file();
    expect_records_refused(BUNDLE_FAULT_WITHHELD);
    json_object_set_new(settings, "dealers_seconds", json_integer(1));

    json_t *last = json_incref(json_array_get(dealers, 2));
    json_array_remove(dealers, 2);
    write_file();
    expect_records_refused(BUNDLE_FAULT_DEALER);
    json_array_append_new(dealers,
                          json_pack("{s:o, s:s}", "key", json_incref(json_object_get(last, "key")),
                                    "name", "ben-0")); /* before the record's */
    write_file();
    expect_records_refused(BUNDLE_FAULT_NO_DEALER);
    json_array_set_new(dealers, 2, last);
    json_t *more = json_pack("{s:s, s:s}", "key",
                             "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
                             "name", "zoe");
    json_array_append_new(dealers, more);
    write_file();
    expect_records_refused(BUNDLE_FAULT_NO_DEALER);
    json_array_remove(dealers, 3);

    json_t *first = json_array_get(dealers, 0);
    json_object_set_new(
        first, "key",
        json_string("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"));
    write_file();
    expect_records_refused(BUNDLE_FAULT_DEALER);
}

/* An event without dealers whose record has some. */
LISTED_TEST(dealers_of_no_event_are_found)
{
    json_object_del(find_kind("created"), "dealers");
    write_file();
    expect_records_refused(BUNDLE_FAULT_DEALER);
}

/* ---- Games that count for nothing ---- */

LISTED_TEST(no_game_of_a_table_can_be_left_out)
{
    json_t *whole = lines;
    for (size_t attempt = 1; attempt <= GAMES_MOST; attempt++) {
        lines = json_copy(whole);
        json_array_remove(lines, json_array_size(lines) - GAMES_MOST + attempt - 1);
        write_file();
        expect_records_refused(BUNDLE_FAULT_RESULT);
        json_decref(lines);
    }
    lines = json_copy(whole);
    json_array_append(lines, json_array_get(lines, json_array_size(lines) - 1));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    json_decref(lines);
    lines = whole;
}

/* One attempt told for another: a void game for one that was played, and so on. */
LISTED_TEST(games_of_a_table_have_their_order)
{
    for (size_t i = 1; i <= GAMES_MOST; i++)
        for (size_t j = i + 1; j <= GAMES_MOST; j++) {
            json_t *one = json_incref(json_object_get(record_line(i), "attempt"));
            json_object_set(record_line(i), "attempt", json_object_get(record_line(j), "attempt"));
            json_object_set(record_line(j), "attempt", one);
            write_file();
            expect_records_refused(BUNDLE_FAULT_RESULT);
            json_object_set(record_line(j), "attempt", json_object_get(record_line(i), "attempt"));
            json_object_set_new(record_line(i), "attempt", one);
        }
    json_object_set_new(record_line(1), "attempt", json_integer(0));
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, json_array_size(lines) - 2);
}

/* The log has a result of what its record says is void, or the other way round. */
LISTED_TEST(void_games_have_no_result)
{
    json_t *game = json_incref(json_object_get(record_line(1), "game"));
    json_object_set(find_kind("result"), "game", game);
    json_object_set(record_line(2), "game", game);
    json_object_set(record_line(2), "record", json_object_get(record_line(1), "record"));
    json_object_set(record_line(2), "signatures", json_object_get(record_line(1), "signatures"));
    json_decref(game);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
}

/* ---- Scorers' records ---- */

/* A record that holds, of the same table by the same scorer, and not the one that was reported. */
LISTED_TEST(another_scorers_record_is_found)
{
    make_recorded_event(1, 3, 0);
    expect_records_refused(BUNDLE_FAULT_RESULT);
}

/* The log names the very record, and says a different result. */
LISTED_TEST(a_result_that_is_not_the_records_is_found)
{
    make_recorded_event(1, 1, 1);
    expect_records_refused(BUNDLE_FAULT_RESULT);
}

LISTED_TEST(a_missing_scorers_record_is_found)
{
    struct bundle_fault fault;
    json_t *line = json_incref(last_line());
    json_array_remove(lines, json_array_size(lines) - 1);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    /* Before records of scorers were in bundles. */
    json_object_set_new(json_array_get(lines, 0), "bundle",
                        json_integer(BUNDLE_VERSION_UNRECORDED));
    write_file();
    struct bundle bundle = read_good();
    assert_true(bundle_check_records(&bundle, &replay, &fault));
    bundle_free(&bundle);
    json_array_append(lines, line);
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, json_array_size(lines));
    json_object_set_new(json_array_get(lines, 0), "bundle", json_integer(BUNDLE_VERSION));
    json_array_append_new(lines, line);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT); /* it is there twice */
}

LISTED_TEST(a_scorers_record_that_does_not_hold_is_found)
{
    json_t *line = last_line();
    char *record = strdup(json_string_value(json_object_get(line, "recorded")));
    char *digit = strstr(record, " bind deck ");
    assert_non_null(digit);
    digit[1] = 'B';
    json_object_set_new(line, "recorded", json_string(record));
    free(record);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RECORD);
}

/* Neither kind of record stands for the other. */
LISTED_TEST(a_scorers_record_as_a_proved_one_is_found)
{
    json_t *line = last_line();
    json_t *record = json_incref(json_object_get(line, "recorded"));
    json_object_clear(line);
    json_object_set_new(line, "game", json_string(recording_id));
    json_object_set_new(line, "attempt", json_integer(1));
    json_object_set_new(line, "record", record);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RECORD);
    struct bundle_fault fault;
    struct bundle bundle = read_good();
    assert_false(bundle_check_records(&bundle, &replay, &fault));
    assert_non_null(strstr(fault.message, "not proved"));
    bundle_free(&bundle);
}

LISTED_TEST(a_scorers_record_of_another_id_is_found)
{
    static const char other[] = "0190163d-0000-7000-8000-0000000000f2";
    json_t *reported = json_object_get(find_kind("reported"), "record");
    json_object_set_new(reported, "id", json_string(other));
    write_file();
    expect_result_refused("No result that counts is from the recording");
    json_object_set_new(reported, "id", json_string(recording_id));
    json_object_set_new(last_line(), "recording", json_string(other));
    write_file();
    expect_result_refused("This is the record of another game:");
}

/* ---- Anything ---- */

static uint32_t luck = 1;

static uint32_t roll(uint32_t sides)
{
    luck = luck * 1664525U + 1013904223U;
    return (luck >> 8) % sides;
}

static json_t *any_value(void)
{
    static const char *const values[] = {
        "null", "-1",   "0",    "1",          "4",  "65536", "4294967297",  "9007199254740993",
        "1.5",  "true", "\"\"", "\"result\"", "[]", "{}",    "[[1,2,3,4]]", "[1]"};
    return json_loads(values[roll(sizeof values / sizeof *values)], JSON_DECODE_ANY, NULL);
}

/* Changes one value somewhere within an object or list. */
static void change_somewhere(json_t *within)
{
    size_t at = roll(
        (uint32_t)(json_is_object(within) ? json_object_size(within) : json_array_size(within)));
    void *member = json_object_iter(within);
    for (size_t i = 0; i < at && member != NULL; i++)
        member = json_object_iter_next(within, member);
    json_t *value =
        json_is_object(within) ? json_object_iter_value(member) : json_array_get(within, at);
    bool deeper = json_object_size(value) + json_array_size(value) > 0 && roll(4) > 0;
    if (deeper)
        change_somewhere(value);
    else if (json_is_object(within))
        json_object_iter_set_new(within, member, any_value());
    else
        json_array_set_new(within, at, any_value());
}

#ifdef PLAYOUTS_DEFAULT /* fewer, because the build is slow */
enum { CHANGES = 100 };
#else
enum { CHANGES = 500, CHANGES_LONG = 1500 };
#endif

static unsigned changes(void)
{
#ifndef PLAYOUTS_DEFAULT
    if (getenv("TILLROLL_LONG") != NULL)
        return CHANGES_LONG;
#endif
    return CHANGES;
}

/* Sealed well, and wrong somewhere: it is refused with a reason, or what was changed is of no
 * account (a time, the actor, how a draw explains itself) and everything else still holds. */
LISTED_TEST(whatever_is_changed_is_found)
{
    json_t *whole = lines;
    const unsigned count = changes();
    unsigned refused = 0;
    for (unsigned i = 0; i < count; i++) {
        struct bundle bundle;
        struct bundle_fault fault = {.code = ""};
        lines = json_deep_copy(whole);
        change_somewhere(json_array_get(lines, roll((uint32_t)json_array_size(lines))));
        write_file();
        bool good = bundle_read((struct span){file, file_length}, &bundle, &fault);
        if (good) {
            assert_int_equal(bundle.tournament.entrant_count, 4);
            assert_int_equal(bundle.tournament.rounds_started, 1);
            good = bundle_check_records(&bundle, &replay, &fault);
            bundle_free(&bundle);
        }
        if (!good) {
            assert_int_not_equal(strlen(fault.code), 0);
            assert_int_not_equal(strlen(fault.message), 0);
            refused++;
        }
        json_decref(lines);
    }
    assert_in_range(refused, count * 2 / 3, count - 1);
    lines = whole;
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
        cmocka_unit_test_setup_teardown(house_players_of_another_log_are_found, play_house_event,
                                        forget_event),
        BUNDLE_TEST(a_changed_byte_is_found),
        BUNDLE_TEST(a_missing_end_is_found),
        BUNDLE_TEST(there_is_one_way_to_write_it),
        BUNDLE_TEST(another_secret_is_found),
        BUNDLE_TEST(another_draw_is_found),
        BUNDLE_TEST(other_numbers_are_found),
        BUNDLE_TEST(other_reasons_are_found),
        BUNDLE_TEST(a_log_that_cannot_be_is_found),
        BUNDLE_TEST(another_result_is_found),
        BUNDLE_TEST(a_mark_that_is_not_in_the_record_is_found),
        BUNDLE_TEST(a_missing_record_is_found),
        BUNDLE_TEST(a_record_twice_is_found),
        BUNDLE_TEST(a_record_of_another_game_is_found),
        BUNDLE_TEST(records_of_other_tables_are_found),
        BUNDLE_TEST(a_record_that_does_not_hold_is_found),
        BUNDLE_TEST(signatures_that_do_not_hold_are_found),
        BUNDLE_TEST(games_have_the_rules_of_the_event),
        BUNDLE_TEST(clocks_are_those_of_the_time),
        cmocka_unit_test_setup_teardown(dealers_are_those_of_the_event, play_dealt_event,
                                        forget_event),
        cmocka_unit_test_setup_teardown(dealers_of_no_event_are_found, play_dealt_event,
                                        forget_event),
        BUNDLE_TEST(everybody_has_a_name),
        BUNDLE_TEST(lines_have_their_order),
        BUNDLE_TEST(whatever_is_changed_is_found),
        ANEW_TEST(no_game_of_a_table_can_be_left_out),
        ANEW_TEST(games_of_a_table_have_their_order),
        ANEW_TEST(void_games_have_no_result),
        cmocka_unit_test_setup_teardown(a_forged_confirmation_is_found, report_event, forget_event),
        RECORDED_TEST(a_missing_scorers_record_is_found),
        RECORDED_TEST(a_scorers_record_that_does_not_hold_is_found),
        RECORDED_TEST(a_scorers_record_as_a_proved_one_is_found),
        RECORDED_TEST(a_scorers_record_of_another_id_is_found),
        cmocka_unit_test_teardown(another_scorers_record_is_found, forget_event),
        cmocka_unit_test_teardown(a_result_that_is_not_the_records_is_found, forget_event),
#ifndef PLAYOUTS_DEFAULT /* searches take long with checks built in */
        cmocka_unit_test(another_schedule_is_found),
#endif
        cmocka_unit_test(other_reasons_of_a_change_are_found),
        cmocka_unit_test(another_board_is_found),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
