/* Results that people report from tables where they play with their own copy: who makes them count,
 * who calls the arbiter, what is refused, and that a copy and a bundle's reader see the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/tournament/event/short_lines.h"
#include "tests/test.h"

enum { MINUTE_MS = 60 * 1000 };

static int64_t now_ms;

/* Players a .. f; o is the organizer, ' ' the service itself. */
static bool apply(char actor, const char *kind, json_t *detail, struct refusal *refusal)
{
    return apply_as(actor == ' ' ? "" : id_of(actor), now_ms, kind, detail, refusal);
}

static void take(char actor, const char *kind, const char *detail)
{
    struct refusal refusal = {"", ""};
    if (!apply(actor, kind, detail_of(detail), &refusal))
        fail_msg("%s %s: %s: %s", kind, detail, refusal.code, refusal.message);
}

static void refused(char actor, const char *kind, const char *detail, const char *code)
{
    struct refusal refusal = {"", ""};
    struct tournament *was = tournament_copy(&event);
    assert_non_null(was);
    if (apply(actor, kind, detail_of(detail), &refusal))
        fail_msg("%s %s was taken", kind, detail);
    assert_string_equal(refusal.code, code);
    assert_int_equal(event.report_count, was->report_count);
    assert_int_equal(event.contested, was->contested);
    assert_int_equal(event.lines, was->lines);
    if (event.report_count > 0)
        assert_memory_equal(event.reports, was->reports,
                            event.report_count * sizeof *event.reports);
    assert_memory_equal(event.tables, was->tables, event.table_count * sizeof *event.tables);
    tournament_free(was);
    free(was);
}

static void create(const char *settings)
{
    struct refusal refusal;
    assert_true(apply('o', "created", settings_of(settings), &refusal));
}

/* Two tables: 1 with a, b, c; 2 with d, e, f. */
static void begin_as(const char *settings, const char *started)
{
    create(settings);
    take('o', "entries_opened", "{}");
    take('a', "entered", "{'player':<a>}");
    take('b', "entered", "{'player':<b>}");
    take('c', "entered", "{'player':<c>}");
    take('d', "entered", "{'player':<d>}");
    take('e', "entered", "{'player':<e>}");
    take('f', "entered", "{'player':<f>}");
    take('o', "entries_closed", "{'numbers':[<a>,<b>,<c>,<d>,<e>,<f>]}");
    take('o', "stage_started", "{'stage':1,'entries':[1,2,3,4,5,6]}");
    take('o', "round_drawn",
         "{'round':1,'stage':1,'attempt':1,'tables':[[1,2,3],[4,5,6]],'byes':[],'quality':{}}");
    take('o', "round_started", started);
}

static const char table_settings[] =
    "{'name':'Evening','ruleset':'shinjuku','format':'pod_swiss','rounds':3,'seats_min':3,"
    "'seats_max':3,'play':'table','confirm_minutes':15}";

FIXTURE(begin)
{
    now_ms = 1000;
    tournament_init(&event);
    begin_as(table_settings, "{'round':1,'deadline':null}");
    return 0;
}

FIXTURE(empty)
{
    now_ms = 1000;
    tournament_init(&event);
    return 0;
}

#define SEATS    "'seats':[[1,1,30],[2,2,20],[3,3,10]]"
#define OTHER    "'seats':[[1,2,20],[2,1,30],[3,3,10]]"
#define PLACES   "'seats':[[1,1],[2,2],[3,2]]"
#define TABLE    "'round':1,'table':1"
#define REPORT   "{" TABLE "," SEATS "}"
#define DIFFERS  "{" TABLE "," OTHER "}"
#define ON_TABLE "{" TABLE "}"

static const struct tournament_table *table(void)
{
    return tournament_table(&event, 1, 1);
}

static const struct tournament_report *report(void)
{
    return tournament_report(&event, table());
}

/* ---- Records of scorers ---- */

#define HEAD  "9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f"
#define HEAD2 "8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e8e"
#define RECORD                                                                                     \
    "{" TABLE "," SEATS ",'record':{'head':'" HEAD "','id':'00000000-0000-7000-8000-0000000000c1'" \
    "}}"
