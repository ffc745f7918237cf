/* An event as its log makes it: each kind of line, what it refuses, and what can be asked. Lines
 * about entries: test_tournament_entries.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/tournament/event/event_lines.h"
#include "tests/test.h"

LISTED_TEST(an_event_begins_with_its_settings)
{
    struct refusal refusal = {.code = NULL};
    assert_false(apply("entries_opened", detail_of("{}"), &refusal));
    assert_string_equal(refusal.code, TOURNAMENT_REFUSAL_LINE);
    create_swiss();
    assert_string_equal(event.settings.name, "Cup");
    assert_int_equal(event.settings.stage[0].format, FORMAT_POD_SWISS);
    refused("created", "{'name':'Cup'}", TOURNAMENT_REFUSAL_LINE);
}

LISTED_TEST(unknown_kinds_and_fields_are_refused)
{
    create_swiss();
    refused("entries_open", "{}", TOURNAMENT_REFUSAL_LINE);
    refused("entries_opened", "{'why':1}", TOURNAMENT_REFUSAL_LINE);
    take("entries_opened", "{}");
    refused("entered", "{'player':<a>,'name':'Ada'}", TOURNAMENT_REFUSAL_LINE);
    refused("entered", "{'player':'ada'}", TOURNAMENT_REFUSAL_LINE);
    refused("entered", "{'player':<a>,'rating':0}", TOURNAMENT_REFUSAL_LINE);
    refused("entered", "{'player':<a>,'rating':1.5}", TOURNAMENT_REFUSAL_LINE);
    refused("entered", "[]", TOURNAMENT_REFUSAL_LINE);
}

LISTED_TEST(lines_follow_each_other)
{
    struct refusal refusal;
    create_swiss();
    json_t *detail = json_object();
    struct tournament_line line = {.number = 3, .kind = "entries_opened", .detail = detail};
    assert_false(tournament_apply(&event, &line, &refusal));
    line.number = 1;
    assert_false(tournament_apply(&event, &line, &refusal));
    line.number = 2;
    assert_true(tournament_apply(&event, &line, &refusal));
    json_decref(detail);
}

/* ---- Rounds ---- */

LISTED_TEST(a_draft_is_not_played_yet)
{
    create_swiss();
    number_four();
    refused("round_drawn",
            "{'round':1,'stage':1,'attempt':1,'tables':[[1,2]],'byes':[],'quality':{}}",
            TOURNAMENT_REFUSAL_PHASE);
    take("stage_started", "{'stage':1,'entries':[2,1,4,3]}");
    assert_int_equal(event.stage[0].entries[0], 2);
    assert_null(tournament_draft(&event));
    take("round_drawn", "{'round':1,'stage':1,'attempt':1,'tables':[[4,1,3]],'byes':[],"
                        "'absent':[[2,'zero_bye']],'quality':{}}");
    assert_int_equal(tournament_draft(&event)->table_count, 1);
    assert_int_equal(event.rounds_started, 0);
    assert_false(tournament_is_running(&event));
    refused("result", "{'round':1,'table':1,'game':<x>,'seats':[[4,1,9],[1,2,3],[3,3,1]]}",
            TOURNAMENT_REFUSAL_TABLE);
    size_t count;
    struct table_result *results = tournament_results(&event, 0, 0, 9, &count);
    assert_int_equal(count, 0);
    free(results);
    take("round_withdrawn", "{'round':1}");
    assert_null(tournament_draft(&event));
    assert_int_equal(event.table_count, 0);
    assert_int_equal(event.bye_count, 0);
    /* Attempts are counted. */
    refused("round_drawn",
            "{'round':1,'stage':1,'attempt':1,'tables':[[1,2]],'byes':[],'quality':{}}",
            TOURNAMENT_REFUSAL_LINE);
    take("round_drawn",
         "{'round':1,'stage':1,'attempt':2,'tables':[[1,2]],'byes':[3,4],'quality':{}}");
    take("round_started", "{'round':1,'deadline':99000}");
    assert_true(tournament_is_running(&event));
    assert_int_equal(event.rounds[0].attempt, 2);
    assert_int_equal(event.rounds[0].deadline_ms, 99000);
    assert_int_equal(event.byes[0].kind, ROUND_PAIRING_BYE);
}

