#include "api/dispatch.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "api/pages/page.h"
#include "api/play/moves.h"
#include "api/request/access.h"
#include "api/request/auth.h"
#include "api/request/call.h"
#include "api/request/hosts.h"
#include "api/request/limits.h"
#include "api/request/problem.h"
#include "api/request/route.h"
#include "api/work/jobs.h"
#include "api/work/key_watch.h"
#include "api/work/replicas.h"
#include "api/work/shared_responses.h"
#include "api/work/transaction.h"
#include "db/link/db.h"
#include "db/store/service/idempotency.h"

enum { COMPUTATIONS = 4, POOL_WAIT_MS = 2000, KEY_LENGTH_MAX = 100 };

/* ---- Before the work ---- */

/* A past state of an event (`as_of`) is computed from all lines of its log up to there, and there
 * are as many such responses as lines, so these requests are costly on any route. */
static bool is_costly(const struct http_request *request, const struct route *route)
{
    return route->costly || http_parameter(request, "as_of").at != NULL;
}

static bool check_limit(struct call *call, const struct route *route)
{
    if (is_costly(call->request, route) && route->access == ACCESS_PUBLIC)
        return call_within_limit(call, LIMIT_READ) && call_within_share(call);
    return call_within_limit(call, route->work == WORK_OWN     ? LIMIT_PASSWORD
                                   : route->work == WORK_WRITE ? LIMIT_WRITE
                                                               : LIMIT_READ);
}

/* ---- Idempotency ---- */

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

/* Answers with the stored response, and sets `done`, if this request was carried out before. */
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
    call_hash(call, hash);
    if (memcmp(hash, answer.request_hash, sizeof hash) != 0)
        return call_problem(call, "key-reused",
                            "This Idempotency-Key was used for another request; use a new one.");
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
    call_hash(call, answer.request_hash);
    return call_db(call,
                   idempotency_keep(call->db, &call->player.id, call->request->idempotency_key,
                                    call->now_ms, &answer),
                   "unavailable", "The same request is still in progress; try again.");
}

/* ---- The body ---- */

static bool read_body(struct call *call, const struct route *route)
{
    return route->form || (route->verbatim ? call_take_json(call)
                           : route->text   ? call_take_text(call)
                                           : call_read_body(call));
}

/* ---- Work ---- */

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

static void run_in_transaction(struct call *call, const struct route *route)
{
    if (!call_found(call, db_begin(call->db, route->work == WORK_READ)))
        return;
    if (route->signs)
        db_require_durable(call->db);
    if ((route->page != NULL || auth_identify(call)) && check_limit(call, route))
        handle(call, route);
    transaction_end(call, route->work == WORK_WRITE);
}

/* Does the work of a read at the standby: of a page, or of a request without a token. */
static void work_at_standby(struct call *call, const struct route *route)
{
    if ((route->page != NULL || auth_identify(call)) && check_limit(call, route))
        handle(call, route);
    transaction_settle(call, false);
}

static bool take_connection(struct call *call)
{
    if (!key_watch_good(call->service->key_watch))
        return call_problem(call, "unavailable",
                            "The database could not be reached when the service started, so it is "
                            "not known yet whether it is the right one; try again soon.");
    call->db = db_pool_take(call->service->pool, POOL_WAIT_MS);
    return call->db != NULL ||
           call_problem(call, "unavailable", "The database cannot be reached; try again soon.");
}

static void give_connection(struct call *call)
{
    db_pool_give(call->service->pool, call->db);
    call->db = NULL;
}

static bool is_to_compute(const struct call *call)
{
    return call->computation != NULL && !call->computation->done;
}

/* Gives the connection back while computing, so that no other request waits for it. */
static bool compute(struct call *call)
{
    give_connection(call);
    call->computation->run(call, call->computation->work);
    call->computation->done = true;
    return take_connection(call);
}

