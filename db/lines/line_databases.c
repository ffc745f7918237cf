#include "db/lines/line_databases.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/link/now.h"
#include "db/link/thread.h"

enum { WAIT_MS = 1000, AWAY_MS = 500 };

struct place {
    struct db_pool *pool;
    _Atomic int64_t away_until_ms; /* 0 = it can be reached, as far as is known */
    _Atomic int64_t seen_ms;
    pthread_t watcher;
    bool watched;
};

static struct place places[DB_PLACES_MAX];
static const char *names[DB_PLACES_MAX];
static size_t count;
static char *list; /* owned; `names` point into it */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the variables below */
static pthread_cond_t wake;
static bool ending;
static unsigned watch_ms; /* set before the watchers start */

static bool add_name(const char *name, struct text *error)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) {
            text_add(error, "a line database is named twice");
            return false;
        }
    if (count == DB_PLACES_MAX) {
        text_add(error, "too many line databases; at most ");
        text_add_number(error, DB_PLACES_MAX);
        return false;
    }
    names[count++] = name;
    return true;
}

bool line_databases_use(const char *urls, bool service, size_t connections, struct text *error)
{
    bool good = true;
    char *rest = NULL;
    if (urls == NULL || urls[0] == '\0')
        return true;
    assert(list == NULL);
    list = must(strdup(urls));
    for (char *name = strtok_r(list, " ", &rest); good && name != NULL;
         name = strtok_r(NULL, " ", &rest))
        good = add_name(name, error);
    for (size_t i = 0; good && i < count; i++) {
        places[i].pool = must(db_pool_new(names[i], service, connections));
    }
    if (!good)
        line_databases_end();
    db_places_use(names, count);
    return good;
}

size_t line_databases_count(void)
{
    return count;
}

const char *line_database_url(size_t place)
{
    assert(place >= 1 && place <= count);
    return names[place - 1];
}

/* The place is computed from the last six digits of the id, which are random. */
size_t line_database_of(const struct id *game)
{
    if (count == 0)
        return 0;
    uint32_t end = 0;
    for (const char *at = game->text + strlen(game->text) - 6; *at != '\0'; at++)
        end = end << 4 | (uint32_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
    return end % count + 1;
}

/* ---- Games known to have begun ---- */

/* Game ids end with 62 random bits, so the last bits serve as a hash. Each bucket holds four games.
 */
enum { BUCKETS = 1 << 18, WAYS = 4 };
static _Atomic uint64_t begun[BUCKETS][WAYS];
static _Atomic unsigned next_way;

static uint64_t end_of(const struct id *game)
{
    uint8_t bytes[ID_BYTES];
    uint64_t end;
    id_to_bytes(game, bytes);
    memcpy(&end, bytes + ID_BYTES - sizeof end, sizeof end);
    return end;
}

bool line_database_has_begun(const struct id *game)
{
    uint64_t end = end_of(game);
    _Atomic uint64_t *bucket = begun[end >> 40 & (BUCKETS - 1)];
    for (size_t i = 0; i < WAYS; i++)
        if (atomic_load_explicit(&bucket[i], memory_order_relaxed) == end)
            return true;
    return false;
}

void line_database_note_begun(const struct id *game)
{
    uint64_t end = end_of(game);
    _Atomic uint64_t *bucket = begun[end >> 40 & (BUCKETS - 1)];
    if (line_database_has_begun(game))
        return;
    for (size_t i = 0; i < WAYS; i++) {
        uint64_t empty = 0;
        if (atomic_compare_exchange_strong(&bucket[i], &empty, end))
            return;
    }
    atomic_store(&bucket[atomic_fetch_add(&next_way, 1) % WAYS], end);
}

/* ---- Connections ---- */

/* True if a connection may be attempted. While the database is away, one thread may every AWAY_MS.
 */
static bool may_try(struct place *place)
{
    int64_t until = atomic_load(&place->away_until_ms);
    if (until == 0)
        return true;
    int64_t now = now_ms(CLOCK_MONOTONIC);
    return now >= until &&
           atomic_compare_exchange_strong(&place->away_until_ms, &until, now + AWAY_MS);
}

static void note_away(struct place *place, bool away)
{
    if (away)
        atomic_store(&place->away_until_ms, now_ms(CLOCK_MONOTONIC) + AWAY_MS);
    else if (atomic_load(&place->away_until_ms) != 0)
        atomic_store(&place->away_until_ms, 0);
}

struct db *line_database_take(size_t place)
{
    assert(place >= 1 && place <= count);
    struct place *taken = &places[place - 1];
    if (!may_try(taken))
        return NULL;
    struct db *db = db_pool_take(taken->pool, WAIT_MS);
    if (db == NULL)
        note_away(taken, true);
    return db;
}

void line_database_give(size_t place, struct db *db, enum db_status status)
{
    if (db == NULL)
        return;
    note_away(&places[place - 1], status == DB_UNAVAILABLE);
    db_pool_give(places[place - 1].pool, db);
}

/* ---- Watching ---- */

/* Uses a connection of its own: those of the pool may all be waiting for a silent server. */
static void check_place(struct place *place, struct db **db)
{
    char unused[256];
    struct text error = TEXT_OVER(unused);
    if (*db == NULL)
        *db = db_open(names[place - places], false, &error);
    bool there = *db != NULL && db_begin(*db, false) == DB_OK && db_commit(*db) == DB_OK;
    if (there)
        atomic_store(&place->seen_ms, now_ms(CLOCK_REALTIME));
    note_away(place, !there);
}

static void *watch(void *context)
{
    struct place *place = context;
    struct db *db = NULL;
    pthread_mutex_lock(&lock);
    while (!ending) {
        pthread_mutex_unlock(&lock);
        check_place(place, &db);
        pthread_mutex_lock(&lock);
        const struct timespec until = moment_in(watch_ms);
        if (!ending)
            (void)pthread_cond_timedwait(&wake, &lock, &until);
    }
    pthread_mutex_unlock(&lock);
    db_close(db);
    return NULL;
}

bool line_databases_watch(unsigned interval_ms)
{
    bool good = true;
    watch_ms = interval_ms;
    condition_init(&wake);
    for (size_t i = 0; i < count && good; i++)
        good = places[i].watched = thread_start(&places[i].watcher, watch, &places[i]);
    return good;
}

int64_t line_database_seen_ms(size_t place)
{
    assert(place >= 1 && place <= count);
    return atomic_load(&places[place - 1].seen_ms);
}

static void end_watching(void)
{
    pthread_mutex_lock(&lock);
    ending = true;
    pthread_cond_broadcast(&wake);
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < count; i++)
        if (places[i].watched)
            pthread_join(places[i].watcher, NULL);
}

void line_databases_end(void)
{
    end_watching();
    for (size_t i = 0; i < count; i++) {
        db_pool_free(places[i].pool);
        places[i].pool = NULL;
    }
    count = 0;
    free(list);
    list = NULL;
}
