/* Tokens: sessions, and those for programs. */
#ifndef TILLROLL_API_PEOPLE_TOKENS_H
#define TILLROLL_API_PEOPLE_TOKENS_H

#include <stdbool.h>

#include "api/request/call.h"

/* Signs call->player in, inside the open transaction: a session for 30 days with all scopes (for
 * guests, theirs), in the body or as a cookie. `password_hash` is the hash that matched; NULL for
 * guests. False with a problem. */
bool tokens_answer_session(struct call *call, const char *password_hash, bool in_cookie);

/* Creates the token requested in the body for a program of `player`, with scopes from `allowed`,
 * and answers with it. */
void tokens_answer_issued(struct call *call, const struct player *player, unsigned allowed);

/* Revokes the selected tokens; caches drop them on commit. False with a problem. */
bool tokens_end_chosen(struct call *call, const struct token_choice *choice);

#endif
