#include "api/http.h"

const char *http_method_name(enum http_method method)
{
    static const char *const name[] = {
        [HTTP_GET] = "GET",     [HTTP_HEAD] = "HEAD",     [HTTP_POST] = "POST",
        [HTTP_PATCH] = "PATCH", [HTTP_DELETE] = "DELETE",
    };
    return name[method];
}

struct span http_parameter(const struct http_request *request, const char *name)
{
    for (size_t i = 0; i < request->parameters; i++)
        if (span_is(request->parameter[i].name, name))
            return request->parameter[i].value;
    return (struct span){NULL, 0};
}
