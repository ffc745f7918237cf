/* Internal to api/notices: rows taken from the outbox, and the deliveries made from them. One
 * thread uses each. */
#ifndef TILLROLL_API_NOTICES_MAKING_H
#define TILLROLL_API_NOTICES_MAKING_H

#include "api/notices/notices_config.h"
#include "db/store/service/outbox.h"

enum { MAKING_STALE_MS = 2000 /* deliveries taken this long ago and not begun are given back */ };

/* Deliveries taken together: their memory lives until the outcome of all of them has been
 * stored. */
struct batch {
    struct arena arena;
    size_t left; /* deliveries whose outcome is not stored yet */
};

/* A delivery that this service has taken. */
struct taken_delivery {
    struct taken_delivery *next;
    struct batch *batch;
    struct notice_delivery delivery;
    struct notice *notices;             /* the delivery's notices */
    const struct outbox_message **rows; /* and their rows */
    struct outbox_notice *first;        /* the rows taken, until notices are made from them, */
    size_t first_count;                 /* and their number */
    void *target;
    int64_t at_ms;   /* CLOCK_MONOTONIC: when it was taken; later, when it ended */
    bool given_back; /* without having been begun */
    bool soon;       /* with NOTICE_LATER: try again at once */
    enum notice_outcome outcome;
    char reason[OUTBOX_REASON_MAX - 40];
};

/* The making of deliveries from rows, in the transaction that takes the rows. */
struct making {
    const struct notices_config *config;
    const struct notice_channel *channel;
    struct replay **copy; /* scratch copy of a game, made when first needed */
    struct db *db;
    struct batch *batch;
    struct taken_delivery **taken; /* output: the deliveries to send */
    size_t count;
    size_t failed, dropped; /* notices that ended here */
    struct draft *drafts;
    size_t draft_count;
    const struct outbox_message **over; /* rows of notices that are no longer true or wanted */
    size_t over_count;
};

/* The time for which rows of a channel are taken. */
unsigned making_lease_ms(const struct notice_channel *channel);

/* Takes at most `limit` deliveries that are due, and makes them. Sets `found` to the number of rows
 * that were due; not all of them need have led to a delivery. */
enum db_status making_take(struct making *making, size_t limit, size_t *found);

/* Makes deliveries of these rows of the channel, which have been taken already. */
enum db_status making_add(struct making *making, struct outbox_notice *rows, size_t count);

/* Returns an empty batch. Aborts the program when out of memory. */
struct batch *batch_new(void);
void batch_free(struct batch *batch);

#endif
