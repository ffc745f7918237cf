#include "api/notices/notices.h"

#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/notices/notice.h"
#include "api/notices/turns.h"
#include "api/work/ticker.h"
#include "db/link/now.h"
#include "engine/base/counter.h"

enum {
    CONNECTIONS = 2, /* in all: none is kept while something is handed over */
    POOL_WAIT_MS = 1000,
    COUNT_MS = 5000,    /* between counts of what waits */
    SENDER_MS = 60000,  /* senders are woken */
    CHANGED_MAX = 8192, /* games that were heard of and not looked at; beyond, all are */
    SLOTS = 2 * CHANGED_MAX,
    REST_MS = 500,      /* between looks at one game */
    GAMES_AT_ONCE = 64, /* in one transaction */
    SCAN_MS = 10000,    /* between looks at all watched games */
    SCAN_MOST = 1024,   /* games found by one of them */
    DELAY_MOST_MS = 3600000,
    LEASE_MARGIN_MS = 5000 /* for the database, before and after handing over */
};

/* A thread that hands over the notices of a channel. As many look for what is due as are handing
 * over, and one more: each begins when it is needed first. */
struct sender {
    struct notices *notices;
    const struct notice_channel *channel;
    struct line *line;
    struct ticker *ticker;
    struct replay *copy; /* to look at games with, when it is needed first */
    unsigned index;
};

/* A channel's senders, and what they count. */
struct line {
    struct counter waiting, delivered, deferred, failed, dropped;
    _Atomic unsigned delivering; /* how many are handing over */
    _Atomic bool busy;           /* something may be due */
};

/* A game that was heard of. Once it was looked at it stays in the list for REST_MS, so that a game
 * that is played fast is not looked at for each of its plies. */
struct heard {
    struct id game;
    bool changed;    /* since it was looked at */
    int64_t from_ms; /* when it may be looked at */
};

struct notices {
    struct notices_config config;
    struct notice_channel channels[NOTICE_CHANNELS];
    const char *names[NOTICE_CHANNELS + 1]; /* of the channels */
    struct db_pool *pool;
    struct ticker *fan_out;
    struct replay *copy; /* the fan-out's */
    int64_t scan_at_ms;  /* likewise, as is */
    int64_t count_at_ms; /* when to count what waits again */
    struct line lines[NOTICE_CHANNELS];
    struct sender *senders;
    size_t sender_count;
    _Atomic bool watching;          /* some game is watched */
    pthread_mutex_t lock;           /* of what follows, and of whether a sender has begun */
    bool ending;                    /* none begins any more */
    bool scan;                      /* anything may have changed unheard */
    struct heard *heard;            /* each game once */
    unsigned short heard_at[SLOTS]; /* a hash table of them: 1 + the place of each; 0 = empty */
    size_t heard_count;
};

/* ---- Changes ---- */

/* Where the game is in the table, or belongs. There is always room. The server chose the ids, which
 * are random at their ends. */
static unsigned short *slot_of(struct notices *notices, const struct id *game)
{
    uint64_t last;
    memcpy(&last, game->text + sizeof game->text - 1 - sizeof last, sizeof last);
    size_t i = last * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (SLOTS - 1);
    while (notices->heard_at[i] != 0 &&
           !id_equal(&notices->heard[notices->heard_at[i] - 1].game, game))
        i = (i + 1) & (SLOTS - 1);
    return &notices->heard_at[i];
}

