/* The database returns one row per seat; the rows of a game are consecutive, in seat order. */
#include "db/store/games/waiting_games.h"

#include <assert.h>
#include <string.h>

#include "db/link/statement.h"

static const char *const state_names[] = {
    [WAITING_OPEN] = NULL, [WAITING_STARTED] = "started", [WAITING_DROPPED] = "dropped"};

/* ---- Adding ---- */

static const struct statement add = {
    "waiting_add",
    "WITH made AS ("
    " INSERT INTO tillroll.waiting_game (game_id, event_id, round, table_number, attempt, since,"
    "   due_at, commitment)"
    " VALUES ($1, $2, $3, $4, $5, tillroll.from_ms($6), tillroll.from_ms($7), $8)"
    " RETURNING game_id"
    "), secret AS ("
    " INSERT INTO tillroll_vault.waiting_secret (game_id, sealed) SELECT game_id, $9 FROM made"
    ") INSERT INTO tillroll.waiting_seat (game_id, seat, player_id)"
    " SELECT made.game_id, sitting.seat - 1, sitting.player_id"
    " FROM made, unnest($10::uuid[]) WITH ORDINALITY AS sitting (player_id, seat)"};

enum db_status waiting_add(struct db *db, const struct waiting_game *waiting, const uint8_t *sealed,
                           size_t sealed_size)
{
    assert(waiting->seats >= 1 && waiting->seats <= GAME_ROW_SEATS);
    struct id players[GAME_ROW_SEATS];
    for (unsigned seat = 0; seat < waiting->seats; seat++)
        players[seat] = waiting->seat[seat].player;
    return statement_change(db, &add,
                            WITH(ID(&waiting->id), ID(&waiting->event), NUMBER(waiting->round),
                                 NUMBER(waiting->table), NUMBER(waiting->attempt),
                                 NUMBER(waiting->since_ms), NUMBER(waiting->due_ms),
                                 BYTES(waiting->commitment, sizeof waiting->commitment),
                                 BYTES(sealed, sealed_size), IDS(players, waiting->seats)),
                            DB_ERROR);
}

/* ---- Reading ---- */

#define WAITING_COLUMNS                                                                            \
    "SELECT waiting.game_id, waiting.event_id, waiting.round, waiting.table_number,"               \
    " waiting.attempt, tillroll.to_ms(waiting.since), tillroll.to_ms(waiting.due_at),"             \
    " waiting.commitment, coalesce(waiting.ended, ''), seat.player_id, player.name,"               \
    " given.entropy, given.signature,"                                                             \
    " EXISTS (SELECT FROM tillroll.dealing WHERE dealing.game_id = waiting.game_id)"

#define WAITING_JOINS                                                                              \
    " JOIN tillroll.waiting_seat AS seat ON seat.game_id = waiting.game_id"                        \
    " JOIN tillroll.player ON player.id = seat.player_id"                                          \
    " LEFT JOIN tillroll_vault.entropy AS given"                                                   \
    "  ON given.game_id = seat.game_id AND given.seat = seat.seat"

static enum waiting_state read_state(const char *name)
{
    if (name[0] == '\0')
        return WAITING_OPEN;
    return strcmp(name, state_names[WAITING_STARTED]) == 0 ? WAITING_STARTED : WAITING_DROPPED;
}

static void read_game(const struct rows *rows, int row, struct arena *arena,
                      struct waiting_game *waiting)
{
    *waiting = (struct waiting_game){.id = row_id(rows, row, 0),
                                     .event = row_id(rows, row, 1),
                                     .round = row_unsigned(rows, row, 2),
                                     .table = row_unsigned(rows, row, 3),
                                     .attempt = row_unsigned(rows, row, 4),
                                     .since_ms = row_integer(rows, row, 5),
                                     .due_ms = row_integer(rows, row, 6),
                                     .state = read_state(row_text(rows, row, 8, arena)),
                                     .asked = row_boolean(rows, row, 13)};
    row_hash(rows, row, 7, waiting->commitment);
}

static size_t copy_bytes(const struct rows *rows, int row, int column, struct arena *arena,
                         uint8_t *to, size_t most)
{
    size_t size;
    const uint8_t *bytes = row_bytes(rows, row, column, arena, &size);
    size = size < most ? size : most;
    memcpy(to, bytes, size);
    return size;
}

static void read_seat(const struct rows *rows, int row, struct arena *arena,
                      struct waiting_seat *seat)
{
    *seat = (struct waiting_seat){.player = row_id(rows, row, 9),
                                  .player_name = row_text(rows, row, 10, arena)};
    if (row_is_null(rows, row, 11))
        return;
    seat->given.size =
        copy_bytes(rows, row, 11, arena, seat->given.bytes, sizeof seat->given.bytes);
    seat->given.is_signed = !row_is_null(rows, row, 12);
    if (seat->given.is_signed)
        copy_bytes(rows, row, 12, arena, seat->given.signature, sizeof seat->given.signature);
}

