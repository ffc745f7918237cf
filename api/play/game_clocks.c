#include "api/play/game_clocks.h"

#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/play/due_times.h"
#include "api/play/sealed.h"
#include "api/play/system_lines.h"
#include "api/request/visibility.h"
#include "api/state/change_bus.h"
#include "api/state/game_cache.h"
#include "api/work/transaction.h"
#include "db/lines/line_databases.h"
#include "db/link/db.h"
#include "db/link/now.h"
#include "db/link/thread.h"
#include "db/store/games/games.h"
#include "engine/base/counter.h"
#include "engine/tournament/event/settings.h"

enum { POOL_WAIT_MS = 1000, AGAIN_MS = 1000, NEWCOMERS_MAX = 4096 };

struct game_clocks {
    struct service *service;
    struct db_pool *pool; /* of one connection */
    struct replay *copy;  /* the thread's scratch copy of a game */
    pthread_t thread;
    bool started;
    _Atomic int64_t serves_until_ms;
    _Atomic int64_t place_until_ms[DB_PLACES_MAX]; /* the same for each line database */
    struct counter expired;
    int64_t place_from_ms[DB_PLACES_MAX]; /* the thread's own: the end of the time without gaps */
    int64_t beat_at_ms;                   /* the thread's own: the next time to report */
    int64_t find_at_ms;                   /* the thread's own: the next time to look up newcomers */
    pthread_mutex_t lock;                 /* protects the members below */
    pthread_cond_t wake;
    bool ending;
    bool reload;           /* notifications may have been missed: look up all games */
    struct due_times *due; /* running games with clocks */
    struct id *newcomers;  /* games that have begun, not yet looked up for clocks */
    size_t newcomer_count;
};

/* ---- Changes ---- */

/* The header is row 0. If there are too many newcomers, all games are looked up instead. */
static void on_game(void *context, const struct id *game, unsigned seq)
{
    struct game_clocks *keeper = context;
    pthread_mutex_lock(&keeper->lock);
    if (due_times_move(keeper->due, game, 0)) {
        pthread_cond_signal(&keeper->wake);
    } else if (seq == 0) {
        if (keeper->newcomer_count < NEWCOMERS_MAX)
            keeper->newcomers[keeper->newcomer_count++] = *game;
        else
            keeper->reload = true;
        pthread_cond_signal(&keeper->wake);
    }
    pthread_mutex_unlock(&keeper->lock);
}

static void on_all(void *context)
{
    struct game_clocks *keeper = context;
    pthread_mutex_lock(&keeper->lock);
    keeper->reload = true;
    pthread_cond_signal(&keeper->wake);
    pthread_mutex_unlock(&keeper->lock);
}

struct change_bus_subscriber game_clocks_subscriber(struct game_clocks *keeper)
{
    return (struct change_bus_subscriber){.context = keeper, .game = on_game, .all = on_all};
}

/* ---- Serving ---- */

uint64_t game_clocks_expired(const struct game_clocks *keeper)
{
    return counter_read(&keeper->expired);
}

bool game_clocks_serves(const struct game_clocks *keeper, int64_t at_ms)
{
    return at_ms < atomic_load(&keeper->serves_until_ms);
}

bool game_clocks_serves_game(const struct game_clocks *keeper, const struct id *game, int64_t at_ms)
{
    size_t place = line_database_of(game);
    return game_clocks_serves(keeper, at_ms) &&
           (place == 0 || at_ms < atomic_load(&keeper->place_until_ms[place - 1]));
}

bool game_clocks_check(struct call *call, const struct replay *replay)
{
    if (replay->header.clock.kind == CLOCK_NONE ||
        game_clocks_serves_game(call->service->game_clocks, &call->id[0], call->now_ms))
        return true;
    call_problem(call, "unavailable", "Clocks are not kept at the moment; try again soon.");
    call->response->retry_after_s = 1;
    return false;
}

/* ---- When a clock has run out ---- */