LISTED_TEST(a_draw_seats_nobody_twice)
{
    create_swiss();
    number_four();
    refused("stage_started", "{'stage':1,'entries':[1,2,2]}", TOURNAMENT_REFUSAL_LINE);
    refused("stage_started", "{'stage':2,'entries':[1,2]}", TOURNAMENT_REFUSAL_LINE);
    refused("stage_started", "{'stage':1,'entries':[]}", TOURNAMENT_REFUSAL_LINE);
    refused("stage_started", "{'stage':1,'entries':[1,5]}", TOURNAMENT_REFUSAL_LINE);
    take("stage_started", "{'stage':1,'entries':[1,2,3,4]}");
    static const char *const bad[] = {"'tables':[[1,2],[2,3]],'byes':[]",
                                      "'tables':[[1,2]],'byes':[2]",
                                      "'tables':[[1,5]],'byes':[]",
                                      "'tables':[[]],'byes':[]",
                                      "'tables':[],'byes':[1]",
                                      "'tables':[[1,2]]",
                                      "'tables':[[1,2]],'byes':[],'absent':[[2,'zero_bye']]",
                                      "'tables':[[1,2]],'byes':[],'absent':[[3,'played']]",
                                      "'tables':[[1,2]],'byes':[],'absent':[[3]]",
                                      "'tables':[[1,2]],'byes':[],'matches':[1,2]",
                                      "'tables':[[1,2]],'byes':[],'matches':[-1]"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "{'round':1,'stage':1,'attempt':1,'quality':{},%s}", bad[i]);
        refused("round_drawn", line, TOURNAMENT_REFUSAL_LINE);
    }
}

LISTED_TEST(a_draft_can_be_changed)
{
    create_swiss();
    number_four();
    take("stage_started", "{'stage':1,'entries':[1,2,3,4]}");
    refused("round_changed", "{'round':1,'tables':[[1,2]],'byes':[],'quality':{},'reason':'x'}",
            TOURNAMENT_REFUSAL_PHASE);
    take("round_drawn",
         "{'round':1,'stage':1,'attempt':1,'tables':[[1,2],[3,4]],'byes':[],'quality':{}}");
    take("round_changed",
         "{'round':1,'tables':[[1,3],[2,4]],'byes':[],'quality':{},'reason':'friends'}");
    take("round_changed",
         "{'round':1,'tables':[[1,3,2]],'byes':[4],'quality':{},'reason':'friends'}");
    assert_int_equal(event.table_count, 1);
    assert_int_equal(event.bye_count, 1);
    assert_int_equal(event.rounds[0].changes, 2);
    assert_int_equal(tournament_table(&event, 1, 1)->entry[1], number(3));
    assert_null(tournament_table(&event, 1, 2));
    refused("round_changed", "{'round':1,'tables':[[1,1]],'byes':[],'quality':{},'reason':'x'}",
            TOURNAMENT_REFUSAL_LINE);
}

LISTED_TEST(a_draft_with_somebody_who_left_is_stale)
{
    create_swiss();
    number_four();
    take("stage_started", "{'stage':1,'entries':[1,2,3,4]}");
    take("round_drawn",
         "{'round':1,'stage':1,'attempt':1,'tables':[[1,2],[3,4]],'byes':[],'quality':{}}");
    take("dropped", "{'player':<a>,'after':0}");
    refused("round_started", "{'round':1}", TOURNAMENT_REFUSAL_STALE);
    take("round_withdrawn", "{'round':1,'reason':'a player left'}");
    take("round_drawn", "{'round':1,'stage':1,'attempt':2,'tables':[[1,2,3]],'byes':[],"
                        "'absent':[[4,'absent']],'quality':{}}");
    take("round_started", "{'round':1}");
}

