/* Figures of the running service, for Prometheus: how much is asked for, how long that takes, what
 * is kept in memory, what waits for the database.
 *
 * They are counted where the work is done, without a lock (engine/base/counter.h), and gathered
 * when somebody asks: at /metrics, which answers to the machine itself only, or on an address of
 * its own (api/watch/metrics_listener.h).
 *
 * What they can tell. They are sums over the process: no sample names a game, an event, a player, a
 * seat or an address, nothing of a game's inside is counted (no plies, cards, legal or refused
 * moves, sealed bids), and what is counted depends on requests and their answers only, so services
 * that differ in what a game hides count the same (tests/api/request/noninterference.test.mjs).
 * What is left is that something happened: where one game is played, one more answer to POST
 * .../moves is a move of that game, be it a sealed one that is not announced, and a 422 is a move
 * that was refused; and how long answers took, which may depend on what a position hides. This is
 * why they are for the operator, who sees the same line by line in the log of requests, and for
 * nobody else: a figure that is published must be of many games.
 */
#ifndef TILLROLL_API_WATCH_METRICS_H
#define TILLROLL_API_WATCH_METRICS_H

#include "api/http/http.h"
#include "api/request/service.h"
#include "api/watch/exposition.h"

struct metrics;

/* Never NULL. */
struct metrics *metrics_new(void);

/* NULL is fine. */
void metrics_free(struct metrics *metrics);

/* Counts an answered request (server_config.log). Loop thread. */
void metrics_count(struct metrics *metrics, const struct http_request *request,
                   const struct http_outcome *outcome);

/* Writes all figures of the service, which is `service`. Any thread; reads two files; does not
 * wait. */
void metrics_show(struct exposition *exposition, const void *service);

#endif
