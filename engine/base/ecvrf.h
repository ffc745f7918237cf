/* Verifiable random outputs: ECVRF-EDWARDS25519-SHA512-TAI (RFC 9381, suite 3). The holder of a
 * secret key computes from an input an output that nobody else can predict, and a proof that
 * everybody can check with the public key. There is only one output per key and input, so nobody,
 * not even the holder, can choose it.
 *
 * Stricter than the RFC: a public key, and the point of a proof, must lie in the group of prime
 * order and have their one canonical form, and neither number of a proof may be 0. Honest provers
 * make no others. The output follows from the key and the input alone; of proofs there can be
 * several.
 *
 * Suite 4 (Elligator 2) is left out: crypto_core_ed25519_from_uniform() of libsodium maps other
 * bytes to other points than RFC 9380 does.
 *
 * Pure; any thread. The input is public: the time taken depends on it. ecvrf_prove.c holds what
 * needs the secret key, which verifiers in browsers are built without.
 */
#ifndef TILLROLL_ENGINE_BASE_ECVRF_H
#define TILLROLL_ENGINE_BASE_ECVRF_H

#include "engine/base/text.h"

enum { ECVRF_KEY = 32, ECVRF_SECRET = 32, ECVRF_PROOF = 80, ECVRF_OUTPUT = 64 };

/* True for a public key that proofs can be checked with (RFC 9381, 5.4.5, and above). */
bool ecvrf_key_is_valid(const uint8_t key[static ECVRF_KEY]);

/* True if the bytes have the form of a proof: a point and two numbers in their ranges (5.4.4). */
bool ecvrf_proof_is_formed(const uint8_t proof[static ECVRF_PROOF]);

/* True if the proof holds for the key and the input (5.3). */
bool ecvrf_verify(const uint8_t key[static ECVRF_KEY], struct span input,
                  const uint8_t proof[static ECVRF_PROOF]);

/* The output that a proof is of (5.2); worth something only if ecvrf_verify() is true. False if the
 * proof is not formed. */
bool ecvrf_output(const uint8_t proof[static ECVRF_PROOF], uint8_t output[static ECVRF_OUTPUT]);

/* The public key of a secret: 32 random bytes, as for Ed25519 (RFC 8032). Do not sign with it. */
void ecvrf_public_key(const uint8_t secret[static ECVRF_SECRET], uint8_t key[static ECVRF_KEY]);

/* The proof for an input (5.1): always the same one for the same secret and input. False, for one
 * input in more than 2^120, if there is none. */
bool ecvrf_prove(const uint8_t secret[static ECVRF_SECRET], struct span input,
                 uint8_t proof[static ECVRF_PROOF]);

/* ---- For ecvrf_prove.c ---- */

enum { ECVRF_POINT = 32, ECVRF_NUMBER = 32, ECVRF_CHALLENGE = 16 };

/* The point that stands for an input (5.4.1.1). */
void ecvrf_point_of(const uint8_t key[static ECVRF_KEY], struct span input,
                    uint8_t point[static ECVRF_POINT]);

/* The challenge over five points (5.4.3). */
void ecvrf_challenge(const uint8_t *const points[static 5],
                     uint8_t challenge[static ECVRF_CHALLENGE]);

#endif
