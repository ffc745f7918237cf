/* Hands alarms of `tillroll monitor` to a webhook and to a mailbox.
 *
 * Each alarm waits in <directory>/unsent, durably, until the other side has taken it: also while
 * that is away, and across restarts. What is not taken is tried again, each time after twice the
 * delay and at least every hour. If the monitor dies after an alarm was taken and before that is
 * written down, the alarm comes once more with the same id (the header webhook-id, the Message-ID).
 * Each way has a thread of its own, so a target that hangs holds up neither the monitor nor the
 * other way. At most ALARM_POST_WAITING_MAX alarms wait; what comes then is only printed. */
#ifndef TILLROLL_API_CLI_MONITOR_ALARM_POST_H
#define TILLROLL_API_CLI_MONITOR_ALARM_POST_H

#include <stdbool.h>
#include <stddef.h>

#include "api/cli/commands.h"

struct alarm_post;

enum { ALARM_POST_WAITING_MAX = 256 };

/* Reads the options of `tillroll monitor` about webhook and mail, and what waits in its directory,
 * which must exist; then starts to hand over. Without those options nothing is handed over, and
 * what waits goes on waiting. `given` is borrowed for as long as the result lives. NULL with a
 * message on standard error. Call before other threads run. */
struct alarm_post *alarm_post_new(const struct cli_given *given);

/* Hands an alarm over, soon, unless the same one waits already. `kind` is its short name, such as
 * "fork", `sentence` what is wrong (at most 512 bytes), `origin` the name of the log; UTF-8 without
 * control characters, all copied. When it returns, the alarm is on disk (or the reason why not is
 * on standard error). One thread at a time. */
void alarm_post_add(struct alarm_post *post, const char *kind, const char *sentence,
                    const char *origin);

/* Alarms that wait. Any thread. */
size_t alarm_post_waiting(struct alarm_post *post);

/* True when each way has handed over what it had, or has failed and waits for another try. Any
 * thread. */
bool alarm_post_settled(struct alarm_post *post);

/* Gives up what is under way, within about a second. What waits is kept. NULL is fine. */
void alarm_post_free(struct alarm_post *post);

#endif
