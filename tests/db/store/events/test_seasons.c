/* Seasons, their events and their log. */
#include <stdio.h>
#include <string.h>

#include "db/link/db.h"
#include "db/store/events/seasons.h"
#include "tests/db/database.h"

static struct database database;
static struct id olga, ada;

FIXTURE(setup)
{
    database_make(&database, "test_seasons", true);
    olga = make_player(database.db, "Olga");
    ada = make_player(database.db, "Ada");
    return 0;
}

FIXTURE(teardown)
{
    database_drop(&database);
    return 0;
}

static struct stored_season season_of(int64_t now_ms)
{
    return (struct stored_season){.id = id_new(now_ms),
                                  .name = "Winter circuit",
                                  .method = "percentile",
                                  .counted = 4,
                                  .least_entrants = 3,
                                  .weighting = "field",
                                  .organizer = olga,
                                  .created_at_ms = now_ms};
}

static struct id make_season(int64_t now_ms)
{
    struct stored_season season = season_of(now_ms);
    begin(database.db);
    assert_int_equal(season_create(database.db, &season), DB_OK);
    commit(database.db);
    return season.id;
}

TEST(test_create_and_find)
{
    struct db *db = database.db;
    struct stored_season season = season_of(NOW_MS);
    struct stored_season found;
    begin(db);
    assert_int_equal(season_create(db, &season), DB_OK);
    assert_int_equal(season_create(db, &season), DB_CONFLICT);
    assert_int_equal(season_find(db, &database.arena, &season.id, true, &found), DB_OK);
    assert_true(id_equal(&found.id, &season.id));
    assert_string_equal(found.name, "Winter circuit");
    assert_string_equal(found.method, "percentile");
    assert_int_equal(found.counted, 4);
    assert_int_equal(found.least_entrants, 3);
    assert_string_equal(found.weighting, "field");
    assert_false(found.closed);
    assert_true(id_equal(&found.organizer, &olga));
    assert_string_equal(found.organizer_name, "Olga");
    assert_int_equal(found.created_at_ms, NOW_MS);
    assert_int_equal(found.events, 0);
    assert_int_equal(season_close(db, &season.id), DB_OK);
    assert_int_equal(season_close(db, &season.id), DB_CONFLICT);
    assert_int_equal(season_find(db, &database.arena, &season.id, false, &found), DB_OK);
    assert_true(found.closed);
    assert_int_equal(season_find(db, &database.arena, &ada, false, &found), DB_NONE);
    assert_int_equal(season_find(db, &database.arena, &ada, true, &found), DB_NONE);
    commit(db);
}

TEST(test_list)
{
    struct id older = make_season(NOW_MS + 1000);
    struct id newer = make_season(NOW_MS + 2000);
    struct stored_season *seasons;
    struct id none = {""};
    size_t count;
    begin(database.db);
    assert_int_equal(season_list(database.db, &database.arena, NULL, &none, 1, &seasons, &count),
                     DB_OK);
    assert_int_equal(count, 1);
    assert_true(id_equal(&seasons[0].id, &newer));
    assert_int_equal(season_list(database.db, &database.arena, NULL, &newer, 1, &seasons, &count),
                     DB_OK);
    assert_int_equal(count, 1);
    assert_true(id_equal(&seasons[0].id, &older));
    commit(database.db);
}

static void close_event(const struct id *event, int64_t now_ms)
{
    static const enum event_state way[] = {EVENT_ENTRIES_OPEN, EVENT_ENTRIES_CLOSED, EVENT_RUNNING,
                                           EVENT_CLOSED};
    struct event found;
    begin(database.db);
    assert_int_equal(event_find(database.db, &database.arena, event, false, &found), DB_OK);
    for (size_t i = 0; i < sizeof way / sizeof way[0]; i++) {
        found.state = way[i];
        assert_int_equal(event_update(database.db, &found), DB_OK);
    }
    assert_int_equal(event_log_add(database.db, event, &olga, now_ms, "closed", "{}"), DB_OK);
    commit(database.db);
}

static void ask(const struct id *season, const struct id *event, bool invite, bool offer)
{
    assert_int_equal(season_event_ask(database.db, season, event, invite, offer), DB_OK);
}

