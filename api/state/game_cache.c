/* A hash table of games, each with a block of memory for its packed replay (replay_pack()), in a
 * list in the order of last use. The lock is held only to copy a game in or out; catching up works
 * on the caller's own copy, and of two copies the later state stays.
 */
#include "api/state/game_cache.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/games/games.h"
#include "db/store/service/secrets.h"

enum { BUCKETS = 1 << 14, ANY = INT32_MAX };

struct entry {
    struct entry *next_in_bucket;
    struct entry *newer, *older; /* in the order of last use */
    struct id game;
    unsigned held;
    int row;   /* the last row contained in `bytes` */
    int known; /* a row that the record is known to have; ANY if the entry can no longer be trusted
                */
    unsigned tail; /* the number of last rows that are kept */
    size_t size;   /* bytes of the packed replay */
    size_t room;   /* capacity of `bytes`, which grows with the game */
    char *bytes;   /* a packed struct replay, then the tail: the rows and their lines */
};

struct game_cache {
    pthread_mutex_t mutex; /* guards the other members */
    struct entry *newest, *oldest;
    size_t bytes_max;
    struct component_cache *components;
    struct game_cache_figures figures;
    struct entry *bucket[BUCKETS];
};

struct game_cache *game_cache_new(size_t bytes_max, struct component_cache *components)
{
    struct game_cache *game_cache = must(calloc(1, sizeof *game_cache));
    game_cache->bytes_max = bytes_max;
    game_cache->components = components;
    pthread_mutex_init(&game_cache->mutex, NULL);
    return game_cache;
}

/* ---- The table. The lock is held ---- */

/* Only existing games enter the table, and the server chose their ids, which end in random digits,
 * so clients cannot cause collisions. */
static struct entry **bucket_of(struct game_cache *game_cache, const struct id *game)
{
    uint64_t last[2];
    memcpy(last, game->text + sizeof game->text - 1 - sizeof last, sizeof last);
    uint64_t hash = (last[0] ^ last[1] * 31) * UINT64_C(0x9e3779b97f4a7c15);
    return &game_cache->bucket[hash >> 32 & (BUCKETS - 1)];
}

static struct entry *find(struct game_cache *game_cache, const struct id *game)
{
    struct entry *entry = *bucket_of(game_cache, game);
    while (entry != NULL && !id_equal(&entry->game, game))
        entry = entry->next_in_bucket;
    return entry;
}

static void leave_order(struct game_cache *game_cache, struct entry *entry)
{
    *(entry->newer == NULL ? &game_cache->newest : &entry->newer->older) = entry->older;
    *(entry->older == NULL ? &game_cache->oldest : &entry->older->newer) = entry->newer;
}

static void enter_order(struct game_cache *game_cache, struct entry *entry)
{
    entry->newer = NULL;
    entry->older = game_cache->newest;
    *(game_cache->newest == NULL ? &game_cache->oldest : &game_cache->newest->newer) = entry;
    game_cache->newest = entry;
}

static size_t footprint(const struct entry *entry)
{
    return sizeof *entry + entry->room;
}

static void clear_bytes(struct entry *entry)
{
    if (entry->bytes != NULL)
        sodium_memzero(entry->bytes, entry->room);
    free(entry->bytes);
}

static void remove_entry(struct game_cache *game_cache, struct entry *entry)
{
    struct entry **link = bucket_of(game_cache, &entry->game);
    while (*link != entry)
        link = &(*link)->next_in_bucket;
    *link = entry->next_in_bucket;
    leave_order(game_cache, entry);
    game_cache->figures.games--;
    game_cache->figures.bytes -= footprint(entry);
    clear_bytes(entry);
    free(entry);
}

/* Held games stay, which are few; so does `wanted`, for which the room is made. */
static void make_room(struct game_cache *game_cache, const struct entry *wanted)
{
    struct entry *entry = game_cache->oldest;
    while (entry != NULL && game_cache->figures.bytes > game_cache->bytes_max) {
        struct entry *newer = entry->newer;
        if (entry->held == 0 && entry != wanted)
            remove_entry(game_cache, entry);
        entry = newer;
    }
}

