#include "db/store/people/credentials.h"

#include <string.h>

#include "db/link/statement.h"

/* ---- Tokens ---- */

static const struct statement create = {
    "token_create",
    "INSERT INTO tillroll.token (hash, player_id, created_at, expires_at, id, label, scopes)"
    " SELECT $1, player.id, tillroll.from_ms($3), tillroll.from_ms($4), $5, $6, $7::integer"
    " FROM (SELECT id FROM tillroll.player WHERE id = $2 AND deleted_at IS NULL"
    "   AND ($8::text IS NULL OR password_hash = $8::text) FOR SHARE) AS player"};

enum db_status token_create(struct db *db, const uint8_t hash[static 32], const struct token *token,
                            const char *password_hash)
{
    return statement_change(db, &create,
                            WITH(BYTES(hash, 32), ID(&token->player), NUMBER(token->created_at_ms),
                                 NUMBER(token->expires_at_ms), ID(&token->id), TEXT(token->label),
                                 NUMBER(token->scopes), TEXT(password_hash)),
                            DB_NONE);
}

#define TOKEN_COLUMNS                                                                              \
    "token.id, token.player_id, player.name, token.label, token.scopes,"                           \
    " tillroll.to_ms(token.created_at), tillroll.to_ms(token.expires_at),"                         \
    " coalesce(tillroll.to_ms(token.seen_at), 0)"
enum { COLUMNS = 8 };

static void read_token(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct token *token = element;
    token->id = row_id(rows, row, 0);
    token->player = row_id(rows, row, 1);
    token->player_name = row_text(rows, row, 2, arena);
    token->label = row_text_or_null(rows, row, 3, arena);
    token->scopes = row_unsigned(rows, row, 4);
    token->created_at_ms = row_integer(rows, row, 5);
    token->expires_at_ms = row_integer(rows, row, 6);
    token->seen_at_ms = row_integer(rows, row, 7);
}

/* True if a token is valid; $2: the time. */
#define IS_GOOD                                                                                    \
    " token.revoked_at IS NULL AND token.expires_at > tillroll.from_ms($2)"                        \
    " AND player.deleted_at IS NULL"

static const struct statement player_of_token = {
    "token_player", "SELECT " TOKEN_COLUMNS ", tillroll.to_ms(player.created_at), player.owner_id,"
                    " player.roles, player.guest, player.house"
                    " FROM tillroll.token JOIN tillroll.player ON player.id = token.player_id"
                    " WHERE token.hash = $1 AND" IS_GOOD};

enum db_status token_player(struct db *db, struct arena *arena, const uint8_t hash[static 32],
                            int64_t now_ms, struct token *token, struct player *player)
{
    struct rows rows;
    enum db_status status =
        statement_row(db, &player_of_token, WITH(BYTES(hash, 32), NUMBER(now_ms)), &rows);
    if (status != DB_OK)
        return status;
    read_token(&rows, 0, arena, token);
    *player = (struct player){.id = token->player,
                              .name = token->player_name,
                              .created_at_ms = row_integer(&rows, 0, COLUMNS),
                              .owner = row_id(&rows, 0, COLUMNS + 1),
                              .roles = row_unsigned(&rows, 0, COLUMNS + 2),
                              .guest = row_boolean(&rows, 0, COLUMNS + 3),
                              .house = row_text_or_null(&rows, 0, COLUMNS + 4, arena)};
    rows_free(&rows);
    return DB_OK;
}

static struct span *spans_of(struct arena *arena, const uint8_t (*hashes)[32], size_t count)
{
    struct span *spans = arena_array(arena, count, sizeof *spans);
    for (size_t i = 0; i < count; i++)
        spans[i] = (struct span){(const char *)hashes[i], 32};
    return spans;
}

/* LIMIT makes the plan look each token up by itself, however small the tables seem when the plan is
 * made. */
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
    struct rows rows;
    enum db_status status = statement_rows(
        db, &players_of_tokens,
        WITH(BYTE_STRINGS(spans_of(&arena, hashes, count), count), NUMBER(now_ms)), &rows);
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
    struct rows rows;
    enum db_status status = statement_rows(
        db, &expiries, WITH(BYTE_STRINGS(spans_of(&arena, hashes, count), count)), &rows);
    arena_free(&arena);
    if (status != DB_OK)
        return status;
    memset(expires_at_ms, 0, count * sizeof *expires_at_ms);
    for (int row = 0; row < rows.count; row++)
        expires_at_ms[row_integer(&rows, row, 0) - 1] = row_integer(&rows, row, 1);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement see = {"token_see",
                                     "UPDATE tillroll.token SET seen_at = tillroll.from_ms($2)"
                                     " WHERE hash = ANY ($1::bytea[]) AND revoked_at IS NULL"};

enum db_status token_see(struct db *db, const uint8_t (*hashes)[32], size_t count, int64_t now_ms)
{
    struct arena arena = {NULL};
    enum db_status status = statement_change(
        db, &see, WITH(BYTE_STRINGS(spans_of(&arena, hashes, count), count), NUMBER(now_ms)),
        DB_OK);
    arena_free(&arena);
    return status;
}

static const struct statement revoke = {
    "token_revoke",
    "UPDATE tillroll.token SET revoked_at = coalesce(revoked_at, tillroll.from_ms($2))"
    " WHERE hash = $1"};

enum db_status token_revoke(struct db *db, const uint8_t hash[static 32], int64_t now_ms)
{
    return statement_change(db, &revoke, WITH(BYTES(hash, 32), NUMBER(now_ms)), DB_NONE);
}

/* ---- Tokens of a player ---- */

