/* A route: which requests an address accepts, who may send them, and how they are answered; and how
 * the route of a request is found. */
#ifndef TILLROLL_API_REQUEST_ROUTE_H
#define TILLROLL_API_REQUEST_ROUTE_H

#include "api/request/call.h"

/* The callers who may use a route, by their relation to the subject of the path
 * (api/request/access.h). */
enum route_access {
    ACCESS_NOBODY,        /* the value 0: deny */
    ACCESS_PUBLIC,        /* all callers; a token is checked if there is one */
    ACCESS_OWN_PAGE,      /* all callers, from a page of this service; tokens are ignored */
    ACCESS_MACHINE,       /* requests from the machine that the service runs on, without a proxy in
                             between; tokens are ignored */
    ACCESS_PLAYER,        /* any signed-in player */
    ACCESS_OWNER,         /* the owner of the bot whose id comes first */
    ACCESS_ACCOUNT,       /* the player whose id comes first, or the owner of that bot */
    ACCESS_ENTRY,         /* the player whose id comes second; or, with SCOPE_ORGANIZE instead, an
                             arbiter or organizer of the event whose id comes first */
    ACCESS_ORGANIZER,     /* an organizer of the event whose id comes first */
    ACCESS_ARBITER,       /* an arbiter or an organizer of that event */
    ACCESS_SEAT,          /* a player of the game whose id comes first */
    ACCESS_WAITING_SEAT,  /* the same, or a player who will be one when the game starts */
    ACCESS_GAME_OFFICIAL, /* an arbiter or an organizer of the event of the game whose id comes
                             first */
    ACCESS_GAME_PARTY,    /* a player of that game, or an arbiter or organizer of its event */
    ACCESS_DISPUTE_PARTY, /* the same for the game of the dispute whose id comes first, and the
                             player who opened it */
    ACCESS_DISPUTE_OFFICIAL, /* an arbiter or organizer of the event of that game */
    ACCESS_SEASON_ORGANIZER, /* the organizer of the season whose id comes first */
    ACCESS_JOB,              /* callers who may take the step of the job whose id comes first */
    ACCESS_ROLE              /* holders of one of the roles only */
};

enum route_work {
    WORK_STATIC, /* no database */
    WORK_BESIDE, /* no database, but too slow for the loop */
    WORK_READ,   /* in a read-only snapshot */
    WORK_WRITE,  /* in a transaction that is committed before the answer is sent */
    WORK_OWN     /* the handler opens its own transactions, because slow work must not hold one: it
                    checks a password, and runs on one of the few threads for that, or is costly */
};

/* The data on which a response depends, if all callers who may see it can be given the same one
 * (api/work/shared_responses.h). */
enum route_share {
    SHARE_NOT,
    SHARE_ALWAYS, /* none that changes */
    SHARE_EVENT,  /* the event whose id comes first in the path */
    SHARE_GAME,   /* the game whose id comes first in the path, and its event */
    SHARE_EVENTS, /* any number of events and their games */
    SHARES
};

/* The subject of an official's act, so that officials who are a party to it can be excluded
 * (api/request/impartial.h). Every route by which officials act on one game, table or dispute has
 * one. */
enum route_office {
    OFFICE_NONE,
    OFFICE_GAME,    /* the game whose id comes first in the path */
    OFFICE_LOOK,    /* the same, for viewing only */
    OFFICE_TABLE,   /* the table whose round and number come first, of the event */
    OFFICE_DISPUTE, /* the game of the dispute whose id comes first */
};

enum { ROUTE_PARAMETERS = 3, ROUTES_MAX = 320 };

struct route {
    enum http_method method;
    const char *path; /* `/v1/events/{id}`: segments are words, {id}, {number} or {word} */
    enum route_access access;
    enum scope scope; /* needed in a token, if one is sent; NO_SCOPE: any token is enough */
    enum role roles;  /* any one of them replaces the relation */
    enum route_work work;
    void (*handle)(struct call *call);
    enum route_office office;
    /* For a page of the web interface: the file that it is made from (api/state/files.h), "" if the
     * path names it. NULL for the API. The caller of a page is identified by the page's script, not
     * here. */
    const char *page;
    bool secret; /* the response holds data that must not be kept, so an Idempotency-Key has no
                    effect, and the job of a step keeps no response */
    /* Tries to answer from memory, on the loop thread (api/http/http.h); NULL = cannot. Routes with
     * WORK_STATIC are always answered on that thread. It must do everything else that the handler
     * would do, limits included. */
    enum http_quick (*quick)(struct call *call, struct http_pending *pending);
    /* Fetches the data that `quick` lacked when it returned QUICK_COLD, apart from the callers'
     * sessions, for `count` (at least 1) requests; in the read-only snapshot of the first. NULL if
     * `quick` never returns QUICK_COLD. Requests whose data cannot be fetched are left to the
     * handler. */
    void (*fetch)(struct call *calls, size_t count);
    enum route_share share; /* for a GET, whose response must then have an entity tag */
    bool query;             /* the shared response depends on the query */
    const char *parameter[ROUTE_PARAMETERS]; /* or on these parameters of it */
    /* The kind of the step, if it may take longer than a request should (api/work/jobs.h); NULL =
     * it does not. One route has one kind. */
    const char *step;
    bool costly;  /* takes long: has its own workers, so that no other request waits for it, and, if
                     it is public, is charged to the caller (call_within_share()) */
    bool preview; /* accepts preview=true, the only parameter of a route that is not a GET */
    bool text;    /* the body is plain text, not JSON */
    bool verbatim; /* the body is JSON of which every byte counts: the handler parses it itself */
    bool form;  /* the body is a form's, of any type, and is not read; a tag in the address proves
                   the permission (api/notices/unsubscribe.h) */
    bool signs; /* for a read: the response is signed, so its data must not be lost later */
};

/* All routes of the service (api/routes.c): `route_count` of them, at most ROUTES_MAX. */
extern const struct route route_table[];
extern const size_t route_count;

/* Route i, or NULL past the last. */
const struct route *route_at(size_t i);

/* The route's position in the table, counted from 1: the inverse of route_at(number - 1). */
unsigned route_number(const struct route *route);

/* The route of steps of this kind, or NULL. */
const struct route *route_of_step(const char *kind);

/* Finds the route of a request, and fills ids, words and numbers of the path into `call`. NULL with
 * a problem: `not-found`; `not-an-id` where a segment should be an id but is not; `bad-parameter`;
 * or `method-not-allowed` with the Allow header. */
const struct route *route_find(struct call *call);

/* The same, without a search if the request's route is known (http_request.route): a request passes
 * through several threads, and each fills a call of its own. */
const struct route *route_of(struct call *call);

#endif