#define RECORD2                                                                                    \
    "{" TABLE "," SEATS ",'record':{'head':'" HEAD2                                                \
    "','id':'00000000-0000-7000-8000-0000000000c2'}}"

static bool is_record(unsigned char byte, const char *id)
{
    return report()->head[0] == byte && report()->head[31] == byte &&
           strcmp(report()->recording, id) == 0;
}

LISTED_TEST(a_report_can_name_its_record)
{
    take('a', "reported", RECORD);
    assert_true(is_record(0x9f, "00000000-0000-7000-8000-0000000000c1"));
    assert_false(tournament_is_recorded(&event, table()));
    take('b', "report_confirmed", ON_TABLE);
    assert_true(tournament_is_recorded(&event, table()));
    take('o', "report_corrected", REPORT);
    assert_true(table()->reported);
    assert_false(tournament_is_recorded(&event, table()));
    assert_string_equal(report()->recording, "");
}

LISTED_TEST(a_second_record_confirms_and_the_first_stays)
{
    take('a', "reported", RECORD);
    take('b', "reported", RECORD2);
    assert_true(tournament_is_recorded(&event, table()));
    assert_true(is_record(0x9f, "00000000-0000-7000-8000-0000000000c1"));
}

LISTED_TEST(a_record_confirms_a_report_and_is_its_record)
{
    take('a', "reported", REPORT);
    take('b', "reported", RECORD2);
    assert_true(tournament_is_recorded(&event, table()));
    assert_true(is_record(0x8e, "00000000-0000-7000-8000-0000000000c2"));
}

LISTED_TEST(a_report_that_is_changed_loses_its_record)
{
    take('a', "reported", RECORD);
    take('a', "reported", DIFFERS);
    assert_string_equal(report()->recording, "");
}

LISTED_TEST(a_record_needs_id_head_and_scores)
{
    refused('a', "reported", "{" TABLE "," SEATS ",'record':{}}", TOURNAMENT_REFUSAL_LINE);
    refused('a', "reported", "{" TABLE "," SEATS ",'record':{'head':'9f','id':<a>}}",
            TOURNAMENT_REFUSAL_LINE);
    refused('a', "reported", "{" TABLE "," SEATS ",'record':{'head':'" HEAD "','id':'a'}}",
            TOURNAMENT_REFUSAL_LINE);
    refused('a', "reported", "{" TABLE "," SEATS ",'record':{'head':'" HEAD "','id':<a>,'x':1}}",
            TOURNAMENT_REFUSAL_LINE);
    refused('a', "reported", "{" TABLE "," PLACES ",'record':{'head':'" HEAD "','id':<a>}}",
            TOURNAMENT_REFUSAL_LINE);
    refused('o', "report_corrected", RECORD, TOURNAMENT_REFUSAL_LINE);
}

/* ---- Settings ---- */

LISTED_TEST(tables_are_a_setting_of_stages)
{
    create(table_settings);
    assert_true(event.settings.stage[0].at_table);
    assert_int_equal(event.settings.confirm_minutes, 15);
    json_t *stage = json_array_get(json_object_get(event.settings_document, "stages"), 0);
    assert_string_equal(json_string_value(json_object_get(stage, "play")), "table");
}

LISTED_TEST(defaults_are_not_written)
{
    create("{'name':'Cup','ruleset':'shinjuku','format':'pod_swiss','rounds':3,'play':'online',"
           "'confirm_minutes':10}");
    json_t *stage = json_array_get(json_object_get(event.settings_document, "stages"), 0);
    assert_null(json_object_get(stage, "play"));
    assert_null(json_object_get(event.settings_document, "confirm_minutes"));
    assert_int_equal(event.settings.confirm_minutes, SETTINGS_CONFIRM_MINUTES);
}

static void settings_refused(const char *written, const char *field)
{
    struct tournament_settings read;
    struct settings_fault fault;
    json_t *document = detail_of(written);
    assert_false(settings_read(document, true, &read, &fault));
    assert_string_equal(fault.field, field);
    json_decref(document);
}

