#include "api/event_refuse.h"

#include <string.h>

#include "api/problem.h"
#include "engine/tournament/tournament.h"

bool event_refuse(struct call *call, const struct refusal *refusal)
{
    if (strcmp(refusal->code, TOURNAMENT_REFUSAL_MEMORY) == 0)
        return call_problem(call, "unavailable", refusal->message);
    return call_problem(call, problem_find(refusal->code)->code, refusal->message);
}
