/* Events in the forms of other programs. What they are read back by stands in tests/api too. */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/interchange/exchange.h"
#include "engine/tournament/interchange/trf.h"
#include "tests/engine/support/told_event.h"
#include "tests/test.h"

enum { TEXT_MOST = 1 << 16, PLAYERS_MOST = 64, ALIGNED = 1 << 18 };

static const char id[] = "00000000-0000-7000-8000-00000000eeee";
static const struct chance test_chance = {.seed = {1, 2, 3}};
static struct tournament event;
static const char *names[PLAYERS_MOST];
static char written[TEXT_MOST];
static struct text text;

FIXTURE(begin)
{
    tournament_init(&event);
    for (size_t i = 0; i < PLAYERS_MOST; i++)
        names[i] = "Somebody";
    text = TEXT_OVER(written);
    return 0;
}

FIXTURE(end)
{
    tournament_free(&event);
    return 0;
}

static struct exchange exchange_of(void)
{
    return (struct exchange){.id = id, .tournament = &event, .names = names};
}

static struct ranking place(void)
{
    struct ranking ranking;
    struct refusal refusal = {"", ""};
    if (!ranking_make(&event, &test_chance, event.rounds_started, &ranking, &refusal))
        fail_msg("%s: %s", refusal.code, refusal.message);
    return ranking;
}

/* ---- Tables ---- */

static void play_pods(void)
{
    tell_entries(&event,
                 "{'name':'Cup, the; first','ruleset':'shinjuku','format':'pod_swiss','rounds':2,"
                 "'seats_min':3,'seats_max':3,'tie_breaks':['PTS','LAST','TPN']}",
                 4);
    tell_stage(&event, "");
    tell_round(&event, "3 1 2", "", "[[4,'half_bye']]");
    tell_result(&event, 1, 1, "1 1 3");
}

LISTED_TEST(standings_are_a_table)
{
    play_pods();
    names[0] = "=SUM(A1)";
    names[1] = "Comma, \"quoted\"";
    names[2] = "@home";
    const struct exchange exchange = exchange_of();
    struct ranking ranking = place();
    assert_true(exchange_standings_csv(&exchange, &ranking, 0, 1, &text));
    /* Two share 5 and 2; the half bye is worth 1, the third place too. */
    assert_string_equal(
        written,
        "stage,division,place,shared_by,number,player_id,player,points,points_60ths,went_on,"
        "annulled,played,adjudicated,forfeit_win,forfeit_loss,pairing_bye,full_bye,half_bye,"
        "zero_bye,absent,void,forfeited,substituted,reported,recorded,PTS,PTS_numerator,"
        "PTS_denominator,LAST,LAST_numerator,LAST_denominator,TPN,TPN_numerator,TPN_denominator\r\n"
        "1,0,1,1,1,00000000-0000-7000-8000-000000000001,'=SUM(A1),3.5,210,no,no,"
        "1,0,0,0,0,0,0,0,0,0,0,0,0,0,3.5,210,60,-9,-9,1,-1,-1,1\r\n"
        "1,0,2,1,3,00000000-0000-7000-8000-000000000003,'@home,3.5,210,no,no,"
        "1,0,0,0,0,0,0,0,0,0,0,0,0,0,3.5,210,60,-9,-9,1,-3,-3,1\r\n"
        "1,0,3,1,2,00000000-0000-7000-8000-000000000002,\"Comma, \"\"quoted\"\"\",1,60,no,no,"
        "1,0,0,0,0,0,0,0,0,0,0,0,0,0,1,60,60,-11,-11,1,-2,-2,1\r\n"
        "1,0,4,1,4,00000000-0000-7000-8000-000000000004,Somebody,1,60,no,no,"
        "0,0,0,0,0,0,1,0,0,0,0,0,0,0,1,60,60,-524288,-524288,1,-4,-4,1\r\n");
    text_clear(&text);
    assert_true(exchange_standings_csv(&exchange, &ranking, 1, 1, &text));
    assert_string_equal(written, "");
    ranking_free(&ranking);
}

LISTED_TEST(a_third_has_six_places)
{
    tell_entries(&event,
                 "{'name':'Cup','ruleset':'shinjuku','format':'pod_swiss','rounds':2,'seats_min':3,"
                 "'seats_max':3,'tie_breaks':['PTS']}",
                 3);
    tell_stage(&event, "");
    tell_round(&event, "1 2 3", "", "");
    tell_result(&event, 1, 1, "1 1 1");
    const struct exchange exchange = exchange_of();
    exchange_results_csv(&exchange, &text);
    assert_non_null(strstr(written, ",played,1,30,2.666666,160,no,"));
}