LISTED_TEST(settings_have_limits)
{
    settings_refused("{'name':'Cup','ruleset':'shinjuku','format':'duplicate','boards':4,"
                     "'play':'table'}",
                     "play");
    settings_refused("{'name':'Cup','ruleset':'shinjuku','format':'pod_swiss','rounds':3,"
                     "'play':'asynchronous'}",
                     "play");
    settings_refused("{'name':'Cup','ruleset':'shinjuku','format':'pod_swiss','rounds':3,"
                     "'confirm_minutes':10081}",
                     "confirm_minutes");
}

LISTED_TEST(where_to_play_may_change)
{
    struct tournament_settings changed;
    struct settings_fault fault;
    json_t *online = detail_of("{'play':'online'}");
    assert_true(settings_change(&event.settings, online, 1, 1, &changed, &fault));
    assert_false(changed.stage[0].at_table);
    json_decref(online);
}

/* ---- Counting ---- */

LISTED_TEST(a_report_waits)
{
    take('b', "reported", REPORT);
    assert_false(table()->has_result);
    assert_false(table()->reported);
    assert_int_equal(report()->by, 1);
    assert_true(tournament_is_running(&event));
    assert_int_equal(tournament_report_due_ms(&event, table()), now_ms + 15 * MINUTE_MS);
    assert_int_equal(tournament_due_ms(&event), now_ms + 15 * MINUTE_MS);
    refused('b', "report_confirmed", ON_TABLE, TOURNAMENT_REFUSAL_OWN);
    refused('b', "report_objected", ON_TABLE, TOURNAMENT_REFUSAL_OWN);
}

static void expect_counted(uint8_t by)
{
    assert_true(table()->has_result);
    assert_true(table()->reported);
    assert_false(table()->played);
    assert_string_equal(table()->game, "");
    assert_int_equal(report()->counted_by, by);
    assert_int_equal(event.rounds[0].decided, 1);
    assert_int_equal(tournament_report_due_ms(&event, table()), 0);
    assert_int_equal(event.contested, 0);
}

LISTED_TEST(a_second_seat_confirms)
{
    take('b', "reported", REPORT);
    take('c', "report_confirmed", ON_TABLE);
    expect_counted(2);
    assert_int_equal(table()->result.seat[1].score, 20);
    assert_int_equal(table()->result.seat[1].rank, 2);
    refused('a', "report_confirmed", ON_TABLE, TOURNAMENT_REFUSAL_REPORTED);
    refused('a', "reported", REPORT, TOURNAMENT_REFUSAL_REPORTED);
}

LISTED_TEST(the_same_report_confirms)
{
    take('b', "reported", REPORT);
    take('a', "reported", REPORT);
    expect_counted(0);
}

LISTED_TEST(the_same_scores_for_other_places_differ)
{
    take('a', "reported", "{" TABLE ",'seats':[[1,1,30],[2,2,30],[3,3,10]]}");
    take('b', "reported", "{" TABLE ",'seats':[[1,2,30],[2,1,30],[3,3,10]]}");
    assert_true(report()->differs);
    assert_false(table()->has_result);
}

LISTED_TEST(an_official_counts_at_once)
{
    take('o', "reported", REPORT);
    expect_counted(REPORT_OFFICIAL);
    refused('o', "reported", DIFFERS, TOURNAMENT_REFUSAL_REPORTED);
}

LISTED_TEST(an_official_confirms)
{
    take('b', "reported", REPORT);
    take('o', "report_confirmed", ON_TABLE);
    expect_counted(REPORT_OFFICIAL);
}

LISTED_TEST(time_confirms)
{
    take('b', "reported", REPORT);
    now_ms += 15 * MINUTE_MS - 1;
    refused(' ', "report_confirmed", ON_TABLE, TOURNAMENT_REFUSAL_LINE);
    now_ms++;
    take(' ', "report_confirmed", ON_TABLE);
    expect_counted(REPORT_TIME);
    refused(' ', "reported", REPORT, TOURNAMENT_REFUSAL_LINE);
}

LISTED_TEST(places_alone)
{
    take('b', "reported", "{" TABLE "," PLACES "}");
    take('c', "report_confirmed", ON_TABLE);
    assert_false(report()->scored);
    assert_int_equal(table()->result.seat[2].rank, 2);
    assert_int_equal(table()->result.seat[2].score, 0);
}

