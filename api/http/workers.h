/* Threads that do work for one loop thread.
 *
 * The loop adds pieces of work and hands them over; a worker takes the oldest and runs it; what
 * is done gathers in a list, and an eventfd tells the loop that the list has begun to fill. A piece
 * belongs to the loop, except between workers_add() and workers_take_done(). The pieces are links
 * inside the caller's own structs, so nothing is allocated per piece.
 */
#ifndef TILLROLL_API_HTTP_WORKERS_H
#define TILLROLL_API_HTTP_WORKERS_H

#include <stdbool.h>

struct work {
    struct work *next;
};

/* Does pieces of work, linked by `next`, at least one. Called on a worker thread; several at the
 * same time. */
typedef void work_function(struct work *first);

struct workers;

/* Up to `threads` (1 .. 64) threads, each of which takes together what waits, but at most `at_once`
 * pieces (at least 1); `queue_max` pieces may be there beyond one for each thread. One begins now,
 * the others when they are needed first; where the system has none left then, the work waits for
 * those that there are. The threads take no signals. NULL if the system has no threads or
 * descriptors left. */
struct workers *workers_new(unsigned threads, unsigned at_once, unsigned queue_max,
                            work_function *function);

/* True while as many pieces are there as may be, less `spare`, and from workers_stop() on. Loop
 * thread. */
bool workers_full(struct workers *workers, unsigned spare);

/* How many pieces are run or wait to be. Any thread. */
unsigned workers_open(struct workers *workers);

/* Adds a piece; not while workers_full(workers, 0). It is begun after the next hand-over. Loop
 * thread. */
void workers_add(struct workers *workers, struct work *work);

/* Hands all added pieces to the threads. Loop thread, once per turn. */
void workers_hand_over(struct workers *workers);

/* Becomes readable when pieces are done. Owned by the workers. */
int workers_done_fd(const struct workers *workers);

/* All pieces that were done since the last call, linked by `next`; NULL for none. Loop thread. */
struct work *workers_take_done(struct workers *workers);

/* Waits for the pieces that are being run and ends the threads. Pieces that still waited count as
 * done without having been run. Loop thread. */
void workers_stop(struct workers *workers);

/* After workers_stop(). */
void workers_free(struct workers *workers);

#endif
