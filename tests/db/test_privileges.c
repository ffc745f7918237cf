/* What the service's role cannot do, tried with the login that tillrolld uses. */
#include <stdio.h>
#include <string.h>

#include "tests/db/database.h"

static struct database database;

FIXTURE(setup)
{
    database_make(&database, "test_privileges", true);
    return 0;
}

FIXTURE(teardown)
{
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

/* Rows that triggers and migrations write. */
TEST(test_cannot_add_what_others_write)
{
    static const char *const refused[] = {
        "INSERT INTO tillroll.event_change VALUES (gen_random_uuid(), 1, 'standings')",
        "INSERT INTO tillroll.upkeep VALUES ('another', now())",
        "INSERT INTO tillroll.migration (number, name, hash) VALUES (99, 'x', '')",
    };
    PGconn *service = sql_connect(database.service);
    REFUSE_ALL(service, refused);
    PQfinish(service);
}

/* All that the service may change or delete. Everything else of every table, view, sequence and
 * routine is made up from the catalogue and tried; what a migration adds is tried by itself. */
static const char *const may_change[] = {
    "DELETE FROM tillroll.casual_seat",
    "DELETE FROM tillroll.casual_table",
    "DELETE FROM tillroll.contested_table",
    "DELETE FROM tillroll.email",
    "DELETE FROM tillroll.event_role",
    "DELETE FROM tillroll.event_timer",
    "DELETE FROM tillroll.followed_organizer",
    "DELETE FROM tillroll.followed_game",
    "DELETE FROM tillroll.game_analysis",
    "DELETE FROM tillroll.hearer",
    "DELETE FROM tillroll.held_place",
    "DELETE FROM tillroll.import_part",
    "DELETE FROM tillroll.job",
    "DELETE FROM tillroll.kept_answer",
    "DELETE FROM tillroll.log_queue",
    "DELETE FROM tillroll.mail_token",
    "DELETE FROM tillroll.name_skeleton",
    "DELETE FROM tillroll.notice_cause",
    "DELETE FROM tillroll.notice_choice",
    "DELETE FROM tillroll.notice_settings",
    "DELETE FROM tillroll.notice_watch",
    "DELETE FROM tillroll.outbox",
    "DELETE FROM tillroll.push_subscription",
    "DELETE FROM tillroll.rated_seat",
    "DELETE FROM tillroll.reported_seat",
    "DELETE FROM tillroll.ruled_seat",
    "DELETE FROM tillroll.season_event",
    "DELETE FROM tillroll.teller",
    "DELETE FROM tillroll.token",
    "DELETE FROM tillroll.webhook",
    "DELETE FROM tillroll.webhook_delivery",
    "DELETE FROM tillroll_vault.push_key",
    "UPDATE tillroll.casual_seat SET taken",
    "UPDATE tillroll.casual_table SET game_id",
    "UPDATE tillroll.dealing SET due_at",
    "UPDATE tillroll.dealing SET ended",
    "UPDATE tillroll.dispute SET state",
    "UPDATE tillroll.email SET address",
    "UPDATE tillroll.email SET confirmed_at",
    "UPDATE tillroll.email SET language",
    "UPDATE tillroll.email SET set_at",
    "UPDATE tillroll.entry SET checked_in",
    "UPDATE tillroll.entry SET dropped_after",
    "UPDATE tillroll.entry SET entered_at",
    "UPDATE tillroll.entry SET number",
    "UPDATE tillroll.entry SET state",
    "UPDATE tillroll.event SET cancelled",
    "UPDATE tillroll.event SET format",
    "UPDATE tillroll.event SET name",
    "UPDATE tillroll.event SET settings",
    "UPDATE tillroll.event SET slug",
    "UPDATE tillroll.event SET state",
    "UPDATE tillroll.event SET version",
    "UPDATE tillroll.event_timer SET due_at",
    "UPDATE tillroll.game SET finished_at",
    "UPDATE tillroll.game SET voided",
    "UPDATE tillroll.game_analysis SET asked_at",
    "UPDATE tillroll.game_analysis SET asked_by",
    "UPDATE tillroll.game_analysis SET attempts",
    "UPDATE tillroll.game_analysis SET document",
    "UPDATE tillroll.game_analysis SET done",
    "UPDATE tillroll.game_analysis SET leased_by",
    "UPDATE tillroll.game_analysis SET leased_until",
    "UPDATE tillroll.game_analysis SET maker",
    "UPDATE tillroll.game_analysis SET plies",
    "UPDATE tillroll.game_analysis SET total",
    "UPDATE tillroll.game_seat SET fallback",
    "UPDATE tillroll.game_seat SET forfeited",
    "UPDATE tillroll.game_seat SET player_id",
    "UPDATE tillroll.game_seat SET timed_out",
    "UPDATE tillroll.held_place SET code_hash",
    "UPDATE tillroll.import_part SET body",
    "UPDATE tillroll.import_part SET stored_at",
    "UPDATE tillroll.job SET alive_until",
    "UPDATE tillroll.job SET answer",
    "UPDATE tillroll.job SET done",
    "UPDATE tillroll.job SET ended_at",
    "UPDATE tillroll.job SET location",
    "UPDATE tillroll.job SET phase",
    "UPDATE tillroll.job SET state",
    "UPDATE tillroll.job SET status",
    "UPDATE tillroll.job SET told",
    "UPDATE tillroll.job SET total",
    "UPDATE tillroll.notice_cause SET tries",
    "UPDATE tillroll.notice_choice SET timing",
    "UPDATE tillroll.notice_settings SET digest_at",
    "UPDATE tillroll.notice_settings SET language",
    "UPDATE tillroll.notice_settings SET quiet_from",
    "UPDATE tillroll.notice_settings SET quiet_to",
    "UPDATE tillroll.notice_settings SET time_zone",
    "UPDATE tillroll.notice_watch SET seq",
    "UPDATE tillroll.notice_watch SET told",
    "UPDATE tillroll.outbox SET address",
    "UPDATE tillroll.outbox SET attempts",
    "UPDATE tillroll.outbox SET bundle_id",
    "UPDATE tillroll.outbox SET due_at",
    "UPDATE tillroll.outbox SET ended_at",
    "UPDATE tillroll.outbox SET player_id",
    "UPDATE tillroll.outbox SET reason",
    "UPDATE tillroll.outbox SET state",
    "UPDATE tillroll.player SET deleted_at",
    "UPDATE tillroll.player SET guest",
    "UPDATE tillroll.player SET name",
    "UPDATE tillroll.player SET password_hash",
    "UPDATE tillroll.player SET roles",
    "UPDATE tillroll.push_subscription SET auth",
    "UPDATE tillroll.push_subscription SET device",
    "UPDATE tillroll.push_subscription SET failures",
    "UPDATE tillroll.push_subscription SET language",
    "UPDATE tillroll.push_subscription SET last_at",
    "UPDATE tillroll.push_subscription SET player_id",
    "UPDATE tillroll.push_subscription SET public_key",
    "UPDATE tillroll.push_subscription SET reason",
    "UPDATE tillroll.push_subscription SET rest_until",
    "UPDATE tillroll.push_subscription SET since",
    "UPDATE tillroll.push_subscription SET test_at",
    "UPDATE tillroll.rating SET games",
    "UPDATE tillroll.rating SET mu",
    "UPDATE tillroll.rating SET period",
    "UPDATE tillroll.rating SET sigma",
    "UPDATE tillroll.rating SET volatility",
    "UPDATE tillroll.recording SET finished_at",
    "UPDATE tillroll.recording SET open",
    "UPDATE tillroll.recording SET whole",
    "UPDATE tillroll.season SET state",
    "UPDATE tillroll.season_event SET invited",
    "UPDATE tillroll.season_event SET offered",
    "UPDATE tillroll.served SET at",
    "UPDATE tillroll.served SET gap_from",
    "UPDATE tillroll.served SET gap_to",
    "UPDATE tillroll.token SET revoked_at",
    "UPDATE tillroll.token SET seen_at",
    "UPDATE tillroll.upkeep SET due_at",
    "UPDATE tillroll.waiting_game SET ended",
    "UPDATE tillroll.webhook SET failures",
    "UPDATE tillroll.webhook SET rest_until",
    "UPDATE tillroll.webhook SET state",
    "UPDATE tillroll.webhook_delivery SET attempts",
    "UPDATE tillroll.webhook_delivery SET due_at",
    "UPDATE tillroll.webhook_delivery SET reason",
    "UPDATE tillroll.webhook_delivery SET state",
    "UPDATE tillroll.webhook_delivery SET status",
    "UPDATE tillroll.webhook_delivery SET took_ms",
    "UPDATE tillroll.webhook_delivery SET tried_at",
    "UPDATE tillroll_vault.webhook_secret SET before",
    "UPDATE tillroll_vault.webhook_secret SET before_until",
    "UPDATE tillroll_vault.webhook_secret SET sealed",
};

enum { MAY_CHANGE = sizeof may_change / sizeof may_change[0] };

static const char all_relations[] =
    "WITH relation AS (SELECT oid, oid::regclass AS name, relkind FROM pg_class"
    "  WHERE relnamespace IN ('tillroll'::regnamespace, 'tillroll_vault'::regnamespace)),"
    " plain AS (SELECT * FROM relation WHERE relkind IN ('r', 'p', 'f', 'm')) ";

/* Statements that name one thing each; a column's has ` = DEFAULT` behind its name. */
static const char all_statements[] =
    " SELECT format(form, name) FROM plain, unnest(ARRAY["
    "  'DELETE FROM %1$s', 'TRUNCATE %1$s', 'DROP TABLE %1$s',"
    "  'ALTER TABLE %1$s DISABLE TRIGGER ALL', 'ALTER TABLE %1$s OWNER TO tillroll_service',"
    "  'ALTER TABLE %1$s ADD COLUMN mine integer', 'CREATE INDEX ON %1$s ((1))',"
    "  'CREATE RULE mine AS ON INSERT TO %1$s DO INSTEAD NOTHING',"
    "  'CREATE TRIGGER mine BEFORE INSERT ON %1$s EXECUTE FUNCTION"
    "   pg_catalog.suppress_redundant_updates_trigger()',"
    "  'COMMENT ON TABLE %1$s IS NULL']) AS form"
    " UNION ALL SELECT format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', name) FROM plain"
    "  WHERE NOT has_table_privilege('tillroll_service', oid, 'DELETE')"
    " UNION ALL SELECT format('UPDATE %s SET %I = DEFAULT', name, attname) FROM plain"
    "  JOIN pg_attribute ON attrelid = oid WHERE attnum > 0 AND NOT attisdropped"
    " UNION ALL SELECT format('DROP VIEW %s', name) FROM relation WHERE relkind = 'v'"
    " UNION ALL SELECT format('SELECT nextval(%L)', name) FROM relation WHERE relkind = 'S'"
    " UNION ALL SELECT format('SELECT setval(%L, 1)', name) FROM relation WHERE relkind = 'S'"
    " UNION ALL SELECT format(form, oid::regprocedure) FROM pg_proc, unnest(ARRAY["
    "  'DROP ROUTINE %s', 'ALTER ROUTINE %s SECURITY DEFINER']) AS form"
    "  WHERE pronamespace IN ('tillroll'::regnamespace, 'tillroll_vault'::regnamespace)"
    " ORDER BY 1";

/* The place in may_change, or -1. */
static int place_of(const char *statement)
{
    for (int i = 0; i < MAY_CHANGE; i++) {
        size_t length = strlen(may_change[i]);
        if (strncmp(statement, may_change[i], length) == 0 &&
            (statement[length] == '\0' || strcmp(statement + length, " = DEFAULT") == 0))
            return i;
    }
    return -1;
}

static const char *try_alone(PGconn *connection, const char *statement)
{
    sql_do(connection, "BEGIN");
    const char *got = sql_state(connection, statement);
    PQclear(PQexec(connection, "ROLLBACK"));
    return got;
}

static PGresult *list(PGconn *connection, const char *statement)
{
    char sql[4096];
    snprintf(sql, sizeof sql, "%s%s", all_relations, statement);
    PGresult *result = PQexec(connection, sql);
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s", PQerrorMessage(connection));
    return result;
}

TEST(test_nothing_else_of_the_catalogue)
{
    bool met[MAY_CHANGE] = {false};
    PGconn *admin = sql_connect(database.admin);
    PGconn *service = sql_connect(database.service);
    PGresult *statements = list(admin, all_statements);
    assert_true(PQntuples(statements) > 500);
    for (int i = 0; i < PQntuples(statements); i++) {
        const char *statement = PQgetvalue(statements, i, 0);
        int place = place_of(statement);
        const char *got = try_alone(service, statement);
        if ((strcmp(got, "42501") == 0) != (place < 0))
            fail_msg("%s: %s", statement, got);
        if (place >= 0)
            met[place] = true;
    }
    for (int i = 0; i < MAY_CHANGE; i++)
        if (!met[i])
            fail_msg("%s: there is no such thing", may_change[i]);
    PQclear(statements);
    PQfinish(service);
    PQfinish(admin);
}

/* What the service may add to and not change, nobody changes: a trigger refuses even the owner. The
 * few without one hold what only the service could have put there. */
TEST(test_owner_cannot_change_what_only_grows)
{
    static const char grows[] =
        " SELECT format(form, name) FROM plain, unnest(ARRAY["
        "  'DELETE FROM %s', 'TRUNCATE %s CASCADE']) AS form"
        "  WHERE has_table_privilege('tillroll_service', oid, 'INSERT')"
        "  AND NOT has_table_privilege('tillroll_service', oid, 'DELETE')"
        "  AND NOT has_any_column_privilege('tillroll_service', oid, 'UPDATE')"
        "  AND name::text NOT IN ('tillroll.bye', 'tillroll.round', 'tillroll_vault.event_secret',"
        "   'tillroll_vault.game_secret', 'tillroll_vault.round_secret') ORDER BY 1";
    PGconn *admin = sql_connect(database.admin);
    PGresult *statements = list(admin, grows);
    assert_true(PQntuples(statements) > 20);
    sql_do(admin, "SET ROLE tillroll_owner");
    for (int i = 0; i < PQntuples(statements); i++) {
        const char *got = try_alone(admin, PQgetvalue(statements, i, 0));
        if (strcmp(got, "42501") != 0)
            fail_msg("%s: %s", PQgetvalue(statements, i, 0), got);
    }
    PQclear(statements);
    PQfinish(admin);
}

TEST(test_cannot_change_the_schema)
{
    static const char *const refused[] = {
        "ALTER TABLE tillroll.record_line DISABLE TRIGGER ALL",
        "ALTER TABLE tillroll.record_line DISABLE TRIGGER append_only",
        "ALTER TABLE tillroll.record_line DROP CONSTRAINT record_line_pkey",
        "DROP TRIGGER append_only ON tillroll.record_line",
        "DROP SCHEMA tillroll CASCADE",
        "CREATE OR REPLACE VIEW tillroll.counted_result AS SELECT * FROM tillroll.game_result",
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
    /* A role that may not grant gets a warning and not an error. */
    sql_do(service, "GRANT UPDATE ON tillroll.record_line TO tillroll_service");
    assert_string_equal(sql_value(service, "SELECT has_any_column_privilege("
                                           "'tillroll.record_line', 'UPDATE')"),
                        "f");
    PQfinish(service);
}

TEST(test_cannot_become_somebody_else)
{
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

TEST(test_cannot_reach_files)
{
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
TEST(test_copy_does_not_go_around_the_chain)
{
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

TEST(test_cannot_use_other_databases)
{
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

/* Every object belongs to the owner, and PUBLIC may use none of them. */
TEST(test_public_has_nothing)
{
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

TEST(test_cluster_is_careful)
{
    PGconn *admin = sql_connect(database.admin);
    assert_string_equal(sql_value(admin, "SHOW data_checksums"), "on");
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
    return run_all_tests(setup, teardown);
}
