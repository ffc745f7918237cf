/* Group commit: what becomes of each write, whatever happens to those beside it or to the
 * connection. Each batch is what a loop would have gathered in one turn.
 */
#include "db/link/db.h"
#include "db/writer/writer.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/db/database.h"

enum { HEARER = 7, GAMES = 12, PATIENCE_MS = 400, SILENCE_AFTER_MS = 1000, WAIT_MS = 10000 };

static struct database database;
static PGconn *admin;
static struct writer *writer;

/* A game whose record has a header, and a write that continues it. */
struct continued {
    struct id game;
    struct roll begun; /* after the header */
    struct roll roll;
    struct record_row row[3];
    struct write write;
};
static struct continued games[GAMES];

FIXTURE(make_database)
{
    database_make(&database, "test_writer", true);
    admin = sql_connect(database.admin);
    return 0;
}

FIXTURE(drop_database)
{
    release_commits(&database);
    PQfinish(admin);
    database_drop(&database);
    return 0;
}

static void start_record(struct continued *game)
{
    game->game = id_new(NOW_MS);
    struct record_row header = roll_header(&game->begun);
    begin(database.db);
    assert_int_equal(record_append(database.db, &game->game, &header, 1), DB_OK);
    commit(database.db);
}

/* The write of the lines 1 .. count. */
static void fill_write(struct continued *game, size_t count)
{
    static const char *const lines[] = {"1 0 10 pass", "2 1 20 pass", "3 0 30 pass"};
    game->roll = game->begun;
    for (unsigned i = 0; i < count; i++)
        game->row[i] = roll_line(&game->roll, i + 1, i + 1, lines[i]);
    game->write = (struct write){.game = &game->game, .rows = game->row, .count = count};
}

/* Puts another line 1 into the record: somebody was faster. */
static void overtake(const struct continued *game)
{
    struct roll other;
    (void)roll_header(&other);
    struct record_row row = roll_line(&other, 1, 1, "1 0 5 stop");
    begin(database.db);
    assert_int_equal(record_append(database.db, &game->game, &row, 1), DB_OK);
    commit(database.db);
}

static size_t take_done(void)
{
    size_t done = 0;
    for (const struct write *write = writer_take_done(writer); write != NULL; write = write->next)
        done++;
    return done;
}

/* Runs turns of the loop until `count` writes are done. */
static void run_until_done(size_t count)
{
    size_t done = 0;
    writer_hand_over(writer);
    while (done < count) {
        struct pollfd event = {.fd = writer_fd(writer), .events = POLLIN};
        assert_int_equal(poll(&event, 1, WAIT_MS), 1);
        done += take_done();
        writer_hand_over(writer);
    }
    assert_int_equal(done, count);
}

/* The connection of the loop is there after the first event. */
static void await_connection(void)
{
    struct pollfd event = {.fd = writer_fd(writer), .events = POLLIN};
    assert_int_equal(poll(&event, 1, WAIT_MS), 1);
    assert_null(writer_take_done(writer));
}

FIXTURE(start_writer)
{
    char url[URL_BYTES + 32];
    snprintf(url, sizeof url, "%s&tcp_user_timeout=%d", database.service, SILENCE_AFTER_MS);
    writer = writer_new(url, true, GAMES, PATIENCE_MS, HEARER);
    assert_non_null(writer);
    for (size_t i = 0; i < GAMES; i++) {
        start_record(&games[i]);
        fill_write(&games[i], 1);
    }
    await_connection();
    return 0;
}

FIXTURE(end_writer)
{
    writer_free(writer);
    return 0;
}

static size_t count_rows(const struct id *game)
{
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM tillroll.record_line WHERE game_id = '%.36s'",
             game->text);
    return (size_t)atoi(sql_value(admin, sql));
}

static void add_all(void)
{
    for (size_t i = 0; i < GAMES; i++)
        writer_add(writer, &games[i].write);
}

/* Every write but `but` (GAMES for none) is in its record, and that one is not. */
static void assert_written_but(size_t but, enum db_status status)
{
    for (size_t i = 0; i < GAMES; i++) {
        assert_int_equal(games[i].write.status, i == but ? status : DB_OK);
        if (i != but)
            assert_int_equal(count_rows(&games[i].game), 1 + games[i].write.count);
    }
}

static const char *transactions(void)
{
    static char count[32];
    snprintf(count, sizeof count, "%s",
             sql_value(admin, "SELECT count(DISTINCT xmin::text) FROM tillroll.record_line"
                              " WHERE seq > 0"));
    return count;
}

