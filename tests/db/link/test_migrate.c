/* The migrator, with directories made for the purpose. Each has the project's first migration,
 * which makes the table that the migrator keeps.
 */
#include "db/link/db.h"
#include "db/link/migrate.h"

#include <glob.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/tournament/event/tournament.h"
#include "engine/tournament/standings/standings.h"
#include "source_dir.h"
#include "tests/db/database.h"

#define REAL TILLROLL_SOURCE_DIR "/db/migrations"

struct site {
    struct database database;
    char directory[64];
    char error[1024];
    unsigned applied;
    char first[256]; /* what was said first */
};

static int make_site(void **state)
{
    static struct site site;
    memset(&site, 0, sizeof site);
    database_make(&site.database, "test_migrate", false);
    strcpy(site.directory, "/tmp/tillroll-migrations-XXXXXX");
    assert_non_null(mkdtemp(site.directory));
    *state = &site;
    return 0;
}

static int drop_site(void **state)
{
    struct site *site = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -r -- '%s'", site->directory);
    assert_int_equal(system(command), 0);
    database_drop(&site->database);
    return 0;
}

static void write_file(const struct site *site, const char *name, const char *sql)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", site->directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fputs(sql, file) >= 0, 1);
    assert_int_equal(fclose(file), 0);
}

static void remove_file(const struct site *site, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", site->directory, name);
    assert_int_equal(unlink(path), 0);
}

static void write_first(const struct site *site)
{
    char command[256];
    snprintf(command, sizeof command, "cp '%s/0001_roles.sql' '%s/'", REAL, site->directory);
    assert_int_equal(system(command), 0);
}

static void count_line(void *context, const char *line)
{
    struct site *site = context;
    assert_true(strlen(line) > 0);
    if (site->applied++ == 0)
        snprintf(site->first, sizeof site->first, "%s", line);
}

static bool run(struct site *site, const char *directory)
{
    struct text error = TEXT_OVER(site->error);
    site->applied = 0;
    return migrate(site->database.migrator, directory, count_line, site, &error);
}

static void refuses(struct site *site, const char *because)
{
    assert_false(run(site, site->directory));
    if (strstr(site->error, because) == NULL)
        fail_msg("'%s' does not say '%s'", site->error, because);
}

static bool is_true(const struct site *site, const char *sql)
{
    PGconn *connection = sql_connect(site->database.migrator);
    bool value = strcmp(sql_value(connection, sql), "t") == 0;
    PQfinish(connection);
    return value;
}

/* The migrations of the source tree. */
static unsigned count_migrations(void)
{
    glob_t files;
    assert_int_equal(glob(TILLROLL_SOURCE_DIR "/db/migrations/[0-9]*.sql", 0, NULL, &files), 0);
    unsigned count = (unsigned)files.gl_pathc;
    globfree(&files);
    return count;
}

static void test_twice_in_a_row(void **state)
{
    struct site *site = *state;
    assert_true(run(site, REAL));
    assert_in_range(site->applied, 1, count_migrations());
    assert_true(run(site, REAL));
    assert_int_equal(site->applied, 0);
    char sql[64];
    snprintf(sql, sizeof sql, "SELECT count(*) = %u FROM tillroll.migration", count_migrations());
    assert_true(is_true(site, sql));
    assert_true(is_true(site, "SELECT to_regclass('tillroll.kept_answer') IS NOT NULL"));
}

static void test_new_file_is_added(void **state)
{
    struct site *site = *state;
    write_first(site);
    assert_true(run(site, site->directory));
    assert_int_equal(site->applied, 1);
    write_file(site, "0002_more.sql", "CREATE TABLE tillroll.more (x integer);");
    write_file(site, "README", "not a migration");
    assert_true(run(site, site->directory));
    assert_int_equal(site->applied, 1);
}

static void test_edited_file(void **state)
{
    struct site *site = *state;
    write_first(site);
    write_file(site, "0002_more.sql", "CREATE TABLE tillroll.more (x integer);");
    assert_true(run(site, site->directory));
    write_file(site, "0002_more.sql", "CREATE TABLE tillroll.more (x integer); ");
    write_file(site, "0003_next.sql", "CREATE TABLE tillroll.next (x integer);");
    refuses(site, "0002_more.sql");
    assert_true(is_true(site, "SELECT to_regclass('tillroll.next') IS NULL"));
}

