/* Pages are files; content is written into some of them (api/pages/page.h). All have scripts that
 * read /v1 like any client. */
#include "api/pages/handlers.h"
#include "api/request/limits.h"
#include "api/request/problem.h"
#include "api/request/route.h"
#include "api/state/files.h"

static void answer_file(struct call *call, struct file *file, bool versioned)
{
    struct shared_answer *answer = file == NULL ? NULL : file_answer(file, versioned);
    if (file == NULL)
        call_problem(call, "not-found", "There is no page at this address.");
    else if (answer == NULL)
        call_problem(call, "unavailable", "The service is out of memory; try again soon.");
    else
        shared_answer_give(answer, call->request, call->response);
}

void page_answer_file(struct call *call, struct file *file)
{
    answer_file(call, file, false);
}

/* Finds /static/<file> or /static/<folder>/<file>, or with a version:
 * /static/~<version>/<folder>/<file>. */
static struct file *find_file(struct call *call, bool *versioned)
{
    char bytes[FILE_NAME_MAX];
    struct text name = TEXT_OVER(bytes);
    struct files *files = call->service->files;
    struct span first = call->word[0];
    bool has_version = first.at[0] == FILE_VERSION_MARK;
    *versioned =
        has_version && files_have_version(files, (struct span){first.at + 1, first.length - 1});
    for (size_t i = has_version; i < call->words; i++) {
        text_add(&name, name.length == 0 ? "" : "/");
        text_add_span(&name, call->word[i]);
    }
    return name.overflow ? NULL : files_find(files, text_span(&name));
}

void page_file(struct call *call)
{
    bool versioned;
    struct file *file = find_file(call, &versioned);
    answer_file(call, file, versioned);
}

enum http_quick page_file_quick(struct call *call, struct http_pending *pending)
{
    bool versioned;
    struct file *file = find_file(call, &versioned);
    (void)pending;
    if (call->request->body.length > 0 || (file != NULL && !file_is_ready(file, versioned)))
        return QUICK_NO;
    if (call_within_limit(call, LIMIT_READ))
        answer_file(call, file, versioned);
    return QUICK_DONE;
}

void page_shell(struct call *call)
{
    page_answer_file(call, files_find(call->service->files, span_of(call->route->page)));
}
