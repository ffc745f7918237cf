#include "db/store/people/webhooks.h"

#include "db/link/statement.h"

#define WEBHOOK_COLUMNS                                                                            \
    "webhook.id, webhook.player_id, webhook.name, webhook.url, webhook.form, webhook.state,"       \
    " tillroll.to_ms(webhook.since), coalesce(webhook.rest_until > clock_timestamp(), false),"     \
    " secret.sealed, CASE WHEN secret.before_until > clock_timestamp() THEN secret.before END"     \
    " FROM tillroll.webhook JOIN tillroll_vault.webhook_secret AS secret"                          \
    "  ON secret.webhook_id = webhook.id"

/* Columns: WEBHOOK_COLUMNS. */
static void read_webhook(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct webhook *webhook = element;
    *webhook = (struct webhook){.id = row_id(rows, row, 0),
                                .player = row_id(rows, row, 1),
                                .name = row_text(rows, row, 2, arena),
                                .url = row_text(rows, row, 3, arena),
                                .form = row_text(rows, row, 4, arena),
                                .state = row_text(rows, row, 5, arena),
                                .since_ms = row_integer(rows, row, 6),
                                .rests = row_boolean(rows, row, 7)};
    webhook->sealed.at = (const char *)row_bytes(rows, row, 8, arena, &webhook->sealed.length);
    if (!row_is_null(rows, row, 9))
        webhook->before.at = (const char *)row_bytes(rows, row, 9, arena, &webhook->before.length);
}

/* ---- Webhooks ---- */

static const struct statement add = {
    "webhook_add", "WITH added AS ("
                   " INSERT INTO tillroll.webhook (id, player_id, name, url, form)"
                   " SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM tillroll.webhook"
                   "  WHERE player_id = $2) < $7 RETURNING id"
                   ") INSERT INTO tillroll_vault.webhook_secret (webhook_id, sealed)"
                   " SELECT id, $6 FROM added"};

enum db_status webhook_add(struct db *db, const struct webhook *webhook)
{
    return statement_change(db, &add,
                            WITH(ID(&webhook->id), ID(&webhook->player), TEXT(webhook->name),
                                 TEXT(webhook->url), TEXT(webhook->form),
                                 BYTES((const uint8_t *)webhook->sealed.at, webhook->sealed.length),
                                 NUMBER(WEBHOOKS_MAX)),
                            DB_CONFLICT);
}

static const struct statement list = {
    "webhook_list", "SELECT " WEBHOOK_COLUMNS " WHERE webhook.player_id = $1 ORDER BY webhook.id"};

enum db_status webhook_list(struct db *db, struct arena *arena, const struct id *player,
                            struct webhook **webhooks, size_t *count)
{
    return statement_list(db, arena, &list, WITH(ID(player)), sizeof **webhooks, read_webhook,
                          webhooks, count);
}

static const struct statement get = {
    "webhook_get", "SELECT " WEBHOOK_COLUMNS
                   " WHERE webhook.id = $1 AND ($2::uuid IS NULL OR webhook.player_id = $2)"};

enum db_status webhook_get(struct db *db, struct arena *arena, const struct id *player,
                           const struct id *id, struct webhook *webhook)
{
    return statement_one(db, arena, &get, WITH(ID(id), ID(player)), read_webhook, webhook);
}

static const struct statement remove_one = {
    "webhook_remove", "DELETE FROM tillroll.webhook WHERE id = $1 AND player_id = $2"};

enum db_status webhook_remove(struct db *db, const struct id *player, const struct id *id)
{
    return statement_change(db, &remove_one, WITH(ID(id), ID(player)), DB_NONE);
}

static const struct statement forget = {"webhooks_forget",
                                        "DELETE FROM tillroll.webhook WHERE player_id = $1"};

enum db_status webhooks_forget(struct db *db, const struct id *player)
{
    return statement_change(db, &forget, WITH(ID(player)), DB_OK);
}

static const struct statement rotate = {
    "webhook_rotate",
    "UPDATE tillroll_vault.webhook_secret SET before = sealed, sealed = $2,"
    " before_until = clock_timestamp() + make_interval(secs => $3) WHERE webhook_id = $1"};

