#include "db/store/service/outbox.h"

#include <string.h>

#include "db/link/statement.h"
#include "engine/base/text.h"

const char *outbox_give_up_reason(struct arena *arena, const struct outbox_message *message)
{
    if (message->reason == NULL)
        return "No service has tried to send it in time.";
    size_t capacity = strlen(message->reason) + 40;
    struct text text = {arena_take(arena, capacity), 0, capacity, false};
    text_add(&text, "Given up; the last try: ");
    text_add(&text, message->reason);
    return text.at;
}

/* ---- Writing ---- */

static const struct statement add = {
    "outbox_add",
    "INSERT INTO tillroll.outbox (id, kind, player_id, address, language, until)"
    " SELECT $1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6)"
    " WHERE (SELECT count(*) FROM (SELECT FROM tillroll.outbox WHERE state = 'waiting'"
    "  AND notice IS NULL AND due_at > '-infinity' LIMIT $7) AS waiting) < $7"};

enum db_status outbox_add(struct db *db, const struct outbox_message *message)
{
    return statement_change(db, &add,
                            WITH(ID(&message->id), TEXT(message->kind), ID(&message->player),
                                 TEXT(message->address), TEXT(message->language),
                                 NUMBER(message->patience_s), NUMBER(OUTBOX_WAITING_MAX)),
                            DB_CONFLICT);
}

static const struct statement cancel = {
    "outbox_cancel", "DELETE FROM tillroll.outbox WHERE player_id = $1 AND notice IS NULL"
                     " AND kind = $2 AND state = 'waiting'"};

enum db_status outbox_cancel(struct db *db, const struct id *player, const char *kind)
{
    return statement_change(db, &cancel, WITH(ID(player), TEXT(kind)), DB_OK);
}

/* Two statements, because there are two partial indexes. */
static const struct statement forget = {"outbox_forget",
                                        "DELETE FROM tillroll.outbox WHERE player_id = $1"
                                        " AND (notice IS NULL OR state <> 'waiting')"};
static const struct statement forget_waiting = {"outbox_forget_waiting",
                                                "DELETE FROM tillroll.outbox WHERE player_id = $1"
                                                " AND notice IS NOT NULL AND state = 'waiting'"};

enum db_status outbox_forget(struct db *db, const struct id *player)
{
    enum db_status status = statement_change(db, &forget, WITH(ID(player)), DB_OK);
    return status == DB_OK ? statement_change(db, &forget_waiting, WITH(ID(player)), DB_OK)
                           : status;
}

/* ---- Reading ---- */

#define MESSAGE_COLUMNS                                                                            \
    "id, kind, player_id, address, language, state, reason, tillroll.to_ms(created_at),"           \
    " tillroll.to_ms(ended_at), attempts, until < clock_timestamp(), channel"

/* Columns: MESSAGE_COLUMNS. */
static void read_message(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct outbox_message *message = element;
    *message = (struct outbox_message){.id = row_id(rows, row, 0),
                                       .kind = row_text(rows, row, 1, arena),
                                       .player = row_id(rows, row, 2),
                                       .address = row_text_or_null(rows, row, 3, arena),
                                       .language = row_text(rows, row, 4, arena),
                                       .state = row_text(rows, row, 5, arena),
                                       .reason = row_text_or_null(rows, row, 6, arena),
                                       .created_at_ms = row_integer(rows, row, 7),
                                       .ended_at_ms = row_integer(rows, row, 8),
                                       .attempts = row_unsigned(rows, row, 9),
                                       .late = row_boolean(rows, row, 10),
                                       .channel = row_text(rows, row, 11, arena)};
}

static const struct statement list = {"outbox_list", "SELECT " MESSAGE_COLUMNS
                                                     " FROM tillroll.outbox WHERE player_id = $1"
                                                     " AND notice IS NULL"
                                                     " ORDER BY id DESC LIMIT $2"};

enum db_status outbox_list(struct db *db, struct arena *arena, const struct id *player,
                           size_t limit, struct outbox_message **messages, size_t *count)
{
    return statement_list(db, arena, &list, WITH(ID(player), NUMBER(limit)), sizeof **messages,
                          read_message, messages, count);
}

static const struct statement waiting = {
    "outbox_waiting", "SELECT count(*) FROM (SELECT FROM tillroll.outbox WHERE state = 'waiting'"
                      " AND notice IS NULL AND due_at > '-infinity' LIMIT $1) AS waiting"};

enum db_status outbox_waiting(struct db *db, size_t *count)
{
    return statement_value(db, &waiting, WITH(NUMBER(OUTBOX_WAITING_MAX)), count);
}

/* ---- Sending ---- */

static const struct statement take = {
    "outbox_take", "UPDATE tillroll.outbox SET attempts = attempts + 1,"
                   "  due_at = clock_timestamp() + $1 * interval '1 millisecond'"
                   " WHERE id = (SELECT id FROM tillroll.outbox WHERE state = 'waiting'"
                   "  AND notice IS NULL AND due_at <= clock_timestamp() ORDER BY due_at LIMIT 1 "
                   "FOR UPDATE SKIP LOCKED)"
                   " RETURNING " MESSAGE_COLUMNS};

