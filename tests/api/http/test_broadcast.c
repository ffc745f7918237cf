/* Broadcasts: every reader gets every message once and in order, whenever it comes and however fast
 * it reads, and nothing is kept that nobody needs. */
#include "api/http/broadcast.h"
#include "tests/test.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct broadcasts *broadcasts;
static struct broadcast *broadcast;
static atomic_uint hungry_calls;

static void on_hungry(void *context, struct broadcast *of)
{
    assert_ptr_equal(context, &hungry_calls);
    assert_ptr_equal(broadcast_place(of), &broadcasts);
    atomic_fetch_add(&hungry_calls, 1);
}

FIXTURE(setup)
{
    atomic_store(&hungry_calls, 0);
    broadcasts = broadcasts_new(on_hungry, &hungry_calls);
    assert_non_null(broadcasts);
    broadcast = broadcast_new(broadcasts, 0, &broadcasts);
    return 0;
}

FIXTURE(teardown)
{
    broadcast_free(broadcast);
    broadcasts_free(broadcasts);
    return 0;
}

static void nothing(struct broadcast_reader *reader)
{
    reader->closed = NULL;
}

/* A reader with all that it has read. */
struct topic {
    struct broadcast_reader reader;
    char read[8192];
    size_t length;
    ssize_t last; /* what broadcast_read() returned last */
};

static void open_reader(struct topic *topic, unsigned after)
{
    topic->length = 0;
    broadcast_open(broadcast, &topic->reader, after, nothing);
}

/* Reads at most `size` bytes at a time until there is nothing more now. */
static const char *read_by(struct topic *topic, size_t size)
{
    do {
        topic->last =
            broadcast_read(&topic->reader, topic->read + topic->length, size, 1000, topic);
        topic->length += topic->last > 0 ? (size_t)topic->last : 0;
    } while (topic->last > 0);
    topic->read[topic->length] = '\0';
    return topic->read;
}

static const char *read_all(struct topic *topic)
{
    return read_by(topic, 64);
}

static bool is_awake_fd_readable(void)
{
    struct pollfd ready = {.fd = broadcasts_awake_fd(broadcasts), .events = POLLIN};
    return poll(&ready, 1, 0) == 1;
}

static void add(const char *bytes)
{
    broadcast_add(broadcast, span_of(bytes));
}

LISTED_TEST(test_messages_in_order)
{
    struct topic first;
    struct topic second;
    open_reader(&first, 0);
    open_reader(&second, 0);
    assert_string_equal(read_all(&first), "");
    assert_int_equal(first.last, BROADCAST_WAIT);
    add("one,");
    add("two,");
    assert_string_equal(read_all(&first), "one,two,");
    add("three,");
    assert_string_equal(read_by(&first, 1), "one,two,three,");
    assert_string_equal(read_by(&second, 5), "one,two,three,");
    assert_int_equal(hungry_calls, 0);
    broadcast_close(&first.reader);
    broadcast_close(&second.reader);
}

/* A reader that was given all there is waits already: it is woken for the next message without
 * having read in vain. One that has something left, or has reached the end, does not wait. */