enum db_status webhook_rotate(struct db *db, const struct id *id,
                              const uint8_t sealed[static WEBHOOK_SEALED_BYTES])
{
    return statement_change(
        db, &rotate, WITH(ID(id), BYTES(sealed, WEBHOOK_SEALED_BYTES), NUMBER(WEBHOOK_BEFORE_S)),
        DB_NONE);
}

/* ---- Deliveries ---- */

#define DELIVERY_COLUMNS                                                                           \
    "webhook_id, id, kind, body, state, attempts, tillroll.to_ms(created_at),"                     \
    " tillroll.to_ms(tried_at), coalesce(status, 0), coalesce(took_ms, 0), reason"

/* Columns: DELIVERY_COLUMNS. */
static void read_delivery(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct webhook_delivery *delivery = element;
    *delivery = (struct webhook_delivery){.webhook = row_id(rows, row, 0),
                                          .id = row_id(rows, row, 1),
                                          .kind = row_text(rows, row, 2, arena),
                                          .body = row_text(rows, row, 3, arena),
                                          .state = row_text(rows, row, 4, arena),
                                          .attempts = row_unsigned(rows, row, 5),
                                          .created_ms = row_integer(rows, row, 6),
                                          .tried_ms = row_integer(rows, row, 7),
                                          .status = row_unsigned(rows, row, 8),
                                          .took_ms = row_unsigned(rows, row, 9),
                                          .reason = row_text_or_null(rows, row, 10, arena)};
}

static const struct statement note_delivery = {
    "webhook_delivery_note",
    "INSERT INTO tillroll.webhook_delivery AS own (webhook_id, id, kind, body, state, attempts,"
    " tried_at, status, took_ms, reason)"
    " SELECT $1, $2, $3, $4, $5, $6, clock_timestamp(), $7, $8, $9"
    " WHERE EXISTS (SELECT FROM tillroll.webhook WHERE id = $1)"
    " ON CONFLICT (webhook_id, id) DO UPDATE SET state = excluded.state, due_at = NULL,"
    "  attempts = excluded.attempts, tried_at = excluded.tried_at, status = excluded.status,"
    "  took_ms = excluded.took_ms, reason = excluded.reason"};

enum db_status webhook_delivery_note(struct db *db, const struct webhook_delivery *delivery)
{
    return statement_change(db, &note_delivery,
                            WITH(ID(&delivery->webhook), ID(&delivery->id), TEXT(delivery->kind),
                                 TEXT(delivery->body), TEXT(delivery->state),
                                 NUMBER(delivery->attempts), POSITIVE(delivery->status),
                                 NUMBER(delivery->took_ms), TEXT(delivery->reason)),
                            DB_OK);
}

/* $2: a value of enum webhook_target. $3: seconds, 0 = by the number of failures, 30 s at first. */
static const struct statement note = {
    "webhook_note",
    "UPDATE tillroll.webhook SET state = CASE $2::integer WHEN 0 THEN 'on' WHEN 2 THEN 'gone'"
    "  ELSE state END,"
    " failures = CASE WHEN $2 = 1 THEN failures + 1 ELSE 0 END,"
    " rest_until = CASE WHEN $2 = 1 THEN clock_timestamp() + make_interval(secs =>"
    "  CASE WHEN $3::integer > 0 THEN $3 ELSE least(3600, 30 * 2 ^ least(failures, 10)) END)"
    "  END WHERE id = $1"};

/* Postpones notices waiting for the webhook, so that they are not tried in vain. */
static const struct statement rest = {
    "webhook_rest",
    "UPDATE tillroll.outbox SET due_at = target.rest_until"
    " FROM tillroll.webhook AS target WHERE target.id = $1"
    "  AND outbox.player_id = (SELECT player_id FROM tillroll.webhook WHERE id = $1)"
    "  AND outbox.target_id = $1"
    "  AND outbox.channel = 'webhook' AND outbox.notice IS NOT NULL AND outbox.state = 'waiting'"
    "  AND outbox.due_at < target.rest_until"};