LISTED_TEST(pairings_have_a_line_for_each)
{
    play_pods();
    const struct exchange exchange = exchange_of();
    exchange_pairings_csv(&exchange, 1, &text);
    assert_string_equal(written,
                        "round,table,board,seat,number,player_id,player,kind\r\n"
                        "1,1,0,1,3,00000000-0000-7000-8000-000000000003,Somebody,seat\r\n"
                        "1,1,0,2,1,00000000-0000-7000-8000-000000000001,Somebody,seat\r\n"
                        "1,1,0,3,2,00000000-0000-7000-8000-000000000002,Somebody,seat\r\n"
                        "1,0,0,0,4,00000000-0000-7000-8000-000000000004,Somebody,half_bye\r\n");
    text_clear(&text);
    tell(&event, "round_drawn",
         "{'round':2,'stage':1,'attempt':1,'tables':[[1,2,3]],'byes':[4],'quality':{}}");
    exchange_pairings_csv(&exchange, 2, &text); /* a draft is nobody's business */
    assert_string_equal(written, "round,table,board,seat,number,player_id,player,kind\r\n");
}

LISTED_TEST(results_have_a_line_for_each_seat)
{
    play_pods();
    tell_ruling(&event, 1, 1, "1a 2a 3-");
    const struct exchange exchange = exchange_of();
    exchange_results_csv(&exchange, &text);
    assert_string_equal(
        written, "round,table,board,seat,number,player_id,player,kind,rank,score,points,"
                 "points_60ths,ruled,forfeited,substituted,game_id,reported,recorded\r\n"
                 "1,1,0,1,3,00000000-0000-7000-8000-000000000003,Somebody,adjudicated,1,30,5,300,"
                 "yes,no,no,00000000-0000-7000-8000-000000009001,no,no\r\n"
                 "1,1,0,2,1,00000000-0000-7000-8000-000000000001,Somebody,adjudicated,2,20,2,120,"
                 "yes,no,no,00000000-0000-7000-8000-000000009001,no,no\r\n"
                 "1,1,0,3,2,00000000-0000-7000-8000-000000000002,Somebody,forfeit_loss,3,10,0,0,"
                 "yes,no,no,00000000-0000-7000-8000-000000009001,no,no\r\n"
                 "1,0,0,0,4,00000000-0000-7000-8000-000000000004,Somebody,half_bye,,,1,60,"
                 "no,no,no,,no,no\r\n");
}

/* A void table has neither places nor scores, and is told in a column of its own. */
LISTED_TEST(a_void_table_has_no_places)
{
    play_pods();
    tell_ruling(&event, 1, 1, "1v 1v 1v");
    const struct exchange exchange = exchange_of();
    exchange_results_csv(&exchange, &text);
    assert_non_null(strstr(written, "3,00000000-0000-7000-8000-000000000003,Somebody,void,,,0,0,"
                                    "yes,no,no,"));
    struct ranking ranking = place();
    text_clear(&text);
    assert_true(exchange_standings_csv(&exchange, &ranking, 0, 1, &text));
    assert_non_null(strstr(written, ",Somebody,0,0,no,no,0,0,0,0,0,0,0,0,0,1,0,0,"));
    ranking_free(&ranking);
}

/* Players who did not come, or were ruled a place alone, have no score. */
LISTED_TEST(scores_are_told_where_there_are_any)
{
    tell_entries(&event,
                 "{'name':'Cup','ruleset':'shinjuku','format':'pod_swiss','rounds':2,'seats_min':3,"
                 "'seats_max':3,'tie_breaks':['PTS']}",
                 3);
    tell_stage(&event, "");
    tell_round(&event, "1 2 3", "", "");
    tell(&event, "ruled",
         "{'round':1,'table':1,'seats':[[1,1,0,'adjudicated'],[2,2,0,'adjudicated'],"
         "[3,3,0,'forfeit_loss']],'reason':'Told by phone.'}");
    const struct exchange exchange = exchange_of();
    exchange_results_csv(&exchange, &text);
    assert_non_null(strstr(written, ",adjudicated,1,,5,300,"));
    assert_non_null(strstr(written, ",adjudicated,2,,2,120,"));
    assert_non_null(strstr(written, ",forfeit_loss,3,,0,0,"));
}

