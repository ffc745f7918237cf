/* One lock for the tables and queues. It is taken before the broadcasts' lock if both are needed,
 * and never held during database queries: topics in use by the publisher are marked, and the
 * publisher frees them if their last reader has gone in the meantime. */
#include "api/push/streams.h"

#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/http/peers.h"
#include "api/push/topic.h"
#include "api/state/change_bus.h"
#include "db/link/now.h"
#include "db/link/thread.h"
#include "db/store/people/credentials.h"

enum {
    BUCKETS = 4096, /* a power of two */
    AT_ONCE = 32,   /* topics published in one transaction */
    TOKENS_AT_ONCE = 256,
    POOL_WAIT_MS = 1000,
    AGAIN_FIRST_MS = 100, /* after the database has failed */
    AGAIN_MOST_MS = 2000
};

enum task { TASK_TELL, TASK_GIVE, TASKS };

/* A topic with followers. */
struct watch {
    struct topic topic; /* used only by the publisher */
    struct watch *next_in_bucket;
    unsigned readers;
    unsigned watching; /* readers without a seat in the game */
    bool busy;         /* in use by the publisher */
    bool known;        /* copies of the topic's, for threads that announce changes */
    unsigned published;
    bool queued[TASKS];
    struct watch *next_in_queue[TASKS];
};

/* A list node that can be removed from anywhere. */
struct link {
    struct stream *next, **place; /* `place` NULL = in no list */
};

struct stream {
    struct broadcast_reader reader; /* first, so that a reader can be cast to its stream */
    struct streams *streams;
    struct watch *watch;
    struct peer *peer;
    struct peer *player; /* NULL: not signed in */
    bool watches;        /* follows a game without a seat in it */
    struct link by_token;
    struct link unchecked; /* while its token is due for checking */
    uint8_t token_hash[32];
};

struct queue {
    struct watch *first, *last;
};

struct streams {
    struct streams_config config;
    struct broadcasts *broadcasts;
    struct db_pool *pool; /* of one connection, used only by the publisher */
    pthread_t publisher;
    bool started;
    pthread_mutex_t lock; /* protects the members below */
    pthread_cond_t wake;
    bool ending;
    unsigned count;
    struct queue queue[TASKS];
    struct watch *watch[BUCKETS];
    unsigned anonymous; /* streams of clients that are not signed in */
    struct peers *peers;
    struct peers *players;
    struct stream *by_token[BUCKETS];
    struct stream *unchecked;
};

/* FNV-1a: ids and token hashes are not attacker-chosen, and a full bucket is slow but correct. */
static size_t bucket_of(const void *bytes, size_t size)
{
    uint64_t hash = 14695981039346656037U;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 1099511628211U;
    return (size_t)(hash ^ hash >> 32) % BUCKETS;
}

/* ---- Followed topics. The lock is held ---- */

static struct watch **find_watch(struct streams *streams, enum topic_kind kind, const struct id *id)
{
    struct watch **place = &streams->watch[bucket_of(id->text, sizeof id->text - 1)];
    while (*place != NULL && ((*place)->topic.kind != kind || !id_equal(&(*place)->topic.id, id)))
        place = &(*place)->next_in_bucket;
    return place;
}

static struct watch *take_watch(struct streams *streams, enum topic_kind kind, const struct id *id)
{
    struct watch **place = find_watch(streams, kind, id);
    if (*place == NULL) {
        *place = must(calloc(1, sizeof **place));
        topic_init(&(*place)->topic, kind, id, streams->broadcasts);
    }
    (*place)->readers++;
    return *place;
}

static void queue_watch(struct streams *streams, struct watch *watch, enum task task)
{
    struct queue *queue = &streams->queue[task];
    if (watch->queued[task])
        return;
    watch->queued[task] = true;
    watch->next_in_queue[task] = NULL;
    if (queue->first == NULL)
        queue->first = watch;
    else
        queue->last->next_in_queue[task] = watch;
    queue->last = watch;
    pthread_cond_signal(&streams->wake);
}

static struct watch *take_queued(struct streams *streams, enum task task)
{
    struct queue *queue = &streams->queue[task];
    struct watch *watch = queue->first;
    if (watch == NULL)
        return NULL;
    queue->first = watch->next_in_queue[task];
    watch->queued[task] = false;
    watch->busy = true;
    return watch;
}

