#include "db/store/people/push_subscriptions.h"

#include "db/link/statement.h"

/* The data that a message needs. */
#define TARGET_COLUMNS                                                                             \
    "id, player_id, endpoint, public_key, auth,"                                                   \
    " coalesce(rest_until > clock_timestamp(), false),"                                            \
    " coalesce(reason IS NULL AND failures = 0 AND rest_until IS NULL"                             \
    "  AND last_at > clock_timestamp() - interval '10 minutes', false)"

#define COLUMNS                                                                                    \
    TARGET_COLUMNS ", device, tillroll.to_ms(since), tillroll.to_ms(last_at), reason, language"

/* Columns: TARGET_COLUMNS. */
static void read_target(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct push_subscription *subscription = element;
    size_t size;
    *subscription = (struct push_subscription){.id = row_id(rows, row, 0),
                                               .player = row_id(rows, row, 1),
                                               .endpoint = row_text(rows, row, 2, arena),
                                               .public_key = row_bytes(rows, row, 3, arena, &size),
                                               .auth = row_bytes(rows, row, 4, arena, &size),
                                               .rests = row_boolean(rows, row, 5),
                                               .noted = row_boolean(rows, row, 6)};
}

/* Columns: COLUMNS. */
static void read_subscription(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct push_subscription *subscription = element;
    read_target(rows, row, arena, element);
    subscription->device = row_text(rows, row, 7, arena);
    subscription->since_ms = row_integer(rows, row, 8);
    subscription->last_at_ms = row_integer(rows, row, 9);
    subscription->reason = row_text_or_null(rows, row, 10, arena);
    subscription->language = row_text(rows, row, 11, arena);
}

/* ---- Subscriptions of a player ---- */

static const struct statement add = {
    "push_subscription_add",
    "INSERT INTO tillroll.push_subscription AS own"
    " (id, player_id, endpoint, public_key, auth, device, language)"
    " SELECT $1, $2, $3, $4, $5, $6, $8 WHERE (SELECT count(*) FROM tillroll.push_subscription"
    "  WHERE player_id = $2 AND endpoint <> $3) < $7"
    " ON CONFLICT (endpoint) DO UPDATE SET player_id = excluded.player_id,"
    "  public_key = excluded.public_key, auth = excluded.auth, device = excluded.device, language "
    "= excluded.language,"
    "  since = CASE WHEN own.player_id = excluded.player_id THEN own.since"
    "   ELSE clock_timestamp() END,"
    "  rest_until = NULL, failures = 0, last_at = NULL, reason = NULL, test_at = NULL"
    " RETURNING id"};

enum db_status push_subscription_add(struct db *db, struct push_subscription *subscription)
{
    enum db_status status =
        statement_value(db, &add,
                        WITH(ID(&subscription->id), ID(&subscription->player),
                             TEXT(subscription->endpoint), BYTES(subscription->public_key, 65),
                             BYTES(subscription->auth, 16), TEXT(subscription->device),
                             NUMBER(PUSH_SUBSCRIPTIONS_MAX), TEXT(subscription->language)),
                        &subscription->id);
    return status == DB_NONE ? DB_CONFLICT : status;
}

static const struct statement list = {"push_subscription_list",
                                      "SELECT " COLUMNS " FROM tillroll.push_subscription"
                                      " WHERE player_id = $1 ORDER BY id"};

enum db_status push_subscription_list(struct db *db, struct arena *arena, const struct id *player,
                                      struct push_subscription **subscriptions, size_t *count)
{
    return statement_list(db, arena, &list, WITH(ID(player)), sizeof **subscriptions,
                          read_subscription, subscriptions, count);
}

static const struct statement get = {"push_subscription_get",
                                     "SELECT " COLUMNS " FROM tillroll.push_subscription"
                                     " WHERE id = $1 AND player_id = $2"};

enum db_status push_subscription_get(struct db *db, struct arena *arena, const struct id *player,
                                     const struct id *id, struct push_subscription *subscription)
{
    return statement_one(db, arena, &get, WITH(ID(id), ID(player)), read_subscription,
                         subscription);
}

static const struct statement get_targets = {
    "push_targets_get",
    "SELECT " TARGET_COLUMNS " FROM tillroll.push_subscription WHERE id = ANY ($1)"};

enum db_status push_targets_get(struct db *db, struct arena *arena, const struct id *ids,
                                size_t count, struct push_subscription **subscriptions,
                                size_t *found)
{
    return statement_list(db, arena, &get_targets, WITH(IDS(ids, count)), sizeof **subscriptions,
                          read_target, subscriptions, found);
}

static const struct statement remove_one = {
    "push_subscription_remove",
    "DELETE FROM tillroll.push_subscription WHERE id = $1 AND player_id = $2"};

enum db_status push_subscription_remove(struct db *db, const struct id *player, const struct id *id)
{
    return statement_change(db, &remove_one, WITH(ID(id), ID(player)), DB_NONE);
}

static const struct statement forget = {
    "push_subscriptions_forget", "DELETE FROM tillroll.push_subscription WHERE player_id = $1"};

enum db_status push_subscriptions_forget(struct db *db, const struct id *player)
{
    return statement_change(db, &forget, WITH(ID(player)), DB_OK);
}

/* ---- Messages ---- */

