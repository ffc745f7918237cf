/* Rates again from a game on, as a correction of its result does: rate_again URL GAME REASON. For
 * tests/api/ratings/ratings.test.mjs, which corrects results behind the service's back. */
#include <sodium.h>
#include <stdio.h>
#include <time.h>

#include "api/ratings/ratings_again.h"
#include "db/link/db.h"
#include "db/store/games/games.h"

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static bool rate(struct db *db, const struct id *game, const char *reason)
{
    struct arena arena = {NULL};
    struct http_request request = {.received_ms = now()};
    struct http_response response = {.status = 0};
    struct call call = {.request = &request,
                        .response = &response,
                        .arena = &arena,
                        .db = db,
                        .now_ms = request.received_ms};
    struct game_row row;
    bool good = db_begin(db, false) == DB_OK && game_find(db, &arena, game, &row) == DB_OK &&
                ratings_again(&call, game, &row.event, false, reason) && db_commit(db) == DB_OK;
    if (!good)
        fprintf(stderr, "%.*s %s\n", (int)response.body.length, response.body.at,
                db_last_error(db));
    arena_free(&arena);
    return good;
}

int main(int count, char **argument)
{
    char bytes[500];
    struct text error = TEXT_OVER(bytes);
    struct id game;
    if (count != 4 || sodium_init() < 0 || !id_parse(span_of(argument[2]), &game))
        return 2;
    struct db *db = db_open(argument[1], true, &error);
    if (db == NULL) {
        fprintf(stderr, "%s\n", bytes);
        return 2;
    }
    bool good = rate(db, &game, argument[3]);
    db_close(db);
    return good ? 0 : 1;
}
