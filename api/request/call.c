#include "api/request/call.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "api/request/limits.h"
#include "api/request/problem.h"
#include "db/link/db.h"
#include "engine/base/arena.h"
#include "engine/base/calendar.h"
#include "engine/base/json.h"
#include "engine/record/record.h"

/* ---- Texts ---- */

const char *call_strings(const struct call *call, const char *const *strings)
{
    size_t capacity = 1, count = 0;
    for (; strings[count] != NULL; count++)
        capacity += strlen(strings[count]);
    struct text text = {arena_room(call->arena, capacity), 0, capacity, false};
    text_clear(&text);
    text_add_strings(&text, strings, count);
    return text.at;
}

const char *call_digits(const struct call *call, int64_t number)
{
    char digits[24];
    struct text text = TEXT_OVER(digits);
    text_add_number(&text, number);
    return arena_copy(call->arena, text_span(&text));
}

/* ---- Responses ---- */

struct bounded {
    struct growing text;
    size_t max;
};

static int add_bounded(const char *bytes, size_t length, void *data)
{
    struct bounded *bounded = data;
    if (bounded->text.length + length > bounded->max)
        return -1;
    growing_add(&bounded->text, (struct span){bytes, length});
    return 0;
}

static void answer_reading(struct call *call, json_t *document)
{
    enum { FIRST_BYTES = 4096 };
    struct bounded bounded = {.max = call->reading->bytes_max};
    growing_begin(&bounded.text, call->arena, FIRST_BYTES);
    bool whole = json_dump_callback(document, add_bounded, &bounded, JSON_COMPACT) == 0;
    call->response->body = whole ? growing_span(&bounded.text) : span_of("");
    json_decref(call->reading->document);
    call->reading->document = document;
}

void call_answer(struct call *call, int status, json_t *document)
{
    call->response->status = status;
    call->response->content_type = "application/json";
    if (call->reading != NULL && document != NULL) {
        answer_reading(call, document);
        return;
    }
    char *body = json_dumps(document, JSON_COMPACT);
    json_decref(document);
    if (body == NULL) {
        call_problem(call, "internal-error", "The answer could not be written.");
        return;
    }
    call->response->body = span_of(arena_copy(call->arena, span_of(body)));
    free(body);
}

const char *call_hash_tag(struct call *call, const uint8_t *hash, size_t bytes)
{
    char hex[2 * 32 + 1];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, hash, bytes);
    return call_strings(call, (const char *const[]){"\"", hex, "\"", NULL});
}

/* A tag from the BLAKE2b hash of the body. */
static const char *body_tag(struct call *call)
{
    enum { TAG_BYTES = 12 };
    uint8_t hash[crypto_generichash_BYTES];
    struct span body = call->response->body;
    crypto_generichash(hash, sizeof hash, (const unsigned char *)body.at, body.length, NULL, 0);
    return call_hash_tag(call, hash, TAG_BYTES);
}

/* With 304 the body stays, for its length: the server does not send it. */
void call_tag(struct call *call, const char *etag)
{
    struct http_response *response = call->response;
    response->etag = etag == NULL ? body_tag(call) : etag;
    response->cache_control = "no-cache";
    response->status = http_client_has(call->request->if_none_match, response->etag) ? 304 : 200;
}

void call_answer_cached(struct call *call, json_t *document, const char *etag)
{
    call_answer(call, 200, document);
    if (call->response->status == 200)
        call_tag(call, call_strings(call, (const char *const[]){"\"", etag, "\"", NULL}));
}

void call_answer_new(struct call *call, int status, const char *list, const struct id *id,
                     json_t *document)
{
    call_answer(call, status, document);
    call->response->location = call_strings(call, (const char *const[]){list, id->text, NULL});
}

void call_answer_tagged(struct call *call, json_t *document)
{
    call_answer(call, 200, document);
    if (call->response->status == 200)
        call_tag(call, NULL);
}

void call_answer_body(struct call *call, const char *content_type, struct span body)
{
    call->response->content_type = content_type;
    call->response->body = body;
    call_tag(call, NULL);
}

void call_name_file(struct call *call, const char *disposition, const char *name,
                    const char *ending)
{
    call->response->disposition = call_strings(
        call, (const char *const[]){disposition, "; filename=\"", name, ending, "\"", NULL});
}

