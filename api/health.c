#include "api/handlers.h"
#include "api/server.h"
#include "db/schema.h"

void health_get(struct call *call)
{
    call_answer(call, 200, json_pack("{s:s}", "status", "alive"));
}

/* That a read-only transaction could be begun is the first check. */
void ready_get(struct call *call)
{
    enum schema_fit fit;
    if (server_is_stopping(call->service->server)) {
        call_problem(call, "unavailable", "The service is about to stop.");
        return;
    }
    if (!call_found(call, schema_fits(call->db, &fit)))
        return;
    if (fit != SCHEMA_GOOD)
        call_problem(call, "unavailable", schema_advice(fit));
    else
        call_answer(call, 200, json_pack("{s:s}", "status", "ready"));
}
