#include "api/feed.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { KEPT_BYTES = 8 * 1024 };

struct feed_list {
    struct feed_reader *first, *last;
};

/* One message; or several that were given to hungry readers in one piece, which is not linked. */
struct feed_message {
    unsigned holders;
    unsigned number; /* of the last message in it */
    bool given;
    uint64_t position; /* bytes of the feed before it */
    struct feed_message *next;
    size_t length;
    char bytes[];
};

struct feeds {
    pthread_mutex_t lock;
    int awake_event;
    struct feed_list awake;
    void (*hungry)(void *context, struct feed *feed);
    void *context;
};

struct feed {
    struct feeds *feeds;
    void *place;
    unsigned newest;
    unsigned readers;
    unsigned admitted;   /* the lowest of all readers */
    unsigned turned_out; /* who was admitted before is at the end */
    bool finished, broken;
    uint64_t bytes;                       /* of all messages that were added */
    struct feed_message *oldest, *latest; /* of those that are kept; `oldest` is held */
    struct feed_list waiting, hungry;
};

/* ---- Lists of readers. The lock is held ---- */

static void list_add(struct feed_list *list, struct feed_reader *reader)
{
    reader->list = list;
    reader->previous = list->last;
    reader->next = NULL;
    if (list->last != NULL)
        list->last->next = reader;
    else
        list->first = reader;
    list->last = reader;
}

static void list_remove(struct feed_reader *reader)
{
    struct feed_list *list = reader->list;
    if (list == NULL)
        return;
    if (reader->previous != NULL)
        reader->previous->next = reader->next;
    else
        list->first = reader->next;
    if (reader->next != NULL)
        reader->next->previous = reader->previous;
    else
        list->last = reader->previous;
    reader->list = NULL;
}

static void wake(struct feeds *feeds, struct feed_reader *reader)
{
    bool was_empty = feeds->awake.first == NULL;
    list_remove(reader);
    list_add(&feeds->awake, reader);
    if (was_empty)
        (void)eventfd_write(feeds->awake_event, 1);
}

static void wake_all(struct feeds *feeds, struct feed_list *list)
{
    while (list->first != NULL)
        wake(feeds, list->first);
}

/* ---- Messages. The lock is held ---- */

static struct feed_message *message_new(unsigned number, uint64_t position, struct span bytes)
{
    struct feed_message *message = malloc(sizeof *message + bytes.length);
    if (message == NULL)
        abort();
    *message =
        (struct feed_message){.number = number, .position = position, .length = bytes.length};
    memcpy(message->bytes, bytes.at, bytes.length);
    return message;
}

static struct feed_message *hold(struct feed_message *message)
{
    message->holders++;
    return message;
}

static void let_go(struct feed_message *message)
{
    while (message != NULL && --message->holders == 0) {
        struct feed_message *next = message->next;
        free(message);
        message = next;
    }
}

static void drop_old(struct feed *feed)
{
    while (feed->oldest != feed->latest && feed->bytes - feed->oldest->position > KEPT_BYTES) {
        struct feed_message *next = hold(feed->oldest->next);
        let_go(feed->oldest);
        feed->oldest = next;
    }
}

/* The message with this number among those that the feed keeps, or NULL. */
static struct feed_message *find(const struct feed *feed, unsigned number)
{
    struct feed_message *message = feed->oldest;
    while (message != NULL && message->number < number)
        message = message->next;
    return message != NULL && message->number == number ? message : NULL;
}

/* ---- All feeds ---- */

struct feeds *feeds_new(void (*hungry)(void *context, struct feed *feed), void *context)
{
    struct feeds *feeds = calloc(1, sizeof *feeds);
    if (feeds == NULL)
        abort();
    feeds->hungry = hungry;
    feeds->context = context;
    pthread_mutex_init(&feeds->lock, NULL);
    feeds->awake_event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (feeds->awake_event >= 0)
        return feeds;
    feeds_free(feeds);
    return NULL;
}

void feeds_free(struct feeds *feeds)
{
    if (feeds == NULL)
        return;
    assert(feeds->awake.first == NULL);
    pthread_mutex_destroy(&feeds->lock);
    if (feeds->awake_event >= 0)
        close(feeds->awake_event);
    free(feeds);
}

int feeds_awake_fd(const struct feeds *feeds)
{
    return feeds->awake_event;
}

/* The event is read only when the list is empty: what is left keeps the descriptor readable. */
size_t feeds_take_awake(struct feeds *feeds, void **owners, size_t most)
{
    size_t count = 0;
    eventfd_t ignored;
    pthread_mutex_lock(&feeds->lock);
    while (count < most && feeds->awake.first != NULL) {
        owners[count++] = feeds->awake.first->owner;
        list_remove(feeds->awake.first);
    }
    if (feeds->awake.first == NULL)
        (void)eventfd_read(feeds->awake_event, &ignored);
    pthread_mutex_unlock(&feeds->lock);
    return count;
}

