/* Inside db/ only: named statements and their rows.
 *
 * A statement is a constant with a name and a text; it is prepared when a connection first needs
 * it. Values reach the server as parameters and never as part of the text. The readers of columns
 * copy into the caller's arena, so nothing of libpq is visible above this header.
 */
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

/* The same for a statement that returns at most one row: DB_NONE, and nothing to free, for none. */
enum db_status statement_row(struct db *db, const struct statement *statement,
                             const struct value *values, struct rows *rows);

/* As statement_rows(), with values in PostgreSQL's binary form, to be read with
 * row_bytes_borrowed(): for many rows at once. */
enum db_status statement_rows_binary(struct db *db, const struct statement *statement,
                                     const struct value *values, struct rows *rows);

/* Reads one row into an element, whose bytes are zeroed in statement_list(). */
typedef void row_reader(const struct rows *rows, int row, struct arena *arena, void *element);

/* Elements that are one value, that of the first column: a struct id, bool, unsigned, size_t,
 * int64_t, const char * or uint8_t[32]. Only an id may be null. */
row_reader row_read_id, row_read_flag, row_read_unsigned, row_read_size, row_read_integer,
    row_read_text, row_read_hash;

/* Runs a statement that returns at most one row, and reads it into `element`; DB_NONE for none. */
enum db_status statement_one(struct db *db, struct arena *arena, const struct statement *statement,
                             const struct value *values, row_reader *read, void *element);

/* The same for one value, of the type that `value` points to. */
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

/* Runs a statement that changes rows, or selects some: `otherwise` if there was none. */
enum db_status statement_change(struct db *db, const struct statement *statement,
                                const struct value *values, enum db_status otherwise);

/* The same, where it is enough to be told later, and always before the commit: the statement is
 * sent together with the next one, which saves a way to the server and back, and if it fails or
 * changes no row, that next statement, or db_commit(), returns so. Until then nothing may be built
 * on it but statements that the server carries out after it. DB_OK says nothing. */
enum db_status statement_later(struct db *db, const struct statement *statement,
                               const struct value *values, enum db_status otherwise);

/* Runs a statement as a transaction by itself, and returns how many rows it changed. Reopens a
 * broken connection first. DB_OK only if it is committed and the server raised no warning (see
 * db_commit()). With every other status but DB_UNKNOWN it has changed nothing; DB_UNKNOWN if the
 * connection broke, or with a warning. */
enum db_status statement_commit(struct db *db, const struct statement *statement,
                                const struct value *values, size_t *changed);

/* The same in two steps, for a thread that must not wait. Between them nothing else may be done
 * with the connection. */

/* Makes a statement ready; waits for the server. */
enum db_status statement_prepare(struct db *db, const struct statement *statement);

/* Sends a statement that was prepared; statement_arrived() sends the rest, if any. False if the
 * connection is broken: even then it may have been sent. */
bool statement_send(struct db *db, const struct statement *statement, const struct value *values);

/* True once the whole answer, or the connection's end, has arrived. Does not wait. */
bool statement_arrived(struct db *db);

/* The answer, as statement_commit() returns it, of a statement that returns one row with one
 * boolean. */
enum db_status statement_receive_flag(struct db *db, bool *flag);

/* From now on sending does not block either. False if the connection is broken. */
bool statement_never_waits(struct db *db);

/* What to wait on for the answer. */
int statement_socket(const struct db *db);

void rows_free(struct rows *rows);

/* NULL reads as "", 0, false and "no id"; by the second function as NULL. */
const char *row_text(const struct rows *rows, int row, int column, struct arena *arena);
const char *row_text_or_null(const struct rows *rows, int row, int column, struct arena *arena);
int64_t row_integer(const struct rows *rows, int row, int column);
unsigned row_unsigned(const struct rows *rows, int row, int column);
bool row_boolean(const struct rows *rows, int row, int column);
bool row_is_null(const struct rows *rows, int row, int column);
struct id row_id(const struct rows *rows, int row, int column);
void row_hash(const struct rows *rows, int row, int column, uint8_t hash[static 32]);
/* The value as the server sent it, valid until the rows are freed. */
struct span row_bytes_borrowed(const struct rows *rows, int row, int column);
const uint8_t *row_bytes(const struct rows *rows, int row, int column, struct arena *arena,
                         size_t *size);

#endif
