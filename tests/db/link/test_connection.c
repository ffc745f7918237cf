/* Connections: what the layer says about a transaction when the server fails in the middle of it.
 * Waits are for states that the server shows, never for a time.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "db/link/connection.h"
#include "db/link/statement.h"
#include "db/store/people/players.h"
#include "source_dir.h"
#include "tests/db/database.h"

static struct database database;

FIXTURE(setup)
{
    database_make(&database, "test_connection", true);
    return 0;
}

static const struct statement who = {"test_who",
                                     "SELECT current_user, current_setting('statement_timeout'),"
                                     " current_setting('lock_timeout'),"
                                     " current_setting('idle_in_transaction_session_timeout'),"
                                     " current_setting('search_path'), pg_backend_pid()"};
static const struct statement sleep_long = {"test_sleep", "SELECT pg_sleep(60)"};
static const struct statement short_statements = {"test_short_statements",
                                                  "SET LOCAL statement_timeout = '20ms'"};
static const struct statement short_locks = {"test_short_locks", "SET LOCAL lock_timeout = '20ms'"};
static const struct statement changes_nothing = {
    "test_changes_nothing", "UPDATE tillroll.player SET name = name WHERE name = 'Nobody at all'"};
static const struct statement nonsense = {"test_nonsense", "SELECT 1 / 0"};

static enum db_status run(struct db *db, const struct statement *statement)
{
    return statement_change(db, statement, NULL, DB_OK);
}

static struct db *open_service(void)
{
    char buffer[512];
    struct text error = TEXT_OVER(buffer);
    struct db *db = db_open(database.service, true, &error);
    if (db == NULL)
        fail_msg("%s", buffer);
    return db;
}

static enum db_status add_player(struct db *db, const char *name)
{
    struct player player = {.id = id_new(NOW_MS),
                            .name = name,
                            .password_hash = "$argon2id$v=19$m=65536,t=2,p=1$c2FsdA$aGFzaA",
                            .created_at_ms = NOW_MS};
    return player_create(db, &player);
}

/* Whether the player is stored, seen from outside. */
static bool is_stored(const char *name)
{
    PGconn *observer = sql_connect(database.admin);
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM tillroll.player WHERE name = '%s'", name);
    bool stored = strcmp(sql_value(observer, sql), "1") == 0;
    PQfinish(observer);
    return stored;
}

TEST(test_open)
{
    struct db *db = open_service();
    assert_true(db_is_open(db));
    struct rows rows;
    begin(db);
    assert_int_equal(statement_row(db, &who, NULL, &rows), DB_OK);
    struct arena *arena = &database.arena;
    assert_string_equal(row_text(&rows, 0, 0, arena), "tillroll_service");
    assert_string_equal(row_text(&rows, 0, 1, arena), "10s");
    assert_string_equal(row_text(&rows, 0, 2, arena), "5s");
    assert_string_equal(row_text(&rows, 0, 3, arena), "30s");
    assert_string_equal(row_text(&rows, 0, 4, arena), "\"\"");
    rows_free(&rows);
    commit(db);
    db_close(db);
    db_close(NULL);
}

/* A user that may do more gives it up. */
TEST(test_open_as_another_user)
{
    char buffer[512];
    struct text error = TEXT_OVER(buffer);
    struct db *db = db_open(database.admin, true, &error);
    assert_non_null(db);
    struct rows rows;
    begin(db);
    assert_int_equal(statement_row(db, &who, NULL, &rows), DB_OK);
    assert_string_equal(row_text(&rows, 0, 0, &database.arena), "tillroll_service");
    rows_free(&rows);
    commit(db);
    db_close(db);
}

TEST(test_open_fails)
{
    char buffer[512];
    struct text error = TEXT_OVER(buffer);
    assert_null(db_open("postgresql://nobody@/nothing?host=/nonexistent", true, &error));
    assert_true(strlen(buffer) > 0);
    text_clear(&error);
    assert_null(db_open("postgresql://user:pass%zz@/x", true, &error));
    assert_null(strstr(buffer, "pass"));
}

TEST(test_order_of_calls)
{
    struct db *db = open_service();
    db_rollback(db);
    assert_int_equal(db_commit(db), DB_ERROR);
    assert_int_equal(run(db, &who), DB_ERROR);
    begin(db);
    assert_int_equal(db_begin(db, false), DB_ERROR);
    commit(db);
    assert_int_equal(db_begin(db, true), DB_OK);
    assert_int_equal(add_player(db, "Read only"), DB_ERROR);
    db_rollback(db);
    db_close(db);
}

