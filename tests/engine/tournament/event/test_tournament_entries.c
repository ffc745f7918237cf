/* Entries of an event as its log makes them: who enters, waits, gets a number, drops out, and whom
 * they are kept apart from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/tournament/event/event_lines.h"
#include "tests/test.h"

LISTED_TEST(who_enters_gets_a_number_when_entries_close)
{
    create_swiss();
    refused("entered", "{'player':<a>}", TOURNAMENT_REFUSAL_PHASE);
    number_four();
    assert_int_equal(event.phase, PHASE_ENTRIES_CLOSED);
    assert_int_equal(event.numbered, 4);
    assert_int_equal(entrant('a')->number, 4);
    assert_int_equal(entrant('a')->rating, 1500);
    assert_int_equal(entrant('d')->number, 1);
    assert_int_equal(number(1), 3);
    assert_int_equal(number(5), TOURNAMENT_NOBODY);
    assert_int_equal(tournament_entry(&event, span_of(id_of('e'))), TOURNAMENT_NOBODY);
}

LISTED_TEST(everybody_and_nobody_else_gets_a_number)
{
    create_swiss();
    take("entries_opened", "{}");
    take("entered", "{'player':<a>}");
    take("entered", "{'player':<b>}");
    refused("entered", "{'player':<a>}", TOURNAMENT_REFUSAL_TWICE);
    refused("entries_closed", "{'numbers':[<a>]}", TOURNAMENT_REFUSAL_LINE);
    refused("entries_closed", "{'numbers':[<a>,<a>]}", TOURNAMENT_REFUSAL_LINE);
    refused("entries_closed", "{'numbers':[<a>,<c>]}", TOURNAMENT_REFUSAL_LINE);
    refused("entries_closed", "{}", TOURNAMENT_REFUSAL_LINE);
    take("withdrawn", "{'player':<a>}");
    refused("withdrawn", "{'player':<a>}", TOURNAMENT_REFUSAL_PLAYER);
    take("entries_closed", "{'numbers':[<b>]}");
    refused("withdrawn", "{'player':<b>}", TOURNAMENT_REFUSAL_PHASE);
}

LISTED_TEST(strengths_belong_to_ratings_and_all_have_one)
{
    create_swiss();
    take("entries_opened", "{}");
    refused("entered", "{'player':<a>,'rating':5000,'strength':[20000000,5000000.0]}",
            TOURNAMENT_REFUSAL_LINE);
    refused("entered", "{'player':<a>,'rating':5000,'strength':[20000000]}",
            TOURNAMENT_REFUSAL_LINE);
    refused("entered", "{'player':<a>,'rating':5000,'strength':[5000000,0]}",
            TOURNAMENT_REFUSAL_LINE);
    refused("entered", "{'player':<a>,'rating':5001,'strength':[20000999,5000000]}",
            TOURNAMENT_REFUSAL_LINE);
    refused("entered", "{'player':<a>,'rating':null,'strength':[20000000,5000000]}",
            TOURNAMENT_REFUSAL_LINE);
    assert_false(tournament_has_strengths(&event));
    take("entered", "{'player':<a>,'rating':5000,'strength':[20000999,5000000]}");
    assert_int_equal(entrant('a')->strength.mu, 20000999);
    assert_int_equal(entrant('a')->strength.sigma, 5000000);
    take("entered", "{'player':<b>,'rating':1,'strength':[-900000,8000000]}");
    take("entered", "{'player':<c>,'rating':null,'strength':[25000000,8333333]}");
    refused("entered", "{'player':<d>,'rating':null}", TOURNAMENT_REFUSAL_LINE);
    assert_true(tournament_has_strengths(&event));
}

LISTED_TEST(older_logs_go_on_without_strengths)
{
    create_swiss();
    take("entries_opened", "{}");
    take("entered", "{'player':<a>,'rating':1500}");
    refused("entered", "{'player':<b>,'rating':null,'strength':[25000000,8333333]}",
            TOURNAMENT_REFUSAL_LINE);
    take("withdrawn", "{'player':<a>}");
    refused("entered", "{'player':<a>,'rating':null,'strength':[25000000,8333333]}",
            TOURNAMENT_REFUSAL_LINE);
    take("entered", "{'player':<a>,'rating':1500}");
    assert_false(tournament_has_strengths(&event));
}

LISTED_TEST(entries_open_again_until_a_round_is_drawn)
{
    create_swiss();
    number_four();
    take("entries_opened", "{}");
    assert_int_equal(entrant('a')->number, 0);
    take("entered", "{'player':<e>}");
    take("entries_closed", "{'numbers':[<a>,<b>,<c>,<d>,<e>]}");
    assert_int_equal(entrant('a')->number, 1);
    take("stage_started", "{'stage':1,'entries':[1,2,3,4,5]}");
    refused("entries_opened", "{}", TOURNAMENT_REFUSAL_PHASE);
}

LISTED_TEST(who_comes_when_it_is_full_waits)
{
    create("{'name':'Cup','ruleset':'shinjuku','format':'pod_swiss','rounds':3,'capacity':2}");
    take("entries_opened", "{}");
    take("entered", "{'player':<a>}");
    take("entered", "{'player':<b>}");
    take("entered", "{'player':<c>}");
    take("entered", "{'player':<d>}");
    assert_int_equal(entrant('b')->state, ENTRANT_TAKEN);
    assert_int_equal(entrant('c')->state, ENTRANT_WAITING);
    take("withdrawn", "{'player':<a>}");
    assert_int_equal(entrant('c')->state, ENTRANT_TAKEN);
    assert_int_equal(entrant('d')->state, ENTRANT_WAITING);
    /* An entry that returns is at the end of the waiting list. */
    take("entered", "{'player':<a>}");
    take("withdrawn", "{'player':<b>}");
    assert_int_equal(entrant('d')->state, ENTRANT_TAKEN);
    assert_int_equal(entrant('a')->state, ENTRANT_WAITING);
    refused("entries_closed", "{'numbers':[<a>,<c>]}", TOURNAMENT_REFUSAL_LINE);
    take("entries_closed", "{'numbers':[<c>,<d>]}");
    assert_int_equal(entrant('a')->number, 0);
    take("withdrawn", "{'player':<a>}");
}

