/* The table of routes: the table of contents of the service. */
#ifndef TILLROLL_API_ROUTES_H
#define TILLROLL_API_ROUTES_H

#include "api/call.h"

enum route_access {
    ACCESS_PUBLIC,   /* anybody; a token is looked at if there is one */
    ACCESS_PLAYER,   /* somebody signed in */
    ACCESS_ORGANIZER /* an organizer of the event whose id comes first in the path */
};

enum route_work {
    WORK_STATIC, /* no database */
    WORK_READ,   /* in a read-only snapshot */
    WORK_WRITE,  /* in a transaction that is committed before the answer is sent */
    WORK_OWN     /* the handler opens its own transactions: slow work must not hold one */
};

struct route {
    enum http_method method;
    const char *path; /* `/v1/events/{id}`: segments are words, {id}, {number} or {word} */
    enum route_access access;
    enum route_work work;
    void (*handle)(struct call *call);
    bool page; /* a page for people, not part of the API */
    /* Tries to answer from memory, on the loop thread (api/http.h); NULL = cannot. Routes of
     * WORK_STATIC are answered so anyway. What the handler would do besides, limits among it, is
     * its own task. */
    enum http_quick (*quick)(struct call *call, struct http_pending *pending);
    /* Fetches what `quick` missed when it said QUICK_COLD, besides the caller's session; in a
     * read-only snapshot. NULL if it never does. What cannot be had is left to the handler. */
    void (*fetch)(struct call *call);
};

/* Route i, or NULL past the last. */
const struct route *route_at(size_t i);

/* The route of a request, with ids, words and numbers of the path filled into `call`. NULL with a
 * problem: `not-found`, or `method-not-allowed` with the Allow header. */
const struct route *route_find(struct call *call);

#endif
