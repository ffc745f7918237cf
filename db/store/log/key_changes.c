#include "db/store/log/key_changes.h"

#include <string.h>

#include "db/link/statement.h"

static const struct statement store = {
    "key_change_store",
    "INSERT INTO tillroll.server_key_change (number, old_key, new_key, hash)"
    " SELECT coalesce(max(number), 0) + 1, $1, $2, $3 FROM tillroll.server_key_change"};

enum db_status key_change_store(struct db *db, const uint8_t old[static 32],
                                const uint8_t new[static 32], const uint8_t hash[static 32])
{
    return statement_change(db, &store, WITH(BYTES(old, 32), BYTES(new, 32), BYTES(hash, 32)),
                            DB_ERROR);
}

/* The newest $1 changes, oldest first. */
#define NEWEST(columns, joined)                                                                    \
    "SELECT " columns " FROM ("                                                                    \
    " SELECT * FROM tillroll.server_key_change ORDER BY number DESC LIMIT $1"                      \
    ") AS change " joined "ORDER BY number"

static const struct statement list = {
    "key_change_list",
    NEWEST("old_key, new_key, body", "JOIN tillroll.log_document USING (hash) ")};

static void read_key(const struct rows *rows, int row, int column, struct arena *arena,
                     uint8_t key[static 32])
{
    size_t size;
    const uint8_t *bytes = row_bytes(rows, row, column, arena, &size);
    if (size == 32)
        memcpy(key, bytes, 32);
}

static void read_keys(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct stored_key_change *change = element;
    read_key(rows, row, 0, arena, change->old);
    read_key(rows, row, 1, arena, change->new);
    change->note = (struct span){NULL, 0};
}

static void read_change(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct stored_key_change *change = element;
    read_keys(rows, row, arena, change);
    change->note = span_of(row_text(rows, row, 2, arena));
}

enum db_status key_change_list(struct db *db, struct arena *arena,
                               struct stored_key_change **changes, size_t *count)
{
    return statement_list(db, arena, &list, WITH(NUMBER(KEY_CHANGES_MAX)), sizeof **changes,
                          read_change, changes, count);
}

static const struct statement keys = {"key_change_keys", NEWEST("old_key, new_key", "")};

enum db_status key_change_keys(struct db *db, struct arena *arena,
                               struct stored_key_change **changes, size_t *count)
{
    return statement_list(db, arena, &keys, WITH(NUMBER(KEY_CHANGES_MAX)), sizeof **changes,
                          read_keys, changes, count);
}

static const struct statement is_old = {
    "key_change_is_old", "SELECT 1 FROM tillroll.server_key_change WHERE old_key = $1"};

enum db_status key_change_is_old(struct db *db, const uint8_t key[static 32], bool *old)
{
    enum db_status status = statement_change(db, &is_old, WITH(BYTES(key, 32)), DB_NONE);
    *old = status == DB_OK;
    return status == DB_NONE ? DB_OK : status;
}
