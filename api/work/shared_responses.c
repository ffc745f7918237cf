/* The builds under way are few, never more than the requests that workers have, so they are in one
 * list. The requests that wait for a build are in its own list, oldest first; these waiters live in
 * the arenas of their requests. */
#include "api/work/shared_responses.h"

#include <stdlib.h>
#include <string.h>

#include "api/http/server.h"
#include "api/request/auth.h"
#include "api/request/limits.h"
#include "api/state/change_bus.h"
#include "engine/base/counter.h"

struct waiter {
    struct waiter *next;
    struct http_pending *pending;
    const struct http_request *request;
    struct http_response *response;
    const struct id *player; /* the signed-in player, NULL = none */
    bool due;                /* waited before the current build began */
};

struct build {
    struct build *next;
    const struct http_request *builder;
    struct waiter *first, *last;
    size_t key_length;
    char key[ANSWER_KEY_MAX];
};

struct shared_responses {
    bool on;
    const struct change_bus *change_bus;
    struct response_cache *cache;
    struct build *builds;
    struct {
        struct counter found, missed; /* counted on the loop thread */
    } uses[SHARES];
};

struct shared_responses *shared_responses_new(size_t bytes_max, const struct change_bus *bus)
{
    struct shared_responses *reads = must(calloc(1, sizeof *reads));
    reads->on = bytes_max > 0;
    reads->change_bus = bus;
    reads->cache = response_cache_new(bytes_max);
    return reads;
}

void shared_responses_free(struct shared_responses *reads)
{
    if (reads == NULL)
        return;
    while (reads->builds != NULL) {
        struct build *next = reads->builds->next;
        free(reads->builds);
        reads->builds = next;
    }
    response_cache_free(reads->cache);
    free(reads);
}

struct cache_uses shared_responses_uses(const struct shared_responses *reads,
                                        enum route_share share)
{
    return (struct cache_uses){counter_read(&reads->uses[share].found),
                               counter_read(&reads->uses[share].missed)};
}

struct response_cache_counts shared_responses_counts(const struct shared_responses *reads)
{
    return response_cache_count(reads->cache);
}

bool shared_responses_are_on(const struct shared_responses *reads)
{
    return reads->on && change_bus_complete(reads->change_bus);
}

static bool is_on(const struct shared_responses *reads, const struct route *route)
{
    return route->share == SHARE_ALWAYS ? reads->on : shared_responses_are_on(reads);
}

/* ---- Changes ---- */

/* The subject of lists that depend on many events. */
static const struct id any_event = {"any event"};

void shared_responses_game_changed(struct shared_responses *reads, const struct id *game)
{
    response_cache_changed(reads->cache, game);
}

void shared_responses_event_changed(struct shared_responses *reads, const struct id *event)
{
    response_cache_changed(reads->cache, event);
    response_cache_changed(reads->cache, &any_event);
}

void shared_responses_all_changed(struct shared_responses *reads)
{
    response_cache_all_changed(reads->cache);
}

uint64_t shared_responses_clock(struct shared_responses *reads)
{
    return response_cache_clock(reads->cache);
}

/* ---- Keys and subjects ---- */

static bool is_read(const struct route *route, struct span name)
{
    bool reads = route->query;
    for (size_t i = 0; !reads && i < ROUTE_PARAMETERS && route->parameter[i] != NULL; i++)
        reads = span_is(name, route->parameter[i]);
    return reads;
}

/* The key: the path, and the part of the query that the route reads, so that other parameters do
 * not make different responses. False if it is too long. */
static bool make_key(const struct http_request *request, const struct route *route,
                     struct text *key)
{
    text_add_span(key, request->path);
    for (size_t i = 0; i < request->parameters; i++) {
        if (!is_read(route, request->parameter[i].name))
            continue;
        text_add(key, "&");
        text_add_span(key, request->parameter[i].name);
        text_add(key, "=");
        text_add_span(key, request->parameter[i].value);
    }
    return !key->overflow;
}

static void find_subjects(const struct call *call, const struct route *route,
                          struct id subject[static ANSWER_SUBJECTS])
{
    switch (route->share) {
    case SHARE_NOT:
    case SHARE_ALWAYS:
        break;
    case SHARE_EVENT:
        subject[0] = call->id[0];
        break;
    case SHARE_GAME:
        subject[0] = call->id[0];
        subject[1] = call->sight.event;
        break;
    case SHARE_EVENTS:
        subject[0] = any_event;
        break;
    case SHARES:
        break;
    }
}

/* ---- On the loop thread ---- */

static struct build *find_build(const struct shared_responses *reads, struct span key)
{
    struct build *build = reads->builds;
    while (build != NULL && !span_equal((struct span){build->key, build->key_length}, key))
        build = build->next;
    return build;
}

static void begin_build(struct shared_responses *reads, struct span key,
                        const struct http_request *builder)
{
    struct build *build = must(malloc(sizeof *build));
    *build = (struct build){.next = reads->builds, .builder = builder, .key_length = key.length};
    memcpy(build->key, key.at, key.length);
    reads->builds = build;
}

static void add_waiter(struct build *build, struct waiter *waiter)
{
    waiter->next = NULL;
    if (build->first == NULL)
        build->first = waiter;
    else
        build->last->next = waiter;
    build->last = waiter;
}

static enum http_quick wait_for_build(struct call *call, struct build *build,
                                      struct http_pending *pending)
{
    struct id *player = NULL;
    if (!call_within_limit(call, LIMIT_READ))
        return QUICK_DONE;
    if (call->signed_in) {
        player = arena_take(call->arena, sizeof *player);
        *player = call->player.id;
    }
    struct waiter *waiter = arena_take(call->arena, sizeof *waiter);
    *waiter = (struct waiter){
        .pending = pending, .request = call->request, .response = call->response, .player = player};
    add_waiter(build, waiter);
    return QUICK_LATER;
}

