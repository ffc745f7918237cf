/* Accounts: creation, signing in, changes, deletion. Hashing passwords is slow, so it is done
 * outside transactions; the data read before it is then compared with the locked account. */
#include "api/people/accounts.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

#include "api/event/signing_keys.h"
#include "api/http/peers.h"
#include "api/people/email.h"
#include "api/people/handlers.h"
#include "api/people/my_data.h"
#include "api/people/names.h"
#include "api/request/access.h"
#include "api/request/auth.h"
#include "api/request/documents.h"
#include "api/request/limits.h"
#include "api/work/transaction.h"
#include "db/link/db.h"
#include "db/store/people/players.h"

/* ---- Passwords ---- */

/* OWASP's minimum for argon2id is 19 MiB with two passes; this is three times the memory. */
static const unsigned long long passes = 2;
static const size_t memory_bytes = 64 * 1024 * 1024;

/* A hash that no password matches, checked if there is no such player. */
static const char nobody[crypto_pwhash_STRBYTES] =
    "$argon2id$v=19$m=65536,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

bool password_hash(const char *password, char hash[static PASSWORD_HASH_BYTES])
{
    static_assert((int)crypto_pwhash_STRBYTES <= (int)PASSWORD_HASH_BYTES, "it fits");
    return crypto_pwhash_str(hash, password, strlen(password), passes, memory_bytes) == 0;
}

/* True if `hash` matches the password. With `hash` NULL (no such player, or no password), takes the
 * same time and returns false. */
static bool password_is(const char *hash, const char *password)
{
    bool good =
        crypto_pwhash_str_verify(hash == NULL ? nobody : hash, password, strlen(password)) == 0;
    return good && hash != NULL;
}

bool password_read(struct call *call, const char *key, const char **password)
{
    return call_text(call, key, PASSWORD_MIN, PASSWORD_MAX, NULL, password);
}

/* Reads a password to check, not a new one: any text is accepted and simply fails to match.
 * Impossible passwords are read as "". */
static bool read_known_password(struct call *call, const char **password)
{
    const json_t *field = json_object_get(call->body, "password");
    if (!json_is_string(field))
        return call_text(call, "password", 1, PASSWORD_MAX, NULL, password);
    bool possible = json_string_length(field) <= PASSWORD_MAX &&
                    strlen(json_string_value(field)) == json_string_length(field);
    *password = possible ? json_string_value(field) : "";
    return true;
}

const char *password_make_hash(struct call *call, const char *password)
{
    char hash[PASSWORD_HASH_BYTES];
    if (password_hash(password, hash))
        return arena_copy(call->arena, span_of(hash));
    call_problem(call, "unavailable", "The service is out of memory; try again soon.");
    return NULL;
}

/* The account's password hash; NULL if it has none. */
static bool load_password(struct call *call, const char **hash)
{
    *hash = NULL;
    bool good = transaction_open(call);
    if (good) {
        enum db_status status = player_password(call->db, call->arena, &call->player.id, hash);
        good = status == DB_NONE || call_found(call, status);
    }
    transaction_close(call);
    return good;
}

bool password_confirm(struct call *call, const char **hash)
{
    const char *password;
    if (!read_known_password(call, &password) || !load_password(call, hash))
        return false;
    return password_is(*hash, password) ||
           call_problem(call, "wrong-password", "This is not the password of the account.");
}

bool password_still_is(struct call *call, const char *hash)
{
    const char *now;
    enum db_status status = player_lock(call->db, &call->player.id);
    if (status == DB_OK)
        status = player_password(call->db, call->arena, &call->player.id, &now);
    if (status == DB_NONE || (status == DB_OK && strcmp(now, hash) != 0))
        return call_problem(call, "wrong-password",
                            "The account was changed or deleted in the meantime.");
    return call_found(call, status);
}

/* ---- Tokens ---- */

/* Sessions, created by signing in, and tokens created for programs, with a label, an expiry and
 * chosen scopes. A token is shown once, when it is created. */

enum { SESSION_DAYS = 30, DAYS_INITIAL = 90, DAYS_MAX = 366, LABEL_MAX = 60, ISSUED_MAX = 50 };
static const int64_t day_ms = INT64_C(1000) * 60 * 60 * 24;

