#include "api/notices/senders.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/notices/making.h"
#include "api/notices/turns.h"
#include "api/work/ticker.h"
#include "db/link/now.h"
#include "db/link/thread.h"
#include "engine/base/counter.h"

enum {
    POOL_WAIT_MS = 1000,
    SENDER_MS = 2000, /* senders are woken; in between they try again to store outcomes */
    TAKEN_FIRST = 8,
    TAKEN_MOST = 64,        /* deliveries taken and not begun */
    TAKEN_TURNS_MOST = 256, /* the same, including turns taken when they were added */
    NOTE_MS = 250,          /* longest wait of an outcome before it is stored */
    DELAY_MOST_MS = 3600000
};

/* A thread of a channel. It is started when first needed: when there is something to do and all
 * threads that were started are delivering. */
struct sender {
    struct line *line;
    struct ticker *ticker;
    struct hand *hands[NOTICE_TOGETHER]; /* deliveries under way; NULL = ended */
    size_t count; /* of `hands`, ended or not; both are changed under the line's lock */
};

/* The senders of a channel, and their counts. */
struct line {
    struct senders *senders;
    const struct notice_channel *channel;
    struct sender *threads;
    struct counter waiting, delivered, deferred, failed, dropped;
    struct replay *copy;  /* scratch copy of a game for the thread that uses the outbox, made when
                             first needed */
    pthread_mutex_t lock; /* protects the members below */
    bool due;             /* rows of the outbox may be due */
    bool exchanging;      /* a sender is storing outcomes and taking rows */
    struct hand *ready;   /* oldest first */
    size_t ready_count;
    struct hand *ended; /* newest first */
    size_t limit;       /* rows to take at once */
};

struct senders {
    const struct notices_config *config;
    struct db_pool *pool;
    struct line lines[NOTICE_CHANNELS];
    pthread_mutex_t lock; /* protects the senders' `ticker`, and: */
    bool ending;          /* no sender is started or woken any more */
};

static void report(struct db *db, enum db_status status, const char *what)
{
    if (status == DB_ERROR)
        fprintf(stderr, "tillrolld: %s: %s\n", what, db_last_error(db));
}

/* ---- Storing outcomes ---- */

static int64_t delay_after(const struct notice_channel *channel, unsigned attempts)
{
    unsigned doublings = attempts > 12 ? 12 : attempts > 0 ? attempts - 1 : 0;
    int64_t delay_ms = (int64_t)channel->retry_ms << doublings;
    return delay_ms < DELAY_MOST_MS ? delay_ms : DELAY_MOST_MS;
}

/* Stores the outcome of one row that was not delivered. DB_NONE, after another service has taken
 * the row, is fine. */
static enum db_status note_row(const struct line *line, struct db *db, const struct hand *hand,
                               const struct outbox_message *message)
{
    enum db_status status = DB_OK;
    if (hand->outcome == NOTICE_LATER)
        status = outbox_defer(
            db, message, hand->soon ? 0 : (unsigned)delay_after(line->channel, message->attempts),
            hand->given_back ? message->reason : hand->reason);
    else if (hand->outcome == NOTICE_GONE)
        status = outbox_drop(db, &message, 1);
    else
        status = outbox_end(db, message, hand->reason);
    return status == DB_NONE ? DB_OK : status;
}

static enum db_status note_failed(const struct line *line, struct db *db, const struct hand *hand)
{
    enum db_status status = DB_OK;
    for (size_t i = 0; i < hand->delivery.count && status == DB_OK; i++)
        status = note_row(line, db, hand, hand->rows[i]);
    if (status == DB_OK && hand->outcome == NOTICE_GONE)
        status = outbox_drop_target(db, line->channel->name, &hand->delivery.player,
                                    &hand->delivery.target);
    return status;
}

