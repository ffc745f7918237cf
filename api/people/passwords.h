/* Passwords: reading, hashing and checking them. */
#ifndef TILLROLL_API_PEOPLE_PASSWORDS_H
#define TILLROLL_API_PEOPLE_PASSWORDS_H

#include <stdbool.h>

#include "api/request/call.h"

enum { PASSWORD_MIN = 10, PASSWORD_MAX = 128, PASSWORD_HASH_BYTES = 128 };

/* Hashes a password for storage. False if there is not enough memory. */
bool password_hash(const char *password, char hash[static PASSWORD_HASH_BYTES]);

/* True if the hash is that of the password. Takes as long with NULL, for no account, which no
 * password matches. */
bool password_is(const char *hash, const char *password);

/* ---- Input of a call; each function returns false with a problem ---- */

/* Reads the field `key` as a new password: PASSWORD_MIN to PASSWORD_MAX bytes, and none of the
 * most common ones, in whatever case (`bad-field`). */
bool password_read(struct call *call, const char *key, const char **password);

/* False if the new password, from the field `key`, is the account's name, in whatever case
 * (`bad-field`). */
bool password_not_name(struct call *call, const char *key, const char *password, const char *name);

/* Reads a password to check, from the field `password`: any text is accepted and simply fails to
 * match. Impossible passwords are read as "". */
bool password_read_known(struct call *call, const char **password);

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

#endif
