/* Reading in bulk: every game and every record is there once and in order, however its lines lie in
 * the table, and what has no counterpart shows. */
#include "db/store/games/audit.h"

#include <stdlib.h>
#include <string.h>

#include "db/link/db.h"
#include "tests/db/database.h"

enum { GAMES = 48, LINES = 4 };

static struct database database;
static struct id games[GAMES]; /* in their order */
static struct id first, second;

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const struct id *)a)->text, ((const struct id *)b)->text);
}

/* The lines of all games are written turn by turn, so that they lie mixed. */
static void write_mixed(void)
{
    static struct roll rolls[GAMES];
    for (unsigned seq = 0; seq < LINES; seq++) {
        for (size_t i = 0; i < GAMES; i++) {
            struct record_row row =
                seq == 0 ? roll_header(&rolls[i]) : roll_line(&rolls[i], 1, seq, "1 0 10 pass");
            begin(database.db);
            assert_int_equal(record_append(database.db, &games[i], &row, 1), DB_OK);
            commit(database.db);
        }
    }
}

FIXTURE(setup)
{
    database_make(&database, "test_audit", true);
    first = make_player(database.db, "First");
    second = make_player(database.db, "Second");
    for (size_t i = 0; i < GAMES; i++)
        games[i] = make_game(database.db, &first, &second);
    qsort(games, GAMES, sizeof games[0], compare_ids);
    write_mixed();
    return 0;
}

FIXTURE(teardown)
{
    database_drop(&database);
    return 0;
}

static struct audit_page read_page(const struct id *after, const struct id *until)
{
    struct audit_page page;
    begin(database.db);
    assert_int_equal(audit_read(database.db, after, until, &page), DB_OK);
    commit(database.db);
    return page;
}

static void assert_record(const struct audit_record *record, const struct id *game)
{
    struct record_row *rows;
    size_t count;
    assert_string_equal(record->id.text, game->text);
    begin(database.db);
    assert_int_equal(record_read(database.db, &database.arena, game, -1, &rows, &count), DB_OK);
    commit(database.db);
    assert_int_equal(record->count, count);
    assert_int_equal(record->gap, 0);
    assert_true(span_equal(record->text, record_join(&database.arena, rows, count)));
    assert_int_equal(record->hashes.length, 32 * count);
    for (size_t i = 0; i < count; i++)
        assert_memory_equal(record->hashes.at + 32 * i, rows[i].hash, 32);
}

TEST(test_reads_all_in_order)
{
    const struct id none = {""};
    struct audit_page page = read_page(&none, &none);
    assert_int_equal(page.count, GAMES);
    assert_int_equal(page.rows, GAMES * LINES);
    for (size_t i = 0; i < GAMES; i++) {
        assert_record(&page.records[i], &games[i]);
        assert_non_null(page.records[i].game);
        assert_string_equal(page.records[i].game->id.text, games[i].text);
        assert_string_equal(page.records[i].game->seat[1].player.text, second.text);
    }
    audit_page_free(&page);
}

TEST(test_pages_meet_without_gap_or_overlap)
{
    struct id after = {""};
    size_t seen = 0;
    for (bool more = true; more;) {
        struct id until;
        begin(database.db);
        enum db_status status = audit_next(database.db, &after, 7, &until);
        commit(database.db);
        more = status == DB_OK;
        assert_true(more || status == DB_NONE);
        if (!more)
            until = (struct id){""};
        struct audit_page page = read_page(&after, &until);
        assert_int_equal(page.count, more ? 7 : GAMES % 7);
        for (size_t i = 0; i < page.count; i++)
            assert_record(&page.records[i], &games[seen++]);
        audit_page_free(&page);
        after = until;
    }
    assert_int_equal(seen, GAMES);
}

TEST(test_an_empty_range_is_empty)
{
    struct audit_page page = read_page(&games[3], &games[3]);
    assert_int_equal(page.count, 0);
    assert_int_equal(page.rows, 0);
    audit_page_free(&page);
}

/* A game without a record stands between the others, and so does a record without a game. */
TEST(test_what_has_no_counterpart_shows)
{
    const struct id none = {""};
    struct roll roll;
    struct id silent = make_game(database.db, &first, &second);
    struct id orphan = id_new(NOW_MS - 1000);
    struct record_row header = roll_header(&roll);
    begin(database.db);
    assert_int_equal(record_append(database.db, &orphan, &header, 1), DB_OK);
    commit(database.db);
    struct audit_page page = read_page(&none, &none);
    assert_int_equal(page.count, GAMES + 2);
    unsigned found = 0;
    for (size_t i = 0; i < page.count; i++) {
        const struct audit_record *record = &page.records[i];
        if (i > 0)
            assert_true(strcmp(page.records[i - 1].id.text, record->id.text) < 0);
        if (id_equal(&record->id, &silent)) {
            assert_int_equal(record->count, 0);
            assert_non_null(record->game);
            found++;
        } else if (id_equal(&record->id, &orphan)) {
            assert_int_equal(record->count, 1);
            assert_null(record->game);
            found++;
        } else {
            assert_int_equal(record->count, LINES);
            assert_non_null(record->game);
        }
    }
    assert_int_equal(found, 2);
    audit_page_free(&page);
}

int main(void)
{
    return run_all_tests(setup, teardown);
}
