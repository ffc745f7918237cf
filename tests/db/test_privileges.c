/* What the service's role cannot do, tried with the login that tillrolld uses. */
#include <stdio.h>
#include <string.h>

#include "tests/db/database.h"

static struct database database;

static int setup(void **state)
{
    (void)state;
    database_make(&database, "test_privileges", true);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    database_drop(&database);
    return 0;
}

static void refuse_all(PGconn *connection, const char *const *refused, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *got = sql_state(connection, refused[i]);
        if (strcmp(got, "42501") != 0)
            fail_msg("%s: %s instead of 42501", refused[i], got);
    }
}

#define REFUSE_ALL(connection, refused)                                                            \
    refuse_all(connection, refused, sizeof(refused) / sizeof((refused)[0]))

static void test_cannot_change_what_only_grows(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "tillroll.record_line",
        "tillroll.event_step",
        "tillroll.event_change",
        "tillroll.event_origin",
        "tillroll.game_result",
        "tillroll.rating_change",
        "tillroll.rated_game",
        "tillroll.rating_period",
        "tillroll.rating_revision",
        "tillroll.season",
        "tillroll.season_event",
        "tillroll.season_step",
        "tillroll.player",
        "tillroll.round",
        "tillroll.bye",
        "tillroll.entry",
        "tillroll.log_leaf",
        "tillroll.log_node",
        "tillroll.log_checkpoint",
        "tillroll.log_document",
        "tillroll.migration",
        "tillroll_vault.event_secret",
        "tillroll_vault.game_secret",
        "tillroll_vault.sealed_move",
    };
    PGconn *service = sql_connect(database.service);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        static const char *const forms[] = {"DELETE FROM", "TRUNCATE", "DROP TABLE", "LOCK TABLE"};
        for (size_t form = 0; form < 4; form++) {
            char sql[256];
            snprintf(sql, sizeof sql, "%s %s %s", forms[form], tables[i],
                     form == 3 ? "IN ACCESS EXCLUSIVE MODE" : "");
            PQclear(PQexec(service, "BEGIN"));
            assert_string_equal(sql_state(service, sql), "42501");
            PQclear(PQexec(service, "ROLLBACK"));
        }
    }
    static const char *const refused[] = {
        "UPDATE tillroll.record_line SET line = 'x'",
        "UPDATE tillroll.record_line SET hash = ''",
        "UPDATE tillroll.event_step SET kind = 'x'",
        "UPDATE tillroll.event_change SET kind = 'x'",
        "INSERT INTO tillroll.event_change VALUES (gen_random_uuid(), 1, 'standings')",
        "UPDATE tillroll.game_result SET score = 1",
        "UPDATE tillroll.rating_change SET mu_after = 1",
        "UPDATE tillroll.rated_game SET number = 1",
        "UPDATE tillroll.rating_period SET number = 1",
        "UPDATE tillroll.rating_revision SET reason = 'x'",
        "UPDATE tillroll.season SET method = 'points'",
        "UPDATE tillroll.season_event SET event_id = NULL",
        "UPDATE tillroll.season_step SET kind = 'x'",
        "CREATE OR REPLACE VIEW tillroll.counted_result AS SELECT * FROM tillroll.game_result",
        "UPDATE tillroll.player SET id = gen_random_uuid()",
        "UPDATE tillroll.player SET owner_id = NULL",
        "UPDATE tillroll.player SET created_at = now()",
        "UPDATE tillroll.event SET organizer_id = NULL",
        "UPDATE tillroll.event SET created_at = now()",
        "UPDATE tillroll.event_role SET role = 'organizer'",
        "UPDATE tillroll.event SET commitment = ''",
        "UPDATE tillroll.game SET slug = 'x'",
        "UPDATE tillroll.game_seat SET seat = 1",
        "UPDATE tillroll.token SET expires_at = now()",
        "UPDATE tillroll.token SET scopes = 15",
        "UPDATE tillroll.token SET player_id = NULL",
        "TRUNCATE tillroll.token",
        "TRUNCATE tillroll.kept_answer",
        "DELETE FROM tillroll.upkeep",
        "INSERT INTO tillroll.upkeep VALUES ('another', now())",
        "UPDATE tillroll.entry SET player_id = NULL",
        "UPDATE tillroll.rating SET player_id = NULL",
        "UPDATE tillroll.kept_answer SET body = 'x'",
        "UPDATE tillroll_vault.event_secret SET sealed = ''",
        "UPDATE tillroll_vault.game_secret SET sealed = ''",
        "UPDATE tillroll_vault.round_secret SET sealed = ''",
        "UPDATE tillroll.round SET commitment = ''",
        "UPDATE tillroll.log_leaf SET entry = ''",
        "UPDATE tillroll.log_node SET hash = ''",
        "UPDATE tillroll.log_checkpoint SET note = ''",
        "UPDATE tillroll.log_document SET body = ''",
        "UPDATE tillroll.log_queue SET entry = ''",
        "TRUNCATE tillroll.log_queue",
        "UPDATE tillroll_vault.sealed_move SET sealed = ''",
        "DELETE FROM tillroll.event",
        "DELETE FROM tillroll.game",
        "DELETE FROM tillroll.game_seat",
        "DELETE FROM tillroll.rating",
        "INSERT INTO tillroll.migration (number, name, hash) VALUES (99, 'x', '')",
    };
    REFUSE_ALL(service, refused);
    PQfinish(service);
}

