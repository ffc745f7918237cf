/* Tickers: a thread that repeats a piece of work. */
#ifndef TILLROLL_API_WORK_TICKER_H
#define TILLROLL_API_WORK_TICKER_H

#include <stdbool.h>

struct ticker;

typedef void ticker_work(struct ticker *ticker, void *context);

/* Calls `work` at once, and again `interval_ms` after it has returned. NULL if the system has no
 * threads left. */
struct ticker *ticker_new(unsigned interval_ms, ticker_work *work, void *context);

/* Calls `work` soon: at once if the ticker is waiting, or right after the current call. Any
 * thread. */
void ticker_wake(struct ticker *ticker);

/* Waits for the current call; there will be no other. NULL is allowed. */
void ticker_free(struct ticker *ticker);

/* True while ticker_free() waits: long work should end then. */
bool ticker_is_ending(struct ticker *ticker);

/* The same with a `struct ticker *` as `void *`, for functions that take a callback to ask whether
 * they must stop. */
bool ticker_stops(void *ticker);

#endif
