/* Reading what everybody may see: one answer for all who ask, made once per change.
 *
 *      loop     the answer is kept and good ────────────────────────────> given     QUICK_DONE
 *               somebody else's request is making it ──> wait for that one          QUICK_LATER
 *               else ──> a worker makes it, for this request and all that wait      QUICK_NO
 *      worker   handler ──> shared answer ──> kept, unless a change came meanwhile
 *      loop     the worker is done ──> given to those that wait
 *
 * Who waits is never given what may be older than his request: an answer that was overtaken by a
 * change while it was made goes only to those that waited before its making began, and the others
 * wait for one more.
 *
 * A caller who may not be given the public answer, because he is a player of the game it shows
 * (api/sight.h), is answered by a worker of his own.
 */
#ifndef TILLROLL_API_SHARED_READS_H
#define TILLROLL_API_SHARED_READS_H

#include "api/answer_cache.h"
#include "api/cache_uses.h"
#include "api/changes.h"
#include "api/routes.h"

struct shared_reads;

/* With an answer cache of `bytes_max` bytes; with 0 nothing is shared. While `changes` are not
 * complete, nothing is that could change. */
struct shared_reads *shared_reads_new(size_t bytes_max, const struct changes *changes);

/* When no request is under way. NULL is fine. */
void shared_reads_free(struct shared_reads *reads);

/* True if answers may be given from memory now. */
bool shared_reads_are_on(const struct shared_reads *reads);

/* Something of a game (its record), of an event (the event, its games as lists show them, its
 * standings, ratings), or anything has changed and can be read. Any thread. */
void shared_reads_game_changed(struct shared_reads *reads, const struct id *game);
void shared_reads_event_changed(struct shared_reads *reads, const struct id *event);
void shared_reads_all_changed(struct shared_reads *reads);

/* How often an answer of this kind was wanted, since the start, and was kept or being made for
 * somebody else, or was not. Any thread. */
struct cache_uses shared_reads_uses(const struct shared_reads *reads, enum route_share share);

/* What the answers take. Any thread. */
struct answer_cache_counts shared_reads_counts(const struct shared_reads *reads);

/* Tries to answer a request to a route whose answers are shared. Loop thread. */
enum http_quick shared_reads_quick(struct call *call, const struct route *route,
                                   struct http_pending *pending);

/* Reads the clock before a worker begins; see shared_reads_keep(). Any thread. */
uint64_t shared_reads_clock(struct shared_reads *reads);

/* The good answer that is kept for a request to this route by nobody who is signed in, NULL if
 * there is none; the caller drops it. Any thread. */
struct shared_answer *shared_reads_find(struct shared_reads *reads, const struct route *route,
                                        const struct http_request *request);

/* Makes a handler's answer one that is shared, and keeps it, if it can be. `clock` was read before
 * the answer's snapshot was taken. Any thread. */
void shared_reads_keep(struct call *call, const struct route *route, uint64_t clock);

/* A worker is done with this request, or there was no worker for it: answers those that wait for
 * it. Loop thread. */
void shared_reads_worked(struct shared_reads *reads, const struct http_request *request,
                         const struct http_response *response);

#endif