/* The marks of players who forfeited a game or were replaced. */
LISTED_TEST(marks_are_told)
{
    tell_entries(&event,
                 "{'name':'Cup','ruleset':'shinjuku','format':'pod_swiss','rounds':2,'seats_min':3,"
                 "'seats_max':3,'tie_breaks':['PTS']}",
                 3);
    tell_stage(&event, "");
    tell_round(&event, "1 2 3", "", "");
    tell(&event, "result",
         "{'round':1,'table':1,'game':'00000000-0000-7000-8000-000000009001',"
         "'seats':[[1,1,30],[2,2,20],[3,3,10]],'forfeited':[3],'substituted':[1,3]}");
    const struct exchange exchange = exchange_of();
    exchange_results_csv(&exchange, &text);
    assert_non_null(strstr(written, ",played,1,30,5,300,no,no,yes,"));
    assert_non_null(strstr(written, ",played,2,20,2,120,no,no,no,"));
    assert_non_null(strstr(written, ",played,3,10,1,60,no,yes,yes,"));
    struct ranking ranking = place();
    text_clear(&text);
    assert_true(exchange_standings_csv(&exchange, &ranking, 0, 1, &text));
    assert_non_null(strstr(written, ",5,300,no,no,1,0,0,0,0,0,0,0,0,0,0,1,"));
    assert_non_null(strstr(written, ",2,120,no,no,1,0,0,0,0,0,0,0,0,0,0,0,"));
    assert_non_null(strstr(written, ",1,60,no,no,1,0,0,0,0,0,0,0,0,0,1,1,"));
    ranking_free(&ranking);
}

LISTED_TEST(a_small_buffer_is_said_to_be_one)
{
    char small[40];
    struct text over = TEXT_OVER(small);
    play_pods();
    const struct exchange exchange = exchange_of();
    exchange_results_csv(&exchange, &over);
    assert_true(over.overflow);
    over = TEXT_OVER(small);
    exchange_calendar(&exchange, &over);
    assert_true(over.overflow);
}

/* ---- Time and calendar ---- */

LISTED_TEST(rounds_are_in_the_calendar)
{
    tell_entries(&event,
                 "{'name':'Cup, the; \\\\ first of all those that were ever held in the \xc3\x9c"
                 "bung hall by the sea','ruleset':'shinjuku','format':'dutch','rounds':2}",
                 2);
    tell_stage(&event, "");
    tell(&event, "round_drawn",
         "{'round':1,'stage':1,'attempt':1,'tables':[[1,2]],'byes':[],'quality':{}}");
    tell(&event, "round_started", "{'round':1,'deadline':90061000}");
    const struct exchange exchange = exchange_of();
    exchange_calendar(&exchange, &text);
    assert_string_equal(
        written,
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Tillroll//Rounds//EN\r\n"
        "X-WR-CALNAME:Cup\\, the\\; \\\\ first of all those that were ever held in the \r\n"
        " \xc3\x9c" /* 74 bytes stand in the line, and this would be two more */
        "bung hall by the sea\r\n"
        "BEGIN:VEVENT\r\nUID:00000000-0000-7000-8000-00000000eeee-round-1@tillroll\r\n"
        "DTSTAMP:19700101T000008Z\r\nDTSTART:19700101T000008Z\r\nDTEND:19700102T010101Z\r\n"
        "SUMMARY:Cup\\, the\\; \\\\ first of all those that were ever held in the \xc3\x9c"
        "bung\r\n  hall by the sea\\, round 1\r\n"
        "DESCRIPTION:1 table\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n");
}

