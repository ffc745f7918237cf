/* Tokens: making them, and knowing the caller by his. */
#ifndef TILLROLL_API_AUTH_H
#define TILLROLL_API_AUTH_H

#include "api/call.h"

enum { TOKEN_TEXT = 3 + 64 + 1 /* `tr_` and 64 hex digits */ };

/* Makes a new token and its SHA-256, which is all that is stored. */
void auth_new_token(char token[static TOKEN_TEXT], uint8_t hash[static 32]);

/* Identifies the caller by what is in memory (api/sessions.h): fills the player's id, the scopes
 * and token_hash, sets signed_in. False, without a problem, if the database has to be asked, or the
 * token lacks `scope`. */
bool auth_recall(struct call *call, enum scope scope);

/* Identifies the caller by the Authorization header: fills player, token and token_hash, sets
 * signed_in. True if it is absent or good; a bad one is a problem. Tokens that nobody has shown
 * lately are counted against the limit of the address, so that guessing is bounded. */
bool auth_identify(struct call *call);

#endif
