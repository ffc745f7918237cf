#include "db/players.h"

#include "db/statement.h"

enum { ORIGIN_BYTES = 32 };

static const struct statement create = {
    "player_create", "INSERT INTO tillroll.player (id, name, password_hash, created_at, owner_id,"
                     " origin) VALUES ($1, $2, $3, tillroll.from_ms($4), $5, $6)"
                     " ON CONFLICT DO NOTHING"};

enum db_status player_create(struct db *db, const struct player *player)
{
    struct parameters p = {0};
    parameter_id(&p, &player->id);
    parameter_text(&p, player->name);
    parameter_text(&p, player->password_hash);
    parameter_integer(&p, player->created_at_ms);
    parameter_id(&p, &player->owner);
    parameter_bytes(&p, player->origin, ORIGIN_BYTES);
    return statement_change(db, &create, &p, DB_CONFLICT);
}

#define PLAYER_COLUMNS                                                                             \
    "id, name, tillroll.to_ms(created_at), owner_id, roles, deleted_at IS NOT NULL, origin"

/* Columns: PLAYER_COLUMNS. */
static void read_player(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct player *player = element;
    player->id = row_id(rows, row, 0);
    player->name = row_text(rows, row, 1, arena);
    player->password_hash = NULL;
    player->created_at_ms = row_integer(rows, row, 2);
    player->owner = row_id(rows, row, 3);
    player->roles = row_unsigned(rows, row, 4);
    player->deleted = row_boolean(rows, row, 5);
    size_t size;
    player->origin = row_is_null(rows, row, 6) ? NULL : row_bytes(rows, row, 6, arena, &size);
}

static const struct statement by_id = {"player_by_id", "SELECT " PLAYER_COLUMNS
                                                       " FROM tillroll.player WHERE id = $1"};

enum db_status player_by_id(struct db *db, struct arena *arena, const struct id *id,
                            struct player *player)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    struct rows rows;
    enum db_status status = statement_row(db, &by_id, &p, &rows);
    if (status != DB_OK)
        return status;
    read_player(&rows, 0, arena, player);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement by_name = {
    "player_by_name", "SELECT " PLAYER_COLUMNS ", password_hash FROM tillroll.player"
                      " WHERE tillroll.name_key(name) = tillroll.name_key($1)"
                      " AND origin IS NULL"};

enum db_status player_by_name(struct db *db, struct arena *arena, const char *name,
                              struct player *player)
{
    struct parameters p = {0};
    parameter_text(&p, name);
    struct rows rows;
    enum db_status status = statement_row(db, &by_name, &p, &rows);
    if (status != DB_OK)
        return status;
    read_player(&rows, 0, arena, player);
    if (!row_is_null(&rows, 0, 7))
        player->password_hash = row_text(&rows, 0, 7, arena);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement password = {"player_password",
                                          "SELECT password_hash FROM tillroll.player"
                                          " WHERE id = $1 AND password_hash IS NOT NULL"};

enum db_status player_password(struct db *db, struct arena *arena, const struct id *id,
                               const char **password_hash)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    struct rows rows;
    enum db_status status = statement_row(db, &password, &p, &rows);
    if (status != DB_OK)
        return status;
    *password_hash = row_text(&rows, 0, 0, arena);
    rows_free(&rows);
    return DB_OK;
}

/* ---- Lists ---- */

static enum db_status read_list(struct db *db, struct arena *arena,
                                const struct statement *statement, const struct parameters *p,
                                struct player **players, size_t *count)
{
    enum db_status status;
    *players =
        statement_list(db, arena, statement, p, sizeof **players, read_player, count, &status);
    return status;
}

static const struct statement list = {"player_list",
                                      "SELECT " PLAYER_COLUMNS
                                      " FROM tillroll.player WHERE id > $1 ORDER BY id LIMIT $2"};

enum db_status player_list(struct db *db, struct arena *arena, const struct id *after, size_t limit,
                           struct player **players, size_t *count)
{
    struct parameters p = {0};
    parameter_id_after(&p, after);
    parameter_integer(&p, (int64_t)limit);
    return read_list(db, arena, &list, &p, players, count);
}

static const struct statement list_roles = {"player_list_roles",
                                            "SELECT " PLAYER_COLUMNS " FROM tillroll.player"
                                            " WHERE id > $1 AND roles <> 0 ORDER BY id LIMIT $2"};

enum db_status player_list_roles(struct db *db, struct arena *arena, const struct id *after,
                                 size_t limit, struct player **players, size_t *count)
{
    struct parameters p = {0};
    parameter_id_after(&p, after);
    parameter_integer(&p, (int64_t)limit);
    return read_list(db, arena, &list_roles, &p, players, count);
}

