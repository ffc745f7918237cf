/* Whether a finished game has the moves that its players left with witnesses
 * (engine/log/deposit.h). */
#ifndef TILLROLL_API_CLI_MONITOR_DEPOSITS_H
#define TILLROLL_API_CLI_MONITOR_DEPOSITS_H

#include "engine/log/trust_policy.h"
#include "engine/record/replay.h"

enum { MONITOR_PARTIES_MAX = TRUST_WITNESSES_MAX + TRUST_GROUPS_MAX };

/* Asks the witnesses of the policy that have an address, and says on standard error which do not
 * answer. Such a one is noted in `away`, and then no longer asked: what was left there is not
 * compared, and holds up nothing. `sets` are those that the record was replayed with, and `replay`
 * is that of the valid record. True if one has a move that was left in time, and the record lacks
 * it; which it was is said likewise. */
bool monitor_deposits_dropped(const struct trust_policy *policy,
                              bool away[static MONITOR_PARTIES_MAX], struct span record,
                              const struct component_sets *sets, const struct replay *replay);

#endif
