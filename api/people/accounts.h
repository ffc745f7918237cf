/* Passwords and tokens. */
#ifndef TILLROLL_API_PEOPLE_ACCOUNTS_H
#define TILLROLL_API_PEOPLE_ACCOUNTS_H

#include <stdbool.h>

#include "api/request/call.h"

/* ---- Passwords ---- */

enum { PASSWORD_MIN = 10, PASSWORD_MAX = 128, PASSWORD_HASH_BYTES = 128 };

/* Hashes a password for storage. False if there is not enough memory. */
bool password_hash(const char *password, char hash[static PASSWORD_HASH_BYTES]);

/* ---- Input of a call; each function returns false with a problem ---- */

/* Reads the field `key` as a new password. */
bool password_read(struct call *call, const char *key, const char **password);

/* The password's hash for storage, in the arena; NULL with a problem. Slow: call it outside
 * transactions. */
const char *password_make_hash(struct call *call, const char *password);

/* Checks the caller's password, in the field `password`, before actions that a stolen token must
 * not allow, and sets `hash` to the account's hash. False with a problem. Slow, and opens a
 * transaction of its own. */
bool password_confirm(struct call *call, const char **hash);

/* Locks the caller's account in the open transaction. False with a problem if the password has
 * changed since. */
bool password_still_is(struct call *call, const char *hash);

/* ---- Accounts ---- */

/* Reads name and password of a new account from the body; `hash` is the password's hash, in the
 * arena. Slow: call it outside transactions. False with a problem. */
bool account_read(struct call *call, const char **name, const char **hash);

/* Turns call->player, a guest, into an account inside the open transaction; the guest's games stay
 * with the account. Answers with a session for 30 days, in the body or as a cookie. False with a
 * problem. */
bool account_of_guest(struct call *call, const char *name, const char *hash, bool in_cookie);

/* ---- Tokens ---- */

/* Creates the token requested in the body for a program of `player`, with scopes from `allowed`,
 * and answers with it. */
void tokens_answer_issued(struct call *call, const struct player *player, unsigned allowed);

/* Revokes the selected tokens; caches drop them on commit. False with a problem. */
bool tokens_end_chosen(struct call *call, const struct token_choice *choice);

#endif
