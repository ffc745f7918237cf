#include "api/passwords.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

/* OWASP's floor for argon2id is 19 MiB with two passes; this is three times the memory. */
static const unsigned long long passes = 2;
static const size_t memory_bytes = 64 * 1024 * 1024;

/* A hash of a password nobody has, in which a missing player's password is looked for. */
static const char nobody[] = "$argon2id$v=19$m=65536,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$"
                             "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

bool password_hash(const char *password, char hash[static PASSWORD_HASH_BYTES])
{
    static_assert((int)crypto_pwhash_STRBYTES <= (int)PASSWORD_HASH_BYTES, "it fits");
    return crypto_pwhash_str(hash, password, strlen(password), passes, memory_bytes) == 0;
}

bool password_is(const char *hash, const char *password)
{
    bool good =
        crypto_pwhash_str_verify(hash == NULL ? nobody : hash, password, strlen(password)) == 0;
    return good && hash != NULL;
}
