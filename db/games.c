/* Games: one row each, one per seat, and one per seat again for its result, which is only added. */
#include "db/games.h"

#include <assert.h>
#include <string.h>

#include "db/game_rows.h"
#include "db/statement.h"

/* One statement, so that a game costs one turn to the server however many seats it has. */
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

static void parameter_seats(struct parameters *p, struct arena *arena, const struct game_row *game)
{
    struct span players[GAME_ROW_SEATS];
    for (unsigned seat = 0; seat < game->seats; seat++)
        players[seat] = span_of(game->seat[seat].player.text);
    parameter_array_text(p, arena, players, game->seats);
}

enum db_status game_create(struct db *db, const struct game_row *game, const uint8_t *sealed,
                           size_t sealed_size)
{
    assert(game->seats >= 1 && game->seats <= GAME_ROW_SEATS);
    assert((sealed == NULL) == (game->board > 0));
    struct arena arena = {NULL};
    struct parameters p = {0};
    parameter_id(&p, &game->id);
    parameter_id(&p, &game->event);
    if (game->event.text[0] == '\0')
        parameter_positive(&p, game->round);
    else
        parameter_integer(&p, game->round);
    parameter_positive(&p, game->table);
    parameter_text(&p, game->slug);
    parameter_text(&p, game->version);
    parameter_text(&p, game->options);
    parameter_integer(&p, game->started_at_ms);
    parameter_bytes(&p, sealed, sealed_size);
    parameter_seats(&p, &arena, game);
    parameter_positive(&p, game->board);
    parameter_text(&p, game->clock);
    parameter_text(&p, game->on_timeout);
    parameter_boolean(&p, game->take_back);
    parameter_integer(&p, game->attempt > 1 ? game->attempt : 1);
    parameter_integer(&p, game->delay_entries);
    enum db_status status = statement_change(db, &create, &p, DB_CONFLICT);
    arena_free(&arena);
    return status;
}

static const struct statement find = {"game_find",
                                      GAME_ROW_COLUMNS " FROM tillroll.game" GAME_ROW_JOINS
                                                       " WHERE game.id = $1 ORDER BY seat.seat"};

enum db_status game_find(struct db *db, struct arena *arena, const struct id *id,
                         struct game_row *game)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    struct rows rows;
    enum db_status status = statement_row(db, &find, &p, &rows);
    if (status != DB_OK)
        return status;
    struct game_row *games;
    size_t count;
    game_rows_read(&rows, arena, &games, &count);
    *game = games[0];
    return DB_OK;
}

static const struct statement lock = {
    "game_lock", "SELECT 1 FROM tillroll.game WHERE id = $1 FOR NO KEY UPDATE"};

enum db_status game_lock(struct db *db, const struct id *id)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    return statement_change(db, &lock, &p, DB_NONE);
}

/* Of the game `id`. */
#define SECRET_OF(id)                                                                              \
    "SELECT sealed FROM tillroll_vault.game_secret WHERE game_id = " id                            \
    " UNION ALL SELECT sealed FROM tillroll.game"                                                  \
    " JOIN tillroll_vault.round_secret AS secret"                                                  \
    "  ON secret.event_id = game.event_id AND secret.number = game.round"                          \
    " WHERE game.id = " id " AND game.board IS NOT NULL"

static const struct statement secret = {"game_secret", SECRET_OF("$1")};

enum db_status game_secret(struct db *db, struct arena *arena, const struct id *id,
                           const uint8_t **sealed, size_t *size)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    struct rows rows;
    enum db_status status = statement_row(db, &secret, &p, &rows);
    if (status != DB_OK)
        return status;
    *sealed = row_bytes(&rows, 0, 0, arena, size);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement secrets = {
    "game_secrets", "SELECT given.place, found.sealed"
                    " FROM unnest($1::uuid[]) WITH ORDINALITY AS given (id, place)"
                    " CROSS JOIN LATERAL (" SECRET_OF("given.id") ") AS found"};

enum db_status game_secrets(struct db *db, struct arena *arena, const struct id *ids, size_t count,
                            struct span *sealed)
{
    struct parameters p = {0};
    struct rows rows;
    parameter_array_id(&p, arena, ids, count);
    enum db_status status = statement_rows(db, &secrets, &p, &rows);
    if (status != DB_OK)
        return status;
    memset(sealed, 0, count * sizeof *sealed);
    for (int row = 0; row < rows.count; row++) {
        struct span *found = &sealed[row_integer(&rows, row, 0) - 1];
        found->at = (const char *)row_bytes(&rows, row, 1, arena, &found->length);
    }
    rows_free(&rows);
    return DB_OK;
}

static const struct statement finish = {
    "game_finish", "UPDATE tillroll.game SET finished_at = tillroll.from_ms($2), voided = $3"
                   " WHERE id = $1 AND finished_at IS NULL"};

