/* Requests and responses, independent of libmicrohttpd: api/http/server.c creates the requests and
 * sends the responses; all other code sees only these. */
#ifndef TILLROLL_API_HTTP_HTTP_H
#define TILLROLL_API_HTTP_HTTP_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/arena.h"
#include "engine/base/text.h"

enum {
    HTTP_BODY_MAX = 64 * 1024, /* bytes of a request's body */
    /* The same for a report file, below HTTP_REPORTS: one of 2,000 players over 15 rounds has 0.5
     * MB. */
    HTTP_REPORT_MAX = 1024 * 1024,
    HTTP_TARGET_MAX = 1024,   /* bytes of a request's target */
    HTTP_SEGMENTS_MAX = 8,    /* segments of a path */
    HTTP_PARAMETERS_MAX = 8,  /* parameters of a query */
    HTTP_FIELDS_MAX = 48,     /* header fields of a request */
    HTTP_HEAD_MAX = 5 * 1024, /* bytes of all field names and values */
    HTTP_ID_MAX = 64          /* bytes of a request's id */
};

#define HTTP_REPORTS "/v1/exchange/"

enum http_method { HTTP_GET, HTTP_HEAD, HTTP_POST, HTTP_PUT, HTTP_PATCH, HTTP_DELETE };

/* The method's name as it stands in a request. */
const char *http_method_name(enum http_method method);

struct http_parameter {
    struct span name, value;
};

/* A request that has passed the gate (api/http/gate.h). Everything is borrowed from the server and
 * valid until the request has been answered. */
struct http_request {
    enum http_method method;
    struct span path; /* begins with `/`; no escapes, no empty or dot segments */
    struct span segment[HTTP_SEGMENTS_MAX];
    size_t segments;
    struct http_parameter parameter[HTTP_PARAMETERS_MAX];
    size_t parameters;
    struct span body; /* after the gate: its announced length, with at = NULL until the body has
                         been read */
    /* Header fields, NULL where absent. */
    const char *authorization;
    const char *content_type;
    const char *idempotency_key;
    const char *if_match;
    const char *official_signature; /* Tillroll-Signature */
    const char *if_none_match;
    const char *accept;          /* the first of several */
    const char *accept_encoding; /* likewise */
    const char *origin;
    const char *cookie;
    const char *host; /* never NULL */
    const char *last_event_id;
    const char *forwarded_for; /* X-Forwarded-For: the last of several */
    const char *request_id;    /* X-Request-Id: likewise; a trusted proxy's id of the request */
    const char *prefer;        /* the first of several */
    bool proxied;              /* the request has a field that proxies add */
    uint8_t peer[16]; /* the client's address, as http_peer() or http_forwarded_peer() makes it */
    bool forwarded;   /* the trusted proxy forwards the request for a client */
    bool at_home;     /* hosts_at_home() (api/request/hosts.h), set by the quick handler */
    int64_t received_ms; /* milliseconds since 1970, when the head of the request was complete */
    /* Identifies the request in the log and the response: 16 hex digits, or the trusted proxy's id,
     * at most HTTP_ID_MAX letters, digits and `-._`. */
    char id[HTTP_ID_MAX + 1];
    unsigned route; /* number of the route from 1, set by the quick handler; 0 = none known */
    bool costly;    /* the request takes long, so a report worker is to answer it; set by the quick
                       handler */
    bool limited;   /* the request has been counted against the caller's limit */
};

struct broadcast_reader; /* api/http/broadcast.h */
struct shared_answer;

/* A long body, made piece by piece while it is sent: the next piece is made when the previous one
 * has been taken, so there is never more than one in memory, and none is made after the client has
 * gone. Embedded in a struct of the code that makes the body. */
struct http_pieces {
    /* Makes the next piece, which is borrowed until the next call, and may be empty; sets `last` if
     * none follows. False if it cannot be made: the connection is then closed, so that the client
     * sees that the body is incomplete. Called on a worker's thread. */
    bool (*next)(struct http_pieces *pieces, struct span *piece, bool *last);
    void (*drop)(struct http_pieces *pieces); /* frees the struct; any thread */
};

/* A response. Strings are static or in the request's arena. */
struct http_response {
    int status;
    /* A shared answer (api/http/answer.h), of which this response has a hold; the fields below are
     * then empty. NULL = none. */
    struct shared_answer *shared;
    bool shared_gzip; /* send its compressed body */
    const char *content_type;
    /* For HEAD and with 304, the body of the GET and of the 200: only its length is sent, which
     * must be the same (RFC 9110 section 8.6). None with 204. */
    struct span body;
    const char *etag;          /* with its quotes, or NULL */
    const char *encoding;      /* Content-Encoding, or NULL */
    const char *location;      /* or NULL */
    const char *allow;         /* methods, for 405, or NULL */
    const char *cache_control; /* NULL = `no-store` */
    const char *disposition;   /* Content-Disposition, or NULL */
    const char *set_cookie;    /* or NULL */
    int retry_after_s;         /* 0 = none */
    bool embeddable;           /* pages of other sites may show the response in a frame */
    bool close;                /* close the connection after this response */
    bool compiles;             /* a worker's script that may compile WebAssembly */
    bool again;                /* not a response: call the quick handler once more */
    /* A stream: after the head, the reader's messages are sent as they arrive, instead of a body.
     * Owned by the response; dropping the response closes the reader. */
    struct broadcast_reader *reader;
    /* Replaces `body`; not made for HEAD and with 304. Owned by the response. NULL = none. */
    struct http_pieces *pieces;
};

