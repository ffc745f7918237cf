/* Bots: players that belong to a player. A bot has no password; its owner makes tokens for it. Its
 * name ends in ` [bot]`, so that whoever meets it knows it, in lists, pages and records alike. */
#include "api/documents.h"
#include "api/handlers.h"
#include "api/names.h"
#include "api/signing_keys.h"
#include "api/tokens.h"

enum { BOTS_MAX = 10 };

static bool read_bots(struct call *call, const struct page *page, struct player **bots,
                      size_t *count)
{
    return call_found(call, player_list_bots(call->db, call->arena, &call->player.id, &page->after,
                                             page->limit, bots, count));
}

void bots_list(struct call *call)
{
    struct page page;
    struct player *bots;
    size_t count;
    if (!call_page(call, NULL, &page) || !read_bots(call, &page, &bots, &count))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, player_document(&bots[i]));
    call_answer(call, 200,
                page_document(items, count == page.limit ? bots[count - 1].id.text : NULL));
}

/* The lock keeps the count true until the commit. */
static bool has_room(struct call *call)
{
    const struct page all = {.limit = BOTS_MAX};
    struct player *bots;
    size_t count;
    if (!call_found(call, player_lock(call->db, &call->player.id)) ||
        !read_bots(call, &all, &bots, &count))
        return false;
    return count < BOTS_MAX ||
           call_problem(call, "too-many-bots", "A player can have 10 bots; delete one first.");
}

void bots_create(struct call *call)
{
    static const char *const keys[] = {"name", NULL};
    struct player bot = {
        .id = id_new(call->now_ms), .created_at_ms = call->now_ms, .owner = call->player.id};
    if (!call_check_keys(call, keys) || !name_read_bot(call, "name", &bot.name) || !has_room(call))
        return;
    if (call_db(call, player_create(call->db, &bot), "name-taken",
                "Another bot has this name; choose another one."))
        call_answer(call, 201, player_document(&bot));
}

void bots_delete(struct call *call)
{
    const struct token_choice all = {.player = &call->id[0]};
    if (!call_found(call, player_lock(call->db, &call->id[0])) || !tokens_end_chosen(call, &all) ||
        !signing_keys_end(call, &call->id[0]) ||
        !call_found(call, player_delete(call->db, &call->id[0], call->now_ms)))
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