LISTED_TEST(more_capacity_takes_who_waits)
{
    create("{'name':'Cup','ruleset':'shinjuku','format':'pod_swiss','rounds':3,'capacity':1}");
    take("entries_opened", "{}");
    take("entered", "{'player':<a>}");
    take("entered", "{'player':<b>}");
    struct tournament_settings settings = event.settings;
    struct refusal refusal;
    settings.capacity = 2;
    assert_true(apply("settings_changed", settings_write(&settings), &refusal));
    assert_int_equal(entrant('b')->state, ENTRANT_TAKEN);
    assert_int_equal(event.settings.capacity, 2);
}

LISTED_TEST(who_has_not_checked_in_gets_no_number)
{
    create("{'name':'Cup','ruleset':'shinjuku','format':'pod_swiss','rounds':3,'check_in':true,"
           "'late_entries':1}");
    take("entries_opened", "{}");
    take("entered", "{'player':<a>}");
    take("entered", "{'player':<b>}");
    take("entered", "{'player':<c>}");
    take("checked_in", "{'player':<a>,'present':true}");
    refused("checked_in", "{'player':<a>,'present':true}", TOURNAMENT_REFUSAL_TWICE);
    refused("checked_in", "{'player':<a>,'present':1}", TOURNAMENT_REFUSAL_LINE);
    refused("checked_in", "{'player':<z>,'present':true}", TOURNAMENT_REFUSAL_PLAYER);
    take("checked_in", "{'player':<b>,'present':true}");
    take("checked_in", "{'player':<b>,'present':false}");
    take("entries_closed", "{'numbers':[<a>]}");
    assert_int_equal(entrant('b')->state, ENTRANT_NOT_THERE);
    /* And may still come late. */
    take("entered", "{'player':<b>,'late':true}");
    assert_int_equal(entrant('b')->number, 2);
    refused("checked_in", "{'player':<c>,'present':true}", TOURNAMENT_REFUSAL_PHASE);
}

