/* Inside db/ only: named statements, their parameters and their rows.
 *
 * A statement is a constant with a name and a text; it is prepared when a connection first needs
 * it. Values reach the server as parameters and never as part of the text. The readers of columns
 * copy into the caller's arena, so nothing of libpq is visible above this header.
 */
#ifndef TILLROLL_DB_LINK_STATEMENT_H
#define TILLROLL_DB_LINK_STATEMENT_H

#include <libpq-fe.h>

#include "db/link/db.h"

struct statement {
    const char *name; /* unique in db/ */
    const char *sql;
};

/* A value for $1, $2 .. of a statement. What it points to is borrowed until the statement has run.
 */
struct value {
    enum {
        VALUE_END,
        VALUE_TEXT,
        VALUE_BYTES,
        VALUE_NUMBER,
        VALUE_ARRAY_TEXT,
        VALUE_ARRAY_BYTES,
        VALUE_ARRAY_ID,
        VALUE_ARRAY_INTEGER,
        VALUE_ARRAY_BIGINT
    } kind;
    const void *at; /* NULL = SQL NULL, except for numbers and arrays */
    size_t size;    /* bytes, or elements of an array */
    int64_t number;
};

enum { VALUES_MAX = 20 };

/* The values of a statement, in order: `WITH(ID(&player), NUMBER(now_ms))`. They live as long as
 * the block they are written in. A statement without parameters takes NULL. */
#define WITH(...) ((const struct value[]){__VA_ARGS__, {.kind = VALUE_END}})

#define VALUE_OF(...)                ((struct value){__VA_ARGS__})
#define VALUE_POINTER(type, pointer) (1 ? (pointer) : (const type *)NULL) /* checks the type */
#define TEXT(string)                                                                               \
    VALUE_OF(.kind = VALUE_TEXT, .at = VALUE_POINTER(char, string)) /* NULL = NULL */
#define BYTES(bytes, length)                                                                       \
    VALUE_OF(.kind = VALUE_BYTES, .at = VALUE_POINTER(uint8_t, bytes),                             \
             .size = (length)) /* NULL = NULL */
#define NUMBER(whole)   VALUE_OF(.kind = VALUE_NUMBER, .number = (int64_t)(whole))
#define FLAG(condition) TEXT((condition) ? "t" : "f")
#define ID(id)          value_id((id), NULL) /* "" = NULL */
struct value value_id(const struct id *id, const char *instead);

/* 0 = NULL. */
#define POSITIVE(whole) value_positive(whole)
struct value value_positive(unsigned number);

/* Keys of paged lists: "" stands for an id before, or after, all others. */
#define AFTER(id)  value_id((id), "00000000-0000-0000-0000-000000000000")
#define BEFORE(id) value_id((id), "ffffffff-ffff-ffff-ffff-ffffffffffff")

/* Arrays of text and of bytea, from spans; of uuid, integer and bigint, from struct id, int32_t and
 * int64_t. An id that is "" is NULL; no integer may be negative. */
#define TEXTS(spans, count)                                                                        \
    VALUE_OF(.kind = VALUE_ARRAY_TEXT, .at = VALUE_POINTER(struct span, spans), .size = (count))
#define BYTE_STRINGS(spans, count)                                                                 \
    VALUE_OF(.kind = VALUE_ARRAY_BYTES, .at = VALUE_POINTER(struct span, spans), .size = (count))
#define IDS(ids, count)                                                                            \
    VALUE_OF(.kind = VALUE_ARRAY_ID, .at = VALUE_POINTER(struct id, ids), .size = (count))
#define INTEGERS(numbers, count)                                                                   \
    VALUE_OF(.kind = VALUE_ARRAY_INTEGER, .at = VALUE_POINTER(int32_t, numbers), .size = (count))
#define BIGINTS(numbers, count)                                                                    \
    VALUE_OF(.kind = VALUE_ARRAY_BIGINT, .at = VALUE_POINTER(int64_t, numbers), .size = (count))

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

/* The same for a statement whose one row is one value, which is not null: `value` is untouched
 * unless DB_OK. */
enum db_status statement_number(struct db *db, const struct statement *statement,
                                const struct value *values, int64_t *value);
enum db_status statement_unsigned(struct db *db, const struct statement *statement,
                                  const struct value *values, unsigned *value);
enum db_status statement_count(struct db *db, const struct statement *statement,
                               const struct value *values, size_t *value);
enum db_status statement_flag(struct db *db, const struct statement *statement,
                              const struct value *values, bool *value);

/* As statement_rows(), with values in PostgreSQL's binary form, to be read with
 * row_bytes_borrowed(): for many rows at once. */
enum db_status statement_rows_binary(struct db *db, const struct statement *statement,
                                     const struct value *values, struct rows *rows);

/* Reads one row into an element, whose bytes are zeroed in statement_list(). */
typedef void row_reader(const struct rows *rows, int row, struct arena *arena, void *element);

/* Elements that are a struct id, from the first column. */
row_reader row_read_id;

/* Runs a statement that returns at most one row, and reads it into `element`; DB_NONE for none. */
enum db_status statement_one(struct db *db, struct arena *arena, const struct statement *statement,
                             const struct value *values, row_reader *read, void *element);

/* Runs a statement that returns any number of rows, and reads them, in order, into an array of
 * elements of `size` bytes, made in `arena`. `elements` is the address of the pointer to the first.
 * NULL and *count 0 unless DB_OK. */
enum db_status statement_list(struct db *db, struct arena *arena, const struct statement *statement,
                              const struct value *values, size_t size, row_reader *read,
                              void *elements, size_t *count);

/* Runs a statement that changes rows: `otherwise` if it changed none. */
enum db_status statement_change(struct db *db, const struct statement *statement,
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

/* The answer: as statement_commit() returns it. */
enum db_status statement_receive(struct db *db, size_t *changed);

/* The same of a statement that returns one row with one boolean. */
enum db_status statement_receive_flag(struct db *db, bool *flag);

/* From now on sending does not block either. False if the connection is broken. */
bool statement_never_waits(struct db *db);

/* What to wait on for the answer. */
int statement_socket(const struct db *db);

void rows_free(struct rows *rows);

/* NULL reads as "", 0, false and "no id". */
const char *row_text(const struct rows *rows, int row, int column, struct arena *arena);
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
