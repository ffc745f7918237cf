#include "api/deadlines/deadlines.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "api/deadlines/entropy.h"
#include "api/event/event_load.h"
#include "api/event/event_take.h"
#include "api/people/names.h"
#include "api/request/call.h"
#include "api/state/change_bus.h"
#include "api/state/sessions.h"
#include "api/tables/duplicate.h"
#include "api/tables/tables.h"
#include "api/work/ticker.h"
#include "api/work/transaction.h"
#include "db/link/db.h"
#include "db/link/now.h"
#include "db/store/events/events.h"
#include "db/store/people/credentials.h"
#include "db/store/service/retention.h"
#include "engine/base/counter.h"

enum { POOL_WAIT_MS = 1000 };

struct deadlines {
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

/* Adds a table without a game, won by forfeit. If the two players must not meet any more, neither
 * wins. */
static bool forfeit(struct call *call, struct loaded_event *loaded,
                    const struct tournament_challenge *challenge)
{
    const struct tournament *tournament = loaded->tournament;
    unsigned table = (unsigned)tournament->open_tables + 1;
    if (tournament_parts(tournament, challenge->challenger, challenge->challenged))
        return event_take(call, loaded, "challenge_cancelled",
                          json_pack("{s:[s, s]}", "players",
                                    tournament->entrants[challenge->challenger].player,
                                    tournament->entrants[challenge->challenged].player));
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

/* ---- Reported results ---- */

/* Confirms reported results to which nobody has objected in time. */
static bool confirm_reports(struct call *call, struct loaded_event *loaded)
{
    const struct tournament *tournament = loaded->tournament;
    bool good = true;
    for (size_t i = 0; good && i < tournament->report_count; i++) {
        const struct tournament_table *table = &tournament->tables[tournament->reports[i].table];
        int64_t due_ms = tournament_report_due_ms(tournament, table);
        if (due_ms != 0 && due_ms <= call->now_ms)
            good = event_take(call, loaded, "report_confirmed",
                              table_line(table->round, table->table, ""));
    }
    return good;
}

/* ---- One event ---- */

/* Does the work due in an event. If another service was first, there may be none. Work that cannot
 * be done now (too few players are queued) is checked again after the event's next log line. */
static bool do_event(struct call *call, const struct id *event)
{
    struct loaded_event loaded;
    if (!event_load(call, event, true, &loaded))
        return false;
    uint32_t lines = loaded.tournament->lines;
    bool ladder = loaded.tournament->settings.stage[0].format == FORMAT_LADDER;
    if (!confirm_reports(call, &loaded) ||
        !(ladder ? forfeit_unanswered : queue_call_tables)(call, &loaded))
        return false;
    int64_t due_ms = tournament_due_ms(loaded.tournament);
    return loaded.tournament->lines > lines ||
           call_found(call, deadline_set(call->db, event, due_ms > call->now_ms ? due_ms : 0));
}

/* Postpones an event whose work failed, so that it does not block the others. */
static void postpone_event(struct db *db, const struct id *event, int64_t now_ms)
{
    enum { LATER_MS = 60 * 1000 };
    if (db_begin(db, false) == DB_OK && deadline_set(db, event, now_ms + LATER_MS) == DB_OK)
        db_commit(db);
    else
        db_rollback(db);
}

/* Does the work of one event. False if no event is due. */
static bool do_next_event(struct deadlines *deadlines, struct db *db)
{
    const struct http_request request = {.method = HTTP_POST};
    struct http_response response = {.status = 0};
    struct arena arena = {NULL};
    struct call call = {.service = deadlines->service,
                        .request = &request,
                        .response = &response,
                        .arena = &arena,
                        .db = db,
                        .now_ms = now_ms(CLOCK_REALTIME)};
    struct id event = {""};
    bool good = call_found(&call, db_begin(db, false));
    enum db_status status = good ? deadline_find(db, call.now_ms, &event) : DB_ERROR;
    good = status == DB_NONE || (status == DB_OK && do_event(&call, &event));
    if (!good)
        db_rollback(db);
    good = good && db_commit(db) == DB_OK;
    if (good && call.event_changed.text[0] != '\0') {
        change_bus_event(deadlines->service->change_bus, &call.event_changed);
        counter_add(&deadlines->done, 1);
    }
    if (!good) {
        counter_add(&deadlines->failed, 1);
        fprintf(stderr, "tillrolld: deadlines of an event could not be processed: %s\n",
                db_last_error(db));
        if (status == DB_OK)
            postpone_event(db, &event, call.now_ms);
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

/* A failing game is retried on the next run and does not block others. */
static void start_games(struct deadlines *deadlines, struct ticker *ticker, struct db *db)
{
    struct arena arena = {NULL};
    struct waiting_game *games = NULL;
    size_t count = 0;
    const int64_t now = now_ms(CLOCK_REALTIME);
    bool found =
        db_begin(db, true) == DB_OK && waiting_due(db, &arena, now, &games, &count) == DB_OK;
    db_rollback(db);
    for (size_t i = 0; found && i < count && !ticker_is_ending(ticker); i++)
        counter_add(transaction_own(deadlines->service, db, now, start_game, &games[i])
                        ? &deadlines->done
                        : &deadlines->failed,
                    1);
    arena_free(&arena);
}

static void start_dealt(struct call *call, void *context)
{
    const struct dealing *dealing = context;
    bool started = dealing->game.text[0] == '\0' ? duplicate_start_dealt_round(call, dealing)
                                                 : entropy_start_dealt_game(call, dealing);
    if (started)
        call->response->status = 204;
}

/* Starts games and rounds whose co-dealers have answered. */
static void start_all_dealt(struct deadlines *deadlines, struct ticker *ticker, struct db *db)
{
    struct arena arena = {NULL};
    struct dealing *dealings = NULL;
    size_t count = 0;
    const int64_t now = now_ms(CLOCK_REALTIME);
    bool found =
        db_begin(db, true) == DB_OK && dealing_ready(db, &arena, now, &dealings, &count) == DB_OK;
    db_rollback(db);
    for (size_t i = 0; found && i < count && !ticker_is_ending(ticker); i++)
        counter_add(transaction_own(deadlines->service, db, now, start_dealt, &dealings[i])
                        ? &deadlines->done
                        : &deadlines->failed,
                    1);
    arena_free(&arena);
}

/* Records when tokens were last used. After a failure, a token's time is recorded once the token
 * has been used again. */
static void store_token_use(const struct deadlines *deadlines, struct db *db)
{
    enum { SEEN_MOST = 256 };
    uint8_t hashes[SEEN_MOST][32];
    const int64_t at_ms = now_ms(CLOCK_REALTIME);
    size_t count = sessions_seen(deadlines->service->sessions, at_ms, SEEN_MOST, hashes);
    if (count == 0 || db_begin(db, false) != DB_OK)
        return;
    if (token_see(db, (const uint8_t(*)[32])hashes, count, at_ms) == DB_OK)
        (void)db_commit(db);
    else
        db_rollback(db);
}

/* Does all work that is due. Failed work is retried in the next run. */
static void do_due_work(struct ticker *ticker, void *context)
{
    struct deadlines *deadlines = context;
    struct db *db = db_pool_take(deadlines->pool, POOL_WAIT_MS);
    if (db == NULL)
        return;
    while (!ticker_is_ending(ticker) && do_next_event(deadlines, db))
        ;
    start_games(deadlines, ticker, db);
    start_all_dealt(deadlines, ticker, db);
    store_token_use(deadlines, db);
    db_pool_give(deadlines->pool, db);
}

struct deadlines *deadlines_new(struct service *service, const char *database, unsigned interval_ms)
{
    struct deadlines *deadlines = must(calloc(1, sizeof *deadlines));
    deadlines->service = service;
    deadlines->pool = db_pool_new(database, true, 1);
    if (interval_ms == 0)
        return deadlines;
    deadlines->ticker = ticker_new(interval_ms, do_due_work, deadlines);
    if (deadlines->ticker != NULL)
        return deadlines;
    deadlines_free(deadlines);
    return NULL;
}

void deadlines_free(struct deadlines *deadlines)
{
    if (deadlines == NULL)
        return;
    ticker_free(deadlines->ticker);
    db_pool_free(deadlines->pool);
    free(deadlines);
}

struct deadlines_figures deadlines_figures(const struct deadlines *deadlines)
{
    return (struct deadlines_figures){counter_read(&deadlines->done),
                                      counter_read(&deadlines->failed)};
}

/* ---- Chores ---- */

enum { SECOND_MS = 1000 };
static const int64_t keep_ms = INT64_C(1000) * 60 * 60 * 24 * RETENTION_KEEP_DAYS;

struct retention {
    struct db_pool *pool; /* of one connection */
    unsigned seconds;
    struct ticker *ticker;
};

/* Runs one batch of a chore. `after`: start of the batch, set to the start of the next one. Sets
 * `more` if the next one should run at once. */
typedef enum db_status chore_batch(struct db *db, struct arena *arena, int64_t now,
                                   struct id *after, bool *more);

static enum db_status delete_batch(struct db *db, struct arena *arena, int64_t now,
                                   struct id *after, bool *more)
{
    (void)arena;
    (void)after;
    return retention_delete_old(db, now - keep_ms, more);
}

/* Computes name skeletons missing from older data or written by the previous release. */
static enum db_status fill_batch(struct db *db, struct arena *arena, int64_t now, struct id *after,
                                 bool *more)
{
    enum { BATCH = 1000 };
    struct named *named;
    size_t count;
    (void)now;
    enum db_status status =
        name_skeletons_list(db, arena, after, account_name_version(), BATCH, &named, &count);
    for (size_t i = 0; i < count && status == DB_OK; i++) {
        *after = named[i].player;
        if (named[i].known)
            continue;
        const struct name_skeletons skeletons = account_name_skeletons(arena, named[i].name);
        status = name_skeletons_fill(db, &named[i], &skeletons);
    }
    *more = status == DB_OK && count == BATCH;
    return status;
}

/* Runs one batch in a transaction. */
static enum db_status do_batch(const struct retention *retention, struct db *db, const char *name,
                               chore_batch *batch, struct id *after, bool *more)
{
    int64_t now = now_ms(CLOCK_REALTIME);
    struct arena arena = {NULL};
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = retention_take(db, name, now);
    if (status == DB_OK)
        status = batch(db, &arena, now, after, more);
    if (status == DB_OK && !*more)
        status = retention_done(db, name, now + (int64_t)retention->seconds * SECOND_MS);
    arena_free(&arena);
    if (status == DB_OK)
        return db_commit(db);
    db_rollback(db);
    *more = false;
    return status;
}

/* Runs all batches of a chore. If the database is unavailable or another service is running the
 * chores, the next run retries. */
static void do_chore(const struct retention *retention, struct ticker *ticker, struct db *db,
                     const char *name, chore_batch *batch)
{
    struct id after = {""};
    for (bool more = true; more && !ticker_is_ending(ticker);) {
        more = false;
        if (do_batch(retention, db, name, batch, &after, &more) == DB_ERROR)
            fprintf(stderr, "tillrolld: retention failed: %s\n", db_last_error(db));
    }
}

static void do_chores(struct ticker *ticker, void *context)
{
    const struct retention *retention = context;
    struct db *db = db_pool_take(retention->pool, POOL_WAIT_MS);
    if (db == NULL)
        return;
    do_chore(retention, ticker, db, RETENTION_DELETE_OLD, delete_batch);
    do_chore(retention, ticker, db, RETENTION_FILL_NAMES, fill_batch);
    db_pool_give(retention->pool, db);
}

struct retention *retention_new(const char *database, unsigned seconds)
{
    struct retention *retention = must(calloc(1, sizeof *retention));
    retention->seconds = seconds;
    retention->pool = db_pool_new(database, true, 1);
    if (seconds == 0)
        return retention;
    retention->ticker = ticker_new(seconds * SECOND_MS, do_chores, retention);
    if (retention->ticker != NULL)
        return retention;
    retention_free(retention);
    return NULL;
}

void retention_free(struct retention *retention)
{
    if (retention == NULL)
        return;
    ticker_free(retention->ticker);
    db_pool_free(retention->pool);
    free(retention);
}
