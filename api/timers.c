#include "api/timers.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "api/call.h"
#include "api/dispatch.h"
#include "api/entropy.h"
#include "api/event_load.h"
#include "api/queues.h"
#include "api/table_results.h"
#include "api/ticker.h"
#include "db/counter.h"
#include "db/now.h"
#include "db/timers.h"

enum { POOL_WAIT_MS = 1000 };

struct timers {
    struct service *service;
    struct db_pool *pool; /* of one connection */
    struct ticker *ticker;
    struct counter done, failed;
};

/* ---- Ladders ---- */

static bool is_unanswered(const struct tournament *tournament,
                          const struct tournament_challenge *challenge, int64_t now_ms)
{
    int64_t until = tournament_answer_ms(tournament, challenge);
    return !challenge->over && challenge->table == 0 && until != 0 && until <= now_ms;
}

/* A table without a game, won by forfeit. */
static bool forfeit(struct call *call, struct loaded_event *loaded,
                    const struct tournament_challenge *challenge)
{
    const struct tournament *tournament = loaded->tournament;
    unsigned table = (unsigned)tournament->open_tables + 1;
    const struct table_result result = {
        .table = (uint16_t)table,
        .seats = 2,
        .seat = {{.entry = challenge->challenger, .kind = ROUND_FORFEIT_WIN, .rank = 1},
                 {.entry = challenge->challenged, .kind = ROUND_FORFEIT_LOSS, .rank = 2}}};
    return event_take(call, loaded, "table_started",
                      json_pack("{s:i, s:i, s:[i, i]}", "round", 0, "table", (int)table, "numbers",
                                tournament->entrants[challenge->challenger].number,
                                tournament->entrants[challenge->challenged].number)) &&
           table_take_ruling(call, loaded, &result, "The challenge was not answered in time.");
}

static bool forfeit_unanswered(struct call *call, struct loaded_event *loaded)
{
    bool good = true;
    for (size_t i = 0; good && i < loaded->tournament->challenge_count; i++) {
        const struct tournament_challenge challenge = loaded->tournament->challenges[i];
        if (is_unanswered(loaded->tournament, &challenge, call->now_ms))
            good = forfeit(call, loaded, &challenge);
    }
    return good;
}

/* ---- One event ---- */

/* Another service may have been first: then nothing is due, or later. What cannot be done yet (too
 * few wait for a table) is looked at again after the event's next line. */
static bool act(struct call *call, const struct id *event)
{
    struct loaded_event loaded;
    if (!event_load(call, event, true, &loaded))
        return false;
    uint32_t lines = loaded.tournament->lines;
    bool ladder = loaded.tournament->settings.stage[0].format == FORMAT_LADDER;
    if (!(ladder ? forfeit_unanswered : queue_call_tables)(call, &loaded))
        return false;
    int64_t due_ms = tournament_due_ms(loaded.tournament);
    return loaded.tournament->lines > lines ||
           call_found(call, timer_set(call->db, event, due_ms > call->now_ms ? due_ms : 0));
}

/* An event that cannot be helped must not hold up the others. */
static void put_off(struct db *db, const struct id *event, int64_t now_ms)
{
    enum { LATER_MS = 60 * 1000 };
    if (db_begin(db, false) == DB_OK && timer_set(db, event, now_ms + LATER_MS) == DB_OK)
        db_commit(db);
    else
        db_rollback(db);
}

/* False when there is nothing more to do now. */
static bool act_once(struct timers *timers, struct db *db)
{
    const struct http_request request = {.method = HTTP_POST};
    struct http_response response = {.status = 0};
    struct arena arena = {NULL};
    struct call call = {.service = timers->service,
                        .request = &request,
                        .response = &response,
                        .arena = &arena,
                        .db = db,
                        .now_ms = now_ms(CLOCK_REALTIME)};
    struct id event = {""};
    bool good = call_found(&call, db_begin(db, false));
    enum db_status status = good ? timer_find(db, call.now_ms, &event) : DB_ERROR;
    good = status == DB_NONE || (status == DB_OK && act(&call, &event));
    if (!good)
        db_rollback(db);
    good = good && db_commit(db) == DB_OK;
    if (good && call.event_changed.text[0] != '\0') {
        changes_event(timers->service->changes, &call.event_changed);
        counter_add(&timers->done, 1);
    }
    if (!good) {
        counter_add(&timers->failed, 1);
        fprintf(stderr, "tillrolld: what is due in an event was not done: %s\n", db_last_error(db));
        if (status == DB_OK)
            put_off(db, &event, call.now_ms);
    }
    arena_free(&arena);
    return status == DB_OK;
}

/* ---- Games that wait ---- */

static void start_game(struct call *call, void *context)
{
    if (entropy_start_late_game(call, context))
        call->response->status = 204;
}

/* One that cannot be helped is tried again at the next look, and holds up no others. */
static void start_games(struct timers *timers, struct ticker *ticker, struct db *db)
{
    struct arena arena = {NULL};
    struct waiting_game *games = NULL;
    size_t count = 0;
    const int64_t now = now_ms(CLOCK_REALTIME);
    bool found =
        db_begin(db, true) == DB_OK && waiting_due(db, &arena, now, &games, &count) == DB_OK;
    db_rollback(db);
    for (size_t i = 0; found && i < count && !ticker_is_ending(ticker); i++)
        counter_add(dispatch_own(timers->service, db, now, start_game, &games[i]) ? &timers->done
                                                                                  : &timers->failed,
                    1);
    arena_free(&arena);
}

/* What failed is tried again when the time comes. */
static void look(struct ticker *ticker, void *context)
{
    struct timers *timers = context;
    struct db *db = db_pool_take(timers->pool, POOL_WAIT_MS);
    if (db == NULL)
        return;
    while (!ticker_is_ending(ticker) && act_once(timers, db))
        ;
    start_games(timers, ticker, db);
    db_pool_give(timers->pool, db);
}

struct timers *timers_new(struct service *service, const char *database, unsigned interval_ms)
{
    struct timers *timers = calloc(1, sizeof *timers);
    if (timers == NULL)
        abort();
    timers->service = service;
    timers->pool = db_pool_new(database, true, 1);
    if (interval_ms == 0)
        return timers;
    timers->ticker = ticker_new(interval_ms, look, timers);
    if (timers->ticker != NULL)
        return timers;
    timers_free(timers);
    return NULL;
}

void timers_free(struct timers *timers)
{
    if (timers == NULL)
        return;
    ticker_free(timers->ticker);
    db_pool_free(timers->pool);
    free(timers);
}

struct timers_figures timers_figures(const struct timers *timers)
{
    return (struct timers_figures){counter_read(&timers->done), counter_read(&timers->failed)};
}
