/* Rate limits: a token bucket per client and class of request, in a table of fixed size. When the
 * table is full of others, the bucket that was used longest ago gives way, so an attacker with many
 * addresses can loosen limits but neither use memory nor shut others out.
 */
#ifndef TILLROLL_API_REQUEST_LIMITS_H
#define TILLROLL_API_REQUEST_LIMITS_H

#include <stddef.h>
#include <stdint.h>

enum limit_class {
    LIMIT_READ,
    LIMIT_WRITE,
    LIMIT_PASSWORD, /* requests that take a password */
    LIMIT_GUEST,    /* sixtieths of a guest, of one network */
    LIMIT_MAIL, /* sixtieths of a mail, to one address or for one account; of a network, of ten */
    LIMIT_UNKNOWN, /* tokens that are not known yet: good ones for the first time, and guesses */
    LIMIT_REPORT,  /* milliseconds of a processor for reports that take long, of one client, */
    LIMIT_REPORTS, /* and of all together who are not signed in */
    LIMIT_CLASSES
};

struct limit {
    uint32_t per_minute; /* refill; 0 = no limit */
    uint32_t burst;      /* size of the bucket */
};

struct limits;

struct limits *limits_new(const struct limit limit[static LIMIT_CLASSES]);
void limits_free(struct limits *limits);

/* Takes one request out of the bucket of (class, client). 0, or the seconds after which there will
 * be room for one. `client` is a player's id or a network address, at most 63 bytes. Any thread. */
unsigned limits_take(struct limits *limits, enum limit_class class, const void *client,
                     size_t client_size, int64_t now_ms);

/* The same for what is paid for when it is done: takes nothing, and is 0 unless the bucket is
 * empty. Any thread. */
unsigned limits_wait(struct limits *limits, enum limit_class class, const void *client,
                     size_t client_size, int64_t now_ms);

/* Takes `count` out of the bucket, which may then be in debt, of its own size at most. Any thread.
 */
void limits_charge(struct limits *limits, enum limit_class class, const void *client,
                   size_t client_size, unsigned count, int64_t now_ms);

/* How many requests there was no room for, since the start. Any thread. */
uint64_t limits_refused(const struct limits *limits, enum limit_class class);

/* Its name for people: `read` and so on. */
const char *limit_class_name(enum limit_class class);

#endif
