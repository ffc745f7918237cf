/* One call of the API: the input of a handler, and the functions with which it answers.
 *
 * A handler consists of these parts: parse, check, do, answer. Helpers that can fail return false
 * after they have written the problem into the response, so a handler writes `if (!...) return;`.
 * Handlers never begin or commit transactions: api/dispatch.c does, and sends the response only
 * after the commit.
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

/* A response depends on its viewer only through calls of api/request/visibility.h. This struct
 * records them, so that the response can be shared with all callers for whom it is the same. */
struct call_visibility {
    bool own;                 /* the caller was found to be a player of a game */
    struct id game;           /* the game that was asked about, "" for none */
    struct id event;          /* the event of the game that was found, "" for none */
    struct audience audience; /* the callers for whom the response is the same, if not `own` */
};

/* A document that the service itself reads for a page: passed on as JSON, and written out only to
 * be stored as a response. */
struct call_reading {
    size_t bytes_max; /* a longer document is not written out: the response has no body */
    json_t *document; /* the result, or NULL; owned by the reader */
};

struct game_row;
struct route;
struct job;
struct call;

/* Work that takes too long to hold a transaction open: done after the handler has returned, which
 * is then called again. */
struct computation {
    uint8_t key[32]; /* a hash of the input */
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
    bool retry;     /* the whole transaction is to be repeated */
    uint64_t clock; /* clock of the shared responses, read before the transaction began */
    int64_t now_ms;
    bool signed_in;
    struct player player;             /* valid if signed_in; only its id if taken from memory */
    struct token token;               /* likewise; only its scopes if taken from memory */
    uint8_t token_hash[32];           /* likewise */
    struct id id[CALL_IDS_MAX];       /* the {id}s of the path, in order */
    struct span word[CALL_WORDS_MAX]; /* the {word}s of the path, in order */
    size_t words;                     /* their number */
    uint64_t number[CALL_IDS_MAX];    /* the {number}s of the path, in order */
    json_t *body;                     /* the parsed body, or NULL */
    json_t *documents; /* documents that a page has read (api/pages/page_read.h), or NULL */
    struct call_reading *reading; /* if the call reads such a document, else NULL */
    struct call_visibility sight;
    /* The game of which the caller must be a player, as it was when that was checked; NULL on
     * routes that do not require it. */
    const struct game_row *own_game;
    /* For updating memory when the transaction has ended (api/dispatch.c): */
    struct id held;                       /* a game that is being written, "" for none */
    const struct record_row *played_rows; /* the written rows, `played_count` of them */
    size_t played_count;
    const struct replay *played; /* the game's state after these rows, or NULL */
    struct id event_changed;     /* an event that was written to, "" for none */
    unsigned official_lines;     /* lines that an official has signed */
    unsigned official_base;      /* the line after which the official signed them */
    bool log_written;     /* a line of an event's log was written, which may still be rolled back */
    uint8_t (*ended)[32]; /* the hashes of tokens to forget */
    size_t ended_count;
    const struct refused_move *refused; /* to be stored although the request is refused, or NULL */
    struct id refused_in;               /* the game of that move */
    bool metered;                       /* its processor time is charged to the caller */
    bool renamed;                       /* names have changed, or were replaced by pseudonyms */
    struct job *job; /* the job that the call belongs to (api/work/jobs.h), or NULL */
    struct computation *computation; /* the last one requested, or NULL */
};

/* ---- Responses ---- */

/* Responds with a JSON document; takes over the reference. */
void call_answer(struct call *call, int status, json_t *document);

/* The same for something that was created, or is being created; its address is `list`, such as
 * `/v1/events/`, followed by its id. */
void call_answer_new(struct call *call, int status, const char *list, const struct id *id,
                     json_t *document);

/* Responds with a document, status 200 and the entity tag `etag`, given without quotes; or with 304
 * if the client has this version already. */
void call_answer_cached(struct call *call, json_t *document, const char *etag);

/* The same with a tag computed from the document's bytes. */
void call_answer_tagged(struct call *call, json_t *document);

/* Responds with a body of this type, status 200 or 304 and a tag computed from the body.
 * `content_type` and `body` are static or in the arena. */
void call_answer_body(struct call *call, const char *content_type, struct span body);

/* Sets status 200 or 304 and the entity tag `etag`, with quotes and in the arena, on a response
 * that has its type and body; NULL = a tag computed from the body. */
void call_tag(struct call *call, const char *etag);

/* The beginning of a hash (at most 32 bytes of it) as an entity tag: hex digits in quotes, in the
 * arena. */
const char *call_hash_tag(struct call *call, const uint8_t *hash, size_t bytes);

/* Sets the file name of the response, `name` followed by `ending`, with this `disposition`
 * (`inline`, `attachment`). Neither may need escapes. */
void call_name_file(struct call *call, const char *disposition, const char *name,
                    const char *ending);

/* Responds with a problem, which contains the request's id if the service is at fault (5xx).
 * Returns false, for `return call_problem(...)`. */
bool call_problem(struct call *call, const char *code, const char *detail);

/* The same with a detail that is joined from several strings. */
#define call_problem_of(call, code, ...)                                                           \
    call_problem((call), (code), call_strings((call), (const char *const[]){__VA_ARGS__, NULL}))

