/* Disputes and their logs, attempts at a table, looks and refused moves. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "db/store/events/event_log.h"
#include "db/store/events/rounds.h"
#include "db/store/games/parties.h"
#include "db/store/games/records.h"
#include "db/store/games/waiting_games.h"
#include "db/store/log/disputes.h"
#include "tests/db/database.h"

static struct database database;
static struct id olga, ada, ben;

FIXTURE(setup)
{
    database_make(&database, "test_disputes", true);
    olga = make_player(database.db, "Olga");
    ada = make_player(database.db, "Ada");
    ben = make_player(database.db, "Ben");
    return 0;
}

FIXTURE(teardown)
{
    database_drop(&database);
    return 0;
}

/* ---- Making ---- */

static struct dispute_row dispute_of(const struct id *game, const struct id *opener, int64_t now_ms)
{
    return (struct dispute_row){.id = id_new(now_ms), .game = *game, .opened_by = *opener};
}

static struct id make_dispute(const struct dispute_row *dispute)
{
    begin(database.db);
    assert_int_equal(dispute_create(database.db, dispute), DB_OK);
    commit(database.db);
    return dispute->id;
}

/* The next line of a log, chained as engine/record/dispute.h says; `bytes` keeps it. */
static struct dispute_line line_of(const struct id *dispute, unsigned number,
                                   const uint8_t before[static 32], char bytes[static 256])
{
    struct dispute_line line = {.dispute = *dispute, .number = number};
    char hex[65];
    char chained[512];
    int length = snprintf(bytes, 256, "%u 1000 %s opened {}", number, ada.text);
    line.line = (struct span){bytes, (size_t)length};
    sodium_bin2hex(hex, sizeof hex, before, 32);
    length = snprintf(chained, sizeof chained, "%s %s\n", hex, bytes);
    crypto_hash_sha256(line.hash, (const unsigned char *)chained, (unsigned long long)length);
    return line;
}

static void first_hash(const struct id *dispute, uint8_t hash[static 32])
{
    char first[64];
    int length = snprintf(first, sizeof first, "tillroll dispute 1 %s\n", dispute->text);
    crypto_hash_sha256(hash, (const unsigned char *)first, (unsigned long long)length);
}

/* An event with round 1 and a game at table 1; `board` 0 for none. */
static struct game_row event_game(struct id *event, unsigned board)
{
    struct game_row game = game_of(&ada, &ben);
    *event = make_event(database.db, &olga);
    struct round round = {.number = 1, .attempt = 1, .quality = "{}", .started_at_ms = NOW_MS};
    round.has_commitment = board > 0;
    game.event = *event;
    game.round = 1;
    game.table = 1;
    game.board = board;
    begin(database.db);
    assert_int_equal(round_create(database.db, event, &round, board > 0 ? sealed_secret : NULL,
                                  sizeof sealed_secret),
                     DB_OK);
    assert_int_equal(
        game_create(database.db, &game, board > 0 ? NULL : sealed_secret, sizeof sealed_secret),
        DB_OK);
    commit(database.db);
    return game;
}

/* ---- Disputes ---- */

TEST(test_create_find_and_count)
{
    struct db *db = database.db;
    struct id game = make_game(db, &ada, &ben);
    struct dispute_row first = dispute_of(&game, &ada, NOW_MS);
    struct dispute_row second = dispute_of(&game, &ben, NOW_MS + 1);
    struct dispute_row found;
    struct dispute_counts counts;
    make_dispute(&first);
    make_dispute(&second);
    begin(db);
    assert_int_equal(dispute_find(db, &database.arena, &first.id, &found), DB_OK);
    assert_true(id_equal(&found.game, &game));
    assert_string_equal(found.event.text, "");
    assert_true(id_equal(&found.opened_by, &ada));
    assert_string_equal(found.state, "open");
    assert_false(found.finished);
    assert_int_equal(dispute_find(db, &database.arena, &game, &found), DB_NONE);
    assert_int_equal(dispute_count(db, &game, &ada, &counts), DB_OK);
    assert_int_equal(counts.all, 1);
    assert_int_equal(counts.waiting, 1);
    assert_int_equal(dispute_set_state(db, &first.id, "closed"), DB_OK);
    assert_int_equal(dispute_set_state(db, &game, "closed"), DB_NONE);
    assert_int_equal(dispute_count(db, &game, &ada, &counts), DB_OK);
    assert_int_equal(counts.all, 1);
    assert_int_equal(counts.waiting, 0);
    commit(db);
    begin(db);
    assert_int_equal(dispute_set_state(db, &first.id, "forgotten"), DB_ERROR);
    db_rollback(db);
}

