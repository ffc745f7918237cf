/* Games: one row per game, one per seat, and another per seat for its result, which is only added.
 */
#include "db/store/games/games.h"

#include <assert.h>
#include <string.h>

#include "db/link/statement.h"

/* A single statement, so that a game costs one round trip to the server, however many seats it has.
 */
static const struct statement create = {
    "game_create",
    "WITH made AS ("
    " INSERT INTO tillroll.game (id, event_id, round, table_number, slug, version, options,"
    "   started_at, board, clock, on_timeout, take_back, attempt,"
    "   delay_entries)"
    " VALUES ($1, $2, $3, $4, $5, $6, $7, tillroll.from_ms($8), $11, $12,"
    "   coalesce($13, 'arbiter'), $14, $15, $16)"
    " ON CONFLICT DO NOTHING RETURNING id"
    "), secret AS ("
    " INSERT INTO tillroll_vault.game_secret (game_id, sealed) SELECT id, $9 FROM made"
    "  WHERE $11 IS NULL"
    ") INSERT INTO tillroll.game_seat (game_id, seat, player_id)"
    " SELECT made.id, sitting.seat - 1, sitting.player_id"
    " FROM made, unnest($10::text[]::uuid[]) WITH ORDINALITY AS sitting (player_id, seat)"};

enum db_status game_create(struct db *db, const struct game_row *game, const uint8_t *sealed,
                           size_t sealed_size)
{
    assert(game->seats >= 1 && game->seats <= GAME_ROW_SEATS);
    assert((sealed == NULL) == (game->board > 0));
    struct span players[GAME_ROW_SEATS];
    for (unsigned seat = 0; seat < game->seats; seat++)
        players[seat] = span_of(game->seat[seat].player.text);
    return statement_change(
        db, &create,
        WITH(ID(&game->id), ID(&game->event),
             game->event.text[0] == '\0' ? POSITIVE(game->round) : NUMBER(game->round),
             POSITIVE(game->table), TEXT(game->slug), TEXT(game->version), TEXT(game->options),
             NUMBER(game->started_at_ms), BYTES(sealed, sealed_size), TEXTS(players, game->seats),
             POSITIVE(game->board), TEXT(game->clock), TEXT(game->on_timeout),
             FLAG(game->take_back), NUMBER(game->attempt > 1 ? game->attempt : 1),
             NUMBER(game->delay_entries)),
        DB_CONFLICT);
}

/* Players are given per seat, with the ids of their games. */
static const struct statement create_all = {
    "game_create_all",
    "WITH given AS ("
    " SELECT * FROM unnest($1::uuid[], $2::integer[], $3::integer[], $4::bytea[])"
    "  AS given (id, table_number, attempt, sealed)"
    "), made AS ("
    " INSERT INTO tillroll.game (id, event_id, round, table_number, slug, version, options,"
    "   started_at, clock, on_timeout, take_back, attempt, delay_entries)"
    " SELECT id, $5::uuid, $6::integer, table_number, $7::tillroll.ruleset_slug,"
    "   $8::tillroll.ruleset_version, $9::tillroll.json_object, tillroll.from_ms($10),"
    "   $11::text, coalesce($12::text, 'arbiter'), $13::boolean, attempt, $14::integer"
    "  FROM given"
    " ON CONFLICT DO NOTHING RETURNING id"
    "), secret AS ("
    " INSERT INTO tillroll_vault.game_secret (game_id, sealed)"
    "  SELECT id, sealed FROM made JOIN given USING (id)"
    "), sitting AS ("
    " INSERT INTO tillroll.game_seat (game_id, seat, player_id)"
    "  SELECT made.id, seat.number, seat.player_id FROM made"
    "  JOIN unnest($15::uuid[], $16::integer[], $17::uuid[]) AS seat (game_id, number, player_id)"
    "   ON seat.game_id = made.id"
    ") SELECT count(*) FROM made"};

/* The columns of games and of their seats. */
struct game_columns {
    struct id *ids, *seat_games, *players;
    int32_t *tables, *attempts, *seats;
    size_t seat_count;
};