static bool play_fallback_move(struct game_writer *writer, unsigned seat)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text move = TEXT_OVER(bytes);
    struct refusal refusal;
    writer->replay->header.game->fallback(writer->replay->header.game, writer->replay->state, seat,
                                          &move);
    bool decided;
    if (!sealed_has_decided(writer->call, &writer->game->id, writer->replay, seat, &decided))
        return false;
    if (replay_simultaneous(writer->replay) != 0)
        return decided || sealed_decide(writer, seat, text_span(&move), NULL);
    return game_writer_ply(writer, seat, text_span(&move), &refusal) ||
           call_problem(writer->call, "internal-error", "The fallback move was refused.");
}

static bool follow_timeout(struct game_writer *writer, unsigned seat)
{
    struct record_entry entry;
    switch (timeout_policy_find(span_of(writer->game->on_timeout))) {
    case TIMEOUT_QUIET_MOVE:
        return play_fallback_move(writer, seat);
    case TIMEOUT_FALLBACK:
        entry = system_line(RECORD_FALLBACK, seat);
        return system_lines_add(writer, &entry);
    case TIMEOUT_FORFEIT:
        entry = system_line(RECORD_FORFEIT, seat);
        return system_lines_add(writer, &entry);
    default:
        return true;
    }
}

static unsigned lowest(uint32_t seats)
{
    return (unsigned)__builtin_ctz(seats);
}

/* Repeats until no clock has run out: after each time-out the seat has moved, is absent, or is
 * marked as timed out. */
static bool write_timeouts(struct game_writer *writer, unsigned *count)
{
    uint32_t out;
    *count = 0;
    while (writer->replay->phase == REPLAY_PLAYING &&
           (out = replay_timed_out(writer->replay, writer->elapsed_ms)) != 0) {
        const struct record_entry entry = system_line(RECORD_TIMEOUT, lowest(out));
        if (!system_lines_add(writer, &entry) || !follow_timeout(writer, lowest(out)))
            return false;
        ++*count;
    }
    return system_lines_store(writer);
}

/* The time at which the game must be looked at again; DUE_NEVER while no clock runs. */
static int64_t next_due(const struct replay *replay)
{
    unsigned seat;
    int64_t elapsed_ms;
    if (!replay_next_timeout(replay, &seat, &elapsed_ms))
        return DUE_NEVER;
    return time_read(replay->header.start) + elapsed_ms;
}

/* A game to look at, and the time at which it is due again; if `over`, it is removed from the
 * heap. */
struct look {
    struct id game;
    int64_t due_ms;
    bool over;
    unsigned expired; /* time-outs written */
};

/* Writes the time-outs of a game. Does nothing if another service has already written them. */
static void end_time(struct call *call, void *context)
{
    struct look *look = context;
    struct game_row game;
    struct game_writer writer;
    call->id[0] = look->game;
    if (!visibility_find_any_game(call, &look->game, &game))
        return;
    look->over = game.finished;
    if (look->over || !system_lines_begin(call, &game, &writer))
        return;
    if (write_timeouts(&writer, &look->expired)) {
        look->over = writer.replay->phase != REPLAY_PLAYING;
        look->due_ms = next_due(writer.replay);
    }
}

/* Looks at the game in memory. False if the game is not there, or a clock has run out. */
static bool look_from_memory(struct game_clocks *keeper, struct look *look)
{
    if (!game_cache_look(keeper->service->game_cache, &look->game, keeper->copy))
        return false;
    look->over = keeper->copy->phase != REPLAY_PLAYING;
    look->due_ms = next_due(keeper->copy);
    return look->over || look->due_ms > now_ms(CLOCK_REALTIME);
}

/* Looks at a game and sets the time at which it is due again. After a failure, and while a gap
 * cannot be ruled out, the game is tried again later. */
static void look_at(struct game_clocks *keeper, struct look *look)
{
    if (look_from_memory(keeper, look))
        return;
    int64_t now = now_ms(CLOCK_REALTIME);
    struct db *db = game_clocks_serves_game(keeper, &look->game, now)
                        ? db_pool_take(keeper->pool, POOL_WAIT_MS)
                        : NULL;
    if (db == NULL || !transaction_own(keeper->service, db, now, end_time, look))
        *look = (struct look){.game = look->game, .due_ms = now + AGAIN_MS};
    counter_add(&keeper->expired, look->expired);
    if (db != NULL)
        db_pool_give(keeper->pool, db);
}

