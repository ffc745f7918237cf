#include "api/auth.h"

#include <sodium.h>
#include <string.h>

static void hash_token(const char *token, uint8_t hash[static 32])
{
    crypto_hash_sha256(hash, (const unsigned char *)token, strlen(token));
}

void auth_new_token(char token[static TOKEN_TEXT], uint8_t hash[static 32])
{
    uint8_t bytes[32];
    randombytes_buf(bytes, sizeof bytes);
    struct text text = {token, 0, TOKEN_TEXT, false};
    text_add(&text, "tr_");
    text_add_hex(&text, bytes, sizeof bytes);
    hash_token(token, hash);
    sodium_memzero(bytes, sizeof bytes);
}

/* False if there is no token of the right form. */
static bool read_token(struct call *call)
{
    static const char scheme[] = "Bearer ";
    const char *header = call->request->authorization;
    if (header == NULL || strncmp(header, scheme, sizeof scheme - 1) != 0 ||
        strlen(header) != sizeof scheme - 1 + TOKEN_TEXT - 1)
        return false;
    hash_token(header + sizeof scheme - 1, call->token_hash);
    return true;
}

/* What is in memory of the token that was read. */
static bool is_known(struct call *call)
{
    return sessions_find(call->service->sessions, call->token_hash, call->now_ms, &call->player.id,
                         &call->token.scopes);
}

bool auth_recall(struct call *call, enum scope scope)
{
    call->signed_in = read_token(call) && is_known(call) &&
                      (scope == NO_SCOPE || (call->token.scopes & (unsigned)scope) != 0);
    return call->signed_in;
}

/* How long what the database says of a token is believed: long while revocations by other processes
 * are heard of. */
static int64_t believed_until_ms(const struct call *call)
{
    enum { HEARING_MS = 600000, DEAF_MS = 5000 };
    int64_t until_ms =
        call->now_ms + (changes_complete(call->service->changes) ? HEARING_MS : DEAF_MS);
    return until_ms < call->token.expires_at_ms ? until_ms : call->token.expires_at_ms;
}

static bool refuse_token(struct call *call)
{
    return call_problem(call, "bad-token",
                        "The token is unknown, expired or revoked. Sign in again with "
                        "POST /v1/tokens and send `Authorization: Bearer <token>`.");
}

bool auth_identify(struct call *call)
{
    struct sessions *sessions = call->service->sessions;
    if (call->request->authorization == NULL)
        return true;
    if (!read_token(call))
        return call_within_limit(call, LIMIT_UNKNOWN) && refuse_token(call);
    if (!is_known(call) && !call_within_limit(call, LIMIT_UNKNOWN))
        return false;
    uint64_t epoch = sessions_epoch(sessions);
    enum db_status status = token_player(call->db, call->arena, call->token_hash, call->now_ms,
                                         &call->token, &call->player);
    call->signed_in = status == DB_OK;
    if (status == DB_NONE)
        return refuse_token(call);
    if (status != DB_OK)
        return call_found(call, status);
    sessions_keep(sessions, call->token_hash, &call->player.id, call->token.scopes,
                  believed_until_ms(call), epoch);
    return true;
}