LISTED_TEST(a_reporter_may_report_again)
{
    take('b', "reported", REPORT);
    now_ms += MINUTE_MS;
    take('b', "reported", DIFFERS);
    assert_int_equal(tournament_due_ms(&event), now_ms + 15 * MINUTE_MS);
    take('c', "report_confirmed", ON_TABLE);
    assert_int_equal(table()->result.seat[1].rank, 1);
}

/* ---- The arbiter ---- */

LISTED_TEST(two_reports_call_the_arbiter)
{
    take('a', "reported", REPORT);
    take('b', "reported", DIFFERS);
    assert_int_equal(event.contested, 1);
    assert_int_equal(report()->against, 1);
    assert_true(report()->differs);
    assert_int_equal(report()->other.seat[1].rank, 1);
    assert_int_equal(tournament_due_ms(&event), 0);
    now_ms += 60 * MINUTE_MS;
    refused(' ', "report_confirmed", ON_TABLE, TOURNAMENT_REFUSAL_LINE);
    refused('c', "reported", REPORT, TOURNAMENT_REFUSAL_CALLED);
    refused('c', "report_confirmed", ON_TABLE, TOURNAMENT_REFUSAL_CALLED);
    refused('c', "report_objected", ON_TABLE, TOURNAMENT_REFUSAL_CALLED);
    take('o', "report_corrected",
         "{" TABLE ",'seats':[[1,1,30],[2,1,30],[3,3,10]],'reason':'Counted again.'}");
    expect_counted(REPORT_OFFICIAL);
    assert_true(report()->corrected);
    assert_int_equal(table()->result.seat[1].rank, 1);
    refused('c', "report_objected", ON_TABLE, TOURNAMENT_REFUSAL_CALLED);
}

LISTED_TEST(the_two_may_agree)
{
    take('a', "reported", REPORT);
    take('b', "reported", DIFFERS);
    take('a', "reported", DIFFERS);
    expect_counted(0);
    assert_int_equal(table()->result.seat[1].rank, 1);
}

LISTED_TEST(an_objection_calls_the_arbiter)
{
    take('a', "reported", REPORT);
    take('c', "report_objected", "{" TABLE ",'reason':'I had 15.'}");
    assert_int_equal(event.contested, 1);
    assert_int_equal(tournament_due_ms(&event), 0);
    take('c', "report_confirmed", ON_TABLE); /* takes the objection back */
    expect_counted(2);
}

LISTED_TEST(a_result_that_counts_may_be_objected_to)
{
    take('o', "reported", REPORT);
    take('o', "reported", "{'round':1,'table':2,'seats':[[4,1,3],[5,2,2],[6,3,1]]}");
    assert_false(tournament_is_running(&event));
    take('b', "report_objected", ON_TABLE);
    assert_true(table()->has_result);
    assert_true(tournament_is_running(&event));
    refused('o', "closed", "{}", TOURNAMENT_REFUSAL_ROUND);
    refused('o', "round_drawn",
            "{'round':2,'stage':1,'attempt':1,'tables':[[1,2,3],[4,5,6]],'byes':[],'quality':{}}",
            TOURNAMENT_REFUSAL_ROUND);
    take('o', "report_confirmed", ON_TABLE);
    assert_false(tournament_is_running(&event));
    refused('b', "report_objected", ON_TABLE, TOURNAMENT_REFUSAL_CALLED);
    take('o', "closed", "{}");
    refused('o', "report_corrected", DIFFERS, TOURNAMENT_REFUSAL_PHASE);
    refused('a', "report_objected", ON_TABLE, TOURNAMENT_REFUSAL_PHASE);
}

/* ---- Rulings ---- */