static const struct statement delivered = {
    "push_subscriptions_delivered",
    "UPDATE tillroll.push_subscription SET last_at = clock_timestamp(), reason = NULL,"
    " failures = 0, rest_until = NULL WHERE id = ANY ($1)"};

enum db_status push_subscriptions_delivered(struct db *db, const struct id *ids, size_t count)
{
    return statement_change(db, &delivered, WITH(IDS(ids, count)), DB_OK);
}

/* $3: whether the failure is temporary. $4: seconds, 0 = by the number of failures, 30 s at first.
 */
static const struct statement note = {
    "push_subscription_note",
    "UPDATE tillroll.push_subscription SET last_at = clock_timestamp(), reason = $2,"
    " failures = failures + 1,"
    " rest_until = CASE WHEN $3 THEN clock_timestamp() + make_interval(secs =>"
    "  CASE WHEN $4::integer > 0 THEN $4 ELSE least(3600, 30 * 2 ^ least(failures, 10)) END)"
    "  END WHERE id = $1"};

/* Postpones messages waiting for the browser, so that they are not tried in vain. */
static const struct statement rest = {
    "push_subscription_rest",
    "UPDATE tillroll.outbox SET due_at = target.rest_until"
    " FROM tillroll.push_subscription AS target WHERE target.id = $1"
    "  AND outbox.player_id = (SELECT player_id FROM tillroll.push_subscription WHERE id = $1)"
    "  AND outbox.target_id = $1"
    "  AND outbox.channel = 'push' AND outbox.notice IS NOT NULL AND outbox.state = 'waiting'"
    "  AND outbox.due_at < target.rest_until"};

enum db_status push_subscription_note(struct db *db, const struct id *id, const char *reason,
                                      bool passes, unsigned rest_s)
{
    enum db_status status = statement_change(
        db, &note, WITH(ID(id), TEXT(reason), FLAG(passes), NUMBER(rest_s)), DB_OK);
    return status == DB_OK && passes ? statement_change(db, &rest, WITH(ID(id)), DB_OK) : status;
}

static const struct statement add_test = {
    "push_test_add",
    "UPDATE tillroll.push_subscription SET test_at = coalesce(test_at, clock_timestamp())"
    " WHERE id = $1 AND player_id = $2"};

enum db_status push_test_add(struct db *db, const struct id *player, const struct id *id)
{
    return statement_change(db, &add_test, WITH(ID(id), ID(player)), DB_NONE);
}

static const struct statement test_due = {"push_test_due",
                                          "SELECT EXISTS (SELECT FROM tillroll.push_subscription "
                                          "WHERE test_at <= statement_timestamp())"};

enum db_status push_test_due(struct db *db, bool *due)
{
    return statement_value(db, &test_due, NULL, due);
}

static const struct statement take_test = {
    "push_test_take",
    "UPDATE tillroll.push_subscription"
    " SET test_at = clock_timestamp() + $1 * interval '1 millisecond'"
    " WHERE id = (SELECT id FROM tillroll.push_subscription WHERE test_at <= clock_timestamp()"
    "  ORDER BY test_at LIMIT 1 FOR UPDATE SKIP LOCKED)"
    " RETURNING " COLUMNS};

enum db_status push_test_take(struct db *db, struct arena *arena, unsigned lease_ms,
                              struct push_subscription *subscription)
{
    return statement_one(db, arena, &take_test, WITH(NUMBER(lease_ms)), read_subscription,
                         subscription);
}

static const struct statement end_test = {
    "push_test_end", "UPDATE tillroll.push_subscription SET test_at = NULL WHERE id = $1"};

enum db_status push_test_end(struct db *db, const struct id *id)
{
    return statement_change(db, &end_test, WITH(ID(id)), DB_OK);
}

/* ---- The key ---- */

/* Columns: sealed. */
static void read_sealed(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct span *sealed = element;
    sealed->at = (const char *)row_bytes(rows, row, 0, arena, &sealed->length);
}

static const struct statement get_key = {"push_key_get",
                                         "SELECT sealed FROM tillroll_vault.push_key"};

enum db_status push_key_get(struct db *db, struct arena *arena, const uint8_t **sealed,
                            size_t *size)
{
    struct span found = {NULL, 0};
    enum db_status status = statement_one(db, arena, &get_key, NULL, read_sealed, &found);
    *sealed = (const uint8_t *)found.at;
    *size = found.length;
    return status;
}

static const struct statement add_key = {
    "push_key_add",
    "INSERT INTO tillroll_vault.push_key (sealed) VALUES ($1) ON CONFLICT DO NOTHING"};

enum db_status push_key_add(struct db *db, const uint8_t *sealed, size_t size)
{
    return statement_change(db, &add_key, WITH(BYTES(sealed, size)), DB_OK);
}

static const struct statement drop_key = {"push_key_drop", "DELETE FROM tillroll_vault.push_key"};

static const struct statement drop_subscriptions = {"push_subscriptions_drop",
                                                    "DELETE FROM tillroll.push_subscription"};

enum db_status push_key_drop(struct db *db)
{
    enum db_status status = statement_change(db, &drop_subscriptions, NULL, DB_OK);
    return status == DB_OK ? statement_change(db, &drop_key, NULL, DB_OK) : status;
}
