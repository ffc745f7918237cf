/* Feeds: every reader gets every message once and in order, whenever it comes and however fast it
 * reads, and nothing is kept that nobody needs. */
#include "api/feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static struct feeds *feeds;
static struct feed *feed;
static atomic_uint hungry_calls;

static void hear_hungry(void *context, struct feed *of)
{
    assert_ptr_equal(context, &hungry_calls);
    assert_ptr_equal(feed_place(of), &feeds);
    atomic_fetch_add(&hungry_calls, 1);
}

static int setup(void **state)
{
    (void)state;
    atomic_store(&hungry_calls, 0);
    feeds = feeds_new(hear_hungry, &hungry_calls);
    assert_non_null(feeds);
    feed = feed_new(feeds, 0, &feeds);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    feed_free(feed);
    feeds_free(feeds);
    return 0;
}

static void nothing(struct feed_reader *reader)
{
    reader->closed = NULL;
}

/* A reader with all that it has read. */
struct subject {
    struct feed_reader reader;
    char read[8192];
    size_t length;
    ssize_t last; /* what feed_read() returned last */
};

static void open_reader(struct subject *subject, unsigned after)
{
    subject->length = 0;
    feed_open(feed, &subject->reader, after, nothing);
}

/* Reads at most `size` bytes at a time until there is nothing more now. */
static const char *read_by(struct subject *subject, size_t size)
{
    do {
        subject->last =
            feed_read(&subject->reader, subject->read + subject->length, size, 1000, subject);
        subject->length += subject->last > 0 ? (size_t)subject->last : 0;
    } while (subject->last > 0);
    subject->read[subject->length] = '\0';
    return subject->read;
}

static const char *read_all(struct subject *subject)
{
    return read_by(subject, 64);
}

static bool is_awake_fd_readable(void)
{
    struct pollfd ready = {.fd = feeds_awake_fd(feeds), .events = POLLIN};
    return poll(&ready, 1, 0) == 1;
}

static void add(const char *bytes)
{
    feed_add(feed, span_of(bytes));
}

static void test_messages_in_order(void **state)
{
    (void)state;
    struct subject first;
    struct subject second;
    open_reader(&first, 0);
    open_reader(&second, 0);
    assert_string_equal(read_all(&first), "");
    assert_int_equal(first.last, FEED_WAIT);
    add("one,");
    add("two,");
    assert_string_equal(read_all(&first), "one,two,");
    add("three,");
    assert_string_equal(read_by(&first, 1), "one,two,three,");
    assert_string_equal(read_by(&second, 5), "one,two,three,");
    assert_int_equal(hungry_calls, 0);
    feed_close(&first.reader);
    feed_close(&second.reader);
}