static void test_renamed_file(void **state)
{
    struct site *site = *state;
    write_first(site);
    write_file(site, "0002_more.sql", "SELECT 1");
    assert_true(run(site, site->directory));
    remove_file(site, "0002_more.sql");
    write_file(site, "0002_other.sql", "SELECT 1");
    refuses(site, "0002_more.sql");
}

static void test_missing_file(void **state)
{
    struct site *site = *state;
    write_first(site);
    write_file(site, "0002_more.sql", "SELECT 1");
    assert_true(run(site, site->directory));
    remove_file(site, "0002_more.sql");
    refuses(site, "newer");
}

static void test_bad_sets_of_files(void **state)
{
    struct site *site = *state;
    refuses(site, "no migrations");
    write_first(site);
    static const char *const names[] = {"0003_gap.sql",  "0001_twice.sql", "0000_zero.sql",
                                        "2_short.sql",   "0002.sql",       "0002_Upper.sql",
                                        "0002-dash.sql", "00002_long.sql", "0002_.sql"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        write_file(site, names[i], "SELECT 1");
        assert_false(run(site, site->directory));
        assert_int_equal(site->applied, 0);
        remove_file(site, names[i]);
    }
    assert_true(is_true(site, "SELECT to_regclass('tillroll.migration') IS NULL"));
    strcpy(site->error, "");
    struct text error = TEXT_OVER(site->error);
    assert_false(migrate(site->database.migrator, "/nonexistent", count_line, site, &error));
    assert_true(strlen(site->error) > 0);
}

static void test_failing_migration_leaves_nothing(void **state)
{
    struct site *site = *state;
    write_first(site);
    write_file(site, "0002_good.sql", "CREATE TABLE tillroll.good (x integer);");
    write_file(site, "0003_bad.sql", "CREATE TABLE tillroll.bad (x integer); SELECT 1 / 0;");
    write_file(site, "0004_later.sql", "CREATE TABLE tillroll.later (x integer);");
    refuses(site, "0003_bad.sql");
    assert_non_null(strstr(site->error, "division by zero"));
    assert_int_equal(site->applied, 2);
    assert_true(is_true(site, "SELECT to_regclass('tillroll.good') IS NOT NULL"
                              " AND to_regclass('tillroll.bad') IS NULL"
                              " AND to_regclass('tillroll.later') IS NULL"
                              " AND (SELECT count(*) FROM tillroll.migration) = 2"));
    write_file(site, "0003_bad.sql", "CREATE TABLE tillroll.bad (x integer);");
    assert_true(run(site, site->directory));
    assert_int_equal(site->applied, 2);
}

static void test_migration_must_not_end_its_transaction(void **state)
{
    struct site *site = *state;
    write_first(site);
    static const char *const endings[] = {"COMMIT", "ROLLBACK", "COMMIT; BEGIN", "ROLLBACK; BEGIN"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        write_file(site, "0002_end.sql", endings[i]);
        refuses(site, "ends the transaction");
    }
    assert_true(is_true(site, "SELECT count(*) = 1 FROM tillroll.migration"));
}

/* ---- The squashed schema ---- */

#define MORE "CREATE TABLE tillroll.more (x integer);"

/* 0001, 0002_more.sql, 0003_next.sql, and a schema.sql that makes what the first two make, says
 * that it came from it, and records `second` as the second. */
static void write_squashed(const struct site *site, const char *second)
{
    write_first(site);
    write_file(site, "0002_more.sql", MORE);
    write_file(site, "0003_next.sql", "CREATE TABLE tillroll.next (x integer);");
    write_file(site, "end",
               "CREATE TABLE tillroll.more (x integer DEFAULT 7);"
               "INSERT INTO tillroll.migration (number, name, hash) VALUES");
    char command[1024];
    snprintf(command, sizeof command,
             "cd '%s' && { cat 0001_roles.sql end && sha256sum 0001_roles.sql |"
             " sed \"s/^\\([0-9a-f]*\\) .*/(1, '0001_roles.sql', '\\\\\\\\x\\1'),/\" &&"
             " echo \"(2, '0002_more.sql', sha256('%s'))\"; } > schema.sql && rm end",
             site->directory, second);
    assert_int_equal(system(command), 0);
}

