#include "db/link/statement.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/link/connection.h"

/* Sends a prepared statement; false if the connection broke. libpq copies the values. */
static bool send_prepared(struct db *db, const struct statement *statement,
                          const struct value *values, bool binary)
{
    struct arena arena = {NULL};
    struct value_parameters list;
    value_list(values, &arena, &list);
    int sent = PQsendQueryPrepared(db->connection, statement->name, list.count, list.value,
                                   list.length, list.format, binary ? 1 : 0);
    arena_free(&arena);
    return sent == 1;
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
    assert(db->prepared_count < CONNECTION_STATEMENTS && db->sent_count == 0);
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

static bool is_being_prepared(const struct db *db, const struct statement *statement)
{
    for (size_t i = 0; i < db->sent_count; i++)
        if (db->sent[i].prepares == statement)
            return true;
    return false;
}

static void note_sent(struct db *db, const struct statement *prepares, enum db_status otherwise)
{
    assert(db->sent_count < CONNECTION_TOGETHER);
    db->sent[db->sent_count++] = (struct sent){.prepares = prepares, .otherwise = otherwise};
}

/* Sends a statement that begins a transaction, is not prepared yet, or follows statement_later():
 * BEGIN, its text and its values go to the server in one round trip. */
static void send_together(struct db *db, const struct statement *statement,
                          const struct value *values, bool binary, enum db_status otherwise)
{
    const char *deferred_begin = db->deferred_begin;
    bool unprepared = !is_prepared(db, statement) && !is_being_prepared(db, statement);
    db->deferred_begin = NULL;
    assert(db->prepared_count + db->sent_count < CONNECTION_STATEMENTS);
    bool sent = db->sent_count > 0 || PQenterPipelineMode(db->connection) == 1;
    if (sent && deferred_begin != NULL) {
        sent = PQsendQueryParams(db->connection, deferred_begin, 0, NULL, NULL, NULL, NULL, 0) == 1;
        note_sent(db, NULL, DB_OK);
    }
    if (sent && unprepared) {
        sent = PQsendPrepare(db->connection, statement->name, statement->sql, 0, NULL) == 1;
        note_sent(db, statement, DB_OK);
    }
    db->lost = db->lost || !sent || !send_prepared(db, statement, values, binary);
    note_sent(db, NULL, otherwise);
}

static enum db_status try_to_run(struct db *db, const struct statement *statement,
                                 const struct value *values, bool binary, PGresult **result)
{
    connection_settle(db);
    if (db->deferred_begin != NULL || db->sent_count > 0 || !is_prepared(db, statement)) {
        send_together(db, statement, values, binary, DB_OK);
        return connection_receive_all(db, result);
    }
    PGresult *got = send_prepared(db, statement, values, binary) ? connection_answer(db) : NULL;
    ExecStatusType done = PQresultStatus(got);
    if (done == PGRES_COMMAND_OK || done == PGRES_TUPLES_OK) {
        connection_note_changes(db, got);
        *result = got;
        return DB_OK;
    }
    enum db_status status = connection_status(db, got);
    PQclear(got);
    return status;
}

static bool in_transaction(struct db *db, const struct statement *statement)
{
    if (db->deferred_begin != NULL || PQtransactionStatus(db->connection) != PQTRANS_IDLE)
        return true;
    snprintf(db->error, sizeof db->error, "statement %s without a transaction", statement->name);
    fprintf(stderr, "tillroll: database: %s\n", db->error);
    return false;
}

/* Nothing may run outside a transaction: otherwise, after a broken connection was reopened, the
 * rest of an interrupted request would be executed piece by piece. The first statement of a
 * transaction is repeated on a new connection if the old one turns out to be broken. */
static enum db_status run(struct db *db, const struct statement *statement,
                          const struct value *values, bool binary, PGresult **result)
{
    *result = NULL;
    const char *deferred_begin = db->deferred_begin;
    if (!db_is_open(db))
        return DB_UNAVAILABLE;
    if (!in_transaction(db, statement))
        return DB_ERROR;
    enum db_status status = try_to_run(db, statement, values, binary, result);
    if (deferred_begin != NULL && !db_is_open(db) && connection_reopen(db)) {
        db->deferred_begin = deferred_begin;
        status = try_to_run(db, statement, values, binary, result);
    }
    return status;
}

enum db_status statement_rows(struct db *db, const struct statement *statement,
                              const struct value *values, struct rows *rows)
{
    enum db_status status = run(db, statement, values, false, &rows->result);
    rows->count = PQntuples(rows->result);
    return status;
}

enum db_status statement_rows_binary(struct db *db, const struct statement *statement,
                                     const struct value *values, struct rows *rows)
{
    enum db_status status = run(db, statement, values, true, &rows->result);
    rows->count = PQntuples(rows->result);
    return status;
}

enum db_status statement_row(struct db *db, const struct statement *statement,
                             const struct value *values, struct rows *rows)
{
    enum db_status status = statement_rows(db, statement, values, rows);
    if (status != DB_OK || rows->count > 0)
        return status;
    rows_free(rows);
    return DB_NONE;
}

enum db_status statement_one(struct db *db, struct arena *arena, const struct statement *statement,
                             const struct value *values, row_reader *read, void *element)
{
    struct rows rows;
    enum db_status status = statement_row(db, statement, values, &rows);
    if (status != DB_OK)
        return status;
    read(&rows, 0, arena, element);
    rows_free(&rows);
    return DB_OK;
}

enum db_status statement_list(struct db *db, struct arena *arena, const struct statement *statement,
                              const struct value *values, size_t size, row_reader *read,
                              void *elements, size_t *count)
{
    struct rows rows;
    char *list = NULL;
    *count = 0;
    enum db_status status = statement_rows(db, statement, values, &rows);
    if (status == DB_OK) {
        *count = (size_t)rows.count;
        list = arena_array(arena, *count, size);
        for (int row = 0; row < rows.count; row++)
            read(&rows, row, arena, list + (size_t)row * size);
        rows_free(&rows);
    }
    memcpy(elements, &list, sizeof list);
    return status;
}

enum db_status statement_change(struct db *db, const struct statement *statement,
                                const struct value *values, enum db_status otherwise)
{
    PGresult *result;
    enum db_status status = run(db, statement, values, false, &result);
    if (status == DB_OK && strtol(PQcmdTuples(result), NULL, 10) == 0)
        status = otherwise;
    PQclear(result);
    return status;
}

enum db_status statement_later(struct db *db, const struct statement *statement,
                               const struct value *values, enum db_status otherwise)
{
    enum { AT_ONCE = 3 /* a statement, with BEGIN and its preparation */ };
    if (!db_is_open(db))
        return DB_UNAVAILABLE;
    if (!in_transaction(db, statement))
        return DB_ERROR;
    /* Only the first statement of a transaction may be repeated on another connection. */
    if (db->deferred_begin != NULL || db->sent_count + 2 * AT_ONCE > CONNECTION_TOGETHER)
        return statement_change(db, statement, values, otherwise);
    send_together(db, statement, values, false, otherwise);
    return DB_OK;
}

/* A statement outside a transaction is committed before its response is complete: an error or a
 * lost connection in its commit comes after its result, and is the last result. */
static enum db_status committed_status(struct db *db, const PGresult *result, ExecStatusType good)
{
    enum db_status status = PQresultStatus(result) == good ? DB_OK : connection_status(db, result);
    return db->warned || !db_is_open(db) ? DB_UNKNOWN : status;
}

/* Receives the response to a statement. Status as of statement_commit(). */
static enum db_status statement_receive(struct db *db, size_t *changed)
{
    PGresult *result = connection_answer(db);
    bool done = PQresultStatus(result) == PGRES_COMMAND_OK;
    *changed = done ? (size_t)strtoull(PQcmdTuples(result), NULL, 10) : 0;
    enum db_status status = committed_status(db, result, PGRES_COMMAND_OK);
    PQclear(result);
    return status;
}

enum db_status statement_receive_flag(struct db *db, bool *flag)
{
    PGresult *result = connection_answer(db);
    *flag = PQntuples(result) == 1 && PQgetvalue(result, 0, 0)[0] == 't';
    enum db_status status = committed_status(db, result, PGRES_TUPLES_OK);
    PQclear(result);
    return status;
}

bool statement_send(struct db *db, const struct statement *statement, const struct value *values)
{
    assert(is_prepared(db, statement) && PQtransactionStatus(db->connection) == PQTRANS_IDLE);
    db->warned = false;
    return send_prepared(db, statement, values, false) && PQflush(db->connection) >= 0;
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
                                const struct value *values, size_t *changed)
{
    *changed = 0;
    connection_settle(db);
    if (!db_is_open(db) && !connection_reopen(db))
        return DB_UNAVAILABLE;
    enum db_status status = statement_prepare(db, statement);
    if (status != DB_OK)
        return status;
    (void)statement_send(db, statement, values);
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

const char *row_text_or_null(const struct rows *rows, int row, int column, struct arena *arena)
{
    return row_is_null(rows, row, column) ? NULL : row_text(rows, row, column, arena);
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

void row_read_id(const struct rows *rows, int row, struct arena *arena, void *element)
{
    (void)arena;
    *(struct id *)element = row_id(rows, row, 0);
}

void row_read_flag(const struct rows *rows, int row, struct arena *arena, void *element)
{
    (void)arena;
    *(bool *)element = row_boolean(rows, row, 0);
}

void row_read_unsigned(const struct rows *rows, int row, struct arena *arena, void *element)
{
    (void)arena;
    *(unsigned *)element = row_unsigned(rows, row, 0);
}

void row_read_size(const struct rows *rows, int row, struct arena *arena, void *element)
{
    (void)arena;
    *(size_t *)element = (size_t)row_integer(rows, row, 0);
}

void row_read_integer(const struct rows *rows, int row, struct arena *arena, void *element)
{
    (void)arena;
    *(int64_t *)element = row_integer(rows, row, 0);
}

void row_read_text(const struct rows *rows, int row, struct arena *arena, void *element)
{
    *(const char **)element = row_text(rows, row, 0, arena);
}

void row_read_hash(const struct rows *rows, int row, struct arena *arena, void *element)
{
    (void)arena;
    row_hash(rows, row, 0, element);
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
