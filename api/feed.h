/* Feeds: messages in the order of their numbers, which any number of readers read at their own
 * pace. Each message is there once, however many read it, and as long as somebody still has to:
 *
 *      feed ──> 41 ──> 42 ──> 43 ──> 44            each holds the one after it; a reader holds the
 *                       ▲             ▲            one that it is at, the feed holds a few of the
 *                    reader        readers         newest, and what nobody holds is gone
 *
 * Readers that are at the end wait and are woken, all with one write to an eventfd. Readers that
 * want what is no longer (or not yet) there are hungry: whoever fills the feed is told, and gives
 * them what they miss in one piece, which again all those share who want the same.
 *
 * Knows nothing of HTTP and nothing of what the bytes mean. One lock for all feeds of a process; it
 * is never held for longer than it takes to copy some bytes.
 */
#ifndef TILLROLL_API_FEED_H
#define TILLROLL_API_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "engine/text.h"

struct feeds;
struct feed;
struct feed_message;

/* Part of a struct of whoever makes readers; to be touched by the functions here only. */
struct feed_reader {
    struct feed *feed;
    struct feed_reader *previous, *next;
    struct feed_list *list; /* that it stands in */
    struct feed_message *at;
    size_t offset;     /* of the first byte of `at` that it has not read */
    unsigned number;   /* of the last message that it has begun to read */
    unsigned admitted; /* see feed_admit() */
    bool ended;
    int64_t expires_at_ms; /* 0 = never */
    void *owner;
    void (*closed)(struct feed_reader *reader);
};

/* `hungry` is called on the reading thread when a reader of `feed` has become hungry, without any
 * lock held. */
struct feeds *feeds_new(void (*hungry)(void *context, struct feed *feed), void *context);
void feeds_free(struct feeds *feeds);

/* ---- Filling. One thread at a time for each feed ---- */

/* An empty feed, whose next message will be the one after `newest`; FEED_UNKNOWN if that is yet to
 * be found out, with feed_know(). `place` is what feed_place() returns. */
struct feed *feed_new(struct feeds *feeds, unsigned newest, void *place);
#define FEED_UNKNOWN UINT32_MAX
void feed_know(struct feed *feed, unsigned newest);
void *feed_place(const struct feed *feed);

/* There must be no readers left. */
void feed_free(struct feed *feed);

/* Adds the next message; its bytes are copied. */
void feed_add(struct feed *feed, struct span bytes);

/* Whether anybody reads it at this moment. */
bool feed_is_read(struct feed *feed);

/* Passes the next message over, because nobody reads: whoever wants it later will be hungry. */
void feed_skip(struct feed *feed);

/* There will be no more messages: readers that have read all of them are at the end. */
void feed_finish(struct feed *feed);

/* Ends all its readers where they are. */
void feed_break(struct feed *feed);

/* Ends its readers that were admitted before message `number`, now and later. */
void feed_turn_out(struct feed *feed, unsigned number);

/* The lowest number at which a reader was admitted so far; FEED_UNKNOWN if none was. */
unsigned feed_admitted(struct feed *feed);

/* The number after which some reader is hungry. False if none is. */
bool feed_is_hungry(struct feed *feed, unsigned *after);

/* Gives those who are hungry after `after` the messages after + 1 .. last, which are copied. `last`
 * is at most the feed's newest. */
void feed_give(struct feed *feed, unsigned after, unsigned last, struct span bytes);

/* ---- Readers ---- */

/* Begins to read after message `after`. `closed` is called by feed_close(). */
void feed_open(struct feed *feed, struct feed_reader *reader, unsigned after,
               void (*closed)(struct feed_reader *reader));

/* The reader may read because of what was so at message `number`: feed_turn_out() ends it when that
 * has changed. Before it reads; without it, a reader is never turned out. */
void feed_admit(struct feed_reader *reader, unsigned number);

/* It gets no further message. Any thread, as long as it is not closed. */
void feed_end(struct feed_reader *reader);

/* The same at a time, milliseconds since 1970; it is noticed at its next feed_read(). */
void feed_expire(struct feed_reader *reader, int64_t expires_at_ms);

/* ---- Reading. The loop thread ---- */

enum { FEED_WAIT = 0, FEED_END = -1, FEED_HUNGRY = -2 };

/* Copies what follows, `size` bytes at most, and returns how many. FEED_WAIT if it has read all
 * that there is, FEED_HUNGRY if it wants what is to be fetched: then feeds_take_awake() will return
 * `owner` once when there is more. Or FEED_END. */
ssize_t feed_read(struct feed_reader *reader, char *bytes, size_t size, int64_t now_ms,
                  void *owner);

/* How many bytes of the feed have come since what it is reading. */
uint64_t feed_lag(struct feed_reader *reader);

/* Ends the reading; the reader may be freed in its `closed`. Any thread. */
void feed_close(struct feed_reader *reader);

/* Readable while feeds_take_awake() has something to return. */
int feeds_awake_fd(const struct feeds *feeds);

/* The owners of readers that have something to read, at most `most`, and how many. */
size_t feeds_take_awake(struct feeds *feeds, void **owners, size_t most);

#endif
