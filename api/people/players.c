/* Players: their public documents, and "me". */
#include <string.h>

#include "api/event/signing_keys.h"
#include "api/people/handlers.h"
#include "api/people/names.h"
#include "api/people/tokens.h"
#include "api/request/documents.h"
#include "api/state/dealer_list.h"
#include "db/store/people/players.h"

void players_list(struct call *call)
{
    struct list_range range;
    struct player *players;
    size_t count;
    if (!call_list_range(call, NULL, &range) ||
        !call_found(
            call, player_list(call->db, call->arena, &range.after, range.limit, &players, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, player_document(&players[i]));
    call_answer(call, 200,
                list_with_next(items, count == range.limit ? players[count - 1].id.text : NULL));
}

void players_get(struct call *call)
{
    struct player player;
    if (call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)))
        call_answer(call, 200, player_document(&player));
}

void me_get(struct call *call)
{
    json_t *document = player_document(&call->player);
    json_object_set_new(document, "roles", roles_document(call->player.roles));
    json_object_set_new(document, "token", token_document(&call->token));
    call_answer(call, 200, document);
}

/* A key of the server; `current` if it signs today. */
static json_t *key_document(const struct call *call, const uint8_t public[static 32], bool current)
{
    char hex[65];
    char vkey[NOTE_KEY_TEXT_MAX + 1];
    char id[17];
    struct text text = TEXT_OVER(hex);
    struct text verification_key = TEXT_OVER(vkey);
    struct note_key key;
    text_add_hex(&text, public, 32);
    keys_public_id(public, id);
    if (note_key_make(&key, span_of(call->service->log_key.name), public))
        note_key_print(&key, &verification_key);
    return json_pack("{s:s, s:s, s:s, s:s, s:b}", "id", id, "algorithm", "ed25519", "public_key",
                     hex, "vkey", vkey, "current", current);
}

void keys_get(struct call *call)
{
    const struct service *service = call->service;
    json_t *keys = json_array();
    json_array_append_new(keys, key_document(call, service->keys.signing_public, true));
    for (size_t i = 0; i < service->old_keys; i++)
        json_array_append_new(keys, key_document(call, service->old_key[i], false));
    call_answer(call, 200,
                json_pack("{s:o, s:o}", "keys", keys, "dealers",
                          dealer_list_document(service->dealer_list)));
}

/* ---- Bots ---- */

/* Bots are players owned by a player. A bot has no password; its owner creates tokens for it. Its
 * name ends in ` [bot]`, which identifies bots in lists, pages and records. */

enum { BOTS_MAX = 10, BOTS_A_DAY = 20 };
static const int64_t bot_day_ms = INT64_C(24) * 60 * 60 * 1000;

void bots_list(struct call *call)
{
    struct list_range range;
    struct player *bots;
    size_t count;
    if (!call_list_range(call, NULL, &range) ||
        !call_found(call, player_list_bots(call->db, call->arena, &call->player.id, &range.after,
                                           range.limit, &bots, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, player_document(&bots[i]));
    call_answer(call, 200,
                list_with_next(items, count == range.limit ? bots[count - 1].id.text : NULL));
}

/* The owner's lock keeps the counts valid until commit. Each new bot has limits of its own, so
 * recently deleted bots are counted as well. */
static bool has_room(struct call *call)
{
    struct bot_counts bots;
    if (!call_found(call, player_lock(call->db, &call->player.id)) ||
        !call_found(
            call, player_count_bots(call->db, &call->player.id, call->now_ms - bot_day_ms, &bots)))
        return false;
    if (bots.all >= BOTS_MAX)
        return call_problem(call, "too-many-bots", "A player can have 10 bots; delete one first.");
    return bots.made < BOTS_A_DAY ||
           call_problem(call, "too-many-bots",
                        "You have made 20 bots within 24 hours, the maximum; make further ones "
                        "tomorrow.");
}

void bots_create(struct call *call)
{
    static const char *const keys[] = {"name", NULL};
    struct player bot = {
        .id = id_new(call->now_ms), .created_at_ms = call->now_ms, .owner = call->player.id};
    if (!call_check_keys(call, keys) || !name_read_bot(call, "name", &bot.name) || !has_room(call))
        return;
    if (call_db(call, player_create(call->db, &bot), "name-taken",
                "Another bot has this name; choose another one.") &&
        name_take(call, &bot.id, bot.name))
        call_answer(call, 201, player_document(&bot));
}

void bots_delete(struct call *call)
{
    const struct token_choice all = {.player = &call->id[0]};
    if (!call_found(call, player_lock(call->db, &call->id[0])) || !tokens_end_chosen(call, &all) ||
        !signing_keys_end(call, &call->id[0]) ||
        !call_found(call, player_delete(call->db, &call->id[0], call->now_ms)) ||
        !call_found(call, name_skeletons_forget(call->db, &call->id[0])))
        return;
    call->renamed = true;
    call->response->status = 204;
}

void bots_issue_token(struct call *call)
{
    struct player bot;
    if (call_found(call, player_by_id(call->db, call->arena, &call->id[0], &bot)))
        tokens_answer_issued(call, &bot, call->token.scopes & ~(unsigned)SCOPE_ACCOUNT);
}

/* ---- Search ---- */

enum { WORDS_BYTES = 80, FOUND_MOST = 10 };

static json_t *players_document(const struct player *players, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, player_reference(&players[i].id, players[i].name));
    return list;
}

static json_t *events_document(const struct event *events, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:s}", "id", events[i].id.text,
                                              "name", events[i].name, "ruleset",
                                              ruleset_reference(events[i].slug, events[i].version),
                                              "state", event_state_name(events[i].state)));
    return list;
}

/* Finds names in any normalization form: stored names are in NFKC, older ones in NFC. */
static bool find_players(struct call *call, const char *words, struct player **players,
                         size_t *count)
{
    const char *form = account_name_form(call->arena, words);
    enum db_status status = player_search(call->db, call->arena, words, FOUND_MOST, players, count);
    if (status == DB_OK && *count == 0 && form != NULL && strcmp(form, words) != 0)
        status = player_search(call->db, call->arena, form, FOUND_MOST, players, count);
    return call_found(call, status);
}

/* A POST, since names have characters that request targets must not contain (api/http/gate.h). */
void search_names(struct call *call)
{
    static const char *const keys[] = {"words", NULL};
    const char *words;
    struct player *players;
    struct event *events;
    size_t player_count, event_count;
    if (!call_check_keys(call, keys) || !name_read(call, "words", WORDS_BYTES, &words) ||
        !find_players(call, words, &players, &player_count) ||
        !call_found(call,
                    event_search(call->db, call->arena, words, FOUND_MOST, &events, &event_count)))
        return;
    call_answer(call, 200,
                json_pack("{s:o, s:o}", "players", players_document(players, player_count),
                          "events", events_document(events, event_count)));
}
