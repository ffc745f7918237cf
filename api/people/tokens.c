#include "api/people/tokens.h"

#include <string.h>

#include "api/people/handlers.h"
#include "api/request/auth.h"
#include "api/request/documents.h"
#include "db/link/db.h"
#include "db/store/people/players.h"

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

bool tokens_answer_session(struct call *call, const char *password_hash, bool in_cookie)
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