/* The id under which the log has details of a fault of the service. */
static json_t *name_request(const struct call *call, const char *code)
{
    const char *id = call->request->id;
    bool ours = problem_find(code)->status >= 500 && id[0] != '\0';
    return ours ? json_pack("{s:s}", "request", id) : NULL;
}

bool call_problem(struct call *call, const char *code, const char *detail)
{
    problem_answer(call->response, call->arena, code, detail, name_request(call, code));
    return false;
}

bool call_db(struct call *call, enum db_status status, const char *conflict_code,
             const char *conflict_detail)
{
    switch (status) {
    case DB_OK:
        return true;
    case DB_NONE:
        return call_problem(call, "not-found", "There is nothing with this id.");
    case DB_CONFLICT:
        return call_problem(call, conflict_code, conflict_detail);
    case DB_RETRY:
        call->retry = true;
        return call_problem(call, "unavailable", "Too many changes at once; try again.");
    case DB_UNKNOWN:
        return call_problem(call, "outcome-unknown",
                            "The connection to the database broke while the request was being "
                            "committed. Send it again with the same Idempotency-Key or seq.");
    case DB_UNAVAILABLE:
        return call_problem(call, "unavailable", "The database cannot be reached; try again.");
    case DB_ARCHIVE:
        return call_problem(
            call, "archived-record-missing",
            "The record of this game was moved to a file that cannot be read now. Its hash is "
            "kept, so nothing else can be shown in its place. Tell the operator of this service.");
    case DB_ERROR:
        break;
    }
    return call_problem(call, "internal-error",
                        "The request failed and changed nothing. The cause has been logged.");
}

bool call_found(struct call *call, enum db_status status)
{
    return call_db(call, status, "internal-error", "The request failed and changed nothing.");
}

/* ---- Hash of a request ---- */

/* Names and values have no control characters, so different queries are different bytes. */
static void hash_query(const struct http_request *request, crypto_hash_sha256_state *state)
{
    for (size_t i = 0; i < request->parameters; i++) {
        const struct http_parameter *parameter = &request->parameter[i];
        crypto_hash_sha256_update(state, (const unsigned char *)"\1", 1);
        crypto_hash_sha256_update(state, (const unsigned char *)parameter->name.at,
                                  parameter->name.length);
        crypto_hash_sha256_update(state, (const unsigned char *)"\2", 1);
        crypto_hash_sha256_update(state, (const unsigned char *)parameter->value.at,
                                  parameter->value.length);
    }
}

void call_hash(const struct call *call, uint8_t hash[static 32])
{
    const struct http_request *request = call->request;
    const char *method = http_method_name(request->method);
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)method, strlen(method) + 1);
    crypto_hash_sha256_update(&state, (const unsigned char *)request->path.at,
                              request->path.length);
    hash_query(request, &state);
    crypto_hash_sha256_update(&state, (const unsigned char *)"\n", 1);
    crypto_hash_sha256_update(&state, (const unsigned char *)request->body.at,
                              request->body.length);
    crypto_hash_sha256_final(&state, hash);
}

/* ---- Computations ---- */

bool call_compute(struct call *call, const uint8_t key[static 32],
                  void (*run)(struct call *call, void *work), void **work)
{
    struct computation *last = call->computation;
    if (last != NULL && last->done && memcmp(last->key, key, sizeof last->key) == 0) {
        *work = last->work;
        return true;
    }
    call->computation = arena_take(call->arena, sizeof *call->computation);
    *call->computation = (struct computation){.run = run, .work = *work};
    memcpy(call->computation->key, key, sizeof call->computation->key);
    return call_problem(call, "unavailable",
                        "The event is changing too fast for this to be computed; try again.");
}

/* ---- Limits ---- */

/* The owner of the caller's bucket: the player, or the address. */
static struct span client_of(const struct call *call)
{
    return call->signed_in
               ? (struct span){call->player.id.text, sizeof call->player.id.text}
               : (struct span){(const char *)call->request->peer, sizeof call->request->peer};
}

static const char everybody[] = "everybody";

bool call_wait(struct call *call, unsigned wait_s, const char *detail)
{
    if (wait_s == 0)
        return true;
    call_problem(call, "too-many-requests", detail);
    call->response->retry_after_s = (int)wait_s;
    return false;
}