static size_t count_list(const struct dispute_query *query)
{
    struct dispute_row *rows;
    size_t count;
    const struct id newest = {""};
    begin(database.db);
    assert_int_equal(dispute_list(database.db, &database.arena, query, &newest, 100, &rows, &count),
                     DB_OK);
    commit(database.db);
    return count;
}

TEST(test_lists)
{
    struct db *db = database.db;
    struct id event;
    struct game_row game = event_game(&event, 0);
    struct dispute_row made[3];
    struct dispute_row *rows;
    size_t count;
    for (int i = 0; i < 3; i++) {
        made[i] = dispute_of(&game.id, &ada, NOW_MS + 10 + i);
        made[i].event = event;
        make_dispute(&made[i]);
    }
    begin(db);
    assert_int_equal(dispute_set_state(db, &made[1].id, "ruled"), DB_OK);
    const struct dispute_query of_event = {.event = event};
    const struct id newest = {""};
    assert_int_equal(dispute_list(db, &database.arena, &of_event, &newest, 2, &rows, &count),
                     DB_OK);
    assert_int_equal(count, 2);
    assert_true(id_equal(&rows[0].id, &made[2].id));
    assert_int_equal(rows[0].round, 1);
    assert_int_equal(rows[0].table, 1);
    assert_string_equal(rows[1].state, "ruled");
    assert_int_equal(dispute_list(db, &database.arena, &of_event, &rows[1].id, 2, &rows, &count),
                     DB_OK);
    assert_int_equal(count, 1);
    assert_true(id_equal(&rows[0].id, &made[0].id));
    commit(db);
    assert_int_equal(count_list(&(struct dispute_query){.game = game.id}), 3);
    assert_int_equal(count_list(&(struct dispute_query){.game = event}), 0);
    assert_int_equal(count_list(&(struct dispute_query){.waiting = true, .official = true}) + 2,
                     count_list(&(struct dispute_query){.official = true}));
    const struct dispute_query everywhere = {.own = true, .official = true, .everywhere = true};
    assert_int_equal(count_list(&(struct dispute_query){.own = true, .official = true}), 0);
    assert_int_equal(count_list(&everywhere),
                     count_list(&(struct dispute_query){.waiting = true, .official = true}));
}

/* Only its own players and impartial officials are told of a board that others still have to play.
 */
TEST(test_hidden_games)
{
    struct db *db = database.db;
    struct id event;
    struct game_row game = event_game(&event, 1);
    struct dispute_row dispute = dispute_of(&game.id, &ada, NOW_MS + 20);
    struct dispute_row found;
    dispute.event = event;
    make_dispute(&dispute);
    struct event_entry entry = {.player = olga, .state = ENTRY_ENTERED, .entered_at_ms = NOW_MS};
    struct dispute_query query = {.event = event, .viewer = olga};
    assert_int_equal(count_list(&(struct dispute_query){.event = event}), 0);
    assert_int_equal(count_list(&query), 0);
    query.official = true;
    assert_int_equal(count_list(&query), 1);
    begin(db);
    assert_int_equal(entry_put(db, &event, &entry, 1), DB_OK);
    commit(db);
    assert_int_equal(count_list(&query), 0);
    assert_int_equal(count_list(&(struct dispute_query){.event = event, .viewer = ada}), 1);
    game.seat[0].rank = 1;
    game.seat[1].rank = 2;
    begin(db);
    assert_int_equal(game_end(db, &game.id, NOW_MS + 1000, false), DB_OK);
    assert_int_equal(game_score(db, &game), DB_OK);
    assert_int_equal(dispute_find(db, &database.arena, &dispute.id, &found), DB_OK);
    commit(db);
    assert_true(found.finished);
    assert_int_equal(count_list(&(struct dispute_query){.event = event}), 1);
}

/* ---- Logs ---- */

static enum db_status add_line(const struct dispute_line *line)
{
    begin(database.db);
    enum db_status status = dispute_line_add(database.db, line);
    if (status == DB_OK)
        commit(database.db);
    else
        db_rollback(database.db);
    return status;
}