/* ---- Which games have clocks ---- */

static void add_games(struct game_clocks *keeper, const struct id *games, size_t count)
{
    pthread_mutex_lock(&keeper->lock);
    for (size_t i = 0; i < count; i++)
        due_times_set(keeper->due, &games[i], 0);
    pthread_mutex_unlock(&keeper->lock);
}

/* Adds those of `games` that have clocks, or, if `games` is NULL, all running games with clocks. */
static bool find_games(struct game_clocks *keeper, const struct id *games, size_t count)
{
    struct arena arena = {NULL};
    struct id *found;
    size_t found_count;
    struct db *db = db_pool_take(keeper->pool, POOL_WAIT_MS);
    if (db == NULL)
        return false;
    enum db_status status = db_begin(db, true);
    if (status == DB_OK)
        status = games == NULL ? clock_games(db, &arena, &found, &found_count)
                               : clock_games_among(db, &arena, games, count, &found, &found_count);
    if (status == DB_OK)
        add_games(keeper, found, found_count);
    db_rollback(db);
    db_pool_give(keeper->pool, db);
    arena_free(&arena);
    return status == DB_OK;
}

/* ---- Gaps ---- */

/* A game to be stopped for the time of a gap. */
struct stopping {
    struct id game;
    const struct served *served;
};

static bool add_at(struct game_writer *writer, const struct record_entry *entry, int64_t at_ms)
{
    writer->elapsed_ms = at_ms - writer->game->started_at_ms;
    return system_lines_add(writer, entry);
}

/* Writes the lines `stop server` and `resume`. A game with a line later than the gap has them
 * already, from another service. */
static void stop_clocks(struct call *call, void *context)
{
    const struct stopping *stopping = context;
    const struct served *served = stopping->served;
    const struct record_entry stop = {.kind = RECORD_STOP, .reason = RECORD_REASON_SERVER};
    const struct record_entry resume = {.kind = RECORD_RESUME};
    struct game_row game;
    struct game_writer writer;
    call->id[0] = stopping->game;
    if (!visibility_find_any_game(call, &stopping->game, &game) || game.finished ||
        !system_lines_begin(call, &game, &writer))
        return;
    bool stands = writer.replay->stop != REPLAY_RUNS;
    if (stands || game.started_at_ms + writer.replay->elapsed_ms >= served->gap_to_ms)
        return;
    if (add_at(&writer, &stop, served->gap_from_ms) && add_at(&writer, &resume, served->gap_to_ms))
        system_lines_store(&writer);
}

static bool is_reachable(size_t place)
{
    struct db *lines = line_database_take(place);
    line_database_give(place, lines, DB_OK);
    return lines != NULL;
}

/* Stops the games of the line database at `place`, or, with 0, all games that can be reached. False
 * if the database is away. A game whose record is damaged is left as it is. */
static bool stop_all(struct game_clocks *keeper, struct db *db, const struct served *served,
                     size_t place)
{
    struct arena arena = {NULL};
    struct id *games = NULL;
    size_t count = 0;
    enum db_status status = db_begin(db, true);
    if (status == DB_OK)
        status = clock_games(db, &arena, &games, &count);
    db_rollback(db);
    for (size_t i = 0; i < count && status == DB_OK; i++) {
        struct stopping stopping = {games[i], served};
        if (place != 0 && line_database_of(&games[i]) != place)
            continue;
        if (transaction_own(keeper->service, db, now_ms(CLOCK_REALTIME), stop_clocks, &stopping))
            continue;
        size_t own = line_database_of(&games[i]);
        bool away = own != 0 && !is_reachable(own);
        if (!db_is_open(db) || (place != 0 && away))
            status = DB_UNAVAILABLE;
        else if (away)
            fprintf(stderr,
                    "tillrolld: the clocks of game %s stand until line database %zu is back\n",
                    games[i].text, own);
        else
            fprintf(stderr, "tillrolld: the clocks of game %s cannot be stopped\n", games[i].text);
    }
    arena_free(&arena);
    return status == DB_OK;
}

