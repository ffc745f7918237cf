/* Rounds, byes, games and ratings. */
#include "db/store/games/games.h"

#include <stdlib.h>
#include <string.h>

#include "db/store/events/rounds.h"
#include "db/store/games/records.h"
#include "db/store/people/ratings.h"
#include "db/store/service/secrets.h"
#include "tests/db/database.h"

static struct database database;

FIXTURE(setup)
{
    database_make(&database, "test_games", true);
    return 0;
}

FIXTURE(teardown)
{
    database_drop(&database);
    return 0;
}

static struct id players[4];
static struct id event;

/* The players and the event that the tests of this file share. */
static int setup_players(void **state)
{
    setup(state);
    players[0] = make_player(database.db, "Ada");
    players[1] = make_player(database.db, "Grace");
    players[2] = make_player(database.db, "Joan");
    players[3] = make_player(database.db, "Mary");
    event = make_event(database.db, &players[0]);
    begin(database.db);
    for (size_t i = 0; i < 3; i++) {
        const struct event_entry entry = {.player = players[i], .entered_at_ms = NOW_MS};
        assert_int_equal(entry_put(database.db, &event, &entry, 1), DB_OK);
    }
    commit(database.db);
    return 0;
}

static enum db_status create(const struct game_row *game)
{
    begin(database.db);
    enum db_status status = game_create(database.db, game, sealed_secret, sizeof sealed_secret);
    if (status == DB_OK)
        commit(database.db);
    else
        db_rollback(database.db);
    return status;
}

static enum db_status create_all(const struct game_row *games, size_t count)
{
    const struct span sealed[3] = {
        {(const char *)sealed_secret, sizeof sealed_secret},
        {(const char *)sealed_secret, sizeof sealed_secret},
        {(const char *)sealed_secret, sizeof sealed_secret},
    };
    begin(database.db);
    enum db_status status = game_create_all(database.db, games, sealed, count);
    if (status == DB_OK)
        commit(database.db);
    else
        db_rollback(database.db);
    return status;
}

/* Games that start together are there as if each had been made alone; with one that is there
 * already none is made. */
TEST(test_create_together)
{
    struct game_row *games;
    size_t count;
    const struct id own = make_event(database.db, &players[0]);
    struct game_row made[3] = {game_of(&players[1], &players[0]), game_of(&players[2], &players[0]),
                               game_of(&players[1], &players[2])};
    begin(database.db);
    for (size_t i = 0; i < 3; i++) {
        const struct event_entry entry = {.player = players[i], .entered_at_ms = NOW_MS};
        assert_int_equal(entry_put(database.db, &own, &entry, 1), DB_OK);
    }
    const struct round round = {
        .number = 1, .attempt = 1, .quality = "{}", .started_at_ms = NOW_MS};
    assert_int_equal(round_create(database.db, &own, &round, NULL, 0), DB_OK);
    commit(database.db);
    for (unsigned i = 0; i < 3; i++) {
        made[i].event = own;
        made[i].round = 1;
        made[i].table = i + 1;
    }
    assert_int_equal(create_all(made, 0), DB_OK);
    assert_int_equal(create_all(made, 2), DB_OK);
    assert_int_equal(create_all(&made[1], 2), DB_CONFLICT);
    begin(database.db);
    assert_int_equal(round_games(database.db, &database.arena, &own, 1, &games, &count), DB_OK);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(id_equal(&games[i].id, &made[i].id));
        assert_int_equal(games[i].table, i + 1);
        assert_int_equal(games[i].seats, 2);
        for (unsigned seat = 0; seat < 2; seat++)
            assert_true(id_equal(&games[i].seat[seat].player, &made[i].seat[seat].player));
        const uint8_t *sealed;
        size_t size;
        assert_int_equal(game_secret(database.db, &database.arena, &made[i].id, &sealed, &size),
                         DB_OK);
        assert_int_equal(size, sizeof sealed_secret);
    }
    commit(database.db);
}