enum db_status outbox_take(struct db *db, struct arena *arena, unsigned lease_ms,
                           struct outbox_message *message)
{
    return statement_one(db, arena, &take, WITH(NUMBER(lease_ms)), read_message, message);
}

/* ---- Notices ---- */

/* A retry also waits for the end of quiet hours, but not for the next digest. Most players have
 * neither, so their time zones are not read. */
#define NOTICE_COLUMNS                                                                             \
    MESSAGE_COLUMNS                                                                                \
    ", target_id, notice, digest, bundle_id,"                                                      \
    " EXISTS (SELECT FROM tillroll.notice_route AS route WHERE route.player_id = outbox.player_id" \
    "  AND route.kind = outbox.kind AND route.channel = outbox.channel::text"                      \
    "  AND route.target_id IS NOT DISTINCT FROM outbox.target_id),"                                \
    " CASE WHEN digest OR EXISTS (SELECT FROM tillroll.notice_settings AS own"                     \
    "   WHERE own.player_id = outbox.player_id AND own.quiet_from IS NOT NULL)"                    \
    "  THEN greatest(0, ceil(1000 * extract(epoch FROM tillroll.notice_moment(player_id,"          \
    "   CASE WHEN digest AND bundle_id IS NULL THEN created_at ELSE clock_timestamp() END,"        \
    "   digest AND bundle_id IS NULL) - clock_timestamp())))::bigint ELSE 0 END"

/* Columns: NOTICE_COLUMNS. */
static void read_notice(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct outbox_notice *notice = element;
    enum { AFTER_MESSAGE = 12 };
    read_message(rows, row, arena, &notice->message);
    notice->target = row_id(rows, row, AFTER_MESSAGE);
    notice->about = row_text(rows, row, AFTER_MESSAGE + 1, arena);
    notice->digest = row_boolean(rows, row, AFTER_MESSAGE + 2);
    notice->bundle = row_id(rows, row, AFTER_MESSAGE + 3);
    notice->wanted = row_boolean(rows, row, AFTER_MESSAGE + 4);
    notice->later_by_ms = row_integer(rows, row, AFTER_MESSAGE + 5);
}

#define LEASE                                                                                      \
    "UPDATE tillroll.outbox SET attempts = attempts + 1,"                                          \
    "  due_at = clock_timestamp() + $1 * interval '1 millisecond'"

/* Takes only the first notice of a digest, so that two services do not make two digests of the same
 * notices, and none is sent twice. */
static const struct statement take_notices = {
    "outbox_take_notices",
    "WITH taken AS (" LEASE " WHERE id = ANY (ARRAY(SELECT id FROM tillroll.outbox AS next"
    "  WHERE state = 'waiting' AND notice IS NOT NULL AND channel = $2"
    "  AND due_at <= statement_timestamp()"
    "  AND (NOT digest OR CASE WHEN bundle_id IS NULL THEN NOT EXISTS ("
    "    SELECT FROM tillroll.outbox AS earlier WHERE earlier.player_id = next.player_id"
    "    AND earlier.state = 'waiting' AND earlier.notice IS NOT NULL AND earlier.digest"
    "    AND earlier.bundle_id IS NULL AND earlier.channel = next.channel"
    "    AND earlier.target_id IS NOT DISTINCT FROM next.target_id"
    "    AND earlier.id < next.id)"
    "   ELSE NOT EXISTS (SELECT FROM tillroll.outbox AS same"
    "    WHERE same.bundle_id = next.bundle_id AND same.state = 'waiting' AND same.id < next.id)"
    "   END)"
    "  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED))"
    "  RETURNING " NOTICE_COLUMNS ")"
    " SELECT * FROM taken ORDER BY id"};

enum db_status outbox_take_notices(struct db *db, struct arena *arena, const char *channel,
                                   unsigned lease_ms, size_t limit, struct outbox_notice **notices,
                                   size_t *count)
{
    return statement_list(db, arena, &take_notices,
                          WITH(NUMBER(lease_ms), TEXT(channel), NUMBER(limit)), sizeof **notices,
                          read_notice, notices, count);
}

/* The notice that was taken first is not leased again. */
static const struct statement take_same_bundle = {
    "outbox_take_same_bundle",
    "WITH taken AS (" LEASE " WHERE bundle_id = $2 AND state = 'waiting' AND id <> $3"
    "  RETURNING " NOTICE_COLUMNS ")"
    " SELECT * FROM taken UNION ALL SELECT " NOTICE_COLUMNS
    " FROM tillroll.outbox WHERE id = $3 ORDER BY id"};