/* Frees the watch if it is no longer in use. */
static void drop_watch(struct streams *streams, struct watch *watch)
{
    if (watch->readers > 0 || watch->busy || watch->queued[TASK_TELL] || watch->queued[TASK_GIVE])
        return;
    *find_watch(streams, watch->topic.kind, &watch->topic.id) = watch->next_in_bucket;
    topic_free(&watch->topic);
    free(watch);
}

/* ---- Tokens. The lock is held ---- */

/* The token is checked after the stream is registered: later revocations are announced, earlier
 * ones are found by the check. */
static void add_unchecked(struct streams *streams, struct stream *stream)
{
    struct stream **place = &streams->unchecked;
    if (stream->unchecked.place != NULL)
        return;
    stream->unchecked = (struct link){*place, place};
    if (*place != NULL)
        (*place)->unchecked.place = &stream->unchecked.next;
    *place = stream;
    pthread_cond_signal(&streams->wake);
}

static void drop_unchecked(struct stream *stream)
{
    struct link *link = &stream->unchecked;
    if (link->place == NULL)
        return;
    *link->place = link->next;
    if (link->next != NULL)
        link->next->unchecked.place = link->place;
    link->place = NULL;
}

static void add_token(struct streams *streams, struct stream *stream, const uint8_t *hash)
{
    if (hash == NULL)
        return;
    struct stream **place = &streams->by_token[bucket_of(hash, 32)];
    memcpy(stream->token_hash, hash, 32);
    stream->by_token = (struct link){*place, place};
    if (*place != NULL)
        (*place)->by_token.place = &stream->by_token.next;
    *place = stream;
    add_unchecked(streams, stream);
}

static void drop_token(struct stream *stream)
{
    struct link *link = &stream->by_token;
    if (link->place == NULL)
        return;
    *link->place = link->next;
    if (link->next != NULL)
        link->next->by_token.place = link->place;
    drop_unchecked(stream);
}

/* Sets when the token ends; with `expires_at_ms` 0 it is no longer valid. */
static void expire_token(struct streams *streams, const uint8_t hash[static 32],
                         int64_t expires_at_ms)
{
    for (struct stream *each = streams->by_token[bucket_of(hash, 32)]; each != NULL;
         each = each->by_token.next) {
        if (memcmp(each->token_hash, hash, 32) != 0)
            continue;
        if (expires_at_ms == 0)
            broadcast_end(&each->reader);
        else
            broadcast_expire(&each->reader, expires_at_ms);
    }
}

/* ---- Streams ---- */

/* True if the limit that applies to this client allows another stream. */
static bool has_room(const struct streams *streams, const struct stream_client *client)
{
    unsigned most = streams->config.most;
    if (client->plays)
        return streams->count < most;
    if (streams->count >= most - most / 8)
        return false;
    return client->player != NULL || streams->anonymous < most - most / 2;
}

/* Registers the player's key in the table of players with streams. */
static struct peer *enter_player(struct streams *streams, const struct id *player)
{
    uint8_t key[16];
    crypto_generichash(key, sizeof key, (const unsigned char *)player->text, strlen(player->text),
                       NULL, 0);
    return peers_enter(streams->players, key);
}

static enum streams_refusal take_places(struct streams *streams, struct stream *stream,
                                        const struct stream_client *client)
{
    if (!has_room(streams, client))
        return STREAMS_FULL;
    stream->peer = peers_enter(streams->peers, client->peer);
    if (stream->peer == NULL)
        return STREAMS_ADDRESS_FULL;
    if (client->player != NULL) {
        stream->player = enter_player(streams, client->player);
        if (stream->player == NULL) {
            peers_leave(streams->peers, stream->peer);
            return STREAMS_PLAYER_FULL;
        }
    }
    streams->count++;
    streams->anonymous += client->player == NULL;
    return STREAMS_OK;
}

static void leave_places(struct streams *streams, const struct stream *stream)
{
    streams->count--;
    streams->anonymous -= stream->player == NULL;
    peers_leave(streams->peers, stream->peer);
    if (stream->player != NULL)
        peers_leave(streams->players, stream->player);
}

