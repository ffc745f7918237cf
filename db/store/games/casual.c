#include "db/store/games/casual.h"

#include <string.h>

#include "db/link/statement.h"
#include "db/store/service/person.h"

/* ---- Creating ---- */

static const struct statement create = {
    "casual_create",
    "WITH made AS ("
    " INSERT INTO tillroll.casual_table (id, code, creator_id, slug, version, options, clock, "
    "seats,"
    "   listed, rated, created_at, rematch_of, components)"
    " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, tillroll.from_ms($11), $12, $14)"
    " ON CONFLICT DO NOTHING RETURNING id, creator_id"
    ") INSERT INTO tillroll.casual_seat (table_id, player_id, number, taken)"
    " SELECT made.id, sitting.player_id, sitting.number, sitting.player_id = made.creator_id"
    " FROM made, unnest($13::uuid[]) WITH ORDINALITY AS sitting (player_id, number)"};

enum db_status casual_create(struct db *db, const struct casual_table *table)
{
    struct id players[GAME_ROW_SEATS];
    for (unsigned i = 0; i < table->filled; i++)
        players[i] = table->seat[i].player;
    return statement_change(
        db, &create,
        WITH(ID(&table->id), TEXT(table->code), ID(&table->creator), TEXT(table->slug),
             TEXT(table->version), TEXT(table->options), TEXT(table->clock), NUMBER(table->seats),
             FLAG(table->listed), FLAG(table->rated), NUMBER(table->created_at_ms),
             ID(&table->rematch_of), IDS(players, table->filled), BYTES(table->set, 32)),
        DB_CONFLICT);
}

/* ---- Rows ---- */

/* One row per seat; the rows of a table are consecutive. */
#define CASUAL_COLUMNS                                                                             \
    "SELECT casual.id, casual.code, casual.creator_id, casual.slug, casual.version,"               \
    " casual.options, casual.clock, casual.seats, casual.listed, casual.rated,"                    \
    " tillroll.to_ms(casual.created_at), casual.game_id, casual.rematch_of,"                       \
    " casual.components, seat.player_id, player.name, player.guest, seat.taken"

#define CASUAL_JOINS                                                                               \
    " JOIN tillroll.casual_seat AS seat ON seat.table_id = casual.id"                              \
    " JOIN tillroll.player ON player.id = seat.player_id"

static struct casual_table read_table(const struct rows *rows, int row, struct arena *arena)
{
    size_t size;
    return (struct casual_table){
        .id = row_id(rows, row, 0),
        .code = row_text(rows, row, 1, arena),
        .creator = row_id(rows, row, 2),
        .slug = row_text(rows, row, 3, arena),
        .version = row_text(rows, row, 4, arena),
        .options = row_text(rows, row, 5, arena),
        .clock = row_text(rows, row, 6, arena),
        .seats = row_unsigned(rows, row, 7),
        .listed = row_boolean(rows, row, 8),
        .rated = row_boolean(rows, row, 9),
        .created_at_ms = row_integer(rows, row, 10),
        .game = row_id(rows, row, 11),
        .rematch_of = row_id(rows, row, 12),
        .set = row_is_null(rows, row, 13) ? NULL : row_bytes(rows, row, 13, arena, &size)};
}

static enum db_status list_tables(struct db *db, struct arena *arena,
                                  const struct statement *statement, const struct value *values,
                                  struct casual_table **tables, size_t *count)
{
    struct rows rows;
    enum db_status status = statement_rows(db, statement, values, &rows);
    if (status != DB_OK)
        return status;
    *tables = arena_array(arena, (size_t)rows.count, sizeof **tables);
    *count = 0;
    for (int row = 0; row < rows.count; row++) {
        const struct id id = row_id(&rows, row, 0);
        if (*count == 0 || !id_equal(&(*tables)[*count - 1].id, &id))
            (*tables)[(*count)++] = read_table(&rows, row, arena);
        struct casual_table *table = &(*tables)[*count - 1];
        if (table->filled < GAME_ROW_SEATS)
            table->seat[table->filled++] =
                (struct casual_seat){.player = row_id(&rows, row, 14),
                                     .name = row_text(&rows, row, 15, arena),
                                     .guest = row_boolean(&rows, row, 16),
                                     .taken = row_boolean(&rows, row, 17)};
    }
    rows_free(&rows);
    return DB_OK;
}

