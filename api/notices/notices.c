#include "api/notices/notices.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/notices/notice.h"
#include "api/notices/senders.h"
#include "api/notices/turns.h"
#include "api/work/ticker.h"
#include "db/lines/line_databases.h"
#include "db/link/now.h"
#include "db/link/thread.h"
#include "db/store/people/notices.h"

enum {
    CONNECTIONS = 2, /* in total: none is held during deliveries */
    POOL_WAIT_MS = 1000,
    COUNT_MS = 5000,    /* between counts of waiting notices */
    CHANGED_MAX = 8192, /* changed games waiting to be looked at; beyond that, all games are */
    SLOTS = 2 * CHANGED_MAX,
    REST_MS = 500,       /* minimum between looks at one game */
    QUIET_MS = 150,      /* time without a change before a game is looked at; */
    BUSY_MS = 2000,      /* but a game that changes all the time is looked at after this */
    GAMES_AT_ONCE = 128, /* per transaction */
    SCAN_MS = 10000,     /* between looks at all watched games */
    SCAN_MOST = 1024     /* games found by one of these looks */
};

/* A game that has changed. It is looked at when it has not changed for a moment: a player who
 * answers at once is at the table, and needs no notice of a turn that is over before the notice
 * arrives. After a look the game stays in the list for REST_MS, so that a fast game is not looked
 * at for each of its plies. All times are of CLOCK_MONOTONIC. */
struct changed_game {
    struct id game;
    bool changed;      /* since the last look */
    int64_t from_ms;   /* earliest time of the next look */
    int64_t latest_ms; /* latest time of the next look, if it has changed */
};

struct notices {
    struct notices_config config;
    struct notice_channel channels[NOTICE_CHANNELS];
    const char *names[NOTICE_CHANNELS + 1]; /* of the channels */
    struct db_pool *pool;
    struct ticker *fan_out;
    struct replay *copy; /* the fan-out's scratch copy of a game */
    int64_t scan_at_ms;  /* the fan-out's: time of the next look at all watched games */
    int64_t count_at_ms; /* the fan-out's: time of the next count of waiting notices */
    struct senders *senders;
    _Atomic bool watching;            /* at least one game is watched */
    pthread_mutex_t lock;             /* protects the members below */
    bool scan;                        /* changes may have been missed: look at all watched games */
    struct changed_game *changed;     /* each game once */
    unsigned short changed_at[SLOTS]; /* a hash table: 1 + index in `changed`; 0 = empty */
    size_t changed_count;
};

/* ---- Changes ---- */

/* The slot that has the game, or where it would be added. The table is never full. Ids are chosen
 * by the server and random at their ends. */
static unsigned short *slot_of(struct notices *notices, const struct id *game)
{
    uint64_t last;
    memcpy(&last, game->text + sizeof game->text - 1 - sizeof last, sizeof last);
    size_t i = last * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (SLOTS - 1);
    while (notices->changed_at[i] != 0 &&
           !id_equal(&notices->changed[notices->changed_at[i] - 1].game, game))
        i = (i + 1) & (SLOTS - 1);
    return &notices->changed_at[i];
}

static void note_change(struct changed_game *game, int64_t now)
{
    int64_t quiet_ms = now + QUIET_MS;
    if (quiet_ms < game->from_ms) /* it has just been looked at */
        quiet_ms = game->from_ms;
    if (!game->changed)
        game->latest_ms = quiet_ms + BUSY_MS;
    game->changed = true;
    game->from_ms = quiet_ms < game->latest_ms ? quiet_ms : game->latest_ms;
}

static void on_game(void *context, const struct id *game, unsigned seq)
{
    struct notices *notices = context;
    (void)seq;
    if (!atomic_load_explicit(&notices->watching, memory_order_relaxed))
        return;
    int64_t now = now_ms(CLOCK_MONOTONIC);
    pthread_mutex_lock(&notices->lock);
    unsigned short *slot = slot_of(notices, game);
    if (*slot == 0 && notices->changed_count < CHANGED_MAX) {
        notices->changed[notices->changed_count++] = (struct changed_game){.game = *game};
        *slot = (unsigned short)notices->changed_count;
    }
    if (*slot != 0)
        note_change(&notices->changed[*slot - 1], now);
    else
        notices->scan = true;
    pthread_mutex_unlock(&notices->lock);
}

static void on_all(void *context)
{
    struct notices *notices = context;
    pthread_mutex_lock(&notices->lock);
    notices->scan = true;
    pthread_mutex_unlock(&notices->lock);
}

struct change_bus_subscriber notices_subscriber(struct notices *notices)
{
    return (struct change_bus_subscriber){.context = notices, .game = on_game, .all = on_all};
}