LISTED_TEST(results_are_those_of_who_sits_there)
{
    begin_round();
    static const char *const bad[] = {"'seats':[[4,1,9]]", "'seats':[[1,1,9],[4,2,3]]",
                                      "'seats':[[4,1,9],[2,2,3]]",
                                      "'seats':[[4,1,9],[1,2,3],[2,3,1]]"};
    static const char *const wrong[] = {"'seats':[[4,1,9],[1,3,3]]", "'seats':[[4,0,9],[1,2,3]]",
                                        "'seats':[[4,2,9],[1,2,3]]",
                                        "'seats':[[4,1,300000000],[1,2,3]]"};
    for (size_t i = 0; i < 4; i++) {
        char line[256];
        snprintf(line, sizeof line, "{'round':1,'table':1,'game':<x>,%s}", bad[i]);
        refused("result", line, TOURNAMENT_REFUSAL_TABLE);
        snprintf(line, sizeof line, "{'round':1,'table':1,'game':<x>,%s}", wrong[i]);
        refused("result", line, TOURNAMENT_REFUSAL_LINE);
    }
    refused("result", "{'round':1,'table':3,'game':<x>,'seats':[[4,1,9],[1,2,3]]}",
            TOURNAMENT_REFUSAL_TABLE);
    refused("result", "{'round':2,'table':1,'game':<x>,'seats':[[4,1,9],[1,2,3]]}",
            TOURNAMENT_REFUSAL_TABLE);
    static const char *const marks[] = {"[]", "[2]", "[4,4]", "[1,4]", "[0]", "4", "['4']"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "{'round':1,'table':1,'game':<x>,'seats':[[4,1,9],[1,1,9]],'%s':%s}",
                 i % 2 == 0 ? "forfeited" : "substituted", marks[i]);
        refused("result", line, TOURNAMENT_REFUSAL_LINE);
    }
    take("result", "{'round':1,'table':1,'game':<x>,'seats':[[4,1,9],[1,1,9]],"
                   "'forfeited':[1],'substituted':[4,1]}");
    refused("result", "{'round':1,'table':1,'game':<x>,'seats':[[4,1,9],[1,1,9]]}",
            TOURNAMENT_REFUSAL_TWICE);
    const struct tournament_table *table = tournament_table(&event, 1, 1);
    assert_int_equal(table->forfeited, 2);
    assert_int_equal(table->substituted, 3);
    assert_true(table->has_result && table->played && !table->ruled);
    assert_string_equal(table->game, id_of('x'));
    assert_int_equal(table->result.seat[1].rank, 1);
    assert_true(tournament_is_running(&event));
    refused("round_drawn",
            "{'round':2,'stage':1,'attempt':1,'tables':[[1,2]],'byes':[],"
            "'quality':{}}",
            TOURNAMENT_REFUSAL_ROUND);
    refused("closed", "{}", TOURNAMENT_REFUSAL_ROUND);
    refused("cancelled", "{'reason':'Rain.'}", TOURNAMENT_REFUSAL_PHASE);
    take("result", "{'round':1,'table':2,'game':<y>,'seats':[[3,2,-5],[2,1,9]]}");
    assert_false(tournament_is_running(&event));
    take("closed", "{}");
    assert_int_equal(event.phase, PHASE_CLOSED);
    refused("closed", "{}", TOURNAMENT_REFUSAL_PHASE);
    refused("dropped", "{'player':<a>,'after':1}", TOURNAMENT_REFUSAL_PHASE);
}

LISTED_TEST(a_ruling_stands_over_a_result)
{
    begin_round();
    refused("ruled",
            "{'round':1,'table':1,'seats':[[4,1,0,'played'],[1,2,0,'played']],'reason':'x'}",
            TOURNAMENT_REFUSAL_LINE);
    refused("ruled",
            "{'round':1,'table':1,'seats':[[4,1,0,'forfeit_win'],[1,2,0,'absent']],"
            "'reason':'x'}",
            TOURNAMENT_REFUSAL_LINE);
    refused("ruled",
            "{'round':1,'table':1,'seats':[[4,1,0,'forfeit_win'],"
            "[1,2,0,'forfeit_loss']]}",
            TOURNAMENT_REFUSAL_LINE);
    refused("ruling_revoked", "{'round':1,'table':1,'reason':'x'}", TOURNAMENT_REFUSAL_TABLE);
    take("ruled", "{'round':1,'table':1,'seats':[[4,1,0,'forfeit_win'],[1,2,0,'forfeit_loss']],"
                  "'reason':'no show'}");
    const struct tournament_table *table = tournament_table(&event, 1, 1);
    assert_true(table->has_result && table->ruled && !table->played);
    take("ruling_revoked", "{'round':1,'table':1,'reason':'came after all'}");
    assert_false(table->has_result);
    assert_true(tournament_is_running(&event));
    take("ruled", "{'round':1,'table':1,'seats':[[4,1,0,'forfeit_win'],[1,2,0,'forfeit_loss']],"
                  "'reason':'no show'}");
    /* The game ends all the same. */
    take("result", "{'round':1,'table':1,'game':<x>,'seats':[[4,2,1],[1,1,7]]}");
    assert_int_equal(table->result.seat[0].kind, ROUND_FORFEIT_WIN);
    assert_int_equal(table->game_result.seat[1].score, 7);
    take("result", "{'round':1,'table':2,'game':<y>,'seats':[[3,2,-5],[2,1,9]]}");
    take("closed", "{}");
    /* Corrections come after the end as well. */
    take("ruling_revoked", "{'round':1,'table':1,'reason':'appeal'}");
    assert_int_equal(table->result.seat[1].rank, 1);
    take("ruled", "{'round':1,'table':2,'seats':[[3,1,5,'adjudicated'],[2,1,5,'adjudicated']],"
                  "'reason':'appeal'}");
    assert_int_equal(tournament_table(&event, 1, 2)->result.seat[0].kind, ROUND_ADJUDICATED);
}

