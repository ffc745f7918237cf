/* Ed25519 (RFC 8032) as libsodium judges it, by a verifier that is less strict: a browser's. */
#ifndef TILLROLL_ENGINE_WASM_ED25519_H
#define TILLROLL_ENGINE_WASM_ED25519_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ED25519_SIGNATURE = 64, ED25519_KEY = 32 };

/* True for what libsodium refuses by its form, and not every verifier does: a key, or the point of
 * a signature, whose multiples are eight points at most, so that it can go with any text; and a key
 * that is not written in the one way in which it has to be. */
bool ed25519_is_weak(const uint8_t signature[static ED25519_SIGNATURE],
                     const uint8_t key[static ED25519_KEY]);

/* Asked for the rest: whether the signature of the text holds. Whoever runs this provides it. */
extern int ed25519_asked(const uint8_t *signature, const uint8_t *text, size_t size,
                         const uint8_t *key);

#endif