static void close_stream(struct broadcast_reader *reader)
{
    struct stream *stream = (struct stream *)reader;
    struct streams *streams = stream->streams;
    pthread_mutex_lock(&streams->lock);
    drop_token(stream);
    leave_places(streams, stream);
    stream->watch->readers--;
    stream->watch->watching -= stream->watches;
    drop_watch(streams, stream->watch);
    pthread_mutex_unlock(&streams->lock);
    free(stream);
}

static enum streams_refusal open_stream(struct streams *streams, enum topic_kind kind,
                                        const struct id *id, struct viewer viewer, unsigned after,
                                        const struct stream_client *client,
                                        struct broadcast_reader **reader)
{
    struct stream *stream = must(calloc(1, sizeof *stream));
    stream->streams = streams;
    pthread_mutex_lock(&streams->lock);
    enum streams_refusal refusal = take_places(streams, stream, client);
    if (refusal == STREAMS_OK) {
        stream->watch = take_watch(streams, kind, id);
        stream->watches = kind == TOPIC_GAME && viewer.kind != VIEWER_SEAT;
        stream->watch->watching += stream->watches;
        broadcast_open(topic_feed(&stream->watch->topic, viewer), &stream->reader, after,
                       close_stream);
        if (kind == TOPIC_GAME && viewer.kind == VIEWER_SEAT)
            broadcast_admit(&stream->reader, client->seated_at);
        add_token(streams, stream, client->token_hash);
        *reader = &stream->reader;
    }
    pthread_mutex_unlock(&streams->lock);
    if (refusal != STREAMS_OK)
        free(stream);
    return refusal;
}

enum streams_refusal streams_game(struct streams *streams, const struct id *game,
                                  struct viewer viewer, unsigned after,
                                  const struct stream_client *client,
                                  struct broadcast_reader **reader)
{
    return open_stream(streams, TOPIC_GAME, game, viewer, after, client, reader);
}

enum streams_refusal streams_event(struct streams *streams, const struct id *event, unsigned after,
                                   const struct stream_client *client,
                                   struct broadcast_reader **reader)
{
    const struct viewer everybody = {VIEWER_SPECTATOR, 0};
    return open_stream(streams, TOPIC_EVENT, event, everybody, after, client, reader);
}

enum streams_refusal streams_recording(struct streams *streams, const struct id *recording,
                                       bool at_table, unsigned after,
                                       const struct stream_client *client,
                                       struct broadcast_reader **reader)
{
    const struct viewer viewer = {at_table ? VIEWER_SEAT : VIEWER_SPECTATOR, 0};
    return open_stream(streams, TOPIC_RECORDING, recording, viewer, after, client, reader);
}

unsigned streams_watching(struct streams *streams, const struct id *game)
{
    pthread_mutex_lock(&streams->lock);
    const struct watch *watch = *find_watch(streams, TOPIC_GAME, game);
    unsigned watching = watch == NULL ? 0 : watch->watching;
    pthread_mutex_unlock(&streams->lock);
    return watching;
}

/* The id of the only topic of this kind. */
static const struct id the_log = {"log"};

enum streams_refusal streams_log(struct streams *streams, unsigned after,
                                 const struct stream_client *client,
                                 struct broadcast_reader **reader)
{
    const struct viewer everybody = {VIEWER_SPECTATOR, 0};
    return open_stream(streams, TOPIC_LOG, &the_log, everybody, after, client, reader);
}

/* ---- Changes ---- */

static void on_game(void *context, const struct id *game, unsigned seq)
{
    struct streams *streams = context;
    pthread_mutex_lock(&streams->lock);
    struct watch *watch = *find_watch(streams, TOPIC_GAME, game);
    if (watch != NULL && (!watch->known || seq > watch->published))
        queue_watch(streams, watch, TASK_TELL);
    pthread_mutex_unlock(&streams->lock);
}

static void on_topic(struct streams *streams, enum topic_kind kind, const struct id *id)
{
    pthread_mutex_lock(&streams->lock);
    struct watch *watch = *find_watch(streams, kind, id);
    if (watch != NULL)
        queue_watch(streams, watch, TASK_TELL);
    pthread_mutex_unlock(&streams->lock);
}

static void on_event(void *context, const struct id *event)
{
    on_topic(context, TOPIC_EVENT, event);
    on_topic(context, TOPIC_RECORDING,
             event); /* changes of recordings are announced like those of events */
}