bool call_within_limit(struct call *call, enum limit_class class)
{
    const struct http_request *request = call->request;
    struct span client = client_of(call);
    return request->limited ||
           call_wait(
               call,
               limits_take(call->service->limits, class, client.at, client.length,
                           request->received_ms),
               "You are sending requests faster than the limit; wait as long as Retry-After says.");
}

bool call_within_share(struct call *call)
{
    struct limits *limits = call->service->limits;
    struct span client = client_of(call);
    int64_t now_ms = call->request->received_ms;
    call->metered =
        call_wait(call, limits_wait(limits, LIMIT_REPORT, client.at, client.length, now_ms),
                  "Your reports have taken more than your share of the service's time; wait as "
                  "long as Retry-After says.") &&
        (call->signed_in ||
         call_wait(call, limits_wait(limits, LIMIT_REPORTS, everybody, sizeof everybody, now_ms),
                   "Reports for people who are not signed in are taking too much of the service's "
                   "time; sign in, or wait as long as Retry-After says."));
    return call->metered;
}

void call_charge_reads(const struct call *call, unsigned reads)
{
    struct span client = client_of(call);
    if (reads > 0)
        limits_charge(call->service->limits, LIMIT_READ, client.at, client.length, reads,
                      call->request->received_ms);
}

void call_charge(const struct call *call, unsigned ms)
{
    struct limits *limits = call->service->limits;
    struct span client = client_of(call);
    int64_t now_ms = call->request->received_ms;
    if (!call->metered)
        return;
    limits_charge(limits, LIMIT_REPORT, client.at, client.length, ms, now_ms);
    if (!call->signed_in)
        limits_charge(limits, LIMIT_REPORTS, everybody, sizeof everybody, ms, now_ms);
}

/* ---- Input ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Checks the text after a media type: nothing, or parameters (RFC 9110 section 5.6.6), of which
 * `charset` can only be UTF-8. */
static bool has_good_parameters(const char *at)
{
    static const char utf8[] = "utf-8";
    while (*at != '\0') {
        at += strspn(at, " \t");
        if (*at != ';')
            return *at == '\0';
        at += 1 + strspn(at + 1, " \t");
        size_t name = strcspn(at, "=; \t\"");
        const char *value = at + name + 1;
        if (name == 0 || at[name] != '=')
            return false;
        bool quoted = *value == '"';
        value += quoted;
        size_t length = quoted ? strcspn(value, "\"\\") : strcspn(value, "; \t\"");
        if ((!quoted && length == 0) || (quoted && value[length] != '"'))
            return false;
        bool is_charset = name == strlen("charset") && strncasecmp(at, "charset", name) == 0;
        if (is_charset && (length != strlen(utf8) || strncasecmp(value, utf8, length) != 0))
            return false;
        at = value + length + quoted;
    }
    return true;
}

/* True for `type` with or without parameters, in UTF-8. */
static bool has_type(const char *content_type, const char *type)
{
    size_t length = strlen(type);
    return content_type != NULL && strncasecmp(content_type, type, length) == 0 &&
           (content_type[length] == '\0' || content_type[length] == ';' ||
            is_blank(content_type[length])) &&
           has_good_parameters(content_type + length);
}

bool call_take_text(struct call *call)
{
    return has_type(call->request->content_type, "text/plain") ||
           call_problem(call, "unsupported-media-type",
                        "Send the body as UTF-8 with `Content-Type: text/plain`.");
}

bool call_take_json(struct call *call)
{
    return has_type(call->request->content_type, "application/json") ||
           call_problem(call, "unsupported-media-type",
                        "Send the body as UTF-8 with `Content-Type: application/json`.");
}

bool call_read_body(struct call *call)
{
    struct span body = call->request->body;
    char error[200];
    struct text text = TEXT_OVER(error);
    if (body.length == 0) {
        call->body = json_object();
        return true;
    }
    if (!call_take_json(call))
        return false;
    call->body = json_parse_object(body, &text);
    return call->body != NULL || call_problem(call, "bad-json", error);
}

bool call_check_keys(struct call *call, const char *const *known)
{
    static const char *const none[] = {NULL};
    known = known == NULL ? none : known;
    const char *unknown = json_unknown_key(call->body, known);
    if (unknown == NULL)
        return true;
    char detail[200];
    struct text text = TEXT_OVER(detail);
    struct span name = span_of(unknown);
    if (name.length > 60)
        name = span_of("(a long one)");
    text_add(&text, "This request has no field ");
    text_add_span(&text, name);
    text_add(&text, known[0] == NULL ? "; it takes none." : "; it takes:");
    for (size_t i = 0; known[i] != NULL; i++) {
        text_add_char(&text, ' ');
        text_add(&text, known[i]);
    }
    return call_problem(call, "unknown-field", detail);
}

