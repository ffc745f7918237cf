#include "api/work/transaction.h"

#include <stdio.h>

#include "api/http/broadcast.h"
#include "api/request/call.h"
#include "api/request/service.h"
#include "api/state/change_bus.h"
#include "api/state/game_cache.h"
#include "api/work/jobs.h"
#include "api/work/key_watch.h"
#include "api/work/shared_responses.h"
#include "db/link/db.h"

void transaction_settle(struct call *call, bool committed)
{
    struct service *service = call->service;
    if (committed && call->played != NULL) {
        game_cache_put(service->game_cache, &call->held, call->played, call->played_rows,
                       call->played_count);
        change_bus_game(service->change_bus, &call->held,
                        (unsigned)game_cache_last_row(call->played));
    }
    if (committed && call->event_changed.text[0] != '\0')
        change_bus_event(service->change_bus, &call->event_changed);
    for (size_t i = 0; committed && i < call->ended_count; i++)
        change_bus_token(service->change_bus, call->ended[i]);
    if (committed && call->renamed)
        change_bus_player(service->change_bus, &call->player.id);
    if (call->held.text[0] != '\0')
        game_cache_release(service->game_cache, &call->held);
    call->held = (struct id){""};
    call->played = NULL;
    call->event_changed = (struct id){""};
    call->log_written = false;
    call->official_lines = 0;
    call->ended_count = 0;
    call->renamed = false;
}

/* Drops the shared responses about the subject of a write, done or refused. Its response may have
 * contained data of another service whose change this one has not been notified of, and the caller
 * must not be given anything older afterwards. */
static void forget_shared_responses(const struct call *call)
{
    shared_responses_game_changed(call->service->reads, &call->id[0]);
    shared_responses_event_changed(call->service->reads, &call->id[0]);
}

/* Makes room for another response. */
static void drop_response(struct call *call)
{
    if (call->response->reader != NULL)
        broadcast_close(call->response->reader);
    if (call->response->pieces != NULL)
        call->response->pieces->drop(call->response->pieces);
    *call->response = (struct http_response){.status = 0};
}

void transaction_end(struct call *call, bool writes)
{
    if (call->response->status >= 400 || (writes && !jobs_end(call))) {
        db_rollback(call->db);
        transaction_settle(call, false);
        if (writes)
            forget_shared_responses(call);
        return;
    }
    enum db_status committed = db_commit(call->db);
    transaction_settle(call, committed == DB_OK);
    if (writes)
        forget_shared_responses(call);
    if (committed == DB_OK && writes)
        jobs_ended(call);
    if (committed != DB_OK) {
        drop_response(call);
        call_found(call, committed);
    }
}

void transaction_reset(struct call *call)
{
    drop_response(call);
    call->retry = false;
    call->refused = NULL;
    call->signed_in = false;
    call->sight = (struct call_visibility){.own = false};
    call->own_game = NULL;
    json_decref(call->body);
    json_decref(call->documents);
    call->body = call->documents = NULL;
}

bool transaction_own(struct service *service, struct db *db, int64_t now_ms,
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
    if (!key_watch_good(service->key_watch))
        return false;
    for (unsigned try = 0; try < TRANSACTION_TRIES; try++) {
        transaction_reset(&call);
        if (call_found(&call, db_begin(db, false))) {
            work(&call, context);
            transaction_end(&call, true);
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

/* ---- Transactions of handlers ---- */

bool transaction_open(struct call *call)
{
    enum { POOL_WAIT_MS = 2000 };
    call->db = db_pool_take(call->service->pool, POOL_WAIT_MS);
    if (call->db == NULL)
        return call_problem(call, "unavailable", "The database cannot be reached; try again.");
    return call_found(call, db_begin(call->db, false));
}

void transaction_close(struct call *call)
{
    if (call->db == NULL)
        return;
    bool answered = call->response->status >= 200 && call->response->status < 400;
    if (call->response->status >= 400 || (answered && !jobs_end(call))) {
        db_rollback(call->db);
    } else {
        enum db_status committed = db_commit(call->db);
        if (committed != DB_OK)
            call_found(call, committed);
        else if (answered)
            jobs_ended(call);
    }
    db_pool_give(call->service->pool, call->db);
    call->db = NULL;
}