static void report(struct db *db, enum db_status status, const char *what)
{
    if (status == DB_ERROR)
        fprintf(stderr, "tillrolld: %s: %s\n", what, db_last_error(db));
}

/* ---- Causes ---- */

/* Turns at most `limit` causes into notices, in one transaction, and sets `count` to their
 * number. */
static enum db_status process_some(struct notices *notices, struct db *db, size_t limit,
                                   size_t *count)
{
    struct arena arena = {NULL};
    int64_t *causes = NULL;
    *count = 0;
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = notice_causes_take(db, &arena, limit, &causes, count);
    if (status == DB_OK && *count > 0)
        status = notice_causes_notify(db, causes, *count, notices->names);
    if (status == DB_OK)
        status = db_commit(db);
    db_rollback(db);
    report(db, status, "what has happened could not be turned into notices");
    if (status == DB_ERROR && *count == 1 && db_begin(db, false) == DB_OK) {
        if (notice_cause_failed(db, causes[0]) == DB_OK)
            (void)db_commit(db);
        db_rollback(db);
    }
    if (status == DB_OK && *count > 0)
        senders_wake(notices->senders);
    arena_free(&arena);
    return status;
}

/* Turns all causes into notices. If one of a group fails, the causes are processed one by one. */
static void process_causes(struct notices *notices, struct ticker *ticker, struct db *db)
{
    size_t limit = NOTICE_CAUSES_MOST;
    size_t count;
    size_t singly = 0;
    do {
        enum db_status status = process_some(notices, db, limit, &count);
        if (status == DB_ERROR && limit > 1) {
            limit = 1;
            singly = NOTICE_CAUSES_MOST;
            continue;
        }
        if (status != DB_OK && status != DB_ERROR && status != DB_RETRY)
            return;
        if (singly > 0 && --singly == 0)
            limit = NOTICE_CAUSES_MOST;
    } while (count == limit && !ticker_is_ending(ticker));
}

/* ---- Turns ---- */

/* The games looked at in one transaction, and the turns found. */
struct look {
    struct notices *notices;
    struct db *db;
    struct arena *arena;
    int64_t now_ms;
    struct notice_turn turns[2 * GAMES_AT_ONCE * GAME_SEATS_MAX];
    size_t turn_count;
    bool low; /* a clock is low already */
};

/* Adds the turn of a seat. A seat whose player's id is not valid has no player to notify. */
static void add_turn(struct look *look, const struct replay *replay, const struct id *game,
                     unsigned seat)
{
    struct notice_turn turn = {.kind = NOTICE_YOUR_TURN, .game = *game};
    if (!id_parse(span_of(replay->header.seat[seat].player), &turn.player))
        return;
    turn.about = notice_about_seat(look->arena, &replay->header, seat);
    look->turns[look->turn_count++] = turn;
    int64_t left_ms = turns_left_ms(replay, seat, look->now_ms);
    int64_t low_ms = turns_low_ms(replay);
    if (left_ms < 0 || low_ms == 0)
        return;
    look->low = look->low || left_ms <= low_ms;
    turn.kind = NOTICE_CLOCK_LOW;
    turn.in_ms = left_ms > low_ms ? left_ms - low_ms : 0;
    look->turns[look->turn_count++] = turn;
}

/* Reads the rows that were added to the records of the games with notified turns, in the order of
 * the games. */
static enum db_status read_parts(struct look *look, const struct notice_watch *watches,
                                 size_t count, struct record_part **parts)
{
    size_t used = 0;
    *parts = arena_array(look->arena, count, sizeof **parts);
    for (size_t i = 0; i < count; i++)
        if (watches[i].told != 0)
            (*parts)[used++] = (struct record_part){.game = &watches[i].game,
                                                    .from = (unsigned)(watches[i].seq + 1)};
    return used == 0 ? DB_OK : record_read_parts(look->db, look->arena, *parts, used);
}

/* The rows after the mark, up to the last one of the replay, which may be newer than `part`. */
static enum db_status rows_of(struct look *look, const struct notice_watch *watch,
                              const struct record_part *part, int last, struct record_row **rows,
                              size_t *count)
{
    enum db_status status = DB_OK;
    *rows = part->rows;
    *count = part->count;
    if (*count == 0 || (*rows)[0].seq != part->from || (int)(*rows)[*count - 1].seq < last)
        status = record_read(look->db, look->arena, &watch->game, watch->seq, rows, count);
    while (status == DB_OK && *count > 0 && (int)(*rows)[*count - 1].seq > last)
        --*count;
    return status;
}

