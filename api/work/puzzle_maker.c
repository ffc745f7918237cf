#include "api/work/puzzle_maker.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/request/visibility.h"
#include "api/work/key_watch.h"
#include "api/work/ticker.h"
#include "db/link/now.h"
#include "db/link/thread.h"
#include "db/store/games/daily_puzzles.h"
#include "db/store/games/records.h"
#include "db/store/service/retention.h"
#include "db/writer/writer.h"
#include "engine/analysis/puzzle_record.h"
#include "engine/game/catalog.h"

enum { SECOND_MS = 1000, LOOK_EVERY_MS = 600 * SECOND_MS };
static const int64_t HOUR_MS = INT64_C(3600) * SECOND_MS;
static const int64_t DAY_MS = INT64_C(24) * 3600 * SECOND_MS;

struct puzzle_maker {
    struct service *service;
    const char *database;
    unsigned hour;
    struct ticker *ticker;
    struct ticker *running; /* the same; this and what follows belong to its thread */
    int64_t cpu_end_ms;     /* processor time at which the current ruleset ends */
    uint64_t moves;         /* written until the last count, */
    int64_t counted_ms;     /* and the time of that count */
    json_t *found;          /* in the record that is being read */
};

/* ---- Limits ---- */

/* True if many moves were written in the last second. */
static bool is_rush(struct puzzle_maker *maker)
{
    const int64_t now = now_ms(CLOCK_MONOTONIC);
    const uint64_t before = maker->moves;
    const int64_t passed = now - maker->counted_ms;
    uint64_t moves = 0;
    if (passed < SECOND_MS)
        return false;
    for (size_t i = 0; i < maker->service->writer_count; i++)
        moves += counter_read(&writer_figures(maker->service->writer[i].writer)->writes.sum);
    maker->moves = moves;
    maker->counted_ms = now;
    return (moves - before) * SECOND_MS > (uint64_t)passed * PUZZLE_RUSH_MOVES;
}

static bool goes_on(void *context)
{
    struct puzzle_maker *maker = context;
    while (!ticker_is_ending(maker->running) && is_rush(maker))
        rest_ms(SECOND_MS);
    return !ticker_is_ending(maker->running) && now_ms(CLOCK_THREAD_CPUTIME_ID) < maker->cpu_end_ms;
}

/* ---- One game ---- */

static bool keep_first(void *context, json_t *document)
{
    struct puzzle_maker *maker = context;
    maker->found = document;
    return false;
}

/* Reads the record of a game. The text is empty if the game is void or not visible to everybody. */
static enum db_status read_game(struct db *db, struct arena *arena, const struct id *id,
                                struct span *text)
{
    struct game_row game;
    struct record_row *rows;
    size_t count;
    enum db_status status = db_begin(db, true);
    *text = (struct span){NULL, 0};
    if (status == DB_OK)
        status = game_find(db, arena, id, &game);
    if (status == DB_OK && visibility_is_open(&game) && !game.voided) {
        status = record_read(db, arena, id, -1, &rows, &count);
        if (status == DB_OK)
            *text = record_join(arena, rows, count);
        else if (status == DB_ARCHIVE)
            status = DB_OK;
    }
    if (status == DB_OK)
        return db_commit(db);
    db_rollback(db);
    return status;
}

/* Stores the puzzle that was found, if any, unless the game has become void; and keeps other
 * services off for another while. */
static enum db_status store(struct db *db, struct arena *arena, const struct id *id,
                            const json_t *document)
{
    const int64_t now = now_ms(CLOCK_REALTIME);
    struct game_row game;
    char *text =
        document == NULL ? NULL : must(json_dumps(document, JSON_COMPACT | JSON_SORT_KEYS));
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = retention_done(db, RETENTION_PUZZLES, now + LOOK_EVERY_MS);
    if (status == DB_OK && text != NULL)
        status = game_find(db, arena, id, &game);
    if (status == DB_OK && text != NULL && visibility_is_open(&game) && !game.voided) {
        const struct daily_puzzle puzzle = {
            .game = *id,
            .seq = (unsigned)json_integer_value(json_object_get(document, "seq")),
            .seat = (unsigned)json_integer_value(json_object_get(document, "seat")),
            .ruleset = game.slug,
            .document = text};
        status = daily_puzzle_add(db, &puzzle, now);
        status = status == DB_NONE ? DB_OK : status;
    }
    free(text);
    if (status == DB_OK)
        return db_commit(db);
    db_rollback(db);
    return status;
}

static enum db_status try_game(struct puzzle_maker *maker, struct db *db, const struct id *id,
                               bool *found)
{
    const struct puzzle_reader reader = {goes_on, keep_first, maker};
    struct arena arena = {NULL};
    struct record_fault fault;
    struct span text;
    enum db_status status = read_game(db, &arena, id, &text);
    maker->found = NULL;
    /* A record that is not valid with the built-in components gives no puzzle for everybody. */
    if (status == DB_OK && text.length > 0)
        (void)puzzle_record_read(text, &reader, &fault);
    if (status == DB_OK)
        status = store(db, &arena, id, maker->found);
    *found = maker->found != NULL;
    json_decref(maker->found);
    maker->found = NULL;
    arena_free(&arena);
    return status;
}