/* Stores a new token and writes it into `text`. `token` must have all members but the id and the
 * times. */
static bool make_token(struct call *call, struct token *token, unsigned days,
                       const char *password_hash, char text[static TOKEN_TEXT])
{
    uint8_t hash[32];
    token->id = id_new(call->now_ms);
    token->created_at_ms = call->now_ms;
    token->expires_at_ms = call->now_ms + days * day_ms;
    auth_new_token(text, hash);
    enum db_status status = token_create(call->db, hash, token, password_hash);
    if (status == DB_NONE)
        return call_problem(call, "wrong-password",
                            "The account was changed or deleted in the meantime.");
    return call_found(call, status);
}

/* Signs call->player in, inside the open transaction: a session for 30 days with all scopes (for
 * guests, theirs), in the body or as a cookie. `password_hash` is the hash that matched; NULL for
 * guests. False with a problem. */
static bool tokens_answer_session(struct call *call, const char *password_hash, bool in_cookie)
{
    struct token token = {.player = call->player.id,
                          .scopes = call->player.guest ? SCOPES_GUEST : SCOPES_ALL};
    char text[TOKEN_TEXT];
    if (!make_token(call, &token, SESSION_DAYS, password_hash, text))
        return false;
    json_t *document = json_pack("{s:o, s:o}", "player", player_document(&call->player),
                                 "expires_at", time_json(token.expires_at_ms));
    if (in_cookie)
        call->response->set_cookie =
            auth_cookie(call, text, (unsigned)(SESSION_DAYS * day_ms / 1000));
    else
        json_object_set_new(document, "token", json_string(text));
    call_answer(call, 201, document);
    return true;
}

/* ---- Creating an account and signing in ---- */

static const char *const credentials[] = {"name", "password", NULL};

void players_create(struct call *call)
{
    const char *name;
    const char *hash;
    if (!account_read(call, &name, &hash))
        return;
    call->player = (struct player){.id = id_new(call->now_ms),
                                   .name = name,
                                   .password_hash = hash,
                                   .created_at_ms = call->now_ms};
    if (transaction_open(call) &&
        call_db(call, player_create(call->db, &call->player), "name-taken",
                "Another player has this name; choose another one, or sign in.") &&
        name_take(call, &call->player.id, name))
        tokens_answer_session(call, hash, false);
    transaction_close(call);
}

static bool look_up(struct call *call, const char *const names[static 2], bool *known)
{
    bool good = transaction_open(call);
    if (good) {
        enum db_status status = player_by_name(call->db, call->arena, names[0], &call->player);
        if (status == DB_NONE && strcmp(names[0], names[1]) != 0)
            status = player_by_name(call->db, call->arena, names[1], &call->player);
        *known = status == DB_OK;
        good = status == DB_NONE || call_found(call, status);
    }
    transaction_close(call);
    return good;
}

static void sign_in(struct call *call, bool in_cookie)
{
    const char *names[2];
    const char *password;
    bool known = false;
    if (!call_check_keys(call, credentials) || !name_read_known(call, "name", names) ||
        !read_known_password(call, &password) || !look_up(call, names, &known))
        return;
    const char *hash = known ? call->player.password_hash : NULL;
    if (!password_is(hash, password)) {
        call_problem(call, "wrong-password", "Wrong name or password.");
        return;
    }
    if (transaction_open(call))
        tokens_answer_session(call, hash, in_cookie);
    transaction_close(call);
}

void tokens_create(struct call *call)
{
    sign_in(call, false);
}

void sessions_create(struct call *call)
{
    sign_in(call, true);
}

/* ---- Guests ---- */

/* Guests have a name and a session, which expires like others. A guest cannot sign in again.
 * Buckets count whole tokens a minute, so each new guest takes as many tokens as an hour has
 * minutes. */
static bool may_create_guest(struct call *call)
{
    enum { TOKENS_PER_GUEST = 60 };
    struct limits *limits = call->service->limits;
    int64_t now_ms = call->request->received_ms;
    uint8_t network[16];
    peers_network(call->request->peer, network);
    unsigned wait_s = limits_wait(limits, LIMIT_GUEST, network, sizeof network, now_ms);
    if (wait_s == 0)
        limits_charge(limits, LIMIT_GUEST, network, sizeof network, TOKENS_PER_GUEST, now_ms);
    return call_wait(call, wait_s,
                     "Your network has reached its hourly limit of new guests; wait as long as "
                     "Retry-After says, or create an account.");
}

