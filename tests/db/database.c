#include "tests/db/database.h"
#include "source_dir.h"

#include <glob.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/link/migrate.h"
#include "db/store/people/players.h"

#define MIGRATIONS TILLROLL_SOURCE_DIR "/db/migrations"

const uint8_t sealed_secret[72] = {1, 2, 3, 0, 255};

void database_url(const char *variable, const char *name, char url[static URL_BYTES])
{
    const char *value = getenv(variable);
    if (value == NULL) {
        fail_msg("%s is not set: run through tests/db/with_postgres", variable);
        return;
    }
    const char *path = strstr(value, "/tillroll?");
    if (path == NULL) {
        fail_msg("%s does not name the database tillroll", variable);
        return;
    }
    snprintf(url, URL_BYTES, "%.*s/%s%s", (int)(path - value), value, name,
             path + strlen("/tillroll"));
}

static void ignore_notice(void *context, const PGresult *notice)
{
    (void)context;
    (void)notice;
}

PGconn *sql_connect(const char *url)
{
    PGconn *connection = PQconnectdb(url);
    if (PQstatus(connection) != CONNECTION_OK)
        fail_msg("%s", PQerrorMessage(connection));
    PQsetNoticeReceiver(connection, ignore_notice, NULL);
    return connection;
}

const char *sql_state(PGconn *connection, const char *sql)
{
    static char state[6];
    PGresult *result = PQexec(connection, sql);
    const char *field = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    snprintf(state, sizeof state, "%s", field == NULL ? "00000" : field);
    ExecStatusType status = PQresultStatus(result);
    PQclear(result);
    if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT)
        PQreset(connection);
    return state;
}

void sql_do(PGconn *connection, const char *sql)
{
    const char *state = sql_state(connection, sql);
    if (strcmp(state, "00000") != 0)
        fail_msg("%s: %s", sql, PQerrorMessage(connection));
}

const char *sql_value(PGconn *connection, const char *sql)
{
    static char value[1024];
    PGresult *result = PQexec(connection, sql);
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(connection));
    snprintf(value, sizeof value, "%s", PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "");
    PQclear(result);
    return value;
}

void wait_for_waiter(PGconn *observer)
{
    bool waits = false;
    while (!waits)
        waits = strcmp(sql_value(observer, "SELECT count(*) > 0 FROM pg_stat_activity"
                                           " WHERE datname = current_database()"
                                           " AND wait_event_type = 'Lock'"),
                       "t") == 0;
}

static void say_nothing(void *context, const char *line)
{
    (void)context;
    (void)line;
}

static void sql_do_with(PGconn *connection, const char *format, const char *name)
{
    char sql[256];
    snprintf(sql, sizeof sql, format, name);
    sql_do(connection, sql);
}

static void add_file(crypto_hash_sha256_state *state, const char *path)
{
    unsigned char bytes[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t length; (length = fread(bytes, 1, sizeof bytes, file)) > 0;)
        crypto_hash_sha256_update(state, bytes, length);
    assert_int_equal(fclose(file), 0);
}

