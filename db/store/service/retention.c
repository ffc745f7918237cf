#include "db/store/service/retention.h"

#include "db/link/statement.h"

static const struct statement take = {
    "upkeep_take", "SELECT 1 FROM tillroll.upkeep WHERE task = $2"
                   " AND due_at <= tillroll.from_ms($1) FOR NO KEY UPDATE SKIP LOCKED"};

enum db_status retention_take(struct db *db, const char *task, int64_t now_ms)
{
    return statement_change(db, &take, WITH(NUMBER(now_ms), TEXT(task)), DB_NONE);
}

static const struct statement delete_tokens = {
    "upkeep_tokens",
    "WITH gone AS ("
    " DELETE FROM tillroll.token WHERE hash IN ("
    "  SELECT hash FROM tillroll.token WHERE expires_at < tillroll.from_ms($1)"
    "  UNION SELECT hash FROM tillroll.token WHERE revoked_at < tillroll.from_ms($1) LIMIT $2)"
    " RETURNING 1) SELECT count(*) FROM gone"};

static const struct statement delete_answers = {
    "upkeep_answers",
    "WITH gone AS ("
    " DELETE FROM tillroll.kept_answer WHERE ctid = ANY (ARRAY("
    "  SELECT ctid FROM tillroll.kept_answer WHERE kept_at < tillroll.from_ms($1) LIMIT $2))"
    " RETURNING 1) SELECT count(*) FROM gone"};

static const struct statement delete_parts = {
    "upkeep_parts", "WITH gone AS ("
                    " DELETE FROM tillroll.import_part WHERE (player_id, bundle, number) IN ("
                    "  SELECT player_id, bundle, number FROM tillroll.import_part"
                    "  WHERE stored_at < tillroll.from_ms($1) LIMIT $2)"
                    " RETURNING 1) SELECT count(*) FROM gone"};

static const struct statement delete_mail_tokens = {
    "upkeep_mail_tokens",
    "WITH gone AS ("
    " DELETE FROM tillroll.mail_token WHERE hash IN ("
    "  SELECT hash FROM tillroll.mail_token WHERE expires_at < tillroll.from_ms($1) LIMIT $2)"
    " RETURNING 1) SELECT count(*) FROM gone"};

/* Failed messages are kept longer, with the reason. */
static const struct statement delete_messages = {
    "upkeep_messages", "WITH gone AS ("
                       " DELETE FROM tillroll.outbox WHERE id IN ("
                       "  SELECT id FROM tillroll.outbox WHERE state <> 'waiting'"
                       "   AND ended_at < tillroll.from_ms($1) AND (state = 'sent'"
                       "    OR ended_at < tillroll.from_ms($1) - interval '23 days') LIMIT $2)"
                       " RETURNING 1) SELECT count(*) FROM gone"};

/* Webhook deliveries are kept as long as failed messages. */
static const struct statement delete_deliveries = {
    "upkeep_deliveries",
    "WITH gone AS ("
    " DELETE FROM tillroll.webhook_delivery WHERE (webhook_id, id) IN ("
    "  SELECT webhook_id, id FROM tillroll.webhook_delivery WHERE state <> 'waiting'"
    "   AND created_at < tillroll.from_ms($1) - interval '23 days' LIMIT $2)"
    " RETURNING 1) SELECT count(*) FROM gone"};

/* Causes that no service has looked for, or that none could turn into notices. */
static const struct statement delete_causes = {
    "upkeep_causes",
    "WITH gone AS ("
    " DELETE FROM tillroll.notice_cause WHERE at < tillroll.from_ms($1) AND id = ANY (ARRAY("
    "  SELECT id FROM tillroll.notice_cause ORDER BY id LIMIT $2))"
    " RETURNING 1) SELECT count(*) FROM gone"};

/* Tables at which no game was started. */
static const struct statement delete_tables = {
    "upkeep_tables",
    "WITH gone AS ("
    " DELETE FROM tillroll.casual_table WHERE id IN ("
    "  SELECT id FROM tillroll.casual_table WHERE game_id IS NULL"
    "  AND created_at < tillroll.from_ms($1) LIMIT $2) RETURNING 1) SELECT count(*) FROM gone"};

