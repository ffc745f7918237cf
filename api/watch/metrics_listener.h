/* A listener for metrics (those of the service: api/watch/metrics.h) on an address of its own:
 * answers `GET /metrics` from any client that can reach it, and nothing else. One thread answers
 * requests one after another, so metrics can be read even while the service is too busy to answer,
 * and never through the proxy in front of it.
 */
#ifndef TILLROLL_API_WATCH_METRICS_LISTENER_H
#define TILLROLL_API_WATCH_METRICS_LISTENER_H

#include "api/watch/exposition.h"

struct metrics_listener;

/* The source of the page; called on the listener's thread. */
struct metrics_source {
    exposition_show *show;
    const void *context;
};

/* Listens on `address` (see listen_at()) and starts to answer. The source's context must stay until
 * metrics_listener_free(). NULL with a sentence in `error`. */
struct metrics_listener *metrics_listener_new(const struct metrics_source *source,
                                              const char *address, struct text *error);

/* The same for a command-line program: prints on standard error where it listens, or why it does
 * not. False if it does not; with `address` NULL it does not listen, returns true, and *listener is
 * NULL. */
bool metrics_listener_open(const struct metrics_source *source, const char *address,
                           struct metrics_listener **listener);

/* The port on which it listens. */
unsigned metrics_listener_port(const struct metrics_listener *listener);

/* Waits for the response that is being sent. NULL is allowed. */
void metrics_listener_free(struct metrics_listener *listener);

#endif