void guests_create(struct call *call)
{
    static const char *const keys[] = {"name", NULL};
    const char *name;
    if (!call_check_keys(call, keys) || !name_read_guest(call, "name", &name) ||
        !may_create_guest(call))
        return;
    call->player = (struct player){
        .id = id_new(call->now_ms), .name = name, .created_at_ms = call->now_ms, .guest = true};
    if (transaction_open(call) &&
        call_db(call, player_create(call->db, &call->player), "name-taken",
                "Another guest has this name; choose another one.") &&
        name_take(call, &call->player.id, name))
        tokens_answer_session(call, NULL, true);
    transaction_close(call);
}

bool account_read(struct call *call, const char **name, const char **hash)
{
    const char *password;
    if (!call_check_keys(call, credentials) || !name_read_account(call, "name", name) ||
        !password_read(call, "password", &password))
        return false;
    *hash = password_make_hash(call, password);
    return *hash != NULL;
}

/* The guest's sessions have fewer rights, so they are ended. */
bool account_of_guest(struct call *call, const char *name, const char *hash, bool in_cookie)
{
    const struct token_choice all = {.player = &call->player.id};
    if (!call_found(call, player_lock(call->db, &call->player.id)) ||
        !call_db(call, player_make_account(call->db, &call->player.id, name, hash), "name-taken",
                 "Another player has this name; choose another one.") ||
        !name_take(call, &call->player.id, name) || !tokens_end_chosen(call, &all))
        return false;
    call->renamed = true;
    call->player.guest = false;
    call->player.name = name;
    return tokens_answer_session(call, hash, in_cookie);
}

void me_make_account(struct call *call)
{
    const char *name;
    const char *hash;
    if (!call->player.guest) {
        call_problem(call, "not-a-guest", "This account has a password; change it on its page.");
        return;
    }
    if (!account_read(call, &name, &hash))
        return;
    if (transaction_open(call))
        (void)account_of_guest(call, name, hash, auth_is_by_cookie(call->request));
    transaction_close(call);
}

/* ---- Changing and deleting an account ---- */

/* Limited like passwords, because the whole response cache is rebuilt afterwards. */
void me_rename(struct call *call)
{
    static const char *const keys[] = {"name", NULL};
    const char *name;
    if (!call_within_limit(call, LIMIT_PASSWORD) || !call_check_keys(call, keys) ||
        !name_read_account(call, "name", &name) ||
        !call_db(call, player_rename(call->db, &call->player.id, name), "name-taken",
                 "Another player has this name; choose another one.") ||
        !name_take(call, &call->player.id, name))
        return;
    call->renamed = true;
    call->player.name = name;
    call_answer(call, 200, player_document(&call->player));
}

void me_change_password(struct call *call)
{
    static const char *const keys[] = {"password", "new_password", NULL};
    const struct token_choice others = {.player = &call->player.id,
                                        .sessions_but = &call->token.id};
    const char *hash;
    const char *password;
    if (!call_check_keys(call, keys) || !password_read(call, "new_password", &password) ||
        !password_confirm(call, &hash))
        return;
    const char *new_hash = password_make_hash(call, password);
    if (new_hash == NULL)
        return;
    if (transaction_open(call) && password_still_is(call, hash) &&
        email_password_changed(call, new_hash) && tokens_end_chosen(call, &others))
        call->response->status = 204;
    transaction_close(call);
}

void me_delete(struct call *call)
{
    static const char *const keys[] = {"password", NULL};
    const struct token_choice all = {.player = &call->player.id};
    const char *hash;
    if (!call_check_keys(call, keys) || !password_confirm(call, &hash))
        return;
    if (transaction_open(call) && password_still_is(call, hash) && my_data_is_free(call) &&
        tokens_end_chosen(call, &all) && signing_keys_end(call, &call->player.id) &&
        call_found(call, player_delete(call->db, &call->player.id, call->now_ms)) &&
        call_found(call, name_skeletons_forget(call->db, &call->player.id))) {
        call->renamed = true;
        call->response->status = 204;
    }
    transaction_close(call);
}

/* ---- Issuing tokens ---- */