/* Formats, and with how many they can begin. */
LISTED_TEST(entries_are_enough_for_a_table)
{
    static const struct {
        const char *stage;
        unsigned needed;
    } formats[] = {
        {"'ruleset':'shinjuku','format':'pod_swiss','rounds':3,'seats_min':3,'seats_max':4", 3},
        {"'ruleset':'mall-world','format':'pod_swiss','rounds':3", 3},
        {"'ruleset':'shinjuku','format':'dutch','rounds':3", 2},
        {"'ruleset':'shinjuku','format':'round_robin'", 2},
        {"'ruleset':'shinjuku','format':'pod_round_robin','rounds':3,'seats_min':4", 4},
        {"'ruleset':'shinjuku','format':'single_elimination'", 2},
        {"'ruleset':'shinjuku','format':'double_elimination'", 2},
        {"'ruleset':'shinjuku','format':'pod_elimination','seats_min':3,'advance':1", 3},
        {"'ruleset':'shinjuku','format':'league','seats_min':2,'seats_max':2,'division':8", 2},
        {"'ruleset':'shinjuku','format':'ladder'", 1},
        {"'ruleset':'shinjuku','format':'open_play','seats_min':3", 1},
        {"'ruleset':'shinjuku','format':'duplicate','boards':2,'seats_preferred':4", 4},
        {"'ruleset':'supermarche','format':'duplicate','boards':2", 1},
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct tournament_field field;
        char settings[256];
        (void)snprintf(settings, sizeof settings, "{'name':'Cup','check_in':true,%s}",
                       formats[i].stage);
        create(settings);
        take("entries_opened", "{}");
        take("entered", "{'player':<z>}");
        for (unsigned there = 0; there <= formats[i].needed; there++) {
            assert_int_equal(tournament_has_field(&event, &field), there >= formats[i].needed);
            assert_int_equal(field.needed, formats[i].needed);
            assert_int_equal(field.there, there);
            assert_int_equal(field.missing, 1);
            char detail[128];
            (void)snprintf(detail, sizeof detail, "{'player':<%c>}", 'a' + (int)there);
            take("entered", detail);
            assert_false(tournament_has_field(&event, &field) && field.missing == 1);
            (void)snprintf(detail, sizeof detail, "{'player':<%c>,'present':true}",
                           'a' + (int)there);
            take("checked_in", detail);
        }
        take("withdrawn", "{'player':<z>}");
        (void)tournament_has_field(&event, &field);
        assert_int_equal(field.missing, 0);
        (void)clear(NULL);
        (void)empty(NULL);
    }
}

/* There are logs in which it was done. */
LISTED_TEST(entries_are_closed_with_fewer_in_logs)
{
    struct tournament_field field;
    create_swiss();
    take("entries_opened", "{}");
    take("entered", "{'player':<a>}");
    assert_false(tournament_has_field(&event, &field));
    take("entries_closed", "{'numbers':[<a>]}");
    assert_int_equal(event.phase, PHASE_ENTRIES_CLOSED);
}

LISTED_TEST(check_in_is_for_events_that_ask_for_it)
{
    create_swiss();
    take("entries_opened", "{}");
    take("entered", "{'player':<a>}");
    refused("checked_in", "{'player':<a>,'present':true}", TOURNAMENT_REFUSAL_PHASE);
    refused("entered", "{'player':<b>,'late':true}", TOURNAMENT_REFUSAL_PHASE);
}