/* ---- A night ---- */

static enum db_status find_games(struct db *db, struct arena *arena, const struct game *game,
                                 bool *needed, struct id **games, size_t *count)
{
    enum db_status status = db_begin(db, true);
    *count = 0;
    if (status == DB_OK)
        status = daily_puzzle_has(db, game->slug, now_ms(CLOCK_REALTIME) + DAY_MS);
    *needed = status == DB_NONE;
    if (*needed)
        status = daily_puzzle_games(db, arena, game->slug, game->version, PUZZLE_GAMES_MOST, games,
                                    count);
    if (status == DB_OK)
        return db_commit(db);
    db_rollback(db);
    return status;
}

/* Tries finished games of a ruleset, beginning at random, until there is a puzzle for tomorrow. */
static enum db_status serve_ruleset(struct puzzle_maker *maker, struct db *db,
                                    const struct game *game)
{
    struct arena arena = {NULL};
    struct id *games;
    size_t count, ignored;
    bool needed;
    enum db_status status = find_games(db, &arena, game, &needed, &games, &count);
    const size_t first = count == 0 ? 0 : randombytes_uniform((uint32_t)count);
    maker->cpu_end_ms = now_ms(CLOCK_THREAD_CPUTIME_ID) + PUZZLE_CPU_MS;
    for (size_t i = 0; i < count && status == DB_OK && needed && goes_on(maker); i++) {
        struct arena passing = {NULL};
        struct id *others;
        bool found;
        status = try_game(maker, db, &games[(first + i) % count], &found);
        if (status == DB_OK && found)
            status = find_games(db, &passing, game, &needed, &others, &ignored);
        arena_free(&passing);
    }
    arena_free(&arena);
    return status;
}

static int64_t next_night(const struct puzzle_maker *maker)
{
    const int64_t now = now_ms(CLOCK_REALTIME);
    const int64_t today = now / DAY_MS * DAY_MS + maker->hour * HOUR_MS;
    return today > now ? today : today + DAY_MS;
}

/* Notes that the night is done, or else takes it: DB_NONE if it is not due, or if another service
 * is at work. */
static enum db_status note_night(const struct puzzle_maker *maker, struct db *db, bool done)
{
    const int64_t now = now_ms(CLOCK_REALTIME);
    enum db_status status = db_begin(db, false);
    if (status == DB_OK && done)
        status = retention_done(db, RETENTION_PUZZLES, next_night(maker));
    else if (status == DB_OK)
        status = retention_begin(db, RETENTION_PUZZLES, next_night(maker));
    if (status == DB_OK && !done)
        status = retention_put_off(db, RETENTION_PUZZLES, now, now + LOOK_EVERY_MS);
    if (status == DB_OK || status == DB_NONE)
        return db_commit(db) == DB_OK ? status : DB_UNAVAILABLE;
    db_rollback(db);
    return status;
}

static enum db_status serve_all(struct puzzle_maker *maker, struct db *db)
{
    enum db_status status = note_night(maker, db, false);
    const struct game *game;
    if (status != DB_OK)
        return status;
    for (size_t i = 0; status == DB_OK && (game = catalog_at(i)) != NULL; i++)
        if (game == catalog_newest(span_of(game->slug)))
            status = serve_ruleset(maker, db, game);
    /* An interrupted night is due again once the other services are no longer kept off. */
    return status == DB_OK && !ticker_is_ending(maker->running) ? note_night(maker, db, true)
                                                                : status;
}

static void look(struct ticker *ticker, void *context)
{
    struct puzzle_maker *maker = context;
    char message[512];
    struct text error = TEXT_OVER(message);
    thread_give_way();
    maker->running = ticker;
    if (!key_watch_good(maker->service->key_watch))
        return;
    struct db *db = db_open(maker->database, true, &error);
    if (db == NULL)
        return; /* other parts of the service report that the database is away */
    if (serve_all(maker, db) == DB_ERROR)
        fprintf(stderr, "tillrolld: making puzzles failed: %s\n", db_last_error(db));
    db_close(db);
}

struct puzzle_maker *puzzle_maker_new(struct service *service, const char *database, unsigned hour)
{
    struct puzzle_maker *maker = must(calloc(1, sizeof *maker));
    maker->service = service;
    maker->database = database;
    maker->hour = hour;
    if (hour == PUZZLE_HOUR_NEVER)
        return maker;
    maker->ticker = ticker_new(LOOK_EVERY_MS, look, maker);
    if (maker->ticker != NULL)
        return maker;
    free(maker);
    return NULL;
}

void puzzle_maker_free(struct puzzle_maker *maker)
{
    if (maker == NULL)
        return;
    ticker_free(maker->ticker);
    free(maker);
}
