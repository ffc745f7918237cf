/* Pages are files; what they show comes from /v1 like everybody's data. */
#include "api/handlers.h"
#include "api/problem.h"
#include "engine/embed.h"

EMBED(openapi_json, "api/openapi.json");

static void answer_file(struct call *call, const char *name)
{
    const struct file *file = files_find(call->service->files, span_of(name));
    if (file == NULL) {
        call_problem(call, "not-found", "There is no page at this address.");
        return;
    }
    call->response->etag = file->etag;
    call->response->cache_control = "no-cache";
    call->response->status = call_client_has(call, file->etag) ? 304 : 200;
    call->response->content_type = file->content_type;
    call->response->body = file->bytes;
}

void page_file(struct call *call)
{
    answer_file(call, arena_copy(call->arena, call->word[0]));
}

void page_home(struct call *call)
{
    answer_file(call, "index.html");
}

void page_event(struct call *call)
{
    answer_file(call, "event.html");
}

void page_board(struct call *call)
{
    answer_file(call, "board.html");
}

void page_score_card(struct call *call)
{
    answer_file(call, "score-card.html");
}

void page_game(struct call *call)
{
    answer_file(call, "game.html");
}

void page_player(struct call *call)
{
    answer_file(call, "player.html");
}

void page_leaderboard(struct call *call)
{
    answer_file(call, "leaderboard.html");
}

void page_docs(struct call *call)
{
    answer_file(call, "docs.html");
}

void openapi_get(struct call *call)
{
    call->response->status = 200;
    call->response->content_type = "application/json";
    call->response->cache_control = "no-cache";
    call->response->body =
        (struct span){(const char *)openapi_json, (size_t)(openapi_json_end - openapi_json)};
}

void problems_list(struct call *call)
{
    json_t *items = json_array();
    for (size_t i = 0; problem_at(i) != NULL; i++)
        json_array_append_new(items,
                              json_pack("{s:s, s:i, s:s}", "code", problem_at(i)->code, "status",
                                        problem_at(i)->status, "title", problem_at(i)->title));
    call_answer(call, 200, page_document(items, NULL));
}
