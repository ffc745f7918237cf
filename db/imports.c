#include "db/imports.h"

#include <string.h>

#include "db/statement.h"

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
    struct parameters p = {0};
    parameter_id(&p, player);
    parameter_bytes(&p, bundle, 32);
    parameter_integer(&p, number);
    parameter_bytes(&p, (const uint8_t *)body.at, body.length);
    parameter_integer(&p, now_ms);
    parameter_integer(&p, (int64_t)bytes_most);
    return statement_change(db, &put, &p, DB_CONFLICT);
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
    struct parameters p = {0};
    parameter_id(&p, player);
    parameter_bytes(&p, bundle, 32);
    parameter_integer(&p, count);
    struct rows rows;
    enum db_status status = statement_rows_binary(db, &parts, &p, &rows);
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
    struct parameters p = {0};
    parameter_id(&p, player);
    parameter_bytes(&p, bundle, 32);
    return statement_change(db, &delete_parts, &p, DB_OK);
}

/* ---- Where an event is from ---- */

static const struct statement add = {
    "event_origin_add",
    "INSERT INTO tillroll.event_origin (event_id, sha256, key, signature, players, imported_by,"
    " imported_at) VALUES ($1, $2, $3, $4, $5, $6, tillroll.from_ms($7)) ON CONFLICT DO NOTHING"};

enum db_status event_origin_add(struct db *db, const struct event_origin *origin)
{
    struct arena arena = {NULL};
    struct parameters p = {0};
    parameter_id(&p, &origin->event);
    parameter_bytes(&p, origin->sha256, sizeof origin->sha256);
    parameter_bytes(&p, origin->key, sizeof origin->key);
    parameter_bytes(&p, origin->signature, sizeof origin->signature);
    parameter_text(&p, arena_copy(&arena, origin->players));
    parameter_id(&p, &origin->imported_by);
    parameter_integer(&p, origin->imported_at_ms);
    enum db_status status = statement_change(db, &add, &p, DB_CONFLICT);
    arena_free(&arena);
    return status;
}

static const struct statement find = {"event_origin_find",
                                      "SELECT sha256, key, signature, players, imported_by,"
                                      " tillroll.to_ms(imported_at)"
                                      " FROM tillroll.event_origin WHERE event_id = $1"};

enum db_status event_origin_find(struct db *db, struct arena *arena, const struct id *event,
                                 struct event_origin *origin)
{
    struct parameters p = {0};
    parameter_id(&p, event);
    struct rows rows;
    size_t size = 0;
    enum db_status status = statement_row(db, &find, &p, &rows);
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
