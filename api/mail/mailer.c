#include "api/mail/mailer.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/mail/letter.h"
#include "api/mail/message.h"
#include "api/mail/smtp.h"
#include "api/request/auth.h"
#include "api/work/ticker.h"
#include "db/link/db.h"
#include "db/store/people/emails.h"
#include "db/store/people/players.h"
#include "db/store/service/outbox.h"
#include "engine/base/counter.h"

enum {
    LOOK_MS = 1000,
    POOL_WAIT_MS = 1000,
    DELAY_MOST_MS = 3600000,
    LEASE_MARGIN_MS = 5000, /* for the transactions before and after sending */
    CONFIRM_S = 24 * 3600,
    RESET_S = 3600,
    MAIL_BYTES = 16384
};

struct mailer {
    struct mailer_config config;
    char password[MAILER_PASSWORD_MAX];
    struct db_pool *pool; /* of one connection */
    struct ticker *ticker;
    struct counter waiting, sent, deferred, failed;
};

/* ---- Configuration ---- */

static bool read_password(const char *path, char password[static MAILER_PASSWORD_MAX])
{
    FILE *file = fopen(path, "r");
    bool good = file != NULL && fgets(password, MAILER_PASSWORD_MAX, file) != NULL;
    if (file != NULL)
        fclose(file);
    if (!good)
        return false;
    password[strcspn(password, "\r\n")] = '\0';
    return password[0] != '\0';
}

bool mailer_password(const struct mailer_config *config, char password[static MAILER_PASSWORD_MAX])
{
    password[0] = '\0';
    return config->password_file == NULL || read_password(config->password_file, password);
}

bool mailer_check(const struct mailer_config *config, struct text *error)
{
    char password[MAILER_PASSWORD_MAX];
    const char *wrong = NULL;
    if (!smtp_url_good(config->url))
        wrong = "--smtp-url takes smtp://host:port or smtps://host:port, without user and password";
    else if (config->from == NULL || !message_address(span_of(config->from)))
        wrong = "--smtp-url needs --smtp-from, the address that mails come from, such as "
                "tillroll@club.example";
    else if (config->site == NULL)
        wrong = "--smtp-url needs --site-address, which links in mails begin with";
    else if ((config->user == NULL) != (config->password_file == NULL))
        wrong = "--smtp-user and --smtp-password-file are needed both, or neither";
    else if (config->password_file != NULL && !read_password(config->password_file, password))
        wrong = "--smtp-password-file names no file with a password in its first line";
    sodium_memzero(password, sizeof password);
    if (wrong != NULL)
        text_add(error, wrong);
    return wrong == NULL;
}

/* ---- A message's letter ---- */

static enum db_status add_token(struct db *db, struct arena *arena, struct letter *letter,
                                const struct email *email, unsigned seconds)
{
    char token[TOKEN_TEXT];
    uint8_t hash[32];
    auth_new_token(token, hash);
    enum db_status status =
        email_token_add(db, hash, &email->player, letter->kind, email->address, seconds);
    if (status == DB_OK)
        letter->account[letter->accounts++] =
            (struct letter_account){email->player_name, arena_copy(arena, span_of(token))};
    return status == DB_NONE ? DB_OK : status;
}

/* Adds the account, if this is its address and is not confirmed. */
static enum db_status add_confirmation(struct db *db, struct arena *arena, struct letter *letter,
                                       const struct outbox_message *message)
{
    struct email email;
    enum db_status status = email_get(db, arena, &message->player, &email);
    if (status != DB_OK || strcmp(email.address, message->address) != 0)
        return status == DB_NONE ? DB_OK : status;
    return add_token(db, arena, letter, &email, CONFIRM_S);
}

/* Adds all accounts that have confirmed the address. The mail goes to the address as they entered
 * it, not as entered in the request. */
