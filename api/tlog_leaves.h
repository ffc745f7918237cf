/* What is put into the transparency log (engine/tlog_leaf.h), in the transaction of the call that
 * makes it so. Each returns false with a problem.
 */
#ifndef TILLROLL_API_TLOG_LEAVES_H
#define TILLROLL_API_TLOG_LEAVES_H

#include "api/call.h"
#include "db/events.h"

/* A record was finished. */
bool tlog_add_record(struct call *call, struct span record);

/* A secret was committed to. */
bool tlog_add_commitment(struct call *call, struct span scope, const uint8_t commitment[static 32]);

/* An event was closed, and its last step is logged: its log and final standings, as documents that
 * are kept. */
bool tlog_add_closed_event(struct call *call, const struct id *event);

#endif
