/* Standings of brackets, cuts, ladders and open play, as functions of their lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/tournament/pairing/told_ranking.h"
#include "tests/test.h"

/* ---- Brackets and cuts ---- */

static const char with_cut[] =
    "{'name':'Cup','ruleset':'shinjuku','stages':[{'format':'pod_swiss','rounds':1,'seats_min':4,"
    "'seats_max':4,'tie_breaks':['PTS']},{'format':'single_elimination','entrants':4}]}";

static void play_swiss_of_the_cup(void)
{
    tell_entries(&event, with_cut, 8);
    tell_stage(&event, "");
    tell_round(&event, "1 2 3 4 / 5 6 7 8", "", "");
    tell_results(&event, 1, "1 2 3 4 / 2 1 3 4");
}

/* 1 and 6 have 5 points, 2 and 5 three, 3 and 7 two, 4 and 8 one. */
LISTED_TEST(the_best_go_on)
{
    uint16_t order[8];
    play_swiss_of_the_cup();
    struct ranking ranking = make(1);
    expect_places(&ranking, "1:1= 6:1= 2:3= 5:3= 3:5= 7:5= 4:7= 8:7=");
    assert_int_equal(ranking_cut(&event, &ranking, 0, 4, order), 4);
    const uint16_t best[] = {0, 5, 1, 4};
    assert_memory_equal(order, best, sizeof best);
    tell(&event, "dropped", "{'player':<6>,'after':1}");
    assert_int_equal(ranking_cut(&event, &ranking, 0, 4, order), 4);
    const uint16_t without[] = {0, 1, 4, 2};
    assert_memory_equal(order, without, sizeof without);
    assert_int_equal(ranking_cut(&event, &ranking, 0, 99, order), 7);
    assert_int_equal(ranking_cut(&event, &ranking, 1, 99, order), 0);
    ranking_free(&ranking);
}

LISTED_TEST(places_come_from_the_last_stage_first)
{
    play_swiss_of_the_cup();
    tell_stage(&event, "1 6 2 3"); /* 5, who was third, has not gone on */
    struct ranking ranking = make(1);
    assert_int_equal(ranking.group_count, 1); /* its first round has not begun */
    ranking_free(&ranking);
    tell(&event, "round_drawn",
         "{'round':2,'stage':2,'attempt':1,'tables':[[1,3],[6,2]],'matches':[0,1],'byes':[],"
         "'quality':{}}");
    tell(&event, "round_started", "{'round':2,'deadline':null}");
    ranking = make(2);
    assert_int_equal(ranking.group_count, 2);
    assert_int_equal(ranking.groups[1].kind, RANKING_BRACKET);
    expect_group(&ranking, 1, "1:- 6:- 2:- 3:-");
    expect_places(&ranking, "5:5 7:6 4:7= 8:7= 1:- 2:- 3:- 6:-");
    assert_true(row_of(&ranking.groups[0], 6)->on);
    assert_false(row_of(&ranking.groups[0], 5)->on);
    ranking_free(&ranking);
    tell_result(&event, 2, 1, "2 1");
    ranking = make(2); /* 3 is in the final, 1 is third with whoever loses the other */
    expect_group(&ranking, 1, "1:3 6:- 2:- 3:-");
    expect_places(&ranking, "1:3 5:5 7:6 4:7= 8:7= 2:- 3:- 6:-");
    ranking_free(&ranking);
    tell_result(&event, 2, 2, "1 2");
    tell(&event, "round_drawn",
         "{'round':3,'stage':2,'attempt':1,'tables':[[6,3]],'matches':[2],'byes':[],"
         "'absent':[[1,'absent'],[2,'absent']],'quality':{}}");
    tell(&event, "round_started", "{'round':3,'deadline':null}");
    tell_result(&event, 3, 1, "2 1");
    ranking = make(3);
    expect_group(&ranking, 1, "3:1 6:2 1:3= 2:3=");
    expect_places(&ranking, "3:1 6:2 1:3= 2:3= 5:5 7:6 4:7= 8:7=");
    ranking_free(&ranking);
    ranking = make(1); /* before the cut */
    assert_int_equal(ranking.group_count, 1);
    assert_false(row_of(&ranking.groups[0], 6)->on);
    expect_places(&ranking, "1:1= 6:1= 2:3= 5:3= 3:5= 7:5= 4:7= 8:7=");
    ranking_free(&ranking);
}