TEST(test_create_and_find)
{
    struct game_row game = game_of(&players[1], &players[0]);
    game.options = "{\"advanced\": \"on\"}";
    assert_int_equal(create(&game), DB_OK);
    assert_int_equal(create(&game), DB_CONFLICT);

    struct game_row found;
    begin(database.db);
    assert_int_equal(game_find(database.db, &database.arena, &game.id, &found), DB_OK);
    assert_true(id_equal(&found.id, &game.id));
    assert_string_equal(found.event.text, "");
    assert_int_equal(found.round, 0);
    assert_int_equal(found.table, 0);
    assert_string_equal(found.slug, "shinjuku");
    assert_string_equal(found.version, "1.0.0");
    assert_string_equal(found.options, game.options);
    assert_false(found.finished);
    assert_int_equal(found.started_at_ms, NOW_MS);
    assert_int_equal(found.finished_at_ms, 0);
    assert_int_equal(found.seats, 2);
    assert_true(id_equal(&found.seat[0].player, &players[1]));
    assert_string_equal(found.seat[0].player_name, "Grace");
    assert_true(id_equal(&found.seat[1].player, &players[0]));
    assert_false(found.seat[1].fallback);

    const uint8_t *sealed;
    size_t size;
    assert_int_equal(game_secret(database.db, &database.arena, &game.id, &sealed, &size), DB_OK);
    assert_int_equal(size, sizeof sealed_secret);
    assert_memory_equal(sealed, sealed_secret, size);
    assert_int_equal(game_lock(database.db, &game.id), DB_OK);

    struct id nothing = id_new(NOW_MS);
    assert_int_equal(game_find(database.db, &database.arena, &nothing, &found), DB_NONE);
    assert_int_equal(game_secret(database.db, &database.arena, &nothing, &sealed, &size), DB_NONE);
    assert_int_equal(game_lock(database.db, &nothing), DB_NONE);

    const struct id several[3] = {game.id, nothing, game.id};
    struct span secrets[3];
    assert_int_equal(game_secrets(database.db, &database.arena, several, 3, secrets), DB_OK);
    assert_int_equal(secrets[1].length, 0);
    for (size_t i = 0; i < 3; i += 2) {
        assert_int_equal(secrets[i].length, sizeof sealed_secret);
        assert_memory_equal(secrets[i].at, sealed_secret, sizeof sealed_secret);
    }
    commit(database.db);
}

TEST(test_sealed_moves)
{
    struct game_row game = game_of(&players[0], &players[1]);
    assert_int_equal(create(&game), DB_OK);
    struct sealed_move *moves;
    size_t count;
    uint8_t first[161] = {1};
    uint8_t second[161] = {2};
    const struct sealed_move of_one = {
        .seat = 1, .sealed = first, .size = sizeof first, .decided_at_ms = NOW_MS};
    const struct sealed_move of_zero = {
        .seat = 0, .sealed = second, .size = sizeof second, .decided_at_ms = NOW_MS + 1};
    int64_t at_ms;
    begin(database.db);
    assert_int_equal(sealed_move_list(database.db, &database.arena, &game.id, 7, &moves, &count),
                     DB_OK);
    assert_int_equal(count, 0);
    assert_int_equal(sealed_move_add(database.db, &game.id, 7, &of_one), DB_OK);
    assert_int_equal(sealed_move_add(database.db, &game.id, 7, &of_zero), DB_OK);
    assert_int_equal(sealed_move_add(database.db, &game.id, 7, &of_one), DB_CONFLICT);
    assert_int_equal(sealed_move_add(database.db, &game.id, 9, &of_one), DB_OK);
    assert_int_equal(sealed_move_list(database.db, &database.arena, &game.id, 7, &moves, &count),
                     DB_OK);
    assert_int_equal(count, 2);
    assert_int_equal(moves[0].seat, 1);
    assert_int_equal(moves[0].size, sizeof first);
    assert_memory_equal(moves[0].sealed, first, sizeof first);
    assert_int_equal(moves[1].seat, 0);
    assert_memory_equal(moves[1].sealed, second, sizeof second);
    assert_true(moves[0].decided_at_ms == NOW_MS && moves[1].decided_at_ms == NOW_MS + 1);
    assert_int_equal(sealed_move_time(database.db, &game.id, 7, 0, &at_ms), DB_OK);
    assert_true(at_ms == NOW_MS + 1);
    assert_int_equal(sealed_move_time(database.db, &game.id, 9, 0, &at_ms), DB_NONE);
    commit(database.db);
    const struct sealed_move short_one = {.seat = 0, .sealed = first, .size = 8};
    begin(database.db);
    assert_int_equal(sealed_move_add(database.db, &game.id, 11, &short_one), DB_ERROR);
    db_rollback(database.db);
}

