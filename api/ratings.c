/* Players' ratings and what changed them. Values are whole millionths, as they are stored and
 * computed. */
#include "db/ratings.h"

#include <string.h>

#include "api/documents.h"
#include "api/handlers.h"
#include "api/rating_documents.h"

static json_t *change_document(const struct rating_change *change)
{
    json_t *document =
        json_pack("{s:s, s:I, s:o, s:i, s:o, s:o}", "scope", change->scope, "number",
                  (json_int_t)change->number, "at", time_json(change->at_ms), "revision",
                  (int)change->revision, "before", rating_before_document(change), "after",
                  rating_after_document(change));
    rating_add_cause(document, change);
    return document;
}

/* A page goes on behind the change that its `after`, a game or event, made to this player. */
static bool find_change(struct call *call, const struct page *page, const struct id *player,
                        const char *scope, const struct rating_change **cursor)
{
    struct rating_change *changes;
    size_t count;
    *cursor = NULL;
    if (page->after.text[0] == '\0')
        return true;
    if (!call_found(call, rating_changes_of(call->db, call->arena, &page->after, &changes, &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (id_equal(&changes[i].player, player) && strcmp(changes[i].scope, scope) == 0)
            *cursor = &changes[i];
    return *cursor != NULL ||
           call_problem(call, "bad-parameter", "after is not the `next` of a page.");
}

void players_rating_history(struct call *call)
{
    static const char *const further[] = {"scope", NULL};
    struct page page;
    struct player player;
    const struct rating_change *cursor;
    struct rating_change *changes;
    size_t count;
    struct rating_scope scope;
    if (!call_page(call, further, &page) || !rating_scope_read(call, false, &scope) ||
        !call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)) ||
        !find_change(call, &page, &player.id, scope.name, &cursor) ||
        !call_found(call, rating_history(call->db, call->arena, &player.id, scope.name, cursor,
                                         page.limit, &changes, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, change_document(&changes[i]));
    call_answer(
        call, 200,
        page_document(items, count == page.limit ? rating_cause(&changes[count - 1])->text : NULL));
}

void players_ratings(struct call *call)
{
    struct player player;
    struct rating_row *rows;
    size_t count;
    if (!call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)) ||
        !call_found(call, rating_of_player(call->db, call->arena, &player.id, &rows, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++) {
        unsigned periods;
        if (!rating_count_periods(call, rows[i].scope, &periods)) {
            json_decref(items);
            return;
        }
        json_array_append_new(items, rating_document(&rows[i], periods));
    }
    call_answer_tagged(call, page_document(items, NULL));
}
