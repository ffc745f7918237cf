/* SHA-256 (FIPS 180-4), the hash of the chain, of trees and of tokens. With the processor's own
 * instructions where it has them, and otherwise libsodium's, which takes three times as long.
 */
#ifndef TILLROLL_ENGINE_BASE_SHA256_H
#define TILLROLL_ENGINE_BASE_SHA256_H

#include "engine/base/text.h"

enum { SHA256_BYTES = 32 };

/* The hash of `first` and `second` as one text; `hash` may lie in either. Any thread. */
void sha256(uint8_t hash[static SHA256_BYTES], struct span first, struct span second);

/* The same by libsodium, whatever the processor. */
void sha256_portable(uint8_t hash[static SHA256_BYTES], struct span first, struct span second);

#endif
