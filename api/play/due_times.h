/* Games and when each is due next, the earliest at hand: a heap that knows where each game is. Not
 * thread-safe: the owner locks it.
 */
#ifndef TILLROLL_API_PLAY_DUE_TIMES_H
#define TILLROLL_API_PLAY_DUE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "db/link/id.h"

struct due_times;

struct due_times *due_times_new(void);
void due_times_free(struct due_times *due);

/* Later than any time: the game is kept, but nothing is due. */
#define DUE_NEVER INT64_MAX

/* The game is due at `at_ms`; it is added if it is not there. */
void due_times_set(struct due_times *due, const struct id *game, int64_t at_ms);

/* The same for a game that is there. False if it is not. */
bool due_times_move(struct due_times *due, const struct id *game, int64_t at_ms);

/* Nothing if it is not there. */
void due_times_remove(struct due_times *due, const struct id *game);

/* When the game is due. False if it is not there. */
bool due_times_get(const struct due_times *due, const struct id *game, int64_t *at_ms);

/* The game that is due first, and when. False if there is none. */
bool due_times_first(const struct due_times *due, struct id *game, int64_t *at_ms);

#endif
