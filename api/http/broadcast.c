#include "api/http/broadcast.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "engine/base/arena.h"

enum { KEPT_BYTES = 8 * 1024 };

struct broadcast_list {
    struct broadcast_reader *first, *last;
};

/* One message; or a backfill, the messages that readers behind were given in one piece, which is
 * not linked. */
struct broadcast_message {
    unsigned holders;
    unsigned number; /* number of its last message */
    bool is_backfill;
    uint64_t position; /* bytes of the broadcast before it */
    struct broadcast_message *next;
    size_t length;
    char bytes[];
};

struct broadcasts {
    pthread_mutex_t lock;
    int awake_event;
    struct broadcast_list awake;
    void (*behind)(void *context, struct broadcast *broadcast);
    void *context;
};

struct broadcast {
    struct broadcasts *broadcasts;
    void *place;
    unsigned newest;
    unsigned readers;
    unsigned admitted;       /* the lowest number of all readers */
    unsigned revoked_before; /* readers that were admitted before this number are ended */
    bool finished, broken;
    uint64_t bytes;                            /* bytes of all messages that were added */
    struct broadcast_message *oldest, *latest; /* messages that are kept; `oldest` is held */
    struct broadcast_list waiting, behind;
};

/* ---- Lists of readers. The lock is held ---- */

static void list_add(struct broadcast_list *list, struct broadcast_reader *reader)
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