static struct game_columns make_columns(struct arena *arena, const struct game_row *games,
                                        size_t count)
{
    size_t seats = count * GAME_ROW_SEATS;
    struct game_columns made = {.ids = arena_array(arena, count, sizeof *made.ids),
                                .seat_games = arena_array(arena, seats, sizeof *made.seat_games),
                                .players = arena_array(arena, seats, sizeof *made.players),
                                .tables = arena_array(arena, count, sizeof *made.tables),
                                .attempts = arena_array(arena, count, sizeof *made.attempts),
                                .seats = arena_array(arena, seats, sizeof *made.seats)};
    for (size_t i = 0; i < count; i++) {
        assert(games[i].board == 0 && games[i].seats >= 1 && games[i].seats <= GAME_ROW_SEATS);
        made.ids[i] = games[i].id;
        made.tables[i] = (int32_t)games[i].table;
        made.attempts[i] = games[i].attempt > 1 ? (int32_t)games[i].attempt : 1;
        for (unsigned seat = 0; seat < games[i].seats; seat++, made.seat_count++) {
            made.seat_games[made.seat_count] = games[i].id;
            made.seats[made.seat_count] = (int32_t)seat;
            made.players[made.seat_count] = games[i].seat[seat].player;
        }
    }
    return made;
}

enum db_status game_create_all(struct db *db, const struct game_row *games,
                               const struct span *sealed, size_t count)
{
    struct arena arena = {NULL};
    struct rows rows;
    const struct game_row *first = &games[0];
    if (count == 0)
        return DB_OK;
    const struct game_columns c = make_columns(&arena, games, count);
    enum db_status status = statement_row(
        db, &create_all,
        WITH(IDS(c.ids, count), INTEGERS(c.tables, count), INTEGERS(c.attempts, count),
             BYTE_STRINGS(sealed, count), ID(&first->event), NUMBER(first->round),
             TEXT(first->slug), TEXT(first->version), TEXT(first->options),
             NUMBER(first->started_at_ms), TEXT(first->clock), TEXT(first->on_timeout),
             FLAG(first->take_back), NUMBER(first->delay_entries), IDS(c.seat_games, c.seat_count),
             INTEGERS(c.seats, c.seat_count), IDS(c.players, c.seat_count)),
        &rows);
    arena_free(&arena);
    if (status != DB_OK)
        return status;
    bool all = row_integer(&rows, 0, 0) == (int64_t)count;
    rows_free(&rows);
    return all ? DB_OK : DB_CONFLICT;
}

static const struct statement find = {"game_find",
                                      GAME_ROW_COLUMNS " FROM tillroll.game" GAME_ROW_JOINS
                                                       " WHERE game.id = $1 ORDER BY seat.seat"};

enum db_status game_find(struct db *db, struct arena *arena, const struct id *id,
                         struct game_row *game)
{
    struct game_row *games;
    size_t count;
    enum db_status status = game_rows_list(db, arena, &find, WITH(ID(id)), &games, &count);
    if (status == DB_OK && count == 0)
        return DB_NONE;
    if (status == DB_OK)
        *game = games[0];
    return status;
}

static const struct statement lock = {
    "game_lock", "SELECT 1 FROM tillroll.game WHERE id = $1 FOR NO KEY UPDATE"};

enum db_status game_lock(struct db *db, const struct id *id)
{
    return statement_change(db, &lock, WITH(ID(id)), DB_NONE);
}

static const struct statement finish = {
    "game_finish", "UPDATE tillroll.game SET finished_at = tillroll.from_ms($2), voided = $3"
                   " WHERE id = $1 AND finished_at IS NULL"};

enum db_status game_end(struct db *db, const struct id *id, int64_t finished_at_ms, bool voided)
{
    return statement_change(db, &finish, WITH(ID(id), NUMBER(finished_at_ms), FLAG(voided)),
                            DB_CONFLICT);
}

enum db_status game_end_later(struct db *db, const struct id *id, int64_t finished_at_ms,
                              bool voided)
{
    return statement_later(db, &finish, WITH(ID(id), NUMBER(finished_at_ms), FLAG(voided)),
                           DB_CONFLICT);
}

static const struct statement store_result = {
    "game_result", "INSERT INTO tillroll.game_result (game_id, seat, score, rank)"
                   " SELECT $1, place - 1, score, rank FROM unnest($2::bigint[], $3::integer[])"
                   " WITH ORDINALITY AS seat (score, rank, place)"};

enum db_status game_score(struct db *db, const struct game_row *game)
{
    int64_t score[GAME_ROW_SEATS];
    int32_t rank[GAME_ROW_SEATS];
    for (unsigned seat = 0; seat < game->seats; seat++) {
        score[seat] = game->seat[seat].score;
        rank[seat] = (int32_t)game->seat[seat].rank;
    }
    return statement_later(
        db, &store_result,
        WITH(ID(&game->id), BIGINTS(score, game->seats), INTEGERS(rank, game->seats)), DB_ERROR);
}

