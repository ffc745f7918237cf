/* The listener: what others commit is heard, once it is committed and only then, and a connection
 * that breaks is told of and replaced. Waits are for what must come, never for a time.
 */
#include "db/link/listener.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "db/store/events/event_log.h"
#include "db/store/people/credentials.h"
#include "tests/db/database.h"

enum { OWN = 7, HEARD_MAX = 4096, LINE_BYTES = 80, WAIT_S = 30 };

static struct database database;

/* What was heard, as lines: `g <id> <seq>`, `e <id>`, `t <hash>`, `p <id>`, `connected`, `lost`. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t more;
    size_t count;
    char line[HEARD_MAX][LINE_BYTES];
} heard = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};

static void hear(const char *line)
{
    pthread_mutex_lock(&heard.lock);
    if (heard.count < HEARD_MAX)
        snprintf(heard.line[heard.count++], LINE_BYTES, "%s", line);
    pthread_cond_broadcast(&heard.more);
    pthread_mutex_unlock(&heard.lock);
}

static void on_game(void *context, const struct id *game, unsigned seq)
{
    char line[LINE_BYTES];
    (void)context;
    snprintf(line, sizeof line, "g %s %u", game->text, seq);
    hear(line);
}

static void on_event(void *context, const struct id *event)
{
    char line[LINE_BYTES];
    (void)context;
    snprintf(line, sizeof line, "e %s", event->text);
    hear(line);
}

static void on_token(void *context, const uint8_t hash[static 32])
{
    char line[LINE_BYTES];
    (void)context;
    struct text text = TEXT_OVER(line);
    text_add(&text, "t ");
    text_add_hex(&text, hash, 32);
    hear(line);
}

static void on_player(void *context, const struct id *player)
{
    char line[LINE_BYTES];
    (void)context;
    snprintf(line, sizeof line, "p %s", player->text);
    hear(line);
}

static void on_log(void *context)
{
    (void)context;
    hear("l");
}

static void on_connected(void *context, bool hears)
{
    (void)context;
    hear(hears ? "connected" : "lost");
}

static size_t count_heard(const char *line)
{
    size_t count = 0;
    for (size_t i = 0; i < heard.count; i++)
        count += strcmp(heard.line[i], line) == 0;
    return count;
}

/* Waits until the line was heard `times` times. */
static void wait_for(const char *line, size_t times)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += WAIT_S;
    int late = 0;
    pthread_mutex_lock(&heard.lock);
    while (count_heard(line) < times && late == 0)
        late = pthread_cond_timedwait(&heard.more, &heard.lock, &until);
    size_t count = count_heard(line);
    pthread_mutex_unlock(&heard.lock);
    if (count < times)
        fail_msg("%s was heard %zu times and not %zu", line, count, times);
}

static size_t times_heard(const char *line)
{
    pthread_mutex_lock(&heard.lock);
    size_t count = count_heard(line);
    pthread_mutex_unlock(&heard.lock);
    return count;
}

static const struct listener_callbacks ears = {.game = on_game,
                                               .event = on_event,
                                               .token = on_token,
                                               .player = on_player,
                                               .log = on_log,
                                               .connected = on_connected};

static int setup(void **state)
{
    database_make(&database, "test_listener", true);
    heard.count = 0;
    *state = listener_new(database.service, true, OWN, &ears);
    assert_non_null(*state);
    wait_for("connected", 1);
    return 0;
}

static int teardown(void **state)
{
    listener_free(*state);
    database_drop(&database);
    return 0;
}

static void append(const struct id *game, const struct record_row *rows, size_t count)
{
    begin(database.db);
    assert_int_equal(record_append(database.db, game, rows, count), DB_OK);
    commit(database.db);
}

LISTED_TEST(test_games)
{
    struct roll roll;
    char line[LINE_BYTES];
    struct id game = id_new(NOW_MS);
    struct record_row header = roll_header(&roll);
    append(&game, &header, 1);
    snprintf(line, sizeof line, "g %s 0", game.text);
    wait_for(line, 1);
    struct record_row rows[3] = {roll_line(&roll, 1, 1, "1 0 1532 a"),
                                 roll_line(&roll, 2, 2, "2 1 90500 b"),
                                 roll_line(&roll, 3, 3, "3 0 90501 c")};
    append(&game, rows, 1);
    append(&game, rows + 1, 2);
    snprintf(line, sizeof line, "g %s 1", game.text);
    wait_for(line, 1);
    snprintf(line, sizeof line, "g %s 3", game.text);
    wait_for(line, 1);
}

