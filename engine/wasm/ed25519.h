/* Ed25519 (RFC 8032) with libsodium's verdicts, on top of a browser's less strict verifier. */
#ifndef TILLROLL_ENGINE_WASM_ED25519_H
#define TILLROLL_ENGINE_WASM_ED25519_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ED25519_SIGNATURE = 64, ED25519_KEY = 32 };

/* True for forms that libsodium refuses but some verifiers accept: a key, or the point of a
 * signature, of small order (at most eight multiples), which can fit any text; and a key that is
 * not in canonical form. */
bool ed25519_is_weak(const uint8_t signature[static ED25519_SIGNATURE],
                     const uint8_t key[static ED25519_KEY]);

/* The remaining check: whether the signature of the text is valid. The host provides it. */
extern int ed25519_asked(const uint8_t *signature, const uint8_t *text, size_t size,
                         const uint8_t *key);

#endif
