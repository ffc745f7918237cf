/* Rounds and their tables. The progress of a round follows from its games and is not stored; byes
 * are in the event's log. */
#include "db/store/events/rounds.h"

#include <assert.h>

#include "db/link/statement.h"
#include "db/store/games/games.h"
#include "db/store/service/person.h"

/* A game that was replayed at its table is no longer part of the round. */
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
    return statement_change(
        db, &create,
        WITH(ID(event), NUMBER(round->number), NUMBER(round->attempt), TEXT(round->quality),
             NUMBER(round->started_at_ms),
             BYTES(sealed == NULL ? NULL : round->commitment, sizeof round->commitment),
             BYTES(sealed, sealed_size)),
        DB_CONFLICT);
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
    return statement_list(db, arena, &list, WITH(ID(event)), sizeof **rounds, read_round, rounds,
                          count);
}

static const struct statement list_games = {
    "round_games", GAME_ROW_COLUMNS
    " FROM tillroll.game" GAME_ROW_JOINS
    " WHERE game.event_id = $1 AND ($2::integer = 0 OR game.round = $2)" LAST_ATTEMPT
    " ORDER BY game.round, game.table_number, seat.seat"};

enum db_status round_games(struct db *db, struct arena *arena, const struct id *event,
                           unsigned round, struct game_row **games, size_t *count)
{
    return game_rows_list(db, arena, &list_games, WITH(ID(event), NUMBER(round)), games, count);
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
    return game_rows_list(db, arena, &list_set_aside, WITH(ID(event)), games, count);
}

/* ---- Rulings ---- */

/* A quotation mark within a text has a backslash before it, so that no reason can be mistaken for
 * an order. */
static const struct statement list_void = {
    "void_games",
    "SELECT round, table_number, tillroll.to_ms(finished_at)"
    " FROM tillroll.game WHERE event_id = $1 AND voided"
    " UNION SELECT game.round, game.table_number, split_part(step.line, ' ', 2)::bigint"
    " FROM tillroll.dispute"
    " JOIN tillroll.game ON game.id = dispute.game_id"
    " JOIN tillroll.dispute_step AS step ON step.dispute_id = dispute.id"
    " WHERE dispute.event_id = $1 AND split_part(step.line, ' ', 4) = 'ruled'"
    " AND position('\"order\":\"void\"' IN step.line) > 0"};

static void read_void(const struct rows *rows, int row, struct arena *arena, void *element)
{
    (void)arena;
    struct void_game *game = element;
    *game = (struct void_game){.round = row_unsigned(rows, row, 0),
                               .table = row_unsigned(rows, row, 1),
                               .at_ms = row_integer(rows, row, 2)};
}

enum db_status void_games(struct db *db, struct arena *arena, const struct id *event,
                          struct void_game **games, size_t *count)
{
    return statement_list(db, arena, &list_void, WITH(ID(event)), sizeof **games, read_void, games,
                          count);
}

static const struct statement take_away = {
    "ruling_take_away", "DELETE FROM tillroll.ruled_seat"
                        " WHERE event_id = $1 AND round = $2 AND table_number = $3"};

static const struct statement add = {"ruling_add",
                                     "INSERT INTO tillroll.ruled_seat"
                                     " (event_id, round, table_number, seat, score, rank, forfeit)"
                                     " VALUES ($1, $2, $3, $4, $5, $6, $7)"};

enum db_status ruling_put(struct db *db, const struct id *event, unsigned round, unsigned table,
                          const struct ruled_seat *seats, size_t count)
{
    enum db_status status =
        statement_change(db, &take_away, WITH(ID(event), NUMBER(round), NUMBER(table)), DB_OK);
    for (size_t seat = 0; status == DB_OK && seat < count; seat++)
        status = statement_change(db, &add,
                                  WITH(ID(event), NUMBER(round), NUMBER(table), NUMBER(seat),
                                       NUMBER(seats[seat].score), NUMBER(seats[seat].rank),
                                       FLAG(seats[seat].forfeit)),
                                  DB_ERROR);
    return status;
}

/* ---- Reported results ---- */

/* The columns of `place`, a row of a table with results. */
#define PLACE_COLUMNS                                                                              \
    "place.event_id, event.name, event.slug, event.version, place.round, place.table_number"

enum { PLACE_COLUMN_COUNT = 6 };

/* Columns: PLACE_COLUMNS, at the beginning of the row. */
static struct table_place read_place(const struct rows *rows, int row, struct arena *arena)
{
    return (struct table_place){.event = row_id(rows, row, 0),
                                .event_name = row_text(rows, row, 1, arena),
                                .slug = row_text(rows, row, 2, arena),
                                .version = row_text(rows, row, 3, arena),
                                .round = row_unsigned(rows, row, 4),
                                .table = row_unsigned(rows, row, 5)};
}

