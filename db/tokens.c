/* A token is made under a lock of its account, so that none outlives a change of password or the
 * account's deletion which comes at the same time. */
#include "db/tokens.h"

#include <string.h>

#include "db/statement.h"

static const struct statement create = {
    "token_create",
    "INSERT INTO tillroll.token (hash, player_id, created_at, expires_at, id, label, scopes)"
    " SELECT $1, player.id, tillroll.from_ms($3), tillroll.from_ms($4), $5, $6, $7::integer"
    " FROM (SELECT id FROM tillroll.player WHERE id = $2 AND deleted_at IS NULL"
    "   AND ($8::text IS NULL OR password_hash = $8::text) FOR SHARE) AS player"};

enum db_status token_create(struct db *db, const uint8_t hash[static 32], const struct token *token,
                            const char *password_hash)
{
    struct parameters p = {0};
    parameter_bytes(&p, hash, 32);
    parameter_id(&p, &token->player);
    parameter_integer(&p, token->created_at_ms);
    parameter_integer(&p, token->expires_at_ms);
    parameter_id(&p, &token->id);
    parameter_text(&p, token->label);
    parameter_integer(&p, token->scopes);
    parameter_text(&p, password_hash);
    return statement_change(db, &create, &p, DB_NONE);
}

#define TOKEN_COLUMNS                                                                              \
    "token.id, token.player_id, player.name, token.label, token.scopes,"                           \
    " tillroll.to_ms(token.created_at), tillroll.to_ms(token.expires_at)"
enum { COLUMNS = 7 };

static void read_token(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct token *token = element;
    token->id = row_id(rows, row, 0);
    token->player = row_id(rows, row, 1);
    token->player_name = row_text(rows, row, 2, arena);
    token->label = row_is_null(rows, row, 3) ? NULL : row_text(rows, row, 3, arena);
    token->scopes = row_unsigned(rows, row, 4);
    token->created_at_ms = row_integer(rows, row, 5);
    token->expires_at_ms = row_integer(rows, row, 6);
}

/* $2 the time. */
#define IS_GOOD                                                                                    \
    " token.revoked_at IS NULL AND token.expires_at > tillroll.from_ms($2)"                        \
    " AND player.deleted_at IS NULL"

static const struct statement player_of_token = {
    "token_player", "SELECT " TOKEN_COLUMNS ", tillroll.to_ms(player.created_at), player.owner_id,"
                    " player.roles"
                    " FROM tillroll.token JOIN tillroll.player ON player.id = token.player_id"
                    " WHERE token.hash = $1 AND" IS_GOOD};

enum db_status token_player(struct db *db, struct arena *arena, const uint8_t hash[static 32],
                            int64_t now_ms, struct token *token, struct player *player)
{
    struct parameters p = {0};
    parameter_bytes(&p, hash, 32);
    parameter_integer(&p, now_ms);
    struct rows rows;
    enum db_status status = statement_row(db, &player_of_token, &p, &rows);
    if (status != DB_OK)
        return status;
    read_token(&rows, 0, arena, token);
    *player = (struct player){.id = token->player,
                              .name = token->player_name,
                              .created_at_ms = row_integer(&rows, 0, COLUMNS),
                              .owner = row_id(&rows, 0, COLUMNS + 1),
                              .roles = row_unsigned(&rows, 0, COLUMNS + 2)};
    rows_free(&rows);
    return DB_OK;
}

static void parameter_hashes(struct parameters *p, struct arena *arena, const uint8_t (*hashes)[32],
                             size_t count)
{
    struct span *given = arena_array(arena, count, sizeof *given);
    for (size_t i = 0; i < count; i++)
        given[i] = (struct span){(const char *)hashes[i], 32};
    parameter_array_bytes(p, arena, given, count);
}

/* With its limit each is looked up by itself, however small the tables seem when the plan is made.
 */
static const struct statement players_of_tokens = {
    "token_players",
    "SELECT given.place, found.player_id, found.scopes, tillroll.to_ms(found.expires_at)"
    " FROM unnest($1::bytea[]) WITH ORDINALITY AS given (hash, place)"
    " CROSS JOIN LATERAL (SELECT token.player_id, token.scopes, token.expires_at"
    "  FROM tillroll.token JOIN tillroll.player ON player.id = token.player_id"
    "  WHERE token.hash = given.hash AND" IS_GOOD " LIMIT 1) AS found"};