static const struct statement make_bundle = {
    "outbox_make_bundle",
    "WITH taken AS (UPDATE tillroll.outbox SET bundle_id = $2,"
    "  attempts = attempts + CASE WHEN id = $2 THEN 0 ELSE 1 END,"
    "  due_at = clock_timestamp() + $1 * interval '1 millisecond'"
    "  WHERE id IN (SELECT id FROM tillroll.outbox WHERE player_id = $3 AND channel = $4"
    "   AND target_id IS NOT DISTINCT FROM $5 AND state = 'waiting' AND digest"
    "   AND notice IS NOT NULL AND bundle_id IS NULL ORDER BY id <> $2, id LIMIT $6"
    "   FOR UPDATE SKIP LOCKED)"
    "  RETURNING " NOTICE_COLUMNS ")"
    " SELECT * FROM taken ORDER BY id"};

enum db_status outbox_take_bundle(struct db *db, struct arena *arena,
                                  const struct outbox_notice *taken, unsigned lease_ms,
                                  size_t limit, struct outbox_notice **notices, size_t *count)
{
    const struct outbox_message *message = &taken->message;
    if (taken->bundle.text[0] != '\0')
        return statement_list(db, arena, &take_same_bundle,
                              WITH(NUMBER(lease_ms), ID(&taken->bundle), ID(&message->id)),
                              sizeof **notices, read_notice, notices, count);
    return statement_list(db, arena, &make_bundle,
                          WITH(NUMBER(lease_ms), ID(&message->id), ID(&message->player),
                               TEXT(message->channel), ID(&taken->target), NUMBER(limit)),
                          sizeof **notices, read_notice, notices, count);
}

static const struct statement waiting_notices = {
    "outbox_waiting_notices",
    "SELECT count(*) FROM (SELECT FROM tillroll.outbox WHERE state = 'waiting'"
    " AND notice IS NOT NULL AND channel = $1 LIMIT $2) AS waiting"};

enum db_status outbox_waiting_notices(struct db *db, const char *channel, size_t *count)
{
    return statement_value(db, &waiting_notices, WITH(TEXT(channel), NUMBER(OUTBOX_WAITING_MAX)),
                           count);
}

static const struct statement drop_target = {
    "outbox_drop_target", "DELETE FROM tillroll.outbox WHERE player_id = $1 AND channel = $2"
                          " AND target_id IS NOT DISTINCT FROM $3 AND notice IS NOT NULL"
                          " AND state = 'waiting'"};

enum db_status outbox_drop_target(struct db *db, const char *channel, const struct id *player,
                                  const struct id *target)
{
    return statement_change(db, &drop_target, WITH(ID(player), TEXT(channel), ID(target)), DB_OK);
}

/* ---- Ends of attempts ---- */

static const struct statement name = {"outbox_name",
                                      "UPDATE tillroll.outbox SET player_id = $2 WHERE id = $1"};

enum db_status outbox_name(struct db *db, const struct id *id, const struct id *player)
{
    return statement_change(db, &name, WITH(ID(id), ID(player)), DB_NONE);
}

/* $1 and $2: id and attempts of the message, as it was taken. */
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

static const struct statement postpone = {
    "outbox_postpone",
    "UPDATE tillroll.outbox SET attempts = attempts - 1,"
    " bundle_id = NULL, due_at = clock_timestamp() + $3 * interval '1 millisecond'" AS_TAKEN};

enum db_status outbox_postpone(struct db *db, const struct outbox_message *message,
                               int64_t delay_ms)
{
    return statement_change(db, &postpone,
                            WITH(ID(&message->id), NUMBER(message->attempts), NUMBER(delay_ms)),
                            DB_NONE);
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

/* $1 and $2: ids and attempts of the messages, as they were taken. */
#define AS_TAKEN_TOGETHER                                                                          \
    " unnest($1::uuid[], $2::integer[]) AS taken (id, attempts) WHERE outbox.id = taken.id"        \
    " AND outbox.state = 'waiting' AND outbox.attempts = taken.attempts"

static enum db_status change_together(struct db *db, const struct statement *statement,
                                      const struct outbox_message *const *messages, size_t count)
{
    struct arena arena = {NULL};
    struct id *ids = arena_array(&arena, count, sizeof *ids);
    int32_t *attempts = arena_array(&arena, count, sizeof *attempts);
    for (size_t i = 0; i < count; i++) {
        ids[i] = messages[i]->id;
        attempts[i] = (int32_t)messages[i]->attempts;
    }
    enum db_status status =
        count == 0 ? DB_OK
                   : statement_change(db, statement,
                                      WITH(IDS(ids, count), INTEGERS(attempts, count)), DB_OK);
    arena_free(&arena);
    return status;
}

static const struct statement sent = {
    "outbox_sent", "UPDATE tillroll.outbox SET ended_at = clock_timestamp(), reason = NULL,"
                   " state = 'sent', address = NULL FROM" AS_TAKEN_TOGETHER};

enum db_status outbox_sent(struct db *db, const struct outbox_message *const *messages,
                           size_t count)
{
    return change_together(db, &sent, messages, count);
}

static const struct statement drop = {"outbox_drop",
                                      "DELETE FROM tillroll.outbox USING" AS_TAKEN_TOGETHER};

enum db_status outbox_drop(struct db *db, const struct outbox_message *const *messages,
                           size_t count)
{
    return change_together(db, &drop, messages, count);
}
