/* The changes of an event: what the database adds to them, once and in order; and what was there
 * before there were any. */
#include "db/store/events/event_log.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/link/migrate.h"
#include "db/store/events/rounds.h"
#include "source_dir.h"
#include "tests/db/database.h"

static struct database database;

FIXTURE(setup)
{
    database_make(&database, "test_event_changes", true);
    return 0;
}

FIXTURE(teardown)
{
    database_drop(&database);
    return 0;
}

/* The kinds of all changes in words, joined by blanks. */
static const char *kinds_of(const struct id *event)
{
    static const char *const names[] = {"log",    "started",   "seats",  "ended",
                                        "scored", "standings", "dispute"};
    static char kinds[1024];
    struct text text = TEXT_OVER(kinds);
    struct event_change *changes;
    size_t count;
    unsigned last;
    begin(database.db);
    assert_int_equal(event_change_list(database.db, &database.arena, event, 0, INT32_MAX, 1000,
                                       &changes, &count),
                     DB_OK);
    assert_int_equal(event_change_last(database.db, event, &last), DB_OK);
    commit(database.db);
    assert_int_equal(last, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(changes[i].seq, i + 1);
        text_add(&text, i == 0 ? "" : " ");
        text_add(&text, names[changes[i].kind]);
    }
    return kinds;
}

static void add_step(const struct id *event, const struct id *actor, const char *kind)
{
    begin(database.db);
    assert_int_equal(event_log_add(database.db, event, actor, NOW_MS, kind, "{}"), DB_OK);
    commit(database.db);
}

static void make_round(const struct id *event, unsigned number)
{
    const struct round round = {
        .number = number, .attempt = 1, .quality = "{}", .started_at_ms = NOW_MS};
    begin(database.db);
    assert_int_equal(round_create(database.db, event, &round, NULL, 0), DB_OK);
    commit(database.db);
}

/* A game of two at a table of the event. */
static struct game_row start_game(const struct id *event, const struct id *players, unsigned table,
                                  unsigned board)
{
    struct game_row game = game_of(&players[0], &players[1]);
    game.event = *event;
    game.round = 1;
    game.table = table;
    game.board = board;
    begin(database.db);
    assert_int_equal(
        game_create(database.db, &game, board > 0 ? NULL : sealed_secret, sizeof sealed_secret),
        DB_OK);
    commit(database.db);
    return game;
}

static void set_seat(const struct game_row *game, unsigned number, const struct game_row_seat *seat)
{
    begin(database.db);
    assert_int_equal(game_set_seat(database.db, &game->id, number, seat), DB_OK);
    commit(database.db);
}

static void set_absent(const struct game_row *game, unsigned number)
{
    struct game_row_seat seat = game->seat[number];
    seat.fallback = true;
    set_seat(game, number, &seat);
}

static void end_game(const struct game_row *game, bool score)
{
    struct game_row scored = *game;
    scored.seat[0].rank = 1;
    scored.seat[1].rank = 2;
    begin(database.db);
    assert_int_equal(game_end(database.db, &game->id, NOW_MS + 1000, false), DB_OK);
    if (score)
        assert_int_equal(game_score(database.db, &scored), DB_OK);
    commit(database.db);
}

static struct id event_with_round(struct id players[static 2])
{
    players[0] = make_player(database.db, "One");
    players[1] = make_player(database.db, "Two");
    struct id event = make_event(database.db, &players[0]);
    make_round(&event, 1);
    return event;
}

LISTED_TEST(test_a_game)
{
    struct id players[2];
    struct id event = event_with_round(players);
    add_step(&event, &players[0], "created");
    struct game_row game = start_game(&event, players, 1, 0);
    add_step(&event, &players[0], "round_started");
    set_absent(&game, 1);
    end_game(&game, true);
    assert_string_equal(kinds_of(&event), "log started log standings seats scored standings");

    struct event_change *changes;
    size_t count;
    begin(database.db);
    assert_int_equal(
        event_change_list(database.db, &database.arena, &event, 1, 6, 4, &changes, &count), DB_OK);
    commit(database.db);
    assert_int_equal(count, 4);
    assert_int_equal(changes[0].seq, 2);
    assert_string_equal(changes[0].game->id.text, game.id.text);
    assert_false(changes[0].game->seat[1].fallback);
    assert_int_equal(changes[0].game->seats, 2);
    assert_null(changes[1].game);
    assert_int_equal(changes[1].step.seq, 2);
    assert_string_equal(changes[1].step.kind, "round_started");
    assert_string_equal(changes[1].step.actor_name, "One");
    assert_int_equal(changes[3].kind, EVENT_CHANGE_SEATS);
    assert_true(changes[3].game->seat[1].fallback);
    assert_false(changes[3].game->seat[0].fallback);
}

