/* The stored log: what waits, what is taken, and what the database refuses. */
#include <stdio.h>
#include <string.h>

#include "db/link/db.h"
#include "db/store/log/tlog.h"
#include "tests/db/database.h"

static struct database database;

FIXTURE(setup)
{
    database_make(&database, "test_tlog", true);
    return 0;
}

FIXTURE(teardown)
{
    database_drop(&database);
    return 0;
}

static struct span entry_of(unsigned number)
{
    static char bytes[1024][32];
    struct text text = TEXT_OVER(bytes[number]);
    text_add(&text, "entry\n");
    text_add_number(&text, number);
    text_add_char(&text, '\n');
    return text_span(&text);
}

static void queue_entries(unsigned first, unsigned end)
{
    begin(database.db);
    for (unsigned i = first; i < end; i++)
        assert_int_equal(tlog_queue(database.db, entry_of(i)), DB_OK);
    commit(database.db);
}

/* What a sequencer does with what waits, without the signing; in an open transaction. Returns the
 * size. */
static uint64_t take_all(uint64_t size)
{
    static struct tlog_edge edge;
    struct span *entries;
    size_t count;
    uint8_t hashes[1024][MERKLE_HASH];
    struct tlog_node nodes[32];
    size_t node_count = 0;
    assert_int_equal(tlog_edge_read(database.db, size, &edge), DB_OK);
    assert_int_equal(tlog_waiting(database.db, &database.arena, 1024, &entries, &count), DB_OK);
    for (size_t i = 0; i < count; i++) {
        merkle_leaf(entries[i], hashes[i]);
        node_count += tlog_edge_add(&edge, hashes[i], nodes + node_count);
    }
    assert_int_equal(tlog_append(database.db, size, entries, (const uint8_t(*)[MERKLE_HASH])hashes,
                                 count, nodes, node_count),
                     DB_OK);
    uint8_t root[MERKLE_HASH];
    tlog_edge_root(&edge, root);
    assert_int_equal(
        tlog_checkpoint_add(database.db, edge.size, root, span_of("log.example\nnote\n")), DB_OK);
    return edge.size;
}

static uint64_t log_size(void)
{
    struct tlog_checkpoint last;
    struct span note;
    begin(database.db);
    enum db_status status = tlog_checkpoint_last(database.db, &database.arena, &last);
    assert_int_equal(tlog_note_last(database.db, &database.arena, &note), status);
    if (status == DB_OK)
        assert_true(span_equal(note, last.note)); /* nobody has cosigned */
    commit(database.db);
    return status == DB_OK ? last.size : 0;
}

TEST(test_what_waits_is_taken_in_order)
{
    struct span *entries;
    size_t count;
    queue_entries(0, 3);
    queue_entries(1, 5); /* some twice */
    begin(database.db);
    assert_int_equal(tlog_waiting(database.db, &database.arena, 100, &entries, &count), DB_OK);
    assert_int_equal(count, 5);
    for (unsigned i = 0; i < count; i++)
        assert_true(span_equal(entries[i], entry_of(i)));
    assert_int_equal(tlog_waiting(database.db, &database.arena, 2, &entries, &count), DB_OK);
    assert_int_equal(count, 2);
    assert_int_equal(take_all(0), 5);
    assert_int_equal(tlog_waiting(database.db, &database.arena, 100, &entries, &count), DB_OK);
    assert_int_equal(count, 0);
    commit(database.db);
    /* What is in the tree is not taken again. */
    queue_entries(2, 3);
    begin(database.db);
    assert_int_equal(tlog_waiting(database.db, &database.arena, 100, &entries, &count), DB_OK);
    assert_int_equal(count, 0);
    commit(database.db);
}

TEST(test_what_is_rolled_back_waits_on)
{
    struct span *entries;
    size_t count;
    uint64_t size = log_size();
    queue_entries(5, 8);
    begin(database.db);
    assert_int_equal(take_all(size), size + 3);
    db_rollback(database.db);
    assert_int_equal(log_size(), size);
    begin(database.db);
    assert_int_equal(tlog_waiting(database.db, &database.arena, 100, &entries, &count), DB_OK);
    assert_int_equal(count, 3);
    assert_int_equal(take_all(size), size + 3);
    commit(database.db);
}