static void test_empty_database_starts_from_squashed_schema(void **state)
{
    struct site *site = *state;
    write_squashed(site, MORE);
    if (!run(site, site->directory))
        fail_msg("%s", site->error);
    assert_int_equal(site->applied, 2);
    assert_string_equal(site->first,
                        "schema.sql, the squashed schema of 0001_roles.sql to 0002_more.sql");
    assert_true(is_true(site, "SELECT pg_get_expr(adbin, adrelid) = '7' FROM pg_attrdef"
                              " WHERE adrelid = 'tillroll.more'::regclass"));
    assert_true(is_true(site, "SELECT array_agg(name ORDER BY number) = "
                              "'{0001_roles.sql,0002_more.sql,0003_next.sql}'"
                              " FROM tillroll.migration"));
    assert_true(run(site, site->directory));
    assert_int_equal(site->applied, 0);
}

static void test_database_in_use_goes_on_by_the_chain(void **state)
{
    struct site *site = *state;
    write_first(site);
    assert_true(run(site, site->directory));
    write_squashed(site, MORE);
    assert_true(run(site, site->directory));
    assert_int_equal(site->applied, 2);
    assert_string_equal(site->first, "0002_more.sql");
    assert_true(is_true(site, "SELECT count(*) = 0 FROM pg_attrdef"
                              " WHERE adrelid = 'tillroll.more'::regclass"));
}

static void test_squashed_schema_of_other_migrations(void **state)
{
    struct site *site = *state;
    write_squashed(site, "CREATE TABLE tillroll.less (x integer);");
    refuses(site, "schema.sql: the file was changed after it was applied: 0002_more.sql");
    assert_int_equal(site->applied, 0);
    write_squashed(site, MORE);
    remove_file(site, "0003_next.sql");
    remove_file(site, "0002_more.sql");
    refuses(site, "schema.sql: the database is newer than the files: it has 0002_more.sql");
    write_squashed(site, MORE);
    write_file(site, "schema.sql", "SELECT 1");
    refuses(site, "schema.sql: it records no migrations");
    write_file(site, "schema.sql", "COMMIT");
    refuses(site, "schema.sql: it ends the transaction that it runs in");
    write_file(site, "schema.sql", "SELECT 1 / 0");
    refuses(site, "schema.sql: ERROR:  division by zero");
    assert_true(is_true(site, "SELECT count(*) = 0 FROM pg_namespace WHERE nspname ~ 'tillroll'"));
}

static void test_unreachable_database(void **state)
{
    struct site *site = *state;
    struct text error = TEXT_OVER(site->error);
    assert_false(migrate("postgresql://x@/x?host=/nonexistent", REAL, count_line, site, &error));
    assert_true(strlen(site->error) > 0);
}

static void test_user_who_is_not_the_owner(void **state)
{
    struct site *site = *state;
    struct text error = TEXT_OVER(site->error);
    assert_false(migrate(site->database.service, REAL, count_line, site, &error));
    if (strstr(site->error, "deploy/database.sql") == NULL)
        fail_msg("'%s' does not say what to run", site->error);
}

struct rival {
    pthread_t thread;
    struct site site;
    bool good;
};

static void count_quietly(void *context, const char *line)
{
    (void)line;
    ((struct site *)context)->applied++;
}

static void *run_rival(void *context)
{
    struct rival *rival = context;
    struct text error = TEXT_OVER(rival->site.error);
    rival->good = migrate(rival->site.database.migrator, REAL, count_quietly, &rival->site, &error);
    return NULL;
}

static void test_two_at_once(void **state)
{
    static struct rival rivals[2];
    for (size_t i = 0; i < 2; i++) {
        rivals[i].site = *(struct site *)*state;
        rivals[i].site.applied = 0;
        assert_int_equal(pthread_create(&rivals[i].thread, NULL, run_rival, &rivals[i]), 0);
    }
    for (size_t i = 0; i < 2; i++) {
        pthread_join(rivals[i].thread, NULL);
        if (!rivals[i].good)
            fail_msg("%s", rivals[i].site.error);
    }
    assert_true((rivals[0].site.applied == 0) != (rivals[1].site.applied == 0));
    char sql[64];
    snprintf(sql, sizeof sql, "SELECT count(*) = %u FROM tillroll.migration", count_migrations());
    assert_true(is_true(&rivals[0].site, sql));
}

/* ---- Events from before there was a log that says what they are ---- */

/* Players are a..f, with ids that end in 1..6; events are 1.. likewise. */
#define PLAYER_PREFIX "00000000-0000-7000-8000-00000000000"
#define EVENT_PREFIX  "00000000-0000-7000-9000-00000000000"

