/* Revisions: ratings that were made again after a correction, and what it made different. */
#include "db/rating_revisions.h"

#include "api/documents.h"
#include "api/handlers.h"
#include "api/rating_documents.h"

/* A page's `after` is a number here. */
static bool read_page(struct call *call, struct page *page, unsigned *after)
{
    static const char *const further[] = {"after", NULL};
    struct span given = http_parameter(call->request, "after");
    uint64_t number = 0;
    *after = 0;
    if (given.at != NULL && !span_number(given, INT32_MAX, &number))
        return call_problem(call, "bad-parameter",
                            "after is the `next` of the page before, a number.");
    *after = (unsigned)number;
    return call_page(call, further, page);
}

static json_t *numbered_page(json_t *items, bool more, unsigned last)
{
    return json_pack("{s:o, s:o}", "items", items, "next", more ? json_integer(last) : json_null());
}

static json_t *revision_document(const struct rating_revision *revision)
{
    json_t *by = revision->actor.text[0] == '\0'
                     ? json_null()
                     : player_reference(&revision->actor, revision->actor_name);
    return json_pack("{s:i, s:o, s:o, s:s, s:s, s:i}", "number", (int)revision->number, "at",
                     time_json(revision->at_ms), "by", by, "game", revision->game.text, "reason",
                     revision->reason, "changes", (int)revision->changes);
}

void rating_revisions_list(struct call *call)
{
    struct page page = {.limit = 0};
    struct rating_revision *revisions;
    size_t count;
    unsigned after = 0;
    if (!read_page(call, &page, &after) ||
        !call_found(call, rating_revision_list(call->db, call->arena, after, page.limit, &revisions,
                                               &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, revision_document(&revisions[i]));
    bool more = count == page.limit;
    call_answer_tagged(call, numbered_page(items, more, more ? revisions[count - 1].number : 0));
}

static json_t *values_document(const struct rating_change *change)
{
    if (change->none)
        return json_null();
    return json_pack("{s:o, s:o}", "before", rating_before_document(change), "after",
                     rating_after_document(change));
}

static json_t *correction_document(const struct rating_correction *correction)
{
    const struct rating_change *is = &correction->is;
    json_t *document = json_pack("{s:o, s:s, s:o, s:o, s:o}", "player",
                                 player_reference(&is->player, is->player_name), "scope", is->scope,
                                 "at", time_json(is->at_ms), "was",
                                 values_document(&correction->was), "is", values_document(is));
    rating_add_cause(document, is);
    return document;
}

void rating_revisions_get(struct call *call)
{
    struct page page = {.limit = 0};
    struct rating_revision revision;
    struct rating_correction *corrections;
    size_t count;
    unsigned after = 0;
    unsigned number = (unsigned)call->number[0];
    if (!read_page(call, &page, &after) ||
        !call_found(call, rating_revision_find(call->db, call->arena, number, &revision)) ||
        !call_found(call, rating_correction_list(call->db, call->arena, number, after, page.limit,
                                                 &corrections, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, correction_document(&corrections[i]));
    bool more = count == page.limit;
    json_t *document = revision_document(&revision);
    json_t *list = numbered_page(items, more, more ? corrections[count - 1].place : 0);
    json_object_update_missing(document, list);
    json_decref(list);
    call_answer_tagged(call, document);
}
