/* The table of routes: the table of contents of the service. */
#ifndef TILLROLL_API_ROUTES_H
#define TILLROLL_API_ROUTES_H

#include "api/call.h"

/* Who may, by his relation to what the path names (api/access.h). */
enum route_access {
    ACCESS_NOBODY,        /* what a row says that says nothing */
    ACCESS_PUBLIC,        /* anybody; a token is looked at if there is one */
    ACCESS_OWN_PAGE,      /* anybody, from a page of this service; no token is looked at */
    ACCESS_MACHINE,       /* anybody on the machine that the service runs on, who has come through
                             no proxy; no token is looked at */
    ACCESS_PLAYER,        /* somebody signed in */
    ACCESS_OWNER,         /* the owner of the bot whose id comes first */
    ACCESS_ACCOUNT,       /* the player whose id comes first, or the owner of that bot */
    ACCESS_ENTRY,         /* the player whose id comes second; or, with SCOPE_ORGANIZE instead, an
                             arbiter or organizer of the event whose id comes first */
    ACCESS_ORGANIZER,     /* an organizer of the event whose id comes first */
    ACCESS_ARBITER,       /* an arbiter or an organizer of it */
    ACCESS_SEAT,          /* a player of the game whose id comes first */
    ACCESS_WAITING_SEAT,  /* the same, or who will be one when the game starts */
    ACCESS_GAME_OFFICIAL, /* an arbiter or an organizer of the event of the game whose id comes
                             first */
    ACCESS_GAME_PARTY,    /* a player of that game, or an arbiter or organizer of its event */
    ACCESS_DISPUTE_PARTY, /* the same of the game of the dispute whose id comes first, and who has
                             opened it */
    ACCESS_DISPUTE_OFFICIAL, /* an arbiter or organizer of the event of that game */
    ACCESS_SEASON_ORGANIZER, /* of the season whose id comes first */
    ACCESS_ROLE              /* nobody but by one of the roles */
};

enum route_work {
    WORK_STATIC, /* no database */
    WORK_BESIDE, /* no database, but too much for the loop */
    WORK_READ,   /* in a read-only snapshot */
    WORK_WRITE,  /* in a transaction that is committed before the answer is sent */
    WORK_OWN     /* takes a password: the handler opens its own transactions, because slow work must
                    not hold one, and runs on one of the few threads for such work */
};

/* What an answer tells of, if all who may see it can be given the same one (api/shared_reads.h). */
enum route_share {
    SHARE_NOT,
    SHARE_ALWAYS, /* of nothing that changes */
    SHARE_EVENT,  /* of the event whose id comes first in the path */
    SHARE_GAME,   /* of the game whose id comes first in the path, and its event */
    SHARE_EVENTS, /* of any number of events and their games */
    SHARES
};

enum { ROUTE_PARAMETERS = 2 };

struct route {
    enum http_method method;
    const char *path; /* `/v1/events/{id}`: segments are words, {id}, {number} or {word} */
    enum route_access access;
    enum scope scope; /* that a token needs, if one is sent; NO_SCOPE: any token will do */
    enum role roles;  /* of which one will do in place of the relation */
    enum route_work work;
    void (*handle)(struct call *call);
    /* Of a page for people, not part of the API: the file that it is made of (api/files.h), ""
     * where the path names that. NULL for the API. Who asks for a page is looked at by its script.
     */
    const char *page;
    bool secret; /* the answer holds what must not be kept, so an Idempotency-Key has no effect */
    /* Tries to answer from memory, on the loop thread (api/http.h); NULL = cannot. Routes of
     * WORK_STATIC are answered so anyway. What the handler would do besides, limits among it, is
     * its own task. */
    enum http_quick (*quick)(struct call *call, struct http_pending *pending);
    /* Fetches what `quick` missed when it said QUICK_COLD, besides the callers' sessions, for
     * `count` (at least 1) requests; in the read-only snapshot of the first. NULL if it never does.
     * What cannot be had is left to the handler. */
    void (*fetch)(struct call *calls, size_t count);
    enum route_share share; /* of a GET; then it must be answered with an entity tag */
    bool query;             /* what it shares depends on the query */
    const char *parameter[ROUTE_PARAMETERS]; /* or on these of its parameters */
    bool text;                               /* the body is plain text, not JSON */
    bool signs; /* of a read: it is signed for, so what it tells must not be lost */
};

/* Route i, or NULL past the last. */
const struct route *route_at(size_t i);

/* Its place in the table, counted from 1; route_at(number - 1) is it again. */
unsigned route_number(const struct route *route);

/* The route of a request, with ids, words and numbers of the path filled into `call`. NULL with a
 * problem: `not-found`, or `method-not-allowed` with the Allow header. */
const struct route *route_find(struct call *call);

#endif