/* Looks at one game and advances its mark. `part`: its new rows, if it has notified turns. */
static enum db_status look_at(struct look *look, struct notice_watch *watch,
                              const struct record_part *part)
{
    struct record_result result;
    struct record_row *rows = NULL;
    size_t count = 0;
    const struct notices_config *config = &look->notices->config;
    const struct replay *replay =
        turns_replay(config->game_cache, config->keys, look->db, look->arena, &watch->game,
                     look->notices->copy, &result);
    /* If only the game's line database is away, the next look at all games finds the game. */
    if (replay == NULL && result.status == STORED_RECORD_DATABASE &&
        result.database == DB_UNAVAILABLE && line_database_of(&watch->game) != 0 &&
        db_is_open(look->db))
        return DB_OK;
    if (replay == NULL)
        return result.status == STORED_RECORD_DATABASE ? result.database
                                                       : notice_watch_end(look->db, &watch->game);
    int last = game_cache_last_row(replay);
    if (last <= watch->seq)
        return DB_OK;
    uint32_t awaits = replay_awaits(replay);
    enum db_status status = DB_OK;
    if (part != NULL && (awaits & watch->told) != 0)
        status = rows_of(look, watch, part, last, &rows, &count);
    if (status != DB_OK)
        return status;
    uint32_t fresh = turns_new(replay, watch->told, rows, count);
    for (unsigned seat = 0; seat < replay->header.seats; seat++)
        if ((fresh >> seat & 1) != 0)
            add_turn(look, replay, &watch->game, seat);
    watch->seq = last;
    watch->told = awaits;
    return DB_OK;
}

/* Adds rows to the outbox, of which the senders of this service take some at once. */
static enum db_status add_turns(struct look *look, struct senders_turns **turns)
{
    struct notices *notices = look->notices;
    struct outbox_notice *taken = NULL;
    size_t count = 0;
    unsigned lease_ms[NOTICE_CHANNELS] = {0};
    *turns = senders_turns_begin(notices->senders, look->turn_count, lease_ms);
    enum db_status status = notice_turns_add(look->db, look->arena, look->turns, look->turn_count,
                                             notices->names, lease_ms, &taken, &count);
    return status == DB_OK ? senders_turns_make(*turns, look->db, taken, count, &notices->copy)
                           : status;
}

static void look_at_games(struct notices *notices, struct db *db, const struct id *games,
                          size_t count)
{
    struct arena arena = {NULL};
    struct notice_watch *watches = NULL;
    size_t found = 0;
    struct look *look = arena_take(&arena, sizeof *look);
    *look = (struct look){
        .notices = notices, .db = db, .arena = &arena, .now_ms = now_ms(CLOCK_REALTIME)};
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = notice_watch_take(db, &arena, games, count, &watches, &found);
    struct record_part *parts = NULL;
    if (status == DB_OK)
        status = read_parts(look, watches, found, &parts);
    size_t looked = 0; /* games at the front; the records of the others cannot be read */
    const struct record_part *part = parts;
    for (size_t i = 0; i < found && status == DB_OK; i++) {
        bool told = watches[i].told != 0;
        status = look_at(look, &watches[i], told ? part++ : NULL);
        if (watches[i].seq >= 0)
            watches[looked++] = watches[i];
    }
    struct senders_turns *turns = NULL;
    if (status == DB_OK && look->turn_count > 0)
        status = add_turns(look, &turns);
    if (status == DB_OK && looked > 0)
        status = notice_watch_store(db, watches, looked);
    if (status == DB_OK)
        status = db_commit(db);
    db_rollback(db);
    report(db, status, "turns could not be looked at");
    if (turns != NULL)
        senders_turns_end(turns, status);
    if (status != DB_OK)
        on_all(notices);
    else if (look->low)
        senders_wake(notices->senders);
    arena_free(&arena);
}

/* Looks at the games, in several transactions if there are many. */
static void look_at_all(struct notices *notices, struct db *db, const struct id *games,
                        size_t count)
{
    for (size_t i = 0; i < count; i += GAMES_AT_ONCE)
        look_at_games(notices, db, games + i,
                      count - i < GAMES_AT_ONCE ? count - i : GAMES_AT_ONCE);
}

/* Looks at games that have never been looked at, and with `all` at all those behind their records.
 * False if the database is away. */
static bool find_games(struct notices *notices, struct db *db, bool all)
{
    struct arena arena = {NULL};
    struct id *games = NULL;
    size_t count = 0;
    enum db_status status = db_begin(db, true);
    if (status == DB_OK)
        status = notice_watch_behind(db, &arena, all, SCAN_MOST, &games, &count);
    db_rollback(db);
    look_at_all(notices, db, games, count);
    if (count == SCAN_MOST)
        on_all(notices);
    report(db, status, "watched games could not be found");
    arena_free(&arena);
    return status == DB_OK;
}

/* Fills `games` with the games to look at now, and returns their number. `games` has room for all
 * of `changed`. Games that have not changed since REST_MS after their look are removed. The lock is
 * held. */
