/* What the tests of db/ share: a scratch database per program, plain SQL to look behind the layer,
 * and rows that other rows need. A step that is not itself under test ends the test if it fails.
 */
#ifndef TILLROLL_TESTS_DATABASE_H
#define TILLROLL_TESTS_DATABASE_H

#include <libpq-fe.h>

#include "db/link/db.h"
#include "db/store/events/events.h"
#include "db/store/games/games.h"
#include "db/store/games/records.h"
#include "db/store/people/credentials.h"
#include "tests/test.h"

enum { URL_BYTES = 1024 };

struct database {
    char name[64];
    char admin[URL_BYTES];    /* the superuser */
    char migrator[URL_BYTES]; /* owns the schema */
    char service[URL_BYTES];  /* what tillrolld uses */
    char server[URL_BYTES];   /* the superuser in another database */
    struct db *db;            /* as the service; NULL if the database was made empty */
    struct arena arena;
};

/* A time at which the tests take place. */
enum { NOW_SECONDS = 1763650800 };
#define NOW_MS ((int64_t)NOW_SECONDS * 1000 + 123)

/* Makes the database `name`, owned as deploy/postgres does it, with all migrations if `migrated`.
 * Fails if the environment does not name a server. */
void database_make(struct database *database, const char *name, bool migrated);
void database_drop(struct database *database);

/* The URL in an environment variable, pointing at the database `name`. Fails if it is not set. */
void database_url(const char *variable, const char *name, char url[static URL_BYTES]);

/* One SQL command or query outside of the layer. */
PGconn *sql_connect(const char *url);
void sql_do(PGconn *connection, const char *sql);
/* The first column of the first row as text, in a static buffer. */
const char *sql_value(PGconn *connection, const char *sql);
/* The SQLSTATE that the server refuses with; "00000" if it does not. */
const char *sql_state(PGconn *connection, const char *sql);

/* Returns once some session of this database waits for a lock. */
void wait_for_waiter(PGconn *observer);

/* Has the server wait, in every commit of the whole cluster, for a standby that does not exist;
 * returns once it does. */
void hold_commits(const struct database *database);
/* Ends that, and all waits; harmless if there are none. For teardowns, too. */
void release_commits(const struct database *database);
/* Waits until a commit of this database waits; ends its wait with `function`, pg_cancel_backend or
 * pg_terminate_backend. */
void end_wait(const struct database *database, const char *function);

void begin(struct db *db);
void commit(struct db *db);

/* Each in a transaction of its own. */
struct id make_player(struct db *db, const char *name);
/* A session from NOW_MS on for a second. */
struct token token_of(const struct id *player);    /* not stored */
struct event event_of(const struct id *organizer); /* not stored */
struct id make_event(struct db *db, const struct id *organizer);
/* An event as it was stored before migration 0018, by plain SQL: without a log. */
struct id make_old_event(PGconn *connection, const struct id *organizer);
struct game_row game_of(const struct id *first, const struct id *second); /* not stored */
struct id make_game(struct db *db, const struct id *first, const struct id *second);

/* 72 bytes that stand for a sealed secret. */
extern const uint8_t sealed_secret[72];

/* Rows of a record, computed here and not by the database. */
struct roll {
    uint8_t hash[32];
    char bytes[4][1024];
};

/* seq 0: a header of three lines. */
struct record_row roll_header(struct roll *roll);
/* The next row with this line; `slot` 0 .. 3 keeps its bytes. */
struct record_row roll_line(struct roll *roll, unsigned slot, unsigned seq, const char *line);

#endif
