/* Passwords: argon2id, slow by design (about 50 ms and 64 MiB each). Whoever calls sees to it that
 * few are computed at a time. */
#ifndef TILLROLL_API_PASSWORDS_H
#define TILLROLL_API_PASSWORDS_H

#include <stdbool.h>

enum { PASSWORD_MIN = 10, PASSWORD_MAX = 128, PASSWORD_HASH_BYTES = 128 };

/* The form in which a password is stored. False if there is no memory for it. */
bool password_hash(const char *password, char hash[static PASSWORD_HASH_BYTES]);

/* True if `hash` is of this password. With `hash` NULL (no such player, or one without password) it
 * does the same work and says no. */
bool password_is(const char *hash, const char *password);

#endif