LISTED_TEST(late_entries_get_the_next_number)
{
    begin_round();
    take("entered", "{'player':<e>,'late':true}");
    assert_int_equal(entrant('e')->number, 5);
    assert_int_equal(entrant('e')->from, 2);
    assert_int_equal(event.stage[0].entry_count, 5);
    assert_int_equal(tournament_presence(&event, 4, 1), ROUND_ABSENT);
    assert_int_equal(tournament_presence(&event, 4, 2), ROUND_PLAYED);
    refused("entered", "{'player':<f>}", TOURNAMENT_REFUSAL_PHASE);
    take("result", "{'round':1,'table':1,'game':<x>,'seats':[[4,1,9],[1,2,3]]}");
    take("result", "{'round':1,'table':2,'game':<y>,'seats':[[3,1,9],[2,2,3]]}");
    take("round_drawn", "{'round':2,'stage':1,'attempt':1,'tables':[[1,2],[3,4]],'byes':[5],"
                        "'quality':{}}");
    /* Not part of a round that has been drawn. */
    take("entered", "{'player':<f>,'late':true}");
    assert_int_equal(entrant('f')->from, 3);
    take("round_started", "{'round':2}");
    refused("entered", "{'player':<g>,'late':true}", TOURNAMENT_REFUSAL_LATE);
}

LISTED_TEST(who_drops_out_is_absent_until_he_returns)
{
    begin_round();
    refused("dropped", "{'player':<a>,'after':0}", TOURNAMENT_REFUSAL_LINE);
    take("dropped", "{'player':<a>,'after':1}");
    assert_int_equal(tournament_presence(&event, 0, 1), ROUND_PLAYED);
    assert_int_equal(tournament_presence(&event, 0, 2), ROUND_ABSENT);
    assert_int_equal(tournament_presence(&event, 0, 64), ROUND_ABSENT);
    refused("dropped", "{'player':<a>,'after':1}", TOURNAMENT_REFUSAL_TWICE);
    refused("returned", "{'player':<a>,'from':1}", TOURNAMENT_REFUSAL_LINE);
    refused("returned", "{'player':<b>,'from':2}", TOURNAMENT_REFUSAL_PLAYER);
    take("returned", "{'player':<a>,'from':3}");
    assert_int_equal(tournament_presence(&event, 0, 2), ROUND_ABSENT);
    assert_int_equal(tournament_presence(&event, 0, 3), ROUND_PLAYED);
}

LISTED_TEST(byes_are_granted_from_entering_on)
{
    create("{'name':'Cup','ruleset':'shinjuku','format':'pod_swiss','rounds':3,'capacity':2}");
    take("entries_opened", "{}");
    refused("bye_granted", "{'player':<a>,'round':1,'kind':'zero'}", TOURNAMENT_REFUSAL_PLAYER);
    take("entered", "{'player':<a>}");
    take("entered", "{'player':<b>}");
    take("entered", "{'player':<c>}"); /* waits */
    take("bye_granted", "{'player':<a>,'round':2,'kind':'zero'}");
    take("bye_granted", "{'player':<b>,'round':1,'kind':'half'}");
    take("bye_revoked", "{'player':<b>,'round':1}");
    take("bye_granted", "{'player':<c>,'round':1,'kind':'zero'}");
    take("withdrawn", "{'player':<b>}"); /* so that the waiting player has a place */
    refused("bye_granted", "{'player':<b>,'round':1,'kind':'zero'}", TOURNAMENT_REFUSAL_PLAYER);
    take("entries_closed", "{'numbers':[<a>,<c>]}");
    assert_int_equal(tournament_presence(&event, 0, 1), ROUND_PLAYED);
    assert_int_equal(tournament_presence(&event, 0, 2), ROUND_ZERO_BYE);
    assert_int_equal(tournament_presence(&event, 2, 1), ROUND_ZERO_BYE);
    assert_int_equal(tournament_presence(&event, 2, 2), ROUND_PLAYED);
}

LISTED_TEST(byes_are_granted_before_the_draw)
{
    begin_round();
    refused("bye_granted", "{'player':<a>,'round':1,'kind':'half'}", TOURNAMENT_REFUSAL_LATE);
    refused("bye_granted", "{'player':<a>,'round':2,'kind':'double'}", TOURNAMENT_REFUSAL_LINE);
    take("bye_granted", "{'player':<a>,'round':2,'kind':'half'}");
    take("bye_granted", "{'player':<b>,'round':2,'kind':'full'}");
    take("bye_granted", "{'player':<c>,'round':2,'kind':'zero'}");
    refused("bye_granted", "{'player':<a>,'round':2,'kind':'full'}", TOURNAMENT_REFUSAL_TWICE);
    assert_int_equal(tournament_presence(&event, 0, 2), ROUND_HALF_BYE);
    assert_int_equal(tournament_presence(&event, 1, 2), ROUND_FULL_BYE);
    assert_int_equal(tournament_presence(&event, 2, 2), ROUND_ZERO_BYE);
    take("bye_revoked", "{'player':<a>,'round':2}");
    refused("bye_revoked", "{'player':<a>,'round':2}", TOURNAMENT_REFUSAL_PLAYER);
    assert_int_equal(tournament_presence(&event, 0, 2), ROUND_PLAYED);
}

