#include "api/request/preview.h"

bool preview_read(struct call *call, bool *preview)
{
    *preview = false;
    for (size_t i = 0; i < call->request->parameters; i++) {
        struct http_parameter parameter = call->request->parameter[i];
        bool yes = span_is(parameter.value, "true");
        if (!span_is(parameter.name, "preview") || (!yes && !span_is(parameter.value, "false")))
            return call_problem(call, "bad-parameter",
                                "This request takes preview=true or preview=false.");
        *preview = yes;
    }
    return true;
}
