/* Events, their log and their entries. */
#include "db/store/events/events.h"
#include "db/store/service/secrets.h"

#include <pthread.h>
#include <string.h>

#include "tests/db/database.h"

static struct database database;

FIXTURE(setup)
{
    database_make(&database, "test_events", true);
    return 0;
}

FIXTURE(teardown)
{
    database_drop(&database);
    return 0;
}

TEST(test_state_names)
{
    assert_string_equal(event_state_name(EVENT_DRAFT), "draft");
    assert_string_equal(event_state_name(EVENT_ENTRIES_OPEN), "entries_open");
    assert_string_equal(event_state_name(EVENT_ENTRIES_CLOSED), "entries_closed");
    assert_string_equal(event_state_name(EVENT_RUNNING), "running");
    assert_string_equal(event_state_name(EVENT_CLOSED), "closed");
}

TEST(test_create_and_find)
{
    struct id organizer = make_player(database.db, "Organizer");
    struct id other = make_player(database.db, "Other");
    struct event event = event_of(&organizer);
    begin(database.db);
    assert_int_equal(event_create(database.db, &event, sealed_secret, sizeof sealed_secret), DB_OK);
    assert_int_equal(event_create(database.db, &event, sealed_secret, sizeof sealed_secret),
                     DB_CONFLICT);
    commit(database.db);

    struct event found;
    begin(database.db);
    assert_int_equal(event_find(database.db, &database.arena, &event.id, false, &found), DB_OK);
    assert_true(id_equal(&found.id, &event.id));
    assert_string_equal(found.name, event.name);
    assert_string_equal(found.slug, event.slug);
    assert_string_equal(found.version, event.version);
    assert_string_equal(found.settings, event.settings);
    assert_string_equal(found.options, "{\"b\": \"on\", \"a\": \"off\"}");
    assert_int_equal(found.state, EVENT_DRAFT);
    assert_int_equal(found.seats_min, 2);
    assert_int_equal(found.seats_max, 5);
    assert_int_equal(found.seats_preferred, 4);
    assert_int_equal(found.rounds, 3);
    assert_int_equal(found.rounds_started, 0);
    assert_int_equal(found.entries, 0);
    assert_string_equal(found.profile, "balanced");
    assert_string_equal(found.format, "pod_swiss");
    assert_int_equal(found.boards, 0);
    assert_true(id_equal(&found.organizer, &organizer));
    assert_string_equal(found.organizer_name, "Organizer");
    assert_memory_equal(found.commitment, event.commitment, 32);
    assert_int_equal(found.created_at_ms, NOW_MS);

    const uint8_t *sealed;
    size_t size;
    assert_int_equal(event_secret(database.db, &database.arena, &event.id, &sealed, &size), DB_OK);
    assert_int_equal(size, sizeof sealed_secret);
    assert_memory_equal(sealed, sealed_secret, size);

    struct id nothing = id_new(NOW_MS);
    assert_int_equal(event_find(database.db, &database.arena, &nothing, false, &found), DB_NONE);
    assert_int_equal(event_find(database.db, &database.arena, &nothing, true, &found), DB_NONE);
    assert_int_equal(event_secret(database.db, &database.arena, &nothing, &sealed, &size), DB_NONE);
    assert_int_equal(event_organizer(database.db, &event.id, &organizer), DB_OK);
    assert_int_equal(event_organizer(database.db, &event.id, &other), DB_NONE);
    commit(database.db);
}