LISTED_TEST(test_waits_at_once)
{
    struct topic topic;
    char bytes[8];
    void *owner[2];
    open_reader(&topic, 0);
    add("one,");
    add("two,");
    assert_int_equal(broadcast_read(&topic.reader, bytes, 4, 0, &topic), 4);
    assert_false(broadcast_waits(&topic.reader));
    assert_int_equal(broadcast_read(&topic.reader, bytes, 4, 0, &topic), 4);
    assert_false(broadcast_waits(&topic.reader));
    add("six,");
    assert_int_equal(broadcasts_take_awake(broadcasts, owner, 2), 0);
    assert_int_equal(broadcast_read(&topic.reader, bytes, 8, 0, &topic), 4);
    assert_true(broadcast_waits(&topic.reader));
    add("ten,");
    assert_int_equal(broadcasts_take_awake(broadcasts, owner, 2), 1);
    assert_ptr_equal(owner[0], &topic);
    assert_int_equal(broadcast_read(&topic.reader, bytes, 8, 0, &topic), 4);
    assert_memory_equal(bytes, "ten,", 4);
    assert_true(broadcast_waits(&topic.reader));
    assert_int_equal(broadcast_read(&topic.reader, bytes, 8, 0, &topic), BROADCAST_WAIT);
    assert_true(broadcast_waits(&topic.reader));
    add("end,");
    broadcast_finish(broadcast);
    assert_int_equal(broadcast_read(&topic.reader, bytes, 8, 0, &topic), 4);
    assert_false(broadcast_waits(&topic.reader));
    assert_int_equal(broadcast_read(&topic.reader, bytes, 8, 0, &topic), BROADCAST_END);
    assert_false(broadcast_waits(&topic.reader));
    broadcast_close(&topic.reader);
}

LISTED_TEST(test_begin_anywhere)
{
    struct topic reader;
    for (unsigned n = 1; n <= 5; n++) {
        char bytes[2] = {(char)('0' + n), '\0'};
        add(bytes);
    }
    for (unsigned after = 0; after <= 5; after++) {
        open_reader(&reader, after);
        assert_string_equal(read_all(&reader), &"12345"[after]);
        broadcast_close(&reader.reader);
    }
    /* A reader that has heard elsewhere of what has not come here yet. */
    open_reader(&reader, 7);
    assert_string_equal(read_all(&reader), "");
    add("6");
    add("7");
    assert_string_equal(read_all(&reader), "");
    add("8");
    assert_string_equal(read_all(&reader), "8");
    assert_int_equal(hungry_calls, 0);
    broadcast_close(&reader.reader);
}

LISTED_TEST(test_waking)
{
    enum { READERS = 5 };
    struct topic reader[READERS];
    void *owner[READERS];
    for (size_t i = 0; i < READERS; i++) {
        open_reader(&reader[i], 0);
        read_all(&reader[i]);
    }
    assert_false(is_awake_fd_readable());
    add("x");
    add("y");
    assert_true(is_awake_fd_readable());
    /* In slices; each once, and in the order of waiting. */
    assert_int_equal(broadcasts_take_awake(broadcasts, owner, 2), 2);
    assert_ptr_equal(owner[0], &reader[0]);
    assert_ptr_equal(owner[1], &reader[1]);
    assert_true(is_awake_fd_readable());
    /* A reader that has gone meanwhile, or has read of its own accord, is not woken. */
    broadcast_close(&reader[2].reader);
    assert_string_equal(read_all(&reader[3]), "xy");
    assert_int_equal(broadcasts_take_awake(broadcasts, owner, READERS), 1);
    assert_ptr_equal(owner[0], &reader[4]);
    assert_false(is_awake_fd_readable());
    assert_int_equal(broadcasts_take_awake(broadcasts, owner, READERS), 0);
    for (size_t i = 0; i < READERS; i++)
        if (i != 2)
            broadcast_close(&reader[i].reader);
}

