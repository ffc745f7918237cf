/* Standings of events whose formats count points, as functions of their lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/tournament/pairing/told_ranking.h"
#include "tests/test.h"

static const char pods[] =
    "{'name':'Pods','ruleset':'shinjuku','format':'pod_swiss','rounds':5,'seats_min':3,"
    "'seats_max':4,'seats_preferred':4,'late_entries':3}";

static uint32_t luck;

static uint32_t roll(uint32_t sides)
{
    luck = luck * 1664525U + 1013904223U;
    return (luck >> 8) % sides;
}

/* A drawn and played round for everybody who has a number: tables of four, then byes. */
static void play_any_round(void)
{
    char tables[TEXT_MAX], byes[64];
    struct text text = TEXT_OVER(tables), rest = TEXT_OVER(byes);
    unsigned order[PLAYERS_MAX], count = (unsigned)event.numbered;
    for (unsigned i = 0; i < count; i++)
        order[i] = i + 1;
    for (unsigned i = count; i > 1; i--) {
        unsigned j = roll(i), moved = order[i - 1];
        order[i - 1] = order[j];
        order[j] = moved;
    }
    for (unsigned i = 0; i < count; i++) {
        struct text *to = i < count / 4 * 4 ? &text : &rest;
        text_add(to, to == &text && i > 0 && i % 4 == 0 ? " / " : " ");
        text_add_number(to, order[i]);
    }
    tell_round(&event, tables, byes, "");
    for (unsigned table = 1; table <= count / 4; table++) {
        static const char *const ranks[] = {"1 2 3 4", "4 3 2 1", "2 1 3 3", "1 1 3 4", "1 1 1 1"};
        if (roll(8) == 0)
            tell_ruling(&event, event.rounds_started, table, "1a 2a 3- 3-");
        else
            tell_result(&event, event.rounds_started, table, ranks[roll(5)]);
    }
}

/* What api/tables/standings.c has always made of the same results. */
static void expect_standings(const struct ranking_group *group, unsigned rounds)
{
    struct entry entries[PLAYERS_MAX] = {{0}};
    size_t result_count;
    struct table_result *results = tournament_results(&event, 0, 0, rounds, &result_count);
    struct standings standings;
    struct refusal refusal;
    assert_non_null(results);
    for (size_t i = 0; i < event.entrant_count; i++)
        entries[i].tpn = event.entrants[i].number;
    const struct standings_input input = {.entries = entries,
                                          .entry_count = event.entrant_count,
                                          .results = results,
                                          .result_count = result_count,
                                          .scoring = &scoring_default,
                                          .chain = tie_break_pods,
                                          .chain_count = tie_break_pods_count,
                                          .rounds = (uint16_t)rounds,
                                          .chance = &test_chance};
    assert_true(standings_make(&input, &standings, &refusal));
    assert_int_equal(group->count, standings.count);
    assert_int_equal(group->result_count, result_count);
    for (size_t i = 0; i < standings.count; i++) {
        const struct standing *expected = &standings.rows[i];
        const struct ranking_row *row = &group->rows[i];
        assert_int_equal(row->entry, expected->entry);
        assert_int_equal(row->place, expected->rank);
        assert_int_equal(row->points, expected->points);
        assert_memory_equal(group->standings.rows[row->standing].value, expected->value,
                            sizeof expected->value);
        for (size_t position = 0; position < group->chain_count; position++) {
            struct tie_break_operand ours[STANDINGS_OPERANDS_MAX], theirs[STANDINGS_OPERANDS_MAX];
            size_t count = ranking_operands(group, row, position, ours);
            assert_int_equal(count,
                             standings_operands(&standings, position, expected->entry, theirs));
            if (count > 0)
                assert_memory_equal(ours, theirs, count * sizeof *ours);
        }
    }
    standings_free(&standings);
    free(results);
}