TEST(test_failed_transaction_does_not_commit)
{
    struct db *db = open_service();
    begin(db);
    assert_int_equal(add_player(db, "Half"), DB_OK);
    assert_int_equal(run(db, &nonsense), DB_ERROR);
    assert_int_equal(strncmp(db_last_error(db), "22012 ", 6), 0);
    assert_int_equal(db_commit(db), DB_ERROR);
    assert_false(is_stored("Half"));
    begin(db);
    commit(db);
    db_close(db);
}

TEST(test_read_only_is_a_snapshot)
{
    struct db *db = open_service();
    struct player player;
    assert_int_equal(db_begin(db, true), DB_OK);
    assert_int_equal(player_by_name(db, &database.arena, "Snapshot", &player), DB_NONE);
    make_player(database.db, "Snapshot");
    assert_int_equal(player_by_name(db, &database.arena, "Snapshot", &player), DB_NONE);
    commit(db);
    assert_int_equal(db_begin(db, true), DB_OK);
    assert_int_equal(player_by_name(db, &database.arena, "Snapshot", &player), DB_OK);
    commit(db);
    db_close(db);
}

TEST(test_time_limits)
{
    struct db *db = open_service();
    struct id player = make_player(database.db, "Patient");
    struct id id = make_event(database.db, &player);
    struct event event;
    begin(db);
    assert_int_equal(run(db, &short_statements), DB_OK);
    assert_int_equal(run(db, &sleep_long), DB_UNAVAILABLE);
    db_rollback(db);

    begin(database.db);
    assert_int_equal(event_find(database.db, &database.arena, &id, true, &event), DB_OK);
    begin(db);
    assert_int_equal(run(db, &short_locks), DB_OK);
    assert_int_equal(event_find(db, &database.arena, &id, true, &event), DB_RETRY);
    db_rollback(db);
    commit(database.db);
    db_close(db);
}

struct second_lock {
    struct db *db;
    struct id event;
    enum db_status status;
};

static void *take_second_lock(void *context)
{
    struct second_lock *lock = context;
    struct arena arena = {NULL};
    struct event event;
    lock->status = event_find(lock->db, &arena, &lock->event, true, &event);
    db_rollback(lock->db);
    arena_free(&arena);
    return NULL;
}

TEST(test_deadlock_can_be_retried)
{
    struct id player = make_player(database.db, "Crossed");
    struct id events[2] = {make_event(database.db, &player), make_event(database.db, &player)};
    struct second_lock locks[2];
    pthread_t threads[2];
    for (size_t i = 0; i < 2; i++) {
        locks[i] = (struct second_lock){.db = open_service(), .event = events[1 - i]};
        struct event event;
        begin(locks[i].db);
        assert_int_equal(event_find(locks[i].db, &database.arena, &events[i], true, &event), DB_OK);
    }
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_second_lock, &locks[i]), 0);
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    bool first_lost = locks[0].status == DB_RETRY;
    assert_int_equal(locks[first_lost ? 0 : 1].status, DB_RETRY);
    assert_int_equal(locks[first_lost ? 1 : 0].status, DB_OK);
    for (size_t i = 0; i < 2; i++)
        db_close(locks[i].db);
}

/* Ends the session from outside, and returns when this side can know it. */
static void terminate(struct db *db)
{
    PGconn *observer = sql_connect(database.admin);
    char sql[128];
    snprintf(sql, sizeof sql, "SELECT pg_terminate_backend(%d)", PQbackendPID(db->connection));
    assert_string_equal(sql_value(observer, sql), "t");
    PQfinish(observer);
    struct pollfd end = {.fd = PQsocket(db->connection), .events = POLLRDHUP};
    assert_int_equal(poll(&end, 1, 10000), 1);
}

static enum db_status later(struct db *db, const struct statement *statement,
                            enum db_status otherwise)
{
    return statement_later(db, statement, NULL, otherwise);
}

/* Told by the next statement, or by the commit; what is behind what fails is not carried out, and
 * what was sent for the first time can be used again. */