TEST(test_lines_continue_their_log)
{
    struct db *db = database.db;
    struct id game = make_game(db, &ada, &ben);
    struct dispute_row dispute = dispute_of(&game, &ada, NOW_MS + 30);
    struct dispute_line *lines;
    size_t count;
    uint8_t hash[32];
    char bytes[3][256];
    struct id id = make_dispute(&dispute);
    first_hash(&id, hash);
    struct dispute_line first = line_of(&id, 1, hash, bytes[0]);
    struct dispute_line second = line_of(&id, 2, first.hash, bytes[1]);
    assert_int_equal(add_line(&second), DB_ERROR);
    struct dispute_line wrong = first;
    wrong.hash[31] ^= 1;
    assert_int_equal(add_line(&wrong), DB_ERROR);
    wrong = first;
    wrong.number = 2;
    assert_int_equal(add_line(&wrong), DB_ERROR);
    assert_int_equal(add_line(&first), DB_OK);
    assert_int_equal(add_line(&first), DB_CONFLICT);
    wrong = line_of(&id, 2, hash, bytes[2]);
    assert_int_equal(add_line(&wrong), DB_ERROR);
    assert_int_equal(add_line(&second), DB_OK);
    begin(db);
    assert_int_equal(dispute_line_list(db, &database.arena, &id, 1, &lines, &count), DB_OK);
    commit(db);
    assert_int_equal(count, 2);
    assert_int_equal(lines[1].number, 2);
    assert_true(span_equal(lines[1].line, second.line));
    assert_memory_equal(lines[1].hash, second.hash, 32);
    assert_string_equal(lines[1].actor_name, "Ada");
}

/* Followers of the event are told of each step, but not of boards that are still played. */
TEST(test_followers_are_told)
{
    struct db *db = database.db;
    struct event_change *changes;
    size_t count;
    for (unsigned board = 0; board < 2; board++) {
        struct id event;
        struct game_row game = event_game(&event, board);
        struct dispute_row dispute = dispute_of(&game.id, &ada, NOW_MS + 40);
        uint8_t hash[32];
        char bytes[256];
        dispute.event = event;
        make_dispute(&dispute);
        first_hash(&dispute.id, hash);
        struct dispute_line line = line_of(&dispute.id, 1, hash, bytes);
        assert_int_equal(add_line(&line), DB_OK);
        begin(db);
        assert_int_equal(
            event_change_list(db, &database.arena, &event, 0, INT32_MAX, 10, &changes, &count),
            DB_OK);
        commit(db);
        assert_int_equal(count, board == 0 ? 2 : 1);
        assert_int_equal(changes[0].kind, EVENT_CHANGE_GAME_STARTED);
        if (board > 0)
            continue;
        assert_int_equal(changes[1].kind, EVENT_CHANGE_DISPUTE);
        assert_null(changes[1].game);
        assert_true(id_equal(&changes[1].dispute, &dispute.id));
        assert_true(id_equal(&changes[1].disputed, &game.id));
        assert_int_equal(changes[1].step.seq, 1);
        assert_int_equal(changes[1].step.at_ms, 1000);
        assert_string_equal(changes[1].step.kind, "opened");
        assert_string_equal(changes[1].step.actor_name, "Ada");
    }
}

TEST(test_nobody_changes_them)
{
    static const char *const refused[] = {
        "UPDATE tillroll.dispute_step SET line = line",
        "DELETE FROM tillroll.dispute_step",
        "TRUNCATE tillroll.dispute_step CASCADE",
        "UPDATE tillroll.game_look SET reason = 'x'",
        "DELETE FROM tillroll.game_look",
        "UPDATE tillroll.official_act SET seq = 1",
        "DELETE FROM tillroll.official_act",
        "UPDATE tillroll_vault.refused_move SET seq = 1",
        "DELETE FROM tillroll_vault.refused_move",
    };
    PGconn *owner = sql_connect(database.migrator);
    sql_do(owner, "SET ROLE tillroll_owner");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_string_equal(sql_state(owner, refused[i]), "42501");
    PQfinish(owner);
}

/* ---- Tables that are played anew ---- */

static void check_uncounted(const struct id *game)
{
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM tillroll.counted_result WHERE game_id = '%s'",
             game->text);
    PGconn *service = sql_connect(database.service);
    sql_do(service, "SET ROLE tillroll_service");
    assert_string_equal(sql_value(service, sql), "0");
    PQfinish(service);
}

TEST(test_attempts)
{
    struct db *db = database.db;
    struct id event;
    struct game_row first = event_game(&event, 0);
    struct game_row again = first;
    struct game_row *games;
    struct round *rounds;
    size_t count;
    again.id = id_new(NOW_MS + 1);
    first.seat[0].rank = 1;
    first.seat[1].rank = 2;
    begin(db);
    assert_int_equal(game_end(db, &first.id, NOW_MS + 1000, false), DB_OK);
    assert_int_equal(game_score(db, &first), DB_OK);
    assert_int_equal(game_create(db, &again, sealed_secret, sizeof sealed_secret), DB_CONFLICT);
    again.attempt = 2;
    assert_int_equal(game_create(db, &again, sealed_secret, sizeof sealed_secret), DB_OK);
    assert_int_equal(round_games(db, &database.arena, &event, 1, &games, &count), DB_OK);
    assert_int_equal(count, 1);
    assert_true(id_equal(&games[0].id, &again.id));
    assert_int_equal(games[0].attempt, 2);
    assert_int_equal(round_list(db, &database.arena, &event, &rounds, &count), DB_OK);
    assert_int_equal(rounds[0].tables, 1);
    assert_int_equal(rounds[0].tables_finished, 0);
    commit(db);
    check_uncounted(&first.id);
}

