/* Players and their tokens. Tokens are known by their hash only. */
#include "db/players.h"

#include <string.h>

#include "db/statement.h"

static const struct statement create = {
    "player_create", "INSERT INTO tillroll.player (id, name, password_hash, created_at)"
                     " VALUES ($1, $2, $3, tillroll.from_ms($4)) ON CONFLICT DO NOTHING"};

enum db_status player_create(struct db *db, const struct player *player)
{
    struct parameters p = {0};
    parameter_id(&p, &player->id);
    parameter_text(&p, player->name);
    parameter_text(&p, player->password_hash);
    parameter_integer(&p, player->created_at_ms);
    return statement_change(db, &create, &p, DB_CONFLICT);
}

/* Columns: id, name, time of making. */
static void read_player(const struct rows *rows, int row, struct arena *arena,
                        struct player *player)
{
    player->id = row_id(rows, row, 0);
    player->name = row_text(rows, row, 1, arena);
    player->password_hash = NULL;
    player->created_at_ms = row_integer(rows, row, 2);
}

static const struct statement by_id = {
    "player_by_id",
    "SELECT id, name, tillroll.to_ms(created_at) FROM tillroll.player WHERE id = $1"};

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
    "player_by_name", "SELECT id, name, tillroll.to_ms(created_at), password_hash"
                      " FROM tillroll.player"
                      " WHERE tillroll.name_key(name) = tillroll.name_key($1)"};

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
    player->password_hash = row_text(&rows, 0, 3, arena);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement list = {
    "player_list", "SELECT id, name, tillroll.to_ms(created_at) FROM tillroll.player"
                   " WHERE id > $1 ORDER BY id LIMIT $2"};

enum db_status player_list(struct db *db, struct arena *arena, const struct id *after, size_t limit,
                           struct player **players, size_t *count)
{
    struct parameters p = {0};
    parameter_id_after(&p, after);
    parameter_integer(&p, (int64_t)limit);
    struct rows rows;
    enum db_status status = statement_rows(db, &list, &p, &rows);
    if (status != DB_OK)
        return status;
    *count = (size_t)rows.count;
    *players = arena_array(arena, *count, sizeof **players);
    for (int row = 0; row < rows.count; row++)
        read_player(&rows, row, arena, &(*players)[row]);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement make_token = {
    "token_create", "INSERT INTO tillroll.token (hash, player_id, created_at, expires_at)"
                    " VALUES ($1, $2, tillroll.from_ms($3), tillroll.from_ms($4))"
                    " ON CONFLICT DO NOTHING"};

enum db_status token_create(struct db *db, const uint8_t hash[static 32], const struct id *player,
                            int64_t now_ms, int64_t expires_at_ms)
{
    struct parameters p = {0};
    parameter_bytes(&p, hash, 32);
    parameter_id(&p, player);
    parameter_integer(&p, now_ms);
    parameter_integer(&p, expires_at_ms);
    return statement_change(db, &make_token, &p, DB_CONFLICT);
}

static const struct statement player_of_token = {
    "token_player", "SELECT player.id, player.name, tillroll.to_ms(player.created_at),"
                    " tillroll.to_ms(token.expires_at)"
                    " FROM tillroll.token JOIN tillroll.player ON player.id = token.player_id"
                    " WHERE token.hash = $1 AND token.revoked_at IS NULL"
                    " AND token.expires_at > tillroll.from_ms($2)"};

enum db_status token_player(struct db *db, struct arena *arena, const uint8_t hash[static 32],
                            int64_t now_ms, struct player *player, int64_t *expires_at_ms)
{
    struct parameters p = {0};
    parameter_bytes(&p, hash, 32);
    parameter_integer(&p, now_ms);
    struct rows rows;
    enum db_status status = statement_row(db, &player_of_token, &p, &rows);
    if (status != DB_OK)
        return status;
    read_player(&rows, 0, arena, player);
    *expires_at_ms = row_integer(&rows, 0, 3);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement expiries = {
    "token_expiries", "SELECT given.place, tillroll.to_ms(token.expires_at)"
                      " FROM unnest($1::bytea[]) WITH ORDINALITY AS given (hash, place)"
                      " JOIN tillroll.token ON token.hash = given.hash"
                      " WHERE token.revoked_at IS NULL"};

enum db_status token_expiries(struct db *db, const uint8_t (*hashes)[32], size_t count,
                              int64_t *expires_at_ms)
{
    struct arena arena = {NULL};
    struct parameters p = {0};
    struct span *given = arena_array(&arena, count, sizeof *given);
    for (size_t i = 0; i < count; i++)
        given[i] = (struct span){(const char *)hashes[i], 32};
    parameter_array_bytes(&p, &arena, given, count);
    struct rows rows;
    enum db_status status = statement_rows(db, &expiries, &p, &rows);
    arena_free(&arena);
    if (status != DB_OK)
        return status;
    memset(expires_at_ms, 0, count * sizeof *expires_at_ms);
    for (int row = 0; row < rows.count; row++)
        expires_at_ms[row_integer(&rows, row, 0) - 1] = row_integer(&rows, row, 1);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement revoke = {
    "token_revoke",
    "UPDATE tillroll.token SET revoked_at = coalesce(revoked_at, tillroll.from_ms($2))"
    " WHERE hash = $1"};

enum db_status token_revoke(struct db *db, const uint8_t hash[static 32], int64_t now_ms)
{
    struct parameters p = {0};
    parameter_bytes(&p, hash, 32);
    parameter_integer(&p, now_ms);
    return statement_change(db, &revoke, &p, DB_NONE);
}
