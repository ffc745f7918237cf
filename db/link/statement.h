/* Inside db/ only: named statements and their rows.
 *
 * A statement is a constant with a name and a text, prepared when a connection first needs it.
 * Values reach the server as parameters, never as part of the text. The readers of columns copy
 * into the caller's arena, so nothing of libpq is visible above this header. */
#ifndef TILLROLL_DB_LINK_STATEMENT_H
#define TILLROLL_DB_LINK_STATEMENT_H

#include <libpq-fe.h>

#include "db/link/db.h"
#include "db/link/value.h"

struct statement {
    const char *name; /* unique in db/ */
    const char *sql;
};

struct rows {
    PGresult *result;
    int count;
};

/* Runs a statement that returns any number of rows. Free the rows if DB_OK. */
enum db_status statement_rows(struct db *db, const struct statement *statement,
                              const struct value *values, struct rows *rows);

/* Runs a statement that returns at most one row. DB_NONE, and nothing to free, if there is none. */
enum db_status statement_row(struct db *db, const struct statement *statement,
                             const struct value *values, struct rows *rows);

/* Runs a statement like statement_rows(), with the columns in PostgreSQL's binary form, to be read
 * with row_bytes_borrowed(): for many rows at once. */
enum db_status statement_rows_binary(struct db *db, const struct statement *statement,
                                     const struct value *values, struct rows *rows);

/* Reads one row into an element. In statement_list() the element's bytes are zero before. */
typedef void row_reader(const struct rows *rows, int row, struct arena *arena, void *element);

/* Readers of elements that are one value, taken from the first column: a struct id, bool, unsigned,
 * size_t, int64_t, const char * or uint8_t[32]. Only an id may be null. */
row_reader row_read_id, row_read_flag, row_read_unsigned, row_read_size, row_read_integer,
    row_read_text, row_read_hash;

/* Runs a statement that returns at most one row, and reads the row into `element`; DB_NONE if there
 * is none. */
enum db_status statement_one(struct db *db, struct arena *arena, const struct statement *statement,
                             const struct value *values, row_reader *read, void *element);

/* Runs a statement that returns at most one row, and reads its first column into *value, by its
 * type. */
#define statement_value(db, statement, values, value)                                              \
    statement_one(db, NULL, statement, values, ROW_READER(*(value)), value)

/* clang-format off */
#define ROW_READER(value) _Generic((value), struct id: row_read_id, bool: row_read_flag,           \
                                   unsigned: row_read_unsigned, size_t: row_read_size,             \
                                   int64_t: row_read_integer)
/* clang-format on */

/* Runs a statement that returns any number of rows, and reads them, in order, into an array of
 * elements of `size` bytes, made in `arena`. `elements` is the address of the pointer to the first.
 * NULL and *count 0 unless DB_OK. */
enum db_status statement_list(struct db *db, struct arena *arena, const struct statement *statement,
                              const struct value *values, size_t size, row_reader *read,
                              void *elements, size_t *count);

/* Runs a statement that changes or selects rows. Returns `otherwise` if there were none. */
enum db_status statement_change(struct db *db, const struct statement *statement,
                                const struct value *values, enum db_status otherwise);

/* Runs a statement like statement_change(), but reports the result later, at the latest in
 * db_commit(). The statement is sent together with the next one, which saves a round trip; if it
 * fails or changes no row, that next statement, or db_commit(), returns its status. Until then only
 * statements that the server executes after it may depend on it. DB_OK does not mean that it has
 * succeeded. */
enum db_status statement_later(struct db *db, const struct statement *statement,
                               const struct value *values, enum db_status otherwise);

/* Runs a statement as a transaction of its own, and reports how many rows it changed. Reopens a
 * broken connection first. DB_OK only if it is committed and the server raised no warning (see
 * db_commit()). DB_UNKNOWN if the connection broke, or with a warning; with any other status
 * nothing has changed. */
enum db_status statement_commit(struct db *db, const struct statement *statement,
                                const struct value *values, size_t *changed);

/* statement_commit() in steps, for a thread that must not wait. Between statement_send() and
 * statement_receive_flag() the connection may not be used for anything else. */

/* Prepares a statement; waits for the server. */
enum db_status statement_prepare(struct db *db, const struct statement *statement);

/* Sends a prepared statement; statement_arrived() sends the rest, if any. False if the connection
 * is broken; the statement may have been sent nevertheless. */
bool statement_send(struct db *db, const struct statement *statement, const struct value *values);

/* True once the whole response, or the end of the connection, has arrived. Does not wait. */
bool statement_arrived(struct db *db);

/* Receives the response to a statement that returns one row with one boolean. Status as of
 * statement_commit(). */
enum db_status statement_receive_flag(struct db *db, bool *flag);

/* Makes sending non-blocking from now on. False if the connection is broken. */
bool statement_never_waits(struct db *db);

/* The socket that becomes readable when a response arrives. */
int statement_socket(const struct db *db);

void rows_free(struct rows *rows);

/* Readers of one column of a row. NULL reads as "", 0, false and "no id"; row_text_or_null()
 * returns NULL. */
const char *row_text(const struct rows *rows, int row, int column, struct arena *arena);
const char *row_text_or_null(const struct rows *rows, int row, int column, struct arena *arena);
int64_t row_integer(const struct rows *rows, int row, int column);
unsigned row_unsigned(const struct rows *rows, int row, int column);
bool row_boolean(const struct rows *rows, int row, int column);
bool row_is_null(const struct rows *rows, int row, int column);
struct id row_id(const struct rows *rows, int row, int column);
void row_hash(const struct rows *rows, int row, int column, uint8_t hash[static 32]);
/* The value as the server sent it; borrowed, valid until the rows are freed. */
struct span row_bytes_borrowed(const struct rows *rows, int row, int column);
const uint8_t *row_bytes(const struct rows *rows, int row, int column, struct arena *arena,
                         size_t *size);

#endif