LISTED_TEST(an_announced_event_is_in_the_calendar_until_its_first_round)
{
    tell_entries(&event,
                 "{'name':'Cup','ruleset':'shinjuku','format':'dutch','rounds':2,"
                 "'place':'The inn, upstairs','starts_at':'2026-12-05T18:00:00.000Z'}",
                 2);
    struct exchange exchange = exchange_of();
    exchange.site = "https://club.example";
    exchange_calendar(&exchange, &text);
    const char *last = strstr(written, "DTSTAMP:1970");
    assert_non_null(last);
    assert_string_equal(strchr(last, '\n') + 1,
                        "DTSTART:20261205T180000Z\r\nSUMMARY:Cup\r\n"
                        "LOCATION:The inn\\, upstairs\r\nURL:https://club.example/events/"
                        "00000000-0000-7000-8000-00000000eeee\r\n"
                        "END:VEVENT\r\nEND:VCALENDAR\r\n");
    assert_non_null(strstr(written, "\r\nUID:00000000-0000-7000-8000-00000000eeee@tillroll\r\n"));
    tell_stage(&event, "");
    tell(&event, "round_drawn",
         "{'round':1,'stage':1,'attempt':1,'tables':[[1,2]],'byes':[],'quality':{}}");
    tell(&event, "round_started", "{'round':1,'deadline':90061000}");
    text_clear(&text);
    exchange_calendar(&exchange, &text);
    assert_null(strstr(written, "DTSTART:2026"));
    assert_non_null(strstr(written, "SUMMARY:Cup\\, round 1\r\nLOCATION:The inn\\, upstairs\r\n"
                                    "URL:https://club.example/events/"
                                    "00000000-0000-7000-8000-00000000eeee/rounds\r\n /1\r\n"));
}

LISTED_TEST(a_cancelled_event_is_in_the_calendar_as_such)
{
    tell_entries(&event,
                 "{'name':'Cup','ruleset':'shinjuku','format':'dutch','rounds':2,"
                 "'starts_at':'2026-12-05T18:00:00.000Z'}",
                 2);
    const struct exchange exchange = exchange_of();
    exchange_calendar(&exchange, &text);
    assert_null(strstr(written, "STATUS:"));
    tell(&event, "cancelled", "{'reason':'Nobody came.'}");
    text_clear(&text);
    exchange_calendar(&exchange, &text);
    assert_non_null(strstr(written, "STATUS:CANCELLED\r\nSUMMARY:Cup\r\nEND:VEVENT\r\n"));
}

/* ---- News ---- */

static json_t *item_of(const char *kind, const char *detail)
{
    const struct exchange exchange = exchange_of();
    json_t *read = json_loads(detail, 0, NULL);
    assert_non_null(read);
    const struct tournament_line line = {
        .number = 9, .at_ms = 1500, .actor = "", .kind = kind, .detail = read};
    json_t *item = exchange_feed_item(&exchange, &line);
    json_decref(read);
    return item;
}

static void expect_item(const char *kind, const char *detail, const char *title,
                        const char *content)
{
    json_t *item = item_of(kind, detail);
    assert_string_equal(json_string_value(json_object_get(item, "title")), title);
    assert_string_equal(json_string_value(json_object_get(item, "content_text")), content);
    assert_string_equal(json_string_value(json_object_get(item, "id")),
                        "00000000-0000-7000-8000-00000000eeee/9");
    assert_string_equal(json_string_value(json_object_get(item, "date_published")),
                        "1970-01-01T00:00:01.500Z");
    json_decref(item);
}

LISTED_TEST(lines_are_news)
{
    play_pods();
    names[2] = "Ada";
    expect_item("entries_opened", "{}", "Entries are open", "");
    expect_item("entries_closed", "{\"numbers\":[\"a\",\"b\"]}", "Entries are closed", "2 players");
    expect_item("stage_started", "{\"stage\":2,\"entries\":[1]}", "Stage 2 begins", "1 player");
    expect_item("round_started", "{\"round\":1,\"deadline\":null}", "Round 1 has started",
                "1 table");
    expect_item("result", "{\"round\":1,\"table\":1,\"seats\":[[1,2,-3],[3,1,40]]}",
                "Round 1, table 1 has ended", "1. Ada (40), 2. Somebody (-3)");
    expect_item("reported", "{\"round\":1,\"table\":1,\"seats\":[[1,2],[3,1]]}",
                "Round 1, table 1: result reported", "1. Ada, 2. Somebody");
    expect_item("report_corrected",
                "{\"round\":1,\"table\":1,\"seats\":[[3,1,40],[1,2,38]],\"reason\":\"Typing\"}",
                "Round 1, table 1: result corrected", "1. Ada (40), 2. Somebody (38). Typing");
    expect_item(
        "ruled",
        "{\"round\":0,\"table\":7,\"seats\":[[3,1,40,\"adjudicated\"]],\"reason\":\"Late\"}",
        "Game 7: ruling", "1. Ada (40). Late");
    expect_item("table_replayed", "{\"round\":1,\"table\":1,\"reason\":\"Wrong cards\"}",
                "Round 1, table 1 is being replayed", "Wrong cards");
    expect_item("ruling_revoked", "{\"round\":1,\"table\":1,\"reason\":\"Not late\"}",
                "Round 1, table 1: ruling revoked", "Not late");
    expect_item("closed", "{}", "The event is over: standings are final", "");
    assert_null(item_of("queued", "{\"player\":\"x\"}"));
}