static const char old_functions[] =
    "CREATE FUNCTION pg_temp.p(n integer) RETURNS uuid LANGUAGE sql AS"
    " $$ SELECT ('" PLAYER_PREFIX "' || n)::uuid $$;"
    "CREATE FUNCTION pg_temp.e(n integer) RETURNS uuid LANGUAGE sql AS"
    " $$ SELECT ('" EVENT_PREFIX "' || n)::uuid $$;"
    "CREATE FUNCTION pg_temp.t(n integer) RETURNS timestamptz LANGUAGE sql AS"
    " $$ SELECT timestamptz '2026-01-01 10:00Z' + n * interval '1 minute' $$;"
    "CREATE FUNCTION pg_temp.event(n integer, state text, duplicate boolean) RETURNS void"
    " LANGUAGE sql AS $$ INSERT INTO tillroll.event (id, name, slug, version, options, state,"
    "  seats_min, seats_max, seats_preferred, rounds, profile, organizer_id, commitment,"
    "  created_at, format, boards, scoring, play)"
    "  VALUES (pg_temp.e(n), 'Old ' || n, 'shinjuku', '1.0.0', '{\"advanced\": \"off\"}', state,"
    "  2, CASE WHEN duplicate THEN 2 ELSE 3 END, CASE WHEN duplicate THEN 2 ELSE 3 END, 3,"
    "  'strict', pg_temp.p(1), sha256('x'), pg_temp.t(0),"
    "  CASE WHEN duplicate THEN 'duplicate' ELSE 'pod_swiss' END,"
    "  CASE WHEN duplicate THEN 2 END, CASE WHEN duplicate THEN 'total' END,"
    "  CASE WHEN duplicate THEN 'barometer' END);"
    "  INSERT INTO tillroll.event_organizer VALUES (pg_temp.e(n), pg_temp.p(1)) $$;"
    "CREATE FUNCTION pg_temp.step(n integer, seq integer, at integer, kind text,"
    "  player integer) RETURNS void LANGUAGE sql AS $$"
    "  INSERT INTO tillroll.event_step VALUES (pg_temp.e(n), seq, pg_temp.t(at), pg_temp.p(1),"
    "  kind, CASE WHEN player IS NULL THEN '{}'"
    "  ELSE json_build_object('player', pg_temp.p(player)) END) $$;"
    "CREATE FUNCTION pg_temp.entry(n integer, player integer, number integer, dropped integer)"
    "  RETURNS void LANGUAGE sql AS $$ INSERT INTO tillroll.entry (event_id, player_id, number,"
    "  dropped_after, entered_at) VALUES (pg_temp.e(n), pg_temp.p(player), number, dropped,"
    "  pg_temp.t(10 + player)) $$;"
    "CREATE FUNCTION pg_temp.round(n integer, number integer, at integer, shared boolean)"
    "  RETURNS void LANGUAGE sql AS $$ INSERT INTO tillroll.round (event_id, number, attempt,"
    "  quality, started_at, commitment) VALUES (pg_temp.e(n), number, 1,"
    "  '{\"proved_best\": true}', pg_temp.t(at), CASE WHEN shared THEN sha256('y') END) $$;"
    /* scores: best first are not needed; ranks follow from them; NULL for none */
    "CREATE FUNCTION pg_temp.game(n integer, round integer, \"table\" integer, board integer,"
    "  began integer, ended integer, players integer[], scores integer[]) RETURNS void"
    "  LANGUAGE plpgsql AS $$ DECLARE g uuid := gen_random_uuid(); BEGIN"
    "  INSERT INTO tillroll.game (id, event_id, round, table_number, board, slug, version,"
    "   options, started_at, finished_at) VALUES (g, pg_temp.e(n), round, \"table\", board,"
    "   'shinjuku', '1.0.0', '{}', pg_temp.t(began), pg_temp.t(ended));"
    "  INSERT INTO tillroll.game_seat (game_id, seat, player_id)"
    "   SELECT g, seat - 1, pg_temp.p(player)"
    "   FROM unnest(players) WITH ORDINALITY AS sitting (player, seat);"
    "  INSERT INTO tillroll.game_result (game_id, seat, score, rank)"
    "   SELECT g, seat - 1, score, rank() OVER (ORDER BY score DESC)"
    "   FROM unnest(scores) WITH ORDINALITY AS result (score, seat); END $$;";