static void read_rows(struct rows *rows, struct arena *arena, struct waiting_game **waiting,
                      size_t *count)
{
    *count = 0;
    *waiting = arena_array(arena, (size_t)rows->count, sizeof **waiting);
    for (int row = 0; row < rows->count; row++) {
        struct id id = row_id(rows, row, 0);
        if (*count == 0 || !id_equal(&(*waiting)[*count - 1].id, &id))
            read_game(rows, row, arena, &(*waiting)[(*count)++]);
        struct waiting_game *last = &(*waiting)[*count - 1];
        assert(last->seats < GAME_ROW_SEATS);
        read_seat(rows, row, arena, &last->seat[last->seats++]);
    }
    rows_free(rows);
}

static enum db_status list_waiting(struct db *db, const struct statement *statement,
                                   const struct value *p, struct arena *arena,
                                   struct waiting_game **waiting, size_t *count)
{
    struct rows rows;
    enum db_status status = statement_rows(db, statement, p, &rows);
    if (status == DB_OK)
        read_rows(&rows, arena, waiting, count);
    return status;
}

static const struct statement find = {"waiting_find", WAITING_COLUMNS
                                      " FROM tillroll.waiting_game AS waiting" WAITING_JOINS
                                      " WHERE waiting.game_id = $1 ORDER BY seat.seat"};

enum db_status waiting_find(struct db *db, struct arena *arena, const struct id *id,
                            struct waiting_game *waiting)
{
    struct waiting_game *found;
    size_t count;
    enum db_status status = list_waiting(db, &find, WITH(ID(id)), arena, &found, &count);
    if (status == DB_OK && count > 0)
        *waiting = found[0];
    return status == DB_OK && count == 0 ? DB_NONE : status;
}

static const struct statement lock = {
    "waiting_lock", "SELECT 1 FROM tillroll.waiting_game WHERE game_id = $1 FOR NO KEY UPDATE"};

enum db_status waiting_lock(struct db *db, const struct id *id)
{
    return statement_change(db, &lock, WITH(ID(id)), DB_NONE);
}

/* The limit is applied before the seats are joined, so that it counts games. */
#define WAITING_LISTED                                                                             \
    " ORDER BY due_at, game_id LIMIT 100) " WAITING_COLUMNS                                        \
    " FROM listed AS waiting" WAITING_JOINS " ORDER BY waiting.due_at, waiting.game_id, seat.seat"

static const struct statement of_player = {
    "waiting_of_player", "WITH listed AS (SELECT waiting.* FROM tillroll.waiting_seat AS own"
                         " JOIN tillroll.waiting_game AS waiting ON waiting.game_id = own.game_id"
                         " WHERE own.player_id = $1 AND waiting.ended IS NULL" WAITING_LISTED};

enum db_status waiting_of_player(struct db *db, struct arena *arena, const struct id *player,
                                 struct waiting_game **waiting, size_t *count)
{
    return list_waiting(db, &of_player, WITH(ID(player)), arena, waiting, count);
}

static const struct statement of_event = {"waiting_of_event",
                                          "WITH listed AS (SELECT * FROM tillroll.waiting_game"
                                          " WHERE event_id = $1 AND ended IS NULL" WAITING_LISTED};

enum db_status waiting_of_event(struct db *db, struct arena *arena, const struct id *event,
                                struct waiting_game **waiting, size_t *count)
{
    return list_waiting(db, &of_event, WITH(ID(event)), arena, waiting, count);
}

static const struct statement due = {
    "waiting_due",
    "WITH listed AS (SELECT * FROM tillroll.waiting_game"
    " WHERE due_at <= tillroll.from_ms($1) AND ended IS NULL AND NOT EXISTS"
    "  (SELECT FROM tillroll.dealing WHERE dealing.game_id = waiting_game.game_id)" WAITING_LISTED};

enum db_status waiting_due(struct db *db, struct arena *arena, int64_t now_ms,
                           struct waiting_game **waiting, size_t *count)
{
    return list_waiting(db, &due, WITH(NUMBER(now_ms)), arena, waiting, count);
}

static const struct statement has_seat = {
    "waiting_has_seat",
    "SELECT 1 FROM tillroll.waiting_seat WHERE game_id = $1 AND player_id = $2"};

enum db_status waiting_has_seat(struct db *db, const struct id *id, const struct id *player)
{
    return statement_change(db, &has_seat, WITH(ID(id), ID(player)), DB_NONE);
}

/* ---- Changing ---- */

static const struct statement give = {
    "waiting_give",
    "INSERT INTO tillroll_vault.entropy (game_id, seat, entropy, signature, given_at)"
    " VALUES ($1, $2, $3, $4, tillroll.from_ms($5)) ON CONFLICT DO NOTHING"};

enum db_status waiting_give(struct db *db, const struct id *id, unsigned seat,
                            const struct entropy *given, int64_t now_ms)
{
    return statement_change(
        db, &give,
        WITH(ID(id), NUMBER(seat), BYTES(given->bytes, given->size),
             BYTES(given->is_signed ? given->signature : NULL, sizeof given->signature),
             NUMBER(now_ms)),
        DB_CONFLICT);
}

static const struct statement end = {
    "waiting_end",
    "UPDATE tillroll.waiting_game SET ended = $2 WHERE game_id = $1 AND ended IS NULL"};

enum db_status waiting_end(struct db *db, const struct id *id, enum waiting_state state)
{
    return statement_change(db, &end, WITH(ID(id), TEXT(state_names[state])), DB_CONFLICT);
}
