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
    STORE_MS = 250,         /* longest wait of an outcome before it is stored */
    DELAY_MOST_MS = 3600000
};

/* A thread of a channel. It is started when first needed: when there is something to do and all
 * threads that were started are delivering. */
struct sender {
    struct queue *queue;
    struct ticker *ticker;
    struct taken_delivery *under_way[NOTICE_TOGETHER]; /* deliveries under way; NULL = ended */
    size_t count; /* of `under_way`, ended or not; both are changed under the queue's lock */
};

/* The senders of a channel, and their counts. */
struct queue {
    struct senders *senders;
    const struct notice_channel *channel;
    struct sender *threads;
    struct counter waiting, delivered, deferred, failed, dropped;
    struct replay *copy;  /* scratch copy of a game for the thread that uses the outbox, made when
                             first needed */
    pthread_mutex_t lock; /* protects the members below */
    bool due;             /* rows of the outbox may be due */
    bool exchanging;      /* a sender is storing outcomes and taking rows */
    struct taken_delivery *ready; /* oldest first */
    size_t ready_count;
    struct taken_delivery *ended; /* newest first */
    size_t limit;                 /* rows to take at once */
};

struct senders {
    const struct notices_config *config;
    struct db_pool *pool;
    struct queue queues[NOTICE_CHANNELS];
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
static enum db_status store_row(const struct queue *queue, struct db *db,
                                const struct taken_delivery *taken,
                                const struct outbox_message *message)
{
    enum db_status status = DB_OK;
    if (taken->outcome == NOTICE_LATER)
        status = outbox_defer(
            db, message, taken->soon ? 0 : (unsigned)delay_after(queue->channel, message->attempts),
            taken->given_back ? message->reason : taken->reason);
    else if (taken->outcome == NOTICE_GONE)
        status = outbox_drop(db, &message, 1);
    else
        status = outbox_end(db, message, taken->reason);
    return status == DB_NONE ? DB_OK : status;
}

static enum db_status store_failed(const struct queue *queue, struct db *db,
                                   const struct taken_delivery *taken)
{
    enum db_status status = DB_OK;
    for (size_t i = 0; i < taken->delivery.count && status == DB_OK; i++)
        status = store_row(queue, db, taken, taken->rows[i]);
    if (status == DB_OK && taken->outcome == NOTICE_GONE)
        status = outbox_drop_target(db, queue->channel->name, &taken->delivery.player,
                                    &taken->delivery.target);
    return status;
}

static bool is_turn(const struct outbox_message *message)
{
    return strcmp(message->kind, NOTICE_YOUR_TURN) == 0 ||
           strcmp(message->kind, NOTICE_CLOCK_LOW) == 0;
}

/* Stores delivered rows. Those of turns are deleted, because there may be one for each move. */
static enum db_status store_delivered(struct db *db, struct arena *arena,
                                      struct taken_delivery *const *ended, size_t count)
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

static enum db_status store_outcomes(const struct queue *queue, struct db *db,
                                     struct taken_delivery *const *ended, size_t count)
{
    struct arena arena = {NULL};
    const struct notice_channel *channel = queue->channel;
    struct notice_end *ends = arena_array(&arena, count, sizeof *ends);
    size_t tried = 0;
    enum db_status status = store_delivered(db, &arena, ended, count);
    for (size_t i = 0; i < count && status == DB_OK; i++) {
        if (ended[i]->outcome != NOTICE_DELIVERED)
            status = store_failed(queue, db, ended[i]);
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
static enum db_status exchange_once(struct queue *queue, struct db *db,
                                    struct taken_delivery *const *ended, size_t count,
                                    struct making *making, size_t limit, size_t *found)
{
    enum db_status status = db_begin(db, false);
    *found = 0;
    if (status == DB_OK && count > 0)
        status = store_outcomes(queue, db, ended, count);
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
    const struct taken_delivery *one = *(struct taken_delivery *const *)a;
    const struct taken_delivery *other = *(struct taken_delivery *const *)b;
    int order = strcmp(one->delivery.target.text, other->delivery.target.text);
    return order != 0 ? order : strcmp(one->delivery.id.text, other->delivery.id.text);
}

/* Sorts the ended deliveries into an array, in an order that prevents deadlocks between services
 * that store outcomes at the same time. */
static struct taken_delivery **sort_ended(struct taken_delivery *ended, size_t *count)
{
    *count = 0;
    for (const struct taken_delivery *taken = ended; taken != NULL; taken = taken->next)
        ++*count;
    struct taken_delivery **sorted = must(calloc(*count + 1, sizeof(struct taken_delivery *)));
    for (size_t i = 0; i < *count; i++, ended = ended->next)
        sorted[i] = ended;
    qsort(sorted, *count, sizeof(struct taken_delivery *), compare_target);
    return sorted;
}

/* If the transaction fails, each outcome is stored by itself, so that one failure affects no other.
 * An outcome that still cannot be stored leads to another attempt when its lease ends. */
static enum db_status exchange(struct queue *queue, struct taken_delivery *const *ended,
                               size_t count, struct making *making, size_t limit, size_t *found)
{
    struct db *db = db_pool_take(queue->senders->pool, POOL_WAIT_MS);
    *found = 0;
    if (db == NULL)
        return DB_UNAVAILABLE;
    making->db = db;
    enum db_status status = exchange_once(queue, db, ended, count, making, limit, found);
    if (status != DB_OK && status != DB_UNAVAILABLE)
        for (size_t i = 0; i < count; i++)
            (void)exchange_once(queue, db, &ended[i], 1, NULL, 0, &(size_t){0});
    db_pool_give(queue->senders->pool, db);
    return status;
}

/* ---- Taken deliveries ---- */

/* Frees a delivery whose outcome is stored, or that was never in the queue. The lock is held. */
static void drop_taken(struct taken_delivery *taken)
{
    struct batch *batch = taken->batch;
    if (--batch->left == 0)
        batch_free(batch);
}

/* Appends the new deliveries. The lock is held, here and in the functions below. */
static void append_ready(struct queue *queue, const struct making *making)
{
    struct taken_delivery **last = &queue->ready;
    int64_t now = now_ms(CLOCK_MONOTONIC);
    while (*last != NULL)
        last = &(*last)->next;
    for (size_t i = 0; i < making->count; i++) {
        making->taken[i]->at_ms = now;
        *last = making->taken[i];
        last = &making->taken[i]->next;
    }
    queue->ready_count += making->count;
    making->batch->left = making->count;
}

static void add_ended(struct queue *queue, struct taken_delivery *taken)
{
    taken->next = queue->ended;
    queue->ended = taken;
}

/* True if a delivery to the same target is under way. Mail has no targets. */
static bool is_busy(const struct queue *queue, const struct taken_delivery *taken)
{
    if (taken->delivery.target.text[0] == '\0')
        return false;
    for (unsigned i = 0; i < queue->channel->threads; i++)
        for (size_t k = 0; k < queue->threads[i].count; k++) {
            const struct taken_delivery *other = queue->threads[i].under_way[k];
            if (other != NULL && id_equal(&other->delivery.target, &taken->delivery.target))
                return true;
        }
    return false;
}

static struct taken_delivery *remove_ready(struct queue *queue, struct taken_delivery **at)
{
    struct taken_delivery *taken = *at;
    *at = taken->next;
    taken->next = NULL;
    queue->ready_count--;
    return taken;
}

/* Gives back the deliveries taken up to `before_ms`, to be tried again: at once, unless their
 * target hangs. */
static void give_back(struct queue *queue, int64_t before_ms, bool ending)
{
    struct taken_delivery **at = &queue->ready;
    size_t count = queue->ready_count;
    while (*at != NULL) {
        if ((*at)->at_ms > before_ms) {
            at = &(*at)->next;
            continue;
        }
        struct taken_delivery *taken = remove_ready(queue, at);
        taken->given_back = true;
        taken->soon = ending || !is_busy(queue, taken);
        taken->outcome = NOTICE_LATER;
        add_ended(queue, taken);
    }
    if (queue->ready_count < count && queue->limit > 1)
        queue->limit /= 2;
}

/* Moves the deliveries that the sender can make at the same time from the queue to the sender. */
static void take_ready(struct sender *sender)
{
    struct queue *queue = sender->queue;
    size_t most = queue->channel->deliver_all == NULL ? 1 : NOTICE_TOGETHER;
    for (struct taken_delivery **at = &queue->ready; *at != NULL && sender->count < most;) {
        if (is_busy(queue, *at))
            at = &(*at)->next;
        else
            sender->under_way[sender->count++] = remove_ready(queue, at);
    }
}

/* The number of rows that may be taken. */
static size_t room_of(const struct queue *queue)
{
    size_t room = queue->ready_count < TAKEN_MOST ? TAKEN_MOST - queue->ready_count : 0;
    return queue->limit < room ? queue->limit : room;
}

/* True if an outcome has waited too long to be stored. */
static bool is_store_overdue(const struct queue *queue, int64_t now)
{
    const struct taken_delivery *first = queue->ended;
    while (first != NULL && first->next != NULL)
        first = first->next;
    return first != NULL && now - first->at_ms >= STORE_MS;
}

/* True if outcomes must be stored now. While another thread is delivering, they wait for its
 * outcomes. */
static bool must_store(const struct queue *queue, bool ending, int64_t now)
{
    bool others = false;
    for (unsigned i = 0; i < queue->channel->threads; i++)
        others = others || queue->threads[i].count > 0;
    return queue->ended != NULL && (!others || ending || is_store_overdue(queue, now));
}

enum step { STEP_NONE, STEP_DELIVER, STEP_EXCHANGE };

/* Chooses the sender's next step. Sets `next` if there may be something to do for another
 * sender. */
static enum step choose_step(struct sender *sender, bool ending, bool *next)
{
    struct queue *queue = sender->queue;
    int64_t now = now_ms(CLOCK_MONOTONIC);
    enum step step = STEP_NONE;
    pthread_mutex_lock(&queue->lock);
    give_back(queue, ending ? now : now - MAKING_STALE_MS, ending);
    if (queue->exchanging || !is_store_overdue(queue, now))
        take_ready(sender);
    if (sender->count > 0) {
        step = STEP_DELIVER;
    } else if (!queue->exchanging &&
               (must_store(queue, ending, now) || (queue->due && !ending && room_of(queue) > 0))) {
        step = STEP_EXCHANGE;
        queue->exchanging = true;
    }
    *next = queue->ready != NULL || queue->due || must_store(queue, ending, now);
    pthread_mutex_unlock(&queue->lock);
    return step;
}

/* ---- Steps ---- */

/* Counts the notices that ended while deliveries were made. */
static void count_ended(struct queue *queue, enum db_status status, const struct making *making)
{
    if (status != DB_OK)
        return;
    counter_add_shared(&queue->failed, making->failed);
    counter_add_shared(&queue->dropped, making->dropped);
}

/* Updates the queue after the outbox was used. While the database is away, outcomes are kept for
 * the next time. */
static void settle(struct queue *queue, enum db_status status, struct taken_delivery *const *ended,
                   size_t count, const struct making *making, size_t limit, size_t found)
{
    pthread_mutex_lock(&queue->lock);
    queue->exchanging = false;
    for (size_t i = 0; i < count; i++) {
        if (status == DB_UNAVAILABLE)
            add_ended(queue, ended[i]);
        else
            drop_taken(ended[i]);
    }
    if (status == DB_OK) {
        append_ready(queue, making);
        queue->due = queue->due || (found > 0 && found == limit); /* else no more was due */
        if (found == limit && limit == queue->limit)
            queue->limit = limit < TAKEN_MOST / 2 ? 2 * limit : TAKEN_MOST;
    } else if (limit > 0) {
        queue->limit = 1;
    }
    pthread_mutex_unlock(&queue->lock);
    count_ended(queue, status, making);
}

static struct making making_of(struct queue *queue, struct replay **copy, struct db *db)
{
    return (struct making){.config = queue->senders->config,
                           .channel = queue->channel,
                           .copy = copy,
                           .db = db,
                           .batch = batch_new()};
}

/* Stores outcomes and takes rows. False on an error of the database. */
static bool use_outbox(struct queue *queue, bool ending)
{
    struct making making = making_of(queue, &queue->copy, NULL);
    size_t found;
    size_t count;
    pthread_mutex_lock(&queue->lock);
    size_t limit = queue->due && !ending ? room_of(queue) : 0;
    struct taken_delivery *list = queue->ended;
    queue->ended = NULL;
    if (limit > 0)
        queue->due = false;
    pthread_mutex_unlock(&queue->lock);
    struct taken_delivery **ended = sort_ended(list, &count);
    enum db_status status = exchange(queue, ended, count, &making, limit, &found);
    settle(queue, status, ended, count, &making, limit, found);
    free(ended);
    if (status != DB_OK || making.count == 0)
        batch_free(making.batch);
    return status == DB_OK;
}

static struct counter *counter_of(struct queue *queue, enum notice_outcome outcome)
{
    return outcome == NOTICE_DELIVERED ? &queue->delivered
           : outcome == NOTICE_LATER   ? &queue->deferred
           : outcome == NOTICE_GONE    ? &queue->dropped
                                       : &queue->failed;
}

/* A round of deliveries under way. */
struct delivering {
    struct sender *sender;
    struct ticker *ticker;
    struct notice_part parts[NOTICE_TOGETHER];
    struct text reasons[NOTICE_TOGETHER];
};

static void wake_idle(struct queue *queue);

/* True if the thread must stop; called regularly during a round. If an outcome has waited too long
 * while another delivery of the round hangs, wakes another sender to store it. */
static bool delivering_stops(void *context)
{
    const struct delivering *delivering = context;
    struct queue *queue = delivering->sender->queue;
    pthread_mutex_lock(&queue->lock);
    bool press = !queue->exchanging && is_store_overdue(queue, now_ms(CLOCK_MONOTONIC));
    pthread_mutex_unlock(&queue->lock);
    if (press)
        wake_idle(queue);
    return ticker_stops(delivering->ticker);
}

static void end_part(void *context, struct notice_part *part)
{
    struct delivering *delivering = context;
    struct sender *sender = delivering->sender;
    struct queue *queue = sender->queue;
    size_t i = (size_t)(part - delivering->parts);
    struct taken_delivery *taken = sender->under_way[i];
    taken->outcome = part->outcome;
    if (taken->outcome != NOTICE_DELIVERED)
        fprintf(stderr, "tillrolld: a notice (%s) could not be handed over: %s\n",
                queue->channel->name, taken->reason);
    counter_add_shared(counter_of(queue, taken->outcome), taken->delivery.count);
    taken->soon = ticker_is_ending(delivering->ticker);
    if (taken->soon && taken->outcome == NOTICE_LATER)
        snprintf(taken->reason, sizeof taken->reason, "The service was stopped.");
    pthread_mutex_lock(&queue->lock);
    sender->under_way[i] = NULL;
    taken->at_ms = now_ms(CLOCK_MONOTONIC);
    add_ended(queue, taken);
    pthread_mutex_unlock(&queue->lock);
}

static void deliver(struct sender *sender, struct ticker *ticker)
{
    struct queue *queue = sender->queue;
    const struct notice_channel *channel = queue->channel;
    struct delivering delivering = {.sender = sender, .ticker = ticker};
    for (size_t i = 0; i < sender->count; i++) {
        struct taken_delivery *taken = sender->under_way[i];
        delivering.reasons[i] = TEXT_OVER(taken->reason);
        delivering.parts[i] = (struct notice_part){.delivery = &taken->delivery,
                                                   .target = taken->target,
                                                   .reason = &delivering.reasons[i]};
    }
    if (channel->deliver_all != NULL) {
        channel->deliver_all(channel->context, delivering.parts, sender->count, delivering_stops,
                             end_part, &delivering);
    } else {
        struct notice_part *part = &delivering.parts[0];
        part->outcome = channel->deliver(channel->context, part->delivery, part->target,
                                         ticker_stops, ticker, part->reason);
        end_part(&delivering, part);
    }
    pthread_mutex_lock(&queue->lock);
    sender->count = 0;
    pthread_mutex_unlock(&queue->lock);
}

/* ---- Threads ---- */

static void send_due(struct ticker *ticker, void *context);

/* Wakes the sender, and starts its thread first if necessary. If the system has no thread left, the
 * next wake tries again. */
static void wake_sender(struct sender *sender)
{
    struct senders *senders = sender->queue->senders;
    pthread_mutex_lock(&senders->lock);
    if (!senders->ending && sender->ticker != NULL)
        ticker_wake(sender->ticker);
    else if (!senders->ending)
        sender->ticker = ticker_new(SENDER_MS, send_due, sender);
    pthread_mutex_unlock(&senders->lock);
}

/* Wakes a sender that is not delivering, if there is one. */
static void wake_idle(struct queue *queue)
{
    unsigned i = 0;
    pthread_mutex_lock(&queue->lock);
    while (i < queue->channel->threads && queue->threads[i].count > 0)
        i++;
    pthread_mutex_unlock(&queue->lock);
    if (i < queue->channel->threads)
        wake_sender(&queue->threads[i]);
}

static void send_due(struct ticker *ticker, void *context)
{
    struct sender *sender = context;
    struct queue *queue = sender->queue;
    thread_give_way();
    for (;;) {
        bool next;
        bool ending = ticker_is_ending(ticker);
        enum step step = choose_step(sender, ending, &next);
        if (step == STEP_NONE)
            return;
        if (step == STEP_DELIVER && next)
            wake_idle(queue);
        if (step == STEP_DELIVER)
            deliver(sender, ticker);
        else if (!use_outbox(queue, ending))
            return;
    }
}

static void wake_queue(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->due = true;
    pthread_mutex_unlock(&queue->lock);
    wake_idle(queue);
}

void senders_wake(struct senders *senders)
{
    for (size_t i = 0; i < senders->config->channel_count; i++)
        wake_queue(&senders->queues[i]);
}

/* ---- Turns ---- */

/* Deliveries of turns that are taken as they are added, by queue. */
struct senders_turns {
    struct senders *senders;
    struct making makings[NOTICE_CHANNELS];
    bool takes[NOTICE_CHANNELS];
};

/* True if the queue can take `count` turns at once. False if other rows are due first, or after
 * something was slow. */
static bool has_room(struct queue *queue, size_t count)
{
    pthread_mutex_lock(&queue->lock);
    bool room = !queue->due && queue->limit >= TAKEN_FIRST &&
                queue->ready_count + count <= TAKEN_TURNS_MOST;
    pthread_mutex_unlock(&queue->lock);
    return room;
}

struct senders_turns *senders_turns_begin(struct senders *senders, size_t count,
                                          unsigned lease_ms[static NOTICE_CHANNELS])
{
    struct senders_turns *turns = must(calloc(1, sizeof *turns));
    turns->senders = senders;
    for (size_t i = 0; i < senders->config->channel_count; i++) {
        turns->takes[i] = has_room(&senders->queues[i], count);
        lease_ms[i] = turns->takes[i] ? making_lease_ms(senders->queues[i].channel) : 0;
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
        struct queue *queue = &senders->queues[i];
        if (!turns->takes[i])
            continue;
        turns->makings[i] = making_of(queue, copy, db);
        status = make_turns(&turns->makings[i], taken, count);
        if (status == DB_OK)
            continue;
        pthread_mutex_lock(&queue->lock);
        queue->limit = 1; /* so that the next rows are taken one by one */
        pthread_mutex_unlock(&queue->lock);
    }
    return status;
}

void senders_turns_end(struct senders_turns *turns, enum db_status status)
{
    struct senders *senders = turns->senders;
    for (size_t i = 0; i < senders->config->channel_count; i++) {
        struct queue *queue = &senders->queues[i];
        struct making *making = &turns->makings[i];
        bool made = status == DB_OK && making->count > 0;
        if (made) {
            pthread_mutex_lock(&queue->lock);
            append_ready(queue, making);
            pthread_mutex_unlock(&queue->lock);
        }
        if (making->batch != NULL) {
            count_ended(queue, status, making);
            if (!made)
                batch_free(making->batch);
        }
        if (made)
            wake_idle(queue);
        else if (status == DB_OK && !turns->takes[i])
            wake_queue(queue);
    }
    free(turns);
}

/* ---- Figures ---- */

enum db_status senders_count(struct senders *senders, struct db *db)
{
    enum db_status status = DB_OK;
    for (size_t i = 0; i < senders->config->channel_count && status == DB_OK; i++) {
        struct queue *queue = &senders->queues[i];
        size_t waiting = 0;
        status = outbox_waiting_notices(db, queue->channel->name, &waiting);
        if (status == DB_OK)
            counter_set(&queue->waiting, waiting);
    }
    return status;
}

struct notices_figures senders_figures(const struct senders *senders, size_t channel)
{
    const struct queue *queue = &senders->queues[channel];
    return (struct notices_figures){queue->channel->name,
                                    counter_read(&queue->waiting),
                                    counter_read(&queue->delivered),
                                    counter_read(&queue->deferred),
                                    counter_read(&queue->failed),
                                    counter_read(&queue->dropped)};
}

/* ---- Beginning and end ---- */

static void make_queue(struct senders *senders, size_t i)
{
    struct queue *queue = &senders->queues[i];
    queue->senders = senders;
    queue->channel = &senders->config->channels[i];
    queue->limit = TAKEN_FIRST;
    queue->threads = must(calloc(queue->channel->threads, sizeof *queue->threads));
    pthread_mutex_init(&queue->lock, NULL);
    for (unsigned k = 0; k < queue->channel->threads; k++)
        queue->threads[k] = (struct sender){.queue = queue};
}

struct senders *senders_new(const struct notices_config *config, struct db_pool *pool)
{
    struct senders *senders = must(calloc(1, sizeof *senders));
    pthread_mutex_init(&senders->lock, NULL);
    senders->config = config;
    senders->pool = pool;
    for (size_t i = 0; i < config->channel_count; i++)
        make_queue(senders, i);
    return senders;
}

static void drop_list(struct taken_delivery *list)
{
    while (list != NULL) {
        struct taken_delivery *taken = list;
        list = taken->next;
        drop_taken(taken);
    }
}

/* Gives back what the fan-out has added at the last moment. */
static void give_all_back(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    give_back(queue, INT64_MAX, true);
    bool some = queue->ended != NULL;
    pthread_mutex_unlock(&queue->lock);
    if (some)
        (void)use_outbox(queue, true);
}

void senders_free(struct senders *senders)
{
    if (senders == NULL)
        return;
    pthread_mutex_lock(&senders->lock);
    senders->ending = true;
    pthread_mutex_unlock(&senders->lock);
    for (size_t i = 0; i < senders->config->channel_count; i++) {
        struct queue *queue = &senders->queues[i];
        for (unsigned k = 0; k < queue->channel->threads; k++)
            ticker_free(queue->threads[k].ticker);
        give_all_back(queue);
        drop_list(queue->ready);
        drop_list(queue->ended);
        turns_replay_free(queue->copy);
        free(queue->threads);
        pthread_mutex_destroy(&queue->lock);
    }
    pthread_mutex_destroy(&senders->lock);
    free(senders);
}