TEST(test_tiles)
{
    uint64_t size = log_size();
    queue_entries((unsigned)size, 700);
    begin(database.db);
    size = take_all(size);
    assert_int_equal(size, 700);
    struct tlog_tile tiles[] = {{.level = 0, .number = 0},
                                {.level = 0, .number = 2},
                                {.level = 1, .number = 0},
                                {.level = 0, .number = 3},
                                {.level = 2, .number = 0}};
    assert_int_equal(tlog_tiles_read(database.db, &database.arena, size, tiles, 5), DB_OK);
    assert_int_equal(tiles[0].count, 256);
    assert_int_equal(tiles[1].count, 188);
    assert_int_equal(tiles[2].count, 2);
    assert_int_equal(tiles[3].count, 0);
    assert_int_equal(tiles[4].count, 0);
    /* As of a smaller log. */
    assert_int_equal(tlog_tiles_read(database.db, &database.arena, 513, tiles, 5), DB_OK);
    assert_int_equal(tiles[1].count, 1);
    uint8_t hash[MERKLE_HASH];
    uint64_t index;
    merkle_leaf(entry_of(600), hash);
    assert_int_equal(tlog_find(database.db, hash, &index), DB_OK);
    assert_int_equal(index, 600);
    hash[0] ^= 1;
    assert_int_equal(tlog_find(database.db, hash, &index), DB_NONE);
    struct tlog_entry *entries;
    size_t count;
    assert_int_equal(tlog_entries(database.db, &database.arena, 690, 256, &entries, &count), DB_OK);
    assert_int_equal(count, 10);
    assert_int_equal(entries[9].index, 699);
    assert_true(span_equal(entries[9].entry, entry_of(699)));
    struct tlog_edge edge;
    assert_int_equal(tlog_edge_read(database.db, 701, &edge), DB_NONE);
    commit(database.db);
}

TEST(test_checkpoints)
{
    struct tlog_checkpoint *list;
    size_t count;
    begin(database.db);
    assert_int_equal(tlog_checkpoint_list(database.db, &database.arena, -1, 100, &list, &count),
                     DB_OK);
    assert_int_equal(count, 3);
    assert_int_equal(list[0].size, 5);
    assert_int_equal(list[2].size, 700);
    assert_int_equal(tlog_checkpoint_list(database.db, &database.arena, 5, 1, &list, &count),
                     DB_OK);
    assert_int_equal(count, 1);
    assert_int_equal(list[0].size, 8);
    commit(database.db);
}

/* One at a time, until the end of its transaction. */
TEST(test_the_lock)
{
    char message[256];
    struct text error = TEXT_OVER(message);
    struct db *other = db_open(database.service, true, &error);
    assert_non_null(other);
    begin(database.db);
    begin(other);
    assert_int_equal(tlog_lock(database.db), DB_OK);
    assert_int_equal(tlog_lock(other), DB_NONE);
    db_rollback(database.db);
    assert_int_equal(tlog_lock(other), DB_OK);
    db_rollback(other);
    db_close(other);
}

TEST(test_documents)
{
    /* SHA-256("abc") */
    static const uint8_t hash[32] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea,
                                     0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
                                     0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c,
                                     0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
    struct span body;
    begin(database.db);
    assert_int_equal(tlog_document_find(database.db, &database.arena, hash, &body), DB_NONE);
    assert_int_equal(tlog_document_keep(database.db, hash, "abc"), DB_OK);
    assert_int_equal(tlog_document_keep(database.db, hash, "abc"), DB_OK);
    assert_int_equal(tlog_document_find(database.db, &database.arena, hash, &body), DB_OK);
    assert_true(span_is(body, "abc"));
    commit(database.db);
}

static void must_refuse(PGconn *connection, const char *sql, const char *state)
{
    const char *got = sql_state(connection, sql);
    if (strcmp(got, state) != 0)
        fail_msg("%s: %s instead of %s", sql, got, state);
}

TEST(test_what_is_refused)
{
    PGconn *service = sql_connect(database.service);
    queue_entries(900, 901);
    must_refuse(service, "DELETE FROM tillroll.log_queue", "42501");
    must_refuse(service, "UPDATE tillroll.log_queue SET entry = 'x'", "42501");
    must_refuse(service, "INSERT INTO tillroll.log_queue (entry) VALUES ('')", "23514");
    must_refuse(service, "INSERT INTO tillroll.log_queue (entry) VALUES (repeat('x', 192))",
                "23514");
    must_refuse(service, "INSERT INTO tillroll.log_queue (entry) VALUES (E'\\u00e9')", "23514");
    /* With a gap, twice, with another hash. */
    must_refuse(service,
                "INSERT INTO tillroll.log_leaf VALUES (702, 'x', tillroll.log_leaf_hash('x'))",
                "23514");
    must_refuse(service,
                "INSERT INTO tillroll.log_leaf VALUES (699, 'x', tillroll.log_leaf_hash('x'))",
                "23505");
    must_refuse(service,
                "INSERT INTO tillroll.log_leaf VALUES (700, 'x', tillroll.log_leaf_hash('y'))",
                "23514");
    must_refuse(service,
                "INSERT INTO tillroll.log_leaf VALUES (700, E'entry\\n3\\n',"
                " tillroll.log_leaf_hash(E'entry\\n3\\n'))",
                "23505");
    must_refuse(service, "INSERT INTO tillroll.log_checkpoint VALUES (699, sha256(''), 'note')",
                "23514");
    must_refuse(service, "INSERT INTO tillroll.log_checkpoint VALUES (701, sha256(''), 'note')",
                "23514");
    must_refuse(service, "INSERT INTO tillroll.log_document VALUES (sha256('a'), 'b')", "23514");
    PQfinish(service);
}

int main(void)
{
    return run_all_tests(setup, teardown);
}