static bool is_scored(const struct tournament_table *table, unsigned seat)
{
    return tournament_has_score(&event, table, seat);
}

LISTED_TEST(a_void_table_is_void_for_all)
{
    begin_round();
    static const char *const bad[] = {
        "[[4,1,0,'void'],[1,2,0,'forfeit_loss']]", "[[4,1,0,'void'],[1,1,0,'forfeit_loss']]",
        "[[4,1,0,'void'],[1,2,0,'void']]", "[[4,1,3,'void'],[1,1,0,'void']]"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "{'round':1,'table':1,'seats':%s,'reason':'x'}", bad[i]);
        refused("ruled", line, TOURNAMENT_REFUSAL_LINE);
    }
    take("ruled", "{'round':1,'table':1,'seats':[[4,1,0,'void'],[1,1,0,'void']],'reason':'x'}");
    const struct tournament_table *table = tournament_table(&event, 1, 1);
    assert_true(table->has_result && table->ruled);
    assert_int_equal(table->result.seat[1].kind, ROUND_VOID);
    assert_false(tournament_has_place(table, 0) || is_scored(table, 0));
    assert_false(tournament_may_be_void(table)); /* it is */
    take("result", "{'round':1,'table':2,'game':<y>,'seats':[[3,2,0],[2,1,9]]}");
    assert_true(tournament_has_place(tournament_table(&event, 1, 2), 0));
    refused("round_drawn",
            "{'round':2,'stage':1,'attempt':1,'tables':[[1,2]],'byes':[],"
            "'absent':[[3,'void'],[4,'absent']],'quality':{}}",
            TOURNAMENT_REFUSAL_LINE);
}

/* Lines from before the kind `void` say the same of a void game as of one to which nobody came. */
LISTED_TEST(an_older_line_may_be_of_a_void_table)
{
    begin_round();
    struct tournament_table *table = tournament_table(&event, 1, 1);
    assert_false(tournament_may_be_void(table));
    take("ruled", "{'round':1,'table':1,'seats':[[4,1,0,'forfeit_win'],[1,2,0,'forfeit_loss']],"
                  "'reason':'x'}");
    assert_false(tournament_may_be_void(table));
    take("ruled", "{'round':1,'table':1,'seats':[[4,1,0,'forfeit_loss'],[1,1,0,'forfeit_loss']],"
                  "'reason':'x'}");
    assert_true(tournament_may_be_void(table));
    assert_true(tournament_has_place(table, 0));
    assert_false(is_scored(table, 0));
    tournament_mark_void(table);
    assert_int_equal(table->result.seat[0].kind, ROUND_VOID);
    assert_int_equal(table->result.seat[1].kind, ROUND_VOID);
    assert_false(tournament_has_place(table, 0) || tournament_may_be_void(table));
}

/* The fold has 0 for a score that nobody has said. */
LISTED_TEST(scores_are_told_where_there_are_any)
{
    begin_round();
    const struct tournament_table *table = tournament_table(&event, 1, 1);
    assert_false(tournament_has_place(table, 0) || is_scored(table, 0));
    take("ruled", "{'round':1,'table':1,'seats':[[4,1,0,'forfeit_win'],[1,2,0,'forfeit_loss']],"
                  "'reason':'x'}");
    assert_false(is_scored(table, 0) || is_scored(table, 1));
    take("ruled", "{'round':1,'table':1,'seats':[[4,1,0,'adjudicated'],[1,2,0,'adjudicated']],"
                  "'reason':'places alone'}");
    assert_true(tournament_has_place(table, 0));
    assert_false(is_scored(table, 0) || is_scored(table, 1));
    take("ruled", "{'round':1,'table':1,'seats':[[4,1,0,'adjudicated'],[1,2,-3,'adjudicated']],"
                  "'reason':'with scores'}");
    assert_true(is_scored(table, 0) && is_scored(table, 1));
    take("ruled", "{'round':1,'table':1,'seats':[[4,1,5,'adjudicated'],[1,2,0,'forfeit_loss']],"
                  "'reason':'left'}");
    assert_true(is_scored(table, 0) && !is_scored(table, 1));
    /* A game has scores, and a ruling about it has the game's. */
    take("result", "{'round':1,'table':2,'game':<y>,'seats':[[3,1,0],[2,1,0]]}");
    table = tournament_table(&event, 1, 2);
    assert_true(is_scored(table, 0) && is_scored(table, 1));
    take("ruled", "{'round':1,'table':2,'seats':[[3,2,0,'adjudicated'],[2,1,0,'adjudicated']],"
                  "'reason':'x'}");
    assert_true(is_scored(table, 0) && is_scored(table, 1));
    take("ruled", "{'round':1,'table':2,'seats':[[3,2,0,'forfeit_loss'],[2,1,0,'forfeit_win']],"
                  "'reason':'x'}");
    assert_false(is_scored(table, 0) || is_scored(table, 1));
}