static const char old_rows[] =
    "INSERT INTO tillroll.player (id, name, password_hash, created_at)"
    " SELECT pg_temp.p(n), chr(96 + n) || 'lice', '$argon2id$x', pg_temp.t(0)"
    " FROM generate_series(1, 6) AS n;"
    /* 1: two rounds and a bye are over, somebody has left, the third round is being played. The
     * clock of the server that ended a table was behind. */
    "SELECT pg_temp.event(1, 'running', false), pg_temp.step(1, 1, 0, 'created', NULL),"
    " pg_temp.step(1, 2, 1, 'entries_opened', NULL), pg_temp.step(1, 3, 11, 'entered', 1),"
    " pg_temp.step(1, 4, 12, 'withdrawn', 6), pg_temp.step(1, 5, 20, 'entries_closed', NULL),"
    " pg_temp.step(1, 6, 30, 'round_started', NULL), pg_temp.step(1, 7, 45, 'dropped', 5),"
    " pg_temp.step(1, 8, 60, 'round_started', NULL), pg_temp.step(1, 9, 90, 'round_started', NULL),"
    " pg_temp.entry(1, 1, 1, NULL), pg_temp.entry(1, 2, 2, NULL), pg_temp.entry(1, 3, 3, NULL),"
    " pg_temp.entry(1, 4, 4, NULL), pg_temp.entry(1, 5, 5, 1), pg_temp.round(1, 1, 30, false),"
    " pg_temp.round(1, 2, 60, false), pg_temp.round(1, 3, 90, false),"
    " pg_temp.game(1, 1, 1, NULL, 30, 50, '{1,2,3}', '{10,30,10}'),"
    " pg_temp.game(1, 1, 2, NULL, 30, 62, '{5,4}', '{7,-2}'),"
    " pg_temp.game(1, 2, 1, NULL, 60, 80, '{4,1,2}', '{5,6,7}'),"
    " pg_temp.game(1, 3, 1, NULL, 90, 95, '{3,1}', '{1,2}'),"
    " pg_temp.game(1, 3, 2, NULL, 90, NULL, '{2,4}', '{}');"
    "INSERT INTO tillroll.bye VALUES (pg_temp.e(1), 2, pg_temp.p(3), 'pairing');"
    /* 2: a duplicate event; its first board is open, of the second one table has ended. */
    "SELECT pg_temp.event(2, 'running', true), pg_temp.step(2, 1, 0, 'created', NULL),"
    " pg_temp.step(2, 2, 1, 'entries_opened', NULL), pg_temp.step(2, 3, 20, 'entries_closed', "
    "NULL),"
    " pg_temp.step(2, 4, 30, 'round_started', NULL), pg_temp.entry(2, 1, 1, NULL),"
    " pg_temp.entry(2, 2, 2, NULL), pg_temp.entry(2, 3, 3, NULL), pg_temp.entry(2, 4, 4, NULL),"
    " pg_temp.round(2, 1, 30, true), pg_temp.game(2, 1, 1, 1, 30, 40, '{1,2}', '{8,9}'),"
    " pg_temp.game(2, 1, 2, 1, 30, 50, '{3,4}', '{5,5}'),"
    " pg_temp.game(2, 1, 3, 2, 49, 55, '{1,4}', '{}'),"
    " pg_temp.game(2, 1, 4, 2, 49, NULL, '{3,2}', '{}');"
    /* 3: nothing but a draft, without a log. 4: entries are open. 5: closed, one gone before any
     * round. 6: over. */
    "SELECT pg_temp.event(3, 'draft', false), pg_temp.event(4, 'entries_open', false),"
    " pg_temp.entry(4, 2, NULL, NULL), pg_temp.entry(4, 1, NULL, NULL),"
    " pg_temp.event(5, 'entries_closed', false), pg_temp.step(5, 1, 25, 'dropped', 2),"
    " pg_temp.entry(5, 1, 1, NULL), pg_temp.entry(5, 2, 2, 0), pg_temp.event(6, 'closed', false),"
    " pg_temp.step(6, 1, 99, 'closed', NULL), pg_temp.entry(6, 1, 1, NULL),"
    " pg_temp.entry(6, 2, 2, NULL), pg_temp.round(6, 1, 30, false),"
    " pg_temp.game(6, 1, 1, NULL, 30, 50, '{2,1}', '{3,4}')";