static void list_remove(struct broadcast_reader *reader)
{
    struct broadcast_list *list = reader->list;
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

static void wake(struct broadcasts *broadcasts, struct broadcast_reader *reader)
{
    bool was_empty = broadcasts->awake.first == NULL;
    list_remove(reader);
    list_add(&broadcasts->awake, reader);
    if (was_empty)
        (void)eventfd_write(broadcasts->awake_event, 1);
}

static void wake_all(struct broadcasts *broadcasts, struct broadcast_list *list)
{
    while (list->first != NULL)
        wake(broadcasts, list->first);
}

/* ---- Messages. The lock is held ---- */

static struct broadcast_message *message_new(unsigned number, uint64_t position, struct span bytes)
{
    struct broadcast_message *message = must(malloc(sizeof *message + bytes.length));
    *message =
        (struct broadcast_message){.number = number, .position = position, .length = bytes.length};
    memcpy(message->bytes, bytes.at, bytes.length);
    return message;
}

static struct broadcast_message *hold(struct broadcast_message *message)
{
    message->holders++;
    return message;
}

static void release(struct broadcast_message *message)
{
    while (message != NULL && --message->holders == 0) {
        struct broadcast_message *next = message->next;
        free(message);
        message = next;
    }
}

static void drop_old(struct broadcast *broadcast)
{
    while (broadcast->oldest != broadcast->latest &&
           broadcast->bytes - broadcast->oldest->position > KEPT_BYTES) {
        struct broadcast_message *next = hold(broadcast->oldest->next);
        release(broadcast->oldest);
        broadcast->oldest = next;
    }
}

/* Returns the message with this number from those that the broadcast keeps, or NULL. */
static struct broadcast_message *find(const struct broadcast *broadcast, unsigned number)
{
    struct broadcast_message *message = broadcast->oldest;
    while (message != NULL && message->number < number)
        message = message->next;
    return message != NULL && message->number == number ? message : NULL;
}

/* ---- All broadcasts ---- */

struct broadcasts *broadcasts_new(void (*behind)(void *context, struct broadcast *broadcast),
                                  void *context)
{
    struct broadcasts *broadcasts = must(calloc(1, sizeof *broadcasts));
    broadcasts->behind = behind;
    broadcasts->context = context;
    pthread_mutex_init(&broadcasts->lock, NULL);
    broadcasts->awake_event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (broadcasts->awake_event >= 0)
        return broadcasts;
    broadcasts_free(broadcasts);
    return NULL;
}

void broadcasts_free(struct broadcasts *broadcasts)
{
    if (broadcasts == NULL)
        return;
    assert(broadcasts->awake.first == NULL);
    pthread_mutex_destroy(&broadcasts->lock);
    if (broadcasts->awake_event >= 0)
        close(broadcasts->awake_event);
    free(broadcasts);
}

int broadcasts_awake_fd(const struct broadcasts *broadcasts)
{
    return broadcasts->awake_event;
}

/* The event is read only when the list is empty: while owners remain, the descriptor stays
 * readable. */
size_t broadcasts_take_awake(struct broadcasts *broadcasts, void **owners, size_t most)
{
    size_t count = 0;
    eventfd_t ignored;
    pthread_mutex_lock(&broadcasts->lock);
    while (count < most && broadcasts->awake.first != NULL) {
        owners[count++] = broadcasts->awake.first->owner;
        list_remove(broadcasts->awake.first);
    }
    if (broadcasts->awake.first == NULL)
        (void)eventfd_read(broadcasts->awake_event, &ignored);
    pthread_mutex_unlock(&broadcasts->lock);
    return count;
}

/* ---- Filling ---- */

struct broadcast *broadcast_new(struct broadcasts *broadcasts, unsigned newest, void *place)
{
    struct broadcast *broadcast = must(calloc(1, sizeof *broadcast));
    broadcast->broadcasts = broadcasts;
    broadcast->newest = newest;
    broadcast->admitted = BROADCAST_UNKNOWN;
    broadcast->place = place;
    return broadcast;
}

/* Readers that were behind only because the end was unknown are woken. */
void broadcast_know(struct broadcast *broadcast, unsigned newest)
{
    struct broadcast_reader *next;
    pthread_mutex_lock(&broadcast->broadcasts->lock);
    assert(broadcast->newest == BROADCAST_UNKNOWN);
    broadcast->newest = newest;
    for (struct broadcast_reader *reader = broadcast->behind.first; reader != NULL; reader = next) {
        next = reader->next;
        if (reader->number >= newest)
            wake(broadcast->broadcasts, reader);
    }
    pthread_mutex_unlock(&broadcast->broadcasts->lock);
}

void *broadcast_place(const struct broadcast *broadcast)
{
    return broadcast->place;
}

void broadcast_free(struct broadcast *broadcast)
{
    if (broadcast == NULL)
        return;
    assert(broadcast->waiting.first == NULL && broadcast->behind.first == NULL);
    release(broadcast->oldest);
    free(broadcast);
}

void broadcast_add(struct broadcast *broadcast, struct span bytes)
{
    pthread_mutex_lock(&broadcast->broadcasts->lock);
    assert(broadcast->newest != BROADCAST_UNKNOWN && !broadcast->finished);
    struct broadcast_message *message =
        hold(message_new(++broadcast->newest, broadcast->bytes, bytes));
    if (broadcast->latest == NULL)
        broadcast->oldest = message;
    else
        broadcast->latest->next = message;
    broadcast->latest = message;
    broadcast->bytes += bytes.length;
    drop_old(broadcast);
    wake_all(broadcast->broadcasts, &broadcast->waiting);
    pthread_mutex_unlock(&broadcast->broadcasts->lock);
}

bool broadcast_is_read(struct broadcast *broadcast)
{
    pthread_mutex_lock(&broadcast->broadcasts->lock);
    bool read = broadcast->readers > 0;
    pthread_mutex_unlock(&broadcast->broadcasts->lock);
    return read;
}

void broadcast_skip(struct broadcast *broadcast)
{
    pthread_mutex_lock(&broadcast->broadcasts->lock);
    assert(broadcast->newest != BROADCAST_UNKNOWN && !broadcast->finished);
    broadcast->newest++;
    release(broadcast->oldest);
    broadcast->oldest = NULL;
    broadcast->latest = NULL;
    wake_all(broadcast->broadcasts, &broadcast->waiting);
    pthread_mutex_unlock(&broadcast->broadcasts->lock);
}

void broadcast_finish(struct broadcast *broadcast)
{
    pthread_mutex_lock(&broadcast->broadcasts->lock);
    broadcast->finished = true;
    wake_all(broadcast->broadcasts, &broadcast->waiting);
    pthread_mutex_unlock(&broadcast->broadcasts->lock);
}

void broadcast_break(struct broadcast *broadcast)
{
    pthread_mutex_lock(&broadcast->broadcasts->lock);
    broadcast->broken = true;
    wake_all(broadcast->broadcasts, &broadcast->waiting);
    wake_all(broadcast->broadcasts, &broadcast->behind);
    pthread_mutex_unlock(&broadcast->broadcasts->lock);
}

void broadcast_revoke(struct broadcast *broadcast, unsigned number)
{
    pthread_mutex_lock(&broadcast->broadcasts->lock);
    if (broadcast->revoked_before < number)
        broadcast->revoked_before = number;
    wake_all(broadcast->broadcasts, &broadcast->waiting);
    wake_all(broadcast->broadcasts, &broadcast->behind);
    pthread_mutex_unlock(&broadcast->broadcasts->lock);
}

unsigned broadcast_admitted(struct broadcast *broadcast)
{
    pthread_mutex_lock(&broadcast->broadcasts->lock);
    unsigned admitted = broadcast->admitted;
    pthread_mutex_unlock(&broadcast->broadcasts->lock);
    return admitted;
}

bool broadcast_needs_backfill(struct broadcast *broadcast, unsigned *after)
{
    pthread_mutex_lock(&broadcast->broadcasts->lock);
    const struct broadcast_reader *reader = broadcast->behind.first;
    if (reader != NULL)
        *after = reader->number;
    pthread_mutex_unlock(&broadcast->broadcasts->lock);
    return reader != NULL;
}

void broadcast_give(struct broadcast *broadcast, unsigned after, unsigned last, struct span bytes)
{
    pthread_mutex_lock(&broadcast->broadcasts->lock);
    struct broadcast_message *message = hold(message_new(last, broadcast->bytes, bytes));
    struct broadcast_reader *next;
    message->is_backfill = true;
    for (struct broadcast_reader *reader = broadcast->behind.first; reader != NULL; reader = next) {
        next = reader->next;
        if (reader->number != after)
            continue;
        release(reader->at);
        reader->at = hold(message);
        reader->offset = 0;
        reader->number = last;
        wake(broadcast->broadcasts, reader);
    }
    release(message);
    pthread_mutex_unlock(&broadcast->broadcasts->lock);
}

/* ---- Readers ---- */

void broadcast_open(struct broadcast *broadcast, struct broadcast_reader *reader, unsigned after,
                    void (*closed)(struct broadcast_reader *reader))
{
    *reader = (struct broadcast_reader){
        .broadcast = broadcast, .number = after, .admitted = BROADCAST_UNKNOWN, .closed = closed};
    pthread_mutex_lock(&broadcast->broadcasts->lock);
    broadcast->readers++;
    pthread_mutex_unlock(&broadcast->broadcasts->lock);
}

void broadcast_admit(struct broadcast_reader *reader, unsigned number)
{
    struct broadcast *broadcast = reader->broadcast;
    pthread_mutex_lock(&broadcast->broadcasts->lock);
    reader->admitted = number;
    if (number < broadcast->admitted)
        broadcast->admitted = number;
    pthread_mutex_unlock(&broadcast->broadcasts->lock);
}

void broadcast_end(struct broadcast_reader *reader)
{
    struct broadcasts *broadcasts = reader->broadcast->broadcasts;
    pthread_mutex_lock(&broadcasts->lock);
    reader->ended = true;
    if (reader->list != NULL)
        wake(broadcasts, reader);
    pthread_mutex_unlock(&broadcasts->lock);
}

void broadcast_expire(struct broadcast_reader *reader, int64_t expires_at_ms)
{
    struct broadcasts *broadcasts = reader->broadcast->broadcasts;
    pthread_mutex_lock(&broadcasts->lock);
    reader->expires_at_ms = expires_at_ms;
    pthread_mutex_unlock(&broadcasts->lock);
}

/* Moves on to the next message. False if the broadcast does not have it. */
static bool advance(struct broadcast_reader *reader)
{
    const struct broadcast *broadcast = reader->broadcast;
    struct broadcast_message *next = reader->at == NULL ? NULL : reader->at->next;
    if (reader->number >= broadcast->newest)
        return false;
    if (next == NULL)
        next = find(broadcast, reader->number + 1);
    if (next == NULL)
        return false;
    hold(next);
    release(reader->at);
    reader->at = next;
    reader->offset = 0;
    reader->number = next->number;
    return true;
}

static size_t copy(struct broadcast_reader *reader, char *bytes, size_t size)
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

/* A backfill can be long, and has no next message, so it is released once it has been read. */
static void release_backfill(struct broadcast_reader *reader)
{
    if (reader->at == NULL || !reader->at->is_backfill)
        return;
    release(reader->at);
    reader->at = NULL;
}

static bool is_at_end(const struct broadcast_reader *reader)
{
    const struct broadcast *broadcast = reader->broadcast;
    return reader->ended || broadcast->broken ||
           (broadcast->finished && reader->number >= broadcast->newest);
}

ssize_t broadcast_read(struct broadcast_reader *reader, char *bytes, size_t size, int64_t now_ms,
                       void *owner)
{
    struct broadcast *broadcast = reader->broadcast;
    struct broadcasts *broadcasts = broadcast->broadcasts;
    bool behind = false;
    ssize_t result = BROADCAST_END;
    pthread_mutex_lock(&broadcasts->lock);
    list_remove(reader);
    reader->owner = owner;
    if ((reader->expires_at_ms != 0 && reader->expires_at_ms <= now_ms) ||
        reader->admitted < broadcast->revoked_before)
        reader->ended = true;
    if (!reader->ended && !broadcast->broken)
        result = (ssize_t)copy(reader, bytes, size);
    /* With room left in `bytes`, all available messages have been read. */
    const bool all = result >= 0 && (size_t)result < size && !is_at_end(reader);
    const bool newest =
        broadcast->newest != BROADCAST_UNKNOWN && reader->number >= broadcast->newest;
    reader->waits = all && newest;
    if (result == 0 && is_at_end(reader)) {
        result = BROADCAST_END;
    } else if (reader->waits) {
        release_backfill(reader);
        list_add(&broadcast->waiting, reader);
    } else if (result == 0) {
        release_backfill(reader);
        behind = true;
        list_add(&broadcast->behind, reader);
    }
    pthread_mutex_unlock(&broadcasts->lock);
    if (!behind)
        return result;
    broadcasts->behind(broadcasts->context, broadcast);
    return BROADCAST_NEEDS_BACKFILL;
}

/* For a reader with a backfill, the lag counts from the position at which the backfill was
 * supplied. */
uint64_t broadcast_lag(struct broadcast_reader *reader)
{
    struct broadcasts *broadcasts = reader->broadcast->broadcasts;
    uint64_t lag = 0;
    pthread_mutex_lock(&broadcasts->lock);
    if (reader->at != NULL)
        lag = reader->broadcast->bytes - reader->at->position;
    pthread_mutex_unlock(&broadcasts->lock);
    return lag;
}

void broadcast_close(struct broadcast_reader *reader)
{
    struct broadcasts *broadcasts = reader->broadcast->broadcasts;
    pthread_mutex_lock(&broadcasts->lock);
    list_remove(reader);
    release(reader->at);
    reader->at = NULL;
    reader->broadcast->readers--;
    pthread_mutex_unlock(&broadcasts->lock);
    reader->closed(reader);
}
