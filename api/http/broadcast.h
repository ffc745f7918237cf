/* Broadcasts: numbered messages in order, which any number of readers read at their own pace. Each
 * message is stored once for all readers, for as long as a reader needs it:
 *
 *      broadcast ──> 41 ──> 42 ──> 43 ──> 44       each message holds the next; a reader holds
 *                            ▲             ▲       its current message, the broadcast a few of the
 *                         reader        readers    newest; a message without holders is freed
 *
 * Readers at the end wait, and are all woken with one write to an eventfd. Readers that need
 * messages which the broadcast no longer has (or does not have yet) are behind: the code that fills
 * the broadcast is notified, and supplies the missing messages in one piece (a backfill), which all
 * readers that need the same messages share.
 *
 * Independent of HTTP and of the meaning of the bytes. One lock for all broadcasts of a process; it
 * is never held for longer than it takes to copy some bytes.
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

/* Embedded in a struct of the code that creates readers; only the functions here may access it. */
struct broadcast_reader {
    struct broadcast *broadcast;
    struct broadcast_reader *previous, *next;
    struct broadcast_list *list; /* the list that the reader is in */
    struct broadcast_message *at;
    size_t offset;     /* first unread byte of `at` */
    unsigned number;   /* number of the last message that the reader has begun */
    unsigned admitted; /* see broadcast_admit() */
    bool ended;
    bool waits;            /* see broadcast_waits() */
    int64_t expires_at_ms; /* 0 = never */
    void *owner;
    void (*closed)(struct broadcast_reader *reader);
};

/* `behind` is called on the reading thread when a reader of `broadcast` has fallen behind, without
 * any lock held. */
struct broadcasts *broadcasts_new(void (*behind)(void *context, struct broadcast *broadcast),
                                  void *context);
void broadcasts_free(struct broadcasts *broadcasts);

/* ---- Filling. One thread at a time for each broadcast ---- */

/* Creates an empty broadcast, whose next message follows number `newest`; BROADCAST_UNKNOWN if
 * broadcast_know() will set that later. broadcast_place() returns `place`. */
struct broadcast *broadcast_new(struct broadcasts *broadcasts, unsigned newest, void *place);
#define BROADCAST_UNKNOWN UINT32_MAX
void broadcast_know(struct broadcast *broadcast, unsigned newest);
void *broadcast_place(const struct broadcast *broadcast);

/* There must be no readers left. */
void broadcast_free(struct broadcast *broadcast);

/* Adds the next message; its bytes are copied. */
void broadcast_add(struct broadcast *broadcast, struct span bytes);

/* True if the broadcast has a reader at this moment. */
bool broadcast_is_read(struct broadcast *broadcast);

/* Skips the next message, because there are no readers: a reader that needs it later will be
 * behind. */
void broadcast_skip(struct broadcast *broadcast);

/* There will be no more messages: readers end after the last one. */
void broadcast_finish(struct broadcast *broadcast);

/* Ends all readers immediately. */
void broadcast_break(struct broadcast *broadcast);

/* Ends the readers that were admitted before message `number`, now and later. */
void broadcast_revoke(struct broadcast *broadcast, unsigned number);

/* The lowest number at which a reader has been admitted; BROADCAST_UNKNOWN if none has. */
unsigned broadcast_admitted(struct broadcast *broadcast);

/* Gets the number after which some reader is behind. False if no reader is. */
bool broadcast_needs_backfill(struct broadcast *broadcast, unsigned *after);

/* Gives the readers that are behind after `after` the messages after + 1 .. last, which are copied.
 * `last` is at most the broadcast's newest. */
void broadcast_give(struct broadcast *broadcast, unsigned after, unsigned last, struct span bytes);

/* ---- Readers ---- */

/* Begins to read after message `after`. broadcast_close() calls `closed`. */
void broadcast_open(struct broadcast *broadcast, struct broadcast_reader *reader, unsigned after,
                    void (*closed)(struct broadcast_reader *reader));

/* Notes that the reader's permission was checked at message `number`: broadcast_revoke() ends the
 * reader when that has changed. To be called before the reader reads; without this call,
 * broadcast_revoke() never ends it. */
void broadcast_admit(struct broadcast_reader *reader, unsigned number);

/* The reader gets no further message. Any thread, as long as the reader is not closed. */
void broadcast_end(struct broadcast_reader *reader);

/* The same at a given time, in milliseconds since 1970; takes effect at the next
 * broadcast_read(). */
void broadcast_expire(struct broadcast_reader *reader, int64_t expires_at_ms);

/* ---- Reading. The loop thread ---- */

enum { BROADCAST_WAIT = 0, BROADCAST_END = -1, BROADCAST_NEEDS_BACKFILL = -2 };

/* Copies the next bytes, at most `size`, and returns their number. BROADCAST_WAIT if the reader has
 * read everything so far, BROADCAST_NEEDS_BACKFILL if it needs messages that must be fetched: in
 * both cases broadcasts_take_awake() returns `owner` once when there is more. Or BROADCAST_END. */
ssize_t broadcast_read(struct broadcast_reader *reader, char *bytes, size_t size, int64_t now_ms,
                       void *owner);

/* True if the reader's last broadcast_read() copied all available bytes, so that the next one would
 * return BROADCAST_WAIT: broadcasts_take_awake() will return its `owner`, as it does after
 * BROADCAST_WAIT, and no further broadcast_read() is needed. A reader that reads nevertheless is
 * not returned. */
static inline bool broadcast_waits(const struct broadcast_reader *reader)
{
    return reader->waits;
}

/* The number of bytes by which the reader is behind the broadcast. */
uint64_t broadcast_lag(struct broadcast_reader *reader);

/* Ends the reading; `closed` may free the reader. Any thread. */
void broadcast_close(struct broadcast_reader *reader);

/* Readable while broadcasts_take_awake() has something to return. */
int broadcasts_awake_fd(const struct broadcasts *broadcasts);

/* Stores the owners of readers that have something to read, at most `most`, and returns their
 * number. */
size_t broadcasts_take_awake(struct broadcasts *broadcasts, void **owners, size_t most);

#endif