/* The database as version 13 of the schema had it, with these events, brought up to date. */
static void migrate_old(struct site *site, void (*look)(PGconn *connection, void *context),
                        void *context)
{
    char command[512];
    snprintf(command, sizeof command, "cp '%s'/000?_*.sql '%s'/001[0-3]_*.sql '%s/'", REAL, REAL,
             site->directory);
    assert_int_equal(system(command), 0);
    assert_true(run(site, site->directory));
    assert_int_equal(site->applied, 13);
    PGconn *connection = sql_connect(site->database.migrator);
    sql_do(connection, "SET ROLE tillroll_owner");
    sql_do(connection, old_functions);
    sql_do(connection, old_rows);
    look(connection, context);
    PQfinish(connection);
    if (!run(site, REAL))
        fail_msg("%s", site->error);
    char buffer[512];
    struct text error = TEXT_OVER(buffer);
    site->database.db = db_open(site->database.service, true, &error);
    assert_non_null(site->database.db);
}

/* The event as its log makes it now. */
static void fold_event(struct site *site, unsigned number, struct tournament *tournament)
{
    struct db *db = site->database.db;
    struct id event;
    struct event_step *steps;
    struct refusal refusal = {"", ""};
    unsigned first;
    size_t count;
    char text[TOURNAMENT_ID_BYTES];
    snprintf(text, sizeof text, EVENT_PREFIX "%u", number);
    assert_true(id_parse(span_of(text), &event));
    begin(db);
    assert_int_equal(event_log_begin(db, &event, &first), DB_OK);
    assert_int_equal(
        event_log_list(db, &site->database.arena, &event, first - 1, NULL, 10, &steps, &count),
        DB_OK);
    commit(db);
    assert_int_equal(count, 1);
    assert_string_equal(steps[0].kind, "restated");
    assert_string_equal(steps[0].actor.text, "");
    json_t *detail = json_loads(steps[0].detail, 0, NULL);
    const struct tournament_line line = {.number = steps[0].seq,
                                         .at_ms = steps[0].at_ms,
                                         .actor = "",
                                         .kind = steps[0].kind,
                                         .detail = detail};
    tournament_init(tournament);
    if (!tournament_apply(tournament, &line, &refusal))
        fail_msg("event %u: %s %s", number, refusal.code, refusal.message);
    json_decref(detail);
}

/* ---- Standings before: from the rows of version 13, as that version made them ---- */

enum { OLD_RESULTS = 8 };

struct old_results {
    struct table_result result[OLD_RESULTS];
    size_t count;
};

static int value(const PGresult *result, int row, int column)
{
    return atoi(PQgetvalue(result, row, column));
}

/* Entry i is number i + 1. */
static void read_old(PGconn *connection, void *context)
{
    struct old_results *old = context;
    PGresult *rows = PQexec(
        connection,
        "SELECT round, table_number, seat, number - 1, score, rank, 0 FROM tillroll.game"
        " JOIN tillroll.game_result ON game_id = game.id JOIN tillroll.game_seat USING (game_id, "
        "seat)"
        " JOIN tillroll.entry USING (event_id, player_id) WHERE event_id = pg_temp.e(1)"
        " UNION ALL SELECT round, 0, 0, number - 1, 0, 1, 4 FROM tillroll.bye"
        " JOIN tillroll.entry USING (event_id, player_id) WHERE event_id = pg_temp.e(1)"
        " ORDER BY 1, 2, 3");
    assert_int_equal(PQresultStatus(rows), PGRES_TUPLES_OK);
    for (int row = 0; row < PQntuples(rows); row++) {
        old->count += value(rows, row, 2) == 0;
        assert_in_range(old->count, 1, OLD_RESULTS);
        struct table_result *result = &old->result[old->count - 1];
        result->round = (uint16_t)value(rows, row, 0);
        result->table = (uint16_t)value(rows, row, 1);
        result->seat[result->seats++] = (struct seat_result){.entry = (uint16_t)value(rows, row, 3),
                                                             .score = value(rows, row, 4),
                                                             .rank = (uint8_t)value(rows, row, 5),
                                                             .kind = (uint8_t)value(rows, row, 6)};
    }
    PQclear(rows);
}

static void make_standings(const struct table_result *results, size_t count,
                           const struct stage_settings *stage, struct standings_input *input,
                           struct standings *standings)
{
    static const struct entry entries[] = {{1}, {2}, {3}, {4}, {5}};
    static const struct chance chance = {.seed = {1, 2, 3}};
    struct refusal refusal;
    *input = (struct standings_input){.entries = entries,
                                      .entry_count = 5,
                                      .results = results,
                                      .result_count = count,
                                      .scoring = stage == NULL ? &scoring_default : &stage->scoring,
                                      .chain = stage == NULL ? tie_break_pods : stage->chain,
                                      .chain_count =
                                          stage == NULL ? tie_break_pods_count : stage->chain_count,
                                      .rules = stage == NULL ? UNPLAYED_PODS_1 : stage->unplayed,
                                      .rounds = 3,
                                      .chance = &chance};
    assert_true(standings_make(input, standings, &refusal));
}

