#include "db/statement.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/connection.h"

/* Object identifiers of pg_catalog's types, the same in every database. */
enum { TYPE_BYTEA = 17, TYPE_BIGINT = 20, TYPE_INTEGER = 23, TYPE_TEXT = 25, TYPE_UUID = 2950 };

static void add_parameter(struct parameters *p, const char *value, size_t length, int format)
{
    assert(p->count < PARAMETERS_MAX && length <= INT32_MAX);
    p->value[p->count] = value;
    p->length[p->count] = (int)length;
    p->format[p->count] = format;
    p->count++;
}

void parameter_text(struct parameters *p, const char *string)
{
    add_parameter(p, string, 0, 0);
}

void parameter_id(struct parameters *p, const struct id *id)
{
    parameter_text(p, id->text[0] == '\0' ? NULL : id->text);
}

void parameter_id_after(struct parameters *p, const struct id *id)
{
    parameter_text(p, id->text[0] == '\0' ? "00000000-0000-0000-0000-000000000000" : id->text);
}

void parameter_id_before(struct parameters *p, const struct id *id)
{
    parameter_text(p, id->text[0] == '\0' ? "ffffffff-ffff-ffff-ffff-ffffffffffff" : id->text);
}

void parameter_bytes(struct parameters *p, const uint8_t *bytes, size_t size)
{
    add_parameter(p, (const char *)bytes, size, 1);
}

void parameter_integer(struct parameters *p, int64_t number)
{
    char *scratch = p->scratch[p->count];
    snprintf(scratch, PARAMETER_SCRATCH, "%lld", (long long)number);
    add_parameter(p, scratch, 0, 0);
}

void parameter_boolean(struct parameters *p, bool value)
{
    parameter_text(p, value ? "t" : "f");
}

void parameter_positive(struct parameters *p, unsigned number)
{
    if (number == 0)
        parameter_text(p, NULL);
    else
        parameter_integer(p, number);
}

static uint8_t *put_number(uint8_t *at, size_t number)
{
    assert(number <= INT32_MAX);
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(number >> (24 - 8 * i));
    return at + 4;
}

/* The form of array_recv() in PostgreSQL: dimensions, has-null flag, element type; then size and
 * lower bound of the dimension; then each element with its length. All numbers big-endian. */
static void add_array(struct parameters *p, struct arena *arena, unsigned type,
                      const struct span *elements, size_t count)
{
    size_t size = 20;
    for (size_t i = 0; i < count; i++)
        size += 4 + elements[i].length;
    uint8_t *bytes = arena_take(arena, size);
    uint8_t *at = put_number(bytes, 1);
    at = put_number(at, 0);
    at = put_number(at, type);
    at = put_number(at, count);
    at = put_number(at, 1);
    for (size_t i = 0; i < count; i++) {
        at = put_number(at, elements[i].length);
        if (elements[i].length > 0)
            memcpy(at, elements[i].at, elements[i].length);
        at += elements[i].length;
    }
    parameter_bytes(p, bytes, size);
}

void parameter_array_text(struct parameters *p, struct arena *arena, const struct span *elements,
                          size_t count)
{
    add_array(p, arena, TYPE_TEXT, elements, count);
}

void parameter_array_bytes(struct parameters *p, struct arena *arena, const struct span *elements,
                           size_t count)
{
    add_array(p, arena, TYPE_BYTEA, elements, count);
}

void parameter_array_id(struct parameters *p, struct arena *arena, const struct id *ids,
                        size_t count)
{
    uint8_t(*bytes)[ID_BYTES] = arena_array(arena, count, sizeof *bytes);
    struct span *elements = arena_array(arena, count, sizeof *elements);
    for (size_t i = 0; i < count; i++) {
        id_to_bytes(&ids[i], bytes[i]);
        elements[i] = (struct span){(const char *)bytes[i], ID_BYTES};
    }
    add_array(p, arena, TYPE_UUID, elements, count);
}

void parameter_array_integer(struct parameters *p, struct arena *arena, const int32_t *numbers,
                             size_t count)
{
    uint8_t(*bytes)[4] = arena_array(arena, count, sizeof *bytes);
    struct span *elements = arena_array(arena, count, sizeof *elements);
    for (size_t i = 0; i < count; i++) {
        assert(numbers[i] >= 0);
        put_number(bytes[i], (size_t)numbers[i]);
        elements[i] = (struct span){(const char *)bytes[i], 4};
    }
    add_array(p, arena, TYPE_INTEGER, elements, count);
}

void parameter_array_bigint(struct parameters *p, struct arena *arena, const int64_t *numbers,
                            size_t count)
{
    uint8_t(*bytes)[8] = arena_array(arena, count, sizeof *bytes);
    struct span *elements = arena_array(arena, count, sizeof *elements);
    for (size_t i = 0; i < count; i++) {
        for (unsigned byte = 0; byte < 8; byte++)
            bytes[i][byte] = (uint8_t)((uint64_t)numbers[i] >> (56 - 8 * byte));
        elements[i] = (struct span){(const char *)bytes[i], 8};
    }
    add_array(p, arena, TYPE_BIGINT, elements, count);
}

