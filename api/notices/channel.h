/* The ways in which notices reach people: what a channel (mail, web push, webhooks) is given, and
 * what it has to do.
 *
 *      what happened ──> notice_cause ──> fan-out ──> outbox: a row for each player and way
 *                                                        │  taken by one thread of one service
 *      find ──> deliver ──> ended  <─────────────────────┘
 *
 * A channel has rows of its own in the view tillroll.notice_way, one for each target (a browser, a
 * webhook) of a player, and an entry in the array that notices_new() gets. Everything else is
 * common to all channels: whom it concerns, what each player wants, quiet hours, digests, texts,
 * repeats, giving up, and dropping what is no longer true. */
#ifndef TILLROLL_API_NOTICES_CHANNEL_H
#define TILLROLL_API_NOTICES_CHANNEL_H

#include "db/link/db.h"
#include "engine/base/text.h"

/* One thing that a player is told. All texts are in the delivery's arena, in UTF-8, in the player's
 * language, without control characters. It holds nothing that the player may not know, and nothing
 * that is hidden in a game. */
struct notice {
    const char *kind;       /* of db/store/people/notices.h: `your_turn` */
    int64_t at_ms;          /* when it happened, since 1970 */
    const char *title;      /* one line, at most NOTICE_TITLE_MAX bytes */
    const char *text;       /* one or two sentences, at most NOTICE_TEXT_MAX bytes */
    const char *path;       /* of the page to open: `/games/019a..` */
    const char *url;        /* the same with the service's address; equal to `path` where the
                             * configuration has none */
    struct id event;        /* what it is about, "" where it is about none: an event, */
    const char *event_name; /* NULL for none */
    unsigned round, table;  /* 0 = none */
    int seat;               /* from 0; -1 = none */
    struct id game;
    struct id dispute;
    bool office; /* the player is one of those who decide about it */
    struct id lobby_table;
    struct id by; /* another player: who challenges or invites, the organizer */
    const char *by_name;
};

enum {
    NOTICE_TITLE_MAX = 180,
    NOTICE_TEXT_MAX = 600,
    NOTICE_BUNDLE_MAX = 50,
    NOTICE_TOGETHER = 16 /* deliveries that a thread hands over at the same time */
};

/* What is handed over at once, to one target. */
struct notice_delivery {
    struct id id;     /* the same whenever it is tried again: a repeat can be recognized by it */
    struct id player; /* who is told */
    const char *player_name;
    struct id target;     /* from tillroll.notice_way; "" for mail */
    const char *language; /* "en" or "de" */
    bool digest;          /* gathered: */
    const struct notice *notices;
    size_t count;      /* 1; of a digest 1 .. NOTICE_BUNDLE_MAX, oldest first */
    unsigned attempts; /* begun, this one included */
};

enum notice_outcome {
    NOTICE_DELIVERED,
    NOTICE_LATER,   /* it did not work this time: it is tried again, after growing delays */
    NOTICE_REFUSED, /* it never will, but others to this target may: given up */
    NOTICE_GONE     /* the target exists no more: so is whatever else waits for it */
};

/* In the transaction in which deliveries are taken: what is needed to deliver each of them, the
 * channel's own, in the arena. `targets` are NULL; one that stays so is gone: then what waits for
 * it is dropped. */
typedef enum db_status notice_find(void *context, struct db *db, struct arena *arena,
                                   const struct notice_delivery *const *deliveries, size_t count,
                                   void **targets);

/* Hands it over, without any transaction; blocks for the channel's `timeout_ms` at most, and gives
 * up with NOTICE_LATER soon after stop(stop_context) is true, which it asks about at least once a
 * second. Unless delivered, appends a sentence to `reason`, at most OUTBOX_REASON_MAX bytes,
 * without addresses, tokens, keys or whatever the other side said: it is logged, and the player
 * can read it. */
typedef enum notice_outcome notice_deliver(void *context, const struct notice_delivery *delivery,
                                           void *target, bool (*stop)(void *stop_context),
                                           void *stop_context, struct text *reason);

/* One of several deliveries that are handed over at the same time, to different targets. */
struct notice_part {
    const struct notice_delivery *delivery;
    void *target;
    struct text *reason;         /* as above */
    enum notice_outcome outcome; /* found */
};

/* The same for up to NOTICE_TOGETHER deliveries: calls ended(context, part) by this thread as soon
 * as each has ended, whatever the others do. stop(context) is asked as above, with this context. */
typedef void notice_deliver_all(void *channel, struct notice_part *parts, size_t count,
                                bool (*stop)(void *context),
                                void (*ended)(void *context, struct notice_part *part),
                                void *context);

/* How a delivery that was begun has ended. */
struct notice_end {
    const struct notice_delivery *delivery;
    void *target;
    enum notice_outcome outcome;
    const char *reason; /* "" if delivered */
};

/* In the transaction that stores how these have ended. It may be called again for one of them if
 * the transaction fails. */
typedef enum db_status notice_ended(void *context, struct db *db, const struct notice_end *ends,
                                    size_t count);

/* All functions may be called from several threads at once. */
struct notice_channel {
    const char *name; /* as in the database: `mail`, `push`, `webhook` */
    void *context;    /* for the functions */
    /* How many threads of this service hand over. At least 1. Of the deliveries to one target, one
     * is under way at a time, unless the targets are "". */
    unsigned threads;
    unsigned timeout_ms; /* that deliver() takes at most: afterwards another service may try */
    unsigned retry_ms; /* the first delay after a failure, 1 or more; then twice as much each time,
                        * an hour at most */

    notice_find *find;               /* NULL = nothing is needed */
    notice_deliver *deliver;         /* one of these two; */
    notice_deliver_all *deliver_all; /* each thread hands over several at the same time */
    notice_ended *ended;             /* may be NULL */
};

#endif