/* Guests without a token: no one can sign in to them again. Their games are kept. Guests with a
 * held place are still to be claimed. */
static const struct statement forget_guests = {
    "upkeep_guests",
    "WITH gone AS ("
    " UPDATE tillroll.player SET deleted_at = clock_timestamp(),"
    "  name = 'Deleted player ' || right(id::text, 12) WHERE id = ANY (ARRAY("
    "  SELECT id FROM tillroll.player WHERE guest AND deleted_at IS NULL"
    "  AND created_at < tillroll.from_ms($1)"
    "  AND NOT EXISTS (SELECT FROM tillroll.token WHERE token.player_id = player.id)"
    "  AND NOT EXISTS (SELECT FROM tillroll.held_place AS held WHERE held.player_id = player.id)"
    "  LIMIT $2))"
    " RETURNING id"
    "), names AS (DELETE FROM tillroll.name_skeleton WHERE player_id IN (SELECT id FROM gone)"
    "), browsers AS (DELETE FROM tillroll.push_subscription WHERE player_id IN"
    "  (SELECT id FROM gone)"
    "), hooks AS (DELETE FROM tillroll.webhook WHERE player_id IN (SELECT id FROM gone)"
    "), followed AS (DELETE FROM tillroll.followed_game WHERE player_id IN (SELECT id FROM gone)"
    ") SELECT count(*) FROM gone"};

static enum db_status delete_batch(struct db *db, const struct statement *statement,
                                   int64_t before_ms, bool *more)
{
    size_t gone = 0;
    enum db_status status =
        statement_value(db, statement, WITH(NUMBER(before_ms), NUMBER(RETENTION_BATCH)), &gone);
    *more = *more || gone == RETENTION_BATCH;
    return status;
}

enum db_status retention_delete_old(struct db *db, int64_t before_ms, bool *more)
{
    *more = false;
    enum db_status status = delete_batch(db, &delete_tokens, before_ms, more);
    if (status == DB_OK)
        status = delete_batch(db, &delete_answers, before_ms, more);
    if (status == DB_OK)
        status = delete_batch(db, &delete_parts, before_ms, more);
    if (status == DB_OK)
        status = delete_batch(db, &delete_tables, before_ms, more);
    if (status == DB_OK)
        status = delete_batch(db, &delete_mail_tokens, before_ms, more);
    if (status == DB_OK)
        status = delete_batch(db, &delete_messages, before_ms, more);
    if (status == DB_OK)
        status = delete_batch(db, &delete_deliveries, before_ms, more);
    if (status == DB_OK)
        status = delete_batch(db, &delete_causes, before_ms, more);
    return status == DB_OK ? delete_batch(db, &forget_guests, before_ms, more) : status;
}

static const struct statement done = {
    "upkeep_done", "UPDATE tillroll.upkeep SET due_at = tillroll.from_ms($1) WHERE task = $2"};

enum db_status retention_done(struct db *db, const char *task, int64_t due_at_ms)
{
    return statement_change(db, &done, WITH(NUMBER(due_at_ms), TEXT(task)), DB_ERROR);
}

static const struct statement begin = {"upkeep_begin",
                                       "UPDATE tillroll.upkeep SET due_at = tillroll.from_ms($1)"
                                       " WHERE task = $2 AND due_at = tillroll.from_ms(0)"};

enum db_status retention_begin(struct db *db, const char *task, int64_t due_at_ms)
{
    enum db_status status =
        statement_change(db, &begin, WITH(NUMBER(due_at_ms), TEXT(task)), DB_NONE);
    return status == DB_NONE ? DB_OK : status;
}

static const struct statement put_off = {"upkeep_put_off",
                                         "UPDATE tillroll.upkeep SET due_at = tillroll.from_ms($2)"
                                         " WHERE task = $3 AND due_at <= tillroll.from_ms($1)"};

enum db_status retention_put_off(struct db *db, const char *task, int64_t now_ms, int64_t until_ms)
{
    return statement_change(db, &put_off, WITH(NUMBER(now_ms), NUMBER(until_ms), TEXT(task)),
                            DB_NONE);
}