LISTED_TEST(a_ruling_stands_over_a_report)
{
    take('a', "reported", REPORT);
    take('b', "report_objected", ON_TABLE);
    take('o', "ruled",
         "{" TABLE ",'seats':[[1,1,0,'forfeit_win'],[2,2,0,'forfeit_loss'],"
         "[3,2,0,'forfeit_loss']],'reason':'Left.'}");
    assert_int_equal(event.contested, 0);
    assert_int_equal(tournament_due_ms(&event), 0);
    refused('a', "reported", REPORT, TOURNAMENT_REFUSAL_PHASE);
    take('o', "ruling_revoked", "{" TABLE "}");
    assert_false(table()->has_result);
    take('b', "report_confirmed", ON_TABLE);
    take('o', "ruled",
         "{" TABLE ",'seats':[[1,1,0,'forfeit_win'],[2,2,0,'forfeit_loss'],"
         "[3,2,0,'forfeit_loss']],'reason':'Left.'}");
    take('o', "ruling_revoked", "{" TABLE "}");
    assert_true(table()->has_result);
    assert_int_equal(table()->result.seat[0].score, 30);
}

LISTED_TEST(a_table_that_is_replayed_has_no_report)
{
    take('a', "reported", REPORT);
    take('b', "report_objected", ON_TABLE);
    take('o', "table_replayed", "{" TABLE ",'reason':'A card was missing.'}");
    assert_null(report());
    assert_int_equal(event.contested, 0);
    assert_int_equal(tournament_due_ms(&event), 0);
    take('a', "reported", REPORT);
    take('b', "report_confirmed", ON_TABLE);
    expect_counted(1);
}

/* ---- What is refused ---- */

LISTED_TEST(reports_must_fit)
{
    refused('a', "report_confirmed", ON_TABLE, TOURNAMENT_REFUSAL_REPORT);
    refused('a', "report_objected", ON_TABLE, TOURNAMENT_REFUSAL_REPORT);
    refused('o', "report_corrected", REPORT, TOURNAMENT_REFUSAL_REPORT);
    refused('a', "reported", "{" TABLE ",'seats':[[1,1,30],[2,2,20]]}", TOURNAMENT_REFUSAL_TABLE);
    refused('a', "reported", "{" TABLE ",'seats':[[1,1,30],[2,2,20],[3,3]]}",
            TOURNAMENT_REFUSAL_TABLE);
    refused('a', "reported", "{" TABLE ",'seats':[[1,1,30],[2,1,20],[3,2,10]]}",
            TOURNAMENT_REFUSAL_LINE);
    refused('a', "reported", "{" TABLE ",'seats':[[1,2,30],[2,1,20],[3,3,10]]}",
            TOURNAMENT_REFUSAL_LINE);
    refused('a', "reported", "{'round':2,'table':1," SEATS "}", TOURNAMENT_REFUSAL_TABLE);
    refused('a', "reported", "{'round':1,'table':3," SEATS "}", TOURNAMENT_REFUSAL_TABLE);
    refused('a', "result", "{" TABLE ",'game':'00000000-0000-7000-8000-000000000001'," SEATS "}",
            TOURNAMENT_REFUSAL_PHASE);
    take('a', "reported", REPORT);
    refused('o', "report_objected", ON_TABLE, TOURNAMENT_REFUSAL_TABLE);
    refused('c', "report_corrected", DIFFERS, TOURNAMENT_REFUSAL_TABLE);
    refused('c', "report_objected", "{" TABLE ",'reason':5}", TOURNAMENT_REFUSAL_LINE);
}

LISTED_TEST(a_round_may_be_played_elsewhere_than_its_stage)
{
    begin_as("{'name':'Mixed','ruleset':'shinjuku','format':'pod_swiss','rounds':3,'seats_min':3,"
             "'seats_max':3}",
             "{'round':1,'deadline':null,'play':'table'}");
    assert_true(table()->at_table);
    take('o', "reported", REPORT);
    take('o', "reported", "{'round':1,'table':2,'seats':[[4,1,3],[5,2,2],[6,3,1]]}");
    take('o', "round_drawn",
         "{'round':2,'stage':1,'attempt':1,'tables':[[1,2,3],[4,5,6]],'byes':[],'quality':{}}");
    refused('o', "round_started", "{'round':2,'deadline':null,'play':'here'}",
            TOURNAMENT_REFUSAL_LINE);
    take('o', "round_started", "{'round':2,'deadline':null}");
    assert_false(tournament_table(&event, 2, 1)->at_table);
    refused('a', "reported", "{'round':2,'table':1," SEATS "}", TOURNAMENT_REFUSAL_ONLINE);
}

