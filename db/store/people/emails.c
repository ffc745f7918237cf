#include "db/store/people/emails.h"

#include "db/link/statement.h"

#define EMAIL_COLUMNS                                                                              \
    "email.player_id, player.name, email.address, email.language, tillroll.to_ms(email.set_at),"   \
    " tillroll.to_ms(email.confirmed_at)"                                                          \
    " FROM tillroll.email JOIN tillroll.player ON player.id = email.player_id"                     \
    "  AND player.deleted_at IS NULL"

/* Columns: EMAIL_COLUMNS. */
static void read_email(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct email *email = element;
    *email = (struct email){.player = row_id(rows, row, 0),
                            .player_name = row_text(rows, row, 1, arena),
                            .address = row_text(rows, row, 2, arena),
                            .language = row_text(rows, row, 3, arena),
                            .set_at_ms = row_integer(rows, row, 4),
                            .confirmed_at_ms = row_integer(rows, row, 5)};
}

static const struct statement get = {"email_get",
                                     "SELECT " EMAIL_COLUMNS " WHERE email.player_id = $1"};

enum db_status email_get(struct db *db, struct arena *arena, const struct id *player,
                         struct email *email)
{
    return statement_one(db, arena, &get, WITH(ID(player)), read_email, email);
}

static const struct statement set = {
    "email_set", "INSERT INTO tillroll.email (player_id, address, language, set_at)"
                 " VALUES ($1, $2, $3, tillroll.from_ms($4))"
                 " ON CONFLICT (player_id) DO UPDATE SET address = excluded.address,"
                 "  language = excluded.language, set_at = excluded.set_at, confirmed_at = NULL"};

enum db_status email_set(struct db *db, const struct email *email)
{
    return statement_change(db, &set,
                            WITH(ID(&email->player), TEXT(email->address), TEXT(email->language),
                                 NUMBER(email->set_at_ms)),
                            DB_ERROR);
}

static const struct statement remove_one = {"email_remove",
                                            "DELETE FROM tillroll.email WHERE player_id = $1"};

enum db_status email_remove(struct db *db, const struct id *player)
{
    return statement_change(db, &remove_one, WITH(ID(player)), DB_OK);
}

static const struct statement confirm = {
    "email_confirm", "UPDATE tillroll.email SET confirmed_at = coalesce(confirmed_at,"
                     " tillroll.from_ms($3)) FROM tillroll.player"
                     " WHERE player_id = $1 AND address = $2 AND player.id = player_id"
                     " AND player.deleted_at IS NULL"};

enum db_status email_confirm(struct db *db, const struct id *player, const char *address,
                             int64_t now_ms)
{
    return statement_change(db, &confirm, WITH(ID(player), TEXT(address), NUMBER(now_ms)), DB_NONE);
}

static const struct statement accounts = {
    "email_accounts",
    "SELECT " EMAIL_COLUMNS " WHERE lower(email.address) = lower($1)"
    " AND email.confirmed_at IS NOT NULL ORDER BY email.address <> $1, email.player_id LIMIT $2"};

enum db_status email_accounts(struct db *db, struct arena *arena, const char *address, size_t limit,
                              struct email **emails, size_t *count)
{
    return statement_list(db, arena, &accounts, WITH(TEXT(address), NUMBER(limit)), sizeof **emails,
                          read_email, emails, count);
}

/* ---- Tokens ---- */

static const struct statement add_token = {
    "email_token_add",
    "INSERT INTO tillroll.mail_token (hash, player_id, purpose, address, expires_at)"
    " SELECT $1, player_id, $3, address, clock_timestamp() + make_interval(secs => $5)"
    " FROM tillroll.email WHERE player_id = $2 AND address = $4"
    "  AND (confirmed_at IS NOT NULL) = ($3 = '" EMAIL_RESET "') FOR SHARE"};

enum db_status email_token_add(struct db *db, const uint8_t hash[static 32],
                               const struct id *player, const char *purpose, const char *address,
                               unsigned seconds)
{
    return statement_change(
        db, &add_token,
        WITH(BYTES(hash, 32), ID(player), TEXT(purpose), TEXT(address), NUMBER(seconds)), DB_NONE);
}

/* A valid token; $1: the hash, $2: the purpose. */
#define GOOD_TOKEN                                                                                 \
    " FROM tillroll.mail_token WHERE hash = $1 AND purpose = $2 AND expires_at > "                 \
    "clock_timestamp()"

static const struct statement use_token = {"email_token_use",
                                           "DELETE" GOOD_TOKEN " RETURNING address"};

enum db_status email_token_use(struct db *db, struct arena *arena, const uint8_t hash[static 32],
                               const char *purpose, const char **address)
{
    return statement_one(db, arena, &use_token, WITH(BYTES(hash, 32), TEXT(purpose)), row_read_text,
                         address);
}

static const struct statement find_token = {"email_token_find", "SELECT player_id" GOOD_TOKEN};

enum db_status email_token_find(struct db *db, const uint8_t hash[static 32], const char *purpose,
                                struct id *player)
{
    return statement_value(db, &find_token, WITH(BYTES(hash, 32), TEXT(purpose)), player);
}

static const struct statement end_tokens = {"email_tokens_end",
                                            "DELETE FROM tillroll.mail_token WHERE player_id = $1"
                                            " AND ($2::text IS NULL OR purpose = $2)"};

enum db_status email_tokens_end(struct db *db, const struct id *player, const char *purpose)
{
    return statement_change(db, &end_tokens, WITH(ID(player), TEXT(purpose)), DB_OK);
}