enum db_status token_players(struct db *db, const uint8_t (*hashes)[32], size_t count,
                             int64_t now_ms, struct token *tokens)
{
    struct arena arena = {NULL};
    struct parameters p = {0};
    struct rows rows;
    parameter_hashes(&p, &arena, hashes, count);
    parameter_integer(&p, now_ms);
    enum db_status status = statement_rows(db, &players_of_tokens, &p, &rows);
    arena_free(&arena);
    if (status != DB_OK)
        return status;
    memset(tokens, 0, count * sizeof *tokens);
    for (int row = 0; row < rows.count; row++)
        tokens[row_integer(&rows, row, 0) - 1] =
            (struct token){.player = row_id(&rows, row, 1),
                           .scopes = row_unsigned(&rows, row, 2),
                           .expires_at_ms = row_integer(&rows, row, 3)};
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
    parameter_hashes(&p, &arena, hashes, count);
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

/* ---- Those of a player ---- */

/* $1 the player, $2 the time: good tokens of his and his bots'. */
#define GOOD_TOKENS                                                                                \
    " (player.id = $1 OR player.owner_id = $1) AND token.revoked_at IS NULL"                       \
    " AND token.expires_at > tillroll.from_ms($2)"

static const struct statement list = {
    "token_list", "SELECT " TOKEN_COLUMNS " FROM tillroll.token"
                  " JOIN tillroll.player ON player.id = token.player_id"
                  " WHERE" GOOD_TOKENS " AND token.id > $3 ORDER BY token.id LIMIT $4"};

enum db_status token_list(struct db *db, struct arena *arena, const struct id *player,
                          int64_t now_ms, const struct id *after, size_t limit,
                          struct token **tokens, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, player);
    parameter_integer(&p, now_ms);
    parameter_id_after(&p, after);
    parameter_integer(&p, (int64_t)limit);
    enum db_status status;
    *tokens = statement_list(db, arena, &list, &p, sizeof **tokens, read_token, count, &status);
    return status;
}

static const struct statement count_labelled = {
    "token_count", "SELECT count(*) FROM tillroll.token WHERE player_id = $1"
                   " AND label IS NOT NULL AND revoked_at IS NULL"
                   " AND expires_at > tillroll.from_ms($2)"};

enum db_status token_count(struct db *db, const struct id *player, int64_t now_ms, size_t *count)
{
    struct parameters p = {0};
    parameter_id(&p, player);
    parameter_integer(&p, now_ms);
    struct rows rows;
    enum db_status status = statement_row(db, &count_labelled, &p, &rows);
    if (status != DB_OK)
        return status;
    *count = (size_t)row_integer(&rows, 0, 0);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement end = {
    "token_end",
    "UPDATE tillroll.token SET revoked_at = tillroll.from_ms($2) FROM tillroll.player"
    " WHERE player.id = token.player_id AND" GOOD_TOKENS " AND ($3::uuid IS NULL OR token.id = $3)"
    " AND (NOT $4::boolean OR (token.label IS NULL AND player.id = $1"
    "   AND token.id IS DISTINCT FROM $5::uuid))"
    " RETURNING token.hash"};

static void read_hash(const struct rows *rows, int row, struct arena *arena, void *element)
{
    (void)arena;
    row_hash(rows, row, 0, element);
}

enum db_status token_end(struct db *db, struct arena *arena, const struct token_choice *choice,
                         int64_t now_ms, uint8_t (**hashes)[32], size_t *count)
{
    static const struct id none = {""};
    struct parameters p = {0};
    parameter_id(&p, choice->player);
    parameter_integer(&p, now_ms);
    parameter_id(&p, choice->id == NULL ? &none : choice->id);
    parameter_boolean(&p, choice->sessions_but != NULL);
    parameter_id(&p, choice->sessions_but == NULL ? &none : choice->sessions_but);
    enum db_status status;
    *hashes = statement_list(db, arena, &end, &p, sizeof **hashes, read_hash, count, &status);
    return status;
}