LISTED_TEST(pods_are_as_standings_make_them)
{
    for (luck = 1; luck < 40; luck += 13) {
        uint32_t seed = luck;
        tell_entries(&event, pods, 9 + roll(40));
        tell_stage(&event, "");
        for (unsigned round = 1; round <= 5; round++)
            play_any_round();
        for (unsigned rounds = 0; rounds <= 5; rounds++) {
            struct ranking ranking = make(rounds);
            assert_int_equal(ranking.group_count, 1);
            expect_standings(&ranking.groups[0], rounds);
            ranking_free(&ranking);
        }
        tournament_free(&event);
        luck = seed;
    }
}

/* Results in another order, and a seeding in another: the standings are the same but for numbers.
 */
LISTED_TEST(the_order_of_lines_does_not_matter)
{
    static const char *const orders[2][4] = {{"1", "2"}, {"2", "1"}};
    char written[2][TEXT_MAX];
    for (unsigned i = 0; i < 2; i++) {
        tell_entries(&event, pods, 8);
        tell_stage(&event, i == 0 ? "1 2 3 4 5 6 7 8" : "8 7 6 5 4 3 2 1");
        tell_round(&event, "1 3 5 7 / 2 4 6 8", "", "");
        for (unsigned j = 0; j < 2; j++)
            tell_result(&event, 1, (unsigned)atoi(orders[i][j]), "1 2 2 4");
        struct ranking ranking = make(1);
        write_places(&ranking, written[i]);
        ranking_free(&ranking);
        tournament_free(&event);
    }
    assert_string_equal(written[0], written[1]);
}

LISTED_TEST(equal_entries_share_a_place)
{
    tell_entries(&event,
                 "{'name':'Pods','ruleset':'shinjuku','format':'pod_swiss','rounds':5,'seats_min':"
                 "4,'seats_max':4,'tie_breaks':['PTS']}",
                 8);
    tell_stage(&event, "");
    tell_round(&event, "1 2 3 4 / 5 6 7 8", "", "");
    tell_result(&event, 1, 1, "1 2 3 4");
    struct ranking ranking = make(1);
    expect_places(&ranking, "1:1 2:2 3:3 4:4 5:5= 6:5= 7:5= 8:5=");
    assert_int_equal(ranking.groups[0].rows[4].shared, 4);
    ranking_free(&ranking);
    tell_result(&event, 1, 2, "1 1 3 4");
    ranking = make(1);
    /* 5, 3, 2, 1 and 4, 4, 2, 1. */
    expect_places(&ranking, "1:1 5:2= 6:2= 2:4 3:5= 7:5= 4:7= 8:7=");
    ranking_free(&ranking);
}

LISTED_TEST(who_comes_later_is_not_in_earlier_standings)
{
    tell_entries(&event, pods, 4);
    tell_stage(&event, "");
    tell_round(&event, "1 2 3 4", "", "");
    tell_result(&event, 1, 1, "1 2 3 4");
    tell(&event, "entered", "{'player':<5>,'late':true}");
    struct ranking ranking = make(0);
    assert_int_equal(ranking.place_count, 4);
    ranking_free(&ranking);
    ranking = make(1); /* of now: this player will be in the next round */
    expect_places(&ranking, "1:1 2:2 3:3 4:4 5:5");
    ranking_free(&ranking);
    tell_round(&event, "1 2 3 5", "4", "");
    tell_result(&event, 2, 1, "4 3 2 1");
    ranking = make(0); /* after round 1 that player was there already */
    assert_int_equal(ranking.place_count, 4);
    ranking_free(&ranking);
    ranking = make(1);
    expect_places(&ranking, "1:1 2:2 3:3 4:4 5:5");
    assert_int_equal(row_of(&ranking.groups[0], 5)->points, 0);
    ranking_free(&ranking);
    ranking = make(2);
    assert_int_equal(ranking.place_count, 5);
    ranking_free(&ranking);
}

