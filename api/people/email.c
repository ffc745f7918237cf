/* Addresses for mail, and resetting passwords.
 *
 * Asking for a new password reveals nothing about accounts: a request with any address stores one
 * message, and the account of the address is looked up only when the message is sent
 * (api/mail/mailer.h). So response and work are the same for every address. */
#include "api/people/email.h"

#include <sodium.h>
#include <string.h>

#include "api/http/peers.h"
#include "api/mail/message.h"
#include "api/people/handlers.h"
#include "api/people/passwords.h"
#include "api/people/tokens.h"
#include "api/work/transaction.h"
#include "db/store/people/emails.h"
#include "db/store/people/notices.h"
#include "db/store/people/players.h"
#include "db/store/service/outbox.h"

enum { DAY_S = 24 * 3600, HOUR_S = 3600 };

static const char *const languages[] = {"en", "de", NULL};

/* ---- Input ---- */

static bool sends_mail(struct call *call)
{
    return call->service->mailer != NULL ||
           call_problem(call, "no-mail",
                        "This service sends no mail, so it can neither confirm an address nor "
                        "reset a password; ask those who run it.");
}

/* Reads an address; its domain becomes lower case. */
static bool read_address(struct call *call, const char **address)
{
    const char *given;
    if (!call_text(call, "email", 1, MESSAGE_ADDRESS_MAX, NULL, &given))
        return false;
    if (!message_address(span_of(given))) {
        call_bad_field(call, "email",
                       "must be an address such as ada@club.example, in ASCII letters.");
        return false;
    }
    char *lower = arena_copy(call->arena, span_of(given));
    for (char *c = strchr(lower, '@'); *c != '\0'; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    *address = lower;
    return true;
}

static void hash_folded(const char *address, uint8_t hash[static 32])
{
    char folded[MESSAGE_ADDRESS_MAX + 1];
    size_t length = strlen(address);
    for (size_t i = 0; i < length; i++)
        folded[i] =
            (char)(address[i] >= 'A' && address[i] <= 'Z' ? address[i] - 'A' + 'a' : address[i]);
    crypto_hash_sha256(hash, (const uint8_t *)folded, length);
}

/* A rate limit for mails. Buckets count whole tokens a minute, so each mail takes as many as an
 * hour has minutes. */
struct mail_bucket {
    const void *key;
    size_t size;
    unsigned tokens; /* per mail */
};

enum { TOKENS_PER_MAIL = 60, MAILS_OF_NETWORK = 10 /* as a multiple of an account's */ };

/* Applies the limits: of the address, whether or not an account has it; of the network; and of the
 * account, unless NULL. */
static bool may_mail(struct call *call, const char *address, const struct id *player)
{
    struct limits *limits = call->service->limits;
    int64_t now_ms = call->request->received_ms;
    uint8_t hash[32];
    uint8_t network[16];
    unsigned wait_s = 0;
    hash_folded(address, hash);
    peers_network(call->request->peer, network);
    const struct mail_bucket buckets[] = {
        {hash, sizeof hash, TOKENS_PER_MAIL},
        {network, sizeof network, TOKENS_PER_MAIL / MAILS_OF_NETWORK},
        {player == NULL ? NULL : player->text, sizeof player->text, TOKENS_PER_MAIL}};
    size_t count = player == NULL ? 2 : 3;
    for (size_t i = 0; i < count && wait_s == 0; i++)
        wait_s = limits_wait(limits, LIMIT_MAIL, buckets[i].key, buckets[i].size, now_ms);
    for (size_t i = 0; i < count && wait_s == 0; i++)
        limits_charge(limits, LIMIT_MAIL, buckets[i].key, buckets[i].size, buckets[i].tokens,
                      now_ms);
    return call_wait(call, wait_s,
                     "Too many mails were requested for this address or account, or from your "
                     "network; check the mailbox, or wait as long as Retry-After says.");
}

/* ---- Messages ---- */

static bool queue_mail(struct call *call, const char *kind, const struct id *player,
                       const char *address, const char *language, unsigned patience_s)
{
    const struct outbox_message message = {.id = id_new(call->now_ms),
                                           .kind = kind,
                                           .player = *player,
                                           .address = address,
                                           .language = language,
                                           .patience_s = patience_s};
    return call_db(call, outbox_add(call->db, &message), "server-busy",
                   "Too many mails are waiting to be sent; try again later.");
}

/* Sends a notice to the address if it is confirmed. */
static bool notify_address(struct call *call, const char *kind, const struct email *email)
{
    return call->service->mailer == NULL || email->confirmed_at_ms == 0 ||
           queue_mail(call, kind, &email->player, email->address, email->language, DAY_S);
}

/* Reads the account's address; its member `address` is NULL if there is none. */
static bool find_email(struct call *call, const struct id *player, struct email *email)
{
    enum db_status status = email_get(call->db, call->arena, player, email);
    if (status == DB_NONE)
        *email = (struct email){.player = *player};
    return status == DB_NONE || call_found(call, status);
}

/* ---- The caller's address ---- */

static json_t *mail_document(const struct outbox_message *message)
{
    return json_pack("{s:s, s:s, s:o, s:o, s:s?}", "kind", message->kind, "state", message->state,
                     "created_at", time_json(message->created_at_ms), "ended_at",
                     time_json(message->ended_at_ms), "reason", message->reason);
}

json_t *email_mails(struct call *call, size_t limit, bool *complete)
{
    struct outbox_message *messages;
    size_t count;
    if (!call_found(call,
                    outbox_list(call->db, call->arena, &call->player.id, limit, &messages, &count)))
        return NULL;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, mail_document(&messages[i]));
    *complete = *complete && count < limit;
    return list;
}

