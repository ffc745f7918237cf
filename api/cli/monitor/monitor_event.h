/* Compares the log of an event, as the service shows it, with the transparency log's leaves about
 * it. */
#ifndef TILLROLL_API_CLI_MONITOR_EVENT_H
#define TILLROLL_API_CLI_MONITOR_EVENT_H

#include "api/cli/client.h"
#include "api/cli/monitor/monitor_log.h"

enum monitor_event_finding {
    MONITOR_EVENT_SAME,
    MONITOR_EVENT_OTHER,       /* its lines do not lead to the leaf's hash */
    MONITOR_EVENT_MISSING,     /* the service does not show the event, or not that many lines */
    MONITOR_EVENT_UNCOMMITTED, /* there is no earlier leaf with the commitment to its secret */
    MONITOR_EVENT_SILENT       /* the service did not answer */
};

/* Fetches the lines of an event between the newest earlier leaf about it that `log` remembers and
 * this leaf, which is of TLOG_EVENT_STEP, and compares their chain with it. If there is no earlier
 * leaf, also looks for the commitment. */
enum monitor_event_finding monitor_event_compare(struct client *client,
                                                 const struct monitor_log *log,
                                                 const struct tlog_leaf *leaf);

#endif
