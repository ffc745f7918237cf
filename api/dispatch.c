#include "api/dispatch.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "api/access.h"
#include "api/auth.h"
#include "api/call.h"
#include "api/feed.h"
#include "api/page.h"
#include "api/problem.h"
#include "api/refused_moves.h"
#include "api/replicas.h"
#include "api/routes.h"
#include "api/shared_reads.h"
#include "db/idempotency.h"

enum { TRIES = 3, POOL_WAIT_MS = 2000, KEY_LENGTH_MAX = 100 };

/* ---- Checks before the work ---- */

static bool check_limit(struct call *call, const struct route *route)
{
    return call_within_limit(call, route->work == WORK_OWN     ? LIMIT_PASSWORD
                                   : route->work == WORK_WRITE ? LIMIT_WRITE
                                                               : LIMIT_READ);
}

/* ---- Idempotency ---- */

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

static void hash_request(const struct call *call, uint8_t hash[static 32])
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

static bool check_key(struct call *call)
{
    const char *key = call->request->idempotency_key;
    size_t length = strlen(key);
    bool good = length > 0 && length <= KEY_LENGTH_MAX;
    for (size_t i = 0; good && i < length; i++)
        good = key[i] >= ' ' && key[i] <= '~';
    return good || call_problem(call, "bad-idempotency-key",
                                "An Idempotency-Key has 1 to 100 printable ASCII characters.");
}

/* Answers from the store if this request was carried out before. `done` says so. */
static bool find_kept_answer(struct call *call, bool *done)
{
    struct kept_answer answer;
    uint8_t hash[32];
    *done = false;
    if (!check_key(call))
        return false;
    enum db_status status = idempotency_find(call->db, call->arena, &call->player.id,
                                             call->request->idempotency_key, &answer);
    if (status == DB_NONE)
        return true;
    if (!call_found(call, status))
        return false;
    hash_request(call, hash);
    if (memcmp(hash, answer.request_hash, sizeof hash) != 0)
        return call_problem(call, "key-reused",
                            "This Idempotency-Key was used for another request; take a new one.");
    call->response->status = answer.status;
    if (answer.body[0] != '\0')
        call->response->content_type = "application/json";
    call->response->body = span_of(answer.body);
    *done = true;
    return true;
}

static bool keep_answer(struct call *call)
{
    struct kept_answer answer = {.status = call->response->status,
                                 .body = arena_copy(call->arena, call->response->body)};
    hash_request(call, answer.request_hash);
    return call_db(call,
                   idempotency_keep(call->db, &call->player.id, call->request->idempotency_key,
                                    call->now_ms, &answer),
                   "unavailable", "The same request is at work; try again.");
}

/* ---- The body ---- */

static bool read_body(struct call *call, const struct route *route)
{
    return route->text ? call_take_text(call) : call_read_body(call);
}

/* ---- The work ---- */

static void handle(struct call *call, const struct route *route)
{
    bool keyed = route->work == WORK_WRITE && !route->secret && call->signed_in &&
                 call->request->idempotency_key != NULL;
    bool done = false;
    if (!access_allowed(call, route) || !read_body(call, route) ||
        (keyed && !find_kept_answer(call, &done)) || done)
        return;
    route->handle(call);
    if (keyed && call->response->status < 300 && call->response->status >= 200)
        keep_answer(call);
}

/* What is in memory follows what is committed; whoever keeps a copy hears of it. */
static void settle(struct call *call, bool committed)
{
    struct service *service = call->service;
    if (committed && call->played != NULL) {
        live_put(service->live, &call->held, call->played, call->played_rows, call->played_count);
        changes_game(service->changes, &call->held, (unsigned)live_last_row(call->played));
    }
    if (committed && call->event_changed.text[0] != '\0')
        changes_event(service->changes, &call->event_changed);
    for (size_t i = 0; committed && i < call->ended_count; i++)
        changes_token(service->changes, call->ended[i]);
    if (committed && call->renamed)
        changes_player(service->changes, &call->player.id);
    if (call->held.text[0] != '\0')
        live_release(service->live, &call->held);
    call->held = (struct id){""};
    call->played = NULL;
    call->event_changed = (struct id){""};
    call->log_written = false;
    call->ended_count = 0;
    call->renamed = false;
}

/* Whoever wanted to write, done or refused, may have been told of what another service has written
 * and this one has not heard of yet: he must not be given anything older afterwards. */