TEST(test_later)
{
    struct db *db = open_service();
    assert_int_equal(later(db, &who, DB_OK), DB_ERROR);
    for (unsigned round = 0; round < 2; round++) {
        begin(db);
        assert_int_equal(add_player(db, "Sooner"), DB_OK);
        assert_int_equal(later(db, &changes_nothing, DB_OK), DB_OK);
        assert_int_equal(later(db, &nonsense, DB_OK), DB_OK);
        assert_int_equal(later(db, &short_locks, DB_OK), DB_OK);
        assert_int_equal(run(db, &who), DB_ERROR);
        assert_int_equal(strncmp(db_last_error(db), "22012 ", 6), 0);
        assert_int_equal(db_commit(db), DB_ERROR);

        begin(db);
        assert_int_equal(run(db, &who), DB_OK);
        assert_int_equal(later(db, &changes_nothing, DB_CONFLICT), DB_OK);
        assert_int_equal(later(db, &short_locks, DB_OK), DB_OK);
        assert_int_equal(add_player(db, "Later"), DB_CONFLICT);
        db_rollback(db);

        begin(db);
        assert_int_equal(add_player(db, "At the end"), DB_OK);
        assert_int_equal(later(db, &changes_nothing, DB_CONFLICT), DB_OK);
        assert_int_equal(db_commit(db), DB_CONFLICT);

        begin(db);
        assert_int_equal(run(db, &who), DB_OK);
        assert_int_equal(later(db, &nonsense, DB_OK), DB_OK);
        db_rollback(db);
    }
    assert_false(is_stored("Sooner"));
    assert_false(is_stored("Later"));
    assert_false(is_stored("At the end"));
    begin(db);
    assert_int_equal(add_player(db, "First"), DB_OK);
    for (unsigned i = 0; i < 2 * CONNECTION_TOGETHER; i++)
        assert_int_equal(later(db, &changes_nothing, DB_OK), DB_OK);
    commit(db);
    assert_true(is_stored("First"));
    begin(db);
    assert_int_equal(run(db, &who), DB_OK);
    terminate(db);
    assert_int_equal(later(db, &changes_nothing, DB_OK), DB_OK);
    assert_int_equal(run(db, &who), DB_UNAVAILABLE);
    db_rollback(db);
    begin(db);
    assert_int_equal(run(db, &who), DB_OK);
    commit(db);
    db_close(db);
}

/* Nothing has happened yet, so nobody need know; nor if it is the end of a transaction that has
 * only read that is not answered. */
TEST(test_terminated_before_first_statement)
{
    struct db *db = open_service();
    struct player player;
    begin(db);
    terminate(db);
    assert_int_equal(add_player(db, "On another connection"), DB_OK);
    commit(db);
    assert_true(is_stored("On another connection"));
    assert_int_equal(db_begin(db, true), DB_OK);
    assert_int_equal(player_by_name(db, &database.arena, "Nobody", &player), DB_NONE);
    commit(db);
    terminate(db);
    begin(db);
    assert_int_equal(add_player(db, "And another"), DB_OK);
    commit(db);
    assert_true(is_stored("And another"));
    db_close(db);
}

/* Its first statement fails with it. */
TEST(test_transaction_that_does_not_begin)
{
    struct db *db = open_service();
    begin(db);
    assert_int_equal(run(db, &who), DB_OK);
    commit(db);
    begin(db);
    assert_int_equal(run(db, &nonsense), DB_ERROR);
    assert_int_equal(strncmp(db_last_error(db), "22012 ", 6), 0);
    assert_int_equal(run(db, &who), DB_ERROR);
    db_rollback(db);
    begin(db);
    assert_int_equal(run(db, &nonsense), DB_ERROR); /* prepared by now */
    assert_int_equal(strncmp(db_last_error(db), "22012 ", 6), 0);
    assert_int_equal(db_commit(db), DB_ERROR);
    assert_int_equal(run(db, &who), DB_ERROR);
    begin(db);
    assert_int_equal(run(db, &who), DB_OK);
    commit(db);
    db_close(db);
}

TEST(test_terminated_before_statement)
{
    struct db *db = open_service();
    begin(db);
    assert_int_equal(add_player(db, "Before"), DB_OK);
    terminate(db);
    assert_int_equal(add_player(db, "Cut off"), DB_UNAVAILABLE);
    assert_int_equal(add_player(db, "Cut off"), DB_UNAVAILABLE);
    assert_int_equal(db_commit(db), DB_UNAVAILABLE);
    db_rollback(db);
    assert_false(db_is_open(db));
    begin(db);
    assert_int_equal(add_player(db, "Back again"), DB_OK);
    commit(db);
    assert_false(is_stored("Cut off"));
    assert_true(is_stored("Back again"));
    db_close(db);
}

