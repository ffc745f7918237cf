/* Which programs may enter: bots, and house players up to a level. */
#include <string.h>

#include "tests/engine/tournament/pairing/pairing_event.h"
#include "tests/test.h"

/* The line of player `n`, with one more member if `name` is not NULL. */
static json_t *entry_of(unsigned n, const char *name, const char *value)
{
    json_t *detail = json_pack("{sssn}", "player", told_id(n), "rating");
    if (name != NULL)
        json_object_set_new(detail, name, json_string(value));
    return detail;
}

static void refused(json_t *detail, const char *code)
{
    struct refusal refusal = {"", ""};
    size_t before = event.entrant_count;
    assert_false(line(&event, "entered", detail, &refusal));
    assert_string_equal(refusal.code, code);
    assert_int_equal(event.entrant_count, before);
}

TEST(no_house_player_enters_unless_the_event_says_so)
{
    open_entries("{'format':'pod_swiss','rounds':3}");
    refused(entry_of(1, "house", "beginner"), TOURNAMENT_REFUSAL_HOUSE);
    take("entered", entry_of(1, NULL, NULL));
    take("entered", entry_of(2, "owner", told_id(9)));
    assert_int_equal(event.entrants[0].house, HOUSE_NONE);
}

TEST(house_players_enter_up_to_a_level)
{
    open_entries("{'format':'pod_swiss','rounds':3,'house':'regular'}");
    take("entered", entry_of(1, "house", "beginner"));
    take("entered", entry_of(2, "house", "regular"));
    refused(entry_of(3, "house", "strong"), TOURNAMENT_REFUSAL_HOUSE);
    refused(entry_of(3, "house", "master"), TOURNAMENT_REFUSAL_HOUSE);
    assert_int_equal(event.entrants[0].house, HOUSE_BEGINNER);
    assert_int_equal(event.entrants[1].house, HOUSE_REGULAR);
    /* Programs that have entered stay in. */
    json_t *settings = json_deep_copy(event.settings_document);
    json_object_set_new(settings, "house", json_string("beginner"));
    take("settings_changed", settings);
    refused(entry_of(3, "house", "regular"), TOURNAMENT_REFUSAL_HOUSE);
    assert_int_equal(event.entrants[1].state, ENTRANT_TAKEN);
}

TEST(no_bot_enters_where_none_may)
{
    open_entries("{'format':'pod_swiss','rounds':3,'bots':false,'house':'master'}");
    refused(entry_of(1, "owner", told_id(9)), TOURNAMENT_REFUSAL_BOT);
    take("entered", entry_of(1, "house", "master"));
    take("entered", entry_of(2, NULL, NULL));
}

TEST(lines_that_say_no_level_are_refused)
{
    static const char *const bad[] = {"none", "divine", "", "Strong"};
    open_entries("{'format':'pod_swiss','rounds':3,'house':'master'}");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refused(entry_of(1, "house", bad[i]), TOURNAMENT_REFUSAL_LINE);
    json_t *owned = entry_of(1, "house", "strong");
    json_object_set_new(owned, "owner", json_string(told_id(9)));
    refused(owned, TOURNAMENT_REFUSAL_LINE);
    json_t *number = entry_of(1, NULL, NULL);
    json_object_set_new(number, "house", json_integer(3));
    refused(number, TOURNAMENT_REFUSAL_LINE);
}

int main(void)
{
    return run_all_tests(NULL, clear);
}