static void forget_answers(const struct call *call)
{
    shared_reads_game_changed(call->service->reads, &call->id[0]);
    shared_reads_event_changed(call->service->reads, &call->id[0]);
}

/* Makes room for another answer. */
static void drop_answer(struct call *call)
{
    if (call->response->reader != NULL)
        feed_close(call->response->reader);
    *call->response = (struct http_response){.status = 0};
}

static void end_transaction(struct call *call, bool writes)
{
    if (call->response->status >= 400) {
        db_rollback(call->db);
        settle(call, false);
        if (writes)
            forget_answers(call);
        return;
    }
    enum db_status committed = db_commit(call->db);
    settle(call, committed == DB_OK);
    if (writes)
        forget_answers(call);
    if (committed != DB_OK) {
        drop_answer(call);
        call_found(call, committed);
    }
}

static void run_in_transaction(struct call *call, const struct route *route)
{
    if (!call_found(call, db_begin(call->db, route->work == WORK_READ)))
        return;
    if (route->signs)
        db_answer_for(call->db);
    if ((route->page != NULL || auth_identify(call)) && check_limit(call, route))
        handle(call, route);
    end_transaction(call, route->work == WORK_WRITE);
}

/* Ready to be tried, for the first time or again. */
static void reset(struct call *call)
{
    drop_answer(call);
    call->retry = false;
    call->refused = NULL;
    call->signed_in = false;
    call->sight = (struct call_sight){.own = false};
    json_decref(call->body);
    json_decref(call->documents);
    call->body = call->documents = NULL;
}

/* As it is at the standby, without a token. */
static void work_at_standby(struct call *call, const struct route *route)
{
    if ((route->page != NULL || auth_identify(call)) && check_limit(call, route))
        handle(call, route);
    settle(call, false);
}

static void run_with_database(struct call *call, const struct route *route)
{
    reset(call);
    if (replicas_answer(call->service->replicas, call, route, work_at_standby))
        return;
    call->db = db_pool_take(call->service->pool, POOL_WAIT_MS);
    if (call->db == NULL) {
        call_problem(call, "unavailable", "The database cannot be reached; try again soon.");
        return;
    }
    for (unsigned try = 0; try < TRIES; try++) {
        reset(call);
        run_in_transaction(call, route);
        if (!call->retry)
            break;
    }
    refused_moves_store(call);
    if (db_is_open(call->db) && call->response->status >= 500)
        fprintf(stderr, "request %s failed: %s\n", call->request->id, db_last_error(call->db));
    db_pool_give(call->service->pool, call->db);
    call->db = NULL;
}

/* The caller is identified in a transaction of its own: the handler's come after slow work, and see
 * to it that what they rely on still holds. */
static bool identify_first(struct call *call, const struct route *route)
{
    if (route->access == ACCESS_PUBLIC || route->access == ACCESS_OWN_PAGE)
        return access_allowed(call, route);
    call->db = db_pool_take(call->service->pool, POOL_WAIT_MS);
    if (call->db == NULL)
        return call_problem(call, "unavailable", "The database cannot be reached; try again soon.");
    bool good = call_found(call, db_begin(call->db, true)) && auth_identify(call) &&
                access_allowed(call, route);
    db_rollback(call->db);
    db_pool_give(call->service->pool, call->db);
    call->db = NULL;
    return good;
}

static void run_own(struct call *call, const struct route *route)
{
    if (identify_first(call, route) && check_limit(call, route) && read_body(call, route))
        route->handle(call);
    settle(call, call->response->status < 400);
}

/* Without a worker; nobody can have come to wait for it. */
static enum http_quick answer_static(struct call *call, const struct route *route)
{
    struct shared_reads *reads = call->service->reads;
    uint64_t clock = shared_reads_clock(reads);
    if (check_limit(call, route) && read_body(call, route)) {
        route->handle(call);
        shared_reads_keep(call, route, clock);
    }
    shared_reads_worked(reads, call->request, call->response);
    return QUICK_DONE;
}

enum http_quick dispatch_quick(void *context, struct http_pending *pending,
                               struct http_request *request, struct arena *arena,
                               struct http_response *response)
{
    struct call call = {.service = context,
                        .request = request,
                        .response = response,
                        .arena = arena,
                        .now_ms = request->received_ms};
    enum http_quick result = QUICK_NO;
    const struct route *route = call.route = route_find(&call);
    if (route == NULL)
        return QUICK_DONE;
    request->route = route_number(route);
    if (route->quick != NULL)
        result = route->quick(&call, pending);
    if (result == QUICK_NO && route->share != SHARE_NOT)
        result = shared_reads_quick(&call, route, pending);
    if (result == QUICK_NO && route->work == WORK_STATIC)
        result = answer_static(&call, route);
    if (result == QUICK_NO && route->work == WORK_OWN)
        result = QUICK_SLOW;
    json_decref(call.body);
    if (result == QUICK_NO || result == QUICK_COLD || result == QUICK_SLOW)
        *response = (struct http_response){.status = 0};
    return result;
}