LISTED_TEST(test_one_transaction)
{
    int before = atoi(transactions());
    fill_write(&games[3], 3);
    add_all();
    assert_true(writer_is_full(writer));
    run_until_done(GAMES);
    assert_false(writer_is_full(writer));
    assert_written_but(GAMES, DB_OK);
    assert_int_equal(atoi(transactions()), before + 1);
}

/* The next batch goes out in the middle of a turn, before the writes of the last one are taken. */
LISTED_TEST(test_next_batch_before_taking)
{
    int before = atoi(transactions());
    for (size_t i = 0; i < GAMES - 1; i++)
        writer_add(writer, &games[i].write);
    assert_false(writer_look(writer));
    writer_hand_over(writer);
    while (!writer_look(writer)) {
        struct pollfd event = {.fd = writer_fd(writer), .events = POLLIN};
        assert_int_equal(poll(&event, 1, WAIT_MS), 1);
    }
    assert_true(writer_look(writer));
    writer_add(writer, &games[GAMES - 1].write);
    writer_hand_over(writer);
    assert_true(writer_look(writer));
    size_t done = take_done();
    assert_true(done >= GAMES - 1);
    if (done < GAMES)
        run_until_done(GAMES - done);
    assert_written_but(GAMES, DB_OK);
    assert_int_equal(atoi(transactions()), before + 2);
    assert_false(writer_look(writer));
}

LISTED_TEST(test_lost_race)
{
    overtake(&games[5]);
    add_all();
    run_until_done(GAMES);
    assert_written_but(5, DB_CONFLICT);
    assert_int_equal(count_rows(&games[5].game), 2);
}

/* Nothing of a write of several lines that lost its race: its later lines would not continue the
 * other's. */
LISTED_TEST(test_lost_race_of_several_lines)
{
    overtake(&games[5]);
    fill_write(&games[5], 3);
    fill_write(&games[7], 3);
    add_all();
    run_until_done(GAMES);
    assert_written_but(5, DB_CONFLICT);
    assert_int_equal(count_rows(&games[5].game), 2);
}

/* Equal lines that somebody else has put there are this very write, sent twice. */
LISTED_TEST(test_sent_twice)
{
    begin(database.db);
    assert_int_equal(record_append(database.db, &games[2].game, games[2].row, 1), DB_OK);
    commit(database.db);
    add_all();
    run_until_done(GAMES);
    assert_written_but(GAMES, DB_OK);
}

LISTED_TEST(test_broken_chain)
{
    games[11].row[0].hash[4] ^= 1;
    add_all();
    run_until_done(GAMES);
    assert_written_but(11, DB_CONFLICT);
    assert_int_equal(count_rows(&games[11].game), 1);
}

/* A line by itself has a statement of its own. */
LISTED_TEST(test_each_alone)
{
    overtake(&games[5]);
    games[11].row[0].hash[4] ^= 1;
    begin(database.db);
    assert_int_equal(record_append(database.db, &games[2].game, games[2].row, 1), DB_OK);
    commit(database.db);
    for (size_t i = 0; i < GAMES; i++) {
        writer_add(writer, &games[i].write);
        run_until_done(1);
        bool bad = i == 5 || i == 11;
        assert_int_equal(games[i].write.status, bad ? DB_CONFLICT : DB_OK);
        assert_int_equal(count_rows(&games[i].game), i == 11 ? 1 : 2);
    }
}

static void terminate_others(void)
{
    sql_do(admin, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                  " WHERE datname = current_database() AND usename = 'tillrolld'"
                  " AND pid <> pg_backend_pid()");
}

/* The test's own session is among those that were ended. */
static void reopen_own(void)
{
    char message[256];
    struct text error = TEXT_OVER(message);
    db_close(database.db);
    database.db = db_open(database.service, true, &error);
    assert_non_null(database.db);
}

LISTED_TEST(test_connection_lost_before)
{
    terminate_others();
    reopen_own();
    add_all();
    run_until_done(GAMES);
    assert_written_but(GAMES, DB_OK);
}

