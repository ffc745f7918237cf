/* The migrator, with directories made for the purpose. Each has the project's first migration,
 * which makes the table that the migrator keeps.
 */
#include "db/migrate.h"

#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/db/database.h"

#define REAL TILLROLL_SOURCE_DIR "/db/migrations"

struct site {
    struct database database;
    char directory[64];
    char error[1024];
    unsigned applied;
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
    site->applied++;
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
    assert_int_equal(site->applied, count_migrations());
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

static void test_unreachable_database(void **state)
{
    struct site *site = *state;
    struct text error = TEXT_OVER(site->error);
    assert_false(migrate("postgresql://x@/x?host=/nonexistent", REAL, count_line, site, &error));
    assert_true(strlen(site->error) > 0);
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
    assert_int_equal(rivals[0].site.applied + rivals[1].site.applied, count_migrations());
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
        SITE_TEST(test_unreachable_database),
        SITE_TEST(test_two_at_once),
        SITE_TEST(test_ratings_of_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