/* Return the joined strings up to a NULL, and the decimal digits of a number. In the arena. */
const char *call_strings(const struct call *call, const char *const *strings);
const char *call_digits(const struct call *call, int64_t number);

/* Returns true for DB_OK, and otherwise false with a problem: DB_NONE `not-found`, DB_CONFLICT
 * `conflict_code`. */
bool call_db(struct call *call, enum db_status status, const char *conflict_code,
             const char *conflict_detail);

/* The same where no conflict is possible. */
bool call_found(struct call *call, enum db_status status);

/* SHA-256 of method, path, query and body of the request: requests with the same hash are
 * identical. Pure. */
void call_hash(const struct call *call, uint8_t hash[static 32]);

/* ---- Computations, for routes with a transaction ---- */

/* Requests that `run(call, work)` be executed outside of any transaction, where call->db is NULL.
 * True, with the result in `*work`, if that has already been done for this key; otherwise there is
 * a problem, and the handler must return: its writes are rolled back, the computation is done, and
 * the handler is called again in a new transaction. If the data has changed by then and gives
 * another key, this is repeated a few times. `run` has no access to the request except for its
 * arena; the arena owns what `run` allocates elsewhere. */
bool call_compute(struct call *call, const uint8_t key[static 32],
                  void (*run)(struct call *call, void *work), void **work);

/* ---- Limits ---- */

/* Counts one request against the caller's limit; `too-many-requests` if that is exhausted. */
bool call_within_limit(struct call *call, enum limit_class class);

/* Refuses with `too-many-requests` and `detail` if `wait_s`, the seconds to wait for a limit, is
 * not 0. */
bool call_wait(struct call *call, unsigned wait_s, const char *detail);

/* For routes that take long: false with a problem, after which the handler must do nothing, if the
 * caller has used more processor time than their share, or is not signed in and all such callers
 * together have used theirs. Otherwise the processor time of the request will be charged. */
bool call_within_share(struct call *call);

/* Counts `reads` further reads against the caller's limit, once they have been answered. */
void call_charge_reads(const struct call *call, unsigned reads);

/* Charges `ms` of processor time, if the call is metered. */
void call_charge(const struct call *call, unsigned ms);

/* ---- Input ---- */

/* Parses the request's body, an object, into call->body; an empty body is {}. */
bool call_read_body(struct call *call);

/* For routes that take plain text: refuses a body of another type. The text is call->request->body.
 */
bool call_take_text(struct call *call);

/* For routes that read their JSON themselves: refuses a body of another type. */
bool call_take_json(struct call *call);

/* Refuses keys of the body that are not in `known` (NULL-terminated); NULL refuses all keys. */
bool call_check_keys(struct call *call, const char *const *known);

/* Reads a string of min .. max bytes of valid UTF-8 without control characters. With `initial` (not
 * NULL) the field may be missing. */
bool call_text(struct call *call, const char *key, size_t min, size_t max, const char *initial,
               const char **value);

/* Reads a whole number min .. max. With `initial` >= 0 the field may be missing. */
bool call_whole(struct call *call, const char *key, unsigned min, unsigned max, int initial,
                unsigned *value);

/* Reads one of the words in `choices` (NULL-terminated); the first is the default. */
bool call_choice(struct call *call, const char *key, const char *const *choices,
                 const char **value);

/* Reads true or false. If the field is missing, `*value` is unchanged. */
bool call_boolean(struct call *call, const char *key, bool *value);

/* Refuses with `bad-field` and a sentence that begins with the field's name. */
bool call_bad_field(struct call *call, const char *key, const char *what);

/* ---- Pages of lists: ?after=<cursor>&limit=<1..100> ---- */

struct list_range {
    struct id after; /* "" for the first page */
    size_t limit;
};

/* Reads the range. Refuses unknown parameters and bad values; the handler itself reads the
 * parameters in `further` (NULL-terminated, or NULL). */
bool call_list_range(struct call *call, const char *const *further, struct list_range *range);

/* Reads the number `after` for a list of numbered items, of which only later ones are to be
 * returned; 0 if the request has none. Refuses any other parameter with `bad-parameter`. */
bool call_after(struct call *call, unsigned *after);

/* {"items": items, "next": cursor or null}; takes over `items`. */
json_t *list_with_next(json_t *items, const char *next);

/* Reads ?preview=true, which shows the result of a step without taking it. False with a problem,
 * `bad-parameter`, for any other parameter or value. */
bool preview_read(struct call *call, bool *preview);

/* ---- Time ---- */

enum { TIME_TEXT = 25 };

/* Prints RFC 3339 in UTC with milliseconds: `2026-11-20T15:04:05.123Z`. */
void time_print(int64_t ms, char text[static TIME_TEXT]);

/* The inverse, for text that is known to have this form. */
int64_t time_read(const char *text);

/* Reads a time from a client: RFC 3339, years 1970 to 9999, with any offset and fraction (digits
 * after milliseconds are cut off). False for anything else. */
bool time_parse(struct span text, int64_t *ms);

/* The time as a JSON string, null for 0. */
json_t *time_json(int64_t ms);

#endif