static void on_log(void *context)
{
    on_topic(context, TOPIC_LOG, &the_log);
}

static void on_token(void *context, const uint8_t hash[static 32])
{
    struct streams *streams = context;
    pthread_mutex_lock(&streams->lock);
    expire_token(streams, hash, 0);
    pthread_mutex_unlock(&streams->lock);
}

static void on_all(void *context)
{
    struct streams *streams = context;
    pthread_mutex_lock(&streams->lock);
    for (size_t i = 0; i < BUCKETS; i++) {
        for (struct watch *each = streams->watch[i]; each != NULL; each = each->next_in_bucket)
            queue_watch(streams, each, TASK_TELL);
        for (struct stream *each = streams->by_token[i]; each != NULL; each = each->by_token.next)
            add_unchecked(streams, each);
    }
    pthread_mutex_unlock(&streams->lock);
}

struct change_bus_subscriber streams_subscriber(struct streams *streams)
{
    return (struct change_bus_subscriber){.context = streams,
                                          .game = on_game,
                                          .event = on_event,
                                          .log = on_log,
                                          .token = on_token,
                                          .all = on_all};
}

/* Called by the broadcasts when a reader is behind. */
static void on_behind(void *context, struct broadcast *broadcast)
{
    struct streams *streams = context;
    pthread_mutex_lock(&streams->lock);
    queue_watch(streams, broadcast_place(broadcast), TASK_GIVE);
    pthread_mutex_unlock(&streams->lock);
}

/* ---- The publisher ---- */

/* The work taken on in one turn. */
struct turn {
    struct watch *watch[AT_ONCE];
    enum task task; /* the same for all topics of the turn */
    bool again[AT_ONCE];
    size_t count;
    uint8_t tokens[TOKENS_AT_ONCE][32];
    int64_t expires_at_ms[TOKENS_AT_ONCE];
    size_t token_count;
};

static void take_turn(struct streams *streams, struct turn *turn)
{
    struct watch *watch;
    turn->count = 0;
    turn->token_count = 0;
    while (streams->unchecked != NULL && turn->token_count < TOKENS_AT_ONCE) {
        memcpy(turn->tokens[turn->token_count++], streams->unchecked->token_hash, 32);
        drop_unchecked(streams->unchecked);
    }
    turn->task = streams->queue[TASK_TELL].first != NULL ? TASK_TELL : TASK_GIVE;
    size_t most = turn->task == TASK_TELL ? AT_ONCE : 1;
    while (turn->count < most && (watch = take_queued(streams, turn->task)) != NULL)
        turn->watch[turn->count++] = watch;
}

static enum db_status work_at(struct turn *turn, size_t i, const struct topic_source *source)
{
    struct topic *topic = &turn->watch[i]->topic;
    enum db_status status = DB_OK;
    turn->again[i] = false;
    if (turn->task == TASK_TELL || !topic->known)
        status = topic_publish(topic, source, &turn->again[i]);
    if (turn->task == TASK_GIVE && status == DB_OK)
        status = topic_give(topic, source, &turn->again[i]);
    return status;
}

static enum db_status work_in_transaction(struct streams *streams, struct turn *turn, struct db *db)
{
    struct arena arena = {NULL};
    const struct topic_source source = {.db = db,
                                        .arena = &arena,
                                        .keys = streams->config.keys,
                                        .game_cache = streams->config.game_cache};
    enum db_status status = db_begin(db, true);
    if (status == DB_OK && turn->token_count > 0)
        status = token_expiries(db, (const uint8_t(*)[32])turn->tokens, turn->token_count,
                                turn->expires_at_ms);
    for (size_t i = 0; i < turn->count && status == DB_OK; i++) {
        status = work_at(turn, i, &source);
        arena_free(&arena);
    }
    db_rollback(db);
    arena_free(&arena);
    return status;
}

static bool work(struct streams *streams, struct turn *turn)
{
    struct db *db = db_pool_take(streams->pool, POOL_WAIT_MS);
    if (db == NULL)
        return false;
    bool done = work_in_transaction(streams, turn, db) == DB_OK;
    db_pool_give(streams->pool, db);
    return done;
}

