/* Preloaded into the services of tests (tests/api/support/testbed.mjs): passwords whose hashes cost
 * next to nothing. A real one takes a core 150 ms, and the tests sign in thousands of times. A hash
 * says itself what it cost, so that all else is libsodium's as ever.
 */
#include <sodium.h>

int crypto_pwhash_str(char out[crypto_pwhash_STRBYTES], const char *const passwd,
                      unsigned long long passwdlen, unsigned long long opslimit, size_t memlimit)
{
    (void)opslimit;
    (void)memlimit;
    return crypto_pwhash_argon2id_str(out, passwd, passwdlen, crypto_pwhash_argon2id_OPSLIMIT_MIN,
                                      crypto_pwhash_argon2id_MEMLIMIT_MIN);
}