/* What has been read is gone; who wants it is behind, and those who want the same share it. */
LISTED_TEST(test_hungry_readers)
{
    char bytes[5001];
    unsigned after;
    struct topic reader[3];
    memset(bytes, 'b', sizeof bytes - 1);
    bytes[sizeof bytes - 1] = '\0';
    for (unsigned n = 1; n <= 4; n++)
        add(bytes);
    assert_false(broadcast_needs_backfill(broadcast, &after));
    for (size_t i = 0; i < 3; i++) {
        open_reader(&reader[i], i == 2 ? 1 : 0);
        assert_string_equal(read_all(&reader[i]), "");
        assert_int_equal(reader[i].last, BROADCAST_NEEDS_BACKFILL);
    }
    assert_int_equal(hungry_calls, 3);
    assert_true(broadcast_needs_backfill(broadcast, &after));
    assert_int_equal(after, 0);
    broadcast_give(broadcast, 0, 3, span_of("1,2,3,"));
    assert_true(broadcast_needs_backfill(broadcast, &after));
    assert_int_equal(after, 1);
    broadcast_give(broadcast, 1, 2, span_of("2,"));
    assert_false(broadcast_needs_backfill(broadcast, &after));
    void *owner[3];
    assert_int_equal(broadcasts_take_awake(broadcasts, owner, 3), 3);
    /* The fourth is kept still. */
    for (size_t i = 0; i < 2; i++) {
        char read[8];
        assert_int_equal(broadcast_read(&reader[i].reader, read, 6, 0, &reader[i]), 6);
        assert_memory_equal(read, "1,2,3,", 6);
        assert_int_equal(broadcast_read(&reader[i].reader, reader[i].read, 8000, 0, &reader[i]),
                         5000);
        broadcast_close(&reader[i].reader);
    }
    assert_memory_equal(read_by(&reader[2], 2), "2,", 2);
    assert_int_equal(hungry_calls, 4); /* for the third message */
    assert_true(broadcast_needs_backfill(broadcast, &after));
    assert_int_equal(after, 2);
    broadcast_close(&reader[2].reader);
    assert_false(broadcast_needs_backfill(broadcast, &after));
}

LISTED_TEST(test_a_feed_of_unknown_length)
{
    struct topic reader[2];
    void *owner[2];
    unsigned after;
    struct broadcast *known = broadcast;
    broadcast = broadcast_new(broadcasts, BROADCAST_UNKNOWN, &broadcasts);
    open_reader(&reader[0], 3);
    open_reader(&reader[1], 5);
    read_all(&reader[0]);
    read_all(&reader[1]);
    assert_int_equal(hungry_calls, 2);
    broadcast_know(broadcast, 5);
    /* A reader that has everything was woken by mistake, and waits. */
    assert_int_equal(broadcasts_take_awake(broadcasts, owner, 2), 1);
    assert_ptr_equal(owner[0], &reader[1]);
    assert_string_equal(read_all(&reader[1]), "");
    assert_int_equal(hungry_calls, 2);
    assert_true(broadcast_needs_backfill(broadcast, &after));
    assert_int_equal(after, 3);
    broadcast_give(broadcast, 3, 5, span_of("4,5,"));
    add("6,");
    assert_string_equal(read_all(&reader[0]), "4,5,6,");
    assert_string_equal(read_all(&reader[1]), "6,");
    broadcast_close(&reader[0].reader);
    broadcast_close(&reader[1].reader);
    broadcast_free(broadcast);
    broadcast = known;
}

LISTED_TEST(test_skipped_messages)
{
    struct topic reader;
    unsigned after;
    assert_false(broadcast_is_read(broadcast));
    broadcast_skip(broadcast);
    broadcast_skip(broadcast);
    open_reader(&reader, 2);
    assert_true(broadcast_is_read(broadcast));
    read_all(&reader);
    add("3");
    assert_string_equal(read_all(&reader), "3");
    assert_int_equal(hungry_calls, 0);
    broadcast_close(&reader.reader);
    assert_false(broadcast_is_read(broadcast));
    broadcast_skip(broadcast);
    open_reader(&reader, 2);
    read_all(&reader);
    assert_int_equal(hungry_calls, 1);
    assert_true(broadcast_needs_backfill(broadcast, &after));
    assert_int_equal(after, 2);
    broadcast_close(&reader.reader);
}

