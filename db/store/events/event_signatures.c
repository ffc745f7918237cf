#include "db/store/events/event_signatures.h"

#include <string.h>

#include "db/link/statement.h"

static const struct statement add = {
    "event_signature_add",
    "INSERT INTO tillroll.event_step_signature (event_id, seq, base, key, signature)"
    " VALUES ($1, $2, $3, $4, $5)"};

enum db_status event_signature_add(struct db *db, const struct id *event,
                                   const struct event_signature *signature)
{
    return statement_change(db, &add,
                            WITH(ID(event), NUMBER(signature->line), NUMBER(signature->base),
                                 BYTES(signature->key, sizeof signature->key),
                                 BYTES(signature->signature, sizeof signature->signature)),
                            DB_ERROR);
}

static const struct statement list = {
    "event_signature_list", "SELECT seq, base, key, signature FROM tillroll.event_step_signature"
                            " WHERE event_id = $1 AND seq > $2 ORDER BY seq LIMIT $3"};

static void read_signature(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct event_signature *signature = element;
    size_t size;
    signature->line = row_unsigned(rows, row, 0);
    signature->base = row_unsigned(rows, row, 1);
    row_hash(rows, row, 2, signature->key);
    memcpy(signature->signature, row_bytes(rows, row, 3, arena, &size),
           sizeof signature->signature);
}

enum db_status event_signature_list(struct db *db, struct arena *arena, const struct id *event,
                                    unsigned after, size_t limit,
                                    struct event_signature **signatures, size_t *count)
{
    return statement_list(db, arena, &list, WITH(ID(event), NUMBER(after), NUMBER(limit)),
                          sizeof **signatures, read_signature, signatures, count);
}
