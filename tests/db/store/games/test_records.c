/* Records: what the layer appends and reads, and what the database refuses whoever asks. */
#include "db/store/games/records.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tests/db/database.h"

static struct database database;

FIXTURE(setup)
{
    database_make(&database, "test_records", true);
    return 0;
}

FIXTURE(teardown)
{
    database_drop(&database);
    return 0;
}

static enum db_status append(const struct id *game, const struct record_row *rows, size_t count)
{
    begin(database.db);
    enum db_status status = record_append(database.db, game, rows, count);
    if (status == DB_OK)
        commit(database.db);
    else
        db_rollback(database.db);
    return status;
}

static struct id start_record(struct roll *roll)
{
    struct id game = id_new(NOW_MS);
    struct record_row header = roll_header(roll);
    assert_int_equal(append(&game, &header, 1), DB_OK);
    return game;
}

static size_t count_rows(const struct id *game)
{
    struct record_row *rows;
    size_t count;
    begin(database.db);
    assert_int_equal(record_read(database.db, &database.arena, game, -1, &rows, &count), DB_OK);
    commit(database.db);
    return count;
}

TEST(test_append_and_read)
{
    struct roll roll;
    struct id game = start_record(&roll);
    struct record_row rows[3] = {roll_line(&roll, 1, 1, "1 0 1532 open shinjuku food"),
                                 roll_line(&roll, 2, 2, "2 1 90500 {\"'$1\\"),
                                 roll_line(&roll, 3, 3, "3 - 90500 timeout 2")};
    assert_int_equal(append(&game, rows, 2), DB_OK);
    assert_int_equal(append(&game, rows + 2, 1), DB_OK);

    struct record_row *read;
    size_t count;
    begin(database.db);
    assert_int_equal(record_read(database.db, &database.arena, &game, 0, &read, &count), DB_OK);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(read[i].seq, i + 1);
        assert_true(span_equal(read[i].line, rows[i].line));
        assert_memory_equal(read[i].hash, rows[i].hash, 32);
    }
    assert_int_equal(record_read(database.db, &database.arena, &game, 3, &read, &count), DB_OK);
    assert_int_equal(count, 0);
    commit(database.db);
    assert_int_equal(count_rows(&game), 4);
}

static void expect_part(const struct record_part *part, const struct record_row *rows, size_t count)
{
    assert_int_equal(part->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(part->rows[i].seq, rows[i].seq);
        assert_true(span_equal(part->rows[i].line, rows[i].line));
    }
}

/* Reads several records at once, one of them twice, and one that does not exist. */
TEST(test_read_parts)
{
    struct roll roll[2];
    struct id game[2] = {start_record(&roll[0]), start_record(&roll[1])};
    struct id nothing = id_new(NOW_MS);
    struct record_row one[3] = {roll_line(&roll[0], 1, 1, "1 0 10 pass"),
                                roll_line(&roll[0], 2, 2, "2 1 20 pass"),
                                roll_line(&roll[0], 3, 3, "3 0 30 {\"'$1\\")};
    struct record_row other = roll_line(&roll[1], 1, 1, "1 0 11 end");
    assert_int_equal(append(&game[0], one, 3), DB_OK);
    assert_int_equal(append(&game[1], &other, 1), DB_OK);
    struct record_part part[5] = {{.game = &game[0], .from = 2},
                                  {.game = &nothing},
                                  {.game = &game[1]},
                                  {.game = &game[0], .from = 4},
                                  {.game = &game[0], .from = 3}};
    begin(database.db);
    assert_int_equal(record_read_parts(database.db, &database.arena, part, 5), DB_OK);
    commit(database.db);
    expect_part(&part[0], one + 1, 2);
    expect_part(&part[1], NULL, 0);
    assert_int_equal(part[2].count, 2);
    assert_int_equal(part[2].rows[0].seq, 0);
    assert_true(span_equal(part[2].rows[1].line, other.line));
    expect_part(&part[3], NULL, 0);
    expect_part(&part[4], one + 2, 1);
}

TEST(test_conflict_writes_nothing)
{
    struct roll roll;
    struct id game = start_record(&roll);
    struct roll other = roll;
    struct record_row first = roll_line(&roll, 1, 1, "1 0 10 pass");
    assert_int_equal(append(&game, &first, 1), DB_OK);

    struct record_row late[3] = {roll_line(&other, 1, 1, "1 1 12 pass"),
                                 roll_line(&other, 2, 2, "2 0 13 pass"),
                                 roll_line(&other, 3, 3, "3 1 14 pass")};
    struct record_row next = roll_line(&roll, 2, 2, "2 1 20 pass");
    assert_int_equal(append(&game, late, 3), DB_CONFLICT);
    assert_int_equal(append(&game, late + 1, 2), DB_ERROR);
    assert_int_equal(count_rows(&game), 2);
    assert_int_equal(append(&game, &next, 1), DB_OK);
    assert_int_equal(count_rows(&game), 3);

    struct record_row again = roll_header(&other);
    assert_int_equal(append(&game, &again, 1), DB_CONFLICT);
}