LISTED_TEST(a_second_defeat_is_the_last)
{
    tell_entries(&event, "{'name':'Double','ruleset':'shinjuku','format':'double_elimination'}", 4);
    tell_stage(&event, "");
    tell(&event, "round_drawn",
         "{'round':1,'stage':1,'attempt':1,'tables':[[1,4],[2,3]],'matches':[0,1],'byes':[],"
         "'quality':{}}");
    tell(&event, "round_started", "{'round':1,'deadline':null}");
    tell_results(&event, 1, "1 2 / 1 2");
    expect_placed(1, "1:- 2:- 3:- 4:-");
    tell(&event, "round_drawn",
         "{'round':2,'stage':1,'attempt':1,'tables':[[1,2],[3,4]],'matches':[2,3],'byes':[],"
         "'quality':{}}");
    tell(&event, "round_started", "{'round':2,'deadline':null}");
    tell_results(&event, 2, "2 1 / 2 1");
    struct ranking ranking = make(2); /* 3 has lost twice */
    expect_places(&ranking, "3:4 1:- 2:- 4:-");
    ranking_free(&ranking);
    tell(&event, "round_drawn",
         "{'round':3,'stage':1,'attempt':1,'tables':[[1,4]],'matches':[4],'byes':[],"
         "'absent':[[2,'absent'],[3,'absent']],'quality':{}}");
    tell(&event, "round_started", "{'round':3,'deadline':null}");
    tell_result(&event, 3, 1, "1 2");
    expect_placed(3, "4:3 3:4 1:- 2:-");
    expect_placed(1, "1:- 2:- 3:- 4:-");
}

LISTED_TEST(pods_knock_out)
{
    tell_entries(&event,
                 "{'name':'Final','ruleset':'shinjuku','format':'pod_elimination','seats_min':4,"
                 "'seats_max':4,'advance':1}",
                 7);
    expect_placed(0, "1:- 2:- 3:- 4:- 5:- 6:- 7:-");
    tell_stage(&event, "");
    /* 1 to 3 wait, 4 to 7 play for the fourth seat. */
    tell_round(&event, "4 5 6 7", "1 2 3", "");
    tell_result(&event, 1, 1, "3 1 2 4");
    expect_placed(1, "6:5 4:6 7:7 1:- 2:- 3:- 5:-");
    tell_round(&event, "1 2 3 5", "", "");
    tell_result(&event, 2, 1, "2 3 4 1");
    expect_placed(2, "5:1 1:2 2:3 3:4 6:5 4:6 7:7");
}

/* ---- Ladders ---- */

static void play_challenge(unsigned challenger, unsigned challenged, const char *ranks)
{
    size_t table = event.open_tables + 1;
    tell(&event, "challenged", "{'players':[<%u>,<%u>]}", challenger, challenged);
    tell(&event, "table_started", "{'round':0,'table':%zu,'numbers':[%u,%u]}", table, challenged,
         challenger);
    if (*ranks != '\0')
        tell_result(&event, 0, (unsigned)table, ranks);
}

static void expect_ladder(const char *expected)
{
    struct ranking ranking = make(NOW);
    expect_places(&ranking, expected);
    ranking_free(&ranking);
}

/* Ranks are those of the one above and the challenger. */
LISTED_TEST(a_ladder_is_climbed)
{
    tell_entries(&event, "{'name':'Ladder','ruleset':'shinjuku','format':'ladder','reach':3}", 5);
    expect_ladder("1:1 2:2 3:3 4:4 5:5");
    play_challenge(4, 1, "2 1");
    expect_ladder("4:1 1:2 2:3 3:4 5:5");
    play_challenge(5, 2, "1 2");
    expect_ladder("4:1 1:2 2:3 3:4 5:5");
    play_challenge(2, 1, "1 1"); /* level: the one above stays */
    expect_ladder("4:1 1:2 2:3 3:4 5:5");
    tell(&event, "entered", "{'player':<6>,'late':true}");
    play_challenge(6, 5, "2 1");
    expect_ladder("4:1 1:2 2:3 3:4 6:5 5:6");
    tell(&event, "dropped", "{'player':<1>,'after':0}");
    expect_ladder("4:1 2:2 3:3 6:4 5:5 1:-");
    tell(&event, "returned", "{'player':<1>,'from':1}");
    expect_ladder("4:1 1:2 2:3 3:4 6:5 5:6");
    tell_ruling(&event, 0, 1, "1+ 2-"); /* the first game went to 1 after all */
    expect_ladder("1:1 2:2 3:3 4:4 6:5 5:6");
}

LISTED_TEST(two_exchange_rungs)
{
    tell_entries(&event,
                 "{'name':'Ladder','ruleset':'shinjuku','format':'ladder','reach':4,"
                 "'effect':'exchange'}",
                 5);
    play_challenge(4, 1, "2 1");
    expect_ladder("4:1 2:2 3:3 1:4 5:5");
    play_challenge(5, 2, "2 1");
    expect_ladder("4:1 5:2 3:3 1:4 2:5");
}

