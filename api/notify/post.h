/* Sends requests to addresses that people have entered, many at once, from one thread.
 *
 * Each connection is checked against api/notify/target.h with the address that it is about to be
 * made to, whatever its name resolved to before or resolves to later. Redirects are not followed,
 * proxies are not used, certificates are checked, what is answered is thrown away, and a request
 * ends after a fixed time. A target that hangs occupies one place. Names are resolved beside the
 * thread. */
#ifndef TILLROLL_API_NOTIFY_POST_H
#define TILLROLL_API_NOTIFY_POST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/text.h"

enum { POST_HEADERS_MAX = 8, POST_REASON_MAX = 160 /* bytes */ };

struct poster;

/* How a request ended. */
struct post_result {
    enum {
        POST_ANSWERED, /* with `status` */
        POST_LATER,    /* no connection, no certificate, no answer in time, or the end came */
        POST_REFUSED   /* by target.h: nothing was sent */
    } outcome;
    unsigned status;        /* HTTP's; 0 unless answered */
    unsigned retry_after_s; /* as the answer says; 0 if it does not */
    unsigned took_ms;
    char reason[POST_REASON_MAX]; /* a sentence for the address's owner, unless the status is 2xx */
};

typedef void post_done(void *owner, void *subject, const struct post_result *result);

/* `private_too`: http, and addresses of this machine and network, are allowed. `done` is called in
 * poster_turn(). NULL if there is no memory. After curl_global_init(). */
struct poster *poster_new(unsigned timeout_ms, bool private_too, post_done *done, void *owner);

/* Begins a POST of `body`. `headers` are lines such as "TTL: 60", NULL-terminated, at most
 * POST_HEADERS_MAX. Everything is copied. `subject` is given back to `done`. False if there is no
 * memory. */
bool poster_send(struct poster *poster, const char *url, const char *const *headers,
                 struct span body, void *subject);

/* Works on what has begun, and waits up to `wait_ms` for more to do, or poster_wake(). */
void poster_turn(struct poster *poster, unsigned wait_ms);

/* Ends a wait. Any thread. */
void poster_wake(struct poster *poster);

/* Gives up what has begun, without calling `done`. NULL is fine. */
void poster_free(struct poster *poster);

#endif
