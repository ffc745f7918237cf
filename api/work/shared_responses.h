/* Reading public data: one answer for all callers, made once per change.
 *
 *      loop     the answer is kept and good ────────────────────────────> given     QUICK_DONE
 *               somebody else's request is making it ──> wait for that one          QUICK_LATER
 *               else ──> a worker makes it, for this request and all that wait      QUICK_NO
 *      worker   handler ──> shared answer ──> kept, unless a change came meanwhile
 *      loop     the worker is done ──> given to those that wait
 *
 * A request that waits never gets an answer that may be older than itself: an answer that was
 * overtaken by a change while it was made goes only to requests that waited before it was begun,
 * and the others wait for the next one.
 *
 * A caller who may not be given the public answer, as a player of the game that it shows
 * (api/request/visibility.h), is answered separately by a worker.
 */
#ifndef TILLROLL_API_WORK_SHARED_RESPONSES_H
#define TILLROLL_API_WORK_SHARED_RESPONSES_H

#include "api/request/route.h"
#include "api/state/cache_uses.h"
#include "api/state/change_bus.h"
#include "api/state/response_cache.h"

struct shared_responses;

/* With an answer cache of `bytes_max` bytes; with 0 nothing is shared. While `changes` are not
 * complete, nothing that could change is shared. */
struct shared_responses *shared_responses_new(size_t bytes_max, const struct change_bus *bus);

/* When no request is under way. NULL is fine. */
void shared_responses_free(struct shared_responses *reads);

/* True if answers may be given from memory now. */
bool shared_responses_are_on(const struct shared_responses *reads);

/* Something of a game (its record), of an event (the event, its games as lists show them, its
 * standings, ratings), or anything has changed and can be read. Any thread. */
void shared_responses_game_changed(struct shared_responses *reads, const struct id *game);
void shared_responses_event_changed(struct shared_responses *reads, const struct id *event);
void shared_responses_all_changed(struct shared_responses *reads);

/* How often, since the start, an answer of this kind was requested and found (kept, or being made
 * for another request), or missed. Any thread. */
struct cache_uses shared_responses_uses(const struct shared_responses *reads,
                                        enum route_share share);

/* The size of the cache. Any thread. */
struct response_cache_counts shared_responses_counts(const struct shared_responses *reads);

/* Tries to answer a request to a route whose answers are shared. Loop thread. */
enum http_quick shared_responses_quick(struct call *call, const struct route *route,
                                       struct http_pending *pending);

/* Reads the clock before a worker begins; see shared_responses_keep(). Any thread. */
uint64_t shared_responses_clock(struct shared_responses *reads);

/* The valid answer that is kept for a request to this route without sign-in, NULL if there is none;
 * the caller drops it. Any thread. */
struct shared_answer *shared_responses_find(struct shared_responses *reads,
                                            const struct route *route,
                                            const struct http_request *request);

/* Turns a handler's answer into a shared one, and keeps it, if that is possible. `clock` was read
 * before the answer's snapshot was taken. Any thread. */
void shared_responses_keep(struct call *call, const struct route *route, uint64_t clock);

/* A worker is done with this request, or there was no worker for it: answers those that wait for
 * it. Loop thread. */
void shared_responses_worked(struct shared_responses *reads, const struct http_request *request,
                             const struct http_response *response);

#endif