static bool is_turn(const struct outbox_message *message)
{
    return strcmp(message->kind, NOTICE_YOUR_TURN) == 0 ||
           strcmp(message->kind, NOTICE_CLOCK_LOW) == 0;
}

/* Stores delivered rows. Those of turns are deleted, because there may be one for each move. */
static enum db_status note_delivered(struct db *db, struct arena *arena, struct hand *const *ended,
                                     size_t count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += ended[i]->delivery.count;
    const struct outbox_message **turns =
        arena_array(arena, total, sizeof(struct outbox_message *));
    const struct outbox_message **others =
        arena_array(arena, total, sizeof(struct outbox_message *));
    size_t turn_count = 0;
    size_t other_count = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < ended[i]->delivery.count; k++) {
            if (ended[i]->outcome != NOTICE_DELIVERED)
                continue;
            const struct outbox_message *message = ended[i]->rows[k];
            if (is_turn(message))
                turns[turn_count++] = message;
            else
                others[other_count++] = message;
        }
    enum db_status status = outbox_drop(db, turns, turn_count);
    return status == DB_OK ? outbox_sent(db, others, other_count) : status;
}

static enum db_status note_all(const struct line *line, struct db *db, struct hand *const *ended,
                               size_t count)
{
    struct arena arena = {NULL};
    const struct notice_channel *channel = line->channel;
    struct notice_end *ends = arena_array(&arena, count, sizeof *ends);
    size_t tried = 0;
    enum db_status status = note_delivered(db, &arena, ended, count);
    for (size_t i = 0; i < count && status == DB_OK; i++) {
        if (ended[i]->outcome != NOTICE_DELIVERED)
            status = note_failed(line, db, ended[i]);
        if (!ended[i]->given_back)
            ends[tried++] = (struct notice_end){&ended[i]->delivery, ended[i]->target,
                                                ended[i]->outcome, ended[i]->reason};
    }
    if (status == DB_OK && tried > 0 && channel->ended != NULL)
        status = channel->ended(channel->context, db, ends, tried);
    arena_free(&arena);
    return status;
}

/* ---- Using the outbox ---- */

/* Stores outcomes and takes rows in one transaction. The commit does not wait for the disk, which
 * the moves need: outcomes lost in a crash of the database are delivered again, with the same id,
 * because the fan-out's commit is on disk. */
static enum db_status exchange_once(struct line *line, struct db *db, struct hand *const *ended,
                                    size_t count, struct making *making, size_t limit,
                                    size_t *found)
{
    enum db_status status = db_begin(db, false);
    *found = 0;
    if (status == DB_OK && count > 0)
        status = note_all(line, db, ended, count);
    if (status == DB_OK && limit > 0)
        status = making_take(making, limit, found);
    if (status == DB_OK)
        status = db_commit_unsynced(db);
    db_rollback(db);
    report(db, status, "the outbox could not be used");
    return status;
}

static int compare_target(const void *a, const void *b)
{
    const struct hand *one = *(struct hand *const *)a;
    const struct hand *other = *(struct hand *const *)b;
    int order = strcmp(one->delivery.target.text, other->delivery.target.text);
    return order != 0 ? order : strcmp(one->delivery.id.text, other->delivery.id.text);
}

/* Sorts the ended deliveries into an array, in an order that prevents deadlocks between services
 * that store outcomes at the same time. */
static struct hand **sort_ended(struct hand *ended, size_t *count)
{
    *count = 0;
    for (const struct hand *hand = ended; hand != NULL; hand = hand->next)
        ++*count;
    struct hand **sorted = must(calloc(*count + 1, sizeof(struct hand *)));
    for (size_t i = 0; i < *count; i++, ended = ended->next)
        sorted[i] = ended;
    qsort(sorted, *count, sizeof(struct hand *), compare_target);
    return sorted;
}

/* If the transaction fails, each outcome is stored by itself, so that one failure affects no other.
 * An outcome that still cannot be stored leads to another attempt when its lease ends. */
