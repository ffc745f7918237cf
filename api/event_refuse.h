/* Refusals of the pure functions of engine/tournament/ as problems. */
#ifndef TILLROLL_API_EVENT_REFUSE_H
#define TILLROLL_API_EVENT_REFUSE_H

#include "api/call.h"

/* Answers with the refusal's code and sentence where people can do something about it, else with
 * `unavailable` (memory) or `internal-error`. Returns false. */
bool event_refuse(struct call *call, const struct refusal *refusal);

#endif
