#include "api/request/auth.h"

#include <sodium.h>
#include <string.h>
#include <strings.h>

#include "api/request/limits.h"
#include "api/state/change_bus.h"
#include "api/state/sessions.h"
#include "db/link/db.h"
#include "engine/base/sha256.h"

/* With the prefix `__Host-`, browsers ensure that the cookie was sent over TLS, and set by this
 * host for all of its paths. They store no such cookie from a page without TLS, and Safari not even
 * from one on its own machine. So a page that came directly from this service, inside a private
 * network, gets a cookie without the prefix. That counts only where there can be no TLS
 * (http_request.at_home): otherwise an attacker who can change traffic without TLS could plant one
 * for pages with TLS. */
enum cookie_kind { COOKIE_TLS, COOKIE_PLAIN };

static const struct cookie {
    const char *name;
    const char *attributes;
} cookies[] = {
    [COOKIE_TLS] = {"__Host-tillroll=", "; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age="},
    [COOKIE_PLAIN] = {"tillroll=", "; Path=/; HttpOnly; SameSite=Strict; Max-Age="},
};

/* ---- Tokens ---- */

static void hash_token(struct span token, uint8_t hash[static 32])
{
    sha256(hash, token, (struct span){NULL, 0});
}

void auth_new_token(char token[static TOKEN_TEXT], uint8_t hash[static 32])
{
    uint8_t bytes[32];
    randombytes_buf(bytes, sizeof bytes);
    struct text text = {token, 0, TOKEN_TEXT, false};
    text_add(&text, "tr_");
    text_add_hex(&text, bytes, sizeof bytes);
    hash_token(text_span(&text), hash);
    sodium_memzero(bytes, sizeof bytes);
}

const char *auth_new_code(struct arena *arena, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    char *code = arena_take(arena, length + 1);
    randombytes_buf(code, length);
    for (size_t i = 0; i < length; i++)
        code[i] = letters[(unsigned char)code[i] & 31];
    return code;
}

/* ---- Cookies ---- */

static const char *cookie_text(struct call *call, const struct cookie *cookie, const char *token,
                               unsigned seconds)
{
    return call_strings(call, (const char *const[]){cookie->name, token, cookie->attributes,
                                                    call_digits(call, seconds), NULL});
}

/* The part of the request's Origin after the scheme; NULL if the scheme is another one. */
static const char *origin_after(const struct http_request *request, const char *scheme)
{
    const size_t length = strlen(scheme);
    return request->origin != NULL && strncmp(request->origin, scheme, length) == 0
               ? request->origin + length
               : NULL;
}

/* The value of a cookie, at = NULL if there is none. */
static struct span cookie_value(const struct http_request *request, const struct cookie *cookie)
{
    const char *rest = request->cookie == NULL ? "" : request->cookie;
    const size_t name = strlen(cookie->name);
    while (*rest != '\0') {
        rest += strspn(rest, "; ");
        size_t length = strcspn(rest, ";");
        if (strncmp(rest, cookie->name, name) == 0)
            return (struct span){rest + name, length - name};
        rest += length;
    }
    return (struct span){NULL, 0};
}

/* A browser that has sent the TLS cookie keeps it, and that cookie would take precedence. */
const char *auth_cookie(struct call *call, const char *token, unsigned seconds)
{
    const struct http_request *request = call->request;
    bool plain = origin_after(request, "http://") != NULL && request->at_home &&
                 cookie_value(request, &cookies[COOKIE_TLS]).at == NULL;
    return cookie_text(call, &cookies[plain ? COOKIE_PLAIN : COOKIE_TLS], token, seconds);
}

/* The value and kind of the cookie that takes precedence. */
static struct span find_cookie(const struct http_request *request, enum cookie_kind *kind)
{
    *kind = COOKIE_TLS;
    struct span value = cookie_value(request, &cookies[*kind]);
    if (value.at != NULL || !request->at_home)
        return value;
    *kind = COOKIE_PLAIN;
    return cookie_value(request, &cookies[*kind]);
}

bool auth_is_by_cookie(const struct http_request *request)
{
    enum cookie_kind kind;
    return request->authorization == NULL && find_cookie(request, &kind).at != NULL;
}

bool auth_is_given(const struct http_request *request)
{
    return request->authorization != NULL || auth_is_by_cookie(request);
}

/* Browsers send cookies with requests from any page; the Origin of a request that changes something
 * names the page's host. A page without TLS can be forged on its way, even under our name, so it
 * counts only if it came directly from this service. */
bool auth_is_own_origin(const struct http_request *request)
{
    const char *with_tls = origin_after(request, "https://");
    const char *without = origin_after(request, "http://");
    if (with_tls != NULL)
        return strcasecmp(with_tls, request->host) == 0;
    return without != NULL && strcasecmp(without, request->host) == 0 && request->at_home;
}

static bool may_use_cookie(const struct http_request *request)
{
    bool reads = request->method == HTTP_GET || request->method == HTTP_HEAD;
    return reads || auth_is_own_origin(request);
}

bool auth_refuse_origin(struct call *call)
{
    return call_problem(
        call, "foreign-origin",
        "A session in a cookie is for pages of this service: when something changes, the Origin of "
        "the request must be its Host with https://, or with http:// straight from this service in "
        "a private network. Programs sign in with POST /v1/tokens and send `Authorization: Bearer "
        "<token>`.");
}

