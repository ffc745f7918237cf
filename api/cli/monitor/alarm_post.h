/* Delivers alarms of `tillroll monitor` to a webhook and to a mailbox.
 *
 * Each alarm waits in <directory>/unsent, durably, until the receiver has accepted it, even if that
 * is away for long or the monitor restarts. A failed delivery is repeated, each time after twice
 * the delay and at least every hour. If the monitor dies after a delivery and before storing that,
 * the alarm is delivered again with the same id (the header webhook-id, the Message-ID). Each way
 * has a thread of its own, so a target that hangs delays neither the monitor nor the other way. At
 * most ALARM_POST_WAITING_MAX alarms wait; further alarms are only printed. */
#ifndef TILLROLL_API_CLI_MONITOR_ALARM_POST_H
#define TILLROLL_API_CLI_MONITOR_ALARM_POST_H

#include <stdbool.h>
#include <stddef.h>

#include "api/cli/cli.h"

struct alarm_post;

enum { ALARM_POST_WAITING_MAX = 256 };

/* Reads the options of `tillroll monitor` about webhook and mail, and the waiting alarms in its
 * directory, which must exist; then starts delivering. Without those options nothing is delivered,
 * and waiting alarms go on waiting. `given` is borrowed for the lifetime of the result. NULL with a
 * message on standard error. Call it before other threads run. */
struct alarm_post *alarm_post_new(const struct cli_given *given);

/* Queues an alarm for delivery, unless the same one is waiting already. `kind` is its short name,
 * such as "fork", `sentence` describes the problem (at most 512 bytes), `origin` is the name of the
 * log; UTF-8 without control characters, all copied. When it returns, the alarm is on disk (or a
 * message on standard error says why not). One thread at a time. */
void alarm_post_add(struct alarm_post *post, const char *kind, const char *sentence,
                    const char *origin);

/* The number of waiting alarms. Any thread. */
size_t alarm_post_waiting(struct alarm_post *post);

/* True when each way has delivered its alarms, or has failed and waits for another attempt. Any
 * thread. */
bool alarm_post_settled(struct alarm_post *post);

/* Aborts deliveries under way, within about a second. Waiting alarms are kept. NULL is fine. */
void alarm_post_free(struct alarm_post *post);

#endif