json_t *email_document(struct call *call)
{
    struct email email;
    if (!find_email(call, &call->player.id, &email))
        return NULL;
    return json_pack("{s:s?, s:o, s:o, s:s?}", "email", email.address, "set_at",
                     time_json(email.set_at_ms), "confirmed_at", time_json(email.confirmed_at_ms),
                     "language", email.address == NULL ? NULL : email.language);
}

/* The first of the (at most two) newest mails; NULL if there is none. While an address waits for
 * confirmation, the mail with the link: the notice to the previous address may be newer. */
static json_t *newest_of(const json_t *mails, const json_t *email)
{
    json_t *newest = json_array_get(mails, 0), *other = json_array_get(mails, 1);
    const char *kind = json_string_value(json_object_get(other, "kind"));
    const char *created_at = json_string_value(json_object_get(other, "created_at"));
    const char *set_at = json_string_value(json_object_get(email, "set_at"));
    bool waits = json_is_null(json_object_get(email, "confirmed_at"));
    bool is_link = kind != NULL && strcmp(kind, OUTBOX_CONFIRM_EMAIL) == 0;
    return waits && is_link && set_at != NULL && strcmp(created_at, set_at) >= 0 ? other : newest;
}

/* The response includes the newest mail, so that people can see why none has arrived. */
void me_email_get(struct call *call)
{
    bool complete = true;
    json_t *document = email_document(call);
    json_t *mails = document == NULL ? NULL : email_mails(call, 2, &complete);
    if (mails == NULL) {
        json_decref(document);
        return;
    }
    json_t *newest = newest_of(mails, document);
    json_object_set(document, "last_mail", newest == NULL ? json_null() : newest);
    json_decref(mails);
    json_object_set_new(document, "sends_mail", json_boolean(call->service->mailer != NULL));
    call_answer(call, 200, document);
}

/* Cancels the mails and tokens for the previous address. */
static bool cancel_links(struct call *call)
{
    return call_found(call, email_tokens_end(call->db, &call->player.id, NULL)) &&
           call_found(call, outbox_cancel(call->db, &call->player.id, OUTBOX_CONFIRM_EMAIL)) &&
           call_found(call, outbox_cancel(call->db, &call->player.id, OUTBOX_RESET_PASSWORD));
}

/* Sets the address. The same address again gets a new link, unless it is confirmed. */
static bool set_address(struct call *call, const char *address, const char *language)
{
    struct email before;
    const struct email email = {.player = call->player.id,
                                .address = address,
                                .language = language,
                                .set_at_ms = call->now_ms};
    if (!find_email(call, &call->player.id, &before))
        return false;
    bool same = before.address != NULL && strcmp(before.address, address) == 0;
    if (same && before.confirmed_at_ms != 0)
        return true;
    return cancel_links(call) && (same || notify_address(call, OUTBOX_EMAIL_CHANGED, &before)) &&
           call_found(call, email_set(call->db, &email)) &&
           queue_mail(call, OUTBOX_CONFIRM_EMAIL, &call->player.id, address, language, DAY_S);
}

void me_email_set(struct call *call)
{
    static const char *const keys[] = {"email", "password", "language", NULL};
    const char *address;
    const char *language;
    const char *hash;
    if (!sends_mail(call) || !call_check_keys(call, keys) || !read_address(call, &address) ||
        !call_choice(call, "language", languages, &language) || !password_confirm(call, &hash) ||
        !may_mail(call, address, &call->player.id))
        return;
    if (transaction_open(call) && password_still_is(call, hash) &&
        set_address(call, address, language))
        me_email_get(call);
    transaction_close(call);
}

static bool remove_address(struct call *call)
{
    struct email before;
    return find_email(call, &call->player.id, &before) && cancel_links(call) &&
           notify_address(call, OUTBOX_EMAIL_CHANGED, &before) &&
           call_found(call, email_remove(call->db, &call->player.id));
}

