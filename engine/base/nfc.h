/* Unicode's normalization form NFC (UAX #15), as of Unicode 15.0 for all time: a record is valid or
 * not whatever comes later. Characters that are not assigned in 15.0 are taken as starters that
 * compose with nothing. */
#ifndef TILLROLL_ENGINE_BASE_NFC_H
#define TILLROLL_ENGINE_BASE_NFC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NFC_CHARACTERS_MAX = 256 };

/* True if a text of `count` characters, at most NFC_CHARACTERS_MAX, is in NFC. */
bool nfc_is(const uint32_t *characters, size_t count);

#endif
