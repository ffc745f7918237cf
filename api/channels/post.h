/* Sends requests to addresses that people have entered.
 *
 * Each connection is checked against api/channels/target.h with the address that it is about to be
 * made to, whatever the host's name resolved to before or resolves to later. Redirects are not
 * followed, proxies are not used, certificates are checked, response bodies are dropped, and a
 * request ends after a fixed time, even if a name server hangs. */
#ifndef TILLROLL_API_CHANNELS_POST_H
#define TILLROLL_API_CHANNELS_POST_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/text.h"

enum { POST_TIMEOUT_MS = 10000, POST_TOGETHER = 16 /* requests */ };

/* A set of connections that are kept between requests. */
struct poster;

/* The outcome of a request. */
struct post_result {
    enum {
        POST_ANSWERED, /* `status` is set */
        POST_LATER,    /* no connection, no valid certificate, or no response in time */
        POST_STOPPED,  /* by `stop`, before a response */
        POST_REFUSED   /* by target.h: no request was sent */
    } outcome;
    unsigned status;        /* the HTTP status, 200 or more; 0 without a response */
    unsigned retry_after_s; /* from the response, at most a day; 0 if it has none */
    unsigned took_ms;
};

/* All texts are borrowed. */
struct post {
    const char *url;
    const char *const *headers; /* lines such as "TTL: 60", NULL-terminated */
    struct span body;
    bool (*stop)(void *context); /* true = give up; called about once a second; NULL = never */
    void *context;
};

/* One of several simultaneous requests. */
struct post_part {
    struct post post; /* its `stop` is not used */
    struct text *reason;
    struct post_result result; /* set when the request has ended */
};

/* With `private_too`, http and addresses of this machine and network are allowed. Aborts the
 * program when out of memory. */
struct poster *poster_new(bool private_too);

/* POSTs and waits for the response, at most POST_TIMEOUT_MS. Unless the status is 2xx, appends a
 * sentence of at most 100 bytes to `reason`, which reveals nothing of the address or the response
 * but the status. Any thread. */
struct post_result poster_send(struct poster *poster, const struct post *post, struct text *reason);

/* The same for up to POST_TOGETHER simultaneous requests to different targets. Calls ended(context,
 * part), unless it is NULL, in this thread for each part as soon as it has its result, while others
 * are still under way. `stop`, if not NULL, is also called with `context` about once a second. */
void poster_send_all(struct poster *poster, struct post_part *parts, size_t count,
                     bool (*stop)(void *context),
                     void (*ended)(void *context, struct post_part *part), void *context);

/* Call it only when no request is under way. NULL is fine. */
void poster_free(struct poster *poster);

#endif