TEST(test_refuses_bad_games)
{
    struct game_row alone = game_of(&players[0], &players[1]);
    alone.round = 1;
    assert_int_equal(create(&alone), DB_ERROR);
    struct game_row no_round = game_of(&players[0], &players[1]);
    no_round.event = event;
    no_round.round = 99;
    no_round.table = 1;
    assert_int_equal(create(&no_round), DB_ERROR);
    struct game_row stranger = game_of(&players[0], &players[1]);
    stranger.seat[1].player = id_new(NOW_MS);
    assert_int_equal(create(&stranger), DB_ERROR);
    struct game_row twice = game_of(&players[0], &players[0]);
    assert_int_equal(create(&twice), DB_CONFLICT);
}

/* Ladders and open play: games of an event in round 0, which is none. */
TEST(test_outside_of_rounds)
{
    struct id open = make_event(database.db, &players[0]);
    struct game_row game = game_of(&players[0], &players[1]);
    struct game_row found;
    game.event = open;
    game.table = 1;
    assert_int_equal(create(&game), DB_OK);
    begin(database.db);
    assert_int_equal(game_find(database.db, &database.arena, &game.id, &found), DB_OK);
    assert_true(id_equal(&found.event, &open));
    assert_int_equal(found.round, 0);
    assert_int_equal(found.table, 1);
    commit(database.db);
    struct game_row again = game_of(&players[0], &players[2]);
    again.event = open;
    again.table = 1;
    assert_int_equal(create(&again), DB_CONFLICT);
    again.event = id_new(NOW_MS);
    assert_int_equal(create(&again), DB_ERROR);
}

static enum db_status finish(struct db *db, const struct game_row *game)
{
    enum db_status status = game_end(db, &game->id, game->finished_at_ms, false);
    return status == DB_OK ? game_score(db, game) : status;
}

TEST(test_finish)
{
    struct id id = make_game(database.db, &players[0], &players[1]);
    struct game_row game;
    begin(database.db);
    assert_int_equal(game_find(database.db, &database.arena, &id, &game), DB_OK);
    game.finished_at_ms = NOW_MS + 5000;
    game.seat[0].score = -3;
    game.seat[0].rank = 2;
    game.seat[1].score = 59;
    game.seat[1].rank = 1;
    assert_int_equal(finish(database.db, &game), DB_OK);
    commit(database.db);

    begin(database.db);
    assert_int_equal(finish(database.db, &game), DB_CONFLICT);
    struct game_row found;
    assert_int_equal(game_find(database.db, &database.arena, &id, &found), DB_OK);
    assert_true(found.finished && found.scored);
    assert_int_equal(found.finished_at_ms, NOW_MS + 5000);
    assert_int_equal(found.seat[0].score, -3);
    assert_int_equal(found.seat[0].rank, 2);
    assert_int_equal(found.seat[1].score, 59);
    assert_int_equal(found.seat[1].rank, 1);
    commit(database.db);

    PGconn *owner = sql_connect(database.migrator);
    assert_string_equal(sql_state(owner, "UPDATE tillroll.game SET finished_at = NULL"
                                         " WHERE finished_at IS NOT NULL"),
                        "42501");
    PQfinish(owner);
}

/* The first player of a seat is shown until that player has it again; everybody who was replaced is
 * kept. */
