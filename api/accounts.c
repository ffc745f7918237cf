/* Accounts: making, signing in, changing, deleting. Passwords are slow work, so it is done with no
 * transaction open; what was found before is held against the account once more afterwards, under
 * its lock. */
#include <string.h>

#include "api/documents.h"
#include "api/handlers.h"
#include "api/names.h"
#include "api/passwords.h"
#include "api/signing_keys.h"
#include "api/tokens.h"

/* ---- Passwords ---- */

static bool read_password(struct call *call, const char *key, const char **password)
{
    return call_text(call, key, PASSWORD_MIN, PASSWORD_MAX, NULL, password);
}

static const char *hash_password(struct call *call, const char *password)
{
    char hash[PASSWORD_HASH_BYTES];
    if (password_hash(password, hash))
        return arena_copy(call->arena, span_of(hash));
    call_problem(call, "unavailable", "There is no memory for this now; try again soon.");
    return NULL;
}

/* What the account's password is kept as; NULL if it has none. */
static bool load_password(struct call *call, const char **hash)
{
    *hash = NULL;
    bool good = call_open_transaction(call);
    if (good) {
        enum db_status status = player_password(call->db, call->arena, &call->player.id, hash);
        good = status == DB_NONE || call_found(call, status);
    }
    call_close_transaction(call);
    return good;
}

/* Asks for the caller's password before something that a stolen token must not be enough for. */
static bool confirm_password(struct call *call, const char **hash)
{
    const char *password;
    if (!read_password(call, "password", &password) || !load_password(call, hash))
        return false;
    return password_is(*hash, password) ||
           call_problem(call, "wrong-password", "This is not the password of the account.");
}

/* Locks the account. False with a problem if its password is another one by now. */
static bool still_has(struct call *call, const char *hash)
{
    const char *now;
    enum db_status status = player_lock(call->db, &call->player.id);
    if (status == DB_OK)
        status = player_password(call->db, call->arena, &call->player.id, &now);
    if (status == DB_NONE || (status == DB_OK && strcmp(now, hash) != 0))
        return call_problem(call, "wrong-password",
                            "The account was changed or deleted at this moment.");
    return call_found(call, status);
}

/* ---- Making an account and signing in ---- */

static bool read_credentials(struct call *call, const char **name, const char **password)
{
    static const char *const keys[] = {"name", "password", NULL};
    return call_check_keys(call, keys) && name_read(call, "name", PLAYER_NAME_MAX, name) &&
           read_password(call, "password", password);
}

void players_create(struct call *call)
{
    const char *name;
    const char *password;
    if (!read_credentials(call, &name, &password) || !name_is_free(call, "name", name))
        return;
    const char *hash = hash_password(call, password);
    if (hash == NULL)
        return;
    call->player = (struct player){.id = id_new(call->now_ms),
                                   .name = name,
                                   .password_hash = hash,
                                   .created_at_ms = call->now_ms};
    if (call_open_transaction(call) &&
        call_db(call, player_create(call->db, &call->player), "name-taken",
                "Another player has this name; choose another one, or sign in."))
        tokens_answer_session(call, hash, false);
    call_close_transaction(call);
}

static bool look_up(struct call *call, const char *name, bool *known)
{
    bool good = call_open_transaction(call);
    if (good) {
        enum db_status status = player_by_name(call->db, call->arena, name, &call->player);
        *known = status == DB_OK;
        good = status == DB_NONE || call_found(call, status);
    }
    call_close_transaction(call);
    return good;
}

static void sign_in(struct call *call, bool in_cookie)
{
    const char *name;
    const char *password;
    bool known = false;
    if (!read_credentials(call, &name, &password) || !look_up(call, name, &known))
        return;
    const char *hash = known ? call->player.password_hash : NULL;
    if (!password_is(hash, password)) {
        call_problem(call, "wrong-password", "There is no player with this name and password.");
        return;
    }
    if (call_open_transaction(call))
        tokens_answer_session(call, hash, in_cookie);
    call_close_transaction(call);
}

void tokens_create(struct call *call)
{
    sign_in(call, false);
}

void sessions_create(struct call *call)
{
    sign_in(call, true);
}

/* ---- Changing and deleting it ---- */

/* As rarely as passwords: all that is kept of answers is made anew afterwards. */
void me_rename(struct call *call)
{
    static const char *const keys[] = {"name", NULL};
    const char *name;
    if (!call_within_limit(call, LIMIT_PASSWORD) || !call_check_keys(call, keys) ||
        !name_read(call, "name", PLAYER_NAME_MAX, &name) || !name_is_free(call, "name", name) ||
        !call_db(call, player_rename(call->db, &call->player.id, name), "name-taken",
                 "Another player has this name; choose another one."))
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
    if (!call_check_keys(call, keys) || !read_password(call, "new_password", &password) ||
        !confirm_password(call, &hash))
        return;
    const char *new_hash = hash_password(call, password);
    if (new_hash == NULL)
        return;
    if (call_open_transaction(call) && still_has(call, hash) &&
        call_found(call, player_set_password(call->db, &call->player.id, new_hash)) &&
        tokens_end_chosen(call, &others))
        call->response->status = 204;
    call_close_transaction(call);
}

void me_delete(struct call *call)
{
    static const char *const keys[] = {"password", NULL};
    const struct token_choice all = {.player = &call->player.id};
    const char *hash;
    if (!call_check_keys(call, keys) || !confirm_password(call, &hash))
        return;
    if (call_open_transaction(call) && still_has(call, hash) && tokens_end_chosen(call, &all) &&
        signing_keys_end(call, &call->player.id) &&
        call_found(call, player_delete(call->db, &call->player.id, call->now_ms))) {
        call->renamed = true;
        call->response->status = 204;
    }
    call_close_transaction(call);
}