static enum db_status store_served(struct db *db, struct served *served, bool gap_is_over)
{
    int64_t now = now_ms(CLOCK_REALTIME);
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = served_lock(db, served);
    if (gap_is_over)
        *served = (struct served){.at_ms = now};
    if (served->gap_to_ms == 0 && now - served->at_ms > TIMEKEEPER_GAP_MS) {
        served->gap_from_ms = served->at_ms;
        served->gap_to_ms = now;
    }
    if (served->gap_to_ms == 0 && served->at_ms < now)
        served->at_ms = now;
    if (status == DB_OK)
        status = served_store(db, served);
    if (status == DB_OK)
        return db_commit(db);
    db_rollback(db);
    return status;
}

/* Reports that the line database at `place` is back, after stopping its games for the gap, so that
 * no time-out is written before. Gaps before the start of this service are unknown, except a gap of
 * all services, which is in `served`. */
static bool beat_place(struct game_clocks *keeper, struct db *db, size_t place,
                       const struct served *served)
{
    int64_t *from_ms = &keeper->place_from_ms[place - 1];
    int64_t seen_ms = line_database_seen_ms(place);
    if (*from_ms == 0)
        *from_ms = seen_ms != 0 ? seen_ms - 1 : now_ms(CLOCK_REALTIME);
    if (served->gap_to_ms != 0 && served->gap_from_ms < *from_ms)
        *from_ms = served->gap_from_ms;
    if (seen_ms <= *from_ms)
        return false;
    const struct served gap = {.gap_from_ms = *from_ms, .gap_to_ms = seen_ms};
    if (seen_ms - *from_ms > TIMEKEEPER_GAP_MS && !stop_all(keeper, db, &gap, place))
        return false;
    *from_ms = seen_ms;
    atomic_store(&keeper->place_until_ms[place - 1], seen_ms + TIMEKEEPER_GAP_MS);
    return true;
}

/* Reports that this service is running. False if a database is away. */
static bool beat(struct game_clocks *keeper)
{
    struct served served = {.at_ms = 0};
    int64_t now = now_ms(CLOCK_REALTIME);
    struct db *db = db_pool_take(keeper->pool, POOL_WAIT_MS);
    if (db == NULL)
        return false;
    bool done = store_served(db, &served, false) == DB_OK;
    const struct served found = served;
    if (done && served.gap_to_ms != 0)
        done = stop_all(keeper, db, &served, 0) && store_served(db, &served, true) == DB_OK;
    if (done)
        atomic_store(&keeper->serves_until_ms, now + TIMEKEEPER_GAP_MS);
    bool all = done;
    for (size_t place = 1; done && place <= line_databases_count(); place++)
        all = beat_place(keeper, db, place, &found) && all;
    db_pool_give(keeper->pool, db);
    return all;
}

/* ---- The thread ---- */

/* The lock is held, and released during the query. */
static void find_newcomers(struct game_clocks *keeper)
{
    struct id *games = keeper->newcomers;
    size_t count = keeper->newcomer_count;
    bool all = keeper->reload;
    struct id *room = calloc(NEWCOMERS_MAX, sizeof *room);
    if (room == NULL)
        abort();
    keeper->newcomers = room;
    keeper->newcomer_count = 0;
    keeper->reload = false;
    pthread_mutex_unlock(&keeper->lock);
    bool found = find_games(keeper, all ? NULL : games, count);
    free(games);
    pthread_mutex_lock(&keeper->lock);
    keeper->reload = keeper->reload || !found;
    if (!found)
        keeper->find_at_ms = now_ms(CLOCK_REALTIME) + AGAIN_MS;
}

/* The lock is held, and released for the look. A change in the meantime makes the game due at once,
 * and the result of the look is dropped. */
static void look_at_first(struct game_clocks *keeper, const struct id *game)
{
    struct look look = {.game = *game, .due_ms = DUE_NEVER};
    int64_t at_ms = DUE_NEVER;
    due_times_move(keeper->due, game, DUE_NEVER);
    pthread_mutex_unlock(&keeper->lock);
    look_at(keeper, &look);
    pthread_mutex_lock(&keeper->lock);
    due_times_get(keeper->due, game, &at_ms);
    if (look.over)
        due_times_remove(keeper->due, game);
    else if (at_ms == DUE_NEVER)
        due_times_move(keeper->due, game, look.due_ms);
}

