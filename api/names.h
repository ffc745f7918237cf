/* Names of players and events, as people write them and as they are stored: in Unicode's NFC, so
 * that equal names are equal bytes, and without anything that cannot be seen. */
#ifndef TILLROLL_API_NAMES_H
#define TILLROLL_API_NAMES_H

#include "api/call.h"

/* Reads the field `key` of the body as a name of at most `max` bytes: visible characters, no blanks
 * at the ends or in a row. In NFC and in the call's arena. False with a problem. */
bool name_read(struct call *call, const char *key, size_t max, const char **name);

#endif