/* What is read out of the settings of the first stage. */
TEST(test_duplicate)
{
    struct id organizer = make_player(database.db, "Director");
    struct event event = event_of(&organizer);
    struct event found;
    event.format = "duplicate";
    event.settings = "{\"options\": {}, \"stages\": [{\"boards\": 4, \"scoring\": \"total\","
                     " \"play\": \"barometer\"}, {\"boards\": 5}]}";
    begin(database.db);
    assert_int_equal(event_create(database.db, &event, sealed_secret, sizeof sealed_secret), DB_OK);
    assert_int_equal(event_find(database.db, &database.arena, &event.id, false, &found), DB_OK);
    assert_string_equal(found.format, "duplicate");
    assert_int_equal(found.boards, 4);
    assert_string_equal(found.scoring, "total");
    assert_string_equal(found.play, "barometer");
    assert_string_equal(found.profile, "");
    assert_int_equal(found.rounds, 0);
    assert_int_equal(found.seats_min, 2);
    assert_int_equal(found.seats_max, 2);
    commit(database.db);
}

TEST(test_refuses_bad_events)
{
    struct id organizer = make_player(database.db, "Careless");
    enum { BAD = 7 };
    struct event bad[BAD];
    for (size_t i = 0; i < BAD; i++)
        bad[i] = event_of(&organizer);
    bad[0].name = "";
    bad[1].slug = "No Slug";
    bad[2].version = "1.0";
    bad[3].settings = "[]";
    bad[4].settings = "{";
    bad[5].organizer = id_new(NOW_MS);
    bad[6].format = "match";
    for (size_t i = 0; i < BAD; i++) {
        begin(database.db);
        assert_int_equal(event_create(database.db, &bad[i], sealed_secret, sizeof sealed_secret),
                         DB_ERROR);
        db_rollback(database.db);
    }
    struct event event = event_of(&organizer);
    begin(database.db);
    assert_int_equal(event_create(database.db, &event, sealed_secret, 31), DB_ERROR);
    db_rollback(database.db);
}

TEST(test_update)
{
    struct id organizer = make_player(database.db, "Changing");
    struct event event = event_of(&organizer);
    struct event found;
    begin(database.db);
    assert_int_equal(event_update(database.db, &event), DB_NONE);
    assert_int_equal(event_create(database.db, &event, sealed_secret, sizeof sealed_secret), DB_OK);
    event.name = "Spring Cup";
    event.slug = "mall-world";
    event.version = "1.2.3";
    event.format = "dutch";
    event.settings = "{\"options\": {}, \"stages\": [{\"rounds\": 7}]}";
    event.state = EVENT_RUNNING;
    assert_int_equal(event_update(database.db, &event), DB_OK);
    assert_int_equal(event_find(database.db, &database.arena, &event.id, false, &found), DB_OK);
    commit(database.db);
    assert_string_equal(found.name, event.name);
    assert_string_equal(found.slug, event.slug);
    assert_string_equal(found.version, event.version);
    assert_string_equal(found.format, event.format);
    assert_string_equal(found.settings, event.settings);
    assert_int_equal(found.state, EVENT_RUNNING);
    assert_int_equal(found.rounds, 7);
}

TEST(test_roles)
{
    struct id maker = make_player(database.db, "Maker");
    struct id second = make_player(database.db, "Second");
    struct id event = make_event(database.db, &maker);
    struct db *db = database.db;
    struct event_role *roles;
    size_t count;
    begin(db);
    assert_int_equal(event_organizer(db, &event, &maker), DB_OK);
    assert_int_equal(event_official(db, &event, &maker), DB_OK);
    assert_int_equal(event_official(db, &event, &second), DB_NONE);
    assert_int_equal(event_role_give(db, &event, &second, "arbiter"), DB_OK);
    assert_int_equal(event_role_give(db, &event, &second, "arbiter"), DB_CONFLICT);
    assert_int_equal(event_organizer(db, &event, &second), DB_NONE);
    assert_int_equal(event_official(db, &event, &second), DB_OK);
    assert_int_equal(event_role_list(db, &database.arena, &event, &roles, &count), DB_OK);
    assert_int_equal(count, 2);
    assert_string_equal(roles[0].player_name, "Maker");
    assert_string_equal(roles[0].role, "organizer");
    assert_string_equal(roles[1].player_name, "Second");
    assert_string_equal(roles[1].role, "arbiter");
    assert_int_equal(event_role_take(db, &event, &second, "organizer"), DB_NONE);
    assert_int_equal(event_role_take(db, &event, &second, "arbiter"), DB_OK);
    assert_int_equal(event_official(db, &event, &second), DB_NONE);
    commit(db);
    begin(db);
    assert_int_equal(event_role_give(db, &event, &second, "king"), DB_ERROR);
    db_rollback(db);
}

