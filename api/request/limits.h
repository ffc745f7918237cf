/* Rate limits: a token bucket per client and class of request, in a table of fixed size. When the
 * table is full, a new bucket replaces the least recently used one, so an attacker with many
 * addresses can loosen limits but neither use up memory nor shut others out.
 */
#ifndef TILLROLL_API_REQUEST_LIMITS_H
#define TILLROLL_API_REQUEST_LIMITS_H

#include <stddef.h>
#include <stdint.h>

enum limit_class {
    LIMIT_READ,
    LIMIT_WRITE,
    LIMIT_PASSWORD, /* requests that take a password */
    LIMIT_GUEST,    /* 60 tokens per guest of a network, so that per_minute is guests per hour */
    LIMIT_MAIL,    /* 60 tokens per mail to an address or for an account, 6 per mail of a network */
    LIMIT_UNKNOWN, /* tokens that are not in memory: valid ones at their first use, and guesses */
    LIMIT_REPORT,  /* milliseconds of processor time for long reports, per client */
    LIMIT_REPORTS, /* the same for all callers together who are not signed in */
    LIMIT_CLASSES
};

struct limit {
    uint32_t per_minute; /* refill; 0 = no limit */
    uint32_t burst;      /* size of the bucket */
};

struct limits;

struct limits *limits_new(const struct limit limit[static LIMIT_CLASSES]);
void limits_free(struct limits *limits);

/* Takes one token out of the bucket of (class, client). Returns 0, or the seconds until there is
 * one. `client` is a player's id or a network address, at most 63 bytes. Any thread. */
unsigned limits_take(struct limits *limits, enum limit_class class, const void *client,
                     size_t client_size, int64_t now_ms);

/* The same for work that is charged when it is done: takes nothing, and returns 0 unless the bucket
 * is empty. Any thread. */
unsigned limits_wait(struct limits *limits, enum limit_class class, const void *client,
                     size_t client_size, int64_t now_ms);

/* Takes `count` tokens out of the bucket, which may then be negative, by its own size at most. Any
 * thread. */
void limits_charge(struct limits *limits, enum limit_class class, const void *client,
                   size_t client_size, unsigned count, int64_t now_ms);

/* The number of refused requests since the start. Any thread. */
uint64_t limits_refused(const struct limits *limits, enum limit_class class);

/* The name of the class for people: `read` and so on. */
const char *limit_class_name(enum limit_class class);

#endif
