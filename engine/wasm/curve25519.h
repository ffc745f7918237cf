/* The group of Ed25519 (RFC 8032) in plain C, with libsodium's verdicts; other builds of the engine
 * use libsodium's. Everything that is computed here is public: the time taken depends on it.
 *
 * Points are given and written in 32 bytes. After TweetNaCl (public domain).
 */
#ifndef TILLROLL_ENGINE_WASM_CURVE25519_H
#define TILLROLL_ENGINE_WASM_CURVE25519_H

#include <stdbool.h>
#include <stdint.h>

/* True for a point other than the neutral one, in canonical form and of the group of prime order.
 */
bool curve25519_is_valid(const uint8_t point[static 32]);

/* a + b, or with `negative` a - b. False if one of them is on no curve. */
bool curve25519_add(uint8_t sum[static 32], const uint8_t a[static 32], const uint8_t b[static 32],
                    bool negative);

/* number * point, the number of 255 bits with its lowest byte first; with the base point for NULL.
 * False if the point is not valid, or if number or result are neutral. */
bool curve25519_multiply(uint8_t product[static 32], const uint8_t number[static 32],
                         const uint8_t *point);

#endif