static enum http_quick give_kept(struct call *call, struct shared_answer *answer)
{
    if (call_within_limit(call, LIMIT_READ))
        shared_answer_give(answer, call->request, call->response);
    return QUICK_DONE;
}

enum http_quick shared_responses_quick(struct call *call, const struct route *route,
                                       struct http_pending *pending)
{
    struct shared_responses *reads = call->service->reads;
    char bytes[ANSWER_KEY_MAX];
    struct text key = TEXT_OVER(bytes);
    if (!is_on(reads, route) || call->request->body.length > 0 ||
        !make_key(call->request, route, &key) ||
        (route->page == NULL && auth_is_given(call->request) && !auth_recall(call, route->scope)))
        return QUICK_NO;
    struct shared_answer *answer = response_cache_find(reads->cache, text_span(&key));
    if (answer != NULL) {
        bool is_for = shared_answer_is_for(answer, call->signed_in ? &call->player.id : NULL);
        counter_add(&reads->uses[route->share].found, is_for);
        enum http_quick result = is_for ? give_kept(call, answer) : QUICK_NO;
        shared_answer_drop(answer);
        return result;
    }
    struct build *build = find_build(reads, text_span(&key));
    if (build != NULL) {
        counter_add(&reads->uses[route->share].found, 1);
        return wait_for_build(call, build, pending);
    }
    counter_add(&reads->uses[route->share].missed, 1);
    begin_build(reads, text_span(&key), call->request);
    return QUICK_NO;
}

/* ---- On a worker's thread ---- */

struct shared_answer *shared_responses_find(struct shared_responses *reads,
                                            const struct route *route,
                                            const struct http_request *request)
{
    char bytes[ANSWER_KEY_MAX];
    struct text key = TEXT_OVER(bytes);
    bool shared = route->share != SHARE_NOT && is_on(reads, route);
    return shared && make_key(request, route, &key)
               ? response_cache_find(reads->cache, text_span(&key))
               : NULL;
}

void shared_responses_keep(struct call *call, const struct route *route, uint64_t clock)
{
    enum { EFFORT = 3 };
    struct shared_responses *reads = call->service->reads;
    struct http_response *response = call->response;
    char bytes[ANSWER_KEY_MAX];
    struct text key = TEXT_OVER(bytes);
    bool good = response->status == 200 || response->status == 304;
    if (route->share == SHARE_NOT || !is_on(reads, route) || !good || response->etag == NULL ||
        response->pieces != NULL || call->sight.own || !make_key(call->request, route, &key))
        return;
    response->set_cookie = NULL; /* is for one client only */
    struct shared_answer *answer = shared_answer_new(response, EFFORT, &call->sight.audience);
    if (answer == NULL)
        return;
    struct id subject[ANSWER_SUBJECTS] = {{""}};
    find_subjects(call, route, subject);
    (void)response_cache_keep(reads->cache, text_span(&key), clock, subject, answer);
    *response = (struct http_response){.status = 0};
    shared_answer_give(answer, call->request, response);
    shared_answer_drop(answer);
}

/* ---- When the worker has finished ---- */

static struct build *take_build(struct shared_responses *reads, const struct http_request *builder)
{
    struct build **place = &reads->builds;
    while (*place != NULL && (*place)->builder != builder)
        place = &(*place)->next;
    struct build *build = *place;
    if (build != NULL)
        *place = build->next;
    return build;
}

static void answer_waiter(const struct waiter *waiter, struct shared_answer *answer)
{
    shared_answer_give(answer, waiter->request, waiter->response);
    server_answer(waiter->pending);
}

/* Gives the response to all waiters for whom it is valid; only to those that are due unless `good`,
 * which is true if no change has overtaken it. Waiters that must not get it are left to a worker;
 * waiters that are not due stay in the list. */
static void answer_waiters(struct build *build, struct shared_answer *answer, bool good)
{
    struct waiter *waiter = build->first;
    build->first = NULL;
    while (waiter != NULL) {
        struct waiter *next = waiter->next;
        if (!shared_answer_is_for(answer, waiter->player)) {
            server_pass_on(waiter->pending);
        } else if (good || waiter->due) {
            answer_waiter(waiter, answer);
        } else {
            waiter->due = true;
            add_waiter(build, waiter);
        }
        waiter = next;
    }
}

static void pass_on_all(struct build *build)
{
    for (struct waiter *waiter = build->first; waiter != NULL;) {
        struct waiter *next = waiter->next;
        server_pass_on(waiter->pending);
        waiter = next;
    }
    build->first = NULL;
}

/* The oldest waiter that finds a place in the queue of the workers builds for the others. */
static void build_again(struct shared_responses *reads, struct build *build)
{
    bool given = false;
    while (!given && build->first != NULL) {
        struct waiter *waiter = build->first;
        build->first = waiter->next;
        build->builder = waiter->request;
        given = server_pass_on(waiter->pending);
    }
    if (given) {
        build->next = reads->builds;
        reads->builds = build;
    } else {
        free(build);
    }
}

void shared_responses_finish(struct shared_responses *reads, const struct http_request *request,
                             const struct http_response *response)
{
    struct build *build = take_build(reads, request);
    if (build == NULL)
        return;
    struct span key = {build->key, build->key_length};
    if (build->first != NULL && response->shared != NULL) {
        struct shared_answer *good = response_cache_find(reads->cache, key);
        answer_waiters(build, good != NULL ? good : response->shared, good != NULL);
        shared_answer_drop(good);
    } else if (response->status >= 400) {
        pass_on_all(build);
    }
    build_again(reads, build);
}