TEST(test_list_newest_first)
{
    struct id organizer = make_player(database.db, "Busy");
    struct id made[3];
    for (int i = 0; i < 3; i++) {
        struct event event = event_of(&organizer);
        event.id = id_new(NOW_MS + 1000 + i);
        made[i] = event.id;
        begin(database.db);
        assert_int_equal(event_create(database.db, &event, sealed_secret, sizeof sealed_secret),
                         DB_OK);
        commit(database.db);
    }
    struct event *events;
    size_t count;
    struct id none = {""};
    begin(database.db);
    assert_int_equal(event_list(database.db, &database.arena, &none, 2, &events, &count), DB_OK);
    assert_int_equal(count, 2);
    assert_true(id_equal(&events[0].id, &made[2]));
    assert_true(id_equal(&events[1].id, &made[1]));
    assert_int_equal(event_list(database.db, &database.arena, &made[1], 1, &events, &count), DB_OK);
    assert_int_equal(count, 1);
    assert_true(id_equal(&events[0].id, &made[0]));
    commit(database.db);
}

TEST(test_log)
{
    struct id actor = make_player(database.db, "Actor");
    struct id event = make_event(database.db, &actor);
    struct id nobody = {""};
    struct event found;
    begin(database.db);
    assert_int_equal(event_find(database.db, &database.arena, &event, true, &found), DB_OK);
    assert_int_equal(event_log_add(database.db, &event, &actor, NOW_MS, "created", "{\"a\":1}"),
                     DB_OK);
    assert_int_equal(event_log_add(database.db, &event, &nobody, NOW_MS + 1, "round_started", "{}"),
                     DB_OK);
    commit(database.db);

    struct event_step *steps;
    size_t count;
    begin(database.db);
    assert_int_equal(
        event_log_list(database.db, &database.arena, &event, 0, NULL, 10, &steps, &count), DB_OK);
    assert_int_equal(count, 2);
    assert_int_equal(steps[0].seq, 1);
    assert_int_equal(steps[0].at_ms, NOW_MS);
    assert_true(id_equal(&steps[0].actor, &actor));
    assert_string_equal(steps[0].actor_name, "Actor");
    assert_string_equal(steps[0].kind, "created");
    assert_string_equal(steps[0].detail, "{\"a\":1}");
    assert_int_equal(steps[1].seq, 2);
    assert_string_equal(steps[1].actor.text, "");
    assert_int_equal(
        event_log_list(database.db, &database.arena, &event, 1, NULL, 10, &steps, &count), DB_OK);
    assert_int_equal(count, 1);
    assert_int_equal(steps[0].seq, 2);
    assert_int_equal(
        event_log_list(database.db, &database.arena, &event, 0, NULL, 1, &steps, &count), DB_OK);
    assert_int_equal(count, 1);
    struct event_moment moment = {.line = 1};
    assert_int_equal(
        event_log_list(database.db, &database.arena, &event, 0, &moment, 10, &steps, &count),
        DB_OK);
    assert_int_equal(count, 1);
    moment = (struct event_moment){.at_ms = NOW_MS + 1};
    assert_int_equal(
        event_log_list(database.db, &database.arena, &event, 0, &moment, 10, &steps, &count),
        DB_OK);
    assert_int_equal(count, 2);
    moment.at_ms = NOW_MS;
    assert_int_equal(
        event_log_list(database.db, &database.arena, &event, 0, &moment, 10, &steps, &count),
        DB_OK);
    assert_int_equal(count, 1);
    struct event_step step;
    assert_int_equal(event_log_find(database.db, &database.arena, &event, 2, &step), DB_OK);
    assert_string_equal(step.kind, "round_started");
    assert_int_equal(event_log_find(database.db, &database.arena, &event, 3, &step), DB_NONE);
    unsigned first;
    assert_int_equal(event_log_begin(database.db, &event, &first), DB_OK);
    assert_int_equal(first, 1);
    assert_int_equal(
        event_log_add(database.db, &event, &nobody, NOW_MS + 2, "restated", "{\"lines\": []}"),
        DB_OK);
    assert_int_equal(event_log_begin(database.db, &event, &first), DB_OK);
    assert_int_equal(first, 3);
    assert_int_equal(event_log_add(database.db, &event, &actor, NOW_MS, "Not A Kind", "{}"),
                     DB_ERROR);
    db_rollback(database.db);
}

