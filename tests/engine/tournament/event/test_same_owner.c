/* Entries with one owner sit apart: a player and their bots. Player n may be the bot of player m; m
 * need not have entered. */
#include "tests/engine/tournament/pairing/pairing_event.h"
#include "tests/test.h"

enum { PLAYERS = 12 };

/* Owners of players 1 .. 12, 0 for who is no bot: 1, 2 and 3 are one person; so are 4 and 5, whose
 * owner is not there, and 9 and 12. */
static const unsigned owners[PLAYERS] = {0, 1, 1, 50, 50, 0, 0, 51, 0, 0, 0, 9};

static bool is_one_person(uint16_t a, uint16_t b)
{
    unsigned one = owners[a] == 0 ? a + 1U : owners[a];
    unsigned other = owners[b] == 0 ? b + 1U : owners[b];
    return a != b && one == other;
}

static json_t *entry_of(unsigned n)
{
    json_t *detail = json_pack("{sssn}", "player", told_id(n), "rating");
    if (owners[n - 1] != 0)
        json_object_set_new(detail, "owner", json_string(told_id(owners[n - 1])));
    return detail;
}

static void close_entries(unsigned players)
{
    json_t *numbers = json_array();
    for (unsigned n = 1; n <= players; n++)
        json_array_append_new(numbers, json_string(told_id(n)));
    take("entries_closed", json_pack("{so}", "numbers", numbers));
}

static void begin_owned(const char *fields, unsigned players, uint8_t number)
{
    set_luck(number);
    open_entries(fields);
    for (unsigned n = 1; n <= players; n++)
        take("entered", entry_of(n));
    close_entries(players);
}

/* The line is refused as one that brings two of a person together. */
static void refused(const char *kind, json_t *detail)
{
    struct refusal refusal = {"", ""};
    assert_false(line(&event, kind, detail, &refusal));
    assert_string_equal(refusal.code, TOURNAMENT_REFUSAL_OWNER);
}

static void refused_text(const char *kind, const char *detail)
{
    refused(kind, parse(detail));
}

/* How often two of one person sat at a table. */
static unsigned count_together(void)
{
    unsigned count = 0;
    for (size_t i = 0; i < event.table_count; i++)
        for (unsigned seat = 0; seat < event.tables[i].seats; seat++)
            for (unsigned other = 0; other < seat; other++)
                count += is_one_person(event.tables[i].entry[seat], event.tables[i].entry[other]);
    return count;
}

static unsigned play(const char *fields, uint8_t number)
{
    const char *code;
    begin_owned(fields, PLAYERS, number);
    for (unsigned round = 0; round < 4; round++)
        if (!whole_round(10, &code))
            fail_msg("round %u: %s", round + 1, code);
    return count_together();
}

#define PODS "'format':'pod_swiss','rounds':4,'seats_min':3,'seats_max':4}"
#define TWOS "'format':'dutch','rounds':4}"

TEST(draws_part_them)
{
    unsigned allowed = 0;
    for (uint8_t number = 1; number <= 5; number++) {
        assert_int_equal(play("{" PODS, number), 0);
        assert_int_equal(play("{'same_owner':'apart'," TWOS, number), 0);
        allowed += play("{'same_owner':'allowed'," PODS, number);
        allowed += play("{'same_owner':'allowed'," TWOS, number);
    }
    assert_true(allowed >= 5);
}

/* The pair counts once, whatever other weight it has, and however often it is kept apart. */
TEST(pairs_that_are_kept_apart_as_well)
{
    struct pairing draw;
    const char *code;
    begin_owned("{" PODS, PLAYERS, 3);
    tell(&event, "kept_apart", "{'players':[<1>,<2>],'weight':7}");
    tell(&event, "kept_apart", "{'players':[<4>,<5>],'weight':'forbidden'}");
    tell(&event, "kept_apart", "{'players':[<6>,<7>],'weight':'forbidden'}");
    assert_true(try_draw(&draw, &code));
    for (size_t t = 0; t < draw.table_count; t++)
        for (uint16_t a = 0; a < PLAYERS; a++)
            for (uint16_t b = 0; b < a; b++)
                if (is_one_person(a, b) || (a == 6 && b == 5))
                    assert_false(sit_together(&draw.tables[t], a, b));
    pairing_free(&draw);
}

TEST(what_cannot_be_parted_is_not_drawn)
{
    struct pairing draw;
    const char *code;
    begin_owned("{'format':'pod_swiss','rounds':4,'seats_min':4,'seats_max':4}", 4, 1);
    assert_false(try_draw(&draw, &code));
    assert_string_equal(code, POD_REFUSAL_FORBIDDEN);
    begin_owned("{" TWOS, 2, 1);
    assert_false(try_draw(&draw, &code));
}