static struct entry *add(struct game_cache *game_cache, const struct id *game)
{
    struct entry *entry = must(malloc(sizeof *entry));
    struct entry **bucket = bucket_of(game_cache, game);
    *entry = (struct entry){.next_in_bucket = *bucket, .game = *game, .row = -1};
    *bucket = entry;
    enter_order(game_cache, entry);
    game_cache->figures.games++;
    game_cache->figures.bytes += footprint(entry);
    return entry;
}

/* Makes room for `size` bytes; the previous content is lost. */
static void grow(struct game_cache *game_cache, struct entry *entry, size_t size)
{
    enum { STEP = 64 };
    if (size <= entry->room)
        return;
    game_cache->figures.bytes -= footprint(entry);
    clear_bytes(entry);
    entry->room = (size + STEP - 1) / STEP * STEP;
    entry->bytes = must(malloc(entry->room));
    game_cache->figures.bytes += footprint(entry);
    make_room(game_cache, entry);
}

static void count_use(struct game_cache *game_cache, struct entry *entry)
{
    if (entry == NULL) {
        game_cache->figures.missed++;
        return;
    }
    game_cache->figures.found++;
    leave_order(game_cache, entry);
    enter_order(game_cache, entry);
}

/* ---- Copies ---- */

struct component_cache *game_cache_components(const struct game_cache *game_cache)
{
    return game_cache->components;
}

void game_cache_free(struct game_cache *game_cache)
{
    if (game_cache == NULL)
        return;
    while (game_cache->newest != NULL)
        remove_entry(game_cache, game_cache->newest);
    pthread_mutex_destroy(&game_cache->mutex);
    free(game_cache);
}

static void unpack(const struct entry *entry, struct replay *replay)
{
    replay_unpack(replay, (const unsigned char *)entry->bytes, entry->size);
}

static bool copy_out(struct game_cache *game_cache, const struct id *game, struct replay *replay)
{
    pthread_mutex_lock(&game_cache->mutex);
    const struct entry *entry = find(game_cache, game);
    count_use(game_cache, (struct entry *)entry);
    if (entry != NULL)
        unpack(entry, replay);
    pthread_mutex_unlock(&game_cache->mutex);
    return entry != NULL;
}

/* ---- Tails. The lock is held ---- */

size_t game_cache_tail_rows(const struct game_cache_tail *tail,
                            struct record_row rows[static GAME_CACHE_TAIL])
{
    const char *line = tail->lines;
    for (size_t i = 0; i < tail->count; i++) {
        const struct game_cache_row *row = &tail->row[i];
        rows[i].seq = row->seq;
        rows[i].line = (struct span){line, row->length};
        memcpy(rows[i].hash, row->hash, sizeof row->hash);
        line += row->length;
    }
    return tail->count;
}

static size_t tail_length(const struct game_cache_tail *tail)
{
    size_t length = 0;
    for (size_t i = 0; i < tail->count; i++)
        length += tail->row[i].length;
    return length;
}

static void tail_drop_first(struct game_cache_tail *tail)
{
    const size_t first = tail->row[0].length, all = tail_length(tail);
    memmove(tail->lines, tail->lines + first, all - first);
    memmove(&tail->row[0], &tail->row[1], --tail->count * sizeof tail->row[0]);
}

static void tail_add(struct game_cache_tail *tail, const struct record_row *row)
{
    bool follows = tail->count == 0 || tail->row[tail->count - 1].seq + 1 == row->seq;
    if (!follows || row->line.length > sizeof tail->lines)
        tail->count = 0;
    if (row->line.length > sizeof tail->lines)
        return;
    while (tail->count == GAME_CACHE_TAIL ||
           tail_length(tail) + row->line.length > sizeof tail->lines)
        tail_drop_first(tail);
    memcpy(tail->lines + tail_length(tail), row->line.at, row->line.length);
    struct game_cache_row *added = &tail->row[tail->count++];
    added->seq = row->seq;
    added->length = (uint32_t)row->line.length;
    memcpy(added->hash, row->hash, sizeof added->hash);
}

