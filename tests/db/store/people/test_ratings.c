/* Ratings made again: the order of games, revisions, what holds; Glicko-2's periods; percentiles.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/events/rounds.h"
#include "db/store/people/rating_reports.h"
#include "db/store/people/rating_revisions.h"
#include "db/store/people/ratings.h"
#include "tests/db/database.h"

static struct database database;
static struct id ada, joan, grace;

FIXTURE(setup)
{
    database_make(&database, "test_ratings", true);
    ada = make_player(database.db, "Ada");
    joan = make_player(database.db, "Joan");
    grace = make_player(database.db, "Grace");
    return 0;
}

FIXTURE(teardown)
{
    database_drop(&database);
    return 0;
}

/* A finished game of two with these ranks. */
static struct id make_result(const struct id *first, const struct id *second, unsigned rank_first,
                             unsigned rank_second)
{
    struct game_row game = game_of(first, second);
    begin(database.db);
    assert_int_equal(game_create(database.db, &game, sealed_secret, sizeof sealed_secret), DB_OK);
    assert_int_equal(game_end(database.db, &game.id, NOW_MS + 1000, false), DB_OK);
    game.seat[0].rank = rank_first;
    game.seat[1].rank = rank_second;
    game.seat[0].score = 10;
    game.seat[1].score = 20;
    assert_int_equal(game_score(database.db, &game), DB_OK);
    commit(database.db);
    return game.id;
}

static void store(const struct id *game, const struct id *player, unsigned games, int64_t before,
                  int64_t after, int64_t now_ms)
{
    struct rating_row old = {
        .player = *player, .scope = "again", .mu = before, .sigma = 5, .games = games};
    struct rating_row new = old;
    new.mu = after;
    new.games++;
    begin(database.db);
    assert_int_equal(rating_lock(database.db), DB_OK);
    assert_int_equal(rating_store(database.db, game, now_ms, false, &old, &new, 1), DB_OK);
    commit(database.db);
}

static struct rating_change change_to(const struct id *game, int64_t number, unsigned revision,
                                      int64_t before, int64_t after)
{
    return (struct rating_change){.game = *game,
                                  .number = number,
                                  .player = ada,
                                  .scope = "again",
                                  .at_ms = NOW_MS,
                                  .revision = revision,
                                  .games = 1,
                                  .mu_before = before,
                                  .sigma_before = 5,
                                  .mu_after = after,
                                  .sigma_after = 5};
}

static unsigned new_revision(const struct id *game, const char *reason)
{
    struct rating_revision revision = {
        .at_ms = NOW_MS, .actor = joan, .game = *game, .reason = reason};
    assert_int_equal(rating_lock(database.db), DB_OK);
    assert_int_equal(rating_revision_create(database.db, &revision), DB_OK);
    return revision.number;
}

static int64_t number_of(const struct id *game)
{
    int64_t number = 0;
    assert_int_equal(rated_game_place(database.db, game, NOW_MS, false, &number), DB_OK);
    return number;
}

static void expect_history(const int64_t *after, size_t expected)
{
    struct rating_change *changes = NULL;
    size_t count = 0;
    assert_int_equal(
        rating_history(database.db, &database.arena, &ada, "again", NULL, 10, &changes, &count),
        DB_OK);
    assert_int_equal(count, expected);
    for (size_t i = 0; i < expected; i++)
        assert_int_equal(changes[i].mu_after, after[i]);
}

/* Games stand in the order in which they were rated, whatever their times. */
TEST(test_order)
{
    struct rated_row *rows;
    size_t count;
    struct id early = make_result(&ada, &joan, 1, 2);
    struct id late = make_result(&ada, &joan, 2, 1);
    store(&late, &joan, 0, 1, 2, NOW_MS + 5000);
    store(&early, &joan, 1, 2, 3, NOW_MS);
    begin(database.db);
    int64_t first = number_of(&late);
    assert_int_equal(number_of(&early), first + 1);
    assert_int_equal(rated_game_list(database.db, &database.arena, first, 10, &rows, &count),
                     DB_OK);
    assert_int_equal(count, 2);
    assert_true(id_equal(&rows[0].game, &late));
    assert_true(id_equal(&rows[1].game, &early));
    assert_int_equal(rows[0].at_ms, NOW_MS + 5000);
    assert_int_equal(rows[1].at_ms, NOW_MS + 5000);
    assert_string_equal(rows[0].slug, "shinjuku");
    assert_int_equal(rows[0].seats, 2);
    assert_true(id_equal(&rows[0].player[1], &joan));
    assert_int_equal(rows[0].rank[0], 2);
    assert_int_equal(rows[0].rank[1], 1);
    assert_int_equal(rated_game_list(database.db, &database.arena, first + 1, 10, &rows, &count),
                     DB_OK);
    assert_int_equal(count, 1);
    assert_int_equal(rated_game_list(database.db, &database.arena, first, 1, &rows, &count), DB_OK);
    assert_int_equal(count, 1);
    commit(database.db);
}