static void finish_tokens(struct streams *streams, const struct turn *turn, bool done)
{
    for (size_t i = 0; i < turn->token_count; i++) {
        const uint8_t *hash = turn->tokens[i];
        if (done) {
            expire_token(streams, hash, turn->expires_at_ms[i]);
            continue;
        }
        for (struct stream *each = streams->by_token[bucket_of(hash, 32)]; each != NULL;
             each = each->by_token.next)
            if (memcmp(each->token_hash, hash, 32) == 0)
                add_unchecked(streams, each);
    }
}

/* Failed work is repeated; repeating what was done has no effect. */
static void finish_turn(struct streams *streams, const struct turn *turn, bool done)
{
    finish_tokens(streams, turn, done);
    for (size_t i = 0; i < turn->count; i++) {
        struct watch *watch = turn->watch[i];
        watch->busy = false;
        watch->known = watch->topic.known;
        watch->published = watch->topic.published;
        if (watch->readers > 0 && (!done || turn->again[i]))
            queue_watch(streams, watch, turn->task);
        drop_watch(streams, watch);
    }
}

static bool is_idle(const struct streams *streams)
{
    return streams->queue[TASK_TELL].first == NULL && streams->queue[TASK_GIVE].first == NULL &&
           streams->unchecked == NULL;
}

/* After a database failure, waits before the next query. */
static void pause_ms(struct streams *streams, unsigned wait_ms)
{
    const struct timespec until = moment_in(wait_ms);
    int result = 0;
    while (!streams->ending && result == 0)
        result = pthread_cond_timedwait(&streams->wake, &streams->lock, &until);
}

static void *publish_changes(void *context)
{
    struct streams *streams = context;
    struct turn turn;
    unsigned wait_ms = AGAIN_FIRST_MS;
    pthread_mutex_lock(&streams->lock);
    while (!streams->ending) {
        if (is_idle(streams)) {
            pthread_cond_wait(&streams->wake, &streams->lock);
            continue;
        }
        take_turn(streams, &turn);
        pthread_mutex_unlock(&streams->lock);
        bool done = work(streams, &turn);
        pthread_mutex_lock(&streams->lock);
        finish_turn(streams, &turn, done);
        if (!done)
            pause_ms(streams, wait_ms);
        wait_ms = done ? AGAIN_FIRST_MS : wait_ms < AGAIN_MOST_MS ? 2 * wait_ms : wait_ms;
    }
    pthread_mutex_unlock(&streams->lock);
    return NULL;
}

/* ---- Start and stop ---- */

struct streams *streams_new(const struct streams_config *config)
{
    struct streams *streams = calloc(1, sizeof *streams);
    if (streams == NULL)
        return NULL;
    streams->config = *config;
    streams->peers = peers_new(config->per_address_most);
    streams->players = peers_new(config->per_player_most);
    pthread_mutex_init(&streams->lock, NULL);
    condition_init(&streams->wake);
    streams->pool = db_pool_new(config->database, true, 1);
    streams->broadcasts = broadcasts_new(on_behind, streams);
    if (streams->peers != NULL && streams->players != NULL && streams->pool != NULL &&
        streams->broadcasts != NULL)
        streams->started = thread_start(&streams->publisher, publish_changes, streams);
    if (streams->started)
        return streams;
    streams_free(streams);
    return NULL;
}

static void end_teller(struct streams *streams)
{
    pthread_mutex_lock(&streams->lock);
    streams->ending = true;
    pthread_cond_signal(&streams->wake);
    pthread_mutex_unlock(&streams->lock);
    if (streams->started)
        pthread_join(streams->publisher, NULL);
}

/* Anything still queued has no readers left. */
static void drop_queued(struct streams *streams)
{
    for (enum task task = TASK_TELL; task < TASKS; task++) {
        struct watch *watch;
        while ((watch = take_queued(streams, task)) != NULL) {
            watch->busy = false;
            drop_watch(streams, watch);
        }
    }
}

void streams_free(struct streams *streams)
{
    if (streams == NULL)
        return;
    end_teller(streams);
    drop_queued(streams);
    broadcasts_free(streams->broadcasts);
    db_pool_free(streams->pool);
    pthread_cond_destroy(&streams->wake);
    pthread_mutex_destroy(&streams->lock);
    peers_free(streams->peers);
    peers_free(streams->players);
    free(streams);
}

struct broadcasts *streams_feeds(const struct streams *streams)
{
    return streams->broadcasts;
}