static void tail_follow(struct game_cache_tail *tail, const struct record_row *rows, size_t count)
{
    if (count == 0)
        tail->count = 0;
    for (size_t i = count > GAME_CACHE_TAIL ? count - GAME_CACHE_TAIL : 0; i < count; i++)
        tail_add(tail, &rows[i]);
}

/* Copies the entry's tail, which is only as long as its rows and lines. */
static void tail_read(const struct entry *entry, struct game_cache_tail *tail)
{
    const char *at = entry->bytes + entry->size;
    tail->count = entry->tail;
    memcpy(tail->row, at, tail->count * sizeof tail->row[0]);
    memcpy(tail->lines, at + tail->count * sizeof tail->row[0], tail_length(tail));
}

static void write_entry(struct game_cache *game_cache, struct entry *entry,
                        const struct game_cache_packed *packed, const struct game_cache_tail *tail)
{
    const size_t rows = tail->count * sizeof tail->row[0], lines = tail_length(tail);
    const size_t size = packed->size;
    grow(game_cache, entry, size + rows + lines);
    memcpy(entry->bytes, packed->bytes, size);
    memcpy(entry->bytes + size, tail->row, rows);
    memcpy(entry->bytes + size + rows, tail->lines, lines);
    entry->size = size;
    entry->row = packed->row;
    entry->tail = tail->count;
}

/* ---- Taking and putting ---- */

enum game_cache_taken game_cache_take(struct game_cache *game_cache, const struct id *game,
                                      struct replay *copy, struct game_cache_tail *tail)
{
    pthread_mutex_lock(&game_cache->mutex);
    struct entry *entry = find(game_cache, game);
    enum game_cache_taken taken = entry == NULL || entry->row < entry->known ? GAME_CACHE_MISSING
                                  : entry->held > 0                          ? GAME_CACHE_HELD
                                                                             : GAME_CACHE_TAKEN;
    count_use(game_cache, taken == GAME_CACHE_MISSING ? NULL : entry);
    if (taken == GAME_CACHE_TAKEN) {
        entry->held = 1;
        unpack(entry, copy);
        tail_read(entry, tail);
    }
    pthread_mutex_unlock(&game_cache->mutex);
    return taken;
}

bool game_cache_look(struct game_cache *game_cache, const struct id *game, struct replay *copy)
{
    pthread_mutex_lock(&game_cache->mutex);
    struct entry *entry = find(game_cache, game);
    bool found = entry != NULL && entry->row >= entry->known;
    count_use(game_cache, found ? entry : NULL);
    if (found)
        unpack(entry, copy);
    pthread_mutex_unlock(&game_cache->mutex);
    return found;
}

void game_cache_hold(struct game_cache *game_cache, const struct id *game)
{
    pthread_mutex_lock(&game_cache->mutex);
    struct entry *entry = find(game_cache, game);
    if (entry != NULL)
        entry->held++;
    pthread_mutex_unlock(&game_cache->mutex);
}

void game_cache_release(struct game_cache *game_cache, const struct id *game)
{
    pthread_mutex_lock(&game_cache->mutex);
    struct entry *entry = find(game_cache, game);
    if (entry != NULL && entry->held > 0 && --entry->held == 0 && entry->known == ANY)
        remove_entry(game_cache, entry);
    pthread_mutex_unlock(&game_cache->mutex);
}

struct game_cache_packed game_cache_pack(struct arena *arena, const struct replay *replay)
{
    const size_t size = replay_packed_size(replay);
    unsigned char *bytes = arena_room(arena, size);
    replay_pack(replay, bytes);
    return (struct game_cache_packed){game_cache_last_row(replay), size, bytes};
}

void game_cache_put(struct game_cache *game_cache, const struct id *game,
                    const struct replay *replay, const struct record_row *rows, size_t count)
{
    struct arena arena = {NULL};
    const struct game_cache_packed packed = game_cache_pack(&arena, replay);
    game_cache_put_packed(game_cache, game, &packed, rows, count);
    arena_free(&arena);
}