static void lock_rating(struct db *db, const struct id *player, int64_t mu, unsigned games)
{
    struct rating_row rating = {.player = *player, .scope = "side"};
    assert_int_equal(rating_lock_several(db, &rating, 1), DB_OK);
    assert_int_equal(rating.mu, mu);
    assert_int_equal(rating.games, games);
}

static void store_locked(struct db *db, const struct id *game, const struct id *player,
                         unsigned games, int64_t before, int64_t after)
{
    struct rating_row old = {
        .player = *player, .scope = "side", .mu = before, .sigma = 5, .games = games};
    struct rating_row new = old;
    new.mu = after;
    new.games++;
    assert_int_equal(rating_store(db, game, NOW_MS, false, &old, &new, 1), DB_OK);
}

/* What another session that does not wait for locks gets when it wants to rate a game of the
 * player, or ("") to make ratings again. */
static const char *state_beside(PGconn *beside, const char *player)
{
    char sql[256];
    if (player[0] == '\0')
        snprintf(sql, sizeof sql, "SELECT pg_advisory_xact_lock(7306086895124181868)");
    else
        snprintf(sql, sizeof sql,
                 "SELECT * FROM tillroll.ratings_to_change(ARRAY['%s']::uuid[], '{side}')", player);
    return sql_state(beside, sql);
}

/* Games of different players are rated side by side, games of one player one after the other, and
 * none while ratings are made again. */
TEST(test_side_by_side)
{
    const char *const waits = "55P03"; /* lock_not_available */
    struct db *db = database.db;
    char bytes[256];
    struct text error = TEXT_OVER(bytes);
    struct db *other = db_open(database.service, true, &error);
    PGconn *beside = sql_connect(database.service);
    struct id first = make_result(&ada, &joan, 1, 2);
    struct id second = make_result(&grace, &joan, 1, 2);
    struct id third = make_result(&ada, &grace, 1, 2);
    sql_do(beside, "SET lock_timeout = '10ms'");

    begin(db);
    lock_rating(db, &ada, 0, 0);
    store_locked(db, &first, &ada, 0, 1, 2);
    assert_string_equal(state_beside(beside, ada.text), waits);
    assert_string_equal(state_beside(beside, ""), waits);
    assert_string_equal(state_beside(beside, grace.text), "00000");
    begin(other);
    lock_rating(other, &grace, 0, 0);
    store_locked(other, &second, &grace, 0, 5, 6);
    commit(other);
    commit(db);

    /* What a game is rated after has a lower number, whoever was committed first. */
    begin(db);
    lock_rating(db, &ada, 2, 1);
    lock_rating(db, &grace, 6, 1);
    store_locked(db, &third, &ada, 1, 2, 3);
    int64_t number = number_of(&third);
    assert_true(number > number_of(&first) && number > number_of(&second));
    commit(db);

    begin(db);
    assert_int_equal(rating_lock(db), DB_OK);
    assert_string_equal(state_beside(beside, joan.text), waits);
    commit(db);
    assert_string_equal(state_beside(beside, joan.text), "00000");
    PQfinish(beside);
    db_close(other);
}

/* A release from before 0030 names the number of the last game and one. */
TEST(test_old_release)
{
    PGconn *old = sql_connect(database.service);
    char sql[256];
    struct id before = make_result(&ada, &joan, 1, 2);
    struct id game = make_result(&ada, &joan, 1, 2);
    begin(database.db);
    int64_t number = number_of(&before);
    commit(database.db);
    snprintf(sql, sizeof sql,
             "INSERT INTO tillroll.rated_game (number, game_id, at) VALUES (1, '%s', now())"
             " RETURNING number",
             game.text);
    assert_int_equal(strtoll(sql_value(old, sql), NULL, 10), number + 1);
    PQfinish(old);
}

