/* Games and the time at which each is due next: a heap with the earliest first, and an index by
 * game. Not thread-safe: the owner locks it.
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

/* Sets the time at which the game is due, and adds the game if it is missing. */
void due_times_set(struct due_times *due, const struct id *game, int64_t at_ms);

/* Sets the time at which the game is due. False if the game is missing. */
bool due_times_move(struct due_times *due, const struct id *game, int64_t at_ms);

/* Does nothing if the game is missing. */
void due_times_remove(struct due_times *due, const struct id *game);

/* Reads the time at which the game is due. False if the game is missing. */
bool due_times_get(const struct due_times *due, const struct id *game, int64_t *at_ms);

/* Reads the game that is due first, and its time. False if there is none. */
bool due_times_first(const struct due_times *due, struct id *game, int64_t *at_ms);

#endif
