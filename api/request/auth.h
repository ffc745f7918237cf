/* Tokens: making them, and identifying the caller by one. Programs send it as `Authorization:
 * Bearer <token>`; browsers keep a session's token in a cookie that no script can read, and which
 * counts for requests that change something only if their headers show that they come from a page
 * of this service. */
#ifndef TILLROLL_API_REQUEST_AUTH_H
#define TILLROLL_API_REQUEST_AUTH_H

#include "api/request/call.h"

enum { TOKEN_TEXT = 3 + 64 + 1 /* `tr_` and 64 hex digits */ };

/* Makes a new token and its SHA-256, which is all that is stored. */
void auth_new_token(char token[static TOKEN_TEXT], uint8_t hash[static 32]);

/* A random code of so many lower-case letters and digits, five bits each, in the arena. */
const char *auth_new_code(struct arena *arena, size_t length);

/* The value of Set-Cookie that gives the caller's browser this token for so long. Without TLS,
 * which the Origin tells, the cookie is kept and counts only inside a private network. In the
 * arena. */
const char *auth_cookie(struct call *call, const char *token, unsigned seconds);

/* Takes the cookie away, if it is by one that the caller is known. */
void auth_end_cookie(struct call *call);

/* True if the request has a token, of whatever form. */
bool auth_is_given(const struct http_request *request);

/* True if it has the cookie of a session, and no token in its head. */
bool auth_is_by_cookie(const struct http_request *request);

/* True if the request says that it comes from a page of the host that it was sent to. */
bool auth_is_own_origin(const struct http_request *request);

/* Refuses one that does not. Returns false. */
bool auth_refuse_origin(struct call *call);

/* Identifies the caller by what is in memory (api/state/sessions.h): fills the player's id, the
 * scopes and token_hash, sets signed_in. False, without a problem, if the database has to be asked,
 * the token lacks `scope`, or it is in a cookie that does not count. */
bool auth_recall(struct call *call, enum scope scope);

/* Identifies the caller by the token: fills player, token and token_hash, sets signed_in. True if
 * it is absent or good; a bad one is a problem, except in a cookie, which is then deleted. Tokens
 * that have not been used lately are counted against the limit of the address, so that guessing is
 * bounded. */
bool auth_identify(struct call *call);

/* Identifies `count` (at least 1) callers from memory and, those who are not there, with one
 * question to the database of the first. Whose token is bad is refused; if the database has no
 * answer, they are left as they are. */
void auth_fetch(struct call *calls, size_t count);

#endif