/* What has no results that count is not placed. */
TEST(test_unrated)
{
    int64_t number;
    struct id game = make_game(database.db, &ada, &joan);
    struct id played = make_result(&ada, &joan, 1, 2);
    begin(database.db);
    assert_int_equal(rated_game_place(database.db, &game, NOW_MS, false, &number), DB_NONE);
    assert_int_equal(rated_game_place(database.db, &played, NOW_MS, false, &number), DB_OK);
    assert_int_equal(number_of(&played), number);
    commit(database.db);
}

TEST(test_revisions)
{
    struct db *db = database.db;
    struct id game[3];
    for (unsigned i = 0; i < 3; i++) {
        game[i] = make_result(&ada, &joan, 1, 2);
        store(&game[i], &ada, i, 10 * (int64_t)i + 10, 10 * (int64_t)i + 20, NOW_MS);
    }
    begin(db);
    expect_history((const int64_t[]){40, 30, 20}, 3);
    int64_t number = number_of(&game[0]);

    /* The first stays; the second is no more; so the third begins from the first. */
    unsigned first = new_revision(&game[1], "Void.");
    struct rating_change changes[2] = {change_to(&game[1], number + 1, first, 0, 0),
                                       change_to(&game[2], number + 2, first, 20, 25)};
    changes[0].none = true;
    assert_int_equal(rating_changes_add(db, changes, 2, 1), DB_OK);
    assert_int_equal(rating_settle_revision(db, first), DB_OK);
    expect_history((const int64_t[]){25, 20}, 2);
    struct rating_row row;
    assert_int_equal(rating_find(db, &ada, "again", &row), DB_OK);
    assert_int_equal(row.mu, 25);
    assert_int_equal(row.games, 2);

    /* And counts again, as something else. */
    unsigned second = new_revision(&game[1], "It counts.");
    assert_int_equal(second, first + 1);
    changes[0] = change_to(&game[1], number + 1, second, 20, 50);
    assert_int_equal(rating_changes_add(db, changes, 1, 1), DB_OK);
    assert_int_equal(rating_settle_revision(db, second), DB_OK);
    expect_history((const int64_t[]){25, 50, 20}, 3);
    commit(db);

    struct rating_revision *revisions;
    struct rating_correction *corrections;
    size_t count;
    begin(db);
    assert_int_equal(rating_revision_list(db, &database.arena, 0, 1, &revisions, &count), DB_OK);
    assert_int_equal(count, 1);
    assert_int_equal(revisions[0].number, second);
    assert_int_equal(revisions[0].changes, 1);
    assert_string_equal(revisions[0].reason, "It counts.");
    assert_string_equal(revisions[0].actor_name, "Joan");
    assert_true(id_equal(&revisions[0].game, &game[1]));
    assert_int_equal(rating_revision_list(db, &database.arena, second, 5, &revisions, &count),
                     DB_OK);
    assert_int_equal(revisions[0].number, first);
    assert_int_equal(revisions[0].changes, 2);
    assert_int_equal(rating_revision_find(db, &database.arena, second + 1, revisions), DB_NONE);

    assert_int_equal(
        rating_correction_list(db, &database.arena, first, 0, 10, &corrections, &count), DB_OK);
    assert_int_equal(count, 2);
    assert_int_equal(corrections[0].place, 1);
    assert_true(corrections[0].is.none);
    assert_int_equal(corrections[0].was.mu_after, 30);
    assert_int_equal(corrections[0].was.revision, 0);
    assert_false(corrections[1].is.none);
    assert_int_equal(corrections[1].was.mu_before, 30);
    assert_int_equal(corrections[1].is.mu_before, 20);
    assert_int_equal(
        rating_correction_list(db, &database.arena, first, 1, 10, &corrections, &count), DB_OK);
    assert_int_equal(count, 1);
    assert_int_equal(corrections[0].place, 2);
    assert_int_equal(
        rating_correction_list(db, &database.arena, second, 0, 10, &corrections, &count), DB_OK);
    assert_int_equal(count, 1);
    assert_true(corrections[0].was.none);
    assert_int_equal(corrections[0].is.mu_after, 50);
    commit(db);

    /* A change is added once in a revision. */
    begin(db);
    assert_int_equal(rating_changes_add(db, changes, 1, 9), DB_CONFLICT);
    db_rollback(db);
}

