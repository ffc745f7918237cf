/* Unicode's normalization form NFC (UAX #15), fixed at Unicode 15.0, so that the validity of a
 * record never changes. Characters not assigned in 15.0 are treated as starters that compose with
 * nothing. */
#ifndef TILLROLL_ENGINE_BASE_NFC_H
#define TILLROLL_ENGINE_BASE_NFC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NFC_CHARACTERS_MAX = 256 };

/* True if a text of `count` characters, at most NFC_CHARACTERS_MAX, is in NFC. */
bool nfc_is(const uint32_t *characters, size_t count);

#endif
