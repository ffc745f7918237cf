/* Pages are files, into which some have what they show written (api/page.h); all have scripts that
 * read /v1 like everybody. */
#include "api/handlers.h"
#include "api/problem.h"
#include "api/routes.h"
#include "engine/embed.h"

EMBED(openapi_json, "api/openapi.json");

static void answer_file(struct call *call, struct file *file)
{
    struct shared_answer *answer = file == NULL ? NULL : file_answer(file);
    if (file == NULL)
        call_problem(call, "not-found", "There is no page at this address.");
    else if (answer == NULL)
        call_problem(call, "unavailable", "There is no memory left for this; try again soon.");
    else
        shared_answer_give(answer, call->request, call->response);
}

/* /static/<file> or /static/<folder>/<file> */
static struct file *find_file(struct call *call)
{
    char bytes[FILE_NAME_MAX];
    struct text name = TEXT_OVER(bytes);
    for (size_t i = 0; i < call->words; i++) {
        text_add(&name, i == 0 ? "" : "/");
        text_add_span(&name, call->word[i]);
    }
    return name.overflow ? NULL : files_find(call->service->files, text_span(&name));
}

void page_file(struct call *call)
{
    answer_file(call, find_file(call));
}

enum http_quick page_file_quick(struct call *call, struct http_pending *pending)
{
    struct file *file = find_file(call);
    (void)pending;
    if (call->request->body.length > 0 || (file != NULL && !file_is_ready(file)))
        return QUICK_NO;
    if (call_within_limit(call, LIMIT_READ))
        answer_file(call, file);
    return QUICK_DONE;
}

void page_shell(struct call *call)
{
    answer_file(call, files_find(call->service->files, span_of(call->route->page)));
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
