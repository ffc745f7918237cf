/* Inside api/notices: rows of the outbox that were taken, and the deliveries that are made of them.
 * One thread uses each. */
#ifndef TILLROLL_API_NOTICES_MAKING_H
#define TILLROLL_API_NOTICES_MAKING_H

#include "api/notices/notices.h"
#include "db/store/service/outbox.h"

enum { MAKING_STALE_MS = 2000 /* after which what was taken and not begun is given back */ };

/* What was taken together: memory that lives until all of it has been noted. */
struct batch {
    struct arena arena;
    size_t left; /* deliveries */
};

/* A delivery that this service has taken. */
struct hand {
    struct hand *next;
    struct batch *batch;
    struct notice_delivery delivery;
    struct notice *notices;             /* those of the delivery */
    const struct outbox_message **rows; /* and their rows */
    struct outbox_notice *first;        /* until the notices are made: what it was taken with, */
    size_t first_count;                 /* and how many these are */
    void *target;
    int64_t at_ms;   /* CLOCK_MONOTONIC: when it was taken, and then when it ended */
    bool given_back; /* it was not begun */
    bool soon;       /* if it is to come later: at once */
    enum notice_outcome outcome;
    char reason[OUTBOX_REASON_MAX - 40];
};

/* What is made of rows that were taken, in the transaction that takes them. */
struct making {
    const struct notices_config *config;
    const struct notice_channel *channel;
    struct replay **copy; /* made when it is needed: to look at games with */
    struct db *db;
    struct batch *batch;
    struct hand **hands; /* found below: what is to be handed over */
    size_t count;
    size_t failed, dropped; /* notices that ended here */
    struct draft *drafts;
    size_t draft_count;
    const struct outbox_message **over; /* rows of which there is nothing to be told any more */
    size_t over_count;
};

/* For how long rows of a channel are taken. */
unsigned making_lease_ms(const struct notice_channel *channel);

/* Takes what is due, `limit` deliveries at most, and makes them. `*found`: rows that were due,
 * which may be more than there is to be handed over. */
enum db_status making_take(struct making *making, size_t limit, size_t *found);

/* Makes deliveries of these rows of the channel, which are taken already. */
enum db_status making_add(struct making *making, struct outbox_notice *rows, size_t count);

/* A batch of nothing. Aborts the program when out of memory. */
struct batch *batch_new(void);
void batch_free(struct batch *batch);

#endif
