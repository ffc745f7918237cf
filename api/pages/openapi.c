/* The API's description and its list of problems. */
#include "api/pages/handlers.h"
#include "api/request/problem.h"
#include "engine/base/embed.h"

EMBED_FILE(openapi_json, TILLROLL_OPENAPI);

void openapi_get(struct call *call)
{
    const size_t length = (size_t)(openapi_json_end - openapi_json);
    call_answer_body(call, "application/json", (struct span){(const char *)openapi_json, length});
}

void problems_list(struct call *call)
{
    json_t *items = json_array();
    for (size_t i = 0; problem_at(i) != NULL; i++)
        json_array_append_new(items,
                              json_pack("{s:s, s:i, s:s}", "code", problem_at(i)->code, "status",
                                        problem_at(i)->status, "title", problem_at(i)->title));
    call_answer_tagged(call, list_with_next(items, NULL));
}