static void test_begin_anywhere(void **state)
{
    (void)state;
    struct subject reader;
    for (unsigned n = 1; n <= 5; n++) {
        char bytes[2] = {(char)('0' + n), '\0'};
        add(bytes);
    }
    for (unsigned after = 0; after <= 5; after++) {
        open_reader(&reader, after);
        assert_string_equal(read_all(&reader), &"12345"[after]);
        feed_close(&reader.reader);
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
    feed_close(&reader.reader);
}

static void test_waking(void **state)
{
    (void)state;
    enum { READERS = 5 };
    struct subject reader[READERS];
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
    assert_int_equal(feeds_take_awake(feeds, owner, 2), 2);
    assert_ptr_equal(owner[0], &reader[0]);
    assert_ptr_equal(owner[1], &reader[1]);
    assert_true(is_awake_fd_readable());
    /* Who has gone meanwhile, or has read by himself, is not woken. */
    feed_close(&reader[2].reader);
    assert_string_equal(read_all(&reader[3]), "xy");
    assert_int_equal(feeds_take_awake(feeds, owner, READERS), 1);
    assert_ptr_equal(owner[0], &reader[4]);
    assert_false(is_awake_fd_readable());
    assert_int_equal(feeds_take_awake(feeds, owner, READERS), 0);
    for (size_t i = 0; i < READERS; i++)
        if (i != 2)
            feed_close(&reader[i].reader);
}

/* What has been read is gone; who wants it is hungry, and those who want the same share it. */
static void test_hungry_readers(void **state)
{
    (void)state;
    char bytes[5001];
    unsigned after;
    struct subject reader[3];
    memset(bytes, 'b', sizeof bytes - 1);
    bytes[sizeof bytes - 1] = '\0';
    for (unsigned n = 1; n <= 4; n++)
        add(bytes);
    assert_false(feed_is_hungry(feed, &after));
    for (size_t i = 0; i < 3; i++) {
        open_reader(&reader[i], i == 2 ? 1 : 0);
        assert_string_equal(read_all(&reader[i]), "");
        assert_int_equal(reader[i].last, FEED_HUNGRY);
    }
    assert_int_equal(hungry_calls, 3);
    assert_true(feed_is_hungry(feed, &after));
    assert_int_equal(after, 0);
    feed_give(feed, 0, 3, span_of("1,2,3,"));
    assert_true(feed_is_hungry(feed, &after));
    assert_int_equal(after, 1);
    feed_give(feed, 1, 2, span_of("2,"));
    assert_false(feed_is_hungry(feed, &after));
    void *owner[3];
    assert_int_equal(feeds_take_awake(feeds, owner, 3), 3);
    /* The fourth is kept still. */
    for (size_t i = 0; i < 2; i++) {
        char read[8];
        assert_int_equal(feed_read(&reader[i].reader, read, 6, 0, &reader[i]), 6);
        assert_memory_equal(read, "1,2,3,", 6);
        assert_int_equal(feed_read(&reader[i].reader, reader[i].read, 8000, 0, &reader[i]), 5000);
        feed_close(&reader[i].reader);
    }
    assert_memory_equal(read_by(&reader[2], 2), "2,", 2);
    assert_int_equal(hungry_calls, 4); /* for the third message */
    assert_true(feed_is_hungry(feed, &after));
    assert_int_equal(after, 2);
    feed_close(&reader[2].reader);
    assert_false(feed_is_hungry(feed, &after));
}

static void test_a_feed_of_unknown_length(void **state)
{
    (void)state;
    struct subject reader[2];
    void *owner[2];
    unsigned after;
    struct feed *known = feed;
    feed = feed_new(feeds, FEED_UNKNOWN, &feeds);
    open_reader(&reader[0], 3);
    open_reader(&reader[1], 5);
    read_all(&reader[0]);
    read_all(&reader[1]);
    assert_int_equal(hungry_calls, 2);
    feed_know(feed, 5);
    /* Who has all that there is was hungry by mistake, and waits. */
    assert_int_equal(feeds_take_awake(feeds, owner, 2), 1);
    assert_ptr_equal(owner[0], &reader[1]);
    assert_string_equal(read_all(&reader[1]), "");
    assert_int_equal(hungry_calls, 2);
    assert_true(feed_is_hungry(feed, &after));
    assert_int_equal(after, 3);
    feed_give(feed, 3, 5, span_of("4,5,"));
    add("6,");
    assert_string_equal(read_all(&reader[0]), "4,5,6,");
    assert_string_equal(read_all(&reader[1]), "6,");
    feed_close(&reader[0].reader);
    feed_close(&reader[1].reader);
    feed_free(feed);
    feed = known;
}

static void test_skipped_messages(void **state)
{
    (void)state;
    struct subject reader;
    unsigned after;
    assert_false(feed_is_read(feed));
    feed_skip(feed);
    feed_skip(feed);
    open_reader(&reader, 2);
    assert_true(feed_is_read(feed));
    read_all(&reader);
    add("3");
    assert_string_equal(read_all(&reader), "3");
    assert_int_equal(hungry_calls, 0);
    feed_close(&reader.reader);
    assert_false(feed_is_read(feed));
    feed_skip(feed);
    open_reader(&reader, 2);
    read_all(&reader);
    assert_int_equal(hungry_calls, 1);
    assert_true(feed_is_hungry(feed, &after));
    assert_int_equal(after, 2);
    feed_close(&reader.reader);
}

static void test_ends(void **state)
{
    (void)state;
    struct subject reader[4];
    void *owner[4];
    for (size_t i = 0; i < 4; i++) {
        open_reader(&reader[i], 0);
        if (i < 2)
            read_all(&reader[i]);
    }
    feed_end(&reader[0].reader);
    assert_int_equal(feeds_take_awake(feeds, owner, 4), 1);
    assert_ptr_equal(owner[0], &reader[0]);
    assert_string_equal(read_all(&reader[0]), "");
    assert_int_equal(reader[0].last, FEED_END);
    add("last");
    feed_finish(feed);
    assert_string_equal(read_all(&reader[1]), "last");
    assert_int_equal(reader[1].last, FEED_END);
    /* What is finished is told whole to whoever still reads; what is broken to nobody. */
    assert_string_equal(read_by(&reader[2], 3), "last");
    assert_int_equal(reader[2].last, FEED_END);
    feed_break(feed);
    assert_string_equal(read_all(&reader[3]), "");
    assert_int_equal(reader[3].last, FEED_END);
    for (size_t i = 0; i < 4; i++)
        feed_close(&reader[i].reader);
}

static void test_expiry(void **state)
{
    (void)state;
    struct subject reader;
    open_reader(&reader, 0);
    feed_expire(&reader.reader, 1001); /* read_all() reads at 1000 */
    add("early");
    assert_string_equal(read_all(&reader), "early");
    assert_int_equal(reader.last, FEED_WAIT);
    feed_expire(&reader.reader, 1000);
    add("late");
    assert_string_equal(read_all(&reader), "early");
    assert_int_equal(reader.last, FEED_END);
    feed_close(&reader.reader);
}

static void test_lag(void **state)
{
    (void)state;
    struct subject slow;
    char byte;
    open_reader(&slow, 0);
    assert_int_equal(feed_lag(&slow.reader), 0);
    add("0123456789");
    assert_int_equal(feed_read(&slow.reader, &byte, 1, 0, &slow), 1);
    assert_int_equal(feed_lag(&slow.reader), 10);
    for (unsigned i = 0; i < 5000; i++)
        add("0123456789");
    assert_int_equal(feed_lag(&slow.reader), 50010);
    /* All of it is there for the one who still reads. */
    size_t length = 1;
    char bytes[999];
    ssize_t read;
    while ((read = feed_read(&slow.reader, bytes, sizeof bytes, 0, &slow)) > 0)
        length += (size_t)read;
    assert_int_equal(length, 50010);
    assert_int_equal(feed_lag(&slow.reader), 10);
    assert_int_equal(hungry_calls, 0);
    feed_close(&slow.reader);
}

/* -- One thread fills, another reads with many readers that come and go -- */

enum { MESSAGES = 20000, READERS = 20 };

static void give_what_is_wanted(struct feed *of, unsigned newest)
{
    unsigned after;
    while (feed_is_hungry(of, &after)) {
        char bytes[16 * 64];
        struct text text = TEXT_OVER(bytes);
        unsigned last = after;
        while (last < newest && last < after + 50) {
            text_add_number(&text, ++last);
            text_add_char(&text, ' ');
        }
        feed_give(of, after, last, text_span(&text));
    }
}

static atomic_bool over;

static void *fill(void *context)
{
    struct feed *of = context;
    for (unsigned n = 1; n <= MESSAGES; n++) {
        char bytes[16];
        struct text text = TEXT_OVER(bytes);
        text_add_number(&text, n);
        text_add_char(&text, ' ');
        if (feed_is_read(of))
            feed_add(of, text_span(&text));
        else
            feed_skip(of);
        give_what_is_wanted(of, n);
    }
    feed_finish(of);
    while (!atomic_load(&over))
        give_what_is_wanted(of, MESSAGES);
    return NULL;
}

/* A reader whose numbers must follow each other. */
struct follower {
    struct feed_reader reader;
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

static void test_threads(void **state)
{
    (void)state;
    static struct follower follower[READERS];
    pthread_t thread;
    unsigned rounds = 0;
    size_t finished = 0;
    memset(follower, 0, sizeof follower);
    assert_int_equal(pthread_create(&thread, NULL, fill, feed), 0);
    while (finished < READERS) {
        void *owner[3];
        size_t count = feeds_take_awake(feeds, owner, 3);
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
                    feed_close(&each->reader);
                each->open = false;
                continue;
            }
            if (!each->open) {
                feed_open(feed, &each->reader, each->last, nothing);
                each->open = true;
                each->awake = true;
            }
            if (!each->awake)
                continue;
            ssize_t read = feed_read(&each->reader, bytes, 1 + (rounds + i) % 40, 0, each);
            assert_true(read != FEED_END);
            each->awake = read > 0;
            assert_true(read <= 0 || follow(each, bytes, (size_t)read));
            /* Some leave where a number ends, and come again. */
            if (each->rest[0] == '\0' && (rounds + i) % 97 == 0) {
                feed_close(&each->reader);
                each->open = false;
            }
        }
    }
    atomic_store(&over, true);
    pthread_join(thread, NULL);
}

