/* Pages are files; what they show comes from /v1 like everybody's data. */
#include "api/handlers.h"
#include "api/problem.h"
#include "engine/embed.h"

EMBED(openapi_json, "api/openapi.json");

static void answer_file(struct call *call, struct span name)
{
    const struct file *file = files_find(call->service->files, name);
    if (file == NULL)
        call_problem(call, "not-found", "There is no page at this address.");
    else
        shared_answer_give(file->answer, call->request, call->response);
}

/* /static/<file> or /static/<folder>/<file> */
void page_file(struct call *call)
{
    char bytes[FILE_NAME_MAX];
    struct text name = TEXT_OVER(bytes);
    for (size_t i = 0; i < call->words; i++) {
        text_add(&name, i == 0 ? "" : "/");
        text_add_span(&name, call->word[i]);
    }
    answer_file(call, name.overflow ? span_of("") : text_span(&name));
}

void page_home(struct call *call)
{
    answer_file(call, span_of("index.html"));
}

void page_event(struct call *call)
{
    answer_file(call, span_of("event.html"));
}

void page_new_event(struct call *call)
{
    answer_file(call, span_of("new-event.html"));
}

void page_manage(struct call *call)
{
    answer_file(call, span_of("manage.html"));
}

void page_disputes(struct call *call)
{
    answer_file(call, span_of("disputes.html"));
}

void page_dispute(struct call *call)
{
    answer_file(call, span_of("dispute.html"));
}

void page_board(struct call *call)
{
    answer_file(call, span_of("board.html"));
}

void page_score_card(struct call *call)
{
    answer_file(call, span_of("score-card.html"));
}

void page_game(struct call *call)
{
    answer_file(call, span_of("game.html"));
}

void page_player(struct call *call)
{
    answer_file(call, span_of("player.html"));
}

void page_season(struct call *call)
{
    answer_file(call, span_of("season.html"));
}

void page_leaderboard(struct call *call)
{
    answer_file(call, span_of("leaderboard.html"));
}

void page_docs(struct call *call)
{
    answer_file(call, span_of("docs.html"));
}

void page_login(struct call *call)
{
    answer_file(call, span_of("login.html"));
}

void openapi_get(struct call *call)
{
    call->response->content_type = "application/json";
    call->response->body =
        (struct span){(const char *)openapi_json, (size_t)(openapi_json_end - openapi_json)};
    call_tag(call, NULL);
}

void problems_list(struct call *call)
{
    json_t *items = json_array();
    for (size_t i = 0; problem_at(i) != NULL; i++)
        json_array_append_new(items,
                              json_pack("{s:s, s:i, s:s}", "code", problem_at(i)->code, "status",
                                        problem_at(i)->status, "title", problem_at(i)->title));
    call_answer_tagged(call, page_document(items, NULL));
}
