/* Metrics of the running service, for Prometheus: numbers and durations of requests, sizes of
 * caches, and waits for the database.
 *
 * They are counted where the work is done, without a lock (engine/base/counter.h), and gathered on
 * request: at /metrics, which only answers requests from the machine itself, or on an address of
 * their own (api/watch/metrics_listener.h).
 *
 * Privacy. Metrics are sums over the process: no sample names a game, an event, a player, a seat or
 * an address, nothing inside a game is counted (no plies, cards, legal or refused moves, sealed
 * bids), and the counts depend only on requests and their responses, so services that differ only
 * in hidden parts of games count the same (tests/api/request/noninterference.test.mjs). They still
 * reveal that something happened: if only one game is played, one more response to POST .../moves
 * is a move of that game, even a sealed one that is not announced, and a 422 is a refused move; and
 * they reveal how long responses took, which may depend on hidden parts of a position. So metrics
 * are for the operator, who sees the same data line by line in the log of requests, and for nobody
 * else: a published figure must cover many games.
 */
#ifndef TILLROLL_API_WATCH_METRICS_H
#define TILLROLL_API_WATCH_METRICS_H

#include "api/http/http.h"
#include "api/request/service.h"
#include "api/watch/exposition.h"

struct metrics;

/* Never NULL. */
struct metrics *metrics_new(void);

/* NULL is allowed. */
void metrics_free(struct metrics *metrics);

/* Counts an answered request (server_config.log). Loop thread. */
void metrics_count(struct metrics *metrics, const struct http_request *request,
                   const struct http_outcome *outcome);

/* Writes all metrics of the service, to which `service` points. Any thread; reads two files; does
 * not wait. */
void metrics_show(struct exposition *exposition, const void *service);

#endif