LISTED_TEST(test_ends)
{
    struct topic reader[4];
    void *owner[4];
    for (size_t i = 0; i < 4; i++) {
        open_reader(&reader[i], 0);
        if (i < 2)
            read_all(&reader[i]);
    }
    broadcast_end(&reader[0].reader);
    assert_int_equal(broadcasts_take_awake(broadcasts, owner, 4), 1);
    assert_ptr_equal(owner[0], &reader[0]);
    assert_string_equal(read_all(&reader[0]), "");
    assert_int_equal(reader[0].last, BROADCAST_END);
    add("last");
    broadcast_finish(broadcast);
    assert_string_equal(read_all(&reader[1]), "last");
    assert_int_equal(reader[1].last, BROADCAST_END);
    /* What is finished is told whole to whoever still reads; what is broken to nobody. */
    assert_string_equal(read_by(&reader[2], 3), "last");
    assert_int_equal(reader[2].last, BROADCAST_END);
    broadcast_break(broadcast);
    assert_string_equal(read_all(&reader[3]), "");
    assert_int_equal(reader[3].last, BROADCAST_END);
    for (size_t i = 0; i < 4; i++)
        broadcast_close(&reader[i].reader);
}

LISTED_TEST(test_expiry)
{
    struct topic reader;
    open_reader(&reader, 0);
    broadcast_expire(&reader.reader, 1001); /* read_all() reads at 1000 */
    add("early");
    assert_string_equal(read_all(&reader), "early");
    assert_int_equal(reader.last, BROADCAST_WAIT);
    broadcast_expire(&reader.reader, 1000);
    add("late");
    assert_string_equal(read_all(&reader), "early");
    assert_int_equal(reader.last, BROADCAST_END);
    broadcast_close(&reader.reader);
}

LISTED_TEST(test_lag)
{
    struct topic slow;
    char byte;
    open_reader(&slow, 0);
    assert_int_equal(broadcast_lag(&slow.reader), 0);
    add("0123456789");
    assert_int_equal(broadcast_read(&slow.reader, &byte, 1, 0, &slow), 1);
    assert_int_equal(broadcast_lag(&slow.reader), 10);
    for (unsigned i = 0; i < 5000; i++)
        add("0123456789");
    assert_int_equal(broadcast_lag(&slow.reader), 50010);
    /* All of it is there for the one who still reads. */
    size_t length = 1;
    char bytes[999];
    ssize_t read;
    while ((read = broadcast_read(&slow.reader, bytes, sizeof bytes, 0, &slow)) > 0)
        length += (size_t)read;
    assert_int_equal(length, 50010);
    assert_int_equal(broadcast_lag(&slow.reader), 10);
    assert_int_equal(hungry_calls, 0);
    broadcast_close(&slow.reader);
}

/* -- One thread fills, another reads with many readers that come and go -- */

enum { MESSAGES = 20000, READERS = 20 };

static void give_what_is_wanted(struct broadcast *of, unsigned newest)
{
    unsigned after;
    while (broadcast_needs_backfill(of, &after)) {
        char bytes[16 * 64];
        struct text text = TEXT_OVER(bytes);
        unsigned last = after;
        while (last < newest && last < after + 50) {
            text_add_number(&text, ++last);
            text_add_char(&text, ' ');
        }
        broadcast_give(of, after, last, text_span(&text));
    }
}

static atomic_bool over;

static void *fill(void *context)
{
    struct broadcast *of = context;
    for (unsigned n = 1; n <= MESSAGES; n++) {
        char bytes[16];
        struct text text = TEXT_OVER(bytes);
        text_add_number(&text, n);
        text_add_char(&text, ' ');
        if (broadcast_is_read(of))
            broadcast_add(of, text_span(&text));
        else
            broadcast_skip(of);
        give_what_is_wanted(of, n);
    }
    broadcast_finish(of);
    while (!atomic_load(&over))
        give_what_is_wanted(of, MESSAGES);
    return NULL;
}

/* A reader whose numbers must follow each other. */
struct follower {
    struct broadcast_reader reader;
    bool open;
    bool awake;
    unsigned last;
    char rest[16]; /* of a number that was cut */
};

