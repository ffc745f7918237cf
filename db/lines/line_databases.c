#include "db/lines/line_databases.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/link/now.h"

enum { WAIT_MS = 1000, AWAY_MS = 500 };

struct place {
    struct db_pool *pool;
    _Atomic int64_t away_until_ms; /* 0 = it is there, as far as is known */
};

static struct place places[DB_PLACES_MAX];
static const char *names[DB_PLACES_MAX];
static size_t count;
static char *list; /* owned; the names stand in it */

static bool take_name(const char *name, struct text *error)
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
    list = strdup(urls);
    if (list == NULL)
        abort();
    for (char *name = strtok_r(list, " ", &rest); good && name != NULL;
         name = strtok_r(NULL, " ", &rest))
        good = take_name(name, error);
    for (size_t i = 0; good && i < count; i++) {
        places[i].pool = db_pool_new(names[i], service, connections);
        if (places[i].pool == NULL)
            abort();
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

/* The end of an id is random. */
size_t line_database_of(const struct id *game)
{
    if (count == 0)
        return 0;
    uint32_t end = 0;
    for (const char *at = game->text + strlen(game->text) - 6; *at != '\0'; at++)
        end = end << 4 | (uint32_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
    return end % count + 1;
}

/* Once it is away, one thread tries again from time to time. */
static bool may_try(struct place *place)
{
    int64_t until = atomic_load(&place->away_until_ms);
    if (until == 0)
        return true;
    int64_t now = now_ms(CLOCK_MONOTONIC);
    return now >= until &&
           atomic_compare_exchange_strong(&place->away_until_ms, &until, now + AWAY_MS);
}

static void note(struct place *place, bool away)
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
        note(taken, true);
    return db;
}

void line_database_give(size_t place, struct db *db, enum db_status status)
{
    if (db == NULL)
        return;
    note(&places[place - 1], status == DB_UNAVAILABLE);
    db_pool_give(places[place - 1].pool, db);
}

void line_databases_end(void)
{
    for (size_t i = 0; i < count; i++) {
        db_pool_free(places[i].pool);
        places[i].pool = NULL;
    }
    count = 0;
    free(list);
    list = NULL;
}