static void on_game(void *context, const struct id *game, unsigned seq)
{
    struct notices *notices = context;
    (void)seq;
    if (!atomic_load_explicit(&notices->watching, memory_order_relaxed))
        return;
    pthread_mutex_lock(&notices->lock);
    unsigned short *slot = slot_of(notices, game);
    if (*slot != 0) {
        notices->heard[*slot - 1].changed = true;
    } else if (notices->heard_count < CHANGED_MAX) {
        notices->heard[notices->heard_count++] = (struct heard){.game = *game, .changed = true};
        *slot = (unsigned short)notices->heard_count;
    } else {
        notices->scan = true;
    }
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

static void send_due(struct ticker *ticker, void *context);

/* A thread that the system does not have now is asked for again when something is due again. */
static void wake_sender(struct sender *sender)
{
    struct notices *notices = sender->notices;
    pthread_mutex_lock(&notices->lock);
    if (sender->ticker != NULL)
        ticker_wake(sender->ticker);
    else if (!notices->ending)
        sender->ticker = ticker_new(SENDER_MS, send_due, sender);
    pthread_mutex_unlock(&notices->lock);
}

/* Something in the outbox may be due. */
static void wake_senders(struct notices *notices)
{
    for (size_t i = 0; i < notices->config.channel_count; i++)
        atomic_store(&notices->lines[i].busy, true);
    for (size_t i = 0; i < notices->sender_count; i++)
        if (notices->senders[i].index <= atomic_load(&notices->senders[i].line->delivering))
            wake_sender(&notices->senders[i]);
}

/* ---- Causes ---- */

/* One transaction, of at most `limit` causes: how many there were. */
static enum db_status tell_some(struct notices *notices, struct db *db, size_t limit, size_t *count)
{
    struct arena arena = {NULL};
    int64_t *causes = NULL;
    *count = 0;
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = notice_causes_take(db, &arena, limit, &causes, count);
    if (status == DB_OK && *count > 0)
        status = notice_causes_tell(db, causes, *count, notices->names);
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
        wake_senders(notices);
    arena_free(&arena);
    return status;
}

/* Where one of many fails, the others are told of one by one. */
static void tell_causes(struct notices *notices, struct ticker *ticker, struct db *db)
{
    size_t limit = NOTICE_CAUSES_MOST;
    size_t count;
    size_t singly = 0;
    do {
        enum db_status status = tell_some(notices, db, limit, &count);
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

/* The games that are looked at in one transaction. */
struct look {
    struct notices *notices;
    struct db *db;
    struct arena *arena;
    int64_t now_ms;
    struct notice_turn turns[2 * GAMES_AT_ONCE * GAME_SEATS_MAX];
    size_t turn_count;
};

/* The game as the transaction sees it, or newer. NULL with the result. */
static const struct replay *replay_of(const struct notices *notices, struct db *db,
                                      struct arena *arena, const struct id *game,
                                      struct replay *room, struct record_result *result)
{
    struct replay *replay = room;
    *result = (struct record_result){.status = STORED_RECORD_OK};
    if (!game_cache_look(notices->config.game_cache, game, room))
        *result = game_cache_load(notices->config.game_cache, notices->config.keys, db, arena, game,
                                  &replay);
    return result->status == STORED_RECORD_OK ? replay : NULL;
}

static void add_turn(struct look *look, const struct replay *replay, const struct id *game,
                     unsigned seat)
{
    look->turns[look->turn_count++] =
        (struct notice_turn){.kind = NOTICE_YOUR_TURN, .game = *game, .seat = seat};
    int64_t left_ms = turns_left_ms(replay, seat, look->now_ms);
    int64_t low_ms = turns_low_ms(replay);
    if (left_ms < 0 || low_ms == 0)
        return;
    look->turns[look->turn_count++] =
        (struct notice_turn){.kind = NOTICE_CLOCK_LOW,
                             .game = *game,
                             .seat = seat,
                             .in_ms = left_ms > low_ms ? left_ms - low_ms : 0};
}

/* Moves the mark of one game on. */
static enum db_status look_at(struct look *look, struct notice_watch *watch)
{
    struct record_result result;
    struct record_row *rows = NULL;
    size_t count = 0;
    const struct replay *replay =
        replay_of(look->notices, look->db, look->arena, &watch->game, look->notices->copy, &result);
    if (replay == NULL)
        return result.status == STORED_RECORD_DATABASE ? result.database
                                                       : notice_watch_end(look->db, &watch->game);
    int last = game_cache_last_row(replay);
    if (last <= watch->seq)
        return DB_OK;
    uint32_t awaits = replay_awaits(replay);
    enum db_status status = DB_OK;
    if ((awaits & watch->told) != 0)
        status = record_read(look->db, look->arena, &watch->game, watch->seq, &rows, &count);
    if (status != DB_OK)
        return status;
    while (count > 0 && (int)rows[count - 1].seq > last)
        count--;
    uint32_t fresh = turns_new(replay, watch->told, rows, count);
    for (unsigned seat = 0; seat < replay->header.seats; seat++)
        if ((fresh >> seat & 1) != 0)
            add_turn(look, replay, &watch->game, seat);
    watch->seq = last;
    watch->told = awaits;
    return DB_OK;
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
    size_t looked = 0; /* those at the front; the others have a record that cannot be read */
    for (size_t i = 0; i < found && status == DB_OK; i++) {
        status = look_at(look, &watches[i]);
        if (watches[i].seq >= 0)
            watches[looked++] = watches[i];
    }
    if (status == DB_OK && look->turn_count > 0)
        status = notice_turns_add(db, look->turns, look->turn_count, notices->names);
    if (status == DB_OK && looked > 0)
        status = notice_watch_store(db, watches, looked);
    if (status == DB_OK)
        status = db_commit(db);
    db_rollback(db);
    report(db, status, "turns could not be looked at");
    if (status != DB_OK)
        on_all(notices);
    else if (look->turn_count > 0)
        wake_senders(notices);
    arena_free(&arena);
}

/* Those that nobody has looked at, or that are behind. False if the database is away. */
static bool find_games(struct notices *notices, struct db *db, bool all)
{
    struct arena arena = {NULL};
    struct id *games = NULL;
    size_t count = 0;
    enum db_status status = db_begin(db, true);
    if (status == DB_OK)
        status = notice_watch_behind(db, &arena, all, SCAN_MOST, &games, &count);
    db_rollback(db);
    for (size_t i = 0; i < count; i += GAMES_AT_ONCE)
        look_at_games(notices, db, games + i,
                      count - i < GAMES_AT_ONCE ? count - i : GAMES_AT_ONCE);
    if (count == SCAN_MOST)
        on_all(notices);
    report(db, status, "watched games could not be found");
    arena_free(&arena);
    return status == DB_OK;
}

/* Those that are to be looked at now: how many. `games` has room for all that were heard of. Games
 * that have rested are forgotten. The lock is held. */
static size_t take_changed(struct notices *notices, struct id *games)
{
    int64_t now = now_ms(CLOCK_MONOTONIC);
    size_t count = 0;
    size_t kept = 0;
    for (size_t i = 0; i < notices->heard_count; i++) {
        struct heard heard = notices->heard[i];
        if (heard.from_ms <= now && !heard.changed)
            continue;
        if (heard.from_ms <= now) {
            games[count++] = heard.game;
            heard.changed = false;
            heard.from_ms = now + REST_MS;
        }
        notices->heard[kept++] = heard;
    }
    memset(notices->heard_at, 0, sizeof notices->heard_at);
    notices->heard_count = kept;
    for (size_t i = 0; i < kept; i++)
        *slot_of(notices, &notices->heard[i].game) = (unsigned short)(i + 1);
    return count;
}

static void look_at_changed(struct notices *notices, struct db *db)
{
    size_t count = 0;
    struct id *games = NULL;
    pthread_mutex_lock(&notices->lock);
    if (notices->heard_count > 0) {
        games = malloc(notices->heard_count * sizeof *games);
        if (games == NULL)
            abort();
        count = take_changed(notices, games);
    }
    pthread_mutex_unlock(&notices->lock);
    for (size_t i = 0; i < count; i += GAMES_AT_ONCE)
        look_at_games(notices, db, games + i,
                      count - i < GAMES_AT_ONCE ? count - i : GAMES_AT_ONCE);
    free(games);
}

/* Whether there is anything to do. False if the database is away. */
static bool look_for_work(struct notices *notices, struct db *db, struct notice_work *work)
{
    enum db_status status = db_begin(db, true);
    if (status == DB_OK)
        status = notice_work_get(db, notices->names, work);
    db_rollback(db);
    report(db, status, "what has happened could not be looked for");
    if (status == DB_OK)
        atomic_store(&notices->watching, work->watched);
    if (status == DB_OK && work->due)
        wake_senders(notices);
    return status == DB_OK;
}

static void find_all_games(struct notices *notices, struct db *db)
{
    pthread_mutex_lock(&notices->lock);
    bool all = notices->scan || now_ms(CLOCK_MONOTONIC) >= notices->scan_at_ms;
    notices->scan = false;
    pthread_mutex_unlock(&notices->lock);
    if (!find_games(notices, db, all))
        on_all(notices);
    else if (all)
        notices->scan_at_ms = now_ms(CLOCK_MONOTONIC) + SCAN_MS;
}

static void count_waiting(struct notices *notices, struct db *db)
{
    if (now_ms(CLOCK_MONOTONIC) < notices->count_at_ms)
        return;
    for (size_t i = 0; i < notices->config.channel_count; i++) {
        size_t waiting = 0;
        if (db_begin(db, true) == DB_OK &&
            outbox_waiting_notices(db, notices->names[i], &waiting) == DB_OK)
            counter_set(&notices->lines[i].waiting, waiting);
        db_rollback(db);
    }
    notices->count_at_ms = now_ms(CLOCK_MONOTONIC) + COUNT_MS;
}

static void fan_out(struct ticker *ticker, void *context)
{
    struct notices *notices = context;
    struct notice_work work;
    struct db *db = db_pool_take(notices->pool, POOL_WAIT_MS);
    if (db == NULL)
        return;
    if (look_for_work(notices, db, &work)) {
        if (work.happened)
            tell_causes(notices, ticker, db);
        look_at_changed(notices, db);
        if (work.watched)
            find_all_games(notices, db);
        count_waiting(notices, db);
    } else {
        on_all(notices);
    }
    db_pool_give(notices->pool, db);
}

/* ---- Taking ---- */

/* What a sender has in hand. */
struct hand {
    struct notice_delivery delivery;
    struct notice notices[NOTICE_BUNDLE_MAX];
    struct outbox_notice *rows[NOTICE_BUNDLE_MAX]; /* those of the notices */
    void *target;
};

static struct replay *new_replay(void)
{
    struct replay *replay = calloc(1, sizeof *replay);
    if (replay == NULL)
        abort();
    return replay;
}

static struct replay *own_replay(struct sender *sender)
{
    if (sender->copy == NULL)
        sender->copy = new_replay();
    return sender->copy;
}

/* Whether a notice of a turn or a clock is still true. If a clock is not low yet, because it stood
 * still meanwhile, `*wait_ms` says when it will be. `*left_ms`: on the clock. */
static enum db_status check_turn(struct sender *sender, struct db *db, struct arena *arena,
                                 const struct outbox_notice *row, const struct notice *notice,
                                 bool *stands, int64_t *left_ms, int64_t *wait_ms)
{
    struct record_result result;
    struct sealed_move *sealed;
    size_t count;
    const struct replay *replay =
        replay_of(sender->notices, db, arena, &notice->game, own_replay(sender), &result);
    *stands = false;
    if (replay == NULL)
        return result.status == STORED_RECORD_DATABASE ? result.database : DB_OK;
    unsigned seat = (unsigned)notice->seat;
    if (seat >= replay->header.seats || (replay_awaits(replay) >> seat & 1) == 0 ||
        strcmp(replay->header.seat[seat].player, row->message.player.text) != 0)
        return DB_OK;
    *stands = true;
    if (replay_simultaneous(replay) != 0) {
        enum db_status status =
            sealed_move_list(db, arena, &notice->game, replay->plies, &sealed, &count);
        for (size_t i = 0; i < count && status == DB_OK; i++)
            if (sealed[i].seat == seat)
                *stands = false;
        if (status != DB_OK)
            return status;
    }
    *left_ms = turns_left_ms(replay, seat, now_ms(CLOCK_REALTIME));
    if (strcmp(notice->kind, NOTICE_CLOCK_LOW) != 0)
        return DB_OK;
    int64_t low_ms = turns_low_ms(replay);
    *wait_ms = *left_ms > low_ms ? *left_ms - low_ms : 0;
    *stands = *stands && *left_ms >= 0 && low_ms > 0;
    return DB_OK;
}

/* Whether what a notice says is still so. `*left_ms`, `*wait_ms`: as check_turn() has them. */
static enum db_status check(struct sender *sender, struct db *db, struct arena *arena,
                            const struct outbox_notice *row, const struct notice *notice,
                            bool *stands, int64_t *left_ms, int64_t *wait_ms)
{
    const struct id *player = &row->message.player;
    if (strcmp(notice->kind, NOTICE_YOUR_TURN) == 0 || strcmp(notice->kind, NOTICE_CLOCK_LOW) == 0)
        return check_turn(sender, db, arena, row, notice, stands, left_ms, wait_ms);
    if (strcmp(notice->kind, NOTICE_CHALLENGE) == 0)
        return notice_challenge_holds(db, &notice->event, &notice->by, player, stands);
    return notice->office ? notice_office_holds(db, &notice->dispute, player, stands) : DB_OK;
}

/* Reads and writes one notice; `*good` if it is to be sent. */
static enum db_status make_notice(struct sender *sender, struct db *db, struct arena *arena,
                                  const struct outbox_notice *row, struct notice *notice,
                                  const char **player_name, bool *good, int64_t *wait_ms)
{
    struct notice_names names;
    int64_t left_ms = 0;
    *wait_ms = 0;
    *good = row->wanted && notice_read(arena, row, notice);
    enum db_status status = DB_OK;
    if (*good)
        status = check(sender, db, arena, row, notice, good, &left_ms, wait_ms);
    if (status == DB_OK && *good)
        status = notice_names_get(db, arena, &row->message.player, &notice->event, &notice->game,
                                  &notice->lobby_table, &notice->by, &names);
    if (status != DB_OK || !*good)
        return status;
    *player_name = names.player;
    *good = names.player != NULL && notice_write(arena, &names, row->message.language,
                                                 sender->notices->config.site, left_ms, notice);
    return DB_OK;
}

static const char *give_up_reason(struct arena *arena, const struct outbox_message *message)
{
    if (message->reason == NULL)
        return "No service has tried to send it in time.";
    size_t capacity = strlen(message->reason) + 40;
    struct text text = {arena_take(arena, capacity), 0, capacity, false};
    text_add(&text, "Given up; the last try: ");
    text_add(&text, message->reason);
    return text.at;
}

/* Adds a row's notice to what is in hand, or ends it. */
static enum db_status take_row(struct sender *sender, struct db *db, struct arena *arena,
                               struct outbox_notice *row, struct hand *hand)
{
    struct notice_delivery *delivery = &hand->delivery;
    bool good;
    int64_t wait_ms;
    if (row->message.late) {
        counter_add_shared(&sender->line->failed, 1);
        return outbox_end(db, &row->message, give_up_reason(arena, &row->message));
    }
    enum db_status status = make_notice(sender, db, arena, row, &hand->notices[delivery->count],
                                        &delivery->player_name, &good, &wait_ms);
    if (status != DB_OK)
        return status;
    if (!good) {
        counter_add_shared(&sender->line->dropped, 1);
        return outbox_drop(db, &row->message);
    }
    if (wait_ms > 0)
        return outbox_postpone(db, &row->message, wait_ms);
    hand->rows[delivery->count++] = row;
    return DB_OK;
}

static int compare_age(const void *a, const void *b)
{
    const struct outbox_message *one = &((const struct outbox_notice *)a)->message;
    const struct outbox_message *other = &((const struct outbox_notice *)b)->message;
    if (one->created_at_ms != other->created_at_ms)
        return one->created_at_ms < other->created_at_ms ? -1 : 1;
    return strcmp(one->id.text, other->id.text);
}

static enum db_status take_rows(struct sender *sender, struct db *db, struct arena *arena,
                                struct outbox_notice *first, unsigned lease_ms, struct hand *hand)
{
    struct outbox_notice *rows = first;
    size_t count = 1;
    enum db_status status = DB_OK;
    if (first->digest)
        status = outbox_take_bundle(db, arena, first, lease_ms, NOTICE_BUNDLE_MAX, &rows, &count);
    if (status == DB_OK)
        qsort(rows, count, sizeof *rows, compare_age);
    for (size_t i = 0; i < count && status == DB_OK; i++)
        status = take_row(sender, db, arena, &rows[i], hand);
    hand->delivery.notices = hand->notices;
    return status;
}

static enum db_status find_target(struct sender *sender, struct db *db, struct arena *arena,
                                  struct hand *hand)
{
    const struct notice_channel *channel = sender->channel;
    if (channel->find == NULL)
        return DB_OK;
    enum db_status status =
        channel->find(channel->context, db, arena, &hand->delivery, &hand->target);
    if (status != DB_NONE)
        return status;
    counter_add_shared(&sender->line->dropped, hand->delivery.count);
    hand->delivery.count = 0;
    return outbox_drop_target(db, channel->name, &hand->delivery.player, &hand->delivery.target);
}

/* Takes what is due next, in one transaction. Without notices there is nothing to be handed over,
 * and something else may be due. DB_NONE if nothing is due. No disk is waited for, so that moves
 * need not share it: what a crash of the database undoes here is handed over again, with the same
 * id, which the fan-out has put on the disk. */
static enum db_status take(struct sender *sender, struct db *db, struct arena *arena,
                           struct hand *hand)
{
    struct outbox_notice *first = arena_take(arena, sizeof *first);
    unsigned lease_ms = sender->channel->timeout_ms + LEASE_MARGIN_MS;
    hand->delivery.count = 0;
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = outbox_take_notice(db, arena, sender->channel->name, lease_ms, first);
    if (status == DB_OK) {
        const struct outbox_message *message = &first->message;
        hand->delivery = (struct notice_delivery){
            .id = first->bundle.text[0] == '\0' ? message->id : first->bundle,
            .player = message->player,
            .target = first->target,
            .language = message->language,
            .digest = first->digest,
            .attempts = message->attempts};
        if (!message->late && first->wanted && first->later_by_ms > 0)
            status = outbox_postpone(db, message, first->later_by_ms);
        else
            status = take_rows(sender, db, arena, first, lease_ms, hand);
        if (status == DB_OK && hand->delivery.count > 0)
            status = find_target(sender, db, arena, hand);
        if (status == DB_OK)
            status = db_commit_unsynced(db);
    }
    db_rollback(db);
    return status;
}

/* ---- Handing over ---- */

static int64_t delay_after(const struct notice_channel *channel, unsigned attempts)
{
    unsigned doublings = attempts > 12 ? 12 : attempts > 0 ? attempts - 1 : 0;
    int64_t delay_ms = (int64_t)channel->retry_ms << doublings;
    return delay_ms < DELAY_MOST_MS ? delay_ms : DELAY_MOST_MS;
}

/* How it ended for one row. DB_NONE, if somebody else has taken it since, is as good. */
static enum db_status note_row(const struct sender *sender, struct db *db,
                               const struct outbox_message *message, enum notice_outcome outcome,
                               const char *reason, bool stopped)
{
    enum db_status status;
    if (outcome == NOTICE_LATER)
        status = outbox_defer(
            db, message, stopped ? 0 : (unsigned)delay_after(sender->channel, message->attempts),
            stopped ? "The service was stopped." : reason);
    else if (outcome == NOTICE_GONE)
        status = outbox_drop(db, message);
    else
        status = outbox_end(db, message, outcome == NOTICE_DELIVERED ? NULL : reason);
    return status == DB_NONE ? DB_OK : status;
}

/* Waits for no disk either. */
static enum db_status note(struct sender *sender, const struct hand *hand,
                           enum notice_outcome outcome, const char *reason, bool stopped)
{
    const struct notice_channel *channel = sender->channel;
    const struct notice_delivery *delivery = &hand->delivery;
    struct db *db = db_pool_take(sender->notices->pool, POOL_WAIT_MS);
    if (db == NULL)
        return DB_UNAVAILABLE;
    enum db_status status = db_begin(db, false);
    for (size_t i = 0; i < delivery->count && status == DB_OK; i++)
        status = note_row(sender, db, &hand->rows[i]->message, outcome, reason, stopped);
    if (status == DB_OK && outcome == NOTICE_GONE)
        status = outbox_drop_target(db, channel->name, &delivery->player, &delivery->target);
    if (status == DB_OK && channel->ended != NULL)
        status = channel->ended(channel->context, db, delivery, hand->target, outcome, reason);
    if (status == DB_OK)
        status = db_commit_unsynced(db);
    db_rollback(db);
    report(db, status, "how a notice was handed over could not be noted");
    db_pool_give(sender->notices->pool, db);
    return status;
}

static struct counter *counter_of(struct line *line, enum notice_outcome outcome)
{
    return outcome == NOTICE_DELIVERED ? &line->delivered
           : outcome == NOTICE_LATER   ? &line->deferred
           : outcome == NOTICE_GONE    ? &line->dropped
                                       : &line->failed;
}

/* False when there is nothing more to do now. What could not be noted is tried again when its lease
 * is over. */
static bool send_next(struct sender *sender, struct ticker *ticker)
{
    const struct notice_channel *channel = sender->channel;
    struct arena arena = {NULL};
    struct db *db = db_pool_take(sender->notices->pool, POOL_WAIT_MS);
    if (db == NULL)
        return false;
    struct hand *hand = arena_take(&arena, sizeof *hand);
    *hand = (struct hand){.target = NULL};
    enum db_status status = take(sender, db, &arena, hand);
    report(db, status, "the outbox could not be used");
    db_pool_give(sender->notices->pool, db);
    if (status == DB_OK)
        atomic_store(&sender->line->busy, true);
    if (status == DB_OK && hand->delivery.count > 0) {
        char bytes[OUTBOX_REASON_MAX - 40];
        struct text reason = TEXT_OVER(bytes);
        bytes[0] = '\0';
        unsigned next = atomic_fetch_add(&sender->line->delivering, 1) + 1;
        if (next < channel->threads)
            wake_sender(sender - sender->index + next);
        enum notice_outcome outcome = channel->deliver(channel->context, &hand->delivery,
                                                       hand->target, ticker_stops, ticker, &reason);
        atomic_fetch_sub(&sender->line->delivering, 1);
        if (outcome != NOTICE_DELIVERED)
            fprintf(stderr, "tillrolld: a notice (%s) could not be handed over: %s\n",
                    channel->name, bytes);
        counter_add_shared(counter_of(sender->line, outcome), hand->delivery.count);
        status = note(sender, hand, outcome, bytes, ticker_is_ending(ticker));
    }
    arena_free(&arena);
    return status == DB_OK;
}

static void send_due(struct ticker *ticker, void *context)
{
    struct sender *sender = context;
    if (sender->index > atomic_load(&sender->line->delivering))
        return;
    while (!ticker_is_ending(ticker) && atomic_exchange(&sender->line->busy, false) &&
           send_next(sender, ticker))
        ;
}

/* ---- Beginning and end ---- */

static size_t count_threads(const struct notices_config *config)
{
    size_t count = 0;
    for (size_t i = 0; i < config->channel_count; i++)
        count += config->channels[i].threads;
    return count;
}

static bool start(struct notices *notices)
{
    for (size_t i = 0; i < notices->config.channel_count; i++) {
        const struct notice_channel *channel = &notices->channels[i];
        for (unsigned k = 0; k < channel->threads; k++)
            notices->senders[notices->sender_count++] = (struct sender){
                .notices = notices, .channel = channel, .line = &notices->lines[i], .index = k};
    }
    notices->fan_out = ticker_new(notices->config.interval_ms, fan_out, notices);
    return notices->fan_out != NULL;
}

struct notices *notices_new(const struct notices_config *config)
{
    struct notices *notices = calloc(1, sizeof *notices);
    size_t threads = count_threads(config);
    if (notices == NULL)
        abort();
    notices->config = *config;
    for (size_t i = 0; i < config->channel_count; i++) {
        notices->channels[i] = config->channels[i];
        notices->names[i] = config->channels[i].name;
    }
    notices->heard = calloc(CHANGED_MAX, sizeof *notices->heard);
    notices->senders = calloc(threads + 1, sizeof *notices->senders);
    if (notices->heard == NULL || notices->senders == NULL)
        abort();
    notices->copy = new_replay();
    pthread_mutex_init(&notices->lock, NULL);
    notices->pool = db_pool_new(config->database, true, CONNECTIONS);
    if (start(notices))
        return notices;
    notices_free(notices);
    return NULL;
}

/* States of games hold what is hidden in them. */
static void forget_replay(struct replay *replay)
{
    sodium_memzero(replay, sizeof *replay);
    free(replay);
}

void notices_free(struct notices *notices)
{
    if (notices == NULL)
        return;
    ticker_free(notices->fan_out);
    pthread_mutex_lock(&notices->lock);
    notices->ending = true;
    pthread_mutex_unlock(&notices->lock);
    for (size_t i = 0; i < notices->sender_count; i++) {
        ticker_free(notices->senders[i].ticker);
        if (notices->senders[i].copy != NULL)
            forget_replay(notices->senders[i].copy);
    }
    db_pool_free(notices->pool);
    pthread_mutex_destroy(&notices->lock);
    forget_replay(notices->copy);
    free(notices->heard);
    free(notices->senders);
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
    const struct line *line = &notices->lines[channel];
    return (struct notices_figures){notices->channels[channel].name, counter_read(&line->waiting),
                                    counter_read(&line->delivered),  counter_read(&line->deferred),
                                    counter_read(&line->failed),     counter_read(&line->dropped)};
}
