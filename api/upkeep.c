#include "api/upkeep.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "api/ticker.h"
#include "db/now.h"
#include "db/upkeep.h"

enum { POOL_WAIT_MS = 1000, SECOND_MS = 1000 };
static const int64_t keep_ms = INT64_C(1000) * 60 * 60 * 24 * UPKEEP_KEEP_DAYS;

struct upkeep {
    struct db_pool *pool; /* of one connection */
    unsigned seconds;
    struct ticker *ticker;
};

/* One transaction. `more` says that it is to be done again at once. */
static enum db_status delete_some(const struct upkeep *upkeep, struct db *db, bool *more)
{
    int64_t now = now_ms(CLOCK_REALTIME);
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = upkeep_take(db, now);
    if (status == DB_OK)
        status = upkeep_delete_old(db, now - keep_ms, more);
    if (status == DB_OK && !*more)
        status = upkeep_done(db, now + (int64_t)upkeep->seconds * 1000);
    if (status == DB_OK)
        return db_commit(db);
    db_rollback(db);
    *more = false;
    return status;
}

/* A database that is away, or another service that is at it, is tried again when the time comes. */
static void delete_old(struct ticker *ticker, void *context)
{
    const struct upkeep *upkeep = context;
    bool more = true;
    struct db *db = db_pool_take(upkeep->pool, POOL_WAIT_MS);
    if (db == NULL)
        return;
    while (more && !ticker_is_ending(ticker)) {
        more = false;
        if (delete_some(upkeep, db, &more) == DB_ERROR)
            fprintf(stderr, "tillrolld: upkeep failed: %s\n", db_last_error(db));
    }
    db_pool_give(upkeep->pool, db);
}

struct upkeep *upkeep_new(const char *database, unsigned seconds)
{
    struct upkeep *upkeep = calloc(1, sizeof *upkeep);
    if (upkeep == NULL)
        abort();
    upkeep->seconds = seconds;
    upkeep->pool = db_pool_new(database, true, 1);
    if (seconds == 0)
        return upkeep;
    upkeep->ticker = ticker_new(seconds * SECOND_MS, delete_old, upkeep);
    if (upkeep->ticker != NULL)
        return upkeep;
    upkeep_free(upkeep);
    return NULL;
}

void upkeep_free(struct upkeep *upkeep)
{
    if (upkeep == NULL)
        return;
    ticker_free(upkeep->ticker);
    db_pool_free(upkeep->pool);
    free(upkeep);
}