static bool is_prepared(const struct db *db, const struct statement *statement)
{
    for (size_t i = 0; i < db->prepared_count; i++)
        if (db->prepared[i] == statement)
            return true;
    return false;
}

enum db_status statement_prepare(struct db *db, const struct statement *statement)
{
    connection_settle(db);
    if (is_prepared(db, statement))
        return DB_OK;
    assert(db->prepared_count < CONNECTION_STATEMENTS);
    PGresult *result = PQsendPrepare(db->connection, statement->name, statement->sql, 0, NULL) == 1
                           ? connection_answer(db)
                           : NULL;
    enum db_status status =
        PQresultStatus(result) == PGRES_COMMAND_OK ? DB_OK : connection_status(db, result);
    PQclear(result);
    if (status == DB_OK)
        db->prepared[db->prepared_count++] = statement;
    return status;
}

/* The first of a transaction: sent together with its BEGIN, which saves a way to the server and
 * back. */
static PGresult *ask_first(struct db *db, const struct statement *statement,
                           const struct parameters *p, bool binary)
{
    PGresult *answer[2] = {NULL, NULL};
    const char *begins = db->begins;
    db->begins = NULL;
    if (PQenterPipelineMode(db->connection) == 1 &&
        PQsendQueryParams(db->connection, begins, 0, NULL, NULL, NULL, NULL, 0) == 1 &&
        PQsendQueryPrepared(db->connection, statement->name, p->count, p->value, p->length,
                            p->format, binary ? 1 : 0) == 1 &&
        PQpipelineSync(db->connection) == 1)
        connection_answers(db, answer);
    else
        db->lost = true;
    bool begun = PQresultStatus(answer[0]) == PGRES_COMMAND_OK;
    PQclear(answer[begun ? 0 : 1]);
    return answer[begun ? 1 : 0];
}

static PGresult *ask(struct db *db, const struct statement *statement, const struct parameters *p,
                     bool binary)
{
    if (db->begins != NULL)
        return ask_first(db, statement, p, binary);
    bool sent = PQsendQueryPrepared(db->connection, statement->name, p->count, p->value, p->length,
                                    p->format, binary ? 1 : 0) == 1;
    return sent ? connection_answer(db) : NULL;
}

static enum db_status try_to_run(struct db *db, const struct statement *statement,
                                 const struct parameters *p, bool binary, PGresult **result)
{
    enum db_status status = DB_OK;
    if (!is_prepared(db, statement) && db->begins != NULL)
        status = connection_begin(db);
    if (status == DB_OK)
        status = statement_prepare(db, statement);
    if (status != DB_OK)
        return status;
    PGresult *got = ask(db, statement, p, binary);
    ExecStatusType done = PQresultStatus(got);
    if (done == PGRES_COMMAND_OK || done == PGRES_TUPLES_OK) {
        *result = got;
        return DB_OK;
    }
    status = connection_status(db, got);
    PQclear(got);
    return status;
}

/* Outside of a transaction nothing may run: after a broken connection was reopened, the rest of an
 * interrupted request would otherwise be carried out piece by piece. Its first statement is
 * carried out on another connection if this one turns out to be broken. */
static enum db_status run(struct db *db, const struct statement *statement,
                          const struct parameters *p, bool binary, PGresult **result)
{
    *result = NULL;
    const char *begins = db->begins;
    if (!db_is_open(db))
        return DB_UNAVAILABLE;
    if (begins == NULL && PQtransactionStatus(db->connection) == PQTRANS_IDLE) {
        snprintf(db->error, sizeof db->error, "statement %s without a transaction",
                 statement->name);
        fprintf(stderr, "tillroll: database: %s\n", db->error);
        return DB_ERROR;
    }
    enum db_status status = try_to_run(db, statement, p, binary, result);
    if (begins != NULL && !db_is_open(db) && connection_reopen(db)) {
        db->begins = begins;
        status = try_to_run(db, statement, p, binary, result);
    }
    return status;
}

enum db_status statement_rows(struct db *db, const struct statement *statement,
                              const struct parameters *p, struct rows *rows)
{
    enum db_status status = run(db, statement, p, false, &rows->result);
    rows->count = PQntuples(rows->result);
    return status;
}

enum db_status statement_rows_binary(struct db *db, const struct statement *statement,
                                     const struct parameters *p, struct rows *rows)
{
    enum db_status status = run(db, statement, p, true, &rows->result);
    rows->count = PQntuples(rows->result);
    return status;
}

enum db_status statement_row(struct db *db, const struct statement *statement,
                             const struct parameters *p, struct rows *rows)
{
    enum db_status status = statement_rows(db, statement, p, rows);
    if (status != DB_OK || rows->count > 0)
        return status;
    rows_free(rows);
    return DB_NONE;
}

