/* Identifiers: UUID version 7 (RFC 9562), so that they sort by time of creation. Always in the
 * canonical text form: lower case, 8-4-4-4-12. */
#ifndef TILLROLL_DB_LINK_ID_H
#define TILLROLL_DB_LINK_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/text.h"

enum { ID_BYTES = 16 };

struct id {
    char text[37]; /* NUL-terminated; "" = no id */
};

/* Returns a new identifier for the time `now_ms`, milliseconds since 1970. Any thread. */
struct id id_new(int64_t now_ms);

/* Reads the canonical text form of any UUID. False if `text` is anything else. */
bool id_parse(struct span text, struct id *id);

/* Writes the 16 bytes of an id that is not "". */
void id_to_bytes(const struct id *id, uint8_t bytes[static ID_BYTES]);

/* Returns the id with these 16 bytes. */
struct id id_from_bytes(const uint8_t bytes[static ID_BYTES]);

/* The smallest id that id_new() may make at `ms`: ids of earlier times sort before it. */
struct id id_first(int64_t ms);

bool id_equal(const struct id *a, const struct id *b);

#endif