LISTED_TEST(a_ruling_that_the_event_went_on_with_stands)
{
    begin_round();
    take("ruled", "{'round':1,'table':1,'seats':[[4,1,0,'forfeit_win'],[1,2,0,'forfeit_loss']],"
                  "'reason':'no show'}");
    take("result", "{'round':1,'table':2,'game':<y>,'seats':[[3,2,-5],[2,1,9]]}");
    take("round_drawn", "{'round':2,'stage':1,'attempt':1,'tables':[[1,2],[3,4]],'byes':[],"
                        "'quality':{}}");
    refused("ruling_revoked", "{'round':1,'table':1,'reason':'x'}", TOURNAMENT_REFUSAL_LATE);
    take("round_started", "{'round':2}");
    refused("ruling_revoked", "{'round':1,'table':1,'reason':'x'}", TOURNAMENT_REFUSAL_LATE);
}

LISTED_TEST(a_table_is_played_anew)
{
    begin_round();
    refused("table_replayed", "{'round':1,'table':1}", TOURNAMENT_REFUSAL_LINE);
    refused("table_replayed", "{'round':1,'table':3,'reason':'x'}", TOURNAMENT_REFUSAL_TABLE);
    refused("table_replayed", "{'round':0,'table':1,'reason':'x'}", TOURNAMENT_REFUSAL_TABLE);
    /* Also a game that has no result: it was void. */
    take("table_replayed", "{'round':1,'table':1,'reason':'wrong cards'}");
    take("result", "{'round':1,'table':1,'game':<x>,'seats':[[4,2,1],[1,1,7]],'forfeited':[4],"
                   "'substituted':[1]}");
    take("ruled", "{'round':1,'table':1,'seats':[[4,1,0,'adjudicated'],[1,2,0,'adjudicated']],"
                  "'reason':'rules'}");
    take("result", "{'round':1,'table':2,'game':<y>,'seats':[[3,2,-5],[2,1,9]]}");
    assert_false(tournament_is_running(&event));
    take("table_replayed", "{'round':1,'table':1,'reason':'appeal'}");
    const struct tournament_table *table = tournament_table(&event, 1, 1);
    assert_false(table->has_result || table->ruled || table->played);
    assert_int_equal(table->forfeited | table->substituted, 0);
    assert_string_equal(table->game, "");
    assert_true(tournament_is_running(&event));
    take("result", "{'round':1,'table':1,'game':<z>,'seats':[[4,1,3],[1,2,2]]}");
    assert_int_equal(table->result.seat[0].rank, 1);
    assert_false(tournament_is_running(&event));
    take("round_drawn", "{'round':2,'stage':1,'attempt':1,'tables':[[1,2],[3,4]],'byes':[],"
                        "'quality':{}}");
    refused("table_replayed", "{'round':1,'table':1,'reason':'x'}", TOURNAMENT_REFUSAL_LATE);
    take("round_withdrawn", "{'round':2}");
    take("closed", "{}");
    refused("table_replayed", "{'round':1,'table':1,'reason':'x'}", TOURNAMENT_REFUSAL_LATE);
}