enum db_status webhook_note(struct db *db, const struct id *id, enum webhook_target target,
                            unsigned rest_s)
{
    if (target == WEBHOOK_SAME)
        return DB_OK;
    enum db_status status =
        statement_change(db, &note, WITH(ID(id), NUMBER(target), NUMBER(rest_s)), DB_OK);
    return status == DB_OK && target == WEBHOOK_FAILS
               ? statement_change(db, &rest, WITH(ID(id)), DB_OK)
               : status;
}

/* True if no test or repeat of the player is waiting. */
#define NONE_WAITS(player)                                                                         \
    "NOT EXISTS (SELECT FROM tillroll.webhook JOIN tillroll.webhook_delivery AS other"             \
    " ON other.webhook_id = webhook.id AND other.due_at IS NOT NULL"                               \
    " WHERE webhook.player_id = " player ")"

static const struct statement add_test = {
    "webhook_test_add",
    "INSERT INTO tillroll.webhook_delivery (webhook_id, id, kind, body, state, due_at)"
    " SELECT $2, $3, $4, $5, 'waiting', clock_timestamp() WHERE " NONE_WAITS("$1")};

enum db_status webhook_test_add(struct db *db, const struct id *player,
                                const struct webhook_delivery *delivery)
{
    return statement_change(db, &add_test,
                            WITH(ID(player), ID(&delivery->webhook), ID(&delivery->id),
                                 TEXT(delivery->kind), TEXT(delivery->body)),
                            DB_CONFLICT);
}

static const struct statement repeat = {
    "webhook_repeat",
    "UPDATE tillroll.webhook_delivery SET state = 'waiting', due_at = clock_timestamp()"
    " WHERE webhook_id = $2 AND id = $3 AND state <> 'waiting' AND " NONE_WAITS("$1")};

enum db_status webhook_repeat(struct db *db, const struct id *player, const struct id *webhook,
                              const struct id *id)
{
    return statement_change(db, &repeat, WITH(ID(player), ID(webhook), ID(id)), DB_CONFLICT);
}

static const struct statement due = {
    "webhook_delivery_due",
    "SELECT EXISTS (SELECT FROM tillroll.webhook_delivery WHERE due_at <= statement_timestamp())"};

enum db_status webhook_delivery_due(struct db *db, bool *asked)
{
    return statement_value(db, &due, NULL, asked);
}

static const struct statement take = {
    "webhook_delivery_take",
    "UPDATE tillroll.webhook_delivery SET attempts = attempts + 1,"
    " due_at = clock_timestamp() + $1 * interval '1 millisecond'"
    " WHERE (webhook_id, id) = (SELECT webhook_id, id FROM tillroll.webhook_delivery"
    "  WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)"
    " RETURNING " DELIVERY_COLUMNS};

enum db_status webhook_delivery_take(struct db *db, struct arena *arena, unsigned lease_ms,
                                     struct webhook_delivery *delivery)
{
    return statement_one(db, arena, &take, WITH(NUMBER(lease_ms)), read_delivery, delivery);
}

static const struct statement get_delivery = {
    "webhook_delivery_get", "SELECT " DELIVERY_COLUMNS " FROM tillroll.webhook_delivery"
                            " WHERE webhook_id = $1 AND id = $2"};

enum db_status webhook_delivery_get(struct db *db, struct arena *arena, const struct id *webhook,
                                    const struct id *id, struct webhook_delivery *delivery)
{
    return statement_one(db, arena, &get_delivery, WITH(ID(webhook), ID(id)), read_delivery,
                         delivery);
}

static const struct statement list_deliveries = {
    "webhook_delivery_list", "SELECT " DELIVERY_COLUMNS " FROM tillroll.webhook_delivery"
                             " WHERE webhook_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3"};

enum db_status webhook_delivery_list(struct db *db, struct arena *arena, const struct id *webhook,
                                     const struct id *before, size_t limit,
                                     struct webhook_delivery **deliveries, size_t *count)
{
    return statement_list(db, arena, &list_deliveries,
                          WITH(ID(webhook), BEFORE(before), NUMBER(limit)), sizeof **deliveries,
                          read_delivery, deliveries, count);
}