static void test_cannot_change_the_schema(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "ALTER TABLE tillroll.record_line DISABLE TRIGGER ALL",
        "ALTER TABLE tillroll.record_line DISABLE TRIGGER append_only",
        "ALTER TABLE tillroll.record_line DROP CONSTRAINT record_line_pkey",
        "DROP TRIGGER append_only ON tillroll.record_line",
        "DROP SCHEMA tillroll CASCADE",
        "CREATE TABLE tillroll.mine (x integer)",
        "CREATE TABLE tillroll_vault.mine (x integer)",
        "CREATE TABLE public.mine (x integer)",
        "CREATE TEMPORARY TABLE mine (x integer)",
        "CREATE SCHEMA mine",
        "CREATE FUNCTION tillroll.mine() RETURNS integer RETURN 1",
        "CREATE OR REPLACE FUNCTION tillroll.to_ms(timestamptz) RETURNS bigint RETURN 0",
        "CREATE EXTENSION dblink SCHEMA tillroll",
        "CREATE RULE mine AS ON INSERT TO tillroll.record_line DO INSTEAD NOTHING",
        "CALL tillroll.make_append_only('tillroll.player')",
    };
    PGconn *service = sql_connect(database.service);
    sql_do(service, "SET client_min_messages = error");
    REFUSE_ALL(service, refused);
    /* Who may not grant gets a warning and not an error. */
    sql_do(service, "GRANT UPDATE ON tillroll.record_line TO tillroll_service");
    assert_string_equal(sql_value(service, "SELECT has_any_column_privilege("
                                           "'tillroll.record_line', 'UPDATE')"),
                        "f");
    PQfinish(service);
}

static void test_cannot_become_somebody_else(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "SET ROLE tillroll_owner",
        "SET ROLE tillroll_migrator",
        "SET ROLE postgres",
        "SET SESSION AUTHORIZATION postgres",
        "SET session_replication_role = replica",
        "CREATE ROLE mine",
        "ALTER ROLE tillroll_service SUPERUSER",
        "GRANT tillroll_owner TO tillroll_service",
        "GRANT pg_read_server_files TO tillroll_service",
        "CREATE DATABASE mine",
        "ALTER SYSTEM SET fsync = off",
    };
    PGconn *service = sql_connect(database.service);
    REFUSE_ALL(service, refused);
    PQfinish(service);
}

static void test_cannot_reach_files(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "COPY tillroll.player TO '/tmp/tillroll-players'",
        "COPY tillroll.player FROM '/etc/passwd'",
        "COPY tillroll.player TO PROGRAM 'true'",
        "COPY tillroll.player FROM PROGRAM 'true'",
        "COPY tillroll.migration FROM STDIN",
        "SELECT pg_read_file('postgresql.conf')",
        "SELECT pg_read_binary_file('postgresql.conf')",
        "SELECT pg_ls_dir('.')",
        "SELECT pg_stat_file('postgresql.conf')",
        "SELECT lo_create(0)",
        "SELECT lo_creat(-1)",
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT lo_import('/etc/passwd')",
        "SELECT lo_put(1, 0, 'x')",
        "SELECT pg_reload_conf()",
        "SELECT rolpassword FROM pg_authid",
        "LOAD 'dblink'",
    };
    PGconn *service = sql_connect(database.service);
    REFUSE_ALL(service, refused);
    PQfinish(service);
}