/* Values before a number are those that hold there. */
TEST(test_values_before)
{
    struct db *db = database.db;
    struct id game[2] = {make_result(&grace, &joan, 1, 2), make_result(&grace, &joan, 1, 2)};
    store(&game[0], &grace, 0, 1, 2, NOW_MS);
    store(&game[1], &grace, 1, 2, 3, NOW_MS);
    begin(db);
    int64_t number = number_of(&game[0]);
    struct rating_row rows[2] = {{.player = grace, .scope = "again"},
                                 {.player = grace, .scope = "elsewhere"}};
    for (int64_t i = 0; i < 3; i++) {
        assert_int_equal(rating_values_before(db, number + i, rows, 2), DB_OK);
        assert_int_equal(rows[0].games, i > 0);
        assert_int_equal(rows[0].mu, i > 0 ? i + 1 : 0);
        assert_int_equal(rows[1].games, 0);
    }
    /* A player without games has no rating. */
    unsigned revision = new_revision(&game[0], "Both are void.");
    struct rating_change none[2] = {change_to(&game[0], number, revision, 0, 0),
                                    change_to(&game[1], number + 1, revision, 0, 0)};
    for (size_t i = 0; i < 2; i++) {
        none[i].player = grace;
        none[i].none = true;
    }
    assert_int_equal(rating_changes_add(db, none, 2, 1), DB_OK);
    assert_int_equal(rating_settle_revision(db, revision), DB_OK);
    assert_int_equal(rating_values_before(db, number + 5, rows, 1), DB_OK);
    assert_int_equal(rows[0].games, 0);
    assert_int_equal(rating_find(db, &grace, "again", rows), DB_NONE);
    commit(db);
    struct id third = make_result(&grace, &joan, 1, 2);
    store(&third, &grace, 0, 7, 8, NOW_MS);
    begin(db);
    assert_int_equal(rating_find(db, &grace, "again", rows), DB_OK);
    assert_int_equal(rows[0].mu, 8);
    assert_int_equal(rows[0].games, 1);
    commit(db);
}

/* A running event with a round. */
static struct id make_round(const char *version)
{
    struct event event = event_of(&ada);
    struct round round = {.number = 1, .attempt = 1, .quality = "{}", .started_at_ms = NOW_MS};
    event.version = version;
    begin(database.db);
    assert_int_equal(event_create(database.db, &event, sealed_secret, sizeof sealed_secret), DB_OK);
    assert_int_equal(round_create(database.db, &event.id, &round, NULL, 0), DB_OK);
    commit(database.db);
    return event.id;
}

static void make_table(const struct id *event, unsigned table, struct game_row game, bool scored)
{
    game.event = *event;
    game.round = 1;
    game.table = table;
    begin(database.db);
    assert_int_equal(game_create(database.db, &game, game.board > 0 ? NULL : sealed_secret,
                                 game.board > 0 ? 0 : sizeof sealed_secret),
                     DB_OK);
    assert_int_equal(game_end(database.db, &game.id, NOW_MS + 1000, false), DB_OK);
    if (scored)
        assert_int_equal(game_score(database.db, &game), DB_OK);
    commit(database.db);
}

static struct game_row ranked(const struct id *first, const struct id *second, unsigned rank_first,
                              unsigned rank_second)
{
    struct game_row game = game_of(first, second);
    game.seat[0].rank = rank_first;
    game.seat[1].rank = rank_second;
    return game;
}