/* Others must not know for whom the fallback move is played; that it has ended they may. */
LISTED_TEST(test_a_game_with_a_board)
{
    struct id players[2];
    struct id event = event_with_round(players);
    struct game_row first = start_game(&event, players, 1, 1);
    struct game_row second = start_game(&event, players, 2, 1);
    set_absent(&first, 0);
    end_game(&first, false);
    assert_string_equal(kinds_of(&event), "started started ended");
    /* All results of a transaction change the standings once. */
    struct game_row scored[2] = {first, second};
    begin(database.db);
    assert_int_equal(game_end(database.db, &second.id, NOW_MS + 2000, false), DB_OK);
    for (size_t i = 0; i < 2; i++) {
        scored[i].seat[0].rank = 1;
        scored[i].seat[1].rank = 1;
        assert_int_equal(game_score(database.db, &scored[i]), DB_OK);
    }
    commit(database.db);
    assert_string_equal(kinds_of(&event), "started started ended ended scored standings scored");
}

LISTED_TEST(test_games_without_an_event)
{
    struct id players[2];
    struct id event = event_with_round(players);
    struct game_row game = game_of(&players[0], &players[1]);
    begin(database.db);
    assert_int_equal(game_create(database.db, &game, sealed_secret, sizeof sealed_secret), DB_OK);
    commit(database.db);
    set_absent(&game, 1);
    end_game(&game, true);
    assert_string_equal(kinds_of(&event), "");
}

struct finisher {
    struct game_row game;
    bool done;
};

static void *finish(void *context)
{
    struct finisher *finisher = context;
    char buffer[512];
    struct text error = TEXT_OVER(buffer);
    struct db *db = db_open(database.service, true, &error);
    struct game_row scored = finisher->game;
    scored.seat[0].rank = 1;
    scored.seat[1].rank = 2;
    finisher->done = db != NULL && db_begin(db, false) == DB_OK &&
                     game_end(db, &scored.id, NOW_MS + 1000, false) == DB_OK &&
                     game_score(db, &scored) == DB_OK && db_commit(db) == DB_OK;
    db_close(db);
    return NULL;
}

/* Games that end at the same time are numbered one after the other. */
LISTED_TEST(test_numbers_have_no_gaps)
{
    enum { GAMES = 8 };
    struct id players[2];
    struct id event = event_with_round(players);
    struct finisher finisher[GAMES];
    pthread_t thread[GAMES];
    for (unsigned i = 0; i < GAMES; i++)
        finisher[i] = (struct finisher){.game = start_game(&event, players, i + 1, 0)};
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, finish, &finisher[i]), 0);
    for (size_t i = 0; i < GAMES; i++) {
        pthread_join(thread[i], NULL);
        assert_true(finisher[i].done);
    }
    char wanted[512];
    struct text text = TEXT_OVER(wanted);
    for (size_t i = 0; i < GAMES; i++)
        text_add(&text, i == 0 ? "started" : " started");
    for (size_t i = 0; i < GAMES; i++)
        text_add(&text, " scored standings");
    assert_string_equal(kinds_of(&event), wanted);
}

LISTED_TEST(test_only_the_database_adds)
{
    struct id players[2];
    struct id event = event_with_round(players);
    add_step(&event, &players[0], "created");
    static const char *const refused[] = {
        "INSERT INTO tillroll.event_change SELECT event_id, 2, kind, step, game_id, seat"
        " FROM tillroll.event_change",
        "UPDATE tillroll.event_change SET seq = 2",
        "DELETE FROM tillroll.event_change",
        "TRUNCATE tillroll.event_change",
        "SELECT tillroll.add_event_change(event_id, 'standings', NULL, NULL, NULL)"
        " FROM tillroll.event_change",
        "SELECT tillroll.add_standings_change(event_id) FROM tillroll.event_change",
    };
    PGconn *service = sql_connect(database.service);
    sql_do(service, "SET ROLE tillroll_service");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_string_equal(sql_state(service, refused[i]), "42501");
    PQfinish(service);
    PGconn *owner = sql_connect(database.admin);
    assert_string_equal(sql_state(owner, "UPDATE tillroll.event_change SET seq = 2"), "42501");
    assert_string_equal(sql_state(owner, "DELETE FROM tillroll.event_change"), "42501");
    PQfinish(owner);
}

/* ---- Before there were changes ---- */

static void say_nothing(void *context, const char *line)
{
    (void)context;
    (void)line;
}

static void migrate_from(const char *directory)
{
    char buffer[1024];
    struct text error = TEXT_OVER(buffer);
    if (!migrate(database.migrator, directory, say_nothing, NULL, &error))
        fail_msg("%s", buffer);
}

static void copy_migrations(const char *directory, const char *pattern)
{
    char command[512];
    snprintf(command, sizeof command, "cp %s/%s '%s/'", TILLROLL_SOURCE_DIR "/db/migrations",
             pattern, directory);
    assert_int_equal(system(command), 0);
}