/* What one side has asked for stays when the other asks; closed events come first, in the order of
 * their closing. */
TEST(test_events)
{
    struct db *db = database.db;
    struct id season = make_season(NOW_MS);
    struct id event[3];
    for (size_t i = 0; i < 3; i++)
        event[i] = make_event(db, &olga);
    close_event(&event[1], NOW_MS + 20);
    close_event(&event[2], NOW_MS + 10);
    begin(db);
    ask(&season, &event[0], true, false);
    ask(&season, &event[1], false, true);
    ask(&season, &event[2], true, true);
    ask(&season, &event[1], true, false);
    ask(&season, &event[2], false, true);
    commit(db);

    struct stored_season found;
    struct season_event_row *events;
    size_t count;
    begin(db);
    assert_int_equal(season_find(db, &database.arena, &season, false, &found), DB_OK);
    assert_int_equal(found.events, 2);
    assert_int_equal(season_event_list(db, &database.arena, &season, &events, &count), DB_OK);
    assert_int_equal(count, 3);
    assert_true(id_equal(&events[0].event, &event[2]));
    assert_true(id_equal(&events[1].event, &event[1]));
    assert_true(id_equal(&events[2].event, &event[0]));
    assert_int_equal(events[0].closed_at_ms, NOW_MS + 10);
    assert_int_equal(events[2].closed_at_ms, 0);
    assert_true(events[1].invited && events[1].offered);
    assert_true(events[2].invited && !events[2].offered);
    assert_string_equal(events[0].name, "Winter Cup");
    assert_string_equal(events[0].slug, "shinjuku");
    assert_string_equal(events[0].version, "1.0.0");
    assert_string_equal(events[0].state, "closed");
    commit(db);
    begin(db);
    assert_int_equal(season_event_ask(db, &season, &ada, true, false), DB_ERROR);
    db_rollback(db);
    begin(db);
    assert_int_equal(season_event_remove(db, &season, &event[1]), DB_OK);
    assert_int_equal(season_event_remove(db, &season, &event[1]), DB_NONE);
    assert_int_equal(season_event_list(db, &database.arena, &season, &events, &count), DB_OK);
    assert_int_equal(count, 2);
    assert_true(id_equal(&events[1].event, &event[0]));
    commit(db);
}

TEST(test_log)
{
    struct db *db = database.db;
    struct id season = make_season(NOW_MS);
    struct event_step *steps;
    size_t count;
    begin(db);
    assert_int_equal(season_log_add(db, &season, &olga, NOW_MS, "created", "{\"a\": 1}"), DB_OK);
    assert_int_equal(season_log_add(db, &season, &ada, NOW_MS + 1, "closed", "{}"), DB_OK);
    assert_int_equal(season_log_list(db, &database.arena, &season, 0, 10, &steps, &count), DB_OK);
    assert_int_equal(count, 2);
    assert_int_equal(steps[0].seq, 1);
    assert_string_equal(steps[0].kind, "created");
    assert_string_equal(steps[0].detail, "{\"a\": 1}");
    assert_string_equal(steps[0].actor_name, "Olga");
    assert_int_equal(steps[1].seq, 2);
    assert_int_equal(steps[1].at_ms, NOW_MS + 1);
    assert_int_equal(season_log_list(db, &database.arena, &season, 1, 1, &steps, &count), DB_OK);
    assert_int_equal(count, 1);
    assert_int_equal(steps[0].seq, 2);
    commit(db);
}

/* The log only grows, for the owner too. */
TEST(test_log_stays)
{
    static const char *const refused[] = {
        "UPDATE tillroll.season_step SET kind = 'x'", "DELETE FROM tillroll.season_step",
        "UPDATE tillroll.rated_game SET at = now()", "DELETE FROM tillroll.rating_revision",
        "UPDATE tillroll.rating_period SET number = 9"};
    PGconn *owner = sql_connect(database.migrator);
    sql_do(owner, "SET ROLE tillroll_owner");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_string_equal(sql_state(owner, refused[i]), "42501");
    PQfinish(owner);
}

int main(void)
{
    return run_all_tests(setup, teardown);
}