static const struct statement take_reported = {
    "reported_take_away", "DELETE FROM tillroll.reported_seat"
                          " WHERE event_id = $1 AND round = $2 AND table_number = $3"};

static const struct statement add_reported = {
    "reported_add", "INSERT INTO tillroll.reported_seat"
                    " (event_id, round, table_number, seat, player_id, seats, rank, score, at)"
                    " VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $8 THEN $9::integer END, "
                    "tillroll.from_ms($10))"};

enum db_status reported_put(struct db *db, const struct id *event, unsigned round, unsigned table,
                            const struct reported_seat *seats, size_t count)
{
    enum db_status status =
        statement_change(db, &take_reported, WITH(ID(event), NUMBER(round), NUMBER(table)), DB_OK);
    for (size_t seat = 0; status == DB_OK && seat < count; seat++)
        status = statement_change(db, &add_reported,
                                  WITH(ID(event), NUMBER(round), NUMBER(table), NUMBER(seat),
                                       ID(&seats[seat].player), NUMBER(seats[seat].seats),
                                       NUMBER(seats[seat].rank), FLAG(seats[seat].scored),
                                       NUMBER(seats[seat].score), NUMBER(seats[seat].at_ms)),
                                  DB_ERROR);
    return status;
}

static const struct statement list_reported = {
    "reported_of_player",
    "SELECT " PLACE_COLUMNS ", place.seats, place.rank, place.score IS NOT NULL,"
    " coalesce(place.score, 0), tillroll.to_ms(place.at)"
    " FROM tillroll.reported_seat AS place CROSS JOIN LATERAL ("
    "  SELECT name, slug, version FROM tillroll.event WHERE id = place.event_id OFFSET 0) AS event"
    " WHERE place.player_id = $1"
    " ORDER BY place.at DESC, place.event_id DESC, place.round DESC, place.table_number DESC"
    " LIMIT $2"};

static void read_reported(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct reported_seat *seat = element;
    enum { FIRST = PLACE_COLUMN_COUNT };
    *seat = (struct reported_seat){.place = read_place(rows, row, arena),
                                   .seats = row_unsigned(rows, row, FIRST),
                                   .rank = row_unsigned(rows, row, FIRST + 1),
                                   .scored = row_boolean(rows, row, FIRST + 2),
                                   .score = (int)row_integer(rows, row, FIRST + 3),
                                   .at_ms = row_integer(rows, row, FIRST + 4)};
}

enum db_status reported_of_player(struct db *db, struct arena *arena, const struct id *player,
                                  size_t limit, struct reported_seat **seats, size_t *count)
{
    return statement_list(db, arena, &list_reported, WITH(ID(player), NUMBER(limit)),
                          sizeof **seats, read_reported, seats, count);
}

/* ---- Contested results ---- */

static const struct statement take_contested = {
    "contested_take_away", "DELETE FROM tillroll.contested_table"
                           " WHERE event_id = $1 AND round = $2 AND table_number = $3"};

static const struct statement add_contested = {"contested_add",
                                               "INSERT INTO tillroll.contested_table"
                                               " (event_id, round, table_number, parties, at)"
                                               " VALUES ($1, $2, $3, $4, tillroll.from_ms($5))"};

enum db_status contested_put(struct db *db, const struct id *event, unsigned round, unsigned table,
                             const struct id *parties, size_t count, int64_t at_ms)
{
    enum db_status status =
        statement_change(db, &take_contested, WITH(ID(event), NUMBER(round), NUMBER(table)), DB_OK);
    if (status != DB_OK || count == 0)
        return status;
    return statement_change(
        db, &add_contested,
        WITH(ID(event), NUMBER(round), NUMBER(table), IDS(parties, count), NUMBER(at_ms)),
        DB_ERROR);
}

static const struct statement list_contested = {
    "contested_to_decide",
    "SELECT " PLACE_COLUMNS ", tillroll.to_ms(place.at)"
    " FROM tillroll.event_role AS office"
    " JOIN tillroll.contested_table AS place ON place.event_id = office.event_id"
    " JOIN tillroll.event ON event.id = place.event_id"
    " WHERE office.player_id = $1 AND event.state = 'running' AND NOT event.cancelled"
    " AND NOT " PERSON_OF("$1") " = ANY (place.parties)"
                                " ORDER BY place.at, place.event_id, place.round,"
                                " place.table_number LIMIT $2"};

static void read_contested(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct contested_table *table = element;
    *table = (struct contested_table){.place = read_place(rows, row, arena),
                                      .at_ms = row_integer(rows, row, PLACE_COLUMN_COUNT)};
}

enum db_status contested_to_decide(struct db *db, struct arena *arena, const struct id *player,
                                   size_t limit, struct contested_table **tables, size_t *count)
{
    return statement_list(db, arena, &list_contested, WITH(ID(player), NUMBER(limit)),
                          sizeof **tables, read_contested, tables, count);
}