/* ---- The caller ---- */

/* The token of an Authorization field; NULL if the scheme is another one. Names of schemes are
 * case-insensitive (RFC 9110 section 11.1). */
static const char *bearer_token(const char *header)
{
    static const char scheme[] = "Bearer ";
    size_t length = sizeof scheme - 1;
    return strncasecmp(header, scheme, length) == 0 ? header + length : NULL;
}

/* Reads and hashes the token. False if there is none of the right form. */
static bool read_token(struct call *call)
{
    const char *header = call->request->authorization;
    struct span token = {NULL, 0};
    enum cookie_kind kind;
    if (header == NULL)
        token = find_cookie(call->request, &kind);
    else if (bearer_token(header) != NULL)
        token = span_of(bearer_token(header));
    if (token.length != TOKEN_TEXT - 1)
        return false;
    hash_token(token, call->token_hash);
    return true;
}

/* Looks up the token in memory. */
static bool is_known(struct call *call)
{
    return sessions_find(call->service->sessions, call->token_hash, call->now_ms, &call->player.id,
                         &call->token.scopes);
}

bool auth_recall(struct call *call, enum scope scope)
{
    call->signed_in = (!auth_is_by_cookie(call->request) || may_use_cookie(call->request)) &&
                      read_token(call) && is_known(call) &&
                      (scope == NO_SCOPE || (call->token.scopes & (unsigned)scope) != 0);
    return call->signed_in;
}

/* The time until which the database's result for a token is trusted: long while this process is
 * notified of revocations by other processes. */
static int64_t trusted_until_ms(const struct call *call)
{
    enum { HEARING_MS = 600000, DEAF_MS = 5000 };
    int64_t until_ms =
        call->now_ms + (change_bus_complete(call->service->change_bus) ? HEARING_MS : DEAF_MS);
    return until_ms < call->token.expires_at_ms ? until_ms : call->token.expires_at_ms;
}

/* A browser whose session has ended counts as not signed in, because its scripts cannot delete the
 * cookie. */
static bool refuse_token(struct call *call)
{
    if (auth_is_by_cookie(call->request)) {
        auth_end_cookie(call);
        return true;
    }
    if (bearer_token(call->request->authorization) == NULL)
        return call_problem(call, "bad-token",
                            "Send the token as `Authorization: Bearer <token>`; POST /v1/tokens "
                            "gives you one.");
    return call_problem(call, "bad-token",
                        "The token is unknown, expired or revoked. Get another one, for example "
                        "with POST /v1/tokens, and send `Authorization: Bearer <token>`.");
}

void auth_end_cookie(struct call *call)
{
    enum cookie_kind kind;
    if (call->request->authorization == NULL && find_cookie(call->request, &kind).at != NULL)
        call->response->set_cookie = cookie_text(call, &cookies[kind], "", 0);
}

/* True if the database must be queried for the token; otherwise auth_identify() returns `good`. */
static bool has_token(struct call *call, bool *good)
{
    *good = true;
    if (!auth_is_given(call->request))
        return false;
    if (auth_is_by_cookie(call->request) && !may_use_cookie(call->request)) {
        *good = auth_refuse_origin(call);
        return false;
    }
    bool formed = read_token(call);
    if (!(formed && is_known(call)) && !call_within_limit(call, LIMIT_UNKNOWN))
        *good = false;
    else if (!formed)
        *good = refuse_token(call);
    return formed && *good;
}

/* Applies the database's result for the token. */
static bool take_token(struct call *call, enum db_status status, uint64_t epoch)
{
    call->signed_in = status == DB_OK;
    if (status == DB_NONE)
        return refuse_token(call);
    if (status != DB_OK)
        return call_found(call, status);
    sessions_keep(call->service->sessions, call->token_hash, &call->player.id, call->token.scopes,
                  trusted_until_ms(call), epoch);
    return true;
}

bool auth_identify(struct call *call)
{
    bool good;
    if (!has_token(call, &good))
        return good;
    uint64_t epoch = sessions_epoch(call->service->sessions);
    enum db_status status = token_player(call->db, call->arena, call->token_hash, call->now_ms,
                                         &call->token, &call->player);
    return take_token(call, status, epoch);
}

void auth_fetch(struct call *calls, size_t count)
{
    struct arena *arena = calls->arena;
    uint8_t(*hashes)[32] = arena_array(arena, count, sizeof *hashes);
    struct call **asked = arena_array(arena, count, sizeof(struct call *));
    struct token *tokens = arena_array(arena, count, sizeof *tokens);
    size_t asks = 0;
    bool good;
    for (size_t i = 0; i < count; i++)
        if (!auth_recall(&calls[i], NO_SCOPE) && has_token(&calls[i], &good)) {
            memcpy(hashes[asks], calls[i].token_hash, sizeof hashes[asks]);
            asked[asks++] = &calls[i];
        }
    uint64_t epoch = sessions_epoch(calls->service->sessions);
    if (asks == 0 || token_players(calls->db, (const uint8_t(*)[32])hashes, asks, calls->now_ms,
                                   tokens) != DB_OK)
        return;
    for (size_t i = 0; i < asks; i++) {
        asked[i]->token = tokens[i];
        asked[i]->player.id = tokens[i].player;
        take_token(asked[i], tokens[i].player.text[0] == '\0' ? DB_NONE : DB_OK, epoch);
    }
}