/* ---- Report files ---- */

static char memory[ALIGNED] __attribute__((aligned(16)));

static struct trf_event read_back(void)
{
    size_t size;
    struct trf_event read;
    struct trf_error error;
    if (!trf_measure(text_span(&text), &size, &error))
        fail_msg("line %zu: %s\n%s", error.line, error.refusal.message, written);
    assert_true(size <= sizeof memory);
    if (!trf_read(text_span(&text), memory, &read, &error))
        fail_msg("line %zu: %s\n%s", error.line, error.refusal.message, written);
    return read;
}

static void write_trf(enum trf_version version)
{
    struct refusal refusal = {"", ""};
    struct ranking ranking = place();
    const struct exchange exchange = exchange_of();
    text = TEXT_OVER(written);
    if (!exchange_trf(&exchange, &ranking, version, &text, &refusal))
        fail_msg("%s: %s", refusal.code, refusal.message);
    assert_false(text.overflow);
    ranking_free(&ranking);
}

static void expect_refused(const char *code)
{
    struct refusal refusal = {"", ""};
    struct ranking ranking = place();
    const struct exchange exchange = exchange_of();
    assert_false(exchange_trf(&exchange, &ranking, TRF_26, &text, &refusal));
    assert_string_equal(refusal.code, code);
    ranking_free(&ranking);
}

/* Rounds that the service draws, read from the file and paired once more. */
LISTED_TEST(a_swiss_can_be_paired_from_its_report)
{
    static const char *const ranks[] = {"1 2", "1 1", "2 1", "1 2"};
    struct trf_pair again[PLAYERS_MOST], given[PLAYERS_MOST];
    tell_entries(&event,
                 "{'name':'Swiss','ruleset':'shinjuku','format':'dutch','rounds':6,"
                 "'late_entries':3}",
                 13);
    for (unsigned round = 1; round <= 5; round++) {
        if (round == 2)
            tell(&event, "entered", "{'player':<14>,'rating':null,'late':true}");
        if (round == 3)
            tell(&event, "dropped", "{'player':<5>,'after':2}");
        if (round == 4)
            tell(&event, "bye_granted", "{'player':<2>,'round':4,'kind':'half'}");
        tell_draw(&event, &test_chance);
        for (unsigned table = 1; table <= event.rounds[round - 1].table_count; table++) {
            if (round == 3 && table == 2)
                tell_ruling(&event, round, table, "1+ 2-");
            else
                tell_result(&event, round, table, ranks[(table + 3 * round) % 4]);
        }
    }
    for (enum trf_version version = TRF_16; version <= TRF_26; version++) {
        write_trf(version);
        struct trf_event read = read_back();
        struct refusal refusal;
        size_t again_count;
        assert_int_equal(read.player_count, 14);
        assert_int_equal(read.rounds_played, 5);
        assert_int_equal(read.rounds_planned, 6);
        for (uint16_t round = 1; round <= 5; round++) {
            size_t given_count = trf_pairs_given(&read, round, given);
            assert_true(trf_pair_again(&read, round, NULL, again, &again_count, &refusal));
            assert_true(trf_pairs_same(again, again_count, given, given_count));
            assert_true(given_count >= 6);
            given[0].white = given[0].black;
            assert_false(trf_pairs_same(again, again_count, given, given_count));
        }
    }
}

LISTED_TEST(points_and_ranks_are_in_the_report)
{
    tell_entries(&event, "{'name':'All','ruleset':'shinjuku','format':'round_robin'}", 3);
    tell_stage(&event, "");
    tell_round(&event, "2 3", "1", "");
    tell_result(&event, 1, 1, "1 2");
    tell_round(&event, "1 2", "3", "");
    names[0] = "Ada";
    write_trf(TRF_26);
    struct trf_event read = read_back();
    assert_int_equal(read.rounds_played, 1); /* round 2 is being played */
    assert_int_equal(read.rounds_planned, 3);
    assert_int_equal(read.players[1].points, 60);
    assert_int_equal(read.players[1].rank, 1);
    assert_int_equal(read.players[0].rating, 1001);
    assert_true(span_is(read.players[0].name, "Ada"));
    assert_true(span_is(trf_record_text(&read, "012"), "All"));
    assert_true(span_is(trf_record_text(&read, "062"), "3"));
    assert_true(span_is(trf_record_text(&read, "042"), "1970/01/01"));
}