static void same_standings(const struct old_results *old, const struct tournament *tournament)
{
    struct standings_input inputs[2];
    struct standings was;
    struct standings is;
    size_t count;
    struct table_result *results = tournament_results(tournament, 0, 0, 3, &count);
    make_standings(old->result, old->count, NULL, &inputs[0], &was);
    make_standings(results, count, &tournament->settings.stage[0], &inputs[1], &is);
    assert_int_equal(was.count, 5);
    assert_int_equal(is.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(is.rows[i].entry, was.rows[i].entry);
        assert_int_equal(is.rows[i].rank, was.rows[i].rank);
        assert_int_equal(is.rows[i].points, was.rows[i].points);
        assert_int_equal(is.rows[i].played, was.rows[i].played);
        for (size_t k = 0; k < tie_break_pods_count; k++) {
            assert_int_equal(is.rows[i].value[k].numerator, was.rows[i].value[k].numerator);
            assert_int_equal(is.rows[i].value[k].denominator, was.rows[i].value[k].denominator);
            assert_int_equal(is.rows[i].value[k].used, was.rows[i].value[k].used);
        }
    }
    standings_free(&was);
    standings_free(&is);
    free(results);
}

/* ---- After ---- */

static void check_rounds(const struct tournament *event)
{
    assert_int_equal(event->phase, PHASE_RUNNING);
    assert_string_equal(event->settings.name, "Old 1");
    assert_int_equal(event->settings.stage[0].rounds, 3);
    assert_int_equal(event->rounds_started, 3);
    assert_true(tournament_is_running(event));
    assert_int_equal(event->entrant_count, 5);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(event->entrants[i].number, i + 1);
    assert_int_equal(tournament_presence(event, 4, 1), ROUND_PLAYED);
    assert_int_equal(tournament_presence(event, 4, 2), ROUND_ABSENT);
    assert_int_equal(event->rounds[1].table_count, 1);
    assert_int_equal(event->rounds[1].bye_count, 2);
    assert_int_equal(event->rounds[2].decided, 1);
    const struct tournament_table *table = tournament_table(event, 1, 2);
    assert_int_equal(table->entry[0], 4);
    assert_int_equal(table->result.seat[1].score, -2);
    assert_int_equal(table->result.seat[1].rank, 2);
    assert_false(tournament_table(event, 3, 2)->has_result);
    assert_int_equal(event->role_count, 1);
    assert_string_equal(event->roles[0].player, PLAYER_PREFIX "1");
}

static void check_boards(const struct tournament *event)
{
    assert_int_equal(event->settings.stage[0].format, FORMAT_DUPLICATE);
    assert_true(event->settings.stage[0].barometer);
    assert_false(event->settings.stage[0].matchpoints);
    assert_int_equal(event->rounds[0].boards, 2);
    assert_int_equal(event->rounds[0].boards_started, 2);
    assert_int_equal(event->rounds[0].table_count, 4);
    assert_int_equal(event->rounds[0].decided, 2);
    assert_int_equal(tournament_table(event, 1, 3)->board, 2);
    assert_int_equal(tournament_table(event, 1, 2)->result.seat[1].rank, 1);
}

static void test_events_are_told_anew(void **state)
{
    struct site *site = *state;
    struct old_results old = {.count = 0};
    struct tournament event;
    migrate_old(site, read_old, &old);
    assert_int_equal(old.count, 5);
    fold_event(site, 1, &event);
    check_rounds(&event);
    same_standings(&old, &event);
    tournament_free(&event);
    fold_event(site, 2, &event);
    check_boards(&event);
    tournament_free(&event);
    static const enum tournament_phase phases[] = {PHASE_DRAFT, PHASE_ENTRIES_OPEN,
                                                   PHASE_ENTRIES_CLOSED, PHASE_CLOSED};
    static const size_t entrants[] = {0, 2, 2, 2};
    for (unsigned i = 0; i < 4; i++) {
        fold_event(site, i + 3, &event);
        assert_int_equal(event.phase, phases[i]);
        assert_int_equal(event.entrant_count, entrants[i]);
        tournament_free(&event);
    }
    assert_true(is_true(
        site,
        "SELECT array_agg(state ORDER BY number) = '{entered,entered,entered,entered,dropped}'"
        " FROM tillroll.entry WHERE event_id = '" EVENT_PREFIX "1'"));
    assert_true(is_true(site, "SELECT array_agg(kind) = '{pairing_bye}' FROM tillroll.bye"));
    assert_true(is_true(site, "SELECT count(*) = 6 FROM tillroll.event_role"));
    assert_true(is_true(site, "SELECT bool_and(actor_id IS NULL) FROM tillroll.event_step"
                              " WHERE kind = 'restated'"));
}

