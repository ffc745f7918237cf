/* Documents of an event that are stored beside the transparency log: its standings after each
 * round, its log and its final standings. Each function returns false with a problem. */
#ifndef TILLROLL_API_TABLES_TLOG_DOCUMENTS_H
#define TILLROLL_API_TABLES_TLOG_DOCUMENTS_H

#include "api/request/call.h"

/* Adds the standings after `round`, if there are any, when the next round begins. */
bool tlog_add_round_standings(struct call *call, const struct id *event, unsigned round);

/* Adds the log and the final standings of an event that has been closed, after the last line of its
 * log has been stored. */
bool tlog_add_closed_event(struct call *call, const struct id *event);

/* Adds the log of a cancelled event, which has no final standings. */
bool tlog_add_cancelled_event(struct call *call, const struct id *event);

#endif
