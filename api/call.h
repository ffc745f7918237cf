/* One call of the API: what a handler gets, and the ways in which it answers.
 *
 * A handler reads as parse, check, do, answer. Helpers that can fail return false after they have
 * written the problem into the answer, so a handler writes `if (!...) return;`. Handlers never
 * begin or commit: api/dispatch.c does, and sends the answer only after the commit.
 */
#ifndef TILLROLL_API_CALL_H
#define TILLROLL_API_CALL_H

#include <jansson.h>

#include "api/http.h"
#include "api/service.h"
#include "api/shared_answer.h"
#include "db/events.h"
#include "db/refused_moves.h"
#include "db/tokens.h"

enum { CALL_IDS_MAX = 2, CALL_WORDS_MAX = 5 };

/* What an answer shows depends on who looks at it only where api/sight.h was asked; this is what it
 * was asked, so that an answer can be given to others for whom it is the same. */
struct call_sight {
    bool own;                 /* the caller was seen to be a player of a game */
    struct id game;           /* the one that was asked about, "" for none */
    struct id event;          /* of the game that was found, "" for none */
    struct audience audience; /* for whom the answer is the same, if not `own` */
};

struct route;

struct call {
    struct service *service;
    const struct route *route; /* NULL for work of the service's own */
    const struct http_request *request;
    struct http_response *response;
    struct arena *arena;
    struct db *db;  /* with an open transaction; NULL on routes without one */
    bool retry;     /* the whole transaction is to be tried again */
    uint64_t clock; /* of shared reads, as it was before the transaction began */
    int64_t now_ms;
    bool signed_in;
    struct player player;             /* valid if signed_in; from memory only its id */
    struct token token;               /* likewise; from memory only its scopes */
    uint8_t token_hash[32];           /* likewise */
    struct id id[CALL_IDS_MAX];       /* the {id}s of the path, in order */
    struct span word[CALL_WORDS_MAX]; /* the {word}s of the path, in order */
    size_t words;                     /* how many */
    uint64_t number[CALL_IDS_MAX];    /* the {number}s of the path, in order */
    json_t *body;                     /* the parsed body, or NULL */
    json_t *documents;                /* what a page has read (api/page_read.h), or NULL */
    struct call_sight sight;
    /* For what is in memory, when the transaction has ended (api/dispatch.c): */
    struct id held;                       /* a game that is being written to, "" for none */
    const struct record_row *played_rows; /* what was written, `played_count` of them */
    size_t played_count;
    const struct replay *played; /* its state with what was written, or NULL */
    struct id event_changed;     /* an event of which something was written, "" for none */
    bool log_written;            /* a line of an event's log was, which may yet be rolled back */
    uint8_t (*ended)[32];        /* tokens that are to be forgotten, by their hashes */
    size_t ended_count;
    const struct refused_move *refused; /* to be kept although the request is refused, or NULL */
    struct id refused_in;               /* its game */
    bool renamed;                       /* names have changed, or were made pseudonyms */
};

/* ---- Answers ---- */

/* Answers with a JSON document; takes the reference over. */
void call_answer(struct call *call, int status, json_t *document);

/* The same with status 200 and an entity tag, given without quotes: 304 if the client has this one
 * already. */
void call_answer_cached(struct call *call, json_t *document, const char *etag);

/* The same with a tag of the document's own bytes. */
void call_answer_tagged(struct call *call, json_t *document);

/* Gives the response, which has its type and body, status 200 or 304 and an entity tag, in quotes
 * and in the arena; NULL stands for one of the body's own bytes. */
void call_tag(struct call *call, const char *etag);

/* Answers with a problem, which names the request where the fault is ours (5xx). Returns false, for
 * `return call_problem(...)`. */
bool call_problem(struct call *call, const char *code, const char *detail);

/* Turns a status into true, or a problem: DB_NONE `not-found`, DB_CONFLICT `conflict_code`. */
bool call_db(struct call *call, enum db_status status, const char *conflict_code,
             const char *conflict_detail);

/* The same where no conflict is possible. */
bool call_found(struct call *call, enum db_status status);

/* ---- Transactions, for routes of WORK_OWN: all others have one ---- */

/* Begins one, on a connection of its own; not opened, there is a problem. Either way it is to be
 * closed: which commits, or rolls back where the answer is a problem. */
bool call_open_transaction(struct call *call);
void call_close_transaction(struct call *call);

/* ---- Limits ---- */

/* Takes one request from the caller's share; `too-many-requests` if it is used up. */
bool call_within_limit(struct call *call, enum limit_class class);

/* ---- Input ---- */

/* Parses the request's body, an object, into `call`; an empty one is {}. */
bool call_read_body(struct call *call);

/* For routes that take plain text: refuses a body of another type. The text is call->request->body.
 */
bool call_take_text(struct call *call);

/* Refuses keys of the body that are not in `known` (NULL-terminated). */
bool call_check_keys(struct call *call, const char *const *known);

/* A text of min .. max bytes of valid UTF-8 without control characters. With `initial` (not NULL)
 * the field may be missing. */
bool call_text(struct call *call, const char *key, size_t min, size_t max, const char *initial,
               const char **value);

/* A whole number. With `initial` >= 0 the field may be missing. */
bool call_whole(struct call *call, const char *key, unsigned min, unsigned max, int initial,
                unsigned *value);

/* One of the words in `choices` (NULL-terminated); the first is the default. */
bool call_choice(struct call *call, const char *key, const char *const *choices,
                 const char **value);

/* Refuses with `bad-field` and a sentence that begins with the field's name. */
bool call_bad_field(struct call *call, const char *key, const char *what);

/* ---- Pages of lists: ?after=<cursor>&limit=<1..100> ---- */

struct page {
    struct id after; /* "" for the first page */
    size_t limit;
};

/* Refuses unknown parameters and bad values; the parameters in `further` (NULL-terminated, or NULL)
 * are the handler's own. */
bool call_page(struct call *call, const char *const *further, struct page *page);

/* {"items": items, "next": cursor or null}; takes `items` over. */
json_t *page_document(json_t *items, const char *next);

/* ---- Time ---- */

enum { TIME_TEXT = 25 };

/* RFC 3339 in UTC with milliseconds: `2026-11-20T15:04:05.123Z`. */
void time_print(int64_t ms, char text[static TIME_TEXT]);

/* The inverse, for a text that is known to have this form. */
int64_t time_read(const char *text);

/* Reads what somebody sent: RFC 3339, from the year 1970 to 9999, with any offset and fraction
 * (digits after milliseconds are cut off). False if it is none. */
bool time_parse(struct span text, int64_t *ms);

/* A JSON string of it, null for 0. */
json_t *time_json(int64_t ms);

#endif