/* Waits for a change or for `until_ms`. The lock is held. */
static void wait_until(struct game_clocks *keeper, int64_t until_ms)
{
    int64_t wait_ms = until_ms - now_ms(CLOCK_REALTIME);
    if (wait_ms < 0)
        return;
    const struct timespec until = moment_in(wait_ms);
    (void)pthread_cond_timedwait(&keeper->wake, &keeper->lock, &until);
}

static void beat_if_due(struct game_clocks *keeper)
{
    if (now_ms(CLOCK_REALTIME) < keeper->beat_at_ms)
        return;
    pthread_mutex_unlock(&keeper->lock);
    bool done = beat(keeper);
    pthread_mutex_lock(&keeper->lock);
    keeper->beat_at_ms = now_ms(CLOCK_REALTIME) + (done ? TIMEKEEPER_BEAT_MS : AGAIN_MS);
}

/* Does one task that is due, or waits. The lock is held. */
static void take_turn(struct game_clocks *keeper)
{
    struct id game;
    int64_t until_ms = DUE_NEVER;
    bool finds = keeper->reload || keeper->newcomer_count > 0;
    if (finds && now_ms(CLOCK_REALTIME) >= keeper->find_at_ms) {
        find_newcomers(keeper);
        return;
    }
    due_times_first(keeper->due, &game, &until_ms);
    if (until_ms <= now_ms(CLOCK_REALTIME)) {
        look_at_first(keeper, &game);
        return;
    }
    if (until_ms > keeper->beat_at_ms)
        until_ms = keeper->beat_at_ms;
    if (finds && until_ms > keeper->find_at_ms)
        until_ms = keeper->find_at_ms;
    wait_until(keeper, until_ms);
}

static void *run(void *context)
{
    struct game_clocks *keeper = context;
    if (!thread_wait_turn())
        return NULL;
    pthread_mutex_lock(&keeper->lock);
    while (!keeper->ending) {
        beat_if_due(keeper);
        if (!keeper->ending)
            take_turn(keeper);
    }
    pthread_mutex_unlock(&keeper->lock);
    return NULL;
}

/* ---- Beginning and end ---- */

struct game_clocks *game_clocks_new(struct service *service, const char *database)
{
    struct game_clocks *keeper = calloc(1, sizeof *keeper);
    if (keeper == NULL)
        abort();
    condition_init(&keeper->wake);
    pthread_mutex_init(&keeper->lock, NULL);
    keeper->service = service;
    keeper->reload = true;
    keeper->due = due_times_new();
    keeper->pool = db_pool_new(database, true, 1);
    keeper->copy = calloc(1, sizeof *keeper->copy);
    keeper->newcomers = calloc(NEWCOMERS_MAX, sizeof *keeper->newcomers);
    if (keeper->copy == NULL || keeper->newcomers == NULL)
        abort();
    return keeper;
}

bool game_clocks_start(struct game_clocks *keeper)
{
    keeper->started = thread_start(&keeper->thread, run, keeper);
    return keeper->started;
}

void game_clocks_stop(struct game_clocks *keeper)
{
    if (keeper == NULL || !keeper->started)
        return;
    pthread_mutex_lock(&keeper->lock);
    keeper->ending = true;
    pthread_cond_signal(&keeper->wake);
    pthread_mutex_unlock(&keeper->lock);
    pthread_join(keeper->thread, NULL);
    keeper->started = false;
}

void game_clocks_free(struct game_clocks *keeper)
{
    if (keeper == NULL)
        return;
    game_clocks_stop(keeper);
    due_times_free(keeper->due);
    db_pool_free(keeper->pool);
    pthread_cond_destroy(&keeper->wake);
    pthread_mutex_destroy(&keeper->lock);
    sodium_memzero(keeper->copy, sizeof *keeper->copy);
    free(keeper->copy);
    free(keeper->newcomers);
    free(keeper);
}