LISTED_TEST(a_ladder_takes_reports)
{
    create("{'name':'Ladder','ruleset':'shinjuku','format':'ladder','play':'table'}");
    take('o', "entries_opened", "{}");
    take('a', "entered", "{'player':<a>}");
    take('b', "entered", "{'player':<b>}");
    take('o', "entries_closed", "{'numbers':[<a>,<b>]}");
    take('b', "challenged", "{'players':[<b>,<a>]}");
    take('a', "table_started", "{'round':0,'table':1,'numbers':[1,2]}");
    take('b', "reported", "{'round':0,'table':1,'seats':[[1,2],[2,1]]}");
    assert_int_equal(event.open_undecided, 1);
    take('a', "report_confirmed", "{'round':0,'table':1}");
    assert_int_equal(event.open_undecided, 0);
    assert_true(event.challenges[0].over);
}

LISTED_TEST(a_bot_reports_by_its_owner)
{
    assert_int_equal(tournament_seat(&event, table(), id_of('c')), 2);
    assert_int_equal(tournament_seat(&event, table(), id_of('d')), REPORT_OFFICIAL);
    assert_int_equal(tournament_seat(&event, table(), ""), REPORT_OFFICIAL);
    memcpy(event.entrants[0].owner, id_of('z'), TOURNAMENT_ID_BYTES);
    assert_int_equal(tournament_seat(&event, table(), id_of('z')), 0);
}

/* ---- Ratings ---- */

static const char rated_settings[] =
    "{'name':'Evening','ruleset':'shinjuku','format':'pod_swiss','rounds':1,'seats_min':3,"
    "'seats_max':3,'play':'table','confirm_minutes':15,'rate_reported':true}";

static unsigned rated(unsigned table)
{
    return tournament_rated_seats(&event, tournament_table(&event, 1, table));
}

FIXTURE(begin_rated)
{
    now_ms = 1000;
    tournament_init(&event);
    begin_as(rated_settings, "{'round':1,'deadline':null}");
    return 0;
}

#define REPORT2 "{'round':1,'table':2,'seats':[[4,1],[5,2],[6,3]]}"

LISTED_TEST(results_are_rated_once_the_event_is_closed)
{
    assert_true(event.settings.rate_reported);
    take('a', "reported", REPORT);
    take('b', "report_confirmed", ON_TABLE);
    take('o', "reported", REPORT2);
    assert_int_equal(rated(1) + rated(2), 0);
    take('o', "closed", "{}");
    assert_int_equal(rated(1), 7);
    assert_int_equal(rated(2), 7);
}

LISTED_TEST(results_that_count_by_time_alone_are_not_rated)
{
    take('a', "reported", REPORT);
    take('d', "reported", REPORT2);
    now_ms += 15LL * MINUTE_MS;
    take(' ', "report_confirmed", ON_TABLE);
    take(' ', "report_confirmed", "{'round':1,'table':2}");
    take('o', "report_corrected", REPORT2); /* as it was, but now an official says so */
    take('o', "closed", "{}");
    assert_int_equal(rated(1), 0);
    assert_int_equal(rated(2), 7);
}

LISTED_TEST(players_without_an_account_are_left_out)
{
    take('o', "reported", REPORT);
    take('o', "reported", REPORT2);
    refused('o', "closed", "{'unrated':[]}", TOURNAMENT_REFUSAL_LINE);
    refused('o', "closed", "{'unrated':[<e>,<b>]}", TOURNAMENT_REFUSAL_LINE);
    refused('o', "closed", "{'unrated':[<b>,<b>]}", TOURNAMENT_REFUSAL_LINE);
    refused('o', "closed", "{'unrated':[<z>]}", TOURNAMENT_REFUSAL_LINE);
    refused('o', "closed", "{'unrated':['b']}", TOURNAMENT_REFUSAL_LINE);
    for (size_t i = 0; i < event.entrant_count; i++)
        assert_false(event.entrants[i].unrated);
    take('o', "closed", "{'unrated':[<b>,<e>,<f>]}");
    assert_int_equal(rated(1), 5);
    assert_int_equal(rated(2), 0); /* one is left */
}