struct adder {
    struct db *db;
    struct id event, actor;
    unsigned entries_seen;
    enum db_status status;
};

static void *add_step(void *context)
{
    struct adder *adder = context;
    struct arena arena = {NULL};
    struct event event;
    enum db_status status = db_begin(adder->db, false);
    if (status == DB_OK)
        status = event_find(adder->db, &arena, &adder->event, true, &event);
    if (status == DB_OK) {
        adder->entries_seen = event.entries;
        status = event_log_add(adder->db, &adder->event, &adder->actor, NOW_MS, "second", "{}");
    }
    if (status == DB_OK)
        status = db_commit(adder->db);
    adder->status = status;
    arena_free(&arena);
    return NULL;
}

/* A transaction that waited for the lock sees the step number and the entries of its holder. */
TEST(test_lock_orders_steps)
{
    char buffer[512];
    struct text error = TEXT_OVER(buffer);
    struct adder adder = {.db = db_open(database.service, true, &error)};
    assert_non_null(adder.db);
    adder.actor = make_player(database.db, "Racing actor");
    adder.event = make_event(database.db, &adder.actor);
    struct event found;
    begin(database.db);
    assert_int_equal(event_find(database.db, &database.arena, &adder.event, true, &found), DB_OK);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, add_step, &adder), 0);
    PGconn *observer = sql_connect(database.admin);
    wait_for_waiter(observer);
    assert_int_equal(event_log_add(database.db, &adder.event, &adder.actor, NOW_MS, "first", "{}"),
                     DB_OK);
    const struct event_entry entry = {.player = adder.actor, .entered_at_ms = NOW_MS};
    assert_int_equal(entry_put(database.db, &adder.event, &entry, 1), DB_OK);
    commit(database.db);
    pthread_join(thread, NULL);
    assert_int_equal(adder.status, DB_OK);
    assert_int_equal(adder.entries_seen, 1);
    struct event_step *steps;
    size_t count;
    begin(database.db);
    assert_int_equal(
        event_log_list(database.db, &database.arena, &adder.event, 0, NULL, 10, &steps, &count),
        DB_OK);
    commit(database.db);
    assert_int_equal(count, 2);
    assert_string_equal(steps[0].kind, "first");
    assert_string_equal(steps[1].kind, "second");
    PQfinish(observer);
    db_close(adder.db);
}

static struct event_entry entry_of(const struct id *player, enum entry_state state, unsigned number,
                                   int64_t at_ms)
{
    return (struct event_entry){
        .player = *player, .state = state, .number = number, .entered_at_ms = at_ms};
}

TEST(test_entry_states)
{
    static const char *const names[] = {"entered", "waiting", "withdrawn", "not_there", "dropped"};
    for (int i = 0; i < 5; i++)
        assert_string_equal(entry_state_name((enum entry_state)i), names[i]);
}