/* ---- One table ---- */

static const struct statement lock_table = {
    "casual_lock", "SELECT 1 FROM tillroll.casual_table WHERE id = $1 FOR NO KEY UPDATE"};

static const struct statement find = {"casual_find", CASUAL_COLUMNS
                                      " FROM tillroll.casual_table AS casual" CASUAL_JOINS
                                      " WHERE casual.id = $1 ORDER BY seat.number, seat.player_id"};

enum db_status casual_find(struct db *db, struct arena *arena, const struct id *id, bool lock,
                           struct casual_table *table)
{
    struct casual_table *tables;
    size_t count;
    const struct value *p = WITH(ID(id));
    enum db_status status = lock ? statement_change(db, &lock_table, p, DB_NONE) : DB_OK;
    if (status == DB_OK)
        status = list_tables(db, arena, &find, p, &tables, &count);
    if (status == DB_OK && count == 0)
        return DB_NONE;
    if (status == DB_OK)
        *table = tables[0];
    return status;
}

static const struct statement by_code = {"casual_by_code", "SELECT id FROM tillroll.casual_table"
                                                           " WHERE code = $1"};

enum db_status casual_by_code(struct db *db, const char *code, struct id *id)
{
    return statement_value(db, &by_code, WITH(TEXT(code)), id);
}

static const struct statement rematch = {
    "casual_rematch", "SELECT id FROM tillroll.casual_table WHERE rematch_of = $1"};

enum db_status casual_rematch(struct db *db, const struct id *game, struct id *id)
{
    return statement_value(db, &rematch, WITH(ID(game)), id);
}

static const struct statement is_unrated = {
    "casual_is_unrated", "SELECT 1 FROM tillroll.casual_table WHERE game_id = $1 AND NOT rated"};

enum db_status casual_is_unrated(struct db *db, const struct id *game)
{
    return statement_change(db, &is_unrated, WITH(ID(game)), DB_NONE);
}

static const struct statement of_game = {"casual_of_game",
                                         "SELECT id FROM tillroll.casual_table WHERE game_id = $1"};

enum db_status casual_of_game(struct db *db, const struct id *game, struct id *id)
{
    return statement_value(db, &of_game, WITH(ID(game)), id);
}

/* ---- Lists ---- */

/* The limit is applied before the seats are joined, so that it counts tables. */
#define LISTED                                                                                     \
    ") " CASUAL_COLUMNS " FROM page AS casual" CASUAL_JOINS                                        \
    " ORDER BY casual.id DESC, seat.number, seat.player_id"

static const struct statement list = {
    "casual_list", "WITH page AS (SELECT * FROM tillroll.casual_table"
                   " WHERE game_id IS NULL AND listed AND id < $1"
                   " AND created_at > tillroll.from_ms($2) AND ($4::text IS NULL OR slug = $4)"
                   " ORDER BY id DESC LIMIT $3" LISTED};

enum db_status casual_list(struct db *db, struct arena *arena, const char *slug, int64_t since_ms,
                           const struct id *before, size_t limit, struct casual_table **tables,
                           size_t *count)
{
    return list_tables(db, arena, &list,
                       WITH(BEFORE(before), NUMBER(since_ms), NUMBER(limit), TEXT(slug)), tables,
                       count);
}

static const struct statement list_of_player = {
    "casual_list_of_player",
    "WITH page AS (SELECT casual.* FROM tillroll.casual_seat AS own"
    " JOIN tillroll.casual_table AS casual ON casual.id = own.table_id"
    " WHERE own.player_id = $1 AND casual.game_id IS NULL"
    " AND casual.created_at > tillroll.from_ms($2) ORDER BY casual.id DESC LIMIT $3" LISTED};