/* The backend is killed while its statement waits for a lock, so after it was sent. */
LISTED_TEST(test_connection_lost_amid)
{
    PGconn *locker = sql_connect(database.admin);
    sql_do(locker, "BEGIN; LOCK TABLE tillroll.record_line IN EXCLUSIVE MODE");
    add_all();
    writer_hand_over(writer);
    wait_for_waiter(admin);
    sql_do(admin, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted");
    sql_do(locker, "COMMIT");
    PQfinish(locker);
    run_until_done(GAMES);
    assert_written_but(GAMES, DB_OK);
}

LISTED_TEST(test_connection_lost_amid_one)
{
    PGconn *locker = sql_connect(database.admin);
    sql_do(locker, "BEGIN; LOCK TABLE tillroll.record_line IN EXCLUSIVE MODE");
    writer_add(writer, &games[0].write);
    writer_hand_over(writer);
    wait_for_waiter(admin);
    sql_do(admin, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted");
    sql_do(locker, "COMMIT");
    PQfinish(locker);
    run_until_done(1);
    assert_int_equal(games[0].write.status, DB_OK);
    assert_int_equal(count_rows(&games[0].game), 2);
}

/* Nothing can be written: after the writer's patience every write is told that it is not known. */
LISTED_TEST(test_out_of_patience)
{
    PGconn *server = sql_connect(database.server);
    char sql[256];
    snprintf(sql, sizeof sql, "ALTER DATABASE %s ALLOW_CONNECTIONS false", database.name);
    sql_do(server, sql);
    terminate_others();
    add_all();
    run_until_done(GAMES);
    for (size_t i = 0; i < GAMES; i++)
        assert_true(games[i].write.status == DB_UNKNOWN || games[i].write.status == DB_UNAVAILABLE);
    snprintf(sql, sizeof sql, "ALTER DATABASE %s ALLOW_CONNECTIONS true", database.name);
    sql_do(server, sql);
    PQfinish(server);
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(count_rows(&games[i].game), 1);
    reopen_own();
    add_all();
    run_until_done(GAMES);
    assert_written_but(GAMES, DB_OK);
}

/* A server that warns while it commits (as one does whose standby has not answered) has not kept
 * its promise; the writes are there, and nobody may be told so. */
LISTED_TEST(test_commit_with_warning)
{
    sql_do(admin,
           "CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
           " RAISE WARNING 'canceling wait for synchronous replication'; RETURN NULL; END $$;"
           " CREATE TRIGGER warn AFTER INSERT ON tillroll.record_line"
           " FOR EACH STATEMENT EXECUTE FUNCTION warn()");
    add_all();
    run_until_done(GAMES);
    sql_do(admin, "DROP FUNCTION warn() CASCADE");
    for (size_t i = 0; i < GAMES; i++) {
        assert_int_equal(games[i].write.status, DB_UNKNOWN);
        assert_int_equal(count_rows(&games[i].game), 2);
    }
}

/* Writes that the server has, and its standby has not: nobody may be told that they are done, also
 * not because they are found there. */
LISTED_TEST(test_found_but_not_on_the_standby)
{
    add_all();
    hold_commits(&database);
    writer_hand_over(writer);
    end_wait(&database, "pg_terminate_backend");
    run_until_done(GAMES);
    for (size_t i = 0; i < GAMES; i++) {
        assert_int_equal(games[i].write.status, DB_UNKNOWN);
        assert_true(games[i].write.unnotified); /* by a session that notified nobody */
        assert_int_equal(count_rows(&games[i].game), 2);
    }
    release_commits(&database);
    add_all();
    run_until_done(GAMES);
    assert_written_but(GAMES, DB_OK);
}

/* A standby that has left keeps the server from answering: it is not waited for for ever. */
LISTED_TEST(test_standby_has_left)
{
    hold_commits(&database);
    add_all();
    run_until_done(GAMES);
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(games[i].write.status, DB_UNKNOWN);
    release_commits(&database);
    add_all();
    run_until_done(GAMES);
    assert_written_but(GAMES, DB_OK);
}

LISTED_TEST(test_stop_writes_what_waits)
{
    add_all();
    writer_hand_over(writer);
    writer_stop(writer);
    size_t done = 0;
    for (struct write *write = writer_take_done(writer); write != NULL; write = write->next)
        done++;
    assert_int_equal(done, GAMES);
    assert_written_but(GAMES, DB_OK);
}

/* What others hear of the writes, and whether the caller is to tell them. */
static void on_notices(const char *hearers, bool unnotified)
{
    PGconn *listener = sql_connect(database.admin);
    sql_do(listener, "LISTEN tillroll");
    sql_do(listener, hearers);
    add_all();
    run_until_done(GAMES);
    sql_do(listener, "SELECT 1");
    assert_null(PQnotifies(listener));
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(games[i].write.unnotified, unnotified);
    PQfinish(listener);
}

LISTED_TEST(test_notices_for_nobody)
{
    on_notices("DELETE FROM tillroll.hearer", false);
}

LISTED_TEST(test_notices_for_others)
{
    on_notices("DELETE FROM tillroll.hearer; INSERT INTO tillroll.hearer VALUES (7), (8)", true);
}

LISTED_TEST(test_notices_for_another)
{
    on_notices("DELETE FROM tillroll.hearer; INSERT INTO tillroll.hearer VALUES (8)", true);
}

LISTED_TEST(test_no_notices_for_itself)
{
    on_notices("DELETE FROM tillroll.hearer; INSERT INTO tillroll.hearer VALUES (7)", false);
}

/* A move that is alone in its batch has a statement of its own. */
LISTED_TEST(test_notices_of_one)
{
    for (int others = 0; others <= 1; others++) {
        sql_do(admin, others == 0
                          ? "DELETE FROM tillroll.hearer; INSERT INTO tillroll.hearer VALUES (7)"
                          : "INSERT INTO tillroll.hearer VALUES (8)");
        writer_add(writer, &games[others].write);
        run_until_done(1);
        assert_int_equal(games[others].write.status, DB_OK);
        assert_int_equal(games[others].write.unnotified, others);
    }
}

/* A session that writes without notices is known until all was told. */
LISTED_TEST(test_tellers)
{
    char own[96];
    snprintf(own, sizeof own, "SELECT count(*) FROM tillroll.teller WHERE id = %s",
             sql_value(admin, "SELECT max(id) FROM tillroll.teller"));
    sql_do(admin, "SELECT tillroll.look_for_hearers(9)");
    assert_string_equal(sql_value(admin, own), "1");
    writer_all_notified(writer); /* it has not stopped */
    add_all();
    run_until_done(GAMES);
    writer_stop(writer);
    assert_string_equal(sql_value(admin, own), "1");
    writer_all_notified(writer);
    assert_string_equal(sql_value(admin, own), "0");
}

/* Services of a release before 0028 are told by each transaction itself. */
LISTED_TEST(test_notices_for_all)
{
    writer_free(writer);
    PGconn *listener = sql_connect(database.admin);
    sql_do(listener, "LISTEN tillroll; DELETE FROM tillroll.hearer");
    writer = writer_new(database.service, true, GAMES, PATIENCE_MS, 0);
    assert_non_null(writer);
    await_connection();
    add_all();
    run_until_done(GAMES);
    sql_do(listener, "SELECT 1");
    PGnotify *notice = PQnotifies(listener);
    assert_non_null(notice);
    for (size_t i = 0; i < GAMES; i++) {
        char line[64];
        snprintf(line, sizeof line, "g %.36s 1", games[i].game.text);
        assert_non_null(strstr(notice->extra, line));
        assert_false(games[i].write.unnotified);
    }
    PQfreemem(notice);
    assert_null(PQnotifies(listener));
    PQfinish(listener);
}

#define WRITER_TEST(function) cmocka_unit_test_setup_teardown(function, start_writer, end_writer)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WRITER_TEST(test_one_transaction),
        WRITER_TEST(test_next_batch_before_taking),
        WRITER_TEST(test_lost_race),
        WRITER_TEST(test_lost_race_of_several_lines),
        WRITER_TEST(test_sent_twice),
        WRITER_TEST(test_broken_chain),
        WRITER_TEST(test_each_alone),
        WRITER_TEST(test_connection_lost_before),
        WRITER_TEST(test_connection_lost_amid),
        WRITER_TEST(test_connection_lost_amid_one),
        WRITER_TEST(test_out_of_patience),
        WRITER_TEST(test_commit_with_warning),
        WRITER_TEST(test_found_but_not_on_the_standby),
        WRITER_TEST(test_standby_has_left),
        WRITER_TEST(test_stop_writes_what_waits),
        WRITER_TEST(test_notices_for_nobody),
        WRITER_TEST(test_notices_for_others),
        WRITER_TEST(test_notices_for_another),
        WRITER_TEST(test_no_notices_for_itself),
        WRITER_TEST(test_notices_of_one),
        WRITER_TEST(test_notices_for_all),
        WRITER_TEST(test_tellers),
    };
    return cmocka_run_group_tests(tests, make_database, drop_database);
}