TEST(test_terminated_before_commit)
{
    struct db *db = open_service();
    begin(db);
    assert_int_equal(add_player(db, "Never"), DB_OK);
    terminate(db);
    assert_int_equal(db_commit(db), DB_UNAVAILABLE);
    assert_false(is_stored("Never"));
    begin(db);
    commit(db);
    db_close(db);
}

TEST(test_terminated_between_transactions)
{
    struct db *db = open_service();
    terminate(db);
    begin(db);
    commit(db);
    db_close(db);
}

/* What libpq cannot send it reports without SQLSTATE, and calls the connection good all the same.
 */
TEST(test_cannot_send)
{
    struct db *db = open_service();
    assert_int_equal(shutdown(PQsocket(db->connection), SHUT_WR), 0);
    begin(db);
    assert_int_equal(add_player(db, "Unsent"), DB_OK);
    assert_int_equal(shutdown(PQsocket(db->connection), SHUT_WR), 0);
    assert_int_equal(run(db, &who), DB_UNAVAILABLE);
    assert_false(db_is_open(db));
    assert_int_equal(db_commit(db), DB_UNAVAILABLE);
    assert_false(is_stored("Unsent"));
    begin(db);
    commit(db);
    db_close(db);
}

struct committer {
    struct db *db;
    enum db_status status;
};

static void *commit_player(void *context)
{
    struct committer *committer = context;
    committer->status = db_commit(committer->db);
    return NULL;
}

/* Also after a test that failed half-way: the cluster must not keep a standby to wait for. */
FIXTURE(teardown)
{
    release_commits(&database);
    database_drop(&database);
    return 0;
}

/* Commits while the server waits for a standby that does not exist; ends the wait with `function`.
 */
static enum db_status commit_while_waiting(struct db *db, const char *function)
{
    pthread_t thread;
    struct committer committer = {db, DB_OK};
    hold_commits(&database);
    assert_int_equal(pthread_create(&thread, NULL, commit_player, &committer), 0);
    end_wait(&database, function);
    pthread_join(thread, NULL);
    release_commits(&database);
    return committer.status;
}

/* The server says COMMIT, with a warning: durable here, but not where it was to be. */
TEST(test_commit_with_warning_is_unknown)
{
    struct db *db = open_service();
    begin(db);
    assert_int_equal(add_player(db, "Warned of"), DB_OK);
    assert_int_equal(commit_while_waiting(db, "pg_cancel_backend"), DB_UNKNOWN);
    assert_non_null(strstr(db_last_error(db), "warning"));
    assert_true(is_stored("Warned of"));
    assert_true(db_is_open(db));
    begin(db);
    assert_int_equal(add_player(db, "After the warning"), DB_OK);
    commit(db);
    db_close(db);
}

TEST(test_connection_lost_during_commit_is_unknown)
{
    struct db *db = open_service();
    begin(db);
    assert_int_equal(add_player(db, "Cut short"), DB_OK);
    assert_int_equal(commit_while_waiting(db, "pg_terminate_backend"), DB_UNKNOWN);
    assert_true(is_stored("Cut short"));
    begin(db);
    commit(db);
    db_close(db);
}

/* What is seen may not be on the standby yet: who is to answer for it waits for that, too. */
TEST(test_what_was_seen_is_waited_for)
{
    struct db *db = open_service();
    struct player player;
    begin(db);
    assert_int_equal(add_player(db, "Seen"), DB_OK);
    assert_int_equal(commit_while_waiting(db, "pg_cancel_backend"), DB_UNKNOWN);
    begin(db);
    assert_int_equal(player_by_name(db, &database.arena, "Seen", &player), DB_OK);
    assert_int_equal(commit_while_waiting(db, "pg_cancel_backend"), DB_UNKNOWN);
    begin(db);
    assert_int_equal(player_by_name(db, &database.arena, "Seen", &player), DB_OK);
    commit(db);
    db_close(db);
}

/* Nobody ends the wait: the server is given up, and the session is made anew. */
TEST(test_silent_server)
{
    char url[URL_BYTES + 32];
    char message[256];
    struct text error = TEXT_OVER(message);
    snprintf(url, sizeof url, "%s&tcp_user_timeout=200", database.service);
    struct db *db = db_open(url, true, &error);
    assert_non_null(db);
    assert_int_equal(db_silence_ms(db), 200);
    begin(db);
    assert_int_equal(add_player(db, "In silence"), DB_OK);
    hold_commits(&database);
    assert_int_equal(db_commit(db), DB_UNKNOWN);
    assert_false(db_is_open(db));
    release_commits(&database);
    begin(db);
    assert_int_equal(run(db, &sleep_long), DB_UNAVAILABLE);
    assert_non_null(strstr(db_last_error(db), "said nothing"));
    begin(db);
    commit(db);
    assert_true(is_stored("In silence"));
    db_close(db);
}