static void check_no_game(struct db *db, const struct id *event, const struct id *before)
{
    struct game_row *games;
    size_t count;
    begin(db);
    assert_int_equal(round_games(db, &database.arena, event, 1, &games, &count), DB_OK);
    assert_int_equal(count, 0);
    assert_int_equal(round_games_set_aside(db, &database.arena, event, &games, &count), DB_OK);
    assert_int_equal(count, 1);
    assert_true(id_equal(&games[0].id, before));
    commit(db);
    check_uncounted(before);
}

/* The game before counts for nothing while the next one waits, and if that never starts. */
TEST(test_attempt_that_waits)
{
    struct db *db = database.db;
    struct id event;
    struct game_row first = event_game(&event, 0);
    struct waiting_game next = {.id = id_new(NOW_MS + 1),
                                .event = event,
                                .round = 1,
                                .table = 1,
                                .attempt = 2,
                                .since_ms = NOW_MS,
                                .due_ms = NOW_MS + 1000,
                                .seats = first.seats};
    for (unsigned seat = 0; seat < first.seats; seat++)
        next.seat[seat].player = first.seat[seat].player;
    first.seat[0].rank = 1;
    first.seat[1].rank = 2;
    begin(db);
    assert_int_equal(game_end(db, &first.id, NOW_MS + 1000, false), DB_OK);
    assert_int_equal(game_score(db, &first), DB_OK);
    assert_int_equal(waiting_add(db, &next, sealed_secret, sizeof sealed_secret), DB_OK);
    commit(db);
    check_no_game(db, &event, &first.id);
    begin(db);
    assert_int_equal(waiting_end(db, &next.id, WAITING_DROPPED), DB_OK);
    commit(db);
    check_no_game(db, &event, &first.id);
}

/* ---- Looks and refused moves ---- */

TEST(test_looks)
{
    struct db *db = database.db;
    struct id game = make_game(db, &ada, &ben);
    struct look look = {.player = olga, .at_ms = NOW_MS, .seq = 7, .reason = "A report."};
    struct look *looks;
    size_t count;
    begin(db);
    for (unsigned i = 0; i < LOOKS_MAX; i++)
        assert_int_equal(look_add(db, &game, &look), DB_OK);
    assert_int_equal(look_add(db, &game, &look), DB_CONFLICT);
    assert_int_equal(look_list(db, &database.arena, &game, &looks, &count), DB_OK);
    commit(db);
    assert_int_equal(count, LOOKS_MAX);
    assert_true(id_equal(&looks[0].player, &olga));
    assert_string_equal(looks[0].player_name, "Olga");
    assert_int_equal(looks[0].at_ms, NOW_MS);
    assert_int_equal(looks[0].seq, 7);
    assert_string_equal(looks[0].reason, "A report.");
}

TEST(test_refused_moves)
{
    struct db *db = database.db;
    struct id game = make_game(db, &ada, &ben);
    struct refused_move move = {.seat = 1,
                                .seq = 3,
                                .sealed = sealed_secret,
                                .size = sizeof sealed_secret,
                                .received_at_ms = NOW_MS};
    struct refused_move *moves;
    size_t count;
    begin(db);
    for (unsigned i = 0; i < REFUSED_MOVES_MAX; i++)
        assert_int_equal(refused_move_add(db, &game, &move), DB_OK);
    assert_int_equal(refused_move_add(db, &game, &move), DB_CONFLICT);
    move.seat = 0;
    move.seq = 4;
    assert_int_equal(refused_move_add(db, &game, &move), DB_OK);
    assert_int_equal(refused_move_list(db, &database.arena, &game, &moves, &count), DB_OK);
    commit(db);
    assert_int_equal(count, REFUSED_MOVES_MAX + 1);
    assert_int_equal(moves[0].seat, 0);
    assert_int_equal(moves[0].seq, 4);
    assert_int_equal(moves[1].seat, 1);
    assert_int_equal(moves[0].size, sizeof sealed_secret);
    assert_memory_equal(moves[0].sealed, sealed_secret, sizeof sealed_secret);
    assert_int_equal(moves[0].received_at_ms, NOW_MS);
}

int main(void)
{
    return run_all_tests(setup, teardown);
}
