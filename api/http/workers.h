/* Worker threads for one loop thread.
 *
 * The loop adds pieces of work and hands them over; a worker takes the oldest and runs it; finished
 * pieces gather in a list, and an eventfd tells the loop that the list is no longer empty. A piece
 * belongs to the loop, except between workers_add() and workers_take_done(). The pieces are links
 * inside the caller's own structs, so nothing is allocated per piece.
 */
#ifndef TILLROLL_API_HTTP_WORKERS_H
#define TILLROLL_API_HTTP_WORKERS_H

#include <stdbool.h>

struct work {
    struct work *next;
};

/* Runs pieces of work, at least one, linked by `next`. Called on a worker thread; several at the
 * same time. */
typedef void work_function(struct work *first);

struct workers;

/* Creates up to `threads` (1 .. 64) threads, each of which takes waiting pieces together, but at
 * most `at_once` (at least 1); besides one piece for each thread, `queue_max` pieces may wait. One
 * thread starts now, the others when they are first needed; if the system then has none left, the
 * work waits for the existing ones. The threads take no signals. NULL if the system has no threads
 * or descriptors left. */
struct workers *workers_new(unsigned threads, unsigned at_once, unsigned queue_max,
                            work_function *function);

/* True if no more pieces than `spare` could be added, and from workers_stop() on. Loop thread. */
bool workers_full(struct workers *workers, unsigned spare);

/* The number of pieces that run or wait. Any thread. */
unsigned workers_open(struct workers *workers);

/* Adds a piece; not while workers_full(workers, 0). A worker begins it after the next hand-over.
 * Loop thread. */
void workers_add(struct workers *workers, struct work *work);

/* Hands all added pieces to the threads. Loop thread, once per turn. */
void workers_hand_over(struct workers *workers);

/* A descriptor that becomes readable when pieces are done. Owned by the workers. */
int workers_done_fd(const struct workers *workers);

/* Takes all pieces that were finished since the last call, linked by `next`; NULL for none. Loop
 * thread. */
struct work *workers_take_done(struct workers *workers);

/* Waits for running pieces and ends the threads. Pieces that still waited count as done without
 * having been run. Loop thread. */
void workers_stop(struct workers *workers);

/* After workers_stop(). */
void workers_free(struct workers *workers);

#endif
