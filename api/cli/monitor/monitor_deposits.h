/* Compares a finished game with the moves that its players left with witnesses
 * (engine/log/deposit.h). */
#ifndef TILLROLL_API_CLI_MONITOR_DEPOSITS_H
#define TILLROLL_API_CLI_MONITOR_DEPOSITS_H

#include "engine/log/trust_policy.h"
#include "engine/record/replay.h"

enum { MONITOR_PARTIES_MAX = TRUST_WITNESSES_MAX + TRUST_GROUPS_MAX };

/* Asks the witnesses of the policy that have an address, and reports on standard error those that
 * do not answer. These are marked in `away` and no longer asked: moves left with them are not
 * compared, and delay nothing. `sets` are those with which the record was replayed, and `replay` is
 * that of the valid record. True if a witness has a move that was left in time and is missing from
 * the record; the move is reported on standard error. */
bool monitor_deposits_dropped(const struct trust_policy *policy,
                              bool away[static MONITOR_PARTIES_MAX], struct span record,
                              const struct component_sets *sets, const struct replay *replay);

#endif
