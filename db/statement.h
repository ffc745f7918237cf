/* Inside db/ only: named statements, their parameters and their rows.
 *
 * A statement is a constant with a name and a text; it is prepared when a connection first needs
 * it. Values reach the server as parameters and never as part of the text. The readers of columns
 * copy into the caller's arena, so nothing of libpq is seen above this header.
 */
#ifndef TILLROLL_DB_STATEMENT_H
#define TILLROLL_DB_STATEMENT_H

#include <libpq-fe.h>

#include "db/db.h"

struct statement {
    const char *name; /* unique in db/ */
    const char *sql;
};

enum { PARAMETERS_MAX = 20, PARAMETER_SCRATCH = 256 };

/* Start with `struct parameters p = {0}` and add $1, $2 .. in order. What is added is borrowed
 * until the statement has run. */
struct parameters {
    int count;
    const char *value[PARAMETERS_MAX];
    int length[PARAMETERS_MAX];
    int format[PARAMETERS_MAX]; /* 0 text, 1 binary */
    char scratch[PARAMETERS_MAX][PARAMETER_SCRATCH];
};

void parameter_text(struct parameters *p, const char *string);                 /* NULL = NULL */
void parameter_id(struct parameters *p, const struct id *id);                  /* "" = NULL */
void parameter_bytes(struct parameters *p, const uint8_t *bytes, size_t size); /* NULL = NULL */
void parameter_integer(struct parameters *p, int64_t number);
void parameter_boolean(struct parameters *p, bool value);
void parameter_positive(struct parameters *p, unsigned number); /* 0 = NULL */

/* Keys of paged lists: "" stands for an id before, or after, all others. */
void parameter_id_after(struct parameters *p, const struct id *id);
void parameter_id_before(struct parameters *p, const struct id *id);

/* An array of text or of bytea, in the binary format; its bytes are made in `arena`. */
void parameter_array_text(struct parameters *p, struct arena *arena, const struct span *elements,
                          size_t count);
void parameter_array_bytes(struct parameters *p, struct arena *arena, const struct span *elements,
                           size_t count);

/* The same of uuid, integer and bigint. No id may be "", no integer negative. */
void parameter_array_id(struct parameters *p, struct arena *arena, const struct id *ids,
                        size_t count);
void parameter_array_integer(struct parameters *p, struct arena *arena, const int32_t *numbers,
                             size_t count);
void parameter_array_bigint(struct parameters *p, struct arena *arena, const int64_t *numbers,
                            size_t count);

struct rows {
    PGresult *result;
    int count;
};

/* Runs a statement that returns any number of rows. Free the rows if DB_OK. */
enum db_status statement_rows(struct db *db, const struct statement *statement,
                              const struct parameters *p, struct rows *rows);

/* The same for a statement that returns at most one row: DB_NONE, and nothing to free, for none. */
enum db_status statement_row(struct db *db, const struct statement *statement,
                             const struct parameters *p, struct rows *rows);

/* As statement_rows(), with values in PostgreSQL's binary form, to be read with
 * row_bytes_borrowed(): for many rows at once. */
enum db_status statement_rows_binary(struct db *db, const struct statement *statement,
                                     const struct parameters *p, struct rows *rows);

/* Reads one row into an element, whose bytes are zeroed in statement_list(). */
typedef void row_reader(const struct rows *rows, int row, struct arena *arena, void *element);

/* Runs a statement that returns any number of rows, and reads them, in order, into an array made in
 * `arena`, of elements of `size` bytes. NULL, and *count 0, unless *status is DB_OK. */
void *statement_list(struct db *db, struct arena *arena, const struct statement *statement,
                     const struct parameters *p, size_t size, row_reader *read, size_t *count,
                     enum db_status *status);

/* Runs a statement for what it changes: `otherwise` if it was no row at all. */
enum db_status statement_change(struct db *db, const struct statement *statement,
                                const struct parameters *p, enum db_status otherwise);

/* Runs a statement outside of any transaction, as one of its own, and says how many rows it
 * changed. Reopens a broken connection first. DB_OK only if it is committed and the server raised
 * no warning (see db_commit()). With every other status but DB_UNKNOWN it has changed nothing;
 * DB_UNKNOWN if the connection broke, or with a warning. */
enum db_status statement_commit(struct db *db, const struct statement *statement,
                                const struct parameters *p, size_t *changed);

/* The same in two steps, for a thread that must not wait. Between them nothing else may be done
 * with the connection. */

/* Makes a statement ready; waits for the server. */
enum db_status statement_prepare(struct db *db, const struct statement *statement);

/* Sends a statement that was prepared; what could not be sent yet is by statement_arrived(). False
 * if the connection is broken: then it may have been sent all the same. */
bool statement_send(struct db *db, const struct statement *statement, const struct parameters *p);

/* True once the whole answer, or the connection's end, has arrived. Does not wait. */
bool statement_arrived(struct db *db);

/* The answer: as statement_commit() returns it. */
enum db_status statement_receive(struct db *db, size_t *changed);

/* From now on sending does not wait either. False if the connection is broken. */
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
