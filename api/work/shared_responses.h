/* Reading public data: one response for all callers, built once per change.
 *
 *      loop     a valid response is kept ───────────────────────────────> given     QUICK_DONE
 *               another request is building it ──> wait for that one                QUICK_LATER
 *               else ──> a worker builds it, for this request and all that wait     QUICK_NO
 *      worker   handler ──> shared answer ──> kept, unless a change came in the meantime
 *      loop     the worker is done ──> given to the requests that wait
 *
 * A waiting request never gets a response that may be older than itself: a response that was
 * overtaken by a change while it was built goes only to requests that waited before the build
 * began, and the others wait for the next one.
 *
 * A caller who must not be given the public response, such as a player of the game that it shows
 * (api/request/visibility.h), is answered separately by a worker.
 */
#ifndef TILLROLL_API_WORK_SHARED_RESPONSES_H
#define TILLROLL_API_WORK_SHARED_RESPONSES_H

#include "api/request/route.h"
#include "api/state/cache_uses.h"
#include "api/state/change_bus.h"
#include "api/state/response_cache.h"

struct shared_responses;

/* Creates the cache, of `bytes_max` bytes; with 0 nothing is shared. While `bus` is not complete,
 * no response that could change is shared. */
struct shared_responses *shared_responses_new(size_t bytes_max, const struct change_bus *bus);

/* To be called when no request is under way. NULL is allowed. */
void shared_responses_free(struct shared_responses *reads);

/* True if responses may be given from memory now. */
bool shared_responses_are_on(const struct shared_responses *reads);

/* Report that a game (its record), an event (the event, its games as lists show them, its
 * standings, ratings), or anything has changed, and that the change is visible to other
 * transactions. Any thread. */
void shared_responses_game_changed(struct shared_responses *reads, const struct id *game);
void shared_responses_event_changed(struct shared_responses *reads, const struct id *event);
void shared_responses_all_changed(struct shared_responses *reads);

/* The number of requests since the start for responses of this kind that were found (kept, or being
 * built for another request), or missed. Any thread. */
struct cache_uses shared_responses_uses(const struct shared_responses *reads,
                                        enum route_share share);

/* The size of the cache. Any thread. */
struct response_cache_counts shared_responses_counts(const struct shared_responses *reads);

/* Tries to answer a request to a route with shared responses. Loop thread. */
enum http_quick shared_responses_quick(struct call *call, const struct route *route,
                                       struct http_pending *pending);

/* Reads the clock before a worker begins; see shared_responses_keep(). Any thread. */
uint64_t shared_responses_clock(struct shared_responses *reads);

/* The valid response that is kept for a request to this route without sign-in, NULL if there is
 * none; the caller drops it. Any thread. */
struct shared_answer *shared_responses_find(struct shared_responses *reads,
                                            const struct route *route,
                                            const struct http_request *request);

/* Turns a handler's response into a shared one, and keeps it, if that is possible. `clock` was read
 * before the response's snapshot was taken. Any thread. */
void shared_responses_keep(struct call *call, const struct route *route, uint64_t clock);

/* To be called when a worker has finished this request, or there was no worker for it: answers the
 * requests that wait for it. Loop thread. */
void shared_responses_finish(struct shared_responses *reads, const struct http_request *request,
                             const struct http_response *response);

#endif
