/* A small set-associative table. The lock is held only to copy an entry in or out; catching up
 * works on the caller's own copy, and the copy that is further on stays. */
#include "api/live.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "db/games.h"
#include "db/records.h"

struct entry {
    struct replay *replay; /* NULL = empty */
    uint64_t used;         /* the cache's tick when it was last used */
};

struct live {
    pthread_mutex_t mutex;
    uint64_t tick;
    size_t count;
    struct entry *entry;
};

struct live *live_new(size_t games_max)
{
    struct live *live = calloc(1, sizeof *live);
    if (live == NULL)
        abort();
    live->entry = calloc(games_max, sizeof *live->entry);
    if (live->entry == NULL)
        abort();
    live->count = games_max;
    pthread_mutex_init(&live->mutex, NULL);
    return live;
}

void live_free(struct live *live)
{
    if (live == NULL)
        return;
    for (size_t i = 0; i < live->count; i++) {
        if (live->entry[i].replay == NULL)
            continue;
        sodium_memzero(live->entry[i].replay, sizeof *live->entry[i].replay);
        free(live->entry[i].replay);
    }
    pthread_mutex_destroy(&live->mutex);
    free(live->entry);
    free(live);
}

/* The entry of a game, or NULL. The lock is held. */
static struct entry *find(struct live *live, const struct id *game)
{
    for (size_t i = 0; i < live->count; i++)
        if (live->entry[i].replay != NULL &&
            strcmp(live->entry[i].replay->header.game_id, game->text) == 0)
            return &live->entry[i];
    return NULL;
}

static bool copy_out(struct live *live, const struct id *game, struct replay *replay)
{
    pthread_mutex_lock(&live->mutex);
    struct entry *entry = find(live, game);
    if (entry != NULL) {
        memcpy(replay, entry->replay, sizeof *replay);
        entry->used = ++live->tick;
    }
    pthread_mutex_unlock(&live->mutex);
    return entry != NULL;
}

/* The entry that was used longest ago, or an empty one. The lock is held. */
static struct entry *oldest(struct live *live)
{
    struct entry *found = &live->entry[0];
    for (size_t i = 1; i < live->count; i++)
        if (live->entry[i].used < found->used)
            found = &live->entry[i];
    return found;
}

static void copy_in(struct live *live, const struct id *game, const struct replay *replay)
{
    pthread_mutex_lock(&live->mutex);
    struct entry *entry = find(live, game);
    if (entry == NULL) {
        entry = oldest(live);
        if (entry->replay == NULL)
            entry->replay = malloc(sizeof *entry->replay);
        if (entry->replay == NULL)
            abort();
        memcpy(entry->replay, replay, sizeof *replay);
    } else if (entry->replay->lines < replay->lines) {
        memcpy(entry->replay, replay, sizeof *replay);
    }
    entry->used = ++live->tick;
    pthread_mutex_unlock(&live->mutex);
}

static struct live_result result(enum live_status status)
{
    return (struct live_result){.status = status, .database = DB_OK};
}

static struct live_result database(enum db_status status)
{
    return (struct live_result){.status = status == DB_NONE ? LIVE_NONE : LIVE_DATABASE,
                                .database = status};
}

/* Starts the replay from the header row and the game's secret. */
static struct live_result rebuild(const struct keys *keys, struct db *db, struct arena *arena,
                                  const struct id *game, struct span header, struct replay *replay)
{
    const uint8_t *sealed;
    size_t size;
    uint8_t secret[KEYS_SECRET_BYTES];
    struct live_result damaged = result(LIVE_DAMAGED);
    enum db_status status = game_secret(db, arena, game, &sealed, &size);
    if (status != DB_OK)
        return database(status);
    if (!keys_open(keys, sealed, size, secret, KEYS_SECRET_BYTES)) {
        record_fault(&damaged.fault, "sealed", "The game's secret was sealed with another key.",
                     (struct span){NULL, 0});
        return damaged;
    }
    bool begun = replay_begin(replay, &header, secret, &damaged.fault);
    sodium_memzero(secret, sizeof secret);
    return begun ? result(LIVE_OK) : damaged;
}

int live_last_row(const struct replay *replay)
{
    return (int)replay->seq + (replay->phase == REPLAY_FINISHED ? 1 : 0);
}

/* Goes on with rows[from .. count). */
static struct live_result catch_up(struct replay *replay, const struct record_row *rows,
                                   size_t from, size_t count)
{
    struct live_result damaged = result(LIVE_DAMAGED);
    for (size_t i = from; i < count; i++)
        if (!replay_line(replay, rows[i].line, &damaged.fault))
            return damaged;
    return result(LIVE_OK);
}

struct live_result live_replay(const struct keys *keys, struct db *db, struct arena *arena,
                               const struct id *game, struct replay **replay)
{
    struct record_row *rows;
    size_t count;
    *replay = arena_take(arena, sizeof **replay);
    enum db_status status = record_read(db, arena, game, -1, &rows, &count);
    if (status != DB_OK)
        return database(status);
    if (count == 0)
        return result(LIVE_NONE);
    struct live_result begun = rebuild(keys, db, arena, game, rows[0].line, *replay);
    return begun.status == LIVE_OK ? catch_up(*replay, rows, 1, count) : begun;
}

struct live_result live_load(struct live *live, const struct keys *keys, struct db *db,
                             struct arena *arena, const struct id *game, struct replay **replay)
{
    struct record_row *rows;
    size_t count;
    struct replay *copy = arena_take(arena, sizeof *copy);
    bool cached = copy_out(live, game, copy);
    int after = cached ? live_last_row(copy) : -1;
    enum db_status status = record_read(db, arena, game, after, &rows, &count);
    if (status != DB_OK)
        return database(status);
    if (!cached && count == 0)
        return result(LIVE_NONE);
    if (!cached) {
        struct live_result begun = rebuild(keys, db, arena, game, rows[0].line, copy);
        if (begun.status != LIVE_OK)
            return begun;
    }
    struct live_result caught_up = catch_up(copy, rows, cached ? 0 : 1, count);
    if (caught_up.status != LIVE_OK)
        return caught_up;
    if (!cached || count > 0)
        copy_in(live, game, copy);
    *replay = copy;
    return result(LIVE_OK);
}