LISTED_TEST(a_ruling_after_the_end_is_what_is_rated)
{
    take('a', "reported", REPORT);
    take('o', "reported", REPORT2);
    now_ms += 15LL * MINUTE_MS;
    take(' ', "report_confirmed", ON_TABLE);
    take('o', "closed", "{}");
    assert_int_equal(rated(1), 0);
    take('o', "ruled",
         "{" TABLE
         ",'seats':[[1,2,20,'adjudicated'],[2,1,30,'adjudicated'],[3,3,10,'adjudicated']],"
         "'reason':'Counted again.'}");
    assert_int_equal(rated(1), 7);
    take('o', "ruled",
         "{'round':1,'table':2,'seats':[[4,1,0,'forfeit_win'],[5,1,0,'forfeit_win'],"
         "[6,3,0,'forfeit_loss']],'reason':'Left early.'}");
    assert_int_equal(rated(2), 0);
    take('o', "ruling_revoked", "{'round':1,'table':2,'reason':'Came back.'}");
    assert_int_equal(rated(2), 7);
}

LISTED_TEST(without_the_setting_nothing_is_rated)
{
    take('o', "reported", REPORT);
    take('o', "reported", REPORT2);
    assert_null(json_object_get(event.settings_document, "rate_reported"));
    refused('o', "closed", "{'unrated':[<b>]}", TOURNAMENT_REFUSAL_LINE);
    take('o', "closed", "{}");
    assert_int_equal(rated(1), 0);
}

LISTED_TEST(whether_results_are_rated_cannot_change_later)
{
    struct tournament_settings changed;
    struct settings_fault fault;
    json_t *no = detail_of("{'rate_reported':false}");
    assert_true(settings_change(&event.settings, no, 0, 0, &changed, &fault));
    assert_false(settings_change(&event.settings, no, 1, 1, &changed, &fault));
    assert_string_equal(fault.field, "rate_reported");
    json_decref(no);
    settings_refused("{'name':'Cup','ruleset':'shinjuku','format':'pod_swiss','rounds':3,"
                     "'rate_reported':1}",
                     "rate_reported");
}

#define AT(test)     cmocka_unit_test_setup_teardown(test, begin, clear)
#define RATED(test)  cmocka_unit_test_setup_teardown(test, begin_rated, clear)
#define BEFORE(test) cmocka_unit_test_setup_teardown(test, empty, clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT(a_report_can_name_its_record),
        AT(a_second_record_confirms_and_the_first_stays),
        AT(a_record_confirms_a_report_and_is_its_record),
        AT(a_report_that_is_changed_loses_its_record),
        AT(a_record_needs_id_head_and_scores),
        BEFORE(tables_are_a_setting_of_stages),
        BEFORE(defaults_are_not_written),
        BEFORE(settings_have_limits),
        AT(where_to_play_may_change),
        AT(a_report_waits),
        AT(a_second_seat_confirms),
        AT(the_same_report_confirms),
        AT(the_same_scores_for_other_places_differ),
        AT(an_official_counts_at_once),
        AT(an_official_confirms),
        AT(time_confirms),
        AT(places_alone),
        AT(a_reporter_may_report_again),
        AT(two_reports_call_the_arbiter),
        AT(the_two_may_agree),
        AT(an_objection_calls_the_arbiter),
        AT(a_result_that_counts_may_be_objected_to),
        AT(a_ruling_stands_over_a_report),
        AT(a_table_that_is_replayed_has_no_report),
        AT(reports_must_fit),
        BEFORE(a_round_may_be_played_elsewhere_than_its_stage),
        BEFORE(a_ladder_takes_reports),
        AT(a_bot_reports_by_its_owner),
        RATED(results_are_rated_once_the_event_is_closed),
        RATED(results_that_count_by_time_alone_are_not_rated),
        RATED(players_without_an_account_are_left_out),
        RATED(a_ruling_after_the_end_is_what_is_rated),
        AT(without_the_setting_nothing_is_rated),
        RATED(whether_results_are_rated_cannot_change_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