void game_cache_put_packed(struct game_cache *game_cache, const struct id *game,
                           const struct game_cache_packed *packed, const struct record_row *rows,
                           size_t count)
{
    struct game_cache_tail tail = {.count = 0};
    pthread_mutex_lock(&game_cache->mutex);
    struct entry *entry = find(game_cache, game);
    if (entry == NULL)
        entry = add(game_cache, game);
    if (entry->row < packed->row) {
        if (entry->bytes != NULL)
            tail_read(entry, &tail);
        tail_follow(&tail, rows, count);
        write_entry(game_cache, entry, packed, &tail);
    }
    pthread_mutex_unlock(&game_cache->mutex);
}

void game_cache_note(struct game_cache *game_cache, const struct id *game, int row)
{
    pthread_mutex_lock(&game_cache->mutex);
    struct entry *entry = find(game_cache, game);
    if (entry != NULL && entry->known < row)
        entry->known = row;
    pthread_mutex_unlock(&game_cache->mutex);
}

/* The lock is held. The holder of a held game goes on with its copy. */
static void distrust(struct game_cache *game_cache, struct entry *entry)
{
    if (entry->held == 0)
        remove_entry(game_cache, entry);
    else
        entry->known = ANY;
}

void game_cache_note_all(struct game_cache *game_cache)
{
    pthread_mutex_lock(&game_cache->mutex);
    struct entry *entry = game_cache->newest;
    while (entry != NULL) {
        struct entry *older = entry->older;
        distrust(game_cache, entry);
        entry = older;
    }
    pthread_mutex_unlock(&game_cache->mutex);
}

static void forget(struct game_cache *game_cache, const struct id *game)
{
    pthread_mutex_lock(&game_cache->mutex);
    struct entry *entry = find(game_cache, game);
    if (entry != NULL)
        distrust(game_cache, entry);
    pthread_mutex_unlock(&game_cache->mutex);
}

struct game_cache_figures game_cache_figures(struct game_cache *game_cache)
{
    pthread_mutex_lock(&game_cache->mutex);
    struct game_cache_figures figures = game_cache->figures;
    pthread_mutex_unlock(&game_cache->mutex);
    return figures;
}

/* ---- Rebuilding ---- */

int game_cache_last_row(const struct replay *replay)
{
    return (int)replay->seq + (replay->phase == REPLAY_FINISHED ? 1 : 0);
}

/* Continues with rows[from .. count). */
static struct record_result catch_up(struct stored_record *record, struct replay *replay,
                                     const struct record_row *rows, size_t from, size_t count)
{
    struct record_result result = {.status = STORED_RECORD_OK};
    for (size_t i = from; i < count && result.status == STORED_RECORD_OK; i++)
        result = stored_record_continue(record, &rows[i], replay);
    return result;
}

struct record_result game_cache_replay(const struct game_cache *game_cache, const struct keys *keys,
                                       struct db *db, struct arena *arena, const struct id *game,
                                       struct replay **replay)
{
    struct stored_record record = {
        .keys = keys, .components = game_cache->components, .db = db, .arena = arena, .game = game};
    struct record_row *rows;
    size_t count;
    *replay = arena_take(arena, sizeof **replay);
    enum db_status status = record_read(db, arena, game, -1, &rows, &count);
    if (status != DB_OK || count == 0)
        return stored_record_status(status == DB_OK ? DB_NONE : status);
    struct record_result begun = stored_record_begin(&record, rows[0].line, *replay);
    return begun.status == STORED_RECORD_OK ? catch_up(&record, *replay, rows, 1, count) : begun;
}

/* True if responses may be made from the rows of other transactions without querying the database
 * again: see db_commit(). */
static bool is_sure(const struct db *db)
{
    return !db_is_superseded(db) && !db_is_standby(db);
}