static const struct statement set_seat = {
    "game_set_seat", "UPDATE tillroll.game_seat SET fallback = $3, forfeited = $4, player_id = $5,"
                     " timed_out = $6"
                     " WHERE game_id = $1 AND seat = $2"};

enum db_status game_set_seat(struct db *db, const struct id *id, unsigned number,
                             const struct game_row_seat *seat)
{
    return statement_change(db, &set_seat,
                            WITH(ID(id), NUMBER(number), FLAG(seat->fallback),
                                 FLAG(seat->forfeited), ID(&seat->player), FLAG(seat->timed_out)),
                            DB_NONE);
}

static const struct statement has_seated = {
    "game_has_seated", "SELECT EXISTS (SELECT FROM tillroll.game_seat WHERE game_id = $1"
                       " AND (player_id = $2 OR $2 = ANY (put_out)))"};

enum db_status game_has_seated(struct db *db, const struct id *id, const struct id *player,
                               bool *seated)
{
    return statement_value(db, &has_seated, WITH(ID(id), ID(player)), seated);
}

static const struct statement house_substitutes = {
    "game_house_substitutes",
    "SELECT coalesce(bit_or(1 << seat.seat), 0) FROM tillroll.game_seat AS seat"
    " WHERE seat.game_id = $1 AND seat.put_out <> '{}' AND EXISTS (SELECT FROM tillroll.player"
    "  WHERE player.id = ANY (seat.put_out[2:] || seat.player_id) AND player.house IS NOT NULL)"};

enum db_status game_house_substitutes(struct db *db, const struct id *id, unsigned *seats)
{
    return statement_value(db, &house_substitutes, WITH(ID(id)), seats);
}

static const struct statement list_all = {"game_list_all",
                                          "WITH page AS (SELECT * FROM tillroll.game WHERE id < $1 "
                                          "ORDER BY id DESC LIMIT $2" GAME_ROW_LISTED};

static const struct statement list_running = {
    "game_list_running",
    "WITH page AS (SELECT * FROM tillroll.game"
    " WHERE id < $1 AND finished_at IS NULL ORDER BY id DESC LIMIT $2" GAME_ROW_LISTED};

static const struct statement list_of_player = {
    "game_list_of_player", "WITH page AS (SELECT game.* FROM tillroll.game_seat AS own"
                           " JOIN tillroll.game ON game.id = own.game_id"
                           " WHERE own.player_id = $3 AND own.game_id < $1 ORDER BY own.game_id "
                           "DESC LIMIT $2" GAME_ROW_LISTED};

static const struct statement list_running_of_player = {
    "game_list_running_of_player",
    "WITH page AS (SELECT game.* FROM tillroll.game_seat AS own"
    " JOIN tillroll.game ON game.id = own.game_id"
    " WHERE own.player_id = $3 AND own.game_id < $1 AND game.finished_at IS NULL"
    " ORDER BY own.game_id DESC LIMIT $2" GAME_ROW_LISTED};

enum db_status game_list(struct db *db, struct arena *arena, const struct id *player, bool running,
                         const struct id *before, size_t limit, struct game_row **games,
                         size_t *count)
{
    bool anybody = player->text[0] == '\0';
    struct value of = {.kind = VALUE_END};
    if (!anybody)
        of = ID(player);
    const struct statement *of_anybody = running ? &list_running : &list_all;
    const struct statement *of_player = running ? &list_running_of_player : &list_of_player;
    return game_rows_list(db, arena, anybody ? of_anybody : of_player,
                          WITH(BEFORE(before), NUMBER(limit), of), games, count);
}

/* ---- Rows ---- */