static bool find_scope(const char *word, unsigned *scope)
{
    for (unsigned bit = 0; word != NULL && scope_name(bit) != NULL; bit++) {
        *scope = 1U << bit;
        if (strcmp(word, scope_name(bit)) == 0)
            return true;
    }
    return false;
}

/* Reads a list of one or more different scopes. */
static bool read_scopes(struct call *call, unsigned allowed, unsigned *scopes)
{
    json_t *field = json_object_get(call->body, "scopes");
    size_t i;
    json_t *word;
    *scopes = 0;
    bool good = json_array_size(field) > 0;
    json_array_foreach(field, i, word)
    {
        unsigned scope;
        good = good && find_scope(json_string_value(word), &scope) && (*scopes & scope) == 0;
        *scopes |= good ? scope : 0;
    }
    if (!good)
        return call_bad_field(call, "scopes",
                              "must be a list of one or more different words from read, play, "
                              "organize and account.");
    if ((*scopes & ~allowed) == 0)
        return true;
    return call_problem(call, "missing-scope",
                        "A token can pass on only scopes that it has itself, and "
                        "bots have no account to manage.");
}

/* The account's lock keeps the count valid until commit. */
static bool has_room(struct call *call, const struct player *player)
{
    size_t count;
    if (!call_found(call, player_lock(call->db, &player->id)) ||
        !call_found(call, token_count(call->db, &player->id, call->now_ms, &count)))
        return false;
    return count < ISSUED_MAX ||
           call_problem(call, "too-many-tokens",
                        "You have 50 valid tokens, the maximum; revoke one first.");
}

void tokens_answer_issued(struct call *call, const struct player *player, unsigned allowed)
{
    static const char *const keys[] = {"label", "scopes", "expires_in_days", NULL};
    struct token token = {.player = player->id, .player_name = player->name};
    char text[TOKEN_TEXT];
    unsigned days;
    if (!call_check_keys(call, keys) ||
        !call_text(call, "label", 1, LABEL_MAX, NULL, &token.label) ||
        !read_scopes(call, allowed, &token.scopes) ||
        !call_whole(call, "expires_in_days", 1, DAYS_MAX, DAYS_INITIAL, &days) ||
        !has_room(call, player) || !make_token(call, &token, days, NULL, text))
        return;
    json_t *document = token_document(&token);
    json_object_set_new(document, "token", json_string(text));
    call_answer(call, 201, document);
}

void tokens_issue(struct call *call)
{
    tokens_answer_issued(call, &call->player, call->token.scopes);
}

/* ---- Listing ---- */

void tokens_list(struct call *call)
{
    struct list_range range;
    struct token *tokens;
    size_t count;
    if (!call_list_range(call, NULL, &range) ||
        !call_found(call, token_list(call->db, call->arena, &call->player.id, call->now_ms,
                                     &range.after, range.limit, &tokens, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, listed_token_document(&tokens[i]));
    call_answer(call, 200,
                list_with_next(items, count == range.limit ? tokens[count - 1].id.text : NULL));
}

/* ---- Revocation ---- */

bool tokens_end_chosen(struct call *call, const struct token_choice *choice)
{
    return call_found(call, token_end(call->db, call->arena, choice, call->now_ms, &call->ended,
                                      &call->ended_count));
}

void tokens_revoke(struct call *call)
{
    if (!call_found(call, token_revoke(call->db, call->token_hash, call->now_ms)))
        return;
    call->ended = &call->token_hash;
    call->ended_count = 1;
    auth_end_cookie(call);
    call->response->status = 204;
}

/* Ends all of the player's sessions except the one that made the request. */
void sessions_end_others(struct call *call)
{
    const struct token_choice others = {.player = &call->player.id,
                                        .sessions_but = &call->token.id};
    if (call_check_keys(call, NULL) && tokens_end_chosen(call, &others))
        call_answer(call, 200, json_pack("{s:I}", "ended", (json_int_t)call->ended_count));
}

void tokens_end(struct call *call)
{
    const struct token_choice choice = {.player = &call->player.id, .id = &call->id[0]};
    if (!tokens_end_chosen(call, &choice))
        return;
    if (call->ended_count == 0)
        call_found(call, DB_NONE);
    else
        call->response->status = 204;
}