TEST(test_seats)
{
    struct id id = make_game(database.db, &players[0], &players[1]);
    const struct game_row_seat substitute = {.player = players[2], .fallback = true};
    const struct game_row_seat second = {.player = players[3], .fallback = true, .forfeited = true};
    struct game_row found;
    begin(database.db);
    assert_int_equal(game_set_seat(database.db, &id, 1, &substitute), DB_OK);
    assert_int_equal(game_set_seat(database.db, &id, 2, &substitute), DB_NONE);
    assert_int_equal(game_find(database.db, &database.arena, &id, &found), DB_OK);
    assert_false(found.seat[0].fallback);
    assert_string_equal(found.seat[0].first_player.text, "");
    assert_true(found.seat[1].fallback);
    assert_false(found.seat[1].forfeited);
    assert_string_equal(found.seat[1].player.text, players[2].text);
    assert_string_equal(found.seat[1].first_player.text, players[1].text);
    assert_int_equal(game_set_seat(database.db, &id, 1, &second), DB_OK);
    assert_int_equal(game_find(database.db, &database.arena, &id, &found), DB_OK);
    assert_true(found.seat[1].forfeited);
    assert_string_equal(found.seat[1].player.text, players[3].text);
    assert_string_equal(found.seat[1].first_player.text, players[1].text);
    commit(database.db);
}

static size_t list(const struct id *player, bool running, const char *before, size_t limit,
                   struct game_row **games)
{
    struct id key = {""};
    if (before[0] != '\0')
        assert_true(id_parse(span_of(before), &key));
    size_t count;
    begin(database.db);
    assert_int_equal(
        game_list(database.db, &database.arena, player, running, &key, limit, games, &count),
        DB_OK);
    commit(database.db);
    return count;
}

TEST(test_list)
{
    struct id one = make_player(database.db, "Lister");
    struct id two = make_player(database.db, "Opponent");
    struct id made[3];
    for (int i = 0; i < 3; i++) {
        struct game_row game = game_of(&two, i == 1 ? &players[0] : &one);
        game.id = id_new(NOW_MS + 100000 + i);
        made[i] = game.id;
        assert_int_equal(create(&game), DB_OK);
        game.finished_at_ms = NOW_MS + 1;
        game.seat[0].rank = game.seat[1].rank = 1;
        begin(database.db);
        if (i == 0)
            assert_int_equal(finish(database.db, &game), DB_OK);
        commit(database.db);
    }
    struct id anybody = {""};
    struct game_row *games;
    assert_int_equal(list(&anybody, false, "", 2, &games), 2);
    assert_true(id_equal(&games[0].id, &made[2]));
    assert_true(id_equal(&games[1].id, &made[1]));
    assert_int_equal(games[0].seats, 2);
    assert_string_equal(games[0].seat[0].player_name, "Opponent");
    assert_string_equal(games[0].seat[1].player_name, "Lister");
    assert_int_equal(list(&anybody, false, made[1].text, 1, &games), 1);
    assert_true(id_equal(&games[0].id, &made[0]));
    assert_int_equal(list(&anybody, true, made[1].text, 1, &games), 1);
    assert_false(games[0].finished);
    assert_false(id_equal(&games[0].id, &made[0]));

    assert_int_equal(list(&one, false, "", 10, &games), 2);
    assert_true(id_equal(&games[0].id, &made[2]));
    assert_true(id_equal(&games[1].id, &made[0]));
    assert_int_equal(list(&one, true, "", 10, &games), 1);
    assert_true(id_equal(&games[0].id, &made[2]));
    assert_int_equal(list(&one, false, made[2].text, 10, &games), 1);
    assert_true(id_equal(&games[0].id, &made[0]));
    assert_int_equal(list(&one, true, made[2].text, 10, &games), 0);
}