bool call_bad_field(struct call *call, const char *key, const char *what)
{
    return call_problem_of(call, "bad-field", key, " ", what);
}

static bool refuse_missing(struct call *call, const char *key)
{
    return call_problem_of(call, "missing-field", "The field ", key, " is needed.");
}

static bool is_visible(struct span value)
{
    for (size_t i = 0; i < value.length; i++)
        if ((unsigned char)value.at[i] < 0x20 || value.at[i] == 0x7f)
            return false;
    return true;
}

bool call_text(struct call *call, const char *key, size_t min, size_t max, const char *initial,
               const char **value)
{
    json_t *field = json_object_get(call->body, key);
    if (field == NULL && initial != NULL) {
        *value = initial;
        return true;
    }
    if (field == NULL)
        return refuse_missing(call, key);
    struct span text = {json_string_value(field), json_string_length(field)};
    if (json_is_string(field) && text.length >= min && text.length <= max && is_visible(text)) {
        *value = text.at;
        return true;
    }
    return call_problem_of(call, "bad-field", key, " ", "must be a text of ",
                           call_digits(call, (int64_t)min), " to ", call_digits(call, (int64_t)max),
                           " bytes without control characters.");
}

bool call_whole(struct call *call, const char *key, unsigned min, unsigned max, int initial,
                unsigned *value)
{
    json_t *field = json_object_get(call->body, key);
    if (field == NULL && initial >= 0) {
        *value = (unsigned)initial;
        return true;
    }
    if (field == NULL)
        return refuse_missing(call, key);
    int64_t number;
    if (json_read_whole(field, min, max, &number)) {
        *value = (unsigned)number;
        return true;
    }
    char what[80];
    struct text sentence = TEXT_OVER(what);
    json_say_whole(&sentence, min, max);
    return call_bad_field(call, key, what);
}

bool call_boolean(struct call *call, const char *key, bool *value)
{
    const json_t *field = json_object_get(call->body, key);
    if (json_is_boolean(field))
        *value = json_is_true(field);
    return field == NULL || json_is_boolean(field) ||
           call_bad_field(call, key, "must be true or false.");
}

bool call_choice(struct call *call, const char *key, const char *const *choices, const char **value)
{
    const json_t *field = json_object_get(call->body, key);
    size_t index = 0;
    if (field == NULL || json_read_word(field, choices, SIZE_MAX, &index)) {
        *value = choices[index];
        return true;
    }
    char what[120];
    struct text sentence = TEXT_OVER(what);
    json_say_words(&sentence, choices, SIZE_MAX);
    return call_bad_field(call, key, what);
}

/* ---- Pages of lists ---- */

bool call_after(struct call *call, unsigned *after)
{
    *after = 0;
    for (size_t i = 0; i < call->request->parameters; i++) {
        struct http_parameter parameter = call->request->parameter[i];
        uint64_t number;
        if (!span_is(parameter.name, "after") || !span_number(parameter.value, INT32_MAX, &number))
            return call_problem(call, "bad-parameter",
                                "This list takes after=<the `next` of the page before>.");
        *after = (unsigned)number;
    }
    return true;
}

bool call_list_range(struct call *call, const char *const *further, struct list_range *range)
{
    enum { LIMIT_INITIAL = 50, LIMIT_MOST = 100 };
    *range = (struct list_range){.limit = LIMIT_INITIAL};
    for (size_t i = 0; i < call->request->parameters; i++) {
        struct http_parameter parameter = call->request->parameter[i];
        uint64_t limit;
        if (span_is_any(parameter.name, further))
            continue;
        if (span_is(parameter.name, "after") && id_parse(parameter.value, &range->after))
            continue;
        if (span_is(parameter.name, "limit") && span_number(parameter.value, LIMIT_MOST, &limit) &&
            limit > 0) {
            range->limit = (size_t)limit;
            continue;
        }
        return call_problem(call, "bad-parameter",
                            "A list takes after=<the `next` of the page before> and "
                            "limit=<1 to 100>.");
    }
    return true;
}

