/* `tillroll archive`: moves records of finished games to files. Each record is proved, then written
 * to every directory. Only when it is on disk in all of them are its lines deleted from the
 * database, in a transaction that compares their hash with the files. An interrupted run can simply
 * be repeated. */
#include <stdlib.h>
#include <time.h>

#include "api/cli/cli.h"
#include "api/state/component_cache.h"
#include "db/link/db.h"
#include "db/link/now.h"
#include "db/store/games/archive.h"
#include "db/store/games/records.h"

/* Games per query. */
enum { PAGE = 500, DAYS = 30, DAYS_MAX = 36500 };

static const int64_t day_ms = 24 * 60 * 60 * 1000;

struct archiving {
    struct db *db;
    const struct cli_given *given; /* its arguments are the directories */
    int64_t before_ms;
    unsigned long most, moved, left;
    struct component_cache *components;
    struct replay replay;
};

/* ---- One record ---- */

static bool prove(struct archiving *archiving, const struct id *game, struct span text)
{
    struct record_fault fault;
    struct component_lookup lookup;
    const struct component_sets *sets =
        component_cache_sets(archiving->components, archiving->db, &lookup);
    enum replay_verdict verdict = replay_verify(text, sets, &archiving->replay, &fault);
    if (verdict == REPLAY_VALID)
        return true;
    cli_print_fault(stderr, game->text, verdict, &fault);
    return false;
}

static bool store(const struct archiving *archiving, const struct id *game, struct span text)
{
    for (int i = 0; i < archiving->given->words; i++) {
        char message[512];
        struct text error = TEXT_OVER(message);
        if (!archive_store(archiving->given->word[i], game, text, &error))
            return cli_refuse(message);
    }
    return true;
}

/* Archives one record, in an open transaction. Records that another process has archived in the
 * meantime count as done. */
static enum db_status move(struct archiving *archiving, struct arena *arena, const struct id *game,
                           bool *moved)
{
    struct record_row *rows;
    size_t count;
    enum db_status status = record_read(archiving->db, arena, game, -1, &rows, &count);
    if (status != DB_OK)
        return status;
    struct span text = record_join(arena, rows, count);
    *moved = prove(archiving, game, text) && store(archiving, game, text);
    if (!*moved)
        return DB_OK;
    status = archive_mark(archiving->db, game, count, text);
    return status == DB_CONFLICT ? DB_OK : status;
}

/* Archives one record. False if the run cannot continue. */
static bool move_one(struct archiving *archiving, const struct id *game)
{
    struct arena arena = {NULL};
    bool moved = false;
    enum db_status status = db_begin(archiving->db, false);
    if (status == DB_OK)
        status = move(archiving, &arena, game, &moved);
    if (status == DB_OK && moved)
        status = db_commit(archiving->db);
    if (status != DB_OK)
        cli_refuse(db_last_error(archiving->db));
    db_rollback(archiving->db);
    arena_free(&arena);
    archiving->moved += status == DB_OK && moved;
    archiving->left += status == DB_OK && !moved;
    return status == DB_OK;
}

/* ---- All records ---- */

/* Finds the next page of games; DB_NONE after the last. */
static enum db_status find(struct archiving *archiving, struct arena *arena, struct id *after,
                           struct id **games, size_t *count)
{
    struct id from = *after;
    enum db_status status = db_begin(archiving->db, true);
    if (status == DB_OK)
        status = archive_candidates(archiving->db, arena, &from, PAGE, archiving->before_ms, games,
                                    count, after);
    db_rollback(archiving->db);
    return status;
}

static bool move_all(struct archiving *archiving)
{
    struct id after = {""};
    bool good = true;
    bool more = true;
    while (good && more) {
        struct arena arena = {NULL};
        struct id *games;
        size_t count = 0;
        enum db_status status = find(archiving, &arena, &after, &games, &count);
        good = status == DB_OK || status == DB_NONE || cli_refuse(db_last_error(archiving->db));
        for (size_t i = 0; good && i < count && archiving->moved < archiving->most; i++)
            good = move_one(archiving, &games[i]);
        more = status == DB_OK && archiving->moved < archiving->most;
        arena_free(&arena);
    }
    return good;
}

static bool read_options(const struct cli_given *given, struct archiving *archiving)
{
    unsigned long days;
    if (!cli_value_number(given, "days", 0, DAYS_MAX, DAYS, &days) ||
        !cli_value_number(given, "games", 1, UINT32_MAX, UINT32_MAX, &archiving->most))
        return false;
    archiving->before_ms = now_ms(CLOCK_REALTIME) - (int64_t)days * day_ms;
    return true;
}

int cli_archive(const struct cli_given *given)
{
    const char *url = db_url(cli_value(given, "database"));
    struct archiving *archiving = must(calloc(1, sizeof *archiving));
    archiving->given = given;
    if (url == NULL || !read_options(given, archiving)) {
        free(archiving);
        return cli_wrong_usage(given, url == NULL ? DB_URL_ADVICE : NULL);
    }
    archiving->components = component_cache_new();
    archiving->db = cli_database(url, false);
    bool good = archiving->db != NULL && move_all(archiving);
    printf("%lu records moved, %lu left\n", archiving->moved, archiving->left);
    good = good && archiving->left == 0;
    db_close(archiving->db);
    component_cache_free(archiving->components);
    free(archiving);
    return good ? EXIT_YES : EXIT_NO;
}