/* Each takes a valid row and spoils one thing. */
static void spoil_hash(struct record_row *row)
{
    row->hash[31] ^= 1;
}

static void spoil_gap(struct record_row *row)
{
    row->seq = 2;
}

static void spoil_mark(struct record_row *row)
{
    char *last = (char *)row->line.at + row->line.length - 1;
    *last = *last == '0' ? '1' : '0';
}

static void spoil_byte(struct record_row *row)
{
    ((char *)row->line.at)[2] ^= 1;
}

static void spoil_no_mark(struct record_row *row)
{
    row->line.length -= 10;
}

TEST(test_refuses_spoiled_lines)
{
    void (*const spoil[])(struct record_row *) = {spoil_hash, spoil_gap, spoil_mark, spoil_byte,
                                                  spoil_no_mark};
    for (size_t i = 0; i < sizeof spoil / sizeof spoil[0]; i++) {
        struct roll roll;
        struct id game = start_record(&roll);
        struct record_row row = roll_line(&roll, 1, 1, "1 0 10 pass");
        spoil[i](&row);
        assert_int_equal(append(&game, &row, 1), DB_ERROR);
        assert_int_equal(strncmp(db_last_error(database.db), "23514", 5), 0);
        assert_int_equal(count_rows(&game), 1);
    }
}

TEST(test_refuses_unprintable_lines)
{
    static const char *const lines[] = {"1 0 10 caf\xc3\xa9", "1 0 10 tab\there", "1 0 10 \x7f",
                                        "1 0 10 two\n2 0 11 lines"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct roll roll;
        struct id game = start_record(&roll);
        struct record_row row = roll_line(&roll, 1, 1, lines[i]);
        assert_int_equal(append(&game, &row, 1), DB_ERROR);
        assert_int_equal(count_rows(&game), 1);
    }
}

/* 512 bytes with the mark are the most. */
TEST(test_line_length)
{
    for (size_t length = 502; length <= 503; length++) {
        char line[512] = {0};
        memset(line, 'x', length);
        struct roll roll;
        struct id game = start_record(&roll);
        struct record_row row = roll_line(&roll, 1, 1, line);
        assert_int_equal(row.line.length, length + 10);
        assert_int_equal(append(&game, &row, 1), length == 502 ? DB_OK : DB_ERROR);
    }
}

TEST(test_refuses_spoiled_header)
{
    static const size_t places[] = {0, 9, 12, 20, 30, 95, 100};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct roll roll;
        struct id game = id_new(NOW_MS);
        struct record_row header = roll_header(&roll);
        assert_true(places[i] < header.line.length);
        ((char *)header.line.at)[places[i]] ^= 1;
        assert_int_equal(append(&game, &header, 1), DB_ERROR);
        assert_int_equal(count_rows(&game), 0);
    }
    struct roll roll;
    struct id game = id_new(NOW_MS);
    struct record_row header = roll_header(&roll);
    header.line.at = strchr(header.line.at, '\n') + 1;
    header.line.length = strlen(header.line.at);
    assert_int_equal(append(&game, &header, 1), DB_ERROR);
    struct record_row line = roll_line(&roll, 1, 1, "1 0 10 without a header");
    assert_int_equal(append(&game, &line, 1), DB_ERROR);
}

/* A wrong second row takes the first one with it. */
TEST(test_batch_is_atomic)
{
    struct roll roll;
    struct id game = start_record(&roll);
    struct record_row rows[2] = {roll_line(&roll, 1, 1, "1 0 10 pass"),
                                 roll_line(&roll, 2, 2, "2 0 11 pass")};
    spoil_hash(&rows[1]);
    assert_int_equal(append(&game, rows, 2), DB_ERROR);
    assert_int_equal(count_rows(&game), 1);
}

struct racer {
    pthread_t thread;
    struct db *db;
    struct id game;
    struct roll roll;
    struct record_row row;
    pthread_barrier_t *start;
    enum db_status status;
};

static void *race(void *context)
{
    struct racer *racer = context;
    enum db_status status = db_begin(racer->db, false);
    pthread_barrier_wait(racer->start);
    if (status == DB_OK)
        status = record_append(racer->db, &racer->game, &racer->row, 1);
    if (status == DB_OK)
        status = db_commit(racer->db);
    else
        db_rollback(racer->db);
    racer->status = status;
    return NULL;
}