static void copy_up_to(const struct site *site, unsigned last)
{
    for (unsigned number = 1; number <= last; number++) {
        char command[256];
        snprintf(command, sizeof command, "cp '%s'/%04u_*.sql '%s/'", REAL, number,
                 site->directory);
        assert_int_equal(system(command), 0);
    }
}

/* Ratings that were there before revisions: their games get an order, and nothing else changes. */
static void test_ratings_of_before(void **state)
{
    struct site *site = *state;
    copy_up_to(site, 13);
    assert_true(run(site, site->directory));
    PGconn *connection = sql_connect(site->database.migrator);
    sql_do(connection,
           "SET ROLE tillroll_owner;"
           " INSERT INTO tillroll.player SELECT ('00000000-0000-7000-8000-00000000000' || n)::uuid,"
           "  'Player ' || n, '$argon2id$', now() FROM generate_series(1, 2) AS n;"
           " INSERT INTO tillroll.game (id, slug, version, options, started_at)"
           "  SELECT ('00000000-0000-7000-8000-00000000000' || n)::uuid, 'shinjuku', '1.0.0', '{}',"
           "   now() FROM generate_series(1, 3) AS n;"
           " INSERT INTO tillroll.rating_change"
           "  SELECT game.id, 'overall', player.id, CASE right(game.id::text, 1)"
           "   WHEN '1' THEN timestamptz '2026-01-02' ELSE timestamptz '2026-01-01' END, 1, 2, 3, 4"
           "  FROM tillroll.game, tillroll.player;"
           " INSERT INTO tillroll.rating SELECT id, 'overall', 30, 4, 3 FROM tillroll.player");
    PQfinish(connection);
    assert_true(run(site, REAL));
    assert_true(is_true(site, "SELECT string_agg(right(game_id::text, 1), ' ' ORDER BY number)"
                              " = '2 3 1' FROM tillroll.rated_game"));
    assert_true(is_true(site, "SELECT count(*) = 6 AND bool_and((mu_before, sigma_before, mu_after,"
                              " sigma_after, revision, games) = (1, 2, 3, 4, 0, 1))"
                              " FROM tillroll.rating_step"));
    assert_true(is_true(site, "SELECT bool_and(rating_change.number = rated_game.number)"
                              " FROM tillroll.rating_change JOIN tillroll.rated_game"
                              " USING (game_id)"));
    assert_true(is_true(site, "SELECT bool_and(value = 18) FROM tillroll.rating"));
    connection = sql_connect(site->database.migrator);
    sql_do(connection, "SET ROLE tillroll_owner");
    assert_string_equal(sql_state(connection, "UPDATE tillroll.rating_change SET mu_after = 1"),
                        "42501");
    PQfinish(connection);
}

#define SITE_TEST(test) cmocka_unit_test_setup_teardown(test, make_site, drop_site)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SITE_TEST(test_twice_in_a_row),
        SITE_TEST(test_new_file_is_added),
        SITE_TEST(test_edited_file),
        SITE_TEST(test_renamed_file),
        SITE_TEST(test_missing_file),
        SITE_TEST(test_bad_sets_of_files),
        SITE_TEST(test_failing_migration_leaves_nothing),
        SITE_TEST(test_migration_must_not_end_its_transaction),
        SITE_TEST(test_empty_database_starts_from_squashed_schema),
        SITE_TEST(test_database_in_use_goes_on_by_the_chain),
        SITE_TEST(test_squashed_schema_of_other_migrations),
        SITE_TEST(test_unreachable_database),
        SITE_TEST(test_user_who_is_not_the_owner),
        SITE_TEST(test_two_at_once),
        SITE_TEST(test_events_are_told_anew),
        SITE_TEST(test_ratings_of_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