struct record_result game_cache_load(struct game_cache *game_cache, const struct keys *keys,
                                     struct db *db, struct arena *arena, const struct id *game,
                                     struct replay **replay)
{
    struct stored_record record = {
        .keys = keys, .components = game_cache->components, .db = db, .arena = arena, .game = game};
    struct record_row *rows;
    size_t count;
    struct replay *copy = arena_room(arena, sizeof *copy);
    bool cached = copy_out(game_cache, game, copy);
    int after = cached ? game_cache_last_row(copy) : -1;
    enum db_status status = record_read(db, arena, game, after, &rows, &count);
    if (status != DB_OK || (!cached && count == 0))
        return stored_record_status(status == DB_OK ? DB_NONE : status);
    struct record_result result = {.status = STORED_RECORD_OK};
    size_t known = cached ? 0 : 1;
    if (!cached)
        result = stored_record_begin(&record, rows[0].line, copy);
    if (result.status == STORED_RECORD_OK)
        result = catch_up(&record, copy, rows, known, count);
    if (result.status == STORED_RECORD_DAMAGED && cached) {
        /* Perhaps the cached state is of a history that was lost with a database server. */
        forget(game_cache, game);
        return game_cache_replay(game_cache, keys, db, arena, game, replay);
    }
    if (result.status != STORED_RECORD_OK)
        return result;
    if (is_sure(db))
        game_cache_put(game_cache, game, copy, NULL, 0);
    *replay = copy;
    return result;
}

/* ---- Many games at once ---- */

/* The number of the first row that is not in the cache. */
static unsigned first_missing(struct game_cache *game_cache, const struct id *game)
{
    pthread_mutex_lock(&game_cache->mutex);
    const struct entry *entry = find(game_cache, game);
    unsigned row = entry == NULL ? 0 : (unsigned)(entry->row + 1);
    pthread_mutex_unlock(&game_cache->mutex);
    return row;
}

/* `replay` is room for the game. Rows of an archived record are missing; and since its rows were
 * requested, the game may have left the cache, or advanced in it. */
static void fetch_game(struct game_cache *game_cache, struct stored_record *record,
                       const struct record_part *part, struct replay *replay)
{
    struct record_result result = {.status = STORED_RECORD_OK};
    bool cached = part->from > 0 && copy_out(game_cache, part->game, replay);
    if (part->count == 0 || part->rows[0].seq != part->from || (part->from > 0 && !cached))
        return;
    if (!cached)
        result = stored_record_begin(record, part->rows[0].line, replay);
    if (result.status != STORED_RECORD_OK)
        return;
    size_t known = (size_t)game_cache_last_row(replay) + 1 - part->from;
    result = catch_up(record, replay, part->rows, known, part->count);
    if (result.status == STORED_RECORD_OK)
        game_cache_put(game_cache, part->game, replay, NULL, 0);
}

/* Games in the cache contain their secrets, so only the others need them. */
static enum db_status read_secrets(struct db *db, struct arena *arena,
                                   const struct record_part *parts, const struct id *games,
                                   size_t count, struct span *sealed)
{
    bool needed = false;
    for (size_t i = 0; i < count; i++)
        needed = needed || parts[i].from == 0;
    return needed ? game_secrets(db, arena, games, count, sealed) : DB_OK;
}

void game_cache_fetch(struct game_cache *game_cache, const struct keys *keys, struct db *db,
                      const struct id *games, size_t count)
{
    struct arena arena = {NULL};
    struct record_part *parts = arena_array(&arena, count, sizeof *parts);
    struct span *sealed = arena_array(&arena, count, sizeof *sealed);
    struct replay *replay = arena_room(&arena, sizeof *replay);
    for (size_t i = 0; i < count; i++)
        parts[i] =
            (struct record_part){.game = &games[i], .from = first_missing(game_cache, &games[i])};
    if (is_sure(db) && record_read_parts(db, &arena, parts, count) == DB_OK &&
        read_secrets(db, &arena, parts, games, count, sealed) == DB_OK)
        for (size_t i = 0; i < count; i++) {
            struct stored_record record = {.keys = keys,
                                           .components = game_cache->components,
                                           .db = db,
                                           .arena = &arena,
                                           .game = &games[i],
                                           .sealed = sealed[i]};
            fetch_game(game_cache, &record, &parts[i], replay);
        }
    arena_free(&arena);
}