LISTED_TEST(pairs_are_kept_apart)
{
    create_swiss();
    number_four();
    take("kept_apart", "{'players':[<a>,<b>],'weight':'forbidden'}");
    refused("kept_apart", "{'players':[<b>,<a>],'weight':'forbidden'}", TOURNAMENT_REFUSAL_TWICE);
    take("kept_apart", "{'players':[<b>,<a>],'weight':7}");
    assert_int_equal(event.pair_count, 1);
    assert_int_equal(event.pairs[0].weight, 7);
    refused("kept_apart", "{'players':[<b>,<b>],'weight':7}", TOURNAMENT_REFUSAL_LINE);
    refused("kept_apart", "{'players':[<b>,<e>],'weight':7}", TOURNAMENT_REFUSAL_PLAYER);
    refused("kept_apart", "{'players':[<b>,<c>],'weight':0}", TOURNAMENT_REFUSAL_LINE);
    refused("kept_apart", "{'players':[<b>,<c>],'weight':10001}", TOURNAMENT_REFUSAL_LINE);
    take("not_kept_apart", "{'players':[<a>,<b>]}");
    refused("not_kept_apart", "{'players':[<a>,<b>]}", TOURNAMENT_REFUSAL_PLAYER);
    assert_int_equal(event.pair_count, 0);
}

LISTED_TEST(thousands_of_entries_are_found)
{
    enum { ENTRIES = 4096 };
    struct refusal refusal;
    char id[TOURNAMENT_ID_BYTES];
    create_swiss();
    take("entries_opened", "{}");
    for (unsigned i = 0; i <= ENTRIES; i++) {
        snprintf(id, sizeof id, "%08x-0000-7000-8000-000000000000", i * 2654435761U);
        bool taken = apply("entered", json_pack("{s:s}", "player", id), &refusal);
        assert_int_equal(taken, i < ENTRIES);
    }
    assert_string_equal(refusal.code, TOURNAMENT_REFUSAL_FULL);
    for (unsigned i = 0; i < ENTRIES; i++) {
        snprintf(id, sizeof id, "%08x-0000-7000-8000-000000000000", i * 2654435761U);
        assert_int_equal(tournament_entry(&event, span_of(id)), i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EVENT_TEST(who_enters_gets_a_number_when_entries_close),
        EVENT_TEST(everybody_and_nobody_else_gets_a_number),
        EVENT_TEST(strengths_belong_to_ratings_and_all_have_one),
        EVENT_TEST(older_logs_go_on_without_strengths),
        EVENT_TEST(entries_open_again_until_a_round_is_drawn),
        EVENT_TEST(who_comes_when_it_is_full_waits),
        EVENT_TEST(more_capacity_takes_who_waits),
        EVENT_TEST(who_has_not_checked_in_gets_no_number),
        EVENT_TEST(entries_are_enough_for_a_table),
        EVENT_TEST(entries_are_closed_with_fewer_in_logs),
        EVENT_TEST(check_in_is_for_events_that_ask_for_it),
        EVENT_TEST(late_entries_get_the_next_number),
        EVENT_TEST(who_drops_out_is_absent_until_he_returns),
        EVENT_TEST(byes_are_granted_from_entering_on),
        EVENT_TEST(byes_are_granted_before_the_draw),
        EVENT_TEST(pairs_are_kept_apart),
        EVENT_TEST(thousands_of_entries_are_found),
    };
    return cmocka_run_group_tests_name("tournament entries", tests, NULL, NULL);
}