/* Who was admitted before goes, whenever it comes; who was admitted since, or needs no admission,
 * stays. */
static void test_turn_out(void **state)
{
    (void)state;
    static struct subject before, since, anybody, late;
    open_reader(&before, 0);
    open_reader(&since, 0);
    open_reader(&anybody, 0);
    assert_int_equal(feed_admitted(feed), FEED_UNKNOWN);
    feed_admit(&since.reader, 2);
    feed_admit(&before.reader, 1);
    assert_int_equal(feed_admitted(feed), 1);
    feed_add(feed, span_of("one "));
    assert_string_equal(read_by(&before, 3), "one ");
    assert_string_equal(read_by(&since, 3), "one ");
    feed_turn_out(feed, 2);
    feed_add(feed, span_of("two "));
    assert_string_equal(read_by(&before, 3), "one ");
    assert_int_equal(before.last, FEED_END);
    assert_string_equal(read_by(&since, 3), "one two ");
    assert_int_equal(since.last, FEED_WAIT);
    assert_string_equal(read_by(&anybody, 3), "one two ");
    assert_int_equal(anybody.last, FEED_WAIT);
    open_reader(&late, 1);
    feed_admit(&late.reader, 1);
    assert_string_equal(read_by(&late, 3), "");
    assert_int_equal(late.last, FEED_END);
    feed_close(&before.reader);
    feed_close(&since.reader);
    feed_close(&anybody.reader);
    feed_close(&late.reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_messages_in_order, setup, teardown),
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