/* As an earlier schema has players. */
static struct id make_old_player(PGconn *connection, const char *name)
{
    char statement[256];
    struct id id = id_new(NOW_MS);
    snprintf(statement, sizeof statement,
             "SET ROLE tillroll_owner; INSERT INTO tillroll.player "
             "(id, name, password_hash, created_at) VALUES ('%s', '%s', '$argon2id$x', now())",
             id.text, name);
    PGresult *result = PQexec(connection, statement);
    assert_int_equal(PQresultStatus(result), PGRES_COMMAND_OK);
    PQclear(result);
    return id;
}

/* A game of two at a table of the event, as an earlier schema has it. */
static struct game_row start_old_game(PGconn *connection, const struct id *event,
                                      const struct id *players, unsigned table, unsigned board)
{
    struct game_row game = game_of(&players[0], &players[1]);
    char statement[1024];
    struct text text = TEXT_OVER(statement);
    text_add(&text, "SET ROLE tillroll_owner; INSERT INTO tillroll.game (id, event_id, round,"
                    " table_number, slug, version, options, started_at, board) VALUES ('");
    text_add(&text, game.id.text);
    text_add(&text, "', '");
    text_add(&text, event->text);
    text_add(&text, "', 1, ");
    text_add_number(&text, table);
    text_add(&text, ", 'shinjuku', '1.0.0', '{}', tillroll.from_ms(");
    text_add_number(&text, NOW_MS);
    text_add(&text, "), nullif(");
    text_add_number(&text, board);
    text_add(&text, ", 0)); INSERT INTO tillroll.game_seat (game_id, seat, player_id) VALUES");
    for (unsigned seat = 0; seat < 2; seat++) {
        text_add(&text, seat == 0 ? " ('" : ", ('");
        text_add(&text, game.id.text);
        text_add(&text, seat == 0 ? "', 0, '" : "', 1, '");
        text_add(&text, players[seat].text);
        text_add(&text, "')");
    }
    sql_do(connection, statement);
    game.event = *event;
    return game;
}

/* As an earlier schema does it: seat 0 becomes absent, and the game ends, with results if `score`.
 */
static void end_old_game(PGconn *connection, const struct game_row *game, bool score)
{
    char statement[512];
    struct text text = TEXT_OVER(statement);
    text_add(&text, "SET ROLE tillroll_owner; UPDATE tillroll.game_seat SET fallback = true"
                    " WHERE seat = 0 AND game_id = '");
    text_add(&text, game->id.text);
    text_add(&text,
             "'; UPDATE tillroll.game SET finished_at = started_at + '1 second' WHERE id = '");
    text_add(&text, game->id.text);
    text_add(&text, "'");
    sql_do(connection, statement);
    text_clear(&text);
    text_add(&text, "INSERT INTO tillroll.game_result (game_id, seat, score, rank)"
                    " SELECT game_id, seat, 1, 1 FROM tillroll.game_seat WHERE game_id = '");
    text_add(&text, game->id.text);
    text_add(&text, "'");
    if (score)
        sql_do(connection, statement);
}

LISTED_TEST(test_what_was_there_before)
{
    char directory[] = "/tmp/tillroll-changes-XXXXXX";
    char command[128];
    database_drop(&database);
    database_make(&database, "test_event_changes", false);
    assert_non_null(mkdtemp(directory));
    copy_migrations(directory, "000?_*.sql");
    copy_migrations(directory, "001[01]_*.sql");
    migrate_from(directory);
    char buffer[512];
    struct text error = TEXT_OVER(buffer);
    database.db = db_open(database.service, true, &error);
    assert_non_null(database.db);

    PGconn *connection = sql_connect(database.migrator);
    struct id players[2] = {make_old_player(connection, "One"), make_old_player(connection, "Two")};
    struct id event = make_old_event(connection, &players[0]);
    struct id untouched = make_old_event(connection, &players[1]);
    make_round(&event, 1);
    add_step(&event, &players[0], "created");
    struct game_row games[3] = {start_old_game(connection, &event, players, 1, 0),
                                start_old_game(connection, &event, players, 2, 1),
                                start_old_game(connection, &event, players, 3, 0)};
    for (size_t i = 0; i < 2; i++)
        end_old_game(connection, &games[i], i == 0);
    PQfinish(connection);

    copy_migrations(directory, "*.sql");
    migrate_from(directory);
    assert_string_equal(kinds_of(&event), "log started started started seats ended scored log");
    assert_string_equal(kinds_of(&untouched), "log");
    add_step(&event, &players[0], "closed");
    end_game(&games[2], true);
    assert_string_equal(kinds_of(&event), "log started started started seats ended scored log"
                                          " log standings scored standings");
    snprintf(command, sizeof command, "rm -r -- '%s'", directory);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_game, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_game_with_a_board, setup, teardown),
        cmocka_unit_test_setup_teardown(test_games_without_an_event, setup, teardown),
        cmocka_unit_test_setup_teardown(test_numbers_have_no_gaps, setup, teardown),
        cmocka_unit_test_setup_teardown(test_only_the_database_adds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_was_there_before, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