/* Tables of a duplicate round: one secret for all, and results after the end of the game. */
TEST(test_duplicate_round)
{
    struct db *db = database.db;
    struct id duplicate = make_event(db, &players[0]);
    struct round round = {.number = 1,
                          .attempt = 1,
                          .quality = "{}",
                          .started_at_ms = NOW_MS,
                          .has_commitment = true,
                          .commitment = {1, 2, 3}};
    struct round *rounds;
    struct game_row found;
    const uint8_t *sealed;
    size_t size;
    begin(db);
    assert_int_equal(round_secret(db, &database.arena, &duplicate, 1, &sealed, &size), DB_NONE);
    assert_int_equal(round_create(db, &duplicate, &round, sealed_secret, sizeof sealed_secret),
                     DB_OK);
    assert_int_equal(round_create(db, &duplicate, &round, sealed_secret, sizeof sealed_secret),
                     DB_CONFLICT);
    assert_int_equal(round_secret(db, &database.arena, &duplicate, 1, &sealed, &size), DB_OK);
    assert_int_equal(size, sizeof sealed_secret);
    assert_memory_equal(sealed, sealed_secret, size);
    assert_int_equal(round_list(db, &database.arena, &duplicate, &rounds, &size), DB_OK);
    assert_int_equal(size, 1);
    assert_true(rounds[0].has_commitment);
    assert_memory_equal(rounds[0].commitment, round.commitment, sizeof round.commitment);

    struct game_row game = game_of(&players[0], &players[1]);
    game.event = duplicate;
    game.round = 1;
    game.table = 1;
    game.board = 2;
    assert_int_equal(game_create(db, &game, NULL, 0), DB_OK);
    assert_int_equal(game_secret(db, &database.arena, &game.id, &sealed, &size), DB_OK);
    assert_memory_equal(sealed, sealed_secret, size);
    assert_int_equal(game_end(db, &game.id, NOW_MS + 7, false), DB_OK);
    assert_int_equal(game_end(db, &game.id, NOW_MS + 7, false), DB_CONFLICT);
    assert_int_equal(game_find(db, &database.arena, &game.id, &found), DB_OK);
    assert_int_equal(found.board, 2);
    assert_true(found.finished && !found.scored);
    game.seat[0].rank = game.seat[1].rank = 1;
    assert_int_equal(game_score(db, &game), DB_OK);
    assert_int_equal(game_find(db, &database.arena, &game.id, &found), DB_OK);
    assert_true(found.scored);
    commit(db);

    struct game_row alone = game_of(&players[0], &players[1]);
    alone.board = 1;
    begin(db);
    assert_int_equal(game_create(db, &alone, NULL, 0), DB_ERROR);
    db_rollback(db);
}

TEST(test_round)
{
    struct round round = {
        .number = 1, .attempt = 2, .quality = "{\"c1\": 0}", .started_at_ms = NOW_MS};
    struct db *db = database.db;
    begin(db);
    assert_int_equal(round_create(db, &event, &round, NULL, 0), DB_OK);
    assert_int_equal(round_create(db, &event, &round, NULL, 0), DB_CONFLICT);
    round.number = 2;
    assert_int_equal(round_create(db, &event, &round, NULL, 0), DB_OK);
    commit(db);

    struct game_row tables[2];
    for (unsigned i = 0; i < 2; i++) {
        tables[i] = game_of(&players[i], &players[i + 1]);
        tables[i].event = event;
        tables[i].round = 1;
        tables[i].table = 2 - i;
        assert_int_equal(create(&tables[i]), DB_OK);
    }
    struct game_row taken = game_of(&players[0], &players[2]);
    taken.event = event;
    taken.round = 1;
    taken.table = 1;
    assert_int_equal(create(&taken), DB_CONFLICT);
    taken.round = 2;
    assert_int_equal(create(&taken), DB_OK);
    begin(db);
    tables[1].finished_at_ms = NOW_MS + 1;
    tables[1].seat[0].rank = tables[1].seat[1].rank = 1;
    assert_int_equal(finish(db, &tables[1]), DB_OK);
    commit(db);

    struct round *rounds;
    struct game_row *games;
    size_t count;
    begin(db);
    assert_int_equal(round_list(db, &database.arena, &event, &rounds, &count), DB_OK);
    assert_int_equal(count, 2);
    assert_int_equal(rounds[0].number, 1);
    assert_int_equal(rounds[0].attempt, 2);
    assert_string_equal(rounds[0].quality, "{\"c1\": 0}");
    assert_int_equal(rounds[0].started_at_ms, NOW_MS);
    assert_int_equal(rounds[0].tables, 2);
    assert_int_equal(rounds[0].tables_finished, 1);
    assert_int_equal(rounds[1].tables, 1);
    assert_int_equal(rounds[1].tables_finished, 0);

    assert_int_equal(round_games(db, &database.arena, &event, 1, &games, &count), DB_OK);
    assert_int_equal(count, 2);
    assert_true(id_equal(&games[0].id, &tables[1].id));
    assert_true(id_equal(&games[0].event, &event));
    assert_int_equal(games[0].round, 1);
    assert_int_equal(games[0].table, 1);
    assert_true(games[0].finished);
    assert_true(id_equal(&games[1].id, &tables[0].id));
    assert_int_equal(round_games(db, &database.arena, &event, 0, &games, &count), DB_OK);
    assert_int_equal(count, 3);
    assert_true(id_equal(&games[2].id, &taken.id));
    struct event found;
    assert_int_equal(event_find(db, &database.arena, &event, false, &found), DB_OK);
    assert_int_equal(found.rounds_started, 2);
    commit(db);
}