LISTED_TEST(a_draft_does_not_count)
{
    tell_entries(&event, pods, 5);
    tell_stage(&event, "");
    tell(&event, "round_drawn",
         "{'round':1,'stage':1,'attempt':1,'tables':[[1,2,3,4]],'byes':[5],'quality':{}}");
    struct ranking ranking = make(NOW);
    assert_int_equal(ranking.groups[0].result_count, 0);
    assert_int_equal(ranking.groups[0].rows[0].points, 0);
    ranking_free(&ranking);
    tell(&event, "round_started", "{'round':1,'deadline':null}");
    ranking = make(NOW);
    assert_int_equal(ranking.groups[0].result_count, 1);
    assert_int_equal(row_of(&ranking.groups[0], 5)->points, 165); /* the bye: 2 3/4 */
    ranking_free(&ranking);
}

LISTED_TEST(an_unrated_entry_counts_as_the_lowest)
{
    tell_entries(&event,
                 "{'name':'Swiss','ruleset':'shinjuku','format':'dutch','rounds':3,"
                 "'late_entries':1,'tie_breaks':['PTS','ARO','SH']}",
                 3);
    tell(&event, "entered", "{'player':<4>,'rating':null,'late':true}");
    tell_stage(&event, "");
    tell_round(&event, "1 4 / 2 3", "", "");
    tell_results(&event, 1, "1 1 / 1 1");
    struct ranking ranking = make(1);
    const struct ranking_group *group = &ranking.groups[0];
    /* Ratings 1001, 1002, 1003 and none; each has the other's. */
    assert_int_equal(group->standings.rows[row_of(group, 1)->standing].value[1].numerator, 1001);
    assert_int_equal(group->standings.rows[row_of(group, 4)->standing].value[1].numerator, 1001);
    expect_places(&ranking, "2:1 3:2 1:3= 4:3=");
    ranking_free(&ranking);
}

static double handicap_of(unsigned number, unsigned rounds)
{
    struct ranking ranking = make(rounds);
    const struct ranking_group *group = &ranking.groups[0];
    struct tie_break_value value = group->standings.rows[row_of(group, number)->standing].value[1];
    ranking_free(&ranking);
    return (double)value.numerator / (double)value.denominator;
}

/* Ten tables of two in each round, and the first seat wins all but one of them. */
LISTED_TEST(seats_have_the_handicap_of_the_stage)
{
    tell_entries(&event,
                 "{'name':'Swiss','ruleset':'shinjuku','format':'dutch','rounds':10,"
                 "'tie_breaks':['PTS','SH']}",
                 20);
    tell_stage(&event, "");
    for (unsigned round = 1; round <= 10; round++) {
        tell_round(&event, "1 11 / 2 12 / 3 13 / 4 14 / 5 15 / 6 16 / 7 17 / 8 18 / 9 19 / 20 10",
                   "", "");
        tell_results(&event, round, "1 2 / 1 2 / 1 2 / 1 2 / 1 2 / 1 2 / 1 2 / 1 2 / 1 2 / 2 1");
    }
    assert_true(handicap_of(1, 9) == 0);   /* 90 tables */
    assert_true(handicap_of(1, 10) == -4); /* 10 times 0.5 - 0.9 */
    assert_true(handicap_of(10, 10) == 4);
    assert_true(handicap_of(20, 10) == -4);
}

/* ---- Round robins ---- */

static const char round_robin[] =
    "{'name':'All','ruleset':'shinjuku','format':'round_robin','tie_breaks':['PTS','DE','SB']}";

/* Four: 1-4 2-3, 4-3 1-2, 2-4 3-1. */
LISTED_TEST(who_left_too_early_counts_for_nobody)
{
    tell_entries(&event, round_robin, 4);
    tell_stage(&event, "");
    tell_round(&event, "1 4 / 2 3", "", "");
    tell_result(&event, 1, 1, "2 1"); /* 4 beats 1 */
    tell_result(&event, 1, 2, "1 2");
    expect_placed(1, "2:1= 4:1= 1:3= 3:3=");
    tell(&event, "dropped", "{'player':<4>,'after':1}");
    struct ranking ranking = make(1);
    const struct ranking_group *group = &ranking.groups[0];
    expect_places(&ranking, "2:1 1:2= 3:2= 4:4");
    assert_true(row_of(group, 4)->annulled);
    assert_false(row_of(group, 1)->annulled);
    assert_int_equal(row_of(group, 4)->points, 0);
    assert_int_equal(group->result_count, 1);
    ranking_free(&ranking);
    /* The games that it does not play are forfeits; it is annulled all the same. */
    tell_round(&event, "4 3 / 1 2", "", "");
    tell_ruling(&event, 2, 1, "2- 1+");
    tell_result(&event, 2, 2, "1 2");
    ranking = make(2);
    expect_places(&ranking, "1:1 2:2 3:3 4:4"); /* 1 and 2 have beaten one each, 1 the other */
    assert_int_equal(row_of(&ranking.groups[0], 3)->points, 0);
    ranking_free(&ranking);
}