/* Notices come in the order of commits, so what was rolled back before would have come before. */
LISTED_TEST(test_what_is_rolled_back_is_not_heard)
{
    struct roll roll;
    char line[LINE_BYTES];
    struct id game = id_new(NOW_MS);
    struct record_row header = roll_header(&roll);
    begin(database.db);
    assert_int_equal(record_append(database.db, &game, &header, 1), DB_OK);
    db_rollback(database.db);
    struct id committed = id_new(NOW_MS);
    append(&committed, &header, 1);
    snprintf(line, sizeof line, "g %s 0", committed.text);
    wait_for(line, 1);
    snprintf(line, sizeof line, "g %s 0", game.text);
    assert_int_equal(times_heard(line), 0);
}

LISTED_TEST(test_events)
{
    char line[LINE_BYTES];
    struct id organizer = make_player(database.db, "Organizer");
    struct id event = make_event(database.db, &organizer);
    for (size_t i = 1; i <= 2; i++) {
        begin(database.db);
        assert_int_equal(event_log_add(database.db, &event, &organizer, NOW_MS, "created", "{}"),
                         DB_OK);
        commit(database.db);
        snprintf(line, sizeof line, "e %s", event.text);
        wait_for(line, i);
    }
}

LISTED_TEST(test_tokens)
{
    uint8_t hash[2][32] = {{1}, {2}};
    char line[2][LINE_BYTES] = {"", ""};
    struct id player = make_player(database.db, "Player");
    for (size_t i = 0; i < 2; i++) {
        struct text text = TEXT_OVER(line[i]);
        text_add(&text, "t ");
        text_add_hex(&text, hash[i], 32);
        struct token token = token_of(&player);
        begin(database.db);
        assert_int_equal(token_create(database.db, hash[i], &token, NULL), DB_OK);
        commit(database.db);
    }
    begin(database.db);
    assert_int_equal(token_revoke(database.db, hash[0], NOW_MS), DB_OK);
    commit(database.db);
    wait_for(line[0], 1);
    assert_int_equal(times_heard(line[1]), 0);
    PGconn *admin = sql_connect(database.admin);
    sql_do(admin, "DELETE FROM tillroll.token WHERE revoked_at IS NULL");
    PQfinish(admin);
    wait_for(line[1], 1);
}

LISTED_TEST(test_names)
{
    struct id player = make_player(database.db, "Before");
    char line[LINE_BYTES];
    snprintf(line, sizeof line, "p %s", player.text);
    begin(database.db);
    assert_int_equal(player_rename(database.db, &player, "After"), DB_OK);
    commit(database.db);
    wait_for(line, 1);
    begin(database.db);
    assert_int_equal(player_delete(database.db, &player, NOW_MS), DB_OK);
    commit(database.db);
    wait_for(line, 2);
}

/* More than fit into one notice, and what is no notice of ours among them. */
LISTED_TEST(test_many_at_once)
{
    enum { TOKENS = 1000 };
    struct id player = make_player(database.db, "Player");
    char sql[512];
    PGconn *admin = sql_connect(database.admin);
    snprintf(sql, sizeof sql,
             "INSERT INTO tillroll.token (hash, player_id, created_at, expires_at)"
             " SELECT sha256(n::text::bytea), '%s', now(), now() + interval '1 day'"
             " FROM generate_series(1, %d) AS n",
             player.text, TOKENS);
    sql_do(admin, sql);
    sql_do(admin, "NOTIFY tillroll, 'x'");
    sql_do(admin, "NOTIFY tillroll, 'l'");
    sql_do(admin, "NOTIFY tillroll, 'g nonsense 1'");
    sql_do(admin, "NOTIFY tillroll");
    sql_do(admin, "DELETE FROM tillroll.token");
    PQfinish(admin);
    for (int n = 1; n <= TOKENS; n++) {
        uint8_t hash[32];
        char line[LINE_BYTES];
        snprintf(line, sizeof line, "%d", n);
        crypto_hash_sha256(hash, (const unsigned char *)line, strlen(line));
        struct text text = TEXT_OVER(line);
        text_add(&text, "t ");
        text_add_hex(&text, hash, 32);
        wait_for(line, 1);
    }
    assert_int_equal(times_heard("l"), 1);
    assert_int_equal(heard.count, 2 + TOKENS); /* `connected`, the log, and these */
}