LISTED_TEST(open_challenges_are_on_the_ladder)
{
    struct ladder ladder;
    struct refusal refusal;
    const struct ladder_rule rule = {.reach = 2};
    tell_entries(&event, "{'name':'Ladder','ruleset':'shinjuku','format':'ladder','reach':2}", 4);
    play_challenge(2, 1, "1 2");
    tell(&event, "challenged", "{'players':[<4>,<3>]}");
    assert_true(ranking_ladder(&event, 0, &ladder, &refusal));
    assert_int_equal(ladder.rung[3].open, 2);
    assert_true(ladder.rung[3].challenger);
    assert_int_equal(ladder.rung[2].open, 3);
    assert_false(ladder_may_challenge(&ladder, &rule, 2, 0, &refusal));
    assert_string_equal(refusal.code, LADDER_REFUSAL_BUSY);
    assert_false(ladder_may_challenge(&ladder, &rule, 1, 0, &refusal));
    assert_string_equal(refusal.code, LADDER_REFUSAL_REMATCH);
    tell(&event, "challenge_cancelled", "{'players':[<4>,<3>]}");
    assert_true(ranking_ladder(&event, 0, &ladder, &refusal));
    assert_int_equal(ladder.rung[3].open, LADDER_NOBODY);
    assert_true(ladder_may_challenge(&ladder, &rule, 2, 0, &refusal));
}

/* Games that overlap in time: whichever ends first, the ladder is the same. */
LISTED_TEST(overlapping_games_may_end_in_either_order)
{
    for (unsigned first = 1; first <= 2; first++) {
        tell_entries(&event, "{'name':'Ladder','ruleset':'shinjuku','format':'ladder','reach':5}",
                     6);
        play_challenge(6, 2, "");
        play_challenge(5, 3, "");
        tell_result(&event, 0, first, "2 1");
        tell_result(&event, 0, 3 - first, "2 1");
        expect_ladder("1:1 6:2 2:3 5:4 3:5 4:6");
        tournament_free(&event);
    }
}

/* ---- Open play ---- */

static void play_openly(const char *numbers, const char *ranks)
{
    char list[64];
    struct text text = TEXT_OVER(list);
    for (const char *at = numbers; *at != '\0'; at++) {
        text_add_char(&text, *at == ' ' ? ',' : *at);
        if (*at != ' ')
            tell(&event, "queued", "{'player':<%c>}", *at);
    }
    size_t table = event.open_tables + 1;
    tell(&event, "table_started", "{'round':0,'table':%zu,'numbers':[%s]}", table, list);
    if (*ranks != '\0')
        tell_result(&event, 0, (unsigned)table, ranks);
}

LISTED_TEST(the_best_games_count)
{
    tell_entries(&event,
                 "{'name':'Week','ruleset':'shinjuku','format':'open_play','best':2,'seats_min':3,"
                 "'seats_max':3}",
                 6);
    expect_ladder("1:1= 2:1= 3:1= 4:1= 5:1= 6:1=");
    play_openly("1 2 3", "1 2 3"); /* 5 2 1 */
    play_openly("1 2 3", "3 2 1"); /* 1 2 5 */
    play_openly("1 2 4", "2 3 1"); /* 2 1 5 */
    struct ranking ranking = make(NOW);
    const struct ranking_group *group = &ranking.groups[0];
    /* 1: 5 + 2 of 5 1 2. 3: 5 + 1. 4: 5. 2: 2 + 2 of 2 2 1. */
    expect_places(&ranking, "1:1 3:2 4:3 2:4 5:5= 6:5=");
    assert_int_equal(row_of(group, 1)->points, 7 * 60);
    assert_int_equal(group->open_rows[row_of(group, 1)->standing].games, 3);
    assert_int_equal(group->open_rows[row_of(group, 1)->standing].counted, 2);
    assert_int_equal(row_of(group, 6)->standing, RANKING_NONE);
    ranking_free(&ranking);
    play_openly("5 6 4", ""); /* still playing: nobody has anything from it */
    expect_ladder("1:1 3:2 4:3 2:4 5:5= 6:5=");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RANKING_TEST(the_best_go_on),
        RANKING_TEST(places_come_from_the_last_stage_first),
        RANKING_TEST(a_second_defeat_is_the_last),
        RANKING_TEST(pods_knock_out),
        RANKING_TEST(a_ladder_is_climbed),
        RANKING_TEST(two_exchange_rungs),
        RANKING_TEST(open_challenges_are_on_the_ladder),
        RANKING_TEST(overlapping_games_may_end_in_either_order),
        RANKING_TEST(the_best_games_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