void me_email_remove(struct call *call)
{
    static const char *const keys[] = {"password", NULL};
    const char *hash;
    if (!call_check_keys(call, keys) || !password_confirm(call, &hash))
        return;
    if (transaction_open(call) && password_still_is(call, hash) && remove_address(call))
        call->response->status = 204;
    transaction_close(call);
}

/* ---- Links ---- */

static bool refuse_link(struct call *call)
{
    return call_problem(call, "bad-mail-link",
                        "The link is not valid: it has been used, has expired, or was replaced by "
                        "a newer one. Ask for another one.");
}

/* The SHA-256 of the token in the body, which may be any text. */
static bool read_token(struct call *call, uint8_t hash[static 32])
{
    enum { TOKEN_MAX = 100 };
    const char *token;
    if (!call_text(call, "token", 1, TOKEN_MAX, NULL, &token))
        return false;
    crypto_hash_sha256(hash, (const uint8_t *)token, strlen(token));
    return true;
}

/* Locks the token's account, whose id goes to call->player, and uses the token. */
static bool use_token(struct call *call, const uint8_t hash[static 32], const char *purpose,
                      const char **address)
{
    struct id player;
    *address = NULL;
    enum db_status status = email_token_find(call->db, hash, purpose, &player);
    if (status == DB_OK)
        status = player_lock(call->db, &player);
    if (status == DB_OK)
        status = email_token_use(call->db, call->arena, hash, purpose, address);
    if (status == DB_OK)
        status = player_by_id(call->db, call->arena, &player, &call->player);
    return status == DB_NONE ? refuse_link(call) : call_found(call, status);
}

static void confirm(struct call *call, const uint8_t hash[static 32])
{
    const char *address;
    if (!use_token(call, hash, EMAIL_CONFIRM, &address))
        return;
    enum db_status status = email_confirm(call->db, &call->player.id, address, call->now_ms);
    if (status == DB_NONE)
        refuse_link(call);
    else if (call_found(call, status) &&
             call_found(call, email_tokens_end(call->db, &call->player.id, EMAIL_CONFIRM)) &&
             call_found(call, notice_watch_player(call->db, &call->player.id)))
        call_answer(call, 200,
                    json_pack("{s:s, s:s}", "name", call->player.name, "email", address));
}

void email_confirmations_create(struct call *call)
{
    static const char *const keys[] = {"token", NULL};
    uint8_t hash[32];
    if (!call_check_keys(call, keys) || !read_token(call, hash))
        return;
    if (transaction_open(call))
        confirm(call, hash);
    transaction_close(call);
}

void password_resets_create(struct call *call)
{
    static const char *const keys[] = {"email", "language", NULL};
    static const struct id nobody_yet = {""};
    const char *address;
    const char *language;
    if (!sends_mail(call) || !call_check_keys(call, keys) || !read_address(call, &address) ||
        !call_choice(call, "language", languages, &language) || !may_mail(call, address, NULL))
        return;
    if (transaction_open(call) &&
        queue_mail(call, OUTBOX_RESET_PASSWORD, &nobody_yet, address, language, HOUR_S))
        call->response->status = 204;
    transaction_close(call);
}

/* True if the token is valid: checked before the slow work, and again when it is used. */
static bool token_is_good(struct call *call, const uint8_t hash[static 32])
{
    struct id player;
    bool good = transaction_open(call);
    if (good) {
        enum db_status status = email_token_find(call->db, hash, EMAIL_RESET, &player);
        good = status == DB_NONE ? refuse_link(call) : call_found(call, status);
    }
    transaction_close(call);
    return good;
}

bool email_password_changed(struct call *call, const char *hash)
{
    struct email email;
    return call_found(call, player_set_password(call->db, &call->player.id, hash)) &&
           find_email(call, &call->player.id, &email) &&
           notify_address(call, OUTBOX_PASSWORD_CHANGED, &email);
}

void password_resets_use(struct call *call)
{
    static const char *const keys[] = {"token", "new_password", NULL};
    static const struct id no_session = {""};
    uint8_t hash[32];
    const char *password;
    const char *address;
    if (!call_check_keys(call, keys) || !read_token(call, hash) ||
        !password_read(call, "new_password", &password) || !token_is_good(call, hash))
        return;
    const char *new_hash = password_make_hash(call, password);
    if (new_hash == NULL)
        return;
    if (transaction_open(call) && use_token(call, hash, EMAIL_RESET, &address) &&
        password_not_name(call, "new_password", password, call->player.name)) {
        const struct token_choice sessions = {.player = &call->player.id,
                                              .sessions_but = &no_session};
        if (email_password_changed(call, new_hash) && tokens_end_chosen(call, &sessions))
            call->response->status = 204;
    }
    transaction_close(call);
}