LISTED_TEST(stages_follow_each_other)
{
    create("{'name':'Cup','ruleset':'shinjuku','stages':[{'format':'pod_swiss','rounds':1},"
           "{'format':'single_elimination','entrants':2}]}");
    number_four();
    assert_null(tournament_stage(&event));
    take("stage_started", "{'stage':1,'entries':[1,2,3,4]}");
    take("round_drawn",
         "{'round':1,'stage':1,'attempt':1,'tables':[[1,2,3,4]],'byes':[],'quality':{}}");
    take("round_started", "{'round':1}");
    refused("stage_started", "{'stage':2,'entries':[1,2]}", TOURNAMENT_REFUSAL_ROUND);
    take("result", "{'round':1,'table':1,'game':<x>,'seats':[[1,4,1],[2,3,2],[3,2,3],[4,1,4]]}");
    take("stage_started", "{'stage':2,'entries':[4,3]}");
    assert_int_equal(tournament_stage(&event)->format, FORMAT_SINGLE_ELIMINATION);
    assert_int_equal(event.stage[1].first_round, 2);
    refused("stage_started", "{'stage':3,'entries':[4,3]}", TOURNAMENT_REFUSAL_PHASE);
    take("round_drawn", "{'round':2,'stage':2,'attempt':1,'tables':[[4,3]],'matches':[0],"
                        "'byes':[],'quality':{}}");
    take("round_started", "{'round':2}");
    assert_int_equal(tournament_table(&event, 2, 1)->match, 0);
    take("dropped", "{'player':<d>,'after':2}");
    refused("returned", "{'player':<d>,'from':3}", TOURNAMENT_REFUSAL_LATE);
    take("result", "{'round':2,'table':1,'game':<y>,'seats':[[4,1,9],[3,2,8]]}");
    size_t count;
    struct table_result *results = tournament_results(&event, 0, 0, 9, &count);
    assert_int_equal(count, 1);
    assert_int_equal(results[0].seats, 4);
    free(results);
    results = tournament_results(&event, 0, 1, 1, &count);
    assert_int_equal(count, 1);
    free(results);
    results = tournament_results(&event, 1, 1, 2, &count);
    assert_int_equal(count, 1);
    assert_int_equal(results[0].seat[0].entry, number(4));
    free(results);
}

/* ---- Formats without drawn rounds ---- */

LISTED_TEST(duplicate_rounds_have_boards)
{
    create("{'name':'Cup','ruleset':'shinjuku','format':'duplicate','boards':2,"
           "'seats_preferred':2,'scoring':'matchpoints','play':'barometer'}");
    number_four();
    refused("board_started", "{'round':1,'board':1,'first_table':1,'tables':[[1,2]]}",
            TOURNAMENT_REFUSAL_PHASE);
    take("round_started", "{'round':1,'boards':2,'commitment':'00'}");
    assert_int_equal(event.stages, 1);
    refused("board_started",
            "{'round':1,'board':2,'first_table':1,'tables':[[1,2],[3,4]],'byes':[]}",
            TOURNAMENT_REFUSAL_LINE);
    take("board_started", "{'round':1,'board':1,'first_table':1,'tables':[[1,2],[3,4]],'byes':[]}");
    take("result", "{'round':1,'table':1,'game':<x>,'seats':[[1,1,9],[2,2,3]]}");
    take("result", "{'round':1,'table':2,'game':<x>,'seats':[[3,1,9],[4,2,3]]}");
    assert_true(tournament_is_running(&event));
    refused("board_started",
            "{'round':1,'board':1,'first_table':3,'tables':[[1,3],[2,4]],'byes':[]}",
            TOURNAMENT_REFUSAL_LINE);
    take("board_started", "{'round':1,'board':2,'first_table':3,'tables':[[1,3],[2,4]],'byes':[]}");
    assert_int_equal(tournament_table(&event, 1, 4)->board, 2);
    refused("table_replayed", "{'round':1,'table':1,'reason':'Seen.'}", TOURNAMENT_REFUSAL_PHASE);
    take("result", "{'round':1,'table':3,'game':<x>,'seats':[[1,1,9],[3,2,3]]}");
    refused("closed", "{}", TOURNAMENT_REFUSAL_ROUND);
    take("result", "{'round':1,'table':4,'game':<x>,'seats':[[2,1,9],[4,2,3]]}");
    take("closed", "{}");
}

LISTED_TEST(challenges_become_games)
{
    create("{'name':'Ladder','ruleset':'shinjuku','format':'ladder','reach':2}");
    number_four();
    refused("queued", "{'player':<a>}", TOURNAMENT_REFUSAL_PHASE);
    take("challenged", "{'players':[<a>,<b>]}");
    refused("challenged", "{'players':[<c>,<b>]}", TOURNAMENT_REFUSAL_TWICE);
    refused("table_started", "{'round':0,'table':1,'numbers':[1,2]}", TOURNAMENT_REFUSAL_PLAYER);
    take("challenge_cancelled", "{'players':[<a>,<b>]}");
    refused("challenge_cancelled", "{'players':[<a>,<b>]}", TOURNAMENT_REFUSAL_PLAYER);
    take("challenged", "{'players':[<a>,<b>]}");
    take("table_started", "{'round':0,'table':1,'numbers':[3,4]}");
    refused("challenge_cancelled", "{'players':[<a>,<b>]}", TOURNAMENT_REFUSAL_PHASE);
    refused("table_started", "{'round':0,'table':2,'numbers':[3,4]}", TOURNAMENT_REFUSAL_PLAYER);
    assert_true(tournament_is_running(&event));
    take("result", "{'round':0,'table':1,'game':<x>,'seats':[[3,1,9],[4,2,3]]}");
    assert_false(tournament_is_running(&event));
    assert_true(event.challenges[1].over);
    take("challenged", "{'players':[<b>,<a>]}");
    take("dropped", "{'player':<a>,'after':0}");
    assert_true(event.challenges[2].over);
    take("entered", "{'player':<e>,'late':true}");
    take("challenged", "{'players':[<e>,<b>]}");
    take("closed", "{}");
}