static size_t take_changed(struct notices *notices, struct id *games)
{
    int64_t now = now_ms(CLOCK_MONOTONIC);
    size_t count = 0;
    size_t kept = 0;
    for (size_t i = 0; i < notices->changed_count; i++) {
        struct changed_game game = notices->changed[i];
        if (game.from_ms <= now && !game.changed)
            continue;
        if (game.from_ms <= now) {
            games[count++] = game.game;
            game.changed = false;
            game.from_ms = now + REST_MS;
        }
        notices->changed[kept++] = game;
    }
    memset(notices->changed_at, 0, sizeof notices->changed_at);
    notices->changed_count = kept;
    for (size_t i = 0; i < kept; i++)
        *slot_of(notices, &notices->changed[i].game) = (unsigned short)(i + 1);
    return count;
}

static void look_at_changed(struct notices *notices, struct db *db)
{
    size_t count = 0;
    struct id *games = NULL;
    pthread_mutex_lock(&notices->lock);
    if (notices->changed_count > 0) {
        games = must(malloc(notices->changed_count * sizeof *games));
        count = take_changed(notices, games);
    }
    pthread_mutex_unlock(&notices->lock);
    look_at_all(notices, db, games, count);
    free(games);
}

/* Finds out what there is to do, and sometimes counts the waiting notices. False if the database is
 * away. */
static bool look_for_work(struct notices *notices, struct db *db, struct notice_work *work)
{
    int64_t now = now_ms(CLOCK_MONOTONIC);
    enum db_status status = db_begin(db, true);
    if (status == DB_OK)
        status = notice_work_get(db, notices->names, work);
    if (status == DB_OK && now >= notices->count_at_ms) {
        status = senders_count(notices->senders, db);
        notices->count_at_ms = now + COUNT_MS;
    }
    db_rollback(db);
    report(db, status, "what has happened could not be looked for");
    if (status == DB_OK)
        atomic_store(&notices->watching, work->watched);
    if (status == DB_OK && work->due)
        senders_wake(notices->senders);
    return status == DB_OK;
}

/* Looks at watched games if that is due, or if `some` have never been looked at. */
static void find_watched(struct notices *notices, struct db *db, bool some)
{
    pthread_mutex_lock(&notices->lock);
    bool all = notices->scan || now_ms(CLOCK_MONOTONIC) >= notices->scan_at_ms;
    notices->scan = false;
    pthread_mutex_unlock(&notices->lock);
    if (!all && !some)
        return;
    if (!find_games(notices, db, all))
        on_all(notices);
    else if (all)
        notices->scan_at_ms = now_ms(CLOCK_MONOTONIC) + SCAN_MS;
}

static void fan_out(struct ticker *ticker, void *context)
{
    struct notices *notices = context;
    struct notice_work work;
    thread_give_way();
    struct db *db = db_pool_take(notices->pool, POOL_WAIT_MS);
    if (db == NULL)
        return;
    if (look_for_work(notices, db, &work)) {
        if (work.happened)
            process_causes(notices, ticker, db);
        look_at_changed(notices, db);
        if (work.watched)
            find_watched(notices, db, work.unseen || work.happened);
    } else {
        on_all(notices);
    }
    db_pool_give(notices->pool, db);
}

/* ---- Beginning and end ---- */

struct notices *notices_new(const struct notices_config *config)
{
    struct notices *notices = must(calloc(1, sizeof *notices));
    notices->config = *config;
    notices->config.channels = notices->channels;
    for (size_t i = 0; i < config->channel_count; i++) {
        notices->channels[i] = config->channels[i];
        notices->names[i] = config->channels[i].name;
    }
    notices->changed = must(calloc(CHANGED_MAX, sizeof *notices->changed));
    notices->copy = turns_replay_new();
    pthread_mutex_init(&notices->lock, NULL);
    notices->pool = db_pool_new(config->database, true, CONNECTIONS);
    notices->senders = senders_new(&notices->config, notices->pool);
    notices->fan_out = ticker_new(notices->config.interval_ms, fan_out, notices);
    if (notices->fan_out != NULL)
        return notices;
    notices_free(notices);
    return NULL;
}

void notices_free(struct notices *notices)
{
    if (notices == NULL)
        return;
    ticker_free(notices->fan_out);
    senders_free(notices->senders);
    db_pool_free(notices->pool);
    pthread_mutex_destroy(&notices->lock);
    turns_replay_free(notices->copy);
    free(notices->changed);
    free(notices);
}

const char *const *notices_names(const struct notices *notices)
{
    return notices->names;
}

size_t notices_channels(const struct notices *notices)
{
    return notices->config.channel_count;
}

struct notices_figures notices_figures(const struct notices *notices, size_t channel)
{
    return senders_figures(notices->senders, channel);
}