static enum db_status exchange(struct line *line, struct hand *const *ended, size_t count,
                               struct making *making, size_t limit, size_t *found)
{
    struct db *db = db_pool_take(line->senders->pool, POOL_WAIT_MS);
    *found = 0;
    if (db == NULL)
        return DB_UNAVAILABLE;
    making->db = db;
    enum db_status status = exchange_once(line, db, ended, count, making, limit, found);
    if (status != DB_OK && status != DB_UNAVAILABLE)
        for (size_t i = 0; i < count; i++)
            (void)exchange_once(line, db, &ended[i], 1, NULL, 0, &(size_t){0});
    db_pool_give(line->senders->pool, db);
    return status;
}

/* ---- Taken deliveries ---- */

/* Frees a delivery whose outcome is stored, or that was never in the line. The lock is held. */
static void drop_hand(struct hand *hand)
{
    struct batch *batch = hand->batch;
    if (--batch->left == 0)
        batch_free(batch);
}

/* Appends the new deliveries. The lock is held, here and in the functions below. */
static void append_ready(struct line *line, const struct making *making)
{
    struct hand **last = &line->ready;
    int64_t now = now_ms(CLOCK_MONOTONIC);
    while (*last != NULL)
        last = &(*last)->next;
    for (size_t i = 0; i < making->count; i++) {
        making->hands[i]->at_ms = now;
        *last = making->hands[i];
        last = &making->hands[i]->next;
    }
    line->ready_count += making->count;
    making->batch->left = making->count;
}

static void add_ended(struct line *line, struct hand *hand)
{
    hand->next = line->ended;
    line->ended = hand;
}

/* True if a delivery to the same target is under way. Mail has no targets. */
static bool is_busy(const struct line *line, const struct hand *hand)
{
    if (hand->delivery.target.text[0] == '\0')
        return false;
    for (unsigned i = 0; i < line->channel->threads; i++)
        for (size_t k = 0; k < line->threads[i].count; k++) {
            const struct hand *other = line->threads[i].hands[k];
            if (other != NULL && id_equal(&other->delivery.target, &hand->delivery.target))
                return true;
        }
    return false;
}

static struct hand *remove_ready(struct line *line, struct hand **at)
{
    struct hand *hand = *at;
    *at = hand->next;
    hand->next = NULL;
    line->ready_count--;
    return hand;
}

/* Gives back the deliveries taken up to `before_ms`, to be tried again: at once, unless their
 * target hangs. */
static void give_back(struct line *line, int64_t before_ms, bool ending)
{
    struct hand **at = &line->ready;
    size_t count = line->ready_count;
    while (*at != NULL) {
        if ((*at)->at_ms > before_ms) {
            at = &(*at)->next;
            continue;
        }
        struct hand *hand = remove_ready(line, at);
        hand->given_back = true;
        hand->soon = ending || !is_busy(line, hand);
        hand->outcome = NOTICE_LATER;
        add_ended(line, hand);
    }
    if (line->ready_count < count && line->limit > 1)
        line->limit /= 2;
}

/* Moves the deliveries that the sender can make at the same time from the line to the sender. */
static void take_ready(struct sender *sender)
{
    struct line *line = sender->line;
    size_t most = line->channel->deliver_all == NULL ? 1 : NOTICE_TOGETHER;
    for (struct hand **at = &line->ready; *at != NULL && sender->count < most;) {
        if (is_busy(line, *at))
            at = &(*at)->next;
        else
            sender->hands[sender->count++] = remove_ready(line, at);
    }
}

/* The number of rows that may be taken. */
static size_t room_of(const struct line *line)
{
    size_t room = line->ready_count < TAKEN_MOST ? TAKEN_MOST - line->ready_count : 0;
    return line->limit < room ? line->limit : room;
}

