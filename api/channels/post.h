/* Sends requests to addresses that people have entered.
 *
 * Each connection is checked against api/channels/target.h with the address that it is about to be
 * made to, whatever its name resolved to before or resolves to later. Redirects are not followed,
 * proxies are not used, certificates are checked, what is answered is thrown away, and a request
 * ends after a fixed time, also if a name server hangs. */
#ifndef TILLROLL_API_CHANNELS_POST_H
#define TILLROLL_API_CHANNELS_POST_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/text.h"

enum { POST_TIMEOUT_MS = 10000, POST_TOGETHER = 16 /* requests */ };

/* Connections that are kept between requests. */
struct poster;

/* How a request ended. */
struct post_result {
    enum {
        POST_ANSWERED, /* with `status` */
        POST_LATER,    /* no connection, no certificate, no answer in time */
        POST_STOPPED,  /* by `stop`, before an answer */
        POST_REFUSED   /* by target.h: nothing was sent */
    } outcome;
    unsigned status;        /* HTTP's, 200 or more; 0 unless answered */
    unsigned retry_after_s; /* as the answer says, a day at most; 0 if it does not */
    unsigned took_ms;
};

/* All texts are borrowed. */
struct post {
    const char *url;
    const char *const *headers; /* lines such as "TTL: 60", NULL-terminated */
    struct span body;
    bool (*stop)(void *context); /* true = give up; asked about once a second; NULL = never */
    void *context;
};

/* One of several requests that are made at the same time. */
struct post_part {
    struct post post; /* without `stop` */
    struct text *reason;
    struct post_result result; /* found */
};

/* `private_too`: http, and addresses of this machine and network, are allowed. Aborts the program
 * when out of memory. */
struct poster *poster_new(bool private_too);

/* POSTs and waits for the answer, POST_TIMEOUT_MS at most. Unless it answered with 2xx, appends a
 * sentence to `reason`, at most 100 bytes, without anything of the address or of what the other
 * side said but its status. Any thread. */
struct post_result poster_send(struct poster *poster, const struct post *post, struct text *reason);

/* The same for up to POST_TOGETHER requests at the same time, which are to different targets:
 * calls ended(context, part), unless it is NULL, by this thread as soon as each has its result,
 * whatever the others do. `stop`, if not NULL, is asked about once a second, with `context`, too.
 */
void poster_send_all(struct poster *poster, struct post_part *parts, size_t count,
                     bool (*stop)(void *context),
                     void (*ended)(void *context, struct post_part *part), void *context);

/* When no request is under way. NULL is fine. */
void poster_free(struct poster *poster);

#endif