static enum db_status rate(const struct id *game, const struct id *player, const char *scope,
                           unsigned games_before, int64_t before, int64_t after)
{
    struct rating_row old = {
        .player = *player, .scope = scope, .mu = before, .sigma = 8333333, .games = games_before};
    struct rating_row new = old;
    new.mu = after;
    new.games = games_before + 1;
    begin(database.db);
    assert_int_equal(rating_lock(database.db), DB_OK);
    enum db_status status = rating_store(database.db, game, NOW_MS, false, &old, &new, 1);
    if (status == DB_OK)
        commit(database.db);
    else
        db_rollback(database.db);
    return status;
}

TEST(test_ratings)
{
    struct id game = make_game(database.db, &players[0], &players[1]);
    struct id next = make_game(database.db, &players[0], &players[1]);
    struct rating_row rating;
    struct db *db = database.db;
    begin(db);
    assert_int_equal(rating_find(db, &players[0], "shinjuku", &rating), DB_NONE);
    commit(db);
    assert_int_equal(rate(&game, &players[0], "shinjuku", 0, 25000000, 27000000), DB_OK);
    assert_int_equal(rate(&game, &players[0], "shinjuku", 0, 25000000, 27000000), DB_CONFLICT);
    assert_int_equal(rate(&game, &players[0], "overall", 0, 25000000, 26000000), DB_OK);
    assert_int_equal(rate(&game, &players[1], "shinjuku", 0, 25000000, 23000000), DB_OK);
    assert_int_equal(rate(&next, &players[0], "shinjuku", 1, 27000000, 28000000), DB_OK);
    /* Not what is stored. */
    struct id third = make_game(database.db, &players[0], &players[1]);
    assert_int_equal(rate(&third, &players[0], "shinjuku", 1, 27000000, 29000000), DB_CONFLICT);
    assert_int_equal(rate(&third, &players[0], "shinjuku", 0, 25000000, 29000000), DB_CONFLICT);
    assert_int_equal(rate(&third, &players[2], "shinjuku", 4, 25000000, 29000000), DB_CONFLICT);

    begin(db);
    assert_int_equal(rating_find(db, &players[0], "shinjuku", &rating), DB_OK);
    assert_true(id_equal(&rating.player, &players[0]));
    assert_string_equal(rating.scope, "shinjuku");
    assert_int_equal(rating.mu, 28000000);
    assert_int_equal(rating.sigma, 8333333);
    assert_int_equal(rating.games, 2);

    struct rating_row *rows;
    struct rating_change *changes;
    size_t count;
    assert_int_equal(rating_of_player(db, &database.arena, &players[0], &rows, &count), DB_OK);
    assert_int_equal(count, 2);
    assert_string_equal(rows[0].scope, "shinjuku"); /* more games */
    assert_string_equal(rows[0].player_name, "Ada");
    assert_string_equal(rows[1].scope, "overall");
    assert_int_equal(rating_changes_of(db, &database.arena, &game, &changes, &count), DB_OK);
    assert_int_equal(count, 3);
    assert_string_equal(changes[0].scope, "overall");
    assert_string_equal(changes[2].scope, "shinjuku");
    assert_true(id_equal(&changes[0].player, &players[0]));
    assert_true(id_equal(&changes[0].game, &game));
    assert_int_equal(changes[0].at_ms, NOW_MS);
    assert_int_equal(changes[0].mu_before, 25000000);
    assert_int_equal(changes[0].mu_after, 26000000);
    assert_int_equal(changes[0].sigma_before, 8333333);
    assert_int_equal(changes[0].sigma_after, 8333333);
    assert_int_equal(rating_changes_of(db, &database.arena, &third, &changes, &count), DB_OK);
    assert_int_equal(count, 0);
    commit(db);
}

