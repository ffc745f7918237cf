/* Rounds, their byes and their tables. How far a round is follows from its games and is stored
 * nowhere.
 */
#include "db/rounds.h"

#include <assert.h>

#include "db/game_rows.h"
#include "db/statement.h"

/* A game that is played anew at its table is no part of the round any more. */
#define IS_LAST_ATTEMPT                                                                            \
    "tillroll.is_last_attempt(game.event_id, game.round, game.table_number, game.attempt)"
#define LAST_ATTEMPT " AND " IS_LAST_ATTEMPT

static const struct statement create = {
    "round_create",
    "WITH made AS ("
    " INSERT INTO tillroll.round (event_id, number, attempt, quality, started_at, commitment)"
    " VALUES ($1, $2, $3, $4, tillroll.from_ms($5), $6) ON CONFLICT DO NOTHING"
    " RETURNING event_id, number"
    "), secret AS ("
    " INSERT INTO tillroll_vault.round_secret (event_id, number, sealed)"
    " SELECT event_id, number, $7 FROM made WHERE $7::bytea IS NOT NULL"
    ") SELECT 1 FROM made"};

enum db_status round_create(struct db *db, const struct id *event, const struct round *round,
                            const uint8_t *sealed, size_t sealed_size)
{
    assert(round->has_commitment == (sealed != NULL));
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_integer(&p, round->number);
    parameter_integer(&p, round->attempt);
    parameter_text(&p, round->quality);
    parameter_integer(&p, round->started_at_ms);
    parameter_bytes(&p, sealed == NULL ? NULL : round->commitment, sizeof round->commitment);
    parameter_bytes(&p, sealed, sealed_size);
    return statement_change(db, &create, &p, DB_CONFLICT);
}

static const struct statement secret = {
    "round_secret",
    "SELECT sealed FROM tillroll_vault.round_secret WHERE event_id = $1 AND number = $2"};

enum db_status round_secret(struct db *db, struct arena *arena, const struct id *event,
                            unsigned round, const uint8_t **sealed, size_t *size)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_integer(&p, round);
    struct rows rows;
    enum db_status status = statement_row(db, &secret, &p, &rows);
    if (status != DB_OK)
        return status;
    *sealed = row_bytes(&rows, 0, 0, arena, size);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement list = {
    "round_list",
    "SELECT number, round.attempt, quality, tillroll.to_ms(round.started_at), count(game.id),"
    " count(game.finished_at), round.commitment"
    " FROM tillroll.round LEFT JOIN tillroll.game"
    "  ON game.event_id = round.event_id AND game.round = round.number" LAST_ATTEMPT
    " WHERE round.event_id = $1 GROUP BY round.event_id, number ORDER BY number"};

static void read_round(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct round *round = element;
    *round = (struct round){
        .number = row_unsigned(rows, row, 0),
        .attempt = row_unsigned(rows, row, 1),
        .quality = row_text(rows, row, 2, arena),
        .started_at_ms = row_integer(rows, row, 3),
        .tables = row_unsigned(rows, row, 4),
        .tables_finished = row_unsigned(rows, row, 5),
        .has_commitment = !row_is_null(rows, row, 6),
    };
    if (round->has_commitment)
        row_hash(rows, row, 6, round->commitment);
}

enum db_status round_list(struct db *db, struct arena *arena, const struct id *event,
                          struct round **rounds, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    enum db_status status;
    *rounds = statement_list(db, arena, &list, &p, sizeof **rounds, read_round, count, &status);
    return status;
}

static const struct statement make_byes = {
    "bye_create", "INSERT INTO tillroll.bye (event_id, round, player_id, kind)"
                  " SELECT $1, * FROM unnest($2::integer[], $3::uuid[], $4::text[])"};

enum db_status bye_create(struct db *db, const struct id *event, const struct bye *byes,
                          size_t count)
{
    struct arena arena = {NULL};
    int32_t *rounds = arena_array(&arena, count, sizeof *rounds);
    struct id *players = arena_array(&arena, count, sizeof *players);
    struct span *kinds = arena_array(&arena, count, sizeof *kinds);
    for (size_t i = 0; i < count; i++) {
        rounds[i] = (int32_t)byes[i].round;
        players[i] = byes[i].player;
        kinds[i] = span_of(byes[i].kind);
    }
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_array_integer(&p, &arena, rounds, count);
    parameter_array_id(&p, &arena, players, count);
    parameter_array_text(&p, &arena, kinds, count);
    enum db_status status = statement_change(db, &make_byes, &p, DB_OK);
    arena_free(&arena);
    return status;
}

static const struct statement list_byes = {
    "bye_list", "SELECT round, player_id, player.name, kind"
                " FROM tillroll.bye JOIN tillroll.player ON player.id = player_id"
                " WHERE event_id = $1 AND ($2::integer = 0 OR round = $2)"
                " ORDER BY round, player_id"};

static void read_bye(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct bye *bye = element;
    *bye = (struct bye){
        .round = row_unsigned(rows, row, 0),
        .player = row_id(rows, row, 1),
        .player_name = row_text(rows, row, 2, arena),
        .kind = row_text(rows, row, 3, arena),
    };
}

enum db_status bye_list(struct db *db, struct arena *arena, const struct id *event, unsigned round,
                        struct bye **byes, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_integer(&p, round);
    enum db_status status;
    *byes = statement_list(db, arena, &list_byes, &p, sizeof **byes, read_bye, count, &status);
    return status;
}

static const struct statement list_games = {
    "round_games", GAME_ROW_COLUMNS
    " FROM tillroll.game" GAME_ROW_JOINS
    " WHERE game.event_id = $1 AND ($2::integer = 0 OR game.round = $2)" LAST_ATTEMPT
    " ORDER BY game.round, game.table_number, seat.seat"};

enum db_status round_games(struct db *db, struct arena *arena, const struct id *event,
                           unsigned round, struct game_row **games, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    parameter_integer(&p, round);
    struct rows rows;
    enum db_status status = statement_rows(db, &list_games, &p, &rows);
    if (status == DB_OK)
        game_rows_read(&rows, arena, games, count);
    return status;
}

static const struct statement list_set_aside = {
    "round_games_set_aside",
    GAME_ROW_COLUMNS " FROM tillroll.game" GAME_ROW_JOINS
                     " WHERE game.event_id = $1 AND game.finished_at IS NOT NULL"
                     " AND (game.voided OR NOT " IS_LAST_ATTEMPT ")"
                     " ORDER BY game.round, game.table_number, game.attempt, seat.seat"};

enum db_status round_games_set_aside(struct db *db, struct arena *arena, const struct id *event,
                                     struct game_row **games, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    struct rows rows;
    enum db_status status = statement_rows(db, &list_set_aside, &p, &rows);
    if (status == DB_OK)
        game_rows_read(&rows, arena, games, count);
    return status;
}