/* ---- Filling ---- */

struct feed *feed_new(struct feeds *feeds, unsigned newest, void *place)
{
    struct feed *feed = calloc(1, sizeof *feed);
    if (feed == NULL)
        abort();
    feed->feeds = feeds;
    feed->newest = newest;
    feed->admitted = FEED_UNKNOWN;
    feed->place = place;
    return feed;
}

/* Some were hungry only because nobody knew how far it is. */
void feed_know(struct feed *feed, unsigned newest)
{
    struct feed_reader *next;
    pthread_mutex_lock(&feed->feeds->lock);
    assert(feed->newest == FEED_UNKNOWN);
    feed->newest = newest;
    for (struct feed_reader *reader = feed->hungry.first; reader != NULL; reader = next) {
        next = reader->next;
        if (reader->number >= newest)
            wake(feed->feeds, reader);
    }
    pthread_mutex_unlock(&feed->feeds->lock);
}

void *feed_place(const struct feed *feed)
{
    return feed->place;
}

void feed_free(struct feed *feed)
{
    if (feed == NULL)
        return;
    assert(feed->waiting.first == NULL && feed->hungry.first == NULL);
    let_go(feed->oldest);
    free(feed);
}

void feed_add(struct feed *feed, struct span bytes)
{
    pthread_mutex_lock(&feed->feeds->lock);
    assert(feed->newest != FEED_UNKNOWN && !feed->finished);
    struct feed_message *message = hold(message_new(++feed->newest, feed->bytes, bytes));
    if (feed->latest == NULL)
        feed->oldest = message;
    else
        feed->latest->next = message;
    feed->latest = message;
    feed->bytes += bytes.length;
    drop_old(feed);
    wake_all(feed->feeds, &feed->waiting);
    pthread_mutex_unlock(&feed->feeds->lock);
}

bool feed_is_read(struct feed *feed)
{
    pthread_mutex_lock(&feed->feeds->lock);
    bool read = feed->readers > 0;
    pthread_mutex_unlock(&feed->feeds->lock);
    return read;
}

void feed_skip(struct feed *feed)
{
    pthread_mutex_lock(&feed->feeds->lock);
    assert(feed->newest != FEED_UNKNOWN && !feed->finished);
    feed->newest++;
    let_go(feed->oldest);
    feed->oldest = NULL;
    feed->latest = NULL;
    wake_all(feed->feeds, &feed->waiting);
    pthread_mutex_unlock(&feed->feeds->lock);
}

void feed_finish(struct feed *feed)
{
    pthread_mutex_lock(&feed->feeds->lock);
    feed->finished = true;
    wake_all(feed->feeds, &feed->waiting);
    pthread_mutex_unlock(&feed->feeds->lock);
}

void feed_break(struct feed *feed)
{
    pthread_mutex_lock(&feed->feeds->lock);
    feed->broken = true;
    wake_all(feed->feeds, &feed->waiting);
    wake_all(feed->feeds, &feed->hungry);
    pthread_mutex_unlock(&feed->feeds->lock);
}

void feed_turn_out(struct feed *feed, unsigned number)
{
    pthread_mutex_lock(&feed->feeds->lock);
    if (feed->turned_out < number)
        feed->turned_out = number;
    wake_all(feed->feeds, &feed->waiting);
    wake_all(feed->feeds, &feed->hungry);
    pthread_mutex_unlock(&feed->feeds->lock);
}

unsigned feed_admitted(struct feed *feed)
{
    pthread_mutex_lock(&feed->feeds->lock);
    unsigned admitted = feed->admitted;
    pthread_mutex_unlock(&feed->feeds->lock);
    return admitted;
}

bool feed_is_hungry(struct feed *feed, unsigned *after)
{
    pthread_mutex_lock(&feed->feeds->lock);
    const struct feed_reader *reader = feed->hungry.first;
    if (reader != NULL)
        *after = reader->number;
    pthread_mutex_unlock(&feed->feeds->lock);
    return reader != NULL;
}

void feed_give(struct feed *feed, unsigned after, unsigned last, struct span bytes)
{
    pthread_mutex_lock(&feed->feeds->lock);
    struct feed_message *message = hold(message_new(last, feed->bytes, bytes));
    struct feed_reader *next;
    message->given = true;
    for (struct feed_reader *reader = feed->hungry.first; reader != NULL; reader = next) {
        next = reader->next;
        if (reader->number != after)
            continue;
        let_go(reader->at);
        reader->at = hold(message);
        reader->offset = 0;
        reader->number = last;
        wake(feed->feeds, reader);
    }
    let_go(message);
    pthread_mutex_unlock(&feed->feeds->lock);
}

