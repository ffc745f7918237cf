/* Something that is done again and again by a thread of its own. */
#ifndef TILLROLL_API_WORK_TICKER_H
#define TILLROLL_API_WORK_TICKER_H

#include <stdbool.h>

struct ticker;

typedef void ticker_work(struct ticker *ticker, void *context);

/* Calls `work` at once, and again `interval_ms` after it has returned. NULL if the system has no
 * threads left. */
struct ticker *ticker_new(unsigned interval_ms, ticker_work *work, void *context);

/* Calls `work` soon: at once if the ticker waits, or again right after what is being done. Any
 * thread. */
void ticker_wake(struct ticker *ticker);

/* Waits for what is being done; it is not called again. NULL is fine. */
void ticker_free(struct ticker *ticker);

/* True when ticker_free() waits: work that takes long should end then. */
bool ticker_is_ending(struct ticker *ticker);

/* The same of a `struct ticker *`, for functions that ask whether they are to stop. */
bool ticker_stops(void *ticker);

#endif
