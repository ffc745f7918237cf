/* Pages are files; into some of them, content is written (api/pages/page.h). All have scripts
 * that read /v1 like any client. */
#include "api/pages/handlers.h"
#include "api/request/limits.h"
#include "api/request/problem.h"
#include "api/request/route.h"
#include "api/state/files.h"

void page_answer_file(struct call *call, struct file *file)
{
    struct shared_answer *answer = file == NULL ? NULL : file_answer(file);
    if (file == NULL)
        call_problem(call, "not-found", "There is no page at this address.");
    else if (answer == NULL)
        call_problem(call, "unavailable", "The service is out of memory; try again soon.");
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
    page_answer_file(call, find_file(call));
}

enum http_quick page_file_quick(struct call *call, struct http_pending *pending)
{
    struct file *file = find_file(call);
    (void)pending;
    if (call->request->body.length > 0 || (file != NULL && !file_is_ready(file)))
        return QUICK_NO;
    if (call_within_limit(call, LIMIT_READ))
        page_answer_file(call, file);
    return QUICK_DONE;
}

void page_shell(struct call *call)
{
    page_answer_file(call, files_find(call->service->files, span_of(call->route->page)));
}
