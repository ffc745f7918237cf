/* One call of the API: what a handler receives, and how it answers.
 *
 * A handler reads as parse, check, do, answer. Helpers that can fail return false after they have
 * written the problem into the answer, so a handler writes `if (!...) return;`. Handlers never
 * begin or commit: api/dispatch.c does, and sends the answer only after the commit.
 */
#ifndef TILLROLL_API_REQUEST_CALL_H
#define TILLROLL_API_REQUEST_CALL_H

#include <jansson.h>

#include "api/http/answer.h"
#include "api/http/http.h"
#include "api/request/limits.h"
#include "api/request/service.h"
#include "db/link/db.h"
#include "db/store/events/events.h"
#include "db/store/games/records.h"
#include "db/store/people/credentials.h"

enum { CALL_IDS_MAX = 2, CALL_WORDS_MAX = 5 };

/* An answer depends on its viewer only through calls of api/request/visibility.h. This records
 * them, so that the answer can also be given to others for whom it is the same. */
struct call_visibility {
    bool own;                 /* the caller was found to be a player of a game */
    struct id game;           /* the one that was asked about, "" for none */
    struct id event;          /* of the game that was found, "" for none */
    struct audience audience; /* for whom the answer is the same, if not `own` */
};

/* A document that the service reads itself, for a page: handed over as it is, and written out only
 * to be kept as an answer. */
struct call_reading {
    size_t bytes_max; /* a longer one is not written out: the answer has no body */
    json_t *document; /* what was answered, or NULL; the reader's */
};

struct game_row;
struct route;
struct job;
struct call;

/* Work that takes too long to hold a transaction open: done after the handler has returned; then
 * the handler is called again. */
struct computation {
    uint8_t key[32]; /* a hash of its input */
    void (*run)(struct call *call, void *work);
    void *work; /* in the arena; input and output */
    bool done;
};

struct call {
    struct service *service;
    const struct route *route; /* NULL for the service's own work */
    const struct http_request *request;
    struct http_response *response;
    struct arena *arena;
    struct db *db;  /* with an open transaction; NULL on routes without one */
    bool retry;     /* the whole transaction is to be tried again */
    uint64_t clock; /* of shared reads, read before the transaction began */
    int64_t now_ms;
    bool signed_in;
    struct player player;             /* valid if signed_in; only its id if taken from memory */
    struct token token;               /* likewise; only its scopes if taken from memory */
    uint8_t token_hash[32];           /* likewise */
    struct id id[CALL_IDS_MAX];       /* the {id}s of the path, in order */
    struct span word[CALL_WORDS_MAX]; /* the {word}s of the path, in order */
    size_t words;                     /* how many */
    uint64_t number[CALL_IDS_MAX];    /* the {number}s of the path, in order */
    json_t *body;                     /* the parsed body, or NULL */
    json_t *documents; /* documents that a page has read (api/pages/page_read.h), or NULL */
    struct call_reading *reading; /* of a call that stands for such a document, or NULL */
    struct call_visibility sight;
    /* The game whose player the caller has to be, as it was when that was found out; NULL on routes
     * that others may use. */
    const struct game_row *own_game;
    /* For bringing memory up to date when the transaction has ended (api/dispatch.c): */
    struct id held;                       /* a game that is being written to, "" for none */
    const struct record_row *played_rows; /* what was written, `played_count` of them */
    size_t played_count;
    const struct replay *played; /* its state with what was written, or NULL */
    struct id event_changed;     /* an event of which something was written, "" for none */
    unsigned official_lines;     /* lines that an official has signed */
    unsigned official_base;      /* the line after which they were signed */
    bool log_written;     /* a line of an event's log was written, which may yet be rolled back */
    uint8_t (*ended)[32]; /* tokens to be forgotten, by their hashes */
    size_t ended_count;
    const struct refused_move *refused; /* to be stored although the request is refused, or NULL */
    struct id refused_in;               /* its game */
    bool metered;                       /* its processor time is charged to the caller */
    bool renamed;                       /* names have changed, or were made pseudonyms */
    struct job *job;                    /* the job that it belongs to (api/work/jobs.h), or NULL */
    struct computation *computation;    /* the last one requested, or NULL */
};

/* ---- Answers ---- */

/* Answers with a JSON document; takes over the reference. */
void call_answer(struct call *call, int status, json_t *document);

/* The same for what has been made, or is being made; its address is `list`, as `/v1/events/`, and
 * its id. */
void call_answer_new(struct call *call, int status, const char *list, const struct id *id,
                     json_t *document);

/* Answers with a document, status 200 and an entity tag, given without quotes: 304 if the client
 * has this one already. */
void call_answer_cached(struct call *call, json_t *document, const char *etag);

/* The same with a tag of the document's own bytes. */
void call_answer_tagged(struct call *call, json_t *document);

/* Answers with a body of this type, status 200 or 304 and a tag of the body's own bytes. Both are
 * static or in the arena. */
void call_answer_body(struct call *call, const char *content_type, struct span body);

/* Gives the response, which has its type and body, status 200 or 304 and an entity tag, in quotes
 * and in the arena; NULL stands for one of the body's own bytes. */
void call_tag(struct call *call, const char *etag);

