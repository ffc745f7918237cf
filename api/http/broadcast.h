/* Broadcasts: messages in the order of their numbers, which any number of readers read at their own
 * pace. Each message is stored once, however many read it, and as long as a reader still needs it:
 *
 *      broadcast ──> 41 ──> 42 ──> 43 ──> 44       each holds the one after it; a reader holds
 *                            ▲             ▲       the one that it is at, the broadcast holds a
 *                         reader        readers    few of the newest; what nobody holds is gone
 *
 * Readers that are at the end wait and are woken, all with one write to an eventfd. Readers that
 * need messages which are no longer (or not yet) there are behind: the code that fills the
 * broadcast is notified, and gives them the missing messages in one piece, which is again shared by
 * all readers that need the same.
 *
 * Independent of HTTP and of what the bytes mean. One lock for all broadcasts of a process; it is
 * never held for longer than it takes to copy some bytes.
 */
#ifndef TILLROLL_API_HTTP_BROADCAST_H
#define TILLROLL_API_HTTP_BROADCAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "engine/base/text.h"

struct broadcasts;
struct broadcast;
struct broadcast_message;

/* Embedded in a struct of the code that makes readers; only the functions here may touch it. */
struct broadcast_reader {
    struct broadcast *broadcast;
    struct broadcast_reader *previous, *next;
    struct broadcast_list *list; /* that it is in */
    struct broadcast_message *at;
    size_t offset;     /* of the first byte of `at` that it has not read */
    unsigned number;   /* of the last message that it has begun to read */
    unsigned admitted; /* see broadcast_admit() */
    bool ended;
    bool waits;            /* see broadcast_waits() */
    int64_t expires_at_ms; /* 0 = never */
    void *owner;
    void (*closed)(struct broadcast_reader *reader);
};

/* `behind` is called on the reading thread when a reader of `broadcast` has become behind, without
 * any lock held. */
struct broadcasts *broadcasts_new(void (*behind)(void *context, struct broadcast *broadcast),
                                  void *context);
void broadcasts_free(struct broadcasts *broadcasts);

/* ---- Filling. One thread at a time for each broadcast ---- */

/* An empty broadcast, whose next message will be the one after `newest`; BROADCAST_UNKNOWN if that
 * will be set later by broadcast_know(). `place` is what broadcast_place() returns. */
struct broadcast *broadcast_new(struct broadcasts *broadcasts, unsigned newest, void *place);
#define BROADCAST_UNKNOWN UINT32_MAX
void broadcast_know(struct broadcast *broadcast, unsigned newest);
void *broadcast_place(const struct broadcast *broadcast);

/* There must be no readers left. */
void broadcast_free(struct broadcast *broadcast);

/* Adds the next message; its bytes are copied. */
void broadcast_add(struct broadcast *broadcast, struct span bytes);

/* True if it has a reader at this moment. */
bool broadcast_is_read(struct broadcast *broadcast);

/* Skips the next message, because nobody reads: a reader that needs it later will be behind. */
void broadcast_skip(struct broadcast *broadcast);

/* There will be no more messages: readers that have read all of them are done. */
void broadcast_finish(struct broadcast *broadcast);

/* Ends all its readers immediately. */
void broadcast_break(struct broadcast *broadcast);

/* Ends its readers that were admitted before message `number`, now and later. */
void broadcast_revoke(struct broadcast *broadcast, unsigned number);

/* The lowest number at which a reader was admitted so far; BROADCAST_UNKNOWN if none was. */
unsigned broadcast_admitted(struct broadcast *broadcast);

/* The number after which some reader is behind. False if none is. */
bool broadcast_needs_backfill(struct broadcast *broadcast, unsigned *after);

/* Gives the readers that are behind after `after` the messages after + 1 .. last, which are copied.
 * `last` is at most the broadcast's newest. */
void broadcast_give(struct broadcast *broadcast, unsigned after, unsigned last, struct span bytes);

/* ---- Readers ---- */

/* Begins to read after message `after`. `closed` is called by broadcast_close(). */
void broadcast_open(struct broadcast *broadcast, struct broadcast_reader *reader, unsigned after,
                    void (*closed)(struct broadcast_reader *reader));

/* The reader's permission to read was checked at message `number`: broadcast_revoke() ends it when
 * that has changed. To be called before it reads; without this call, a reader is never turned
 * out. */
void broadcast_admit(struct broadcast_reader *reader, unsigned number);

/* The reader gets no further message. Any thread, as long as it is not closed. */
void broadcast_end(struct broadcast_reader *reader);

/* The same at a given time, milliseconds since 1970; takes effect at its next broadcast_read(). */
void broadcast_expire(struct broadcast_reader *reader, int64_t expires_at_ms);

/* ---- Reading. The loop thread ---- */

enum { BROADCAST_WAIT = 0, BROADCAST_END = -1, BROADCAST_NEEDS_BACKFILL = -2 };

/* Copies what follows, `size` bytes at most, and returns how many. BROADCAST_WAIT if the reader has
 * read everything so far, BROADCAST_NEEDS_BACKFILL if it needs messages that must be fetched: then
 * broadcasts_take_awake() will return `owner` once when there is more. Or BROADCAST_END. */
ssize_t broadcast_read(struct broadcast_reader *reader, char *bytes, size_t size, int64_t now_ms,
                       void *owner);

/* True if the reader's last broadcast_read() has copied all that there was, so that the next one
 * would return BROADCAST_WAIT: broadcasts_take_awake() will return its `owner` as after that, and
 * nothing need be read before. A reader that reads all the same is not returned. */
static inline bool broadcast_waits(const struct broadcast_reader *reader)
{
    return reader->waits;
}

/* How many bytes the reader is behind the broadcast. */
uint64_t broadcast_lag(struct broadcast_reader *reader);

/* Ends the reading; the reader may be freed in its `closed`. Any thread. */
void broadcast_close(struct broadcast_reader *reader);

/* Readable while broadcasts_take_awake() has something to return. */
int broadcasts_awake_fd(const struct broadcasts *broadcasts);

/* The owners of readers that have something to read, at most `most`, and how many. */
size_t broadcasts_take_awake(struct broadcasts *broadcasts, void **owners, size_t most);

#endif