/* What all migrations add up to. */
static const char *migrations_hash(void)
{
    static char hex[2 * crypto_hash_sha256_BYTES + 1];
    glob_t files;
    crypto_hash_sha256_state state;
    uint8_t hash[crypto_hash_sha256_BYTES];
    struct text text = TEXT_OVER(hex);
    crypto_hash_sha256_init(&state);
    assert_int_equal(glob(MIGRATIONS "/*.sql", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        add_file(&state, files.gl_pathv[i]);
    globfree(&files);
    crypto_hash_sha256_final(&state, hash);
    text_add_hex(&text, hash, sizeof hash);
    return hex;
}

/* A database that all others with all migrations are copied from: migrating takes four times as
 * long. It says which migrations it has. */
static void make_pattern(PGconn *connection, const char *hash)
{
    char buffer[1024];
    char migrator[URL_BYTES];
    struct text error = TEXT_OVER(buffer);
    /* No test switches the machine off. (test_cluster has clusters as they are deployed.) */
    sql_do(connection, "ALTER SYSTEM SET fsync = off");
    sql_do(connection, "SELECT pg_reload_conf()");
    sql_do(connection, "DROP DATABASE IF EXISTS pattern WITH (FORCE)");
    sql_do(connection, "CREATE DATABASE pattern OWNER tillroll_owner");
    database_url("TILLROLL_TEST_DATABASE_URL", "pattern", migrator);
    if (!migrate(migrator, MIGRATIONS, say_nothing, NULL, &error))
        fail_msg("%s", buffer);
    sql_do_with(connection, "COMMENT ON DATABASE pattern IS '%s'", hash);
}

static void copy_pattern(PGconn *connection, const char *name)
{
    const char *hash = migrations_hash();
    sql_do(connection, "SELECT pg_advisory_lock(1)"); /* several programs may begin at once */
    if (strcmp(sql_value(connection, "SELECT shobj_description(oid, 'pg_database')"
                                     " FROM pg_database WHERE datname = 'pattern'"),
               hash) != 0)
        make_pattern(connection, hash);
    sql_do(connection, "SELECT pg_advisory_unlock(1)");
    sql_do_with(connection, "CREATE DATABASE %s TEMPLATE pattern STRATEGY FILE_COPY", name);
    /* The owner and the right to connect are not copied. */
    sql_do_with(connection,
                "UPDATE pg_database SET (datdba, datacl) = (SELECT datdba, datacl"
                " FROM pg_database WHERE datname = 'pattern') WHERE datname = '%s'",
                name);
}

void database_make(struct database *database, const char *name, bool migrated)
{
    char buffer[1024];
    struct text error = TEXT_OVER(buffer);
    memset(database, 0, sizeof *database);
    assert_true(sodium_init() >= 0);
    snprintf(database->name, sizeof database->name, "%s", name);
    database_url("TILLROLL_TEST_ADMIN_URL", name, database->admin);
    database_url("TILLROLL_TEST_DATABASE_URL", name, database->migrator);
    database_url("TILLROLL_TEST_SERVICE_URL", name, database->service);
    database_url("TILLROLL_TEST_ADMIN_URL", "postgres", database->server);
    PGconn *connection = sql_connect(database->server);
    sql_do_with(connection, "DROP DATABASE IF EXISTS %s WITH (FORCE)", name);
    if (migrated)
        copy_pattern(connection, name);
    else
        sql_do_with(connection, "CREATE DATABASE %s OWNER tillroll_owner", name);
    PQfinish(connection);
    if (!migrated)
        return;
    database->db = db_open(database->service, true, &error);
    if (database->db == NULL)
        fail_msg("%s", buffer);
}

void database_drop(struct database *database)
{
    db_close(database->db);
    arena_free(&database->arena);
    PGconn *connection = sql_connect(database->server);
    char sql[256];
    snprintf(sql, sizeof sql, "DROP DATABASE %s WITH (FORCE)", database->name);
    sql_do(connection, sql);
    PQfinish(connection);
}

static void set_standby(PGconn *connection, const char *name)
{
    char sql[128];
    snprintf(sql, sizeof sql, "ALTER SYSTEM SET synchronous_standby_names = '%s'", name);
    sql_do(connection, sql);
    sql_do(connection, "SELECT pg_reload_conf()");
}

static const char waiting[] = "SELECT pid FROM pg_stat_activity"
                              " WHERE datname = current_database() AND wait_event = 'SyncRep'";

/* The server learns of the standby in its own time: tries until a commit waits. */
void hold_commits(const struct database *database)
{
    PGconn *observer = sql_connect(database->admin);
    PGconn *probe = sql_connect(database->admin);
    set_standby(observer, "nobody");
    bool waits = false;
    while (!waits) {
        assert_int_equal(PQsendQuery(probe, "SELECT pg_logical_emit_message(true, 'probe', '')"),
                         1);
        while (!waits && PQconsumeInput(probe) == 1 && PQisBusy(probe) == 1)
            waits = sql_value(observer, waiting)[0] != '\0';
        for (PGresult *result; !waits && (result = PQgetResult(probe)) != NULL;)
            PQclear(result);
    }
    end_wait(database, "pg_terminate_backend");
    PQfinish(probe);
    PQfinish(observer);
}

void release_commits(const struct database *database)
{
    PGconn *connection = sql_connect(database->admin);
    set_standby(connection, "");
    PQfinish(connection);
}

void end_wait(const struct database *database, const char *function)
{
    PGconn *observer = sql_connect(database->admin);
    char pid[16] = "";
    while (pid[0] == '\0')
        snprintf(pid, sizeof pid, "%s", sql_value(observer, waiting));
    char sql[128];
    snprintf(sql, sizeof sql, "SELECT %s(%s)", function, pid);
    assert_string_equal(sql_value(observer, sql), "t");
    do
        snprintf(sql, sizeof sql, "%s AND pid = %s", waiting, pid);
    while (sql_value(observer, sql)[0] != '\0');
    PQfinish(observer);
}

void begin(struct db *db)
{
    assert_int_equal(db_begin(db, false), DB_OK);
}

void commit(struct db *db)
{
    assert_int_equal(db_commit(db), DB_OK);
}

struct id make_player(struct db *db, const char *name)
{
    struct player player = {
        .id = id_new(NOW_MS),
        .name = name,
        .password_hash = "$argon2id$v=19$m=65536,t=2,p=1$c2FsdA$aGFzaA",
        .created_at_ms = NOW_MS,
    };
    begin(db);
    assert_int_equal(player_create(db, &player), DB_OK);
    commit(db);
    return player.id;
}

struct token token_of(const struct id *player)
{
    return (struct token){.id = id_new(NOW_MS),
                          .player = *player,
                          .scopes = SCOPES_ALL,
                          .created_at_ms = NOW_MS,
                          .expires_at_ms = NOW_MS + 1000};
}

struct event event_of(const struct id *organizer)
{
    return (struct event){
        .id = id_new(NOW_MS),
        .name = "Winter Cup",
        .slug = "shinjuku",
        .version = "1.0.0",
        .settings = "{\"options\": {\"b\": \"on\", \"a\": \"off\"}, \"stages\": [{"
                    "\"seats_min\": 2, \"seats_max\": 5, \"seats_preferred\": 4, \"rounds\": 3,"
                    " \"profile\": \"balanced\", \"scoring\": \"5-3-2-1\"}]}",
        .state = EVENT_DRAFT,
        .format = "pod_swiss",
        .organizer = *organizer,
        .commitment = {7, 8, 9},
        .created_at_ms = NOW_MS,
    };
}

struct id make_event(struct db *db, const struct id *organizer)
{
    struct event event = event_of(organizer);
    begin(db);
    assert_int_equal(event_create(db, &event, sealed_secret, sizeof sealed_secret), DB_OK);
    commit(db);
    return event.id;
}

struct id make_old_event(PGconn *connection, const struct id *organizer)
{
    struct id id = id_new(NOW_MS);
    char sql[1024];
    snprintf(sql, sizeof sql,
             "INSERT INTO tillroll.event (id, name, slug, version, options, state, seats_min,"
             " seats_max, seats_preferred, rounds, profile, organizer_id, commitment, created_at,"
             " format) VALUES ('%s', 'Old Cup', 'shinjuku', '1.0.0', '{}', 'draft', 2, 4, 4, 3,"
             " 'strict', '%s', sha256('x'), to_timestamp(%d), 'pod_swiss')",
             id.text, organizer->text, NOW_SECONDS);
    sql_do(connection, sql);
    return id;
}

struct game_row game_of(const struct id *first, const struct id *second)
{
    return (struct game_row){
        .id = id_new(NOW_MS),
        .slug = "shinjuku",
        .version = "1.0.0",
        .options = "{}",
        .started_at_ms = NOW_MS,
        .seats = 2,
        .seat = {{.player = *first}, {.player = *second}},
    };
}

struct id make_game(struct db *db, const struct id *first, const struct id *second)
{
    struct game_row game = game_of(first, second);
    begin(db);
    assert_int_equal(game_create(db, &game, sealed_secret, sizeof sealed_secret), DB_OK);
    commit(db);
    return game.id;
}

/* The chain as the format of records defines it, from the bytes up. */
static void chain(struct roll *roll, const char *line)
{
    char hex[65];
    sodium_bin2hex(hex, sizeof hex, roll->hash, sizeof roll->hash);
    char input[2048];
    int length = snprintf(input, sizeof input, "%s %s\n", hex, line);
    crypto_hash_sha256(roll->hash, (const unsigned char *)input, (unsigned long long)length);
}

static void add_mark(const struct roll *roll, struct text *text)
{
    text_add(text, " #");
    text_add_hex(text, roll->hash, 4);
}

struct record_row roll_header(struct roll *roll)
{
    static const char *const lines[] = {
        "game 019aa2c0-0000-7000-8000-000000000000 shinjuku 1.0.0 00ff", "event -"};
    struct text text = TEXT_OVER(roll->bytes[0]);
    crypto_hash_sha256(roll->hash, (const unsigned char *)"tillroll 1\n", 11);
    text_add(&text, "tillroll 1");
    add_mark(roll, &text);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        chain(roll, lines[i]);
        text_add(&text, "\n");
        text_add(&text, lines[i]);
        add_mark(roll, &text);
    }
    struct record_row row = {.seq = 0, .line = text_span(&text)};
    memcpy(row.hash, roll->hash, sizeof row.hash);
    return row;
}

struct record_row roll_line(struct roll *roll, unsigned slot, unsigned seq, const char *line)
{
    struct text text = TEXT_OVER(roll->bytes[slot]);
    chain(roll, line);
    text_add(&text, line);
    add_mark(roll, &text);
    struct record_row row = {.seq = seq, .line = text_span(&text)};
    memcpy(row.hash, roll->hash, sizeof row.hash);
    return row;
}
