/* Documents of an event that are kept beside the transparency log: its standings after each round,
 * its log and its final standings. All return false after they have answered with a problem.
 */
#ifndef TILLROLL_API_TABLES_TLOG_DOCUMENTS_H
#define TILLROLL_API_TABLES_TLOG_DOCUMENTS_H

#include "api/request/call.h"

/* The next round begins: the standings after `round`, where there are any, as a document that is
 * kept. */
bool tlog_add_round_standings(struct call *call, const struct id *event, unsigned round);

/* An event was closed, and its last step is logged: its log and final standings, as documents that
 * are kept. */
bool tlog_add_closed_event(struct call *call, const struct id *event);

/* An event was cancelled: its log alone, since nobody stands anywhere. */
bool tlog_add_cancelled_event(struct call *call, const struct id *event);

#endif