static void read_game(const struct rows *rows, int row, struct arena *arena, struct game_row *game)
{
    game->id = row_id(rows, row, 0);
    game->event = row_id(rows, row, 1);
    game->round = row_unsigned(rows, row, 2);
    game->table = row_unsigned(rows, row, 3);
    game->slug = row_text(rows, row, 4, arena);
    game->version = row_text(rows, row, 5, arena);
    game->options = row_text(rows, row, 6, arena);
    game->finished = row_boolean(rows, row, 7);
    game->started_at_ms = row_integer(rows, row, 8);
    game->finished_at_ms = row_integer(rows, row, 9);
    game->board = row_unsigned(rows, row, 15);
    game->scored = row_boolean(rows, row, 16);
    game->voided = row_boolean(rows, row, 17);
    game->clock = row_text_or_null(rows, row, 21, arena);
    game->on_timeout = row_text(rows, row, 22, arena);
    game->take_back = row_boolean(rows, row, 23);
    game->attempt = row_unsigned(rows, row, 25);
    game->delay_entries = row_unsigned(rows, row, 26);
    game->seats = 0;
}

static void read_seat(const struct rows *rows, int row, struct arena *arena, struct game_row *game)
{
    assert(game->seats < GAME_ROW_SEATS);
    game->seat[game->seats++] = (struct game_row_seat){
        .player = row_id(rows, row, 10),
        .player_name = row_text(rows, row, 11, arena),
        .score = (int)row_integer(rows, row, 12),
        .rank = row_unsigned(rows, row, 13),
        .fallback = row_boolean(rows, row, 14),
        .forfeited = row_boolean(rows, row, 18),
        .first_player = row_id(rows, row, 19),
        .first_player_name = row_text(rows, row, 20, arena),
        .timed_out = row_boolean(rows, row, 24),
    };
}

static bool starts_game(const struct rows *rows, int row)
{
    if (row == 0)
        return true;
    struct id here = row_id(rows, row, 0);
    struct id before = row_id(rows, row - 1, 0);
    return !id_equal(&here, &before);
}

enum db_status game_rows_list(struct db *db, struct arena *arena, const struct statement *statement,
                              const struct value *values, struct game_row **games, size_t *count)
{
    struct rows rows;
    enum db_status status = statement_rows(db, statement, values, &rows);
    if (status != DB_OK)
        return status;
    *count = 0;
    *games = arena_array(arena, (size_t)rows.count, sizeof **games);
    for (int row = 0; row < rows.count; row++) {
        if (starts_game(&rows, row))
            read_game(&rows, row, arena, &(*games)[(*count)++]);
        read_seat(&rows, row, arena, &(*games)[*count - 1]);
    }
    rows_free(&rows);
    return DB_OK;
}

/* ---- Clocks ---- */

static const struct statement list = {
    "clock_games", "SELECT id FROM tillroll.game WHERE clock IS NOT NULL AND finished_at IS NULL"};

enum db_status clock_games(struct db *db, struct arena *arena, struct id **games, size_t *count)
{
    return statement_list(db, arena, &list, NULL, sizeof **games, row_read_id, games, count);
}

static const struct statement among = {"clock_games_among",
                                       "SELECT id FROM tillroll.game WHERE id = ANY ($1)"
                                       " AND clock IS NOT NULL AND finished_at IS NULL"};

enum db_status clock_games_among(struct db *db, struct arena *arena, const struct id *games,
                                 size_t count, struct id **found, size_t *found_count)
{
    return statement_list(db, arena, &among, WITH(IDS(games, count)), sizeof **found, row_read_id,
                          found, found_count);
}

static const struct statement lock_served = {
    "served_lock", "SELECT tillroll.to_ms(at), coalesce(tillroll.to_ms(gap_from), 0),"
                   " coalesce(tillroll.to_ms(gap_to), 0) FROM tillroll.served FOR UPDATE"};

enum db_status served_lock(struct db *db, struct served *served)
{
    struct rows rows;
    enum db_status status = statement_row(db, &lock_served, NULL, &rows);
    if (status != DB_OK)
        return status;
    *served = (struct served){.at_ms = row_integer(&rows, 0, 0),
                              .gap_from_ms = row_integer(&rows, 0, 1),
                              .gap_to_ms = row_integer(&rows, 0, 2)};
    rows_free(&rows);
    return DB_OK;
}

static const struct statement store = {"served_store",
                                       "UPDATE tillroll.served SET at = tillroll.from_ms($1),"
                                       " gap_from = tillroll.from_ms(nullif($2::bigint, 0)),"
                                       " gap_to = tillroll.from_ms(nullif($3::bigint, 0))"};

enum db_status served_store(struct db *db, const struct served *served)
{
    return statement_change(
        db, &store,
        WITH(NUMBER(served->at_ms), NUMBER(served->gap_from_ms), NUMBER(served->gap_to_ms)),
        DB_ERROR);
}