static void run_with_database(struct call *call, const struct route *route)
{
    unsigned computations = 0;
    transaction_reset(call);
    if (replicas_answer(call->service->replicas, call, route, work_at_standby) ||
        !take_connection(call))
        return;
    for (unsigned try = 0; try < TRANSACTION_TRIES; try++) {
        transaction_reset(call);
        run_in_transaction(call, route);
        while (is_to_compute(call) && computations++ < COMPUTATIONS) {
            if (!compute(call))
                return;
            transaction_reset(call);
            run_in_transaction(call, route);
        }
        if (!call->retry)
            break;
    }
    refused_moves_store(call);
    if (db_is_open(call->db) && call->response->status >= 500)
        fprintf(stderr, "request %s failed: %s\n", call->request->id, db_last_error(call->db));
    give_connection(call);
}

/* Identifies the caller in a transaction of its own: the handler's transactions come after slow
 * work, and check again whatever they rely on. */
static bool identify_first(struct call *call, const struct route *route)
{
    bool knows = route->access != ACCESS_PUBLIC && route->access != ACCESS_OWN_PAGE;
    if (!knows && !(route->costly && auth_is_given(call->request)))
        return access_allowed(call, route);
    if (!take_connection(call))
        return false;
    bool good = call_found(call, db_begin(call->db, true)) && auth_identify(call) &&
                access_allowed(call, route);
    db_rollback(call->db);
    give_connection(call);
    return good;
}

static void run_own(struct call *call, const struct route *route)
{
    if (identify_first(call, route) && check_limit(call, route) && read_body(call, route))
        route->handle(call);
    transaction_settle(call, call->response->status < 400);
}

static struct call begin_call(struct service *service, const struct http_request *request,
                              struct arena *arena, struct http_response *response)
{
    return (struct call){.service = service,
                         .request = request,
                         .response = response,
                         .arena = arena,
                         .now_ms = request->received_ms};
}

/* Answers at once on the loop thread, so no other request can be waiting for the response. */
static enum http_quick answer_static(struct call *call, const struct route *route)
{
    struct shared_responses *reads = call->service->reads;
    uint64_t clock = shared_responses_clock(reads);
    if (check_limit(call, route) && read_body(call, route)) {
        route->handle(call);
        shared_responses_keep(call, route, clock);
    }
    shared_responses_finish(reads, call->request, call->response);
    return QUICK_DONE;
}

static const struct gate_refusal unknown_host = {
    421,
    "unknown-host",
    "The service does not know the name in Host. Use its address instead, or ask its operator to "
    "set TILLROLL_SITE_ADDRESS to this name, or TILLROLL_TRUSTED_PROXY to the proxy in front of "
    "it.",
    {NULL, 0}};

enum http_quick dispatch_quick(void *context, struct http_pending *pending,
                               struct http_request *request, struct arena *arena,
                               struct http_response *response)
{
    struct call call = begin_call(context, request, arena, response);
    enum http_quick result = QUICK_NO;
    const char *site = call.service->site_address;
    if (!hosts_know(request, site)) {
        problem_answer_gate(&unknown_host, arena, response);
        return QUICK_DONE;
    }
    request->at_home = hosts_at_home(request, site);
    const struct route *route = call.route = route_of(&call);
    if (route == NULL) {
        page_not_found(&call);
        return QUICK_DONE;
    }
    request->route = route_number(route);
    request->costly = is_costly(request, route);
    if (route->quick != NULL)
        result = route->quick(&call, pending);
    if (result == QUICK_NO && route->share != SHARE_NOT)
        result = shared_responses_quick(&call, route, pending);
    if (result == QUICK_NO && route->work == WORK_STATIC)
        result = answer_static(&call, route);
    if (result == QUICK_NO && route->step != NULL)
        result = QUICK_STEP;
    else if (result == QUICK_NO && route->work == WORK_OWN)
        result = QUICK_SLOW;
    json_decref(call.body);
    if (result == QUICK_NO || result == QUICK_COLD || result == QUICK_SLOW || result == QUICK_STEP)
        *response = (struct http_response){.status = 0};
    return result;
}