enum db_status casual_list_of_player(struct db *db, struct arena *arena, const struct id *player,
                                     int64_t since_ms, size_t limit, struct casual_table **tables,
                                     size_t *count)
{
    return list_tables(db, arena, &list_of_player,
                       WITH(ID(player), NUMBER(since_ms), NUMBER(limit)), tables, count);
}

static const struct statement count_open = {
    "casual_count", "SELECT count(*) FROM (SELECT FROM tillroll.casual_table WHERE game_id IS NULL"
                    " AND created_at > tillroll.from_ms($1) LIMIT $2) AS waiting"};

enum db_status casual_count(struct db *db, int64_t since_ms, unsigned most, unsigned *count)
{
    return statement_value(db, &count_open, WITH(NUMBER(since_ms), NUMBER(most)), count);
}

#define PLAYERS_OF_PERSON PERSON_PLAYERS_OF("$1")

/* OFFSET prevents the server from collecting all tables and games first. */
static const struct statement count_of_player = {
    "casual_count_of_player",
    "SELECT count(*)"
    " FROM unnest(CASE WHEN $3 THEN " PLAYERS_OF_PERSON " ELSE ARRAY[$1::uuid] END) AS player (id)"
    " CROSS JOIN LATERAL (SELECT own.table_id FROM tillroll.casual_seat AS own"
    "  WHERE own.player_id = player.id AND own.taken OFFSET 0) AS own"
    " CROSS JOIN LATERAL (SELECT FROM tillroll.casual_table AS casual"
    "  WHERE casual.id = own.table_id AND CASE WHEN casual.game_id IS NULL"
    "   THEN casual.created_at > tillroll.from_ms($2)"
    "   ELSE EXISTS (SELECT FROM tillroll.game WHERE game.id = casual.game_id"
    "     AND game.finished_at IS NULL OFFSET 0)"
    "    AND NOT EXISTS (SELECT FROM tillroll.game_seat AS seat"
    "     WHERE seat.game_id = casual.game_id AND seat.player_id = player.id"
    "     AND seat.forfeited OFFSET 0) END OFFSET 0) AS casual"};

enum db_status casual_count_of_player(struct db *db, const struct id *player, bool person,
                                      int64_t since_ms, unsigned *count)
{
    return statement_value(db, &count_of_player, WITH(ID(player), NUMBER(since_ms), FLAG(person)),
                           count);
}

/* ---- Seats, start and end ---- */

static const struct statement take_seat = {
    "casual_take_seat",
    "INSERT INTO tillroll.casual_seat (table_id, player_id, number, taken)"
    " SELECT $1, $2, coalesce(max(number), 0) + 1, true FROM tillroll.casual_seat"
    "  WHERE table_id = $1"
    " ON CONFLICT (table_id, player_id) DO UPDATE SET taken = true"};

enum db_status casual_take_seat(struct db *db, const struct id *table, const struct id *player)
{
    return statement_change(db, &take_seat, WITH(ID(table), ID(player)), DB_ERROR);
}

static const struct statement leave_seat = {
    "casual_leave_seat", "DELETE FROM tillroll.casual_seat WHERE table_id = $1 AND player_id = $2"};

enum db_status casual_leave_seat(struct db *db, const struct id *table, const struct id *player)
{
    return statement_change(db, &leave_seat, WITH(ID(table), ID(player)), DB_NONE);
}

static const struct statement start = {
    "casual_start",
    "UPDATE tillroll.casual_table SET game_id = $2 WHERE id = $1 AND game_id IS NULL"};

enum db_status casual_start(struct db *db, const struct id *table, const struct id *game)
{
    return statement_change(db, &start, WITH(ID(table), ID(game)), DB_CONFLICT);
}

static const struct statement delete_table = {
    "casual_delete", "DELETE FROM tillroll.casual_table WHERE id = $1 AND game_id IS NULL"};

enum db_status casual_delete(struct db *db, const struct id *table)
{
    return statement_change(db, &delete_table, WITH(ID(table)), DB_NONE);
}