LISTED_TEST(who_waits_is_called_to_a_table)
{
    create("{'name':'Open','ruleset':'shinjuku','format':'open_play','best':3}");
    number_four();
    take("queued", "{'player':<a>}");
    refused("queued", "{'player':<a>}", TOURNAMENT_REFUSAL_TWICE);
    refused("unqueued", "{'player':<b>}", TOURNAMENT_REFUSAL_PLAYER);
    take("queued", "{'player':<b>}");
    take("unqueued", "{'player':<a>}");
    refused("table_started", "{'round':0,'table':1,'numbers':[4,3]}", TOURNAMENT_REFUSAL_PLAYER);
    take("queued", "{'player':<a>}");
    refused("table_started", "{'round':0,'table':2,'numbers':[4,3]}", TOURNAMENT_REFUSAL_LINE);
    take("table_started", "{'round':0,'table':1,'numbers':[4,3]}");
    assert_int_equal(event.queue_count, 0);
    refused("queued", "{'player':<a>}", TOURNAMENT_REFUSAL_TWICE);
    take("queued", "{'player':<c>}");
    take("ruled", "{'round':0,'table':1,'seats':[[4,1,0,'forfeit_win'],[3,2,0,'forfeit_loss']],"
                  "'reason':'left'}");
    take("queued", "{'player':<a>}");
    assert_int_equal(event.queue_count, 2);
    assert_int_equal(tournament_table(&event, 0, 1)->seats, 2);
    assert_null(tournament_table(&event, 0, 2));
}

/* ---- Roles, the end, copies, events told anew ---- */

LISTED_TEST(roles_are_given_and_taken)
{
    create_swiss();
    take("role_given", "{'player':<x>,'role':'arbiter'}");
    refused("role_given", "{'player':<x>,'role':'arbiter'}", TOURNAMENT_REFUSAL_TWICE);
    refused("role_given", "{'player':<x>,'role':'king'}", TOURNAMENT_REFUSAL_LINE);
    take("role_given", "{'player':<x>,'role':'organizer'}");
    assert_int_equal(event.role_count, 1);
    take("role_taken", "{'player':<x>,'role':'arbiter'}");
    refused("role_taken", "{'player':<x>,'role':'arbiter'}", TOURNAMENT_REFUSAL_PLAYER);
    assert_true(event.roles[0].organizer && !event.roles[0].arbiter);
}

LISTED_TEST(who_makes_an_event_is_its_organizer)
{
    struct refusal refusal;
    create_swiss();
    assert_int_equal(event.role_count, 0);
    json_t *settings = json_incref(event.settings_document);
    tournament_free(&event);
    struct tournament_line line = {
        .number = 1, .at_ms = 1, .actor = id_of('m'), .kind = "created", .detail = settings};
    assert_true(tournament_apply(&event, &line, &refusal));
    json_decref(settings);
    assert_int_equal(event.role_count, 1);
    assert_string_equal(event.roles[0].player, id_of('m'));
    assert_true(event.roles[0].organizer && !event.roles[0].arbiter);
    refused("role_given", "{'player':<m>,'role':'organizer'}", TOURNAMENT_REFUSAL_TWICE);
    take("role_taken", "{'player':<m>,'role':'organizer'}");
}