/* Byes and forbidden pairs of the rounds to come; what is only avoided is not forbidden. */
LISTED_TEST(what_has_been_announced_is_in_the_report)
{
    static const char *const kinds[] = {"full", "half", "zero"};
    tell_entries(&event,
                 "{'name':'Swiss','ruleset':'shinjuku','format':'pod_swiss','rounds':4,"
                 "'seats_min':2,'seats_max':2,'scoring':'1-half-0'}",
                 8);
    tell_stage(&event, "");
    tell_round(&event, "1 2 / 3 4 / 5 6 / 7 8", "", "");
    tell_results(&event, 1, "1 2 / 1 2 / 1 2 / 1 2");
    for (unsigned i = 0; i < 3; i++)
        tell(&event, "bye_granted", "{'player':<%u>,'round':%u,'kind':'%s'}", i + 1, i + 2,
             kinds[i]);
    tell(&event, "kept_apart", "{'players':[<6>,<8>],'weight':'forbidden'}");
    tell(&event, "kept_apart", "{'players':[<5>,<7>],'weight':100}");
    write_trf(TRF_26);
    struct trf_event read = read_back();
    assert_int_equal(read.bye_count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(read.byes[i].round, i + 2);
        assert_int_equal(read.byes[i].number, i + 1);
        assert_int_equal(read.byes[i].code, "FHZ"[i]);
    }
    assert_int_equal(read.forbidden_count, 1);
    assert_int_equal(read.forbidden[0].first_round, 2);
    assert_int_equal(read.forbidden[0].last_round, 4);
    assert_int_equal(read.forbidden[0].a, 6);
    assert_int_equal(read.forbidden[0].b, 8);
    assert_true(span_is(trf_record_text(&read, "092"), "Individual: other Swiss"));
}

LISTED_TEST(what_does_not_fit_is_refused)
{
    play_pods();
    expect_refused(EXCHANGE_REFUSAL_FORMAT);
    tournament_free(&event);
    tell_entries(&event,
                 "{'name':'Margins','ruleset':'shinjuku','format':'dutch','rounds':2,'scoring':"
                 "'margin'}",
                 4);
    expect_refused(EXCHANGE_REFUSAL_FORMAT);
    tournament_free(&event);
    tell_entries(&event, "{'name':'Out','ruleset':'shinjuku','format':'single_elimination'}", 4);
    expect_refused(EXCHANGE_REFUSAL_FORMAT);
    tournament_free(&event);
    tell_entries(&event,
                 "{'name':'Quarters','ruleset':'shinjuku','format':'dutch','rounds':2,'scoring':"
                 "'5-3-2-1'}",
                 3);
    tell_stage(&event, "");
    tell_round(&event, "1 2", "3", "");
    tell_result(&event, 1, 1, "1 2");
    expect_refused(TRF_REFUSAL_UNWRITABLE); /* the bye is worth 2 3/4 */
}

#define EXCHANGE_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXCHANGE_TEST(standings_are_a_table),
        EXCHANGE_TEST(a_third_has_six_places),
        EXCHANGE_TEST(pairings_have_a_line_for_each),
        EXCHANGE_TEST(results_have_a_line_for_each_seat),
        EXCHANGE_TEST(a_void_table_has_no_places),
        EXCHANGE_TEST(scores_are_told_where_there_are_any),
        EXCHANGE_TEST(marks_are_told),
        EXCHANGE_TEST(a_small_buffer_is_said_to_be_one),
        EXCHANGE_TEST(rounds_are_in_the_calendar),
        EXCHANGE_TEST(an_announced_event_is_in_the_calendar_until_its_first_round),
        EXCHANGE_TEST(a_cancelled_event_is_in_the_calendar_as_such),
        EXCHANGE_TEST(lines_are_news),
        EXCHANGE_TEST(a_swiss_can_be_paired_from_its_report),
        EXCHANGE_TEST(points_and_ranks_are_in_the_report),
        EXCHANGE_TEST(what_has_been_announced_is_in_the_report),
        EXCHANGE_TEST(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
