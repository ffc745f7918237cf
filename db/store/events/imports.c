#include "db/store/events/imports.h"

#include <string.h>

#include "db/link/statement.h"

/* ---- Parts ---- */

static const struct statement put = {
    "import_part_put",
    "INSERT INTO tillroll.import_part (player_id, bundle, number, body, stored_at)"
    " SELECT $1::uuid, $2::bytea, $3::integer, $4::bytea, tillroll.from_ms($5)"
    " WHERE (SELECT coalesce(sum(octet_length(body)), 0) FROM tillroll.import_part"
    "        WHERE player_id = $1 AND (bundle, number) <> ($2, $3)) + octet_length($4)"
    "  <= $6::bigint"
    " ON CONFLICT (player_id, bundle, number)"
    " DO UPDATE SET body = excluded.body, stored_at = excluded.stored_at"};

enum db_status import_part_put(struct db *db, const struct id *player,
                               const uint8_t bundle[static 32], unsigned number, struct span body,
                               int64_t now_ms, size_t bytes_most)
{
    return statement_change(db, &put,
                            WITH(ID(player), BYTES(bundle, 32), NUMBER(number),
                                 BYTES((const uint8_t *)body.at, body.length), NUMBER(now_ms),
                                 NUMBER(bytes_most)),
                            DB_CONFLICT);
}

static const struct statement parts = {
    "import_parts", "SELECT body FROM tillroll.import_part"
                    " WHERE player_id = $1 AND bundle = $2 AND number <= $3 ORDER BY number"};

static struct span join(const struct rows *rows, struct arena *arena)
{
    size_t length = 0, at = 0;
    for (int row = 0; row < rows->count; row++)
        length += row_bytes_borrowed(rows, row, 0).length;
    char *whole = arena_take(arena, length + 1);
    for (int row = 0; row < rows->count; row++) {
        struct span part = row_bytes_borrowed(rows, row, 0);
        memcpy(whole + at, part.at, part.length);
        at += part.length;
    }
    return (struct span){whole, length};
}

enum db_status import_parts_join(struct db *db, struct arena *arena, const struct id *player,
                                 const uint8_t bundle[static 32], unsigned count,
                                 struct span *whole)
{
    struct rows rows;
    enum db_status status = statement_rows_binary(
        db, &parts, WITH(ID(player), BYTES(bundle, 32), NUMBER(count)), &rows);
    if (status != DB_OK)
        return status;
    if ((unsigned)rows.count == count)
        *whole = join(&rows, arena);
    else
        status = DB_NONE;
    rows_free(&rows);
    return status;
}

static const struct statement delete_parts = {
    "import_parts_delete", "DELETE FROM tillroll.import_part WHERE player_id = $1 AND bundle = $2"};

enum db_status import_parts_delete(struct db *db, const struct id *player,
                                   const uint8_t bundle[static 32])
{
    return statement_change(db, &delete_parts, WITH(ID(player), BYTES(bundle, 32)), DB_OK);
}

/* ---- Origins ---- */

static const struct statement add = {
    "event_origin_add",
    "INSERT INTO tillroll.event_origin (event_id, sha256, key, signature, players, imported_by,"
    " imported_at, bundle) VALUES ($1, $2, $3, $4, $5, $6, tillroll.from_ms($7), $8)"
    " ON CONFLICT DO NOTHING"};

enum db_status event_origin_add(struct db *db, const struct event_origin *origin)
{
    struct arena arena = {NULL};
    enum db_status status = statement_change(
        db, &add,
        WITH(ID(&origin->event), BYTES(origin->sha256, sizeof origin->sha256),
             BYTES(origin->key, sizeof origin->key),
             BYTES(origin->signature, sizeof origin->signature),
             TEXT(arena_copy(&arena, origin->players)), ID(&origin->imported_by),
             NUMBER(origin->imported_at_ms), BYTES(origin->bundle, sizeof origin->bundle)),
        DB_CONFLICT);
    arena_free(&arena);
    return status;
}

static const struct statement find_bundle = {
    "event_origin_find_bundle",
    "SELECT event_id, key FROM tillroll.event_origin WHERE bundle = $1"};

enum db_status event_origin_find_bundle(struct db *db, const uint8_t bundle[static 32],
                                        struct id *event, uint8_t key[static 32])
{
    struct rows rows;
    enum db_status status = statement_row(db, &find_bundle, WITH(BYTES(bundle, 32)), &rows);
    if (status != DB_OK)
        return status;
    *event = row_id(&rows, 0, 0);
    row_hash(&rows, 0, 1, key);
    rows_free(&rows);
    return DB_OK;
}

static const struct statement find = {"event_origin_find",
                                      "SELECT sha256, key, signature, players, imported_by,"
                                      " tillroll.to_ms(imported_at)"
                                      " FROM tillroll.event_origin WHERE event_id = $1"};

enum db_status event_origin_find(struct db *db, struct arena *arena, const struct id *event,
                                 struct event_origin *origin)
{
    const struct value *p = WITH(ID(event));
    struct rows rows;
    size_t size = 0;
    enum db_status status = statement_row(db, &find, p, &rows);
    if (status != DB_OK)
        return status;
    origin->event = *event;
    row_hash(&rows, 0, 0, origin->sha256);
    row_hash(&rows, 0, 1, origin->key);
    const uint8_t *signature = row_bytes(&rows, 0, 2, arena, &size);
    memcpy(origin->signature, signature, sizeof origin->signature);
    origin->players = span_of(row_text(&rows, 0, 3, arena));
    origin->imported_by = row_id(&rows, 0, 4);
    origin->imported_at_ms = row_integer(&rows, 0, 5);
    rows_free(&rows);
    return DB_OK;
}