static enum db_status add_resets(struct db *db, struct arena *arena, struct letter *letter,
                                 struct outbox_message *message)
{
    struct email *emails;
    size_t count;
    enum db_status status =
        email_accounts(db, arena, message->address, LETTER_ACCOUNTS_MAX, &emails, &count);
    if (status != DB_OK || count == 0)
        return status;
    message->address = emails[0].address;
    message->player = emails[0].player;
    status = outbox_name(db, &message->id, &message->player);
    for (size_t i = 0; i < count && status == DB_OK; i++)
        if (strcmp(emails[i].address, message->address) == 0)
            status = add_token(db, arena, letter, &emails[i], RESET_S);
    return status;
}

static enum db_status add_notice(struct db *db, struct arena *arena, struct letter *letter,
                                 const struct outbox_message *message)
{
    struct player player;
    enum db_status status = player_by_id(db, arena, &message->player, &player);
    if (status == DB_OK && !player.deleted)
        letter->account[letter->accounts++] = (struct letter_account){player.name, NULL};
    return status == DB_NONE ? DB_OK : status;
}

static enum db_status add_accounts(struct db *db, struct arena *arena, struct letter *letter,
                                   struct outbox_message *message)
{
    if (strcmp(message->kind, OUTBOX_CONFIRM_EMAIL) == 0)
        return add_confirmation(db, arena, letter, message);
    if (strcmp(message->kind, OUTBOX_RESET_PASSWORD) == 0)
        return add_resets(db, arena, letter, message);
    return add_notice(db, arena, letter, message);
}

/* ---- One message ---- */

/* Takes the next message and makes its letter, in one transaction. A letter without accounts must
 * not be sent: its message has ended. DB_NONE if none is due. */
static enum db_status take(struct mailer *mailer, struct db *db, struct arena *arena,
                           struct outbox_message *message, struct letter *letter)
{
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = outbox_take(db, arena, mailer->config.timeout_ms + LEASE_MARGIN_MS, message);
    if (status == DB_OK) {
        *letter = (struct letter){
            .kind = message->kind, .language = message->language, .site = mailer->config.site};
        bool late = message->late;
        if (!late)
            status = add_accounts(db, arena, letter, message);
        if (status == DB_OK && late)
            status = outbox_end(db, message, outbox_give_up_reason(arena, message));
        else if (status == DB_OK && letter->accounts == 0)
            status = outbox_drop(db, (const struct outbox_message *const[]){message}, 1);
        if (status == DB_OK)
            status = db_commit(db);
        if (status == DB_OK && late)
            counter_add(&mailer->failed, 1);
    }
    db_rollback(db);
    return status;
}

static enum smtp_result send_letter(struct mailer *mailer, struct ticker *ticker,
                                    const struct outbox_message *message,
                                    const struct letter *letter, struct text *reason)
{
    char body[MAIL_BYTES / 2];
    char bytes[MAIL_BYTES];
    struct text body_text = TEXT_OVER(body);
    struct text text = TEXT_OVER(bytes);
    letter_write(&body_text, letter);
    const struct message mail = {.key = message->id.text,
                                 .from = mailer->config.from,
                                 .to = message->address,
                                 .language = message->language,
                                 .subject = letter_subject(letter),
                                 .body = body,
                                 .written_s = message->created_at_ms / 1000};
    const struct smtp_server server = {.url = mailer->config.url,
                                       .user = mailer->config.user,
                                       .password =
                                           mailer->config.user == NULL ? NULL : mailer->password,
                                       .timeout_ms = mailer->config.timeout_ms,
                                       .stop = ticker_stops,
                                       .context = ticker};
    enum smtp_result result = SMTP_REFUSED;
    if (body_text.overflow || !message_write(&text, &mail))
        text_add(reason, "The mail cannot be written.");
    else
        result =
            smtp_send(&server, mailer->config.from, message->address, text_span(&text), reason);
    sodium_memzero(body, sizeof body);
    sodium_memzero(bytes, sizeof bytes);
    return result;
}

