#include "db/store/service/outbox.h"

#include "db/link/statement.h"

/* ---- Writing ---- */

static const struct statement add = {
    "outbox_add",
    "INSERT INTO tillroll.outbox (id, kind, player_id, address, language, until)"
    " SELECT $1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6)"
    " WHERE (SELECT count(*) FROM (SELECT FROM tillroll.outbox WHERE state = 'waiting'"
    "  AND due_at > '-infinity' LIMIT $7) AS waiting) < $7"};

enum db_status outbox_add(struct db *db, const struct outbox_message *message)
{
    return statement_change(db, &add,
                            WITH(ID(&message->id), TEXT(message->kind), ID(&message->player),
                                 TEXT(message->address), TEXT(message->language),
                                 NUMBER(message->patience_s), NUMBER(OUTBOX_WAITING_MAX)),
                            DB_CONFLICT);
}

static const struct statement cancel = {
    "outbox_cancel", "DELETE FROM tillroll.outbox WHERE player_id = $1"
                     " AND ($2::text IS NULL OR (kind = $2 AND state = 'waiting'))"};

enum db_status outbox_cancel(struct db *db, const struct id *player, const char *kind)
{
    return statement_change(db, &cancel, WITH(ID(player), TEXT(kind)), DB_OK);
}

/* ---- Reading ---- */

#define MESSAGE_COLUMNS                                                                            \
    "id, kind, player_id, address, language, state, reason, tillroll.to_ms(created_at),"           \
    " tillroll.to_ms(ended_at), attempts, until < clock_timestamp()"

/* Columns: MESSAGE_COLUMNS. */
static void read_message(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct outbox_message *message = element;
    *message = (struct outbox_message){
        .id = row_id(rows, row, 0),
        .kind = row_text(rows, row, 1, arena),
        .player = row_id(rows, row, 2),
        .address = row_is_null(rows, row, 3) ? NULL : row_text(rows, row, 3, arena),
        .language = row_text(rows, row, 4, arena),
        .state = row_text(rows, row, 5, arena),
        .reason = row_is_null(rows, row, 6) ? NULL : row_text(rows, row, 6, arena),
        .created_at_ms = row_integer(rows, row, 7),
        .ended_at_ms = row_integer(rows, row, 8),
        .attempts = row_unsigned(rows, row, 9),
        .late = row_boolean(rows, row, 10)};
}

static const struct statement list = {"outbox_list", "SELECT " MESSAGE_COLUMNS
                                                     " FROM tillroll.outbox WHERE player_id = $1"
                                                     " ORDER BY id DESC LIMIT $2"};

enum db_status outbox_list(struct db *db, struct arena *arena, const struct id *player,
                           size_t limit, struct outbox_message **messages, size_t *count)
{
    return statement_list(db, arena, &list, WITH(ID(player), NUMBER(limit)), sizeof **messages,
                          read_message, messages, count);
}

static const struct statement waiting = {
    "outbox_waiting", "SELECT count(*) FROM (SELECT FROM tillroll.outbox WHERE state = 'waiting'"
                      " AND due_at > '-infinity' LIMIT $1) AS waiting"};

enum db_status outbox_waiting(struct db *db, size_t *count)
{
    struct rows rows;
    enum db_status status = statement_row(db, &waiting, WITH(NUMBER(OUTBOX_WAITING_MAX)), &rows);
    if (status != DB_OK)
        return status;
    *count = (size_t)row_integer(&rows, 0, 0);
    rows_free(&rows);
    return DB_OK;
}

/* ---- Sending ---- */

static const struct statement take = {
    "outbox_take",
    "UPDATE tillroll.outbox SET attempts = attempts + 1,"
    "  due_at = clock_timestamp() + $1 * interval '1 millisecond'"
    " WHERE id = (SELECT id FROM tillroll.outbox WHERE state = 'waiting'"
    "  AND due_at <= clock_timestamp() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)"
    " RETURNING " MESSAGE_COLUMNS};

enum db_status outbox_take(struct db *db, struct arena *arena, unsigned lease_ms,
                           struct outbox_message *message)
{
    return statement_one(db, arena, &take, WITH(NUMBER(lease_ms)), read_message, message);
}

static const struct statement name = {"outbox_name",
                                      "UPDATE tillroll.outbox SET player_id = $2 WHERE id = $1"};

enum db_status outbox_name(struct db *db, const struct id *id, const struct id *player)
{
    return statement_change(db, &name, WITH(ID(id), ID(player)), DB_NONE);
}

/* $1 and $2: the message, as it was taken. */
#define AS_TAKEN " WHERE id = $1 AND state = 'waiting' AND attempts = $2"

static const struct statement defer = {
    "outbox_defer", "UPDATE tillroll.outbox SET reason = $4,"
                    " due_at = clock_timestamp() + $3 * interval '1 millisecond'" AS_TAKEN};

enum db_status outbox_defer(struct db *db, const struct outbox_message *message, unsigned delay_ms,
                            const char *reason)
{
    return statement_change(
        db, &defer,
        WITH(ID(&message->id), NUMBER(message->attempts), NUMBER(delay_ms), TEXT(reason)), DB_NONE);
}

static const struct statement end = {
    "outbox_end", "UPDATE tillroll.outbox SET ended_at = clock_timestamp(), reason = $3,"
                  " state = CASE WHEN $3::text IS NULL THEN 'sent' ELSE 'failed' END,"
                  " address = CASE WHEN $3::text IS NULL THEN NULL ELSE address END" AS_TAKEN};

enum db_status outbox_end(struct db *db, const struct outbox_message *message, const char *reason)
{
    return statement_change(
        db, &end, WITH(ID(&message->id), NUMBER(message->attempts), TEXT(reason)), DB_NONE);
}

static const struct statement drop = {"outbox_drop", "DELETE FROM tillroll.outbox" AS_TAKEN};

enum db_status outbox_drop(struct db *db, const struct outbox_message *message)
{
    return statement_change(db, &drop, WITH(ID(&message->id), NUMBER(message->attempts)), DB_NONE);
}
