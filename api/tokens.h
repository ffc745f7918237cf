/* Giving out tokens. */
#ifndef TILLROLL_API_TOKENS_H
#define TILLROLL_API_TOKENS_H

#include "api/call.h"

/* Signs call->player in, inside the open transaction: a session with every scope for 30 days, which
 * the answer holds, or a cookie. `password_hash` is what the password was found to be of. False
 * with a problem.
 */
bool tokens_answer_session(struct call *call, const char *password_hash, bool in_cookie);

/* Makes the token for a program of `player` that the body asks for, with scopes of `allowed`, and
 * answers with it. */
void tokens_answer_issued(struct call *call, const struct player *player, unsigned allowed);

/* Ends all tokens of this choice; they are forgotten when the transaction is committed. False with
 * a problem. */
bool tokens_end_chosen(struct call *call, const struct token_choice *choice);

#endif