/* The beginning of a hash (at most 32 bytes of it) as an entity tag: hex digits in quotes, in the
 * arena. */
const char *call_hash_tag(struct call *call, const uint8_t *hash, size_t bytes);

/* Names the file that the answer is, `ending` after `name`, as `disposition` (`inline`,
 * `attachment`) says. Neither needs escapes. */
void call_name_file(struct call *call, const char *disposition, const char *name,
                    const char *ending);

/* Answers with a problem, which contains the request's id where the service is at fault (5xx).
 * Returns false, for `return call_problem(...)`. */
bool call_problem(struct call *call, const char *code, const char *detail);

/* The same with a detail of several strings, one after the other. */
#define call_problem_of(call, code, ...)                                                           \
    call_problem((call), (code), call_strings((call), (const char *const[]){__VA_ARGS__, NULL}))

/* The strings up to a NULL, joined; and the decimal digits of a number. In the arena. */
const char *call_strings(const struct call *call, const char *const *strings);
const char *call_digits(const struct call *call, int64_t number);

/* Turns a status into true, or a problem: DB_NONE `not-found`, DB_CONFLICT `conflict_code`. */
bool call_db(struct call *call, enum db_status status, const char *conflict_code,
             const char *conflict_detail);

/* The same where no conflict is possible. */
bool call_found(struct call *call, enum db_status status);

/* SHA-256 of method, path, query and body of the request: requests with the same hash are the same.
 * Pure. */
void call_hash(const struct call *call, uint8_t hash[static 32]);

/* ---- Computations, for routes with a transaction ---- */

/* Has `run(call, work)` executed outside of any transaction, where call->db is NULL. True, with the
 * result in `*work`, if that has been done already for this key; otherwise there is a problem, and
 * the handler returns: its writes are rolled back, the computation is done, and the handler is
 * called again in a new transaction. If the data has changed by then, so that the key is another,
 * that is repeated, a few times. `run` has no access to the request except for its arena; the arena
 * owns what `run` allocates elsewhere. */
bool call_compute(struct call *call, const uint8_t key[static 32],
                  void (*run)(struct call *call, void *work), void **work);

/* ---- Limits ---- */

/* Counts one request against the caller's limit; `too-many-requests` if that is used up. */
bool call_within_limit(struct call *call, enum limit_class class);

/* The same for a limit that says how long to wait, 0 for not at all; `detail` says why. */
bool call_wait(struct call *call, unsigned wait_s, const char *detail);

/* For work that takes long: false with a problem, after which nothing may be done, if the caller
 * has used more processor time than their share, or is not signed in and the callers who are not
 * have used theirs together. Otherwise the time that the request takes is to be charged. */
bool call_within_share(struct call *call);

/* Counts so many further reads against the caller's limit, when they have been answered. */
void call_charge_reads(const struct call *call, unsigned reads);

/* Charges the processor time used, if the call is metered. */
void call_charge(const struct call *call, unsigned ms);

/* ---- Input ---- */

/* Parses the request's body, an object, into `call`; an empty one is {}. */
bool call_read_body(struct call *call);

/* For routes that take plain text: refuses a body of another type. The text is call->request->body.
 */
bool call_take_text(struct call *call);

/* For routes that read their JSON themselves: refuses a body of another type. */
bool call_take_json(struct call *call);

/* Refuses keys of the body that are not in `known` (NULL-terminated); NULL: all of them. */
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

/* True or false. If the field is missing, `*value` stays as it is. */
bool call_boolean(struct call *call, const char *key, bool *value);

/* Refuses with `bad-field` and a sentence that begins with the field's name. */
bool call_bad_field(struct call *call, const char *key, const char *what);

/* ---- Pages of lists: ?after=<cursor>&limit=<1..100> ---- */

struct list_range {
    struct id after; /* "" for the first page */
    size_t limit;
};

/* Refuses unknown parameters and bad values; the parameters in `further` (NULL-terminated, or NULL)
 * are the handler's own. */
bool call_list_range(struct call *call, const char *const *further, struct list_range *range);

/* Of a list whose items are numbered: only those after the number `after` are wanted, 0 if the
 * request names none. Refuses any other parameter with `bad-parameter`. */
bool call_after(struct call *call, unsigned *after);

/* {"items": items, "next": cursor or null}; takes `items` over. */
json_t *list_with_next(json_t *items, const char *next);

/* ?preview=true: what a step would do, without taking it. False with a problem, `bad-parameter`,
 * for any other parameter or value. */
bool preview_read(struct call *call, bool *preview);

/* ---- Time ---- */

enum { TIME_TEXT = 25 };

/* RFC 3339 in UTC with milliseconds: `2026-11-20T15:04:05.123Z`. */
void time_print(int64_t ms, char text[static TIME_TEXT]);

/* The inverse, for a text that is known to have this form. */
int64_t time_read(const char *text);

/* Reads a time from outside: RFC 3339, years 1970 to 9999, with any offset and fraction (digits
 * after milliseconds are cut off). False if it is anything else. */
bool time_parse(struct span text, int64_t *ms);

/* A JSON string of it, null for 0. */
json_t *time_json(int64_t ms);

#endif