static bool follow(struct follower *follower, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        size_t rest = strlen(follower->rest);
        if (bytes[i] != ' ') {
            follower->rest[rest] = bytes[i];
            follower->rest[rest + 1] = '\0';
            continue;
        }
        if (strtoul(follower->rest, NULL, 10) != follower->last + 1)
            return false;
        follower->last++;
        follower->rest[0] = '\0';
    }
    return true;
}

LISTED_TEST(test_threads)
{
    static struct follower follower[READERS];
    pthread_t thread;
    unsigned rounds = 0;
    size_t finished = 0;
    memset(follower, 0, sizeof follower);
    assert_int_equal(pthread_create(&thread, NULL, fill, broadcast), 0);
    while (finished < READERS) {
        void *owner[3];
        size_t count = broadcasts_take_awake(broadcasts, owner, 3);
        for (size_t i = 0; i < count; i++)
            ((struct follower *)owner[i])->awake = true;
        finished = 0;
        rounds++;
        for (size_t i = 0; i < READERS; i++) {
            struct follower *each = &follower[i];
            char bytes[40];
            if (each->last == MESSAGES) {
                finished++;
                if (each->open)
                    broadcast_close(&each->reader);
                each->open = false;
                continue;
            }
            if (!each->open) {
                broadcast_open(broadcast, &each->reader, each->last, nothing);
                each->open = true;
                each->awake = true;
            }
            if (!each->awake)
                continue;
            ssize_t read = broadcast_read(&each->reader, bytes, 1 + (rounds + i) % 40, 0, each);
            assert_true(read != BROADCAST_END);
            each->awake = read > 0;
            assert_true(read <= 0 || follow(each, bytes, (size_t)read));
            /* Some leave where a number ends, and come again. */
            if (each->rest[0] == '\0' && (rounds + i) % 97 == 0) {
                broadcast_close(&each->reader);
                each->open = false;
            }
        }
    }
    atomic_store(&over, true);
    pthread_join(thread, NULL);
}

/* Readers admitted before go, whenever the revocation comes; readers admitted since, or without
 * need of admission, stay. */
LISTED_TEST(test_turn_out)
{
    static struct topic before, since, anybody, late;
    open_reader(&before, 0);
    open_reader(&since, 0);
    open_reader(&anybody, 0);
    assert_int_equal(broadcast_admitted(broadcast), BROADCAST_UNKNOWN);
    broadcast_admit(&since.reader, 2);
    broadcast_admit(&before.reader, 1);
    assert_int_equal(broadcast_admitted(broadcast), 1);
    broadcast_add(broadcast, span_of("one "));
    assert_string_equal(read_by(&before, 3), "one ");
    assert_string_equal(read_by(&since, 3), "one ");
    broadcast_revoke(broadcast, 2);
    broadcast_add(broadcast, span_of("two "));
    assert_string_equal(read_by(&before, 3), "one ");
    assert_int_equal(before.last, BROADCAST_END);
    assert_string_equal(read_by(&since, 3), "one two ");
    assert_int_equal(since.last, BROADCAST_WAIT);
    assert_string_equal(read_by(&anybody, 3), "one two ");
    assert_int_equal(anybody.last, BROADCAST_WAIT);
    open_reader(&late, 1);
    broadcast_admit(&late.reader, 1);
    assert_string_equal(read_by(&late, 3), "");
    assert_int_equal(late.last, BROADCAST_END);
    broadcast_close(&before.reader);
    broadcast_close(&since.reader);
    broadcast_close(&anybody.reader);
    broadcast_close(&late.reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_messages_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(test_waits_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(test_begin_anywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(test_waking, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hungry_readers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_feed_of_unknown_length, setup, teardown),
        cmocka_unit_test_setup_teardown(test_skipped_messages, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ends, setup, teardown),
        cmocka_unit_test_setup_teardown(test_expiry, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lag, setup, teardown),
        cmocka_unit_test_setup_teardown(test_turn_out, setup, teardown),
        cmocka_unit_test_setup_teardown(test_threads, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