static unsigned delay_after(const struct mailer *mailer, unsigned attempts)
{
    uint64_t delay_ms = (uint64_t)mailer->config.retry_ms << (attempts > 12  ? 12
                                                              : attempts > 0 ? attempts - 1
                                                                             : 0);
    return delay_ms < DELAY_MOST_MS ? (unsigned)delay_ms : DELAY_MOST_MS;
}

static enum db_status store_outcome(const struct mailer *mailer, struct db *db,
                                    const struct outbox_message *message, enum smtp_result result,
                                    const char *reason, bool stopped)
{
    enum db_status status = db_begin(db, false);
    if (status != DB_OK)
        return status;
    if (result == SMTP_LATER)
        status = outbox_defer(db, message, stopped ? 0 : delay_after(mailer, message->attempts),
                              stopped ? "The service was stopped." : reason);
    else
        status = outbox_end(db, message, result == SMTP_SENT ? NULL : reason);
    if (status == DB_OK)
        status = db_commit(db);
    db_rollback(db);
    return status;
}

/* Sends the next message. False if nothing more can be done now. If the outcome cannot be stored,
 * the message is tried again when its lease ends. */
static bool send_next(struct mailer *mailer, struct ticker *ticker, struct db *db)
{
    struct arena arena = {NULL};
    struct outbox_message message;
    struct letter letter;
    enum db_status status = take(mailer, db, &arena, &message, &letter);
    if (status == DB_OK && letter.accounts > 0) {
        char bytes[OUTBOX_REASON_MAX - 40];
        struct text reason = TEXT_OVER(bytes);
        bytes[0] = '\0';
        enum smtp_result result = send_letter(mailer, ticker, &message, &letter, &reason);
        if (result != SMTP_SENT)
            fprintf(stderr, "tillrolld: a mail could not be sent: %s\n", bytes);
        status = store_outcome(mailer, db, &message, result, bytes, ticker_is_ending(ticker));
        counter_add(result == SMTP_SENT    ? &mailer->sent
                    : result == SMTP_LATER ? &mailer->deferred
                                           : &mailer->failed,
                    1);
    }
    if (status == DB_ERROR)
        fprintf(stderr, "tillrolld: the outbox could not be used: %s\n", db_last_error(db));
    arena_free(&arena);
    return status == DB_OK;
}

static void count_waiting(struct mailer *mailer, struct db *db)
{
    size_t waiting = 0;
    if (db_begin(db, true) == DB_OK && outbox_waiting(db, &waiting) == DB_OK)
        counter_set(&mailer->waiting, waiting);
    db_rollback(db);
}

static void send_due(struct ticker *ticker, void *context)
{
    struct mailer *mailer = context;
    struct db *db = db_pool_take(mailer->pool, POOL_WAIT_MS);
    if (db == NULL)
        return;
    count_waiting(mailer, db);
    while (!ticker_is_ending(ticker) && send_next(mailer, ticker, db))
        count_waiting(mailer, db);
    db_pool_give(mailer->pool, db);
}

/* ---- The mailer ---- */

struct mailer *mailer_new(const struct mailer_config *config)
{
    struct mailer *mailer = must(calloc(1, sizeof *mailer));
    mailer->config = *config;
    (void)mailer_password(config, mailer->password);
    mailer->pool = db_pool_new(config->database, true, 1);
    mailer->ticker = ticker_new(LOOK_MS, send_due, mailer);
    if (mailer->ticker != NULL)
        return mailer;
    mailer_free(mailer);
    return NULL;
}

void mailer_free(struct mailer *mailer)
{
    if (mailer == NULL)
        return;
    ticker_free(mailer->ticker);
    db_pool_free(mailer->pool);
    sodium_memzero(mailer->password, sizeof mailer->password);
    free(mailer);
}

struct mailer_figures mailer_figures(const struct mailer *mailer)
{
    return (struct mailer_figures){counter_read(&mailer->waiting), counter_read(&mailer->sent),
                                   counter_read(&mailer->deferred), counter_read(&mailer->failed)};
}
