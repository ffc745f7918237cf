/* Lines of one game in a line database and in the central one: every number of a line is decided
 * once, whoever knows what.
 */
#include "db/lines/line_databases.h"

#include <stdio.h>

#include "db/lines/line_setup.h"
#include "tests/db/database.h"

enum { PLACES = 2 };

static struct database database, places[PLACES];
static PGconn *central;

/* The superuser may be both, the owner who joins and the service. */
FIXTURE(make_databases)
{
    static const char *const names[PLACES] = {"test_lines_1", "test_lines_2"};
    char message[512];
    struct text error = TEXT_OVER(message);
    char url[PLACES][URL_BYTES];
    char urls[PLACES * URL_BYTES + 2];
    for (size_t i = 0; i < PLACES; i++)
        database_url("TILLROLL_TEST_ADMIN_URL", names[i], url[i]);
    snprintf(urls, sizeof urls, "%s %s", url[0], url[1]);
    assert_true(line_databases_use(urls, true, 2, &error));
    for (size_t i = 0; i < PLACES; i++)
        database_make(&places[i], names[i], false);
    database_make(&database, "test_lines", true);
    central = sql_connect(database.admin);
    if (!line_setup_join(database.admin, &error))
        fail_msg("%s", message);
    return 0;
}

FIXTURE(drop_databases)
{
    PQfinish(central);
    line_databases_end();
    database_drop(&database);
    for (size_t i = 0; i < PLACES; i++)
        database_drop(&places[i]);
    return 0;
}

/* What a transaction of the central database appends, and whether it is committed. */
static enum db_status append(const struct id *game, const struct record_row *row, bool stays)
{
    begin(database.db);
    enum db_status status = record_append(database.db, game, row, 1);
    if (status == DB_OK && stays)
        commit(database.db);
    db_rollback(database.db);
    return status;
}

/* What the writer of the line database does with a move. */
static enum db_status move(const struct id *game, const struct record_row *row)
{
    size_t place = line_database_of(game);
    struct db *lines = line_database_take(place);
    assert_non_null(lines);
    const struct record_piece piece = {game, row, 1};
    enum db_status status = record_append_pieces(lines, &piece, 1, false);
    line_database_give(place, lines, status);
    return status;
}

/* A game with its header and the line 1, which is central. */
static struct id begin_game(struct roll *roll)
{
    struct id game = id_new(NOW_MS);
    struct record_row header = roll_header(roll);
    assert_int_equal(append(&game, &header, true), DB_OK);
    struct record_row first = roll_line(roll, 1, 1, "1 0 10 pass");
    assert_int_equal(append(&game, &first, true), DB_OK);
    return game;
}

/* Checks that the record ends with this row, and how many of its rows are central. */
static void check_record(const struct id *game, const struct record_row *last, size_t in_central)
{
    char sql[160];
    struct record_row *rows;
    size_t count;
    struct arena arena = {NULL};
    begin(database.db);
    assert_int_equal(record_read(database.db, &arena, game, -1, &rows, &count), DB_OK);
    commit(database.db);
    assert_int_equal(count, last->seq + 1);
    assert_memory_equal(rows[count - 1].hash, last->hash, sizeof last->hash);
    struct record_part part = {.game = game, .from = 0};
    begin(database.db);
    assert_int_equal(record_read_parts(database.db, &arena, &part, 1), DB_OK);
    commit(database.db);
    assert_int_equal(part.count, count);
    snprintf(sql, sizeof sql, "SELECT count(*) FROM tillroll.record_line WHERE game_id = '%s'",
             game->text);
    assert_int_equal(strtoul(sql_value(central, sql), NULL, 10), in_central);
    arena_free(&arena);
}

TEST(a_move_has_its_number)
{
    struct roll roll;
    struct id game = begin_game(&roll);
    struct roll other = roll;
    struct record_row played = roll_line(&roll, 2, 2, "2 1 20 pass");
    struct record_row late = roll_line(&other, 2, 2, "2 1 25 stop");
    assert_int_equal(move(&game, &played), DB_OK);
    check_record(&game, &played, 2);
    assert_int_equal(append(&game, &late, true), DB_CONFLICT);
    assert_int_equal(move(&game, &late), DB_CONFLICT);
    check_record(&game, &played, 2);
}