static int64_t thread_cpu_us(void)
{
    struct timespec used;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

/* Charges reads by the length of a new response, since long ones take time to make; a kept one
 * costs no more than any other. */
static void charge_length(const struct call *call, const struct route *route)
{
    enum { READ_BYTES = 32 * 1024 };
    size_t reads = call->response->body.length / READ_BYTES;
    if (route->work == WORK_READ || route->work == WORK_BESIDE)
        call_charge_reads(call, (unsigned)reads);
}

/* Does the work of a request, according to its route's kind of work. */
static void work_on(struct call *call, const struct route *route)
{
    const int64_t begin_us = thread_cpu_us();
    if (route->work == WORK_READ || route->work == WORK_WRITE)
        run_with_database(call, route);
    else if (route->work == WORK_OWN)
        run_own(call, route);
    else if (access_allowed(call, route) && check_limit(call, route) && read_body(call, route))
        route->handle(call);
    charge_length(call, route);
    if (call->metered)
        call_charge(call, (unsigned)((thread_cpu_us() - begin_us + 999) / 1000));
}

/* Permissions are checked again, since the caller may have lost them in the meantime. */
void dispatch_job(struct service *service, struct job *job, const struct http_request *request,
                  struct arena *arena, struct http_response *response)
{
    struct call call = begin_call(service, request, arena, response);
    call.job = job;
    call.route = route_of(&call);
    work_on(&call, call.route);
    json_decref(call.body);
    json_decref(call.documents);
}

void dispatch(void *context, const struct http_request *request, struct arena *arena,
              struct http_response *response)
{
    struct call call = begin_call(context, request, arena, response);
    const struct route *route = call.route = route_of(&call);
    if (route == NULL)
        return;
    call.clock = shared_responses_clock(call.service->reads);
    if (!jobs_take(&call)) {
        work_on(&call, route);
    } else if (identify_first(&call, route)) {
        /* After an expired session cookie there is no signed-in player to whom a job could
         * belong. */
        if (!call.signed_in)
            work_on(&call, route);
        else if (check_limit(&call, route))
            jobs_answer(&call);
    }
    if (route->page != NULL && response->status >= 400)
        page_show_problem(&call);
    shared_responses_keep(&call, route, call.clock);
    json_decref(call.body);
    json_decref(call.documents);
}

/* ---- Fetching ---- */

static bool is_refused(const struct call *call)
{
    return call->response->status != 0;
}

/* Moves the calls that may continue to the front, and returns their number. */
static size_t keep_allowed(struct call *calls, size_t count)
{
    size_t left = 0;
    auth_fetch(calls, count);
    for (size_t i = 0; i < count; i++)
        if (!is_refused(&calls[i]) && check_limit(&calls[i], calls[i].route))
            calls[left++] = calls[i];
    return left;
}

/* Fetches for calls of the same route together. */
static void fetch(struct call *calls, size_t count)
{
    for (size_t first = 0, end; first < count; first = end) {
        const struct route *route = calls[first].route;
        for (end = first + 1; end < count && calls[end].route == route;)
            end++;
        route->fetch(&calls[first], end - first);
    }
}

/* Requests whose data cannot be fetched are answered by the handler. */
void dispatch_fetch(void *context, const struct http_cold *cold, size_t count)
{
    struct service *service = context;
    bool may = key_watch_good(service->key_watch);
    struct db *db = may ? db_pool_take(service->pool, POOL_WAIT_MS) : NULL;
    enum db_status begun = db == NULL ? DB_UNAVAILABLE : db_begin(db, true);
    struct call *calls = arena_array(cold->arena, count, sizeof *calls);
    for (size_t i = 0; i < count; i++) {
        calls[i] = (struct call){.service = service,
                                 .request = cold[i].request,
                                 .response = cold[i].response,
                                 .arena = cold[i].arena,
                                 .db = db,
                                 .now_ms = cold[i].request->received_ms};
        calls[i].route = route_of(&calls[i]);
        call_found(&calls[i], begun);
    }
    size_t left = begun == DB_OK ? keep_allowed(calls, count) : 0;
    fetch(calls, left);
    if (left > 0)
        (void)db_commit(db); /* the transaction has only read, so the result does not matter */
    db_pool_give(service->pool, db);
    for (size_t i = 0; i < count; i++)
        if (cold[i].response->status == 0)
            cold[i].response->again = true;
}

void dispatch_worked(void *context, const struct http_request *request,
                     const struct http_response *response)
{
    const struct service *service = context;
    shared_responses_finish(service->reads, request, response);
}