LISTED_TEST(two_who_left_share_the_last_place)
{
    tell_entries(&event, round_robin, 4);
    tell_stage(&event, "");
    tell_round(&event, "1 4 / 2 3", "", "");
    tell_results(&event, 1, "2 1 / 1 2");
    tell(&event, "dropped", "{'player':<4>,'after':1}");
    tell(&event, "dropped", "{'player':<2>,'after':1}");
    expect_placed(1, "1:1= 3:1= 2:3= 4:3=");
}

/* Twice: six games, of which three are half. */
LISTED_TEST(who_left_later_has_lost_the_others)
{
    tell_entries(&event,
                 "{'name':'All','ruleset':'shinjuku','format':'round_robin','twice':true,"
                 "'tie_breaks':['PTS']}",
                 4);
    tell_stage(&event, "");
    static const char *const rounds[] = {"1 4 / 2 3", "2 4 / 3 1", "4 3 / 1 2"};
    for (unsigned round = 1; round <= 3; round++) {
        tell_round(&event, rounds[round - 1], "", "");
        tell_results(&event, round, "1 2 / 1 2");
    }
    tell(&event, "dropped", "{'player':<4>,'after':3}");
    tell_round(&event, "4 1 / 3 2", "", "");
    tell_ruling(&event, 4, 1, "2- 1+");
    struct ranking ranking = make(4);
    const struct ranking_group *group = &ranking.groups[0];
    assert_false(row_of(group, 4)->annulled);
    assert_int_equal(row_of(group, 4)->points, 60);
    assert_int_equal(row_of(group, 1)->points, 180); /* beat 4 and 2, and 4 by forfeit */
    ranking_free(&ranking);
    /* As of earlier rounds it had not left. */
    ranking = make(1);
    assert_false(row_of(&ranking.groups[0], 4)->annulled);
    ranking_free(&ranking);
}

/* Two games lost by not being there are two games lost. */
LISTED_TEST(who_leaves_after_the_last_round_has_not_left)
{
    tell_entries(&event, round_robin, 4);
    tell_stage(&event, "");
    tell_round(&event, "1 4 / 2 3", "", "");
    tell_results(&event, 1, "2 1 / 1 2");
    tell_round(&event, "4 3 / 1 2", "", "");
    tell_ruling(&event, 2, 1, "2- 1+");
    tell_result(&event, 2, 2, "1 2");
    tell_round(&event, "2 4 / 3 1", "", "");
    tell_ruling(&event, 3, 1, "1+ 2-");
    tell_result(&event, 3, 2, "2 1");
    tell(&event, "dropped", "{'player':<4>,'after':3}");
    struct ranking ranking = make(3);
    assert_false(row_of(&ranking.groups[0], 4)->annulled);
    assert_int_equal(row_of(&ranking.groups[0], 4)->points, 60);
    ranking_free(&ranking);
}

LISTED_TEST(who_comes_back_is_not_annulled)
{
    tell_entries(&event, round_robin, 4);
    tell_stage(&event, "");
    tell_round(&event, "1 4 / 2 3", "", "");
    tell_results(&event, 1, "2 1 / 1 2");
    tell(&event, "dropped", "{'player':<4>,'after':1}");
    tell(&event, "returned", "{'player':<4>,'from':3}");
    expect_placed(1, "2:1= 4:1= 1:3= 3:3=");
}