TEST(test_race_has_one_winner)
{
    struct racer racers[2];
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, 2), 0);
    char buffer[512];
    struct text error = TEXT_OVER(buffer);
    for (size_t i = 0; i < 2; i++) {
        racers[i].db = db_open(database.service, true, &error);
        assert_non_null(racers[i].db);
        racers[i].start = &start;
    }
    for (unsigned turn = 0; turn < 50; turn++) {
        struct roll roll;
        struct id game = start_record(&roll);
        for (size_t i = 0; i < 2; i++) {
            racers[i].game = game;
            racers[i].roll = roll;
            racers[i].row =
                roll_line(&racers[i].roll, 1, 1, i == 0 ? "1 0 10 pass" : "1 1 10 pass");
            assert_int_equal(pthread_create(&racers[i].thread, NULL, race, &racers[i]), 0);
        }
        for (size_t i = 0; i < 2; i++)
            pthread_join(racers[i].thread, NULL);
        bool first_won = racers[0].status == DB_OK;
        assert_int_equal(racers[first_won ? 0 : 1].status, DB_OK);
        assert_int_equal(racers[first_won ? 1 : 0].status, DB_CONFLICT);
        assert_int_equal(count_rows(&game), 2);
    }
    for (size_t i = 0; i < 2; i++)
        db_close(racers[i].db);
    pthread_barrier_destroy(&start);
}

/* The same without threads: the second waits for the first, which then commits or gives up. */
TEST(test_waiting_row_decides)
{
    for (int first_commits = 0; first_commits <= 1; first_commits++) {
        struct roll roll;
        struct racer racer = {.game = start_record(&roll), .roll = roll};
        struct record_row first = roll_line(&roll, 1, 1, "1 0 10 pass");
        racer.row = roll_line(&racer.roll, 1, 1, "1 1 10 pass");
        char buffer[512];
        struct text error = TEXT_OVER(buffer);
        pthread_barrier_t start;
        pthread_barrier_init(&start, NULL, 1);
        racer.start = &start;
        racer.db = db_open(database.service, true, &error);
        assert_non_null(racer.db);

        begin(database.db);
        assert_int_equal(record_append(database.db, &racer.game, &first, 1), DB_OK);
        assert_int_equal(pthread_create(&racer.thread, NULL, race, &racer), 0);
        PGconn *observer = sql_connect(database.admin);
        wait_for_waiter(observer);
        if (first_commits == 1)
            commit(database.db);
        else
            db_rollback(database.db);
        pthread_join(racer.thread, NULL);
        assert_int_equal(racer.status, first_commits == 1 ? DB_CONFLICT : DB_OK);
        assert_int_equal(count_rows(&racer.game), 2);
        PQfinish(observer);
        db_close(racer.db);
        pthread_barrier_destroy(&start);
    }
}

/* Even the owner and the superuser, and with triggers switched off for the session. */
TEST(test_append_only_for_everybody)
{
    struct roll roll;
    start_record(&roll);
    const char *const urls[] = {database.migrator, database.admin};
    for (size_t i = 0; i < 2; i++) {
        PGconn *connection = sql_connect(urls[i]);
        if (i == 1)
            sql_do(connection, "SET session_replication_role = replica");
        static const char *const refused[] = {
            "UPDATE tillroll.record_line SET line = 'x'",
            "DELETE FROM tillroll.record_line",
            "TRUNCATE tillroll.record_line CASCADE",
            "UPDATE tillroll.event_step SET kind = 'x'",
            "DELETE FROM tillroll.event_step",
            "TRUNCATE tillroll.event_step CASCADE",
            "UPDATE tillroll.game_result SET score = 1",
            "DELETE FROM tillroll.game_result",
            "TRUNCATE tillroll.game_result",
            "UPDATE tillroll.rating_change SET mu_after = 1",
            "DELETE FROM tillroll.rating_change",
            "TRUNCATE tillroll.rating_change",
        };
        for (size_t j = 0; j < sizeof refused / sizeof refused[0]; j++)
            assert_string_equal(sql_state(connection, refused[j]), "42501");
        PQfinish(connection);
    }
}

/* The chain is checked for the superuser too. */
TEST(test_chain_holds_for_everybody)
{
    PGconn *connection = sql_connect(database.admin);
    sql_do(connection, "SET session_replication_role = replica");
    assert_string_equal(sql_state(connection,
                                  "INSERT INTO tillroll.record_line VALUES"
                                  " (gen_random_uuid(), 1, 'x #00000000', decode(repeat('00', 32),"
                                  " 'hex'))"),
                        "23514");
    assert_string_equal(sql_value(connection, "SELECT count(*) FROM pg_trigger"
                                              " WHERE tgname = 'record_lines_added'"
                                              " AND tgenabled = 'A'"),
                        "1");
    PQfinish(connection);
}

int main(void)
{
    return run_all_tests(setup, teardown);
}