static void end_listeners(PGconn *server)
{
    char sql[256];
    snprintf(
        sql, sizeof sql,
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks JOIN pg_stat_activity USING (pid)"
        " WHERE datname = '%s' AND locktype = 'advisory' AND objsubid = 2 AND classid = 1953066092",
        database.name);
    assert_string_equal(sql_value(server, sql), "t");
}

static void allow_connections(PGconn *server, bool allow)
{
    char sql[256];
    snprintf(sql, sizeof sql, "ALTER DATABASE %s ALLOW_CONNECTIONS %s", database.name,
             allow ? "true" : "false");
    sql_do(server, sql);
}

LISTED_TEST(test_a_broken_connection_is_replaced)
{
    char line[LINE_BYTES];
    struct roll roll;
    struct record_row header = roll_header(&roll);
    PGconn *server = sql_connect(database.server);
    for (size_t times = 1; times <= 3; times++) {
        end_listeners(server);
        wait_for("lost", times);
        wait_for("connected", times + 1);
        struct id game = id_new(NOW_MS);
        append(&game, &header, 1);
        snprintf(line, sizeof line, "g %s 0", game.text);
        wait_for(line, 1);
    }
    PQfinish(server);
}

/* ---- Who hears ---- */

/* Waits until an administrator's query says "t". */
static void wait_until(PGconn *admin, const char *query)
{
    struct timespec pause = {0, 10000000};
    for (int i = 0; i < WAIT_S * 100; i++) {
        PGresult *result = PQexec(admin, query);
        bool holds = PQntuples(result) == 1 && PQgetvalue(result, 0, 0)[0] == 't';
        PQclear(result);
        if (holds)
            return;
        nanosleep(&pause, NULL);
    }
    fail_msg("never true: %s", query);
}

/* It hears anew, and what was committed in between may have been missed. */
static void test_renewed(void **state)
{
    char line[LINE_BYTES];
    struct roll roll;
    struct record_row header = roll_header(&roll);
    for (size_t times = 1; times <= 3; times++) {
        listener_renew(*state);
        wait_for("lost", times);
        wait_for("connected", times + 1);
    }
    struct id game = id_new(NOW_MS);
    append(&game, &header, 1);
    snprintf(line, sizeof line, "g %s 0", game.text);
    wait_for(line, 1);
}

/* One who has gone is taken out of the list by the next who looks. */
LISTED_TEST(test_list_of_those_who_hear)
{
    PGconn *admin = sql_connect(database.admin);
    assert_string_equal(sql_value(admin, "SELECT string_agg(id::text, ',') FROM tillroll.hearer"),
                        "7");
    struct listener *other = listener_new(database.service, true, OWN + 1, &ears);
    wait_for("connected", 2);
    assert_string_equal(
        sql_value(admin, "SELECT string_agg(id::text, ',' ORDER BY id) FROM tillroll.hearer"),
        "7,8");
    listener_free(other);
    wait_until(admin, "SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory'"
                      " AND classid = 1953066092");
    sql_do(admin, "SELECT tillroll.look_for_hearers(9)");
    assert_string_equal(sql_value(admin, "SELECT string_agg(id::text, ',') FROM tillroll.hearer"),
                        "7");
    PQfinish(admin);
}

/* ---- Telling afterwards ---- */

/* What a service tells after the commit is heard by all; more than fits into a notice, too. It is
 * told before the end; without a connection it cannot be. What is too much to be kept becomes the
 * notice that anything may have changed. */
static void test_telling(void **state)
{
    enum { MANY = 300 };
    static struct id games[MANY];
    char line[LINE_BYTES];
    struct listener *other = listener_new(database.service, true, OWN + 1, &ears);
    wait_for("connected", 2);
    for (unsigned i = 0; i < MANY; i++) {
        games[i] = id_new(NOW_MS);
        listener_notify(*state, &games[i], i);
    }
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(line, sizeof line, "g %.36s %u", games[i].text, i);
        wait_for(line, 2);
    }
    struct id game = id_new(NOW_MS);
    listener_notify(other, &game, 4);
    assert_true(listener_free(other));
    snprintf(line, sizeof line, "g %.36s 4", game.text);
    wait_for(line, 1);
    PGconn *server = sql_connect(database.server);
    allow_connections(server, false);
    struct listener *without = listener_new(database.service, true, OWN + 1, &ears);
    listener_notify(without, &game, 5);
    assert_false(listener_free(without));
    wait_until(server, "SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory'"
                       " AND classid = 1953066092");
    size_t lost = times_heard("lost");
    size_t connected = times_heard("connected");
    end_listeners(server);
    wait_for("lost", lost + 1);
    for (unsigned i = 0; i < 5000; i++)
        listener_notify(*state, &game, i);
    allow_connections(server, true);
    PQfinish(server);
    wait_for("connected", connected + 2);
    assert_int_equal(times_heard("lost"), lost + 2);
}