/* At tables of three a result is of all who sat there: it stands whoever leaves. */
LISTED_TEST(nobody_is_annulled_at_larger_tables)
{
    tell_entries(&event,
                 "{'name':'Pods','ruleset':'shinjuku','format':'pod_round_robin','rounds':4,"
                 "'seats_min':3,'seats_max':3,'tie_breaks':['PTS','TPN']}",
                 6);
    tell_stage(&event, "");
    tell_round(&event, "1 2 3 / 4 5 6", "", "");
    tell_results(&event, 1, "3 2 1 / 1 2 3");
    tell(&event, "dropped", "{'player':<3>,'after':1}");
    struct ranking ranking = make(1);
    expect_places(&ranking, "3:1 4:2 2:3 5:4 1:5 6:6");
    assert_false(row_of(&ranking.groups[0], 3)->annulled);
    ranking_free(&ranking);
}

LISTED_TEST(each_division_has_its_standing)
{
    tell_entries(&event,
                 "{'name':'League','ruleset':'shinjuku','format':'league','division':4,"
                 "'seats_min':2,'seats_max':2,'tie_breaks':['PTS','DE']}",
                 8);
    struct ranking ranking = make(0);
    assert_int_equal(ranking.group_count, 1); /* divisions are made when it begins */
    assert_int_equal(ranking.groups[0].division, 0);
    ranking_free(&ranking);
    tell_stage(&event, "");
    tell_round(&event, "1 4 / 2 3 / 5 8 / 6 7", "", "");
    tell_results(&event, 1, "2 1 / 1 2 / 1 2 / 2 1");
    ranking = make(1);
    assert_int_equal(ranking.group_count, 2);
    assert_int_equal(ranking.groups[1].division, 2);
    assert_int_equal(ranking.groups[0].result_count, 2);
    expect_group(&ranking, 0, "2:1= 4:1= 1:3= 3:3=");
    expect_group(&ranking, 1, "5:1= 7:1= 6:3= 8:3=");
    expect_places(&ranking, "2:1= 4:1= 1:3= 3:3= 5:5= 7:5= 6:7= 8:7=");
    ranking_free(&ranking);
    tell(&event, "dropped", "{'player':<5>,'after':1}");
    ranking = make(1);
    expect_group(&ranking, 1, "7:1 6:2= 8:2= 5:4");
    ranking_free(&ranking);
}

/* A second stage with points counts its own rounds: tie-breaks over rounds 1 and 2 of the stage. */
LISTED_TEST(a_later_stage_counts_from_its_own_first_round)
{
    tell_entries(&event,
                 "{'name':'Cup','ruleset':'shinjuku','stages':[{'format':'pod_swiss','rounds':1,"
                 "'seats_min':4,'seats_max':4},{'format':'round_robin','entrants':2,'twice':true,"
                 "'tie_breaks':['PTS','SB']}]}",
                 4);
    tell_stage(&event, "");
    tell_round(&event, "1 2 3 4", "", "");
    tell_result(&event, 1, 1, "1 2 3 4");
    tell_stage(&event, "1 2");
    tell_round(&event, "1 2", "", "");
    tell_result(&event, 2, 1, "1 1");
    tell_round(&event, "2 1", "", "");
    tell_result(&event, 3, 1, "1 2");
    struct ranking ranking = make(3);
    const struct ranking_group *group = &ranking.groups[1];
    const struct ranking_row *row = row_of(group, 2);
    struct tie_break_operand operands[STANDINGS_OPERANDS_MAX];
    assert_int_equal(group->first_round, 2);
    assert_int_equal(row->points, 90);
    assert_int_equal(ranking_operands(group, row, 0, operands), 2);
    assert_int_equal(operands[0].round, 2);
    assert_int_equal(operands[1].round, 3);
    assert_int_equal(ranking_operands(group, row, 1, operands), 2);
    assert_int_equal(operands[0].entry, 0);
    expect_places(&ranking, "2:1 1:2 3:3 4:4");
    ranking_free(&ranking);
    ranking = make(2);
    assert_int_equal(row_of(&ranking.groups[1], 2)->points, 30);
    ranking_free(&ranking);
}