TEST(test_periods)
{
    struct db *db = database.db;
    struct id event[2] = {make_round("1.0.0"), make_round("1.0.0")};
    struct game_row three = ranked(&ada, &joan, 1, 2);
    three.seats = 3;
    three.seat[2] = (struct game_row_seat){.player = grace, .rank = 3};
    make_table(&event[0], 1, ranked(&ada, &joan, 1, 2), true);
    make_table(&event[0], 2, ranked(&joan, &grace, 1, 1), true);
    make_table(&event[0], 3, three, true);
    make_table(&event[0], 4, ranked(&ada, &grace, 1, 2), false);
    struct game_of_two *games;
    size_t count;
    unsigned number;
    struct rating_period period = {.slug = "shinjuku", .event = event[0], .at_ms = NOW_MS + 9};
    struct rating_period next = {.slug = "shinjuku", .event = event[1], .at_ms = NOW_MS};
    begin(db);
    assert_int_equal(game_of_two_list(db, &database.arena, &event[0], &games, &count), DB_OK);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < count; i++) {
        bool decided = id_equal(&games[i].player[0], &ada);
        assert_true(id_equal(&games[i].player[1], decided ? &joan : &grace));
        assert_int_equal(games[i].rank[0], 1);
        assert_int_equal(games[i].rank[1], decided ? 2 : 1);
    }
    assert_int_equal(rating_period_of(db, &database.arena, &event[0], &period), DB_NONE);
    assert_int_equal(rating_period_create(db, &period), DB_OK);
    assert_int_equal(period.number, 1);
    assert_int_equal(rating_period_create(db, &next), DB_OK);
    assert_int_equal(next.number, 2);
    assert_int_equal(next.at_ms, NOW_MS + 9);
    assert_int_equal(rating_period_create(db, &next), DB_CONFLICT);
    struct rating_period found;
    assert_int_equal(rating_period_of(db, &database.arena, &event[1], &found), DB_OK);
    assert_int_equal(found.number, 2);
    assert_string_equal(found.slug, "shinjuku");
    assert_int_equal(rating_period_next(db, &database.arena, &period, &found), DB_OK);
    assert_true(id_equal(&found.event, &event[1]));
    assert_int_equal(rating_period_next(db, &database.arena, &next, &found), DB_NONE);
    assert_int_equal(rating_period_count(db, "shinjuku", &number), DB_OK);
    assert_int_equal(number, 2);
    assert_int_equal(rating_period_count(db, "mall-world", &number), DB_OK);
    assert_int_equal(number, 0);

    struct rating_change change = {.event = event[0],
                                   .number = 1,
                                   .player = ada,
                                   .scope = "glicko.shinjuku",
                                   .at_ms = period.at_ms,
                                   .games = 3,
                                   .mu_before = 1500,
                                   .sigma_before = 350,
                                   .volatility_before = 60,
                                   .mu_after = -1600,
                                   .sigma_after = 300,
                                   .volatility_after = 61};
    assert_int_equal(rating_changes_add(db, &change, 1, 1), DB_OK);
    assert_int_equal(rating_settle(db, "glicko.shinjuku", &ada, 1), DB_OK);
    struct rating_row row;
    assert_int_equal(rating_find(db, &ada, "glicko.shinjuku", &row), DB_OK);
    assert_int_equal(row.mu, -1600);
    assert_int_equal(row.sigma, 300);
    assert_int_equal(row.volatility, 61);
    assert_int_equal(row.period, 1);
    assert_int_equal(row.games, 3);
    assert_int_equal(rating_value(&row), -1600);
    struct rating_change *changes;
    assert_int_equal(rating_changes_of(db, &database.arena, &event[0], &changes, &count), DB_OK);
    assert_int_equal(count, 1);
    assert_true(id_equal(&changes[0].event, &event[0]));
    assert_string_equal(changes[0].game.text, "");
    assert_int_equal(changes[0].volatility_before, 60);
    commit(db);
}

/* One of a board by each of `players`, with these scores. */
static void make_board(const struct id *event, unsigned board, const struct id *const *players,
                       const int *scores, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct game_row game = game_of(players[i], players[i]);
        game.slug = "supermarche";
        game.seats = 1;
        game.board = board;
        game.seat[0].rank = 1;
        game.seat[0].score = scores[i];
        make_table(event, 10 * board + i + 1, game, true);
    }
}

