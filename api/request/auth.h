/* Tokens: creating them, and identifying callers by them. Programs send a token as `Authorization:
 * Bearer <token>`; browsers keep a session's token in a cookie that scripts cannot read, and which
 * counts for requests that change something only if their headers show that they come from a page
 * of this service. */
#ifndef TILLROLL_API_REQUEST_AUTH_H
#define TILLROLL_API_REQUEST_AUTH_H

#include "api/request/call.h"

enum { TOKEN_TEXT = 3 + 64 + 1 /* `tr_` and 64 hex digits */ };

/* Makes a new token and its SHA-256; only the hash is stored. */
void auth_new_token(char token[static TOKEN_TEXT], uint8_t hash[static 32]);

/* Makes a random code of `length` lower-case letters and digits, five bits each, in the arena. */
const char *auth_new_code(struct arena *arena, size_t length);

/* The value of Set-Cookie that stores this token in the caller's browser for `seconds`. Without
 * TLS, as the Origin shows, the cookie is stored and counts only inside a private network. In the
 * arena. */
const char *auth_cookie(struct call *call, const char *token, unsigned seconds);

/* Deletes the cookie, if it identifies the caller. */
void auth_end_cookie(struct call *call);

/* True if the request has a token, in any form. */
bool auth_is_given(const struct http_request *request);

/* True if the request has a session cookie, and no Authorization field. */
bool auth_is_by_cookie(const struct http_request *request);

/* True if the request states that it comes from a page of the host that it was sent to. */
bool auth_is_own_origin(const struct http_request *request);

/* Refuses a request from another page. Returns false. */
bool auth_refuse_origin(struct call *call);

/* Identifies the caller from memory (api/state/sessions.h): fills the player's id, the scopes and
 * token_hash, sets signed_in. False, without a problem, if the database must be queried, the token
 * lacks `scope`, or it is in a cookie that does not count. */
bool auth_recall(struct call *call, enum scope scope);

/* Identifies the caller by the token: fills player, token and token_hash, sets signed_in. True if
 * there is no token or a valid one; an invalid token is a problem, except in a cookie, which is
 * then deleted. Tokens that have not been used lately are counted against the limit of the address,
 * so that guessing is bounded. */
bool auth_identify(struct call *call);

/* Identifies `count` (at least 1) callers from memory, and the remaining ones with one query on the
 * database connection of the first. Callers with invalid tokens are refused; if the database does
 * not answer, the remaining calls are left unchanged. */
void auth_fetch(struct call *calls, size_t count);

#endif