/* ---- Before and after, who met whom ---- */

LISTED_TEST(a_ruling_changes_what_it_has_to)
{
    struct ranking_difference differences[8];
    tell_entries(&event,
                 "{'name':'Pods','ruleset':'shinjuku','format':'pod_swiss','rounds':5,'seats_min':"
                 "4,'seats_max':4,'tie_breaks':['PTS','TPN']}",
                 8);
    tell_stage(&event, "");
    tell_round(&event, "1 2 3 4 / 5 6 7 8", "", "");
    tell_results(&event, 1, "1 2 3 4 / 1 2 3 4");
    struct ranking was = make(1);
    assert_int_equal(ranking_compare(&was, &was, differences), 0);
    tell_ruling(&event, 1, 2, "1a 3a 2a 4a");
    struct ranking is = make(1);
    expect_places(&was, "1:1 5:2 2:3 6:4 3:5 7:6 4:7 8:8");
    expect_places(&is, "1:1 5:2 2:3 7:4 3:5 6:6 4:7 8:8");
    assert_int_equal(ranking_compare(&was, &is, differences), 2);
    assert_int_equal(differences[0].entry, 6);
    assert_int_equal(differences[0].place_was, 6);
    assert_int_equal(differences[0].place_is, 4);
    assert_int_equal(differences[0].points_was, 120);
    assert_int_equal(differences[0].points_is, 180);
    assert_int_equal(differences[1].entry, 5);
    ranking_free(&was);
    was = is;
    tell_ruling(&event, 1, 1,
                "1a 2a 2a 4a"); /* second and third shared: the places stay as they are */
    is = make(1);
    expect_places(&is, "1:1 5:2 7:3 2:4 3:5 6:6 4:7 8:8");
    assert_int_equal(ranking_compare(&was, &is, differences), 3);
    ranking_free(&was);
    ranking_free(&is);
}

LISTED_TEST(who_is_new_was_nowhere)
{
    struct ranking_difference differences[8];
    tell_entries(&event, pods, 4);
    tell_stage(&event, "");
    struct ranking was = make(NOW);
    tell(&event, "entered", "{'player':<5>,'late':true}");
    struct ranking is = make(NOW);
    size_t count = ranking_compare(&was, &is, differences);
    assert_true(count >= 1);
    bool found = false;
    for (size_t i = 0; i < count; i++)
        if (differences[i].entry == 4) {
            found = true;
            assert_int_equal(differences[i].place_was, 0);
            assert_int_not_equal(differences[i].place_is, 0);
        }
    assert_true(found);
    ranking_free(&was);
    ranking_free(&is);
}

static void note_meeting(void *context, uint16_t a, uint16_t b,
                         const struct tournament_table *table)
{
    struct text *text = context;
    text_add_number(text, table->round);
    text_add_char(text, '.');
    text_add_number(text, table->table);
    text_add_char(text, ':');
    text_add_number(text, number_of(a));
    text_add_char(text, '-');
    text_add_number(text, number_of(b));
    text_add_char(text, ' ');
}

static void expect_meetings(size_t stage, unsigned rounds, const char *expected)
{
    char written[TEXT_MAX];
    struct text text = TEXT_OVER(written);
    ranking_crosstable(&event, stage, rounds, note_meeting, &text);
    assert_string_equal(written, expected);
}

LISTED_TEST(the_crosstable_has_every_meeting)
{
    tell_entries(&event, pods, 7);
    tell_stage(&event, "");
    tell_round(&event, "4 2 1 / 3 5 6", "7", "");
    expect_meetings(0, 0, "");
    expect_meetings(0, 1, "1.1:2-4 1.1:1-4 1.1:1-2 1.2:3-5 1.2:3-6 1.2:5-6 ");
    tell_results(&event, 1, "1 2 3 / 1 2 3");
    tell(&event, "round_drawn",
         "{'round':2,'stage':1,'attempt':1,'tables':[[7,2,1]],'byes':[3,4,5,6],'quality':{}}");
    expect_meetings(0, 9, "1.1:2-4 1.1:1-4 1.1:1-2 1.2:3-5 1.2:3-6 1.2:5-6 "); /* a draft */
    expect_meetings(1, 9, "");
}

