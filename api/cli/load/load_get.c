/* Requests one page repeatedly. */
#include <string.h>

#include "api/cli/load/load_modes.h"

static void add_field(struct text *request, const char *name, const char *value)
{
    if (value == NULL)
        return;
    text_add_all(request, name, value, "\r\n");
}

bool load_get_init(struct load_get *get, const char *host, const char *path, const char *etag,
                   const char *token)
{
    struct text request = TEXT_OVER(get->request);
    get->wrong = 0;
    text_add_all(&request, "GET ", path, " HTTP/1.1\r\n");
    add_field(&request, "Host: ", host);
    add_field(&request, "If-None-Match: ", etag);
    add_field(&request, "Authorization: Bearer ", token);
    text_add(&request, "\r\n");
    get->length = request.length;
    return !request.overflow;
}

static bool ask(void *context, unsigned connection, struct text *request)
{
    const struct load_get *get = context;
    (void)connection;
    text_add_span(request, (struct span){get->request, get->length});
    return true;
}

static void answered(void *context, unsigned connection, const struct load_answer *answer)
{
    struct load_get *get = context;
    (void)connection;
    get->wrong += answer->status != 200 && answer->status != 304;
}

struct load_mode load_get_mode(struct load_get *get)
{
    return (struct load_mode){get, ask, answered};
}