enum db_status game_end(struct db *db, const struct id *id, int64_t finished_at_ms, bool voided)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    parameter_integer(&p, finished_at_ms);
    parameter_boolean(&p, voided);
    return statement_change(db, &finish, &p, DB_CONFLICT);
}

static const struct statement store_result = {
    "game_result", "INSERT INTO tillroll.game_result (game_id, seat, score, rank)"
                   " SELECT $1, place - 1, score, rank FROM unnest($2::bigint[], $3::integer[])"
                   " WITH ORDINALITY AS seat (score, rank, place)"};

enum db_status game_score(struct db *db, const struct game_row *game)
{
    int64_t score[GAME_ROW_SEATS];
    int32_t rank[GAME_ROW_SEATS];
    struct arena arena = {NULL};
    struct parameters p = {0};
    for (unsigned seat = 0; seat < game->seats; seat++) {
        score[seat] = game->seat[seat].score;
        rank[seat] = (int32_t)game->seat[seat].rank;
    }
    parameter_id(&p, &game->id);
    parameter_array_bigint(&p, &arena, score, game->seats);
    parameter_array_integer(&p, &arena, rank, game->seats);
    enum db_status status = statement_change(db, &store_result, &p, DB_ERROR);
    arena_free(&arena);
    return status;
}

static const struct statement set_seat = {
    "game_set_seat", "UPDATE tillroll.game_seat SET fallback = $3, forfeited = $4, player_id = $5,"
                     " timed_out = $6"
                     " WHERE game_id = $1 AND seat = $2"};

enum db_status game_set_seat(struct db *db, const struct id *id, unsigned number,
                             const struct game_row_seat *seat)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    parameter_integer(&p, number);
    parameter_boolean(&p, seat->fallback);
    parameter_boolean(&p, seat->forfeited);
    parameter_id(&p, &seat->player);
    parameter_boolean(&p, seat->timed_out);
    return statement_change(db, &set_seat, &p, DB_NONE);
}

static const struct statement has_seated = {
    "game_has_seated", "SELECT EXISTS (SELECT FROM tillroll.game_seat WHERE game_id = $1"
                       " AND (player_id = $2 OR $2 = ANY (put_out)))"};

enum db_status game_has_seated(struct db *db, const struct id *id, const struct id *player,
                               bool *seated)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    parameter_id(&p, player);
    struct rows rows;
    enum db_status status = statement_row(db, &has_seated, &p, &rows);
    if (status != DB_OK)
        return status;
    *seated = row_boolean(&rows, 0, 0);
    rows_free(&rows);
    return DB_OK;
}

/* The page is cut before the seats are joined, so that the limit counts games. */
#define LISTED                                                                                     \
    ") " GAME_ROW_COLUMNS " FROM page AS game" GAME_ROW_JOINS " ORDER BY game.id DESC, seat.seat"

static const struct statement list_all = {
    "game_list_all",
    "WITH page AS (SELECT * FROM tillroll.game WHERE id < $1 ORDER BY id DESC LIMIT $2" LISTED};

static const struct statement list_running = {
    "game_list_running", "WITH page AS (SELECT * FROM tillroll.game"
                         " WHERE id < $1 AND finished_at IS NULL ORDER BY id DESC LIMIT $2" LISTED};

static const struct statement list_of_player = {
    "game_list_of_player",
    "WITH page AS (SELECT game.* FROM tillroll.game_seat AS own"
    " JOIN tillroll.game ON game.id = own.game_id"
    " WHERE own.player_id = $3 AND own.game_id < $1 ORDER BY own.game_id DESC LIMIT $2" LISTED};

static const struct statement list_running_of_player = {
    "game_list_running_of_player",
    "WITH page AS (SELECT game.* FROM tillroll.game_seat AS own"
    " JOIN tillroll.game ON game.id = own.game_id"
    " WHERE own.player_id = $3 AND own.game_id < $1 AND game.finished_at IS NULL"
    " ORDER BY own.game_id DESC LIMIT $2" LISTED};

enum db_status game_list(struct db *db, struct arena *arena, const struct id *player, bool running,
                         const struct id *before, size_t limit, struct game_row **games,
                         size_t *count)
{
    bool anybody = player->text[0] == '\0';
    struct parameters p = {0};
    parameter_id_before(&p, before);
    parameter_integer(&p, (int64_t)limit);
    if (!anybody)
        parameter_id(&p, player);
    const struct statement *of_anybody = running ? &list_running : &list_all;
    const struct statement *of_player = running ? &list_running_of_player : &list_of_player;
    struct rows rows;
    enum db_status status = statement_rows(db, anybody ? of_anybody : of_player, &p, &rows);
    if (status == DB_OK)
        game_rows_read(&rows, arena, games, count);
    return status;
}
