/* Players as everybody sees them, and "me". */
#include "api/access.h"
#include "api/documents.h"
#include "api/handlers.h"

void players_list(struct call *call)
{
    struct page page;
    struct player *players;
    size_t count;
    if (!call_page(call, NULL, &page) ||
        !call_found(call,
                    player_list(call->db, call->arena, &page.after, page.limit, &players, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, player_document(&players[i]));
    call_answer(call, 200,
                page_document(items, count == page.limit ? players[count - 1].id.text : NULL));
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

void keys_get(struct call *call)
{
    char hex[65];
    char id[17];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, call->service->keys.signing_public,
                 sizeof call->service->keys.signing_public);
    keys_signing_id(&call->service->keys, id);
    char vkey[NOTE_KEY_TEXT_MAX + 1];
    struct text verification_key = TEXT_OVER(vkey);
    note_key_print(&call->service->log_key, &verification_key);
    call_answer(call, 200,
                json_pack("{s:[{s:s, s:s, s:s, s:s}]}", "keys", "id", id, "algorithm", "ed25519",
                          "public_key", hex, "vkey", vkey));
}