/* By the unique index of names: what begins with a key lies behind it, and before what follows it
 * with the last character that there is. */
static const struct statement search = {
    "player_search",
    "SELECT " PLAYER_COLUMNS " FROM tillroll.player WHERE origin IS NULL AND deleted_at IS NULL"
    " AND tillroll.name_key(name) >= tillroll.name_key($1)"
    " AND tillroll.name_key(name) < tillroll.name_key($1) || chr(1114111)"
    " AND starts_with(tillroll.name_key(name), tillroll.name_key($1))"
    " ORDER BY tillroll.name_key(name) LIMIT $2"};

enum db_status player_search(struct db *db, struct arena *arena, const char *beginning,
                             size_t limit, struct player **players, size_t *count)
{
    struct parameters p = {0};
    parameter_text(&p, beginning);
    parameter_integer(&p, (int64_t)limit);
    return read_list(db, arena, &search, &p, players, count);
}

static const struct statement list_bots = {
    "player_list_bots", "SELECT " PLAYER_COLUMNS " FROM tillroll.player WHERE owner_id = $3"
                        " AND id > $1 AND deleted_at IS NULL ORDER BY id LIMIT $2"};

enum db_status player_list_bots(struct db *db, struct arena *arena, const struct id *owner,
                                const struct id *after, size_t limit, struct player **players,
                                size_t *count)
{
    struct parameters p = {0};
    parameter_id_after(&p, after);
    parameter_integer(&p, (int64_t)limit);
    parameter_id(&p, owner);
    return read_list(db, arena, &list_bots, &p, players, count);
}

/* ---- Changes ---- */

static const struct statement lock = {"player_lock",
                                      "SELECT 1 FROM tillroll.player"
                                      " WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE"};

enum db_status player_lock(struct db *db, const struct id *id)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    return statement_change(db, &lock, &p, DB_NONE);
}

static const struct statement rename_player = {
    "player_rename", "UPDATE tillroll.player SET name = $2 WHERE id = $1 AND deleted_at IS NULL"};

enum db_status player_rename(struct db *db, const struct id *id, const char *name)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    parameter_text(&p, name);
    return statement_change(db, &rename_player, &p, DB_NONE);
}

static const struct statement set_password = {"player_set_password",
                                              "UPDATE tillroll.player SET password_hash = $2"
                                              " WHERE id = $1 AND password_hash IS NOT NULL"};

enum db_status player_set_password(struct db *db, const struct id *id, const char *password_hash)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    parameter_text(&p, password_hash);
    return statement_change(db, &set_password, &p, DB_NONE);
}

static const struct statement change_roles = {
    "player_change_roles", "UPDATE tillroll.player SET roles = (roles | $2::integer) & ~$3::integer"
                           " WHERE id = $1 AND password_hash IS NOT NULL"};

enum db_status player_change_roles(struct db *db, const struct id *id, unsigned add,
                                   unsigned remove)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    parameter_integer(&p, add);
    parameter_integer(&p, remove);
    return statement_change(db, &change_roles, &p, DB_NONE);
}

/* The end of an id is random, and names of this form are given to nobody. */
static const struct statement forget = {
    "player_forget",
    "UPDATE tillroll.player SET password_hash = NULL, roles = 0, deleted_at = tillroll.from_ms($2),"
    "  name = 'Deleted player ' || right(id::text, 12)"
    "   || CASE WHEN owner_id IS NULL THEN '' ELSE ' [bot]' END"
    " WHERE (id = $1 OR owner_id = $1) AND deleted_at IS NULL"};

static const struct statement forget_tokens = {
    "player_forget_tokens",
    "DELETE FROM tillroll.token WHERE player_id IN"
    " (SELECT $1::uuid UNION ALL SELECT id FROM tillroll.player WHERE owner_id = $1)"};

static const struct statement forget_answers = {
    "player_forget_answers",
    "DELETE FROM tillroll.kept_answer WHERE player_id IN"
    " (SELECT $1::uuid UNION ALL SELECT id FROM tillroll.player WHERE owner_id = $1)"};

enum db_status player_delete(struct db *db, const struct id *id, int64_t now_ms)
{
    struct parameters p = {0};
    parameter_id(&p, id);
    struct parameters with_time = p;
    parameter_integer(&with_time, now_ms);
    enum db_status status = statement_change(db, &forget, &with_time, DB_NONE);
    if (status == DB_OK)
        status = statement_change(db, &forget_tokens, &p, DB_OK);
    return status == DB_OK ? statement_change(db, &forget_answers, &p, DB_OK) : status;
}
