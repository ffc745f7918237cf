#include "api/auth.h"

#include <errno.h>
#include <sodium.h>
#include <string.h>
#include <time.h>

/* OWASP's floor for argon2id is 19 MiB with two passes; this is three times the memory. */
static const unsigned long long passes = 2;
static const size_t memory_bytes = 64 * 1024 * 1024;
enum { PASSWORD_WAIT_S = 5 };

/* A hash of a password nobody has, in which a missing player's password is looked for. */
static const char nobody[] = "$argon2id$v=19$m=65536,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$"
                             "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

static bool enter(struct call *call)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PASSWORD_WAIT_S;
    int waited;
    do
        waited = sem_timedwait(&call->service->passwords, &until);
    while (waited != 0 && errno == EINTR);
    if (waited == 0)
        return true;
    call_problem(call, "unavailable", "Too many people are signing in at once; try again soon.");
    call->response->retry_after_s = PASSWORD_WAIT_S;
    return false;
}

static void leave(struct call *call)
{
    sem_post(&call->service->passwords);
}

const char *auth_hash_password(struct call *call, const char *password)
{
    char hash[crypto_pwhash_STRBYTES];
    if (!enter(call))
        return NULL;
    int failed = crypto_pwhash_str(hash, password, strlen(password), passes, memory_bytes);
    leave(call);
    if (failed != 0) {
        call_problem(call, "unavailable", "There is no memory for this now; try again soon.");
        return NULL;
    }
    return arena_copy(call->arena, span_of(hash));
}

bool auth_check_password(struct call *call, const char *hash, const char *password, bool *busy)
{
    *busy = !enter(call);
    if (*busy)
        return false;
    bool good =
        crypto_pwhash_str_verify(hash == NULL ? nobody : hash, password, strlen(password)) == 0;
    leave(call);
    return good && hash != NULL;
}

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

bool auth_recall(struct call *call)
{
    call->signed_in = read_token(call) && sessions_find(call->service->sessions, call->token_hash,
                                                        call->now_ms, &call->player.id);
    return call->signed_in;
}

/* How long what the database says of a token is believed: long while revocations by other processes
 * are heard of. */
static int64_t believed_until_ms(const struct call *call, int64_t expires_at_ms)
{
    enum { HEARING_MS = 600000, DEAF_MS = 5000 };
    int64_t until_ms =
        call->now_ms + (changes_complete(call->service->changes) ? HEARING_MS : DEAF_MS);
    return until_ms < expires_at_ms ? until_ms : expires_at_ms;
}

bool auth_identify(struct call *call)
{
    struct sessions *sessions = call->service->sessions;
    int64_t expires_at_ms;
    if (call->request->authorization == NULL)
        return true;
    if (read_token(call)) {
        uint64_t epoch = sessions_epoch(sessions);
        enum db_status status = token_player(call->db, call->arena, call->token_hash, call->now_ms,
                                             &call->player, &expires_at_ms);
        call->signed_in = status == DB_OK;
        if (call->signed_in) {
            sessions_keep(sessions, call->token_hash, &call->player.id,
                          believed_until_ms(call, expires_at_ms), epoch);
            return true;
        }
        if (status != DB_NONE)
            return call_found(call, status);
    }
    return call_problem(call, "bad-token",
                        "The token is unknown, expired or revoked. Sign in again with "
                        "POST /v1/tokens and send `Authorization: Bearer <token>`.");
}
