/* Figures (those of the service: api/watch/metrics.h) on an address of their own: `GET /metrics`,
 * for any client that can reach it, and nothing else. A thread that answers one after another, so
 * that they can be read also while the service is too busy to answer anything, and never by way of
 * the proxy in front of it.
 */
#ifndef TILLROLL_API_WATCH_METRICS_LISTENER_H
#define TILLROLL_API_WATCH_METRICS_LISTENER_H

#include "api/watch/exposition.h"

struct metrics_listener;

/* What is shown; on the listener's thread. */
struct metrics_source {
    exposition_show *show;
    const void *context;
};

/* Listens at `address` (as listen_at()) and starts to answer. The source's context must stay until
 * metrics_listener_free(). NULL with a sentence in `error`. */
struct metrics_listener *metrics_listener_new(const struct metrics_source *source,
                                              const char *address, struct text *error);

/* The same for a program of the command line, which says on standard error where it listens or why
 * it does not. False if it does not; with `address` NULL it is not to, and *listener is NULL. */
bool metrics_listener_open(const struct metrics_source *source, const char *address,
                           struct metrics_listener **listener);

/* The port that is listened on. */
unsigned metrics_listener_port(const struct metrics_listener *listener);

/* Lets the answer that is under way end. NULL is fine. */
void metrics_listener_free(struct metrics_listener *listener);

#endif
