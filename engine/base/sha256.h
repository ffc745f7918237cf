/* SHA-256 (FIPS 180-4), the hash of the chain, of trees and of tokens. Uses the processor's SHA
 * instructions if it has them, otherwise libsodium, which takes three times as long. */
#ifndef TILLROLL_ENGINE_BASE_SHA256_H
#define TILLROLL_ENGINE_BASE_SHA256_H

#include "engine/base/text.h"

enum { SHA256_BYTES = 32 };

/* The hash of the concatenation of `first` and `second`; `hash` may lie in either. Any thread. */
void sha256(uint8_t hash[static SHA256_BYTES], struct span first, struct span second);

/* The hash that follows `hash` in a chain of lines, in its place: of `hash` in lower-case hex, a
 * space, `line` and LF. Any thread. */
void sha256_chain(uint8_t hash[static SHA256_BYTES], struct span line);

/* The same by libsodium, on any processor. */
void sha256_portable(uint8_t hash[static SHA256_BYTES], struct span first, struct span second);
void sha256_chain_portable(uint8_t hash[static SHA256_BYTES], struct span line);

#endif
