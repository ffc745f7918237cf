/* Accounts: creation, signing in, changes, deletion. */
#ifndef TILLROLL_API_PEOPLE_ACCOUNTS_H
#define TILLROLL_API_PEOPLE_ACCOUNTS_H

#include <stdbool.h>

#include "api/request/call.h"

/* Reads name and password of a new account from the body; `hash` is the password's hash, in the
 * arena. Slow: call it outside transactions. False with a problem. */
bool account_read(struct call *call, const char **name, const char **hash);

/* Turns call->player, a guest, into an account inside the open transaction; the guest's games stay
 * with the account. Answers with a session for 30 days, in the body or as a cookie. False with a
 * problem. */
bool account_of_guest(struct call *call, const char *name, const char *hash, bool in_cookie);

#endif
