#include "api/handlers.h"

void health_get(struct call *call)
{
    call_answer(call, 200, json_pack("{s:s}", "status", "alive"));
}

/* That a read-only transaction could be begun is the check. */
void ready_get(struct call *call)
{
    call_answer(call, 200, json_pack("{s:s}", "status", "ready"));
}