/* A service that dies between the commit and the notice: its session is found to be gone, and
 * everyone is to look for everything. While it lives nobody is, nor if it has told everything. */
LISTED_TEST(test_a_teller_that_dies)
{
    struct roll roll;
    struct record_row header = roll_header(&roll);
    PGconn *admin = sql_connect(database.admin);
    for (size_t told = 0; told <= 1; told++) {
        char message[256];
        struct text error = TEXT_OVER(message);
        struct id game = id_new(NOW_MS);
        struct record_piece piece = {&game, &header, 1};
        bool others;
        struct db *db = db_open(database.service, true, &error);
        assert_non_null(db);
        assert_true(record_pieces_ready(db, true));
        assert_true(record_pieces_send(db, OWN + 1, &piece, 1));
        while (!record_pieces_arrived(db))
            ;
        assert_int_equal(record_pieces_receive(db, &others), DB_OK);
        assert_true(others);
        sql_do(admin, "SELECT tillroll.look_for_hearers(9)");
        assert_string_equal(sql_value(admin, "SELECT count(*) FROM tillroll.teller"), "1");
        assert_int_equal(times_heard("connected"), 1);
        if (told == 0)
            record_pieces_all_notified(db);
        db_close(db);
        if (told == 0)
            assert_string_equal(sql_value(admin, "SELECT count(*) FROM tillroll.teller"), "0");
    }
    wait_until(admin, "SELECT count(*) = 0 FROM pg_locks WHERE locktype = 'advisory'"
                      " AND classid = 1953066093");
    sql_do(admin, "SELECT tillroll.look_for_hearers(9)"); /* unless the listener has already */
    wait_for("connected", 2);
    assert_int_equal(times_heard("lost"), 1);
    assert_string_equal(sql_value(admin, "SELECT count(*) FROM tillroll.teller"), "0");
    PQfinish(admin);
}

/* A transaction that was adding lines when a listener came may have notified nobody, so the
 * listener is ready only after it has ended. */
LISTED_TEST(test_lines_that_were_being_added)
{
    struct roll roll;
    struct record_row header = roll_header(&roll);
    struct id game = id_new(NOW_MS);
    PGconn *admin = sql_connect(database.admin);
    begin(database.db);
    assert_int_equal(record_append(database.db, &game, &header, 1), DB_OK);
    struct listener *late = listener_new(database.service, true, OWN + 1, &ears);
    wait_until(admin, "SELECT count(*) = 1 FROM pg_stat_activity WHERE state = 'active'"
                      " AND query = 'SELECT tillroll.lines_settled()'");
    assert_int_equal(times_heard("connected"), 1);
    commit(database.db);
    wait_for("connected", 2);
    listener_free(late);
    PQfinish(admin);
}

/* As often as it takes. Ending the listener does not wait for a connection. */
LISTED_TEST(test_a_database_that_is_away)
{
    PGconn *server = sql_connect(database.server);
    allow_connections(server, false);
    end_listeners(server);
    wait_for("lost", 1);
    struct listener *without = listener_new(database.service, true, OWN, &ears);
    assert_non_null(without);
    listener_free(without);
    assert_int_equal(times_heard("connected"), 1);
    allow_connections(server, true);
    wait_for("connected", 2);
    PQfinish(server);
}

LISTED_TEST(test_end)
{
    listener_free(NULL);
    for (size_t i = 0; i < 5; i++)
        listener_free(listener_new(database.service, true, OWN, &ears));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_games, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_rolled_back_is_not_heard, setup, teardown),
        cmocka_unit_test_setup_teardown(test_events, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tokens, setup, teardown),
        cmocka_unit_test_setup_teardown(test_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_broken_connection_is_replaced, setup, teardown),
        cmocka_unit_test_setup_teardown(test_renewed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_list_of_those_who_hear, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lines_that_were_being_added, setup, teardown),
        cmocka_unit_test_setup_teardown(test_telling, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_teller_that_dies, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_database_that_is_away, setup, teardown),
        cmocka_unit_test_setup_teardown(test_end, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
