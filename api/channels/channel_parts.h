/* Inside api/channels: what the two channels share. */
#ifndef TILLROLL_API_CHANNELS_CHANNEL_PARTS_H
#define TILLROLL_API_CHANNELS_CHANNEL_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "api/channels/channels.h"
#include "api/channels/post.h"
#include "api/work/ticker.h"

/* SENDERS: threads for tests and repeats. TURN_MS: how long a message waits for another to the same
 * target. */
enum {
    CHANNEL_THREADS = 4, /* of each channel */
    CHANNEL_SENDERS = 2,
    CHANNEL_TURN_MS = 2000,
    CHANNEL_TIMEOUT_MS = CHANNEL_TURN_MS + POST_TIMEOUT_MS + 1000,
    CHANNEL_LEASE_MS = CHANNEL_TIMEOUT_MS + 5000, /* with time for the database */
    CHANNEL_BUSY_MAX = (NOTICE_TOGETHER + 1) * CHANNEL_THREADS + CHANNEL_SENDERS
};

enum { CHANNEL_PASSES = 8, CHANNEL_ORIGIN = 256 /* bytes */, CHANNEL_PASS = 1300 };

/* What lets this service send to a push service, by its origin: signed once for hours. */
struct channels_pass {
    char origin[CHANNEL_ORIGIN]; /* as in the addresses of browsers; "" = none */
    int64_t until_s;             /* since 1970; for which it is used */
    char header[CHANNEL_PASS];
};

struct channels_sender {
    struct channels *channels;
    struct ticker *ticker;
};

struct channels {
    struct channels_config config;
    struct poster *poster;
    struct db_pool *pool; /* a connection for each sender */
    struct channels_sender senders[CHANNEL_SENDERS];
    _Atomic unsigned sending; /* how many are at work */
    pthread_mutex_t lock;
    pthread_cond_t free;
    struct id busy[CHANNEL_BUSY_MAX]; /* targets that something is being sent to */
    size_t busy_count;
    bool has_key;
    struct push_key key;
    struct channels_pass passes[CHANNEL_PASSES]; /* by `key` */
    unsigned next_pass;                          /* that is replaced */
};

/* Waits until nothing is being sent to the target, so that one that hangs occupies one thread.
 * False after `wait_ms`, at once for 0. Otherwise channel_leave() follows. */
bool channel_enter(struct channels *channels, const struct id *target, unsigned wait_ms);
void channel_leave(struct channels *channels, const struct id *target);

/* A delivery in few words: a notice as it is, several by their titles. In the arena. */
struct channel_summary {
    const char *kind; /* `digest` for several */
    const char *title;
    const char *text;
    const char *path;
    const char *url;
    int64_t at_ms;
};
struct channel_summary channel_summarize(const struct notice_delivery *delivery,
                                         struct arena *arena);

/* A channel of notices with these functions, to which `channels` are the context. */
struct notice_channel channel_make(struct channels *channels, const char *name, notice_find *find,
                                   notice_deliver *deliver, notice_ended *ended);

/* Sends the next test, or repeat. False if none is due. Each in its own transactions on `db`. */
bool push_channel_test(struct channels *channels, struct ticker *ticker, struct db *db);
bool webhook_channel_repeat(struct channels *channels, struct ticker *ticker, struct db *db);

#endif
