/* Hashing passwords is slow, so it is done outside transactions; the data read before it is then
 * compared with the locked account. */
#include "api/people/accounts.h"

#include <string.h>

#include "api/event/signing_keys.h"
#include "api/http/peers.h"
#include "api/people/email.h"
#include "api/people/handlers.h"
#include "api/people/my_data.h"
#include "api/people/names.h"
#include "api/people/passwords.h"
#include "api/people/tokens.h"
#include "api/request/auth.h"
#include "api/request/documents.h"
#include "api/request/limits.h"
#include "api/work/transaction.h"
#include "db/link/db.h"
#include "db/store/people/players.h"

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
        !password_read_known(call, &password) || !look_up(call, names, &known))
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
        !password_read(call, "password", &password) ||
        !password_not_name(call, "password", password, *name))
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
        !password_not_name(call, "new_password", password, call->player.name) ||
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