/* Tables arranged by hand cannot bring them together either. */
TEST(tables_by_hand)
{
    struct pairing draw;
    const char *code;
    begin_owned("{'format':'pod_swiss','rounds':4,'seats_min':2,'seats_max':2}", 6, 2);
    assert_true(try_draw(&draw, &code));
    write_draw(&draw);
    pairing_free(&draw);
    static const char together[] =
        "{'round':1,'tables':[[1,6],[2,3],[4,5]],'byes':[],'quality':{},'reason':'x'}";
    refused_text("round_changed", together);
    tell(&event, "round_changed",
         "{'round':1,'tables':[[1,6],[2,4],[3,5]],'byes':[],'quality':{},'reason':'x'}");
    json_t *settings = json_deep_copy(event.settings_document);
    json_object_set_new(settings, "same_owner", json_string("allowed"));
    take("settings_changed", settings);
    take("round_changed", parse(together));
    settings = json_deep_copy(event.settings_document);
    json_object_set_new(settings, "same_owner", json_string("apart"));
    take("settings_changed", settings);
    refused_text("round_started", "{'round':1,'deadline':null}");
}

/* A schedule, a bracket, a board: whoever of a person comes second does not enter. */
TEST(formats_that_cannot_part)
{
    static const char *const fields[] = {
        "{'format':'round_robin'}",
        "{'format':'pod_round_robin','rounds':3}",
        "{'format':'single_elimination'}",
        "{'format':'double_elimination'}",
        "{'format':'pod_elimination'}",
        "{'format':'league','rounds':3}",
        "{'format':'duplicate','boards':2}",
        "{'stages':[{'format':'dutch','rounds':2},{'format':'single_elimination','entrants':4}]}",
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        open_entries(fields[i]);
        take("entered", entry_of(2));
        take("entered", entry_of(6));
        refused("entered", entry_of(1));
        refused("entered", entry_of(3));
        take("entered", entry_of(4));
        refused("entered", entry_of(5));
        tell(&event, "withdrawn", "{'player':<2>}");
        take("entered", entry_of(1));
        refused("entered", entry_of(2));
    }
    /* An entry that has dropped out cannot return once another of the same owner has come instead.
     */
    open_entries("{'format':'duplicate','boards':2,'rounds':3,'late_entries':2}");
    take("entered", entry_of(1));
    for (unsigned n = 6; n <= 8; n++)
        take("entered", entry_of(n));
    tell(&event, "entries_closed", "{'numbers':[<1>,<6>,<7>,<8>]}");
    tell(&event, "dropped", "{'player':<1>,'after':0}");
    json_t *late = entry_of(2);
    json_object_set_new(late, "late", json_true());
    take("entered", late);
    json_t *back = json_pack("{sssi}", "player", told_id(1), "from", 2);
    refused("returned", back);
}

TEST(a_ladder_has_no_such_challenge)
{
    begin_owned("{'format':'ladder'}", 6, 1);
    refused("challenged", json_pack("{s[ss]}", "players", told_id(2), told_id(1)));
    refused("challenged", json_pack("{s[ss]}", "players", told_id(3), told_id(2)));
    tell(&event, "challenged", "{'players':[<6>,<3>]}");
}

TEST(open_play_starts_no_such_table)
{
    begin_owned("{'format':'open_play','seats_min':2,'seats_max':4}", 6, 1);
    for (unsigned n = 1; n <= 3; n++)
        tell(&event, "queued", "{'player':<%u>}", n);
    tell(&event, "queued", "{'player':<6>}");
    refused_text("table_started", "{'round':0,'table':1,'numbers':[6,2,3]}");
    tell(&event, "table_started", "{'round':0,'table':1,'numbers':[6,2]}");
}

/* What an older log does not say keeps nobody apart. */
TEST(older_logs)
{
    set_luck(1);
    open_entries("{'format':'round_robin'}");
    json_t *settings = json_deep_copy(event.settings_document);
    json_object_del(settings, "same_owner");
    tournament_free(&event);
    tournament_init(&event);
    take("created", settings);
    tell(&event, "entries_opened", "{}");
    for (unsigned n = 1; n <= 4; n++)
        take("entered", entry_of(n));
    close_entries(4);
    const char *code;
    while (whole_round(10, &code))
        ;
    assert_string_equal(code, PAIRING_REFUSAL_NO_ROUNDS);
    assert_int_equal(count_together(), 3);
}

/* The owner is an id, and nothing else. */
TEST(bad_owners)
{
    open_entries("{" PODS);
    static const char *const bad[] = {"7", "''", "'me'", "null"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct refusal refusal = {"", ""};
        json_t *detail = entry_of(1);
        json_object_set_new(detail, "owner", parse(bad[i]));
        assert_false(line(&event, "entered", detail, &refusal));
        assert_string_equal(refusal.code, TOURNAMENT_REFUSAL_LINE);
    }
}

int main(void)
{
    return run_all_tests(NULL, clear);
}