/* ---- Invariants and refusals ---- */

LISTED_TEST(everybody_has_one_place)
{
    for (luck = 5; luck < 50; luck += 9) {
        uint32_t seed = luck;
        tell_entries(&event, pods, 4 + roll(30));
        tell_stage(&event, "");
        for (unsigned round = 1; round <= 4; round++)
            play_any_round();
        struct ranking ranking = make(NOW);
        bool seen[PLAYERS_MAX] = {false};
        assert_int_equal(ranking.place_count, event.numbered);
        for (size_t i = 0; i < ranking.place_count; i++) {
            const struct ranking_place *place = &ranking.places[i];
            size_t better = 0, equal = 0;
            assert_false(seen[place->entry]);
            seen[place->entry] = true;
            for (size_t j = 0; j < ranking.place_count; j++) {
                better += ranking.places[j].place < place->place;
                equal += ranking.places[j].place == place->place;
            }
            assert_int_equal(place->place, better + 1);
            assert_int_equal(place->shared, equal);
            assert_true(i == 0 || ranking.places[i - 1].place <= place->place);
        }
        ranking_free(&ranking);
        tournament_free(&event);
        luck = seed;
    }
}

static void refused(unsigned rounds, const char *code)
{
    struct ranking ranking;
    struct refusal refusal;
    assert_false(ranking_make(&event, &test_chance, rounds, &ranking, &refusal));
    assert_string_equal(refusal.code, code);
}

LISTED_TEST(there_are_none_before_numbers)
{
    refused(0, RANKING_REFUSAL_NOT_YET);
    tell_entries(&event, pods, 4);
    struct ranking ranking = make(0);
    assert_int_equal(ranking.place_count, 4); /* in the order of the draw that ends the chain */
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(ranking.places[i].place, i + 1);
    ranking_free(&ranking);
    tell(&event, "entries_opened", "{}");
    refused(0, RANKING_REFUSAL_NOT_YET);
}

LISTED_TEST(duplicate_has_its_own)
{
    tell_entries(&event,
                 "{'name':'Boards','ruleset':'shinjuku','format':'duplicate','boards':2,"
                 "'seats_preferred':4}",
                 4);
    refused(0, RANKING_REFUSAL_NOT_YET);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RANKING_TEST(pods_are_as_standings_make_them),
        RANKING_TEST(the_order_of_lines_does_not_matter),
        RANKING_TEST(equal_entries_share_a_place),
        RANKING_TEST(who_comes_later_is_not_in_earlier_standings),
        RANKING_TEST(a_draft_does_not_count),
        RANKING_TEST(an_unrated_entry_counts_as_the_lowest),
        RANKING_TEST(seats_have_the_handicap_of_the_stage),
        RANKING_TEST(who_left_too_early_counts_for_nobody),
        RANKING_TEST(two_who_left_share_the_last_place),
        RANKING_TEST(who_left_later_has_lost_the_others),
        RANKING_TEST(who_leaves_after_the_last_round_has_not_left),
        RANKING_TEST(who_comes_back_is_not_annulled),
        RANKING_TEST(nobody_is_annulled_at_larger_tables),
        RANKING_TEST(each_division_has_its_standing),
        RANKING_TEST(a_later_stage_counts_from_its_own_first_round),
        RANKING_TEST(a_ruling_changes_what_it_has_to),
        RANKING_TEST(who_is_new_was_nowhere),
        RANKING_TEST(the_crosstable_has_every_meeting),
        RANKING_TEST(everybody_has_one_place),
        RANKING_TEST(there_are_none_before_numbers),
        RANKING_TEST(duplicate_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
