/* Rows for `COPY ... FROM STDIN (FORMAT binary)`, collected in memory and sent at once. What goes
 * wrong ends the program with a message: half a filled database is of no use. */
#ifndef TILLROLL_TESTS_FILL_COPY_H
#define TILLROLL_TESTS_FILL_COPY_H

#include <libpq-fe.h>

#include "db/link/id.h"

struct copy {
    const char *into; /* table and columns, as COPY takes them; static */
    uint8_t *bytes;
    size_t size, capacity;
};

struct copy copy_into(const char *into);
void copy_free(struct copy *copy);

/* Begins a row of `fields` fields, which are added in their order. */
void copy_row(struct copy *copy, unsigned fields);
void copy_null(struct copy *copy);
void copy_id(struct copy *copy, const char *id); /* uuid; "" = NULL */
void copy_integer(struct copy *copy, int32_t number);
void copy_positive(struct copy *copy, uint32_t number); /* 0 = NULL */
void copy_bigint(struct copy *copy, int64_t number);
void copy_text(struct copy *copy, struct span text);
void copy_bytes(struct copy *copy, const uint8_t *bytes, size_t size);
void copy_time(struct copy *copy, int64_t at_ms); /* timestamptz, from milliseconds since 1970 */

/* Sends the rows and forgets them. */
void copy_send(struct copy *copy, PGconn *connection);

/* Runs a command. */
void copy_command(PGconn *connection, const char *sql);

#endif