/* COPY into a record is an insert like any other: the chain is checked. */
static void test_copy_does_not_go_around_the_chain(void **state)
{
    (void)state;
    PGconn *service = sql_connect(database.service);
    PGresult *result = PQexec(service, "COPY tillroll.record_line FROM STDIN");
    assert_int_equal(PQresultStatus(result), PGRES_COPY_IN);
    PQclear(result);
    static const char row[] =
        "019aa2c0-0000-7000-8000-000000000000\t0\ttillroll 1 #951a03ca\t\\\\x00\n";
    assert_int_equal(PQputCopyData(service, row, (int)strlen(row)), 1);
    assert_int_equal(PQputCopyEnd(service, NULL), 1);
    result = PQgetResult(service);
    assert_string_equal(PQresultErrorField(result, PG_DIAG_SQLSTATE), "23514");
    PQclear(result);
    PQfinish(service);
}

static void test_cannot_use_other_databases(void **state)
{
    (void)state;
    static const char *const others[] = {"postgres", "template1"};
    for (size_t i = 0; i < 2; i++) {
        char other[URL_BYTES];
        database_url("TILLROLL_TEST_SERVICE_URL", others[i], other);
        PGconn *connection = PQconnectdb(other);
        assert_int_equal(PQstatus(connection), CONNECTION_BAD);
        assert_non_null(strstr(PQerrorMessage(connection), "permission denied"));
        PQfinish(connection);
    }
}

/* Whatever was made belongs to the owner, and PUBLIC may use none of it. */
static void test_public_has_nothing(void **state)
{
    (void)state;
    PGconn *admin = sql_connect(database.admin);
    assert_string_equal(
        sql_value(admin, "SELECT string_agg(relname, ' ') FROM pg_class"
                         " WHERE relnamespace IN ('tillroll'::regnamespace,"
                         "  'tillroll_vault'::regnamespace)"
                         " AND (relowner <> 'tillroll_owner'::regrole"
                         "  OR EXISTS (SELECT FROM aclexplode(relacl) WHERE grantee = 0))"),
        "");
    assert_string_equal(
        sql_value(admin, "SELECT string_agg(proname, ' ') FROM pg_proc"
                         " WHERE pronamespace = 'tillroll'::regnamespace"
                         " AND (proowner <> 'tillroll_owner'::regrole OR proacl IS NULL"
                         "  OR EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = 0))"),
        "");
    assert_string_equal(sql_value(admin,
                                  "SELECT count(*) FROM pg_namespace, aclexplode(nspacl) AS acl"
                                  " WHERE nspname IN ('tillroll', 'tillroll_vault', 'public')"
                                  " AND acl.grantee = 0"),
                        "0");
    assert_string_equal(sql_value(admin,
                                  "SELECT count(*) FROM pg_database, aclexplode(datacl) AS acl"
                                  " WHERE datname = current_database() AND acl.grantee = 0"),
                        "0");
    assert_string_equal(sql_value(admin,
                                  "SELECT count(*) FROM pg_roles WHERE rolname LIKE 'tillroll%'"
                                  " AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication"
                                  "  OR rolbypassrls)"),
                        "0");
    PQfinish(admin);
}

static void test_cluster_is_careful(void **state)
{
    (void)state;
    PGconn *admin = sql_connect(database.admin);
    assert_string_equal(sql_value(admin, "SHOW data_checksums"), "on");
    assert_string_equal(sql_value(admin, "SHOW fsync"), "on");
    assert_string_equal(sql_value(admin, "SHOW full_page_writes"), "on");
    assert_string_equal(sql_value(admin, "SHOW listen_addresses"), "");
    assert_string_equal(sql_value(admin, "SHOW password_encryption"), "scram-sha-256");
    assert_string_equal(sql_value(admin, "SELECT string_agg(DISTINCT auth_method, ' ')"
                                         " FROM pg_hba_file_rules"),
                        "scram-sha-256");
    PQfinish(admin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cannot_change_what_only_grows),
        cmocka_unit_test(test_cannot_change_the_schema),
        cmocka_unit_test(test_cannot_become_somebody_else),
        cmocka_unit_test(test_cannot_reach_files),
        cmocka_unit_test(test_copy_does_not_go_around_the_chain),
        cmocka_unit_test(test_cannot_use_other_databases),
        cmocka_unit_test(test_public_has_nothing),
        cmocka_unit_test(test_cluster_is_careful),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