/* True if an outcome has waited too long to be stored. */
static bool is_note_overdue(const struct line *line, int64_t now)
{
    const struct hand *first = line->ended;
    while (first != NULL && first->next != NULL)
        first = first->next;
    return first != NULL && now - first->at_ms >= NOTE_MS;
}

/* True if outcomes must be stored now. While another thread is delivering, they wait for its
 * outcomes. */
static bool must_note(const struct line *line, bool ending, int64_t now)
{
    bool others = false;
    for (unsigned i = 0; i < line->channel->threads; i++)
        others = others || line->threads[i].count > 0;
    return line->ended != NULL && (!others || ending || is_note_overdue(line, now));
}

enum step { STEP_NONE, STEP_DELIVER, STEP_EXCHANGE };

/* Chooses the sender's next step. Sets `next` if there may be something to do for another
 * sender. */
static enum step choose_step(struct sender *sender, bool ending, bool *next)
{
    struct line *line = sender->line;
    int64_t now = now_ms(CLOCK_MONOTONIC);
    enum step step = STEP_NONE;
    pthread_mutex_lock(&line->lock);
    give_back(line, ending ? now : now - MAKING_STALE_MS, ending);
    if (line->exchanging || !is_note_overdue(line, now))
        take_ready(sender);
    if (sender->count > 0) {
        step = STEP_DELIVER;
    } else if (!line->exchanging &&
               (must_note(line, ending, now) || (line->due && !ending && room_of(line) > 0))) {
        step = STEP_EXCHANGE;
        line->exchanging = true;
    }
    *next = line->ready != NULL || line->due || must_note(line, ending, now);
    pthread_mutex_unlock(&line->lock);
    return step;
}

/* ---- Steps ---- */

/* Counts the notices that ended while deliveries were made. */
static void count_ended(struct line *line, enum db_status status, const struct making *making)
{
    if (status != DB_OK)
        return;
    counter_add_shared(&line->failed, making->failed);
    counter_add_shared(&line->dropped, making->dropped);
}

/* Updates the line after the outbox was used. While the database is away, outcomes are kept for the
 * next time. */
static void settle(struct line *line, enum db_status status, struct hand *const *ended,
                   size_t count, const struct making *making, size_t limit, size_t found)
{
    pthread_mutex_lock(&line->lock);
    line->exchanging = false;
    for (size_t i = 0; i < count; i++) {
        if (status == DB_UNAVAILABLE)
            add_ended(line, ended[i]);
        else
            drop_hand(ended[i]);
    }
    if (status == DB_OK) {
        append_ready(line, making);
        line->due = line->due || (found > 0 && found == limit); /* else no more was due */
        if (found == limit && limit == line->limit)
            line->limit = limit < TAKEN_MOST / 2 ? 2 * limit : TAKEN_MOST;
    } else if (limit > 0) {
        line->limit = 1;
    }
    pthread_mutex_unlock(&line->lock);
    count_ended(line, status, making);
}

static struct making making_of(struct line *line, struct replay **copy, struct db *db)
{
    return (struct making){.config = line->senders->config,
                           .channel = line->channel,
                           .copy = copy,
                           .db = db,
                           .batch = batch_new()};
}

/* Stores outcomes and takes rows. False on an error of the database. */
static bool use_outbox(struct line *line, bool ending)
{
    struct making making = making_of(line, &line->copy, NULL);
    size_t found;
    size_t count;
    pthread_mutex_lock(&line->lock);
    size_t limit = line->due && !ending ? room_of(line) : 0;
    struct hand *list = line->ended;
    line->ended = NULL;
    if (limit > 0)
        line->due = false;
    pthread_mutex_unlock(&line->lock);
    struct hand **ended = sort_ended(list, &count);
    enum db_status status = exchange(line, ended, count, &making, limit, &found);
    settle(line, status, ended, count, &making, limit, found);
    free(ended);
    if (status != DB_OK || making.count == 0)
        batch_free(making.batch);
    return status == DB_OK;
}