static void cluster(const char *command)
{
    const char *directory = getenv("TILLROLL_TEST_CLUSTER");
    assert_non_null(directory);
    char shell[1024];
    snprintf(shell, sizeof shell, "'%s/deploy/postgres' %s '%s' >/dev/null", TILLROLL_SOURCE_DIR,
             command, directory);
    assert_int_equal(system(shell), 0);
}

TEST(test_restart_under_open_connections)
{
    struct db *idle = open_service();
    struct db *busy = open_service();
    begin(busy);
    assert_int_equal(add_player(busy, "Interrupted"), DB_OK);
    cluster("stop");
    assert_int_equal(db_commit(busy), DB_UNAVAILABLE);
    assert_int_equal(db_begin(idle, false), DB_UNAVAILABLE);
    assert_int_equal(db_begin(idle, false), DB_UNAVAILABLE);
    cluster("start");
    begin(idle);
    assert_int_equal(add_player(idle, "After the restart"), DB_OK);
    commit(idle);
    begin(busy);
    commit(busy);
    assert_false(is_stored("Interrupted"));
    assert_true(is_stored("After the restart"));
    db_close(idle);
    db_close(busy);
}

TEST(test_pool_lends_what_it_has)
{
    struct db_pool *pool = db_pool_new(database.service, true, 2);
    struct db *one = db_pool_take(pool, 0);
    struct db *two = db_pool_take(pool, 0);
    assert_non_null(one);
    assert_non_null(two);
    assert_ptr_not_equal(one, two);
    assert_null(db_pool_take(pool, 0));
    assert_null(db_pool_take(pool, 10));
    begin(one);
    assert_int_equal(add_player(one, "Left open"), DB_OK);
    db_pool_give(pool, one);
    assert_false(is_stored("Left open"));
    assert_ptr_equal(db_pool_take(pool, 0), one);
    begin(one);
    commit(one);
    db_pool_give(pool, one);
    db_pool_give(pool, two);
    db_pool_give(pool, NULL);
    db_pool_free(pool);
    db_pool_free(NULL);
}

struct borrower {
    struct db_pool *pool;
    unsigned turns;
};

static void *borrow(void *context)
{
    struct borrower *borrower = context;
    for (int i = 0; i < 50; i++) {
        struct db *db = db_pool_take(borrower->pool, 60000);
        if (db != NULL && db_begin(db, true) == DB_OK && db_commit(db) == DB_OK)
            borrower->turns++;
        db_pool_give(borrower->pool, db);
    }
    return NULL;
}

TEST(test_pool_is_shared_by_threads)
{
    struct db_pool *pool = db_pool_new(database.service, true, 2);
    struct borrower borrowers[6];
    pthread_t threads[6];
    for (size_t i = 0; i < 6; i++) {
        borrowers[i] = (struct borrower){pool, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, borrow, &borrowers[i]), 0);
    }
    for (size_t i = 0; i < 6; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(borrowers[i].turns, 50);
    }
    db_pool_free(pool);
}

/* A connection that could not be opened does not count as taken. */
TEST(test_pool_without_database)
{
    struct db_pool *pool = db_pool_new("postgresql://x@/x?host=/nonexistent", true, 1);
    assert_null(db_pool_take(pool, 0));
    assert_null(db_pool_take(pool, 0));
    db_pool_free(pool);
}

/* Another server had a newer timeline: a standby has been promoted in the place of this one. The
 * last test, since the process does not forget the timeline. */
TEST(test_superseded_server)
{
    char message[256];
    struct text error = TEXT_OVER(message);
    struct db *db = open_service();
    begin(db);
    assert_false(db_is_superseded(db));
    connection_has_seen(0, db->server.timeline + 1);
    assert_true(db_is_superseded(db));
    commit(db);
    assert_int_equal(db_begin(db, true), DB_UNAVAILABLE);
    assert_null(db_open(database.service, true, &error));
    assert_non_null(strstr(message, "another primary has replaced this one"));
    db_close(db);
}

int main(void)
{
    return run_all_tests(setup, teardown);
}