TEST(the_central_database_takes_all_lines_along)
{
    struct roll roll;
    struct id game = begin_game(&roll);
    struct record_row second = roll_line(&roll, 2, 2, "2 1 20 pass");
    struct record_row third = roll_line(&roll, 3, 3, "3 0 30 pass");
    assert_int_equal(move(&game, &second), DB_OK);
    assert_int_equal(append(&game, &third, true), DB_OK);
    check_record(&game, &third, 4);
    struct roll other = roll;
    struct record_row late = roll_line(&other, 2, 3, "3 0 35 pass");
    assert_int_equal(move(&game, &late), DB_CONFLICT);
    struct record_row fourth = roll_line(&roll, 0, 4, "4 1 40 pass");
    assert_int_equal(move(&game, &fourth), DB_OK);
    check_record(&game, &fourth, 4);
}

TEST(a_fence_without_a_line_does_no_harm)
{
    struct roll roll;
    struct id game = begin_game(&roll);
    struct roll other = roll;
    struct roll third = roll;
    struct record_row lost = roll_line(&other, 2, 2, "2 1 20 pass");
    struct record_row tried = roll_line(&third, 2, 2, "2 1 21 pass");
    struct record_row stands = roll_line(&roll, 2, 2, "2 1 22 pass");
    struct record_row next = roll_line(&roll, 3, 3, "3 0 30 pass");
    assert_int_equal(append(&game, &lost, false), DB_OK);
    assert_int_equal(move(&game, &tried), DB_CONFLICT);
    assert_int_equal(append(&game, &stands, true), DB_OK);
    check_record(&game, &stands, 3);
    assert_int_equal(move(&game, &next), DB_OK);
    check_record(&game, &next, 3);
}

TEST(an_older_fence_is_no_line)
{
    struct roll roll;
    struct id game = begin_game(&roll);
    struct record_row fenced = roll_line(&roll, 2, 2, "2 1 20 pass");
    const struct record_piece piece = {&game, &fenced, 1};
    bool found = true;
    assert_int_equal(append(&game, &fenced, false), DB_OK);
    size_t place = line_database_of(&game);
    struct db *lines = line_database_take(place);
    begin(lines);
    assert_int_equal(record_find_pieces(lines, &piece, 1, &found), DB_OK);
    line_database_give(place, lines, DB_OK);
    assert_false(found);
}

TEST(a_line_continues_its_record)
{
    struct roll roll;
    struct id game = begin_game(&roll);
    struct record_row third = roll_line(&roll, 3, 3, "3 0 30 pass");
    struct id unknown = id_new(NOW_MS);
    struct record_row first = roll_line(&roll, 1, 1, "1 0 10 pass");
    assert_int_equal(move(&game, &third), DB_ERROR);
    assert_int_equal(move(&unknown, &first), DB_ERROR);
}

TEST(all_can_be_settled)
{
    struct roll roll;
    struct id game = begin_game(&roll);
    struct record_row second = roll_line(&roll, 2, 2, "2 1 20 pass");
    size_t copied;
    assert_int_equal(move(&game, &second), DB_OK);
    for (size_t again = 0; again < 2; again++) {
        begin(database.db);
        assert_int_equal(record_settle(database.db, &game, &copied), DB_OK);
        commit(database.db);
        assert_int_equal(copied, again == 0 ? 1 : 0);
    }
    check_record(&game, &second, 3);
}

TEST(games_are_spread_by_their_ids)
{
    size_t found[PLACES + 1] = {0};
    for (size_t i = 0; i < 1000; i++) {
        struct id game = id_new(NOW_MS);
        size_t place = line_database_of(&game);
        assert_in_range(place, 1, PLACES);
        assert_int_equal(line_database_of(&game), place);
        found[place]++;
    }
    assert_in_range(found[1], 400, 600);
}

TEST(those_who_do_not_know_are_refused)
{
    static const char insert[] =
        "INSERT INTO tillroll.record_line SELECT gen_random_uuid(), 0, 'x', sha256('')";
    assert_string_equal(sql_state(central, insert), "55000");
    PGconn *other = sql_connect(places[0].admin);
    assert_string_equal(sql_state(other, "SET tillroll.line_database = '2 of 2'"), "00000");
    assert_string_equal(sql_state(other, "INSERT INTO tillroll.record_line (game_id, seq, hash)"
                                         " SELECT gen_random_uuid(), 1, sha256('')"),
                        "55000");
    PQfinish(other);
}

int main(void)
{
    return run_all_tests(make_databases, drop_databases);
}
