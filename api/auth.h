/* Passwords and tokens. */
#ifndef TILLROLL_API_AUTH_H
#define TILLROLL_API_AUTH_H

#include "api/call.h"

enum {
    PASSWORD_MIN = 10,
    PASSWORD_MAX = 128,
    TOKEN_TEXT = 3 + 64 + 1, /* `tr_` and 64 hex digits */
    TOKEN_DAYS = 30
};

/* The argon2id form of a password, in the arena. At most two are computed at a time; NULL with a
 * problem when too many wait. Slow by design: about 50 ms. */
const char *auth_hash_password(struct call *call, const char *password);

/* True if `hash` is of this password. With `hash` NULL (no such player) it takes the same time and
 * says no. `busy` is set, with a problem, when too many wait. */
bool auth_check_password(struct call *call, const char *hash, const char *password, bool *busy);

/* Makes a new token and its SHA-256, which is all that is stored. */
void auth_new_token(char token[static TOKEN_TEXT], uint8_t hash[static 32]);

/* Identifies the caller by what is in memory (api/sessions.h): fills the player's id and
 * token_hash, sets signed_in. False, without a problem, if the database has to be asked. */
bool auth_recall(struct call *call);

/* Identifies the caller by the Authorization header: fills player and token_hash, sets signed_in.
 * True if it is absent or good; a bad one is a problem. */
bool auth_identify(struct call *call);

#endif