TEST(test_percentiles)
{
    struct id event = make_round("1.0.0");
    const struct id *const all[] = {&ada, &joan, &grace};
    make_board(&event, 1, all, (const int[]){7, 5, 5}, 3);
    make_board(&event, 2, all, (const int[]){1, 2}, 2);
    make_board(&event, 3, all, (const int[]){4}, 1);
    /* Ada: 1, 0 and alone; Joan: half of one of two, 1; Grace: the same half. */
    struct percentile_row *rows;
    size_t count;
    begin(database.db);
    struct id none = {""};
    assert_int_equal(percentile_list(database.db, &database.arena, "supermarche", 1, 1, &none, 10,
                                     &rows, &count),
                     DB_OK);
    assert_int_equal(count, 3);
    assert_string_equal(rows[0].player_name, "Joan");
    assert_int_equal(rows[0].games, 2);
    assert_int_equal(rows[0].millionths, 1250000);
    assert_string_equal(rows[1].player_name, "Ada");
    assert_int_equal(rows[1].games, 3);
    assert_int_equal(rows[1].millionths, 1500000);
    assert_string_equal(rows[2].player_name, "Grace");
    assert_int_equal(rows[2].millionths, 250000);
    assert_int_equal(percentile_list(database.db, &database.arena, "supermarche", 2, 1, &joan, 10,
                                     &rows, &count),
                     DB_OK);
    assert_int_equal(count, 1);
    assert_string_equal(rows[0].player_name, "Ada");
    /* With three games for a place: Ada has one, and Joan and Grace come after. */
    static const char *const names[] = {"Ada", "Joan", "Grace"};
    struct id last = none;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(percentile_list(database.db, &database.arena, "supermarche", 1, 3, &last,
                                         1, &rows, &count),
                         DB_OK);
        assert_int_equal(count, 1);
        assert_string_equal(rows[0].player_name, names[i]);
        last = rows[0].player;
    }
    assert_int_equal(percentile_of(database.db, "supermarche", &ada), DB_OK);
    assert_int_equal(percentile_of(database.db, "shinjuku", &ada), DB_NONE);
    commit(database.db);
}

TEST(test_seat_results)
{
    struct db *db = database.db;
    struct seat_results *results;
    size_t count;
    struct id event = make_round("1.0.0");
    struct game_row game = ranked(&ada, &joan, 2, 1);
    struct game_row open = ranked(&ada, &joan, 1, 2);
    game.slug = open.slug = "seats";
    game.seat[0].score = 10;
    game.seat[1].score = 20;
    make_table(&event, 1, game, true);
    make_table(&event, 2, open, false);
    begin(db);
    assert_int_equal(seat_results_list(db, &database.arena, "seats", 2, &results, &count), DB_OK);
    assert_int_equal(count, 1);
    assert_true(id_equal(&results[0].game, &game.id));
    assert_string_equal(results[0].version, "1.0.0");
    assert_int_equal(results[0].seats, 2);
    assert_int_equal(results[0].seat[0].rank, 2);
    assert_int_equal(results[0].seat[0].score, 10);
    assert_int_equal(results[0].seat[1].score, 20);
    assert_false(results[0].seat[1].fallback);
    commit(db);
}

/* What overrides a result overrides it everywhere. */
TEST(test_counted_results)
{
    struct id game = make_result(&ada, &joan, 1, 2);
    PGconn *owner = sql_connect(database.migrator);
    char sql[512];
    begin(database.db);
    int64_t number = number_of(&game);
    commit(database.db);
    snprintf(sql, sizeof sql,
             "SET ROLE tillroll_owner; CREATE OR REPLACE VIEW tillroll.counted_result AS"
             " SELECT game_id, seat, score, 3 - rank AS rank FROM tillroll.game_result"
             " WHERE game_id = '%s'",
             game.text);
    sql_do(owner, sql);
    struct rated_row *rows;
    size_t count;
    begin(database.db);
    assert_int_equal(rated_game_list(database.db, &database.arena, 1, 1000, &rows, &count), DB_OK);
    assert_int_equal(count, number);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(rows[i].seats, id_equal(&rows[i].game, &game) ? 2 : 0);
    assert_int_equal(rows[count - 1].rank[0], 2);
    assert_int_equal(rows[count - 1].rank[1], 1);
    commit(database.db);
    sql_do(owner, "CREATE OR REPLACE VIEW tillroll.counted_result AS"
                  " SELECT game_id, seat, score, rank FROM tillroll.game_result");
    PQfinish(owner);
}

int main(void)
{
    return run_all_tests(setup, teardown);
}