/* Answers a request. Called on a worker thread; several at the same time. `arena` lives until the
 * response has been sent. */
typedef void http_handler(void *context, const struct http_request *request, struct arena *arena,
                          struct http_response *response);

/* Fetches, together, the data that `count` (at least 1) requests lacked for which the quick handler
 * has returned QUICK_COLD. Sets http_response.again for each request that need not be refused.
 * Called like the handler. */
struct http_cold {
    const struct http_request *request;
    struct arena *arena;
    struct http_response *response;
};
typedef void http_fetcher(void *context, const struct http_cold *cold, size_t count);

/* A request that has no response yet; see server_answer() and server_pass_on(). */
struct http_pending;

/* The outcome of a request, for the log. */
struct http_outcome {
    int status;
    int64_t duration_us; /* since the end of the request's head */
    bool worked;         /* a worker has run the handler for it */
    bool stream;         /* the response was a stream; duration_us is how long it was followed */
};

/* Tries to answer a request at once. Called on the loop thread, so it must not block: it uses only
 * data in memory, or leaves the request to a worker. `pending` identifies the request for later.
 * Sets the request's route, if there is one. */
enum http_quick {
    QUICK_NO,   /* a worker must answer; `response` is unchanged */
    QUICK_COLD, /* the same, but the quick handler could answer if the data were in memory: a worker
                   must fetch them, and then the quick handler is called once more */
    QUICK_SLOW, /* the same as QUICK_NO, but a password is checked: one of the few workers reserved
                   for that must answer, so that such requests never delay others */
    QUICK_STEP, /* the same as QUICK_NO, for requests that wait for a job (api/work/jobs.h) */
    QUICK_DONE, /* `response` is complete */
    QUICK_LATER /* server_answer() or server_pass_on() will be called after this turn of the loop */
};
typedef enum http_quick http_quick_handler(void *context, struct http_pending *pending,
                                           struct http_request *request, struct arena *arena,
                                           struct http_response *response);

struct sockaddr;

/* The address that counts as one client where there is no account: an IPv4 address as
 * ::ffff:a.b.c.d, or the first 64 bits of an IPv6 address, since one subscriber has that whole
 * range. */
void http_peer(const struct sockaddr *address, uint8_t peer[static 16]);

/* A whole address: IPv4 as ::ffff:a.b.c.d. */
void http_address(const struct sockaddr *address, uint8_t whole[static 16]);

/* The same from text, `192.0.2.7` or `2001:db8::7`. False, and `whole` is unchanged, for anything
 * else. */
bool http_read_address(struct span text, uint8_t whole[static 16]);

/* The client for which a proxy forwards: the last address in X-Forwarded-For (NULL = none), which
 * the proxy itself has added; any client can have written the text before it. In the form that
 * http_peer() makes. False, and `peer` is unchanged, if there is none. */
bool http_forwarded_peer(const char *forwarded_for, uint8_t peer[static 16]);

/* True if an address from http_peer() is the machine itself. */
bool http_is_loopback(const uint8_t peer[static 16]);

/* True if an address from http_peer() is the machine itself, belongs to a private network (RFC
 * 1918, RFC 4193), or is link-local (RFC 3927, RFC 4291). */
bool http_is_private(const uint8_t peer[static 16]);

/* True if X-Request-Id (NULL = none) can be used as a request's id. */
bool http_is_request_id(const char *request_id);

/* True if If-None-Match (NULL = none) contains this entity tag, given with its quotes, weak or
 * strong, or is `*`: then the response is 304. */
bool http_client_has(const char *if_none_match, const char *etag);

/* True if Accept-Encoding (NULL = none) allows a response compressed with gzip (RFC 9110 section
 * 12.5.3). */
bool http_takes_gzip(const char *accept_encoding);

/* The value of the preference `name` (in lower case) in Prefer (NULL = none; RFC 7240): empty if
 * the preference has no value; at = NULL if it is absent. Names are compared without regard to
 * case. */
struct span http_preference(const char *prefer, const char *name);

/* Copies a request into the arena, including its body. */
void http_request_copy(struct arena *arena, const struct http_request *request,
                       struct http_request *copy);

/* The value of a query parameter (empty for `?name` and `?name=`), or an empty span with at = NULL
 * if the query has no parameter of that name. */
struct span http_parameter(const struct http_request *request, const char *name);

#endif