static struct counter *counter_of(struct line *line, enum notice_outcome outcome)
{
    return outcome == NOTICE_DELIVERED ? &line->delivered
           : outcome == NOTICE_LATER   ? &line->deferred
           : outcome == NOTICE_GONE    ? &line->dropped
                                       : &line->failed;
}

/* A round of deliveries under way. */
struct handing {
    struct sender *sender;
    struct ticker *ticker;
    struct notice_part parts[NOTICE_TOGETHER];
    struct text reasons[NOTICE_TOGETHER];
};

static void wake_idle(struct line *line);

/* True if the thread must stop; called regularly during a round. If an outcome has waited too long
 * while another delivery of the round hangs, wakes another sender to store it. */
static bool handing_stops(void *context)
{
    const struct handing *handing = context;
    struct line *line = handing->sender->line;
    pthread_mutex_lock(&line->lock);
    bool press = !line->exchanging && is_note_overdue(line, now_ms(CLOCK_MONOTONIC));
    pthread_mutex_unlock(&line->lock);
    if (press)
        wake_idle(line);
    return ticker_stops(handing->ticker);
}

static void end_part(void *context, struct notice_part *part)
{
    struct handing *handing = context;
    struct sender *sender = handing->sender;
    struct line *line = sender->line;
    size_t i = (size_t)(part - handing->parts);
    struct hand *hand = sender->hands[i];
    hand->outcome = part->outcome;
    if (hand->outcome != NOTICE_DELIVERED)
        fprintf(stderr, "tillrolld: a notice (%s) could not be handed over: %s\n",
                line->channel->name, hand->reason);
    counter_add_shared(counter_of(line, hand->outcome), hand->delivery.count);
    hand->soon = ticker_is_ending(handing->ticker);
    if (hand->soon && hand->outcome == NOTICE_LATER)
        snprintf(hand->reason, sizeof hand->reason, "The service was stopped.");
    pthread_mutex_lock(&line->lock);
    sender->hands[i] = NULL;
    hand->at_ms = now_ms(CLOCK_MONOTONIC);
    add_ended(line, hand);
    pthread_mutex_unlock(&line->lock);
}

static void deliver(struct sender *sender, struct ticker *ticker)
{
    struct line *line = sender->line;
    const struct notice_channel *channel = line->channel;
    struct handing handing = {.sender = sender, .ticker = ticker};
    for (size_t i = 0; i < sender->count; i++) {
        struct hand *hand = sender->hands[i];
        handing.reasons[i] = TEXT_OVER(hand->reason);
        handing.parts[i] = (struct notice_part){
            .delivery = &hand->delivery, .target = hand->target, .reason = &handing.reasons[i]};
    }
    if (channel->deliver_all != NULL) {
        channel->deliver_all(channel->context, handing.parts, sender->count, handing_stops,
                             end_part, &handing);
    } else {
        struct notice_part *part = &handing.parts[0];
        part->outcome = channel->deliver(channel->context, part->delivery, part->target,
                                         ticker_stops, ticker, part->reason);
        end_part(&handing, part);
    }
    pthread_mutex_lock(&line->lock);
    sender->count = 0;
    pthread_mutex_unlock(&line->lock);
}

/* ---- Threads ---- */

static void send_due(struct ticker *ticker, void *context);

/* Wakes the sender, and starts its thread first if necessary. If the system has no thread left, the
 * next wake tries again. */
static void wake_sender(struct sender *sender)
{
    struct senders *senders = sender->line->senders;
    pthread_mutex_lock(&senders->lock);
    if (!senders->ending && sender->ticker != NULL)
        ticker_wake(sender->ticker);
    else if (!senders->ending)
        sender->ticker = ticker_new(SENDER_MS, send_due, sender);
    pthread_mutex_unlock(&senders->lock);
}