void *statement_list(struct db *db, struct arena *arena, const struct statement *statement,
                     const struct parameters *p, size_t size, row_reader *read, size_t *count,
                     enum db_status *status)
{
    struct rows rows;
    *count = 0;
    *status = statement_rows(db, statement, p, &rows);
    if (*status != DB_OK)
        return NULL;
    *count = (size_t)rows.count;
    char *elements = arena_array(arena, *count, size);
    for (int row = 0; row < rows.count; row++)
        read(&rows, row, arena, elements + (size_t)row * size);
    rows_free(&rows);
    return elements;
}

enum db_status statement_change(struct db *db, const struct statement *statement,
                                const struct parameters *p, enum db_status otherwise)
{
    PGresult *result;
    enum db_status status = run(db, statement, p, false, &result);
    if (status == DB_OK && strtol(PQcmdTuples(result), NULL, 10) == 0)
        status = otherwise;
    PQclear(result);
    return status;
}

/* A statement outside of a transaction is committed before its answer is complete: an error or a
 * lost connection in its commit comes after its result, and is the last. */
enum db_status statement_receive(struct db *db, size_t *changed)
{
    PGresult *result = connection_answer(db);
    bool done = PQresultStatus(result) == PGRES_COMMAND_OK;
    enum db_status status = done ? DB_OK : connection_status(db, result);
    *changed = done ? (size_t)strtoull(PQcmdTuples(result), NULL, 10) : 0;
    PQclear(result);
    return db->warned || !db_is_open(db) ? DB_UNKNOWN : status;
}

bool statement_send(struct db *db, const struct statement *statement, const struct parameters *p)
{
    assert(is_prepared(db, statement) && PQtransactionStatus(db->connection) == PQTRANS_IDLE);
    db->warned = false;
    return PQsendQueryPrepared(db->connection, statement->name, p->count, p->value, p->length,
                               p->format, 0) == 1 &&
           PQflush(db->connection) >= 0;
}

bool statement_arrived(struct db *db)
{
    return PQflush(db->connection) < 0 || PQconsumeInput(db->connection) == 0 ||
           PQisBusy(db->connection) == 0;
}

bool statement_never_waits(struct db *db)
{
    return PQsetnonblocking(db->connection, 1) == 0;
}

int statement_socket(const struct db *db)
{
    return PQsocket(db->connection);
}

enum db_status statement_commit(struct db *db, const struct statement *statement,
                                const struct parameters *p, size_t *changed)
{
    *changed = 0;
    connection_settle(db);
    if (!db_is_open(db) && !connection_reopen(db))
        return DB_UNAVAILABLE;
    enum db_status status = statement_prepare(db, statement);
    if (status != DB_OK)
        return status;
    (void)statement_send(db, statement, p);
    return statement_receive(db, changed);
}

void rows_free(struct rows *rows)
{
    PQclear(rows->result);
    *rows = (struct rows){NULL, 0};
}

struct span row_bytes_borrowed(const struct rows *rows, int row, int column)
{
    return (struct span){PQgetvalue(rows->result, row, column),
                         (size_t)PQgetlength(rows->result, row, column)};
}

const char *row_text(const struct rows *rows, int row, int column, struct arena *arena)
{
    return arena_copy(arena, row_bytes_borrowed(rows, row, column));
}

int64_t row_integer(const struct rows *rows, int row, int column)
{
    return strtoll(PQgetvalue(rows->result, row, column), NULL, 10);
}

unsigned row_unsigned(const struct rows *rows, int row, int column)
{
    int64_t number = row_integer(rows, row, column);
    assert(number >= 0 && number <= INT32_MAX);
    return (unsigned)number;
}

bool row_boolean(const struct rows *rows, int row, int column)
{
    return PQgetvalue(rows->result, row, column)[0] == 't';
}

bool row_is_null(const struct rows *rows, int row, int column)
{
    return PQgetisnull(rows->result, row, column) == 1;
}

struct id row_id(const struct rows *rows, int row, int column)
{
    struct id id = {""};
    if (!row_is_null(rows, row, column)) {
        bool parsed = id_parse(row_bytes_borrowed(rows, row, column), &id);
        assert(parsed);
        (void)parsed;
    }
    return id;
}

const uint8_t *row_bytes(const struct rows *rows, int row, int column, struct arena *arena,
                         size_t *size)
{
    struct span hex = row_bytes_borrowed(rows, row, column);
    assert(hex.length >= 2 && hex.at[0] == '\\' && hex.at[1] == 'x');
    hex.at += 2;
    hex.length -= 2;
    *size = hex.length / 2;
    uint8_t *bytes = arena_take(arena, *size);
    bool read = span_hex(hex, bytes, *size);
    assert(read);
    (void)read;
    return bytes;
}

void row_hash(const struct rows *rows, int row, int column, uint8_t hash[static 32])
{
    struct span hex = row_bytes_borrowed(rows, row, column);
    assert(hex.length == 66);
    bool read = span_hex((struct span){hex.at + 2, 64}, hash, 32);
    assert(read);
    (void)read;
}
