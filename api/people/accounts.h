/* What accounts are opened with: passwords and tokens. */
#ifndef TILLROLL_API_PEOPLE_ACCOUNTS_H
#define TILLROLL_API_PEOPLE_ACCOUNTS_H

#include <stdbool.h>

#include "api/request/call.h"

/* ---- Passwords ---- */

enum { PASSWORD_MIN = 10, PASSWORD_MAX = 128, PASSWORD_HASH_BYTES = 128 };

/* The form in which a password is stored. False if there is not enough memory. */
bool password_hash(const char *password, char hash[static PASSWORD_HASH_BYTES]);

/* True if `hash` is of this password. With `hash` NULL (no such player, or one without password) it
 * does the same work and says no. */
bool password_is(const char *hash, const char *password);

/* ---- Accounts ---- */

/* Reads the name and the password of an account to be made from the body; `hash` is how the
 * password is kept, in the arena. Slow: to be called with no transaction open. False with a
 * problem. */
bool account_read(struct call *call, const char **name, const char **hash);

/* Makes an account of call->player, a guest, inside the open transaction: what the guest has played
 * stays the account's. Answers with a session, as tokens_answer_session(). False with a problem. */
bool account_of_guest(struct call *call, const char *name, const char *hash, bool in_cookie);

/* ---- Tokens ---- */

/* Giving out tokens. */

/* Signs call->player in, inside the open transaction: a session for 30 days with every scope, or
 * those of guests, which the answer holds, or a cookie. `password_hash` is what the password was
 * found to be of; NULL of a guest. False with a problem.
 */
bool tokens_answer_session(struct call *call, const char *password_hash, bool in_cookie);

/* Makes the token for a program of `player` that the body asks for, with scopes of `allowed`, and
 * answers with it. */
void tokens_answer_issued(struct call *call, const struct player *player, unsigned allowed);

/* Ends all tokens of this choice; they are forgotten when the transaction is committed. False with
 * a problem. */
bool tokens_end_chosen(struct call *call, const struct token_choice *choice);

#endif