void dispatch(void *context, const struct http_request *request, struct arena *arena,
              struct http_response *response)
{
    struct call call = {.service = context,
                        .request = request,
                        .response = response,
                        .arena = arena,
                        .now_ms = request->received_ms};
    const struct route *route = call.route = route_find(&call);
    if (route == NULL)
        return;
    call.clock = shared_reads_clock(call.service->reads);
    if (route->work == WORK_READ || route->work == WORK_WRITE)
        run_with_database(&call, route);
    else if (route->work == WORK_OWN)
        run_own(&call, route);
    else if (access_allowed(&call, route) && check_limit(&call, route) && read_body(&call, route))
        route->handle(&call);
    if (route->page != NULL && response->status >= 400)
        page_excuse(&call);
    shared_reads_keep(&call, route, call.clock);
    json_decref(call.body);
    json_decref(call.documents);
}

/* ---- Fetching ---- */

static bool is_refused(const struct call *call)
{
    return call->response->status != 0;
}

/* Leaves those that may go on, and returns how many they are. */
static size_t leave_allowed(struct call *calls, size_t count)
{
    size_t left = 0;
    auth_fetch(calls, count);
    for (size_t i = 0; i < count; i++)
        if (!is_refused(&calls[i]) && check_limit(&calls[i], calls[i].route))
            calls[left++] = calls[i];
    return left;
}

/* Those of one route together. */
static void fetch(struct call *calls, size_t count)
{
    for (size_t first = 0, end; first < count; first = end) {
        const struct route *route = calls[first].route;
        for (end = first + 1; end < count && calls[end].route == route;)
            end++;
        route->fetch(&calls[first], end - first);
    }
}

/* What cannot be fetched cannot be found either, and is answered, when the handler is called. */
void dispatch_fetch(void *context, const struct http_cold *cold, size_t count)
{
    struct service *service = context;
    struct db *db = db_pool_take(service->pool, POOL_WAIT_MS);
    enum db_status begun = db == NULL ? DB_UNAVAILABLE : db_begin(db, true);
    struct call *calls = arena_array(cold->arena, count, sizeof *calls);
    for (size_t i = 0; i < count; i++) {
        calls[i] = (struct call){.service = service,
                                 .request = cold[i].request,
                                 .response = cold[i].response,
                                 .arena = cold[i].arena,
                                 .db = db,
                                 .now_ms = cold[i].request->received_ms};
        calls[i].route = route_find(&calls[i]);
        call_found(&calls[i], begun);
    }
    size_t left = begun == DB_OK ? leave_allowed(calls, count) : 0;
    fetch(calls, left);
    if (left > 0)
        (void)db_commit(db); /* nobody waits for that, as for a rollback */
    db_pool_give(service->pool, db);
    for (size_t i = 0; i < count; i++)
        if (cold[i].response->status == 0)
            cold[i].response->again = true;
}

/* ---- Without a request ---- */

bool dispatch_own(struct service *service, struct db *db, int64_t now_ms,
                  void (*work)(struct call *call, void *context), void *context)
{
    static const struct http_request nothing = {.host = ""};
    struct arena arena = {NULL};
    struct http_response response = {.status = 0};
    struct call call = {.service = service,
                        .request = &nothing,
                        .response = &response,
                        .arena = &arena,
                        .db = db,
                        .now_ms = now_ms};
    for (unsigned try = 0; try < TRIES; try++) {
        reset(&call);
        if (call_found(&call, db_begin(db, false))) {
            work(&call, context);
            end_transaction(&call, true);
        }
        if (!call.retry)
            break;
    }
    if (response.status >= 500)
        fprintf(stderr, "tillrolld: work of its own failed: %.*s: %s\n", (int)response.body.length,
                response.body.at, db_is_open(db) ? db_last_error(db) : "no database");
    bool done = response.status < 400;
    arena_free(&arena);
    return done;
}

void dispatch_worked(void *context, const struct http_request *request,
                     const struct http_response *response)
{
    const struct service *service = context;
    shared_reads_worked(service->reads, request, response);
}
