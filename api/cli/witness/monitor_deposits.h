/* Whether a finished game has the moves that its players left with witnesses
 * (engine/log/deposit.h). */
#ifndef TILLROLL_API_CLI_WITNESS_MONITOR_DEPOSITS_H
#define TILLROLL_API_CLI_WITNESS_MONITOR_DEPOSITS_H

#include "engine/log/trust_policy.h"
#include "engine/record/replay.h"

/* Asks the witnesses of the policy that have an address, and says on standard error which do not
 * answer: what was left there is then not compared. `replay` is that of the valid record. True if
 * one has a move that was left in time, and the record lacks it; which it was is said likewise. */
bool monitor_deposits_dropped(const struct trust_policy *policy, struct span record,
                              const struct replay *replay);

#endif