LISTED_TEST(an_event_is_cancelled_before_anything_is_played)
{
    create_swiss();
    refused("cancelled", "{}", TOURNAMENT_REFUSAL_LINE);
    refused("cancelled", "{'reason':1}", TOURNAMENT_REFUSAL_LINE);
    refused("cancelled", "{'reason':'x','why':1}", TOURNAMENT_REFUSAL_LINE);
    number_four();
    take("stage_started", "{'stage':1,'entries':[1,2,3,4]}");
    take("round_drawn", "{'round':1,'stage':1,'attempt':1,'tables':[[4,1],[3,2]],'byes':[],"
                        "'absent':[],'quality':{}}");
    refused("cancelled", "{'reason':'Rain.'}", TOURNAMENT_REFUSAL_PHASE);
    take("round_withdrawn", "{'round':1}");
    assert_false(event.cancelled);
    take("cancelled", "{'reason':'Rain.'}");
    assert_int_equal(event.phase, PHASE_CLOSED);
    assert_true(event.cancelled);
    refused("cancelled", "{'reason':'Rain.'}", TOURNAMENT_REFUSAL_PHASE);
    refused("closed", "{}", TOURNAMENT_REFUSAL_PHASE);
    refused("entries_opened", "{}", TOURNAMENT_REFUSAL_PHASE);
}

LISTED_TEST(a_copy_goes_its_own_way)
{
    begin_round();
    struct tournament *copy = tournament_copy(&event);
    take("result", "{'round':1,'table':1,'game':<x>,'seats':[[4,1,9],[1,2,3]]}");
    take("entered", "{'player':<e>,'late':true}");
    assert_false(copy->tables[0].has_result);
    assert_int_equal(copy->entrant_count, 4);
    assert_int_equal(tournament_entry(copy, span_of(id_of('e'))), TOURNAMENT_NOBODY);
    tournament_free(copy);
    free(copy);
}

LISTED_TEST(an_event_can_be_told_anew)
{
    struct refusal refusal;
    begin_round();
    json_t *settings = json_incref(event.settings_document);
    tournament_free(&event);
    json_t *lines = json_array();
    json_array_append_new(lines, json_pack("{s:i,s:s,s:s,s:o}", "at", 5, "actor", "", "kind",
                                           "created", "detail", settings));
    json_array_append_new(lines,
                          json_pack("{s:i,s:s,s:{}}", "at", 6, "kind", "entries_opened", "detail"));
    json_t *detail = json_pack("{s:o}", "lines", lines);
    const struct tournament_line line = {
        .number = 17, .at_ms = 1000, .actor = "", .kind = "restated", .detail = detail};
    assert_true(tournament_apply(&event, &line, &refusal));
    assert_int_equal(event.lines, 17);
    assert_int_equal(event.phase, PHASE_ENTRIES_OPEN);
    take("entered", "{'player':<a>}");
    refused("restated", "{'lines':[]}", TOURNAMENT_REFUSAL_LINE);
    refused("restated", "{'lines':[{'at':1,'kind':'restated','detail':{}}]}",
            TOURNAMENT_REFUSAL_LINE);
    refused("restated", "{'lines':[{'at':1,'kind':'closed','detail':{}}]}",
            TOURNAMENT_REFUSAL_LINE);
    json_decref(detail);
}

LISTED_TEST(kinds_have_names)
{
    for (int kind = 0; kind < ROUND_KINDS; kind++)
        assert_int_equal(round_kind_find(span_of(round_kind_name((enum round_kind)kind))), kind);
    assert_int_equal(round_kind_find(span_of("bye")), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EVENT_TEST(an_event_begins_with_its_settings),
        EVENT_TEST(unknown_kinds_and_fields_are_refused),
        EVENT_TEST(lines_follow_each_other),
        EVENT_TEST(an_event_is_cancelled_before_anything_is_played),
        EVENT_TEST(a_draft_is_not_played_yet),
        EVENT_TEST(a_draw_seats_nobody_twice),
        EVENT_TEST(a_draft_can_be_changed),
        EVENT_TEST(a_draft_with_somebody_who_left_is_stale),
        EVENT_TEST(results_are_those_of_who_sits_there),
        EVENT_TEST(a_ruling_stands_over_a_result),
        EVENT_TEST(a_void_table_is_void_for_all),
        EVENT_TEST(an_older_line_may_be_of_a_void_table),
        EVENT_TEST(scores_are_told_where_there_are_any),
        EVENT_TEST(a_ruling_that_the_event_went_on_with_stands),
        EVENT_TEST(a_table_is_played_anew),
        EVENT_TEST(stages_follow_each_other),
        EVENT_TEST(duplicate_rounds_have_boards),
        EVENT_TEST(challenges_become_games),
        EVENT_TEST(who_waits_is_called_to_a_table),
        EVENT_TEST(roles_are_given_and_taken),
        EVENT_TEST(who_makes_an_event_is_its_organizer),
        EVENT_TEST(a_copy_goes_its_own_way),
        EVENT_TEST(an_event_can_be_told_anew),
        EVENT_TEST(kinds_have_names),
    };
    return cmocka_run_group_tests_name("tournament", tests, NULL, NULL);
}
