/* Players, tokens and "me". Hashing a password is slow, so it is done with no transaction open. */
#include "api/auth.h"
#include "api/documents.h"
#include "api/handlers.h"
#include "api/names.h"

enum { NAME_MAX_BYTES = 60, POOL_WAIT_MS = 2000 };
static const int64_t token_life_ms = INT64_C(1000) * 60 * 60 * 24 * TOKEN_DAYS;

/* ---- Own transactions ---- */

static bool open_transaction(struct call *call)
{
    call->db = db_pool_take(call->service->pool, POOL_WAIT_MS);
    if (call->db == NULL)
        return call_problem(call, "unavailable", "The database cannot be reached; try again.");
    return call_found(call, db_begin(call->db, false));
}

/* Commits, or rolls back after a problem, and gives the connection back. */
static void close_transaction(struct call *call)
{
    if (call->db == NULL)
        return;
    if (call->response->status >= 400) {
        db_rollback(call->db);
    } else {
        enum db_status committed = db_commit(call->db);
        if (committed != DB_OK)
            call_found(call, committed);
    }
    db_pool_give(call->service->pool, call->db);
    call->db = NULL;
}

/* ---- Players ---- */

static bool read_credentials(struct call *call, const char **name, const char **password)
{
    static const char *const keys[] = {"name", "password", NULL};
    return call_check_keys(call, keys) && name_read(call, "name", NAME_MAX_BYTES, name) &&
           call_text(call, "password", PASSWORD_MIN, PASSWORD_MAX, NULL, password);
}

/* Issues a token for call->player inside the open transaction and answers with it. */
static void answer_with_token(struct call *call, int status)
{
    char token[TOKEN_TEXT];
    uint8_t hash[32];
    int64_t expires_at_ms = call->now_ms + token_life_ms;
    auth_new_token(token, hash);
    if (!call_found(call,
                    token_create(call->db, hash, &call->player.id, call->now_ms, expires_at_ms)))
        return;
    call_answer(call, status,
                json_pack("{s:o, s:s, s:o}", "player", player_document(&call->player), "token",
                          token, "expires_at", time_json(expires_at_ms)));
}

void players_create(struct call *call)
{
    const char *name;
    const char *password;
    if (!read_credentials(call, &name, &password))
        return;
    const char *hash = auth_hash_password(call, password);
    if (hash == NULL)
        return;
    call->player = (struct player){.id = id_new(call->now_ms),
                                   .name = name,
                                   .password_hash = hash,
                                   .created_at_ms = call->now_ms};
    if (open_transaction(call) &&
        call_db(call, player_create(call->db, &call->player), "name-taken",
                "Another player has this name; choose another one, or sign in."))
        answer_with_token(call, 201);
    close_transaction(call);
}

static bool look_up(struct call *call, const char *name, bool *known)
{
    bool good = open_transaction(call);
    if (good) {
        enum db_status status = player_by_name(call->db, call->arena, name, &call->player);
        *known = status == DB_OK;
        good = status == DB_NONE || call_found(call, status);
    }
    close_transaction(call);
    return good;
}

void tokens_create(struct call *call)
{
    const char *name;
    const char *password;
    bool known = false;
    bool busy;
    if (!read_credentials(call, &name, &password) || !look_up(call, name, &known))
        return;
    bool good =
        auth_check_password(call, known ? call->player.password_hash : NULL, password, &busy);
    if (busy)
        return;
    if (!good) {
        call_problem(call, "wrong-password", "There is no player with this name and password.");
        return;
    }
    if (open_transaction(call))
        answer_with_token(call, 201);
    close_transaction(call);
}

void tokens_revoke(struct call *call)
{
    if (!call_found(call, token_revoke(call->db, call->token_hash, call->now_ms)))
        return;
    call->revoked = true;
    call->response->status = 204;
}

void players_list(struct call *call)
{
    struct page page;
    struct player *players;
    size_t count;
    if (!call_page(call, NULL, &page) ||
        !call_found(call,
                    player_list(call->db, call->arena, &page.after, page.limit, &players, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, player_document(&players[i]));
    call_answer(call, 200,
                page_document(items, count == page.limit ? players[count - 1].id.text : NULL));
}

void players_get(struct call *call)
{
    struct player player;
    if (call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)))
        call_answer(call, 200, player_document(&player));
}

void me_get(struct call *call)
{
    call_answer(call, 200, player_document(&call->player));
}

void keys_get(struct call *call)
{
    char hex[65];
    char id[17];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, call->service->keys.signing_public,
                 sizeof call->service->keys.signing_public);
    keys_signing_id(&call->service->keys, id);
    char vkey[NOTE_KEY_TEXT_MAX + 1];
    struct text verification_key = TEXT_OVER(vkey);
    note_key_print(&call->service->log_key, &verification_key);
    call_answer(call, 200,
                json_pack("{s:[{s:s, s:s, s:s, s:s}]}", "keys", "id", id, "algorithm", "ed25519",
                          "public_key", hex, "vkey", vkey));
}