static int compare_ids(const void *a, const void *b)
{
    const struct id *left = a, *right = b;
    return strcmp(left->text, right->text);
}

/* Games rated at the same time stand by their ids; pages join without gap or overlap. */
TEST(test_rating_history)
{
    enum { GAMES = 5 };
    struct id game[GAMES];
    struct id player = make_player(database.db, "Historic");
    struct rating_change *changes;
    const struct rating_change *after = NULL;
    size_t count;
    for (unsigned i = 0; i < GAMES; i++)
        game[i] = make_game(database.db, &player, &players[1]);
    qsort(game, GAMES, sizeof *game, compare_ids);
    for (unsigned i = 0; i < GAMES; i++)
        assert_int_equal(rate(&game[i], &player, "history", i, 100 + i, 101 + i), DB_OK);
    assert_int_equal(rate(&game[0], &player, "other", 0, 1, 2), DB_OK);
    assert_int_equal(rate(&game[0], &players[1], "history", 0, 1, 2), DB_OK);
    begin(database.db);
    for (size_t i = GAMES; i-- > 0;) {
        assert_int_equal(rating_history(database.db, &database.arena, &player, "history", after, 1,
                                        &changes, &count),
                         DB_OK);
        assert_int_equal(count, 1);
        assert_true(id_equal(&changes[0].game, &game[i]));
        assert_true(id_equal(&changes[0].player, &player));
        assert_string_equal(changes[0].scope, "history");
        assert_int_equal(changes[0].mu_before, 100 + i);
        assert_int_equal(changes[0].mu_after, 101 + i);
        assert_int_equal(changes[0].at_ms, NOW_MS);
        after = &changes[0];
    }
    assert_int_equal(rating_history(database.db, &database.arena, &player, "history", after, 1,
                                    &changes, &count),
                     DB_OK);
    assert_int_equal(count, 0);
    assert_int_equal(rating_history(database.db, &database.arena, &player, "history", NULL, 100,
                                    &changes, &count),
                     DB_OK);
    assert_int_equal(count, GAMES);
    commit(database.db);
}

/* Equal values stand in the order of the players' ids; pages join without gap or overlap. */
TEST(test_leaderboard)
{
    struct id game = make_game(database.db, &players[0], &players[1]);
    static const int64_t mu[] = {10, 30, 20};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(rate(&game, &players[i], "board", 0, 1, mu[i]), DB_OK);
    struct id fourth = make_player(database.db, "Fourth");
    assert_int_equal(rate(&game, &fourth, "board", 0, 1, 20), DB_OK);
    bool fourth_first = strcmp(fourth.text, players[2].text) < 0;
    const struct id *order[] = {&players[1], fourth_first ? &fourth : &players[2],
                                fourth_first ? &players[2] : &fourth, &players[0]};
    struct rating_row *rows;
    size_t count;
    begin(database.db);
    assert_int_equal(rating_leaderboard(database.db, &database.arena, "board", 1, INT32_MAX, NULL,
                                        10, &rows, &count),
                     DB_OK);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(id_equal(&rows[i].player, order[i]));
    const struct rating_row *after = NULL;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(rating_leaderboard(database.db, &database.arena, "board", 0, INT32_MAX,
                                            after, 1, &rows, &count),
                         DB_OK);
        assert_int_equal(count, 1);
        assert_true(id_equal(&rows[0].player, order[i]));
        after = &rows[0];
    }
    assert_int_equal(rating_leaderboard(database.db, &database.arena, "board", 0, INT32_MAX, after,
                                        1, &rows, &count),
                     DB_OK);
    assert_int_equal(count, 0);
    commit(database.db);
}

int main(void)
{
    return run_all_tests(setup_players, teardown);
}
