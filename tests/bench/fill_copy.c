/* The binary format of COPY: a signature, two numbers, the rows, a mark at the end. A row is the
 * number of its fields, each field its length (-1 = NULL) and its bytes; all numbers are
 * big-endian (PostgreSQL 15 manual, COPY, "Binary Format"). */
#include "fill_copy.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1 << 20, PIECE = 1 << 20 };

/* Milliseconds from 1970 to 2000, where PostgreSQL's time begins. */
static const int64_t epoch_ms = INT64_C(946684800000);

struct copy copy_into(const char *into)
{
    struct copy copy = {.into = into, .capacity = FIRST_CAPACITY};
    copy.bytes = malloc(copy.capacity);
    if (copy.bytes == NULL)
        abort();
    return copy;
}

void copy_free(struct copy *copy)
{
    free(copy->bytes);
    copy->bytes = NULL;
}

/* Room for `size` more bytes. */
static uint8_t *extend(struct copy *copy, size_t size)
{
    while (copy->size + size > copy->capacity) {
        copy->capacity *= 2;
        copy->bytes = realloc(copy->bytes, copy->capacity);
        if (copy->bytes == NULL)
            abort();
    }
    copy->size += size;
    return copy->bytes + copy->size - size;
}

static void put(struct copy *copy, uint64_t number, unsigned bytes)
{
    uint8_t *at = extend(copy, bytes);
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(number >> 8 * (bytes - 1 - i));
}

void copy_row(struct copy *copy, unsigned fields)
{
    put(copy, fields, 2);
}

void copy_null(struct copy *copy)
{
    put(copy, UINT32_MAX, 4);
}

void copy_bytes(struct copy *copy, const uint8_t *bytes, size_t size)
{
    put(copy, size, 4);
    memcpy(extend(copy, size), bytes, size);
}

void copy_text(struct copy *copy, struct span text)
{
    copy_bytes(copy, (const uint8_t *)text.at, text.length);
}

void copy_id(struct copy *copy, const char *id)
{
    uint8_t bytes[16];
    if (id[0] == '\0') {
        copy_null(copy);
        return;
    }
    if (sodium_hex2bin(bytes, sizeof bytes, id, strlen(id), "-", NULL, NULL) != 0)
        abort();
    copy_bytes(copy, bytes, sizeof bytes);
}

void copy_integer(struct copy *copy, int32_t number)
{
    put(copy, 4, 4);
    put(copy, (uint32_t)number, 4);
}

void copy_positive(struct copy *copy, uint32_t number)
{
    if (number == 0)
        copy_null(copy);
    else
        copy_integer(copy, (int32_t)number);
}

void copy_bigint(struct copy *copy, int64_t number)
{
    put(copy, 8, 4);
    put(copy, (uint64_t)number, 8);
}

void copy_time(struct copy *copy, int64_t at_ms)
{
    copy_bigint(copy, (at_ms - epoch_ms) * 1000);
}

static void give_up(PGconn *connection, const char *what)
{
    fprintf(stderr, "bench_fill: %s: %s", what, PQerrorMessage(connection));
    exit(EXIT_FAILURE);
}

void copy_command(PGconn *connection, const char *sql)
{
    PGresult *result = PQexec(connection, sql);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        give_up(connection, sql);
    PQclear(result);
}

static void send_bytes(PGconn *connection, const uint8_t *bytes, size_t size)
{
    for (size_t sent = 0; sent < size; sent += PIECE) {
        size_t left = size - sent;
        if (PQputCopyData(connection, (const char *)bytes + sent,
                          (int)(left < PIECE ? left : PIECE)) != 1)
            give_up(connection, "COPY");
    }
}

void copy_send(struct copy *copy, PGconn *connection)
{
    static const uint8_t header[19] = "PGCOPY\n\377\r\n\0";
    static const uint8_t end[2] = {0xff, 0xff};
    char sql[256];
    if (copy->size == 0)
        return;
    (void)snprintf(sql, sizeof sql, "COPY %s FROM STDIN (FORMAT binary)", copy->into);
    PGresult *result = PQexec(connection, sql);
    if (PQresultStatus(result) != PGRES_COPY_IN)
        give_up(connection, sql);
    PQclear(result);
    send_bytes(connection, header, sizeof header);
    send_bytes(connection, copy->bytes, copy->size);
    send_bytes(connection, end, sizeof end);
    if (PQputCopyEnd(connection, NULL) != 1)
        give_up(connection, sql);
    while ((result = PQgetResult(connection)) != NULL) {
        if (PQresultStatus(result) != PGRES_COMMAND_OK)
            give_up(connection, sql);
        PQclear(result);
    }
    copy->size = 0;
}