/* ---- Readers ---- */

void feed_open(struct feed *feed, struct feed_reader *reader, unsigned after,
               void (*closed)(struct feed_reader *reader))
{
    *reader = (struct feed_reader){
        .feed = feed, .number = after, .admitted = FEED_UNKNOWN, .closed = closed};
    pthread_mutex_lock(&feed->feeds->lock);
    feed->readers++;
    pthread_mutex_unlock(&feed->feeds->lock);
}

void feed_admit(struct feed_reader *reader, unsigned number)
{
    struct feed *feed = reader->feed;
    pthread_mutex_lock(&feed->feeds->lock);
    reader->admitted = number;
    if (number < feed->admitted)
        feed->admitted = number;
    pthread_mutex_unlock(&feed->feeds->lock);
}

void feed_end(struct feed_reader *reader)
{
    struct feeds *feeds = reader->feed->feeds;
    pthread_mutex_lock(&feeds->lock);
    reader->ended = true;
    if (reader->list != NULL)
        wake(feeds, reader);
    pthread_mutex_unlock(&feeds->lock);
}

void feed_expire(struct feed_reader *reader, int64_t expires_at_ms)
{
    struct feeds *feeds = reader->feed->feeds;
    pthread_mutex_lock(&feeds->lock);
    reader->expires_at_ms = expires_at_ms;
    pthread_mutex_unlock(&feeds->lock);
}

/* Goes on to the next message. False if it is not at hand. */
static bool advance(struct feed_reader *reader)
{
    const struct feed *feed = reader->feed;
    struct feed_message *next = reader->at == NULL ? NULL : reader->at->next;
    if (reader->number >= feed->newest)
        return false;
    if (next == NULL)
        next = find(feed, reader->number + 1);
    if (next == NULL)
        return false;
    hold(next);
    let_go(reader->at);
    reader->at = next;
    reader->offset = 0;
    reader->number = next->number;
    return true;
}

static size_t copy(struct feed_reader *reader, char *bytes, size_t size)
{
    size_t copied = 0;
    do {
        if (reader->at == NULL)
            continue;
        size_t part = reader->at->length - reader->offset;
        if (part > size - copied)
            part = size - copied;
        memcpy(bytes + copied, reader->at->bytes + reader->offset, part);
        reader->offset += part;
        copied += part;
    } while (copied < size && advance(reader));
    return copied;
}

/* What was given can be long, and leads nowhere once it has been read. */
static void forget_given(struct feed_reader *reader)
{
    if (reader->at == NULL || !reader->at->given)
        return;
    let_go(reader->at);
    reader->at = NULL;
}

static bool is_at_end(const struct feed_reader *reader)
{
    const struct feed *feed = reader->feed;
    return reader->ended || feed->broken || (feed->finished && reader->number >= feed->newest);
}

ssize_t feed_read(struct feed_reader *reader, char *bytes, size_t size, int64_t now_ms, void *owner)
{
    struct feed *feed = reader->feed;
    struct feeds *feeds = feed->feeds;
    bool hungry = false;
    ssize_t result = FEED_END;
    pthread_mutex_lock(&feeds->lock);
    list_remove(reader);
    reader->owner = owner;
    if ((reader->expires_at_ms != 0 && reader->expires_at_ms <= now_ms) ||
        reader->admitted < feed->turned_out)
        reader->ended = true;
    if (!reader->ended && !feed->broken)
        result = (ssize_t)copy(reader, bytes, size);
    if (result == 0 && is_at_end(reader)) {
        result = FEED_END;
    } else if (result == 0) {
        forget_given(reader);
        hungry = feed->newest == FEED_UNKNOWN || reader->number < feed->newest;
        list_add(hungry ? &feed->hungry : &feed->waiting, reader);
    }
    pthread_mutex_unlock(&feeds->lock);
    if (!hungry)
        return result;
    feeds->hungry(feeds->context, feed);
    return FEED_HUNGRY;
}

/* What was given to a hungry reader counts from when it was given. */
uint64_t feed_lag(struct feed_reader *reader)
{
    struct feeds *feeds = reader->feed->feeds;
    uint64_t lag = 0;
    pthread_mutex_lock(&feeds->lock);
    if (reader->at != NULL)
        lag = reader->feed->bytes - reader->at->position;
    pthread_mutex_unlock(&feeds->lock);
    return lag;
}

void feed_close(struct feed_reader *reader)
{
    struct feeds *feeds = reader->feed->feeds;
    pthread_mutex_lock(&feeds->lock);
    list_remove(reader);
    let_go(reader->at);
    reader->at = NULL;
    reader->feed->readers--;
    pthread_mutex_unlock(&feeds->lock);
    reader->closed(reader);
}