/* Valid tokens of a player and of the player's bots; $1: the player, $2: the time. */
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
    return statement_list(db, arena, &list,
                          WITH(ID(player), NUMBER(now_ms), AFTER(after), NUMBER(limit)),
                          sizeof **tokens, read_token, tokens, count);
}

static const struct statement count_labelled = {
    "token_count", "SELECT count(*) FROM tillroll.token WHERE player_id = $1"
                   " AND label IS NOT NULL AND revoked_at IS NULL"
                   " AND expires_at > tillroll.from_ms($2)"};

enum db_status token_count(struct db *db, const struct id *player, int64_t now_ms, size_t *count)
{
    return statement_value(db, &count_labelled, WITH(ID(player), NUMBER(now_ms)), count);
}

static const struct statement end = {
    "token_end",
    "UPDATE tillroll.token SET revoked_at = tillroll.from_ms($2) FROM tillroll.player"
    " WHERE player.id = token.player_id AND" GOOD_TOKENS " AND ($3::uuid IS NULL OR token.id = $3)"
    " AND (NOT $4::boolean OR (token.label IS NULL AND player.id = $1"
    "   AND token.id IS DISTINCT FROM $5::uuid))"
    " RETURNING token.hash"};

enum db_status token_end(struct db *db, struct arena *arena, const struct token_choice *choice,
                         int64_t now_ms, uint8_t (**hashes)[32], size_t *count)
{
    static const struct id none = {""};
    return statement_list(db, arena, &end,
                          WITH(ID(choice->player), NUMBER(now_ms),
                               ID(choice->id == NULL ? &none : choice->id),
                               FLAG(choice->sessions_but != NULL),
                               ID(choice->sessions_but == NULL ? &none : choice->sessions_but)),
                          sizeof **hashes, row_read_hash, hashes, count);
}

/* ---- Signing keys ---- */

static const struct statement add = {"signing_key_add",
                                     "INSERT INTO tillroll.signing_key_step"
                                     " (player_id, number, at, kind, key, proof, endorsement)"
                                     " VALUES ($1, $2, tillroll.from_ms($3), $4, $5, $6, $7)"
                                     " ON CONFLICT (key) WHERE kind = 'registered' DO NOTHING"};

enum db_status signing_key_add(struct db *db, const struct signing_key_step *added)
{
    const struct keyring_step *step = &added->step;
    bool registered = step->kind == KEYRING_REGISTERED;
    bool named = registered || step->kind == KEYRING_REVOKED;
    return statement_change(
        db, &add,
        WITH(ID(&added->player), NUMBER(step->number), NUMBER(step->at_ms),
             TEXT(keyring_kind_name(step->kind)), BYTES(named ? step->key : NULL, sizeof step->key),
             BYTES(registered ? step->proof : NULL, sizeof step->proof),
             BYTES(step->endorsed ? step->endorsement : NULL, sizeof step->endorsement)),
        DB_CONFLICT);
}

#define STEP_COLUMNS                                                                               \
    "SELECT player_id, number, tillroll.to_ms(at), kind, key, proof, endorsement"                  \
    " FROM tillroll.signing_key_step AS step"

/* Returns the kind with this name; KEYRING_KINDS, which no keyring accepts, if there is none. */
static enum keyring_kind read_kind(const char *word)
{
    int kind = 0;
    while (kind < KEYRING_KINDS && strcmp(keyring_kind_name((enum keyring_kind)kind), word) != 0)
        kind++;
    return (enum keyring_kind)kind;
}

/* Reads bytes. With another length, which the table does not allow, they stay zero and are not
 * valid. */
static void read_bytes(const struct rows *rows, int row, int column, struct arena *arena,
                       uint8_t *bytes, size_t size)
{
    size_t found;
    if (row_is_null(rows, row, column))
        return;
    const uint8_t *stored = row_bytes(rows, row, column, arena, &found);
    if (found == size)
        memcpy(bytes, stored, size);
}

/* Columns: STEP_COLUMNS. */
static void read_step(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct signing_key_step *read = element;
    struct keyring_step *step = &read->step;
    read->player = row_id(rows, row, 0);
    step->number = row_unsigned(rows, row, 1);
    step->at_ms = row_integer(rows, row, 2);
    step->kind = read_kind(row_text(rows, row, 3, arena));
    step->endorsed = !row_is_null(rows, row, 6);
    read_bytes(rows, row, 4, arena, step->key, sizeof step->key);
    read_bytes(rows, row, 5, arena, step->proof, sizeof step->proof);
    read_bytes(rows, row, 6, arena, step->endorsement, sizeof step->endorsement);
}

static const struct statement list_keys = {"signing_key_list",
                                           STEP_COLUMNS " WHERE player_id = ANY ($1::uuid[])"
                                                        " ORDER BY player_id, number"};

enum db_status signing_key_list(struct db *db, struct arena *arena, const struct id *players,
                                size_t player_count, struct signing_key_step **steps, size_t *count)
{
    return statement_list(db, arena, &list_keys, WITH(IDS(players, player_count)), sizeof **steps,
                          read_step, steps, count);
}

static const struct statement list_all = {
    "signing_key_list_all",
    STEP_COLUMNS " JOIN (SELECT DISTINCT player_id AS id FROM tillroll.signing_key_step"
                 "  WHERE player_id > $1 ORDER BY id LIMIT $2) AS player ON player.id = player_id"
                 " ORDER BY player_id, number"};

enum db_status signing_key_list_all(struct db *db, struct arena *arena, const struct id *after,
                                    size_t limit, struct signing_key_step **steps, size_t *count)
{
    return statement_list(db, arena, &list_all, WITH(AFTER(after), NUMBER(limit)), sizeof **steps,
                          read_step, steps, count);
}