/* Wakes a sender that is not delivering, if there is one. */
static void wake_idle(struct line *line)
{
    unsigned i = 0;
    pthread_mutex_lock(&line->lock);
    while (i < line->channel->threads && line->threads[i].count > 0)
        i++;
    pthread_mutex_unlock(&line->lock);
    if (i < line->channel->threads)
        wake_sender(&line->threads[i]);
}

static void send_due(struct ticker *ticker, void *context)
{
    struct sender *sender = context;
    struct line *line = sender->line;
    thread_give_way();
    for (;;) {
        bool next;
        bool ending = ticker_is_ending(ticker);
        enum step step = choose_step(sender, ending, &next);
        if (step == STEP_NONE)
            return;
        if (step == STEP_DELIVER && next)
            wake_idle(line);
        if (step == STEP_DELIVER)
            deliver(sender, ticker);
        else if (!use_outbox(line, ending))
            return;
    }
}

static void wake_line(struct line *line)
{
    pthread_mutex_lock(&line->lock);
    line->due = true;
    pthread_mutex_unlock(&line->lock);
    wake_idle(line);
}

void senders_wake(struct senders *senders)
{
    for (size_t i = 0; i < senders->config->channel_count; i++)
        wake_line(&senders->lines[i]);
}

/* ---- Turns ---- */

/* Deliveries of turns that are taken as they are added, by line. */
struct senders_turns {
    struct senders *senders;
    struct making makings[NOTICE_CHANNELS];
    bool takes[NOTICE_CHANNELS];
};

/* True if the line can take `count` turns at once. False if other rows are due first, or after
 * something was slow. */
static bool has_room(struct line *line, size_t count)
{
    pthread_mutex_lock(&line->lock);
    bool room =
        !line->due && line->limit >= TAKEN_FIRST && line->ready_count + count <= TAKEN_TURNS_MOST;
    pthread_mutex_unlock(&line->lock);
    return room;
}

struct senders_turns *senders_turns_begin(struct senders *senders, size_t count,
                                          unsigned lease_ms[static NOTICE_CHANNELS])
{
    struct senders_turns *turns = must(calloc(1, sizeof *turns));
    turns->senders = senders;
    for (size_t i = 0; i < senders->config->channel_count; i++) {
        turns->takes[i] = has_room(&senders->lines[i], count);
        lease_ms[i] = turns->takes[i] ? making_lease_ms(senders->lines[i].channel) : 0;
    }
    return turns;
}

/* Copies a row without its address and reason. */
static struct outbox_notice copy_row(struct arena *arena, const struct outbox_notice *row)
{
    struct outbox_notice copy = *row;
    copy.message.kind = arena_copy(arena, span_of(row->message.kind));
    copy.message.channel = arena_copy(arena, span_of(row->message.channel));
    copy.message.language = arena_copy(arena, span_of(row->message.language));
    copy.about = arena_copy(arena, span_of(row->about));
    return copy;
}

static enum db_status make_turns(struct making *making, const struct outbox_notice *taken,
                                 size_t count)
{
    struct arena *arena = &making->batch->arena;
    struct outbox_notice *rows = arena_array(arena, count, sizeof *rows);
    size_t own = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(taken[i].message.channel, making->channel->name) == 0)
            rows[own++] = copy_row(arena, &taken[i]);
    return own == 0 ? DB_OK : making_add(making, rows, own);
}

enum db_status senders_turns_make(struct senders_turns *turns, struct db *db,
                                  const struct outbox_notice *taken, size_t count,
                                  struct replay **copy)
{
    struct senders *senders = turns->senders;
    enum db_status status = DB_OK;
    for (size_t i = 0; i < senders->config->channel_count && status == DB_OK; i++) {
        struct line *line = &senders->lines[i];
        if (!turns->takes[i])
            continue;
        turns->makings[i] = making_of(line, copy, db);
        status = make_turns(&turns->makings[i], taken, count);
        if (status == DB_OK)
            continue;
        pthread_mutex_lock(&line->lock);
        line->limit = 1; /* so that the next rows are taken one by one */
        pthread_mutex_unlock(&line->lock);
    }
    return status;
}