TEST(test_entries)
{
    struct id late = make_player(database.db, "Late");
    struct id early = make_player(database.db, "Early");
    struct id gone = make_player(database.db, "Gone");
    struct id event = make_event(database.db, &late);
    struct db *db = database.db;
    struct event_entry *entries;
    struct event_entry one;
    struct event found;
    size_t count;
    struct event_entry put[] = {entry_of(&late, ENTRY_ENTERED, 0, NOW_MS + 9),
                                entry_of(&early, ENTRY_ENTERED, 0, NOW_MS + 2),
                                entry_of(&gone, ENTRY_WAITING, 0, NOW_MS + 5)};
    begin(db);
    assert_int_equal(entry_put(db, &event, put, 3), DB_OK);
    assert_int_equal(event_find(db, &database.arena, &event, false, &found), DB_OK);
    assert_int_equal(found.entries, 2);
    assert_int_equal(found.waiting, 1);
    assert_int_equal(entry_list(db, &database.arena, &event, &entries, &count), DB_OK);
    assert_int_equal(count, 3);
    const struct id *const order[] = {&early, &gone, &late};
    static const char *const names[] = {"Early", "Gone", "Late"};
    for (unsigned i = 0; i < 3; i++) {
        assert_true(id_equal(&entries[i].player, order[i]));
        assert_string_equal(entries[i].player_name, names[i]);
        assert_int_equal(entries[i].number, 0);
        assert_false(entries[i].dropped);
    }
    assert_int_equal(entries[1].state, ENTRY_WAITING);
    assert_int_equal(entries[0].entered_at_ms, NOW_MS + 2);
    commit(db);

    /* Numbers may change hands in one statement; who enters again does so later. */
    begin(db);
    struct event_entry numbered[] = {entry_of(&late, ENTRY_ENTERED, 1, 0),
                                     entry_of(&early, ENTRY_ENTERED, 2, 0),
                                     entry_of(&gone, ENTRY_DROPPED, 3, NOW_MS + 20)};
    numbered[1].checked_in = true;
    numbered[2].dropped = true;
    numbered[2].dropped_after = 2;
    assert_int_equal(entry_put(db, &event, numbered, 3), DB_OK);
    numbered[0].number = 2;
    numbered[1].number = 1;
    assert_int_equal(entry_put(db, &event, numbered, 2), DB_OK);
    assert_int_equal(entry_find(db, &database.arena, &event, &early, &one), DB_OK);
    assert_int_equal(one.number, 1);
    assert_true(one.checked_in);
    assert_int_equal(one.entered_at_ms, NOW_MS + 2);
    assert_int_equal(entry_find(db, &database.arena, &event, &gone, &one), DB_OK);
    assert_int_equal(one.state, ENTRY_DROPPED);
    assert_true(one.dropped);
    assert_int_equal(one.dropped_after, 2);
    assert_int_equal(one.entered_at_ms, NOW_MS + 20);
    struct id nobody = id_new(NOW_MS);
    assert_int_equal(entry_find(db, &database.arena, &event, &nobody, &one), DB_NONE);
    assert_int_equal(event_find(db, &database.arena, &event, false, &found), DB_OK);
    assert_int_equal(found.entries, 2);
    assert_int_equal(found.waiting, 0);
    commit(db);

    begin(db);
    numbered[0].number = 3;
    assert_int_equal(entry_put(db, &event, numbered, 1), DB_CONFLICT);
    db_rollback(db);
    begin(db);
    numbered[2].dropped = false;
    assert_int_equal(entry_put(db, &event, &numbered[2], 1), DB_ERROR);
    db_rollback(db);
}

/* A numbered entry stays, and any other too. */
TEST(test_entry_stays)
{
    struct id player = make_player(database.db, "Numbered");
    struct id event = make_event(database.db, &player);
    const struct event_entry entry = entry_of(&player, ENTRY_ENTERED, 1, NOW_MS);
    begin(database.db);
    assert_int_equal(entry_put(database.db, &event, &entry, 1), DB_OK);
    commit(database.db);
    PGconn *service = sql_connect(database.service);
    assert_string_equal(sql_state(service, "DELETE FROM tillroll.entry"), "42501");
    PQfinish(service);
}

int main(void)
{
    return run_all_tests(setup, teardown);
}
