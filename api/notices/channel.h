/* The interface of channels (mail, web push, webhooks), by which notices reach people: the input
 * of a channel, and its duties.
 *
 *      cause ──> notice_cause ──> fan-out ──> outbox: a row for each player and way
 *                                                        │  taken by one thread of one service
 *      find ──> deliver ──> ended  <─────────────────────┘
 *
 * A channel has rows of its own in the view tillroll.notice_way, one for each target (a browser, a
 * webhook) of a player, and an entry in the array that notices_new() gets. All channels share the
 * rest: choosing the recipients, their settings, quiet hours, digests, texts, repeats, giving up,
 * and dropping notices that are no longer true. */
#ifndef TILLROLL_API_NOTICES_CHANNEL_H
#define TILLROLL_API_NOTICES_CHANNEL_H

#include "db/link/db.h"
#include "engine/base/text.h"

/* A notice to one player. All texts are in the delivery's arena, in UTF-8, in the player's
 * language, without control characters. It holds nothing that the player may not know, and nothing
 * that is hidden in a game. */
struct notice {
    const char *kind;       /* as in db/store/people/notices.h: `your_turn` */
    int64_t at_ms;          /* time of the cause, since 1970 */
    const char *title;      /* one line, at most NOTICE_TITLE_MAX bytes */
    const char *text;       /* one or two sentences, at most NOTICE_TEXT_MAX bytes */
    const char *path;       /* of the page to open: `/games/019a..` */
    const char *url;        /* with the service's address; equal to `path` if none is configured */
    struct id event;        /* the subject, "" where there is none: an event, */
    const char *event_name; /* NULL for none */
    unsigned round, table;  /* 0 = none */
    int seat;               /* from 0; -1 = none */
    struct id game;
    struct id dispute;
    bool office; /* the player is an official who may decide about it */
    struct id lobby_table;
    struct id by; /* another player: the one who challenges or invites, or the organizer */
    const char *by_name;
};

enum {
    NOTICE_TITLE_MAX = 180,
    NOTICE_TEXT_MAX = 600,
    NOTICE_BUNDLE_MAX = 50,
    NOTICE_TOGETHER = 16 /* deliveries that a thread sends at the same time */
};

/* One or more notices, sent together to one target. */
struct notice_delivery {
    struct id id;     /* the same for each attempt, so that a repeat can be recognized */
    struct id player; /* the recipient */
    const char *player_name;
    struct id target;     /* from tillroll.notice_way; "" for mail */
    const char *language; /* "en" or "de" */
    bool digest;          /* several notices collected: */
    const struct notice *notices;
    size_t count;      /* 1; in a digest 1 .. NOTICE_BUNDLE_MAX, oldest first */
    unsigned attempts; /* including this one */
};

enum notice_outcome {
    NOTICE_DELIVERED,
    NOTICE_LATER,   /* failed this time: tried again, after growing delays */
    NOTICE_REFUSED, /* will never succeed, but others to this target may: given up */
    NOTICE_GONE     /* the target no longer exists: everything waiting for it is dropped */
};

/* Runs in the transaction that takes deliveries: sets `targets` to the channel's own data for
 * delivering each of them, in the arena. They are NULL before; a target that stays NULL is gone,
 * and everything waiting for it is dropped. */
typedef enum db_status notice_find(void *context, struct db *db, struct arena *arena,
                                   const struct notice_delivery *const *deliveries, size_t count,
                                   void **targets);

/* Delivers without a transaction. Blocks for at most the channel's `timeout_ms`; calls
 * stop(stop_context) at least once a second, and gives up with NOTICE_LATER soon after it returns
 * true. Unless delivered, appends a sentence to `reason`, at most OUTBOX_REASON_MAX bytes, without
 * addresses, tokens, keys or any words of the other side: the sentence is logged, and the player
 * can read it. */
typedef enum notice_outcome notice_deliver(void *context, const struct notice_delivery *delivery,
                                           void *target, bool (*stop)(void *stop_context),
                                           void *stop_context, struct text *reason);

/* One of several deliveries that are sent at the same time, to different targets. */
struct notice_part {
    const struct notice_delivery *delivery;
    void *target;
    struct text *reason;         /* as for notice_deliver */
    enum notice_outcome outcome; /* set by the channel */
};

/* Delivers up to NOTICE_TOGETHER deliveries at the same time, as notice_deliver does. Calls
 * ended(context, part) in this thread as soon as each has ended, while others are still under way,
 * and stop(context) instead of stop(stop_context). */
typedef void notice_deliver_all(void *channel, struct notice_part *parts, size_t count,
                                bool (*stop)(void *context),
                                void (*ended)(void *context, struct notice_part *part),
                                void *context);

/* The outcome of a delivery that was begun. */
struct notice_end {
    const struct notice_delivery *delivery;
    void *target;
    enum notice_outcome outcome;
    const char *reason; /* "" if delivered */
};

/* Runs in the transaction that stores these outcomes. If the transaction fails, it may be called
 * again for the same delivery. */
typedef enum db_status notice_ended(void *context, struct db *db, const struct notice_end *ends,
                                    size_t count);

/* A channel. All its functions may be called from several threads at once. */
struct notice_channel {
    const char *name; /* as in the database: `mail`, `push`, `webhook` */
    void *context;    /* passed to the functions */
    /* Threads of this service that deliver, at least 1. At most one delivery to each target is
     * under way at a time, unless the targets are "". */
    unsigned threads;
    unsigned timeout_ms; /* longest duration of deliver(): afterwards another service may try */
    unsigned retry_ms;   /* delay after a failure, 1 or more; doubled each time, at most 1 h */

    notice_find *find;               /* NULL = the channel needs no data */
    notice_deliver *deliver;         /* either this function, */
    notice_deliver_all *deliver_all; /* or this one, for several deliveries at the same time */
    notice_ended *ended;             /* may be NULL */
};

/* Counts of a channel since the start, and the recent number of waiting notices (in the database,
 * so of all services; 10,000 stands for more). */
struct notices_figures {
    const char *channel;
    uint64_t waiting, delivered, deferred, failed, dropped;
};

#endif