void senders_turns_end(struct senders_turns *turns, enum db_status status)
{
    struct senders *senders = turns->senders;
    for (size_t i = 0; i < senders->config->channel_count; i++) {
        struct line *line = &senders->lines[i];
        struct making *making = &turns->makings[i];
        bool made = status == DB_OK && making->count > 0;
        if (made) {
            pthread_mutex_lock(&line->lock);
            append_ready(line, making);
            pthread_mutex_unlock(&line->lock);
        }
        if (making->batch != NULL) {
            count_ended(line, status, making);
            if (!made)
                batch_free(making->batch);
        }
        if (made)
            wake_idle(line);
        else if (status == DB_OK && !turns->takes[i])
            wake_line(line);
    }
    free(turns);
}

/* ---- Figures ---- */

enum db_status senders_count(struct senders *senders, struct db *db)
{
    enum db_status status = DB_OK;
    for (size_t i = 0; i < senders->config->channel_count && status == DB_OK; i++) {
        struct line *line = &senders->lines[i];
        size_t waiting = 0;
        status = outbox_waiting_notices(db, line->channel->name, &waiting);
        if (status == DB_OK)
            counter_set(&line->waiting, waiting);
    }
    return status;
}

struct notices_figures senders_figures(const struct senders *senders, size_t channel)
{
    const struct line *line = &senders->lines[channel];
    return (struct notices_figures){
        line->channel->name,           counter_read(&line->waiting), counter_read(&line->delivered),
        counter_read(&line->deferred), counter_read(&line->failed),  counter_read(&line->dropped)};
}

/* ---- Beginning and end ---- */

static void make_line(struct senders *senders, size_t i)
{
    struct line *line = &senders->lines[i];
    line->senders = senders;
    line->channel = &senders->config->channels[i];
    line->limit = TAKEN_FIRST;
    line->threads = must(calloc(line->channel->threads, sizeof *line->threads));
    pthread_mutex_init(&line->lock, NULL);
    for (unsigned k = 0; k < line->channel->threads; k++)
        line->threads[k] = (struct sender){.line = line};
}

struct senders *senders_new(const struct notices_config *config, struct db_pool *pool)
{
    struct senders *senders = must(calloc(1, sizeof *senders));
    pthread_mutex_init(&senders->lock, NULL);
    senders->config = config;
    senders->pool = pool;
    for (size_t i = 0; i < config->channel_count; i++)
        make_line(senders, i);
    return senders;
}

static void drop_hands(struct hand *hands)
{
    while (hands != NULL) {
        struct hand *hand = hands;
        hands = hand->next;
        drop_hand(hand);
    }
}

/* Gives back what the fan-out has added at the last moment. */
static void give_all_back(struct line *line)
{
    pthread_mutex_lock(&line->lock);
    give_back(line, INT64_MAX, true);
    bool some = line->ended != NULL;
    pthread_mutex_unlock(&line->lock);
    if (some)
        (void)use_outbox(line, true);
}

void senders_free(struct senders *senders)
{
    if (senders == NULL)
        return;
    pthread_mutex_lock(&senders->lock);
    senders->ending = true;
    pthread_mutex_unlock(&senders->lock);
    for (size_t i = 0; i < senders->config->channel_count; i++) {
        struct line *line = &senders->lines[i];
        for (unsigned k = 0; k < line->channel->threads; k++)
            ticker_free(line->threads[k].ticker);
        give_all_back(line);
        drop_hands(line->ready);
        drop_hands(line->ended);
        turns_replay_free(line->copy);
        free(line->threads);
        pthread_mutex_destroy(&line->lock);
    }
    pthread_mutex_destroy(&senders->lock);
    free(senders);
}