bool preview_read(struct call *call, bool *preview)
{
    *preview = false;
    for (size_t i = 0; i < call->request->parameters; i++) {
        struct http_parameter parameter = call->request->parameter[i];
        bool yes = span_is(parameter.value, "true");
        if (!span_is(parameter.name, "preview") || (!yes && !span_is(parameter.value, "false")))
            return call_problem(call, "bad-parameter",
                                "This request takes preview=true or preview=false.");
        *preview = yes;
    }
    return true;
}

json_t *list_with_next(json_t *items, const char *next)
{
    return json_pack("{s:o, s:s?}", "items", items, "next", next);
}

/* ---- Time ---- */

void time_print(int64_t ms, char text[static TIME_TEXT])
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm;
    gmtime_r(&seconds, &tm);
    char whole[TIME_TEXT];
    strftime(whole, sizeof whole, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(text, TIME_TEXT, "%.19s.%03uZ", whole, (unsigned)(ms % 1000));
}

int64_t time_read(const char *text)
{
    return calendar_read_ms(text);
}

/* Takes `count` digits of a number that is at most `most`. */
static bool take_digits(struct span *text, size_t count, int64_t most, int64_t *number)
{
    if (text->length < count)
        return false;
    *number = 0;
    for (size_t i = 0; i < count; i++) {
        if (text->at[i] < '0' || text->at[i] > '9')
            return false;
        *number = 10 * *number + (text->at[i] - '0');
    }
    *text = (struct span){text->at + count, text->length - count};
    return *number <= most;
}

/* Takes one of the characters in `marks`. */
static bool take_mark(struct span *text, const char *marks, char *mark)
{
    if (text->length == 0 || strchr(marks, text->at[0]) == NULL || text->at[0] == '\0')
        return false;
    *mark = text->at[0];
    *text = (struct span){text->at + 1, text->length - 1};
    return true;
}

static bool take_date(struct span *text, int64_t *days)
{
    int64_t year;
    int64_t month;
    int64_t day;
    char mark;
    if (!take_digits(text, 4, 9999, &year) || !take_mark(text, "-", &mark) ||
        !take_digits(text, 2, 12, &month) || !take_mark(text, "-", &mark) ||
        !take_digits(text, 2, 31, &day) || year < 1970 ||
        !calendar_has_day((unsigned)year, (unsigned)month, (unsigned)day))
        return false;
    *days = calendar_days(year, month, day);
    return true;
}

/* Ignores digits after the third. */
static bool take_fraction(struct span *text, int64_t *ms)
{
    int64_t digit;
    char mark;
    int64_t unit = 100;
    *ms = 0;
    if (!take_mark(text, ".", &mark))
        return true;
    if (!take_digits(text, 1, 9, &digit))
        return false;
    do {
        *ms += digit * unit;
        unit /= 10;
    } while (take_digits(text, 1, 9, &digit));
    return true;
}

static bool take_offset(struct span *text, int64_t *minutes)
{
    int64_t hours;
    char mark;
    *minutes = 0;
    if (take_mark(text, "Zz", &mark))
        return true;
    if (!take_mark(text, "+-", &mark))
        return false;
    char colon;
    if (!take_digits(text, 2, 23, &hours) || !take_mark(text, ":", &colon) ||
        !take_digits(text, 2, 59, minutes))
        return false;
    *minutes = (mark == '-' ? -1 : 1) * (60 * hours + *minutes);
    return true;
}

/* A leap second counts as the first second of the next minute. */
bool time_parse(struct span text, int64_t *ms)
{
    int64_t days;
    int64_t hour;
    int64_t minute;
    int64_t second;
    int64_t fraction;
    int64_t offset;
    char mark;
    if (!take_date(&text, &days) || !take_mark(&text, "Tt ", &mark) ||
        !take_digits(&text, 2, 23, &hour) || !take_mark(&text, ":", &mark) ||
        !take_digits(&text, 2, 59, &minute) || !take_mark(&text, ":", &mark) ||
        !take_digits(&text, 2, 60, &second) || !take_fraction(&text, &fraction) ||
        !take_offset(&text, &offset) || text.length > 0)
        return false;
    *ms = 1000 * (60 * (60 * (24 * days + hour) + minute - offset) + second) + fraction;
    return true;
}

json_t *time_json(int64_t ms)
{
    char text[TIME_TEXT];
    if (ms == 0)
        return json_null();
    time_print(ms, text);
    return json_string(text);
}
