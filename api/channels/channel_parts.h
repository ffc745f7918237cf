/* Internal to api/channels: shared by the two channels. */
#ifndef TILLROLL_API_CHANNELS_CHANNEL_PARTS_H
#define TILLROLL_API_CHANNELS_CHANNEL_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "api/channels/channels_config.h"
#include "api/channels/post.h"
#include "api/channels/push_message.h"
#include "api/notices/channel.h"
#include "api/work/ticker.h"

/* SENDERS: threads for tests and repeats. TURN_MS: how long a message waits for another message to
 * the same target. */
enum {
    CHANNEL_THREADS = 4, /* per channel */
    CHANNEL_SENDERS = 2,
    CHANNEL_TURN_MS = 2000,
    CHANNEL_TIMEOUT_MS = CHANNEL_TURN_MS + POST_TIMEOUT_MS + 1000,
    CHANNEL_LEASE_MS = CHANNEL_TIMEOUT_MS + 5000, /* includes time for the database */
    CHANNEL_BUSY_MAX = (NOTICE_TOGETHER + 1) * CHANNEL_THREADS + CHANNEL_SENDERS
};

enum { CHANNEL_PASSES = 8, CHANNEL_ORIGIN = 256 /* bytes */, CHANNEL_PASS = 1300 };

/* A header Authorization for a push service, by its origin: signed once and used for hours. */
struct channels_pass {
    char origin[CHANNEL_ORIGIN]; /* as in the endpoints of browsers; "" = unused */
    int64_t until_s;             /* end of use, seconds since 1970 */
    char header[CHANNEL_PASS];
};

struct channels_sender {
    struct channels *channels;
    struct ticker *ticker;
};

struct channels {
    struct channels_config config;
    struct poster *poster;
    struct db_pool *pool; /* one connection per sender */
    struct channels_sender senders[CHANNEL_SENDERS];
    _Atomic unsigned sending; /* senders at work */
    pthread_mutex_t lock;
    pthread_cond_t free;
    struct id busy[CHANNEL_BUSY_MAX]; /* targets of messages under way */
    size_t busy_count;
    bool has_key;
    struct push_key key;
    struct channels_pass passes[CHANNEL_PASSES]; /* signed with `key` */
    unsigned next_pass;                          /* index of the next one to replace */
};

/* Reserves the target, and waits until no message to it is under way, so that a target that hangs
 * occupies one thread. False after `wait_ms`; with 0 does not wait. After true, channel_leave()
 * must follow. */
bool channel_enter(struct channels *channels, const struct id *target, unsigned wait_ms);
void channel_leave(struct channels *channels, const struct id *target);

/* A delivery in short: a notice as it is, several as a list of titles. In the arena. */
struct channel_summary {
    const char *kind; /* `digest` for several notices */
    const char *title;
    const char *text;
    const char *path;
    const char *url;
    int64_t at_ms;
};
struct channel_summary channel_summarize(const struct notice_delivery *delivery,
                                         struct arena *arena);

/* A channel of notices with these functions and the context `channels`. */
struct notice_channel channel_make(struct channels *channels, const char *name, notice_find *find,
                                   notice_deliver *deliver, notice_ended *ended);

#endif
