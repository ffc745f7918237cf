/* Who has to be told that it is their turn, and when a clock is running low; and the games that
 * this is read from. */
#ifndef TILLROLL_API_NOTICES_TURNS_H
#define TILLROLL_API_NOTICES_TURNS_H

#include "api/state/game_cache.h"
#include "db/store/games/records.h"
#include "engine/record/replay.h"

/* The seats that have come to a turn of which they have not been told: bit s for seat s. `told` are
 * those that had been told when row `seq` (db/store/games/records.h) was the last, and `rows` are
 * the `count` rows after it. A turn lasts while its seat makes several decisions in a row; where
 * several seats decide together, each has a new turn when all have decided. */
uint32_t turns_new(const struct replay *replay, uint32_t told, const struct record_row *rows,
                   size_t count);

/* How much is left on a seat's clock at `now_ms` (since 1970); -1 if it does not run. */
int64_t turns_left_ms(const struct replay *replay, unsigned seat, int64_t now_ms);

/* A clock with no more than this is low: a quarter of the bank, or of the time for a decision, and
 * at most 12 hours. 0 for games without clocks, and those in which a quarter is less than ten
 * minutes: their players sit there. */
int64_t turns_low_ms(const struct replay *replay);

/* Room for turns_replay(). Aborts the program when out of memory. */
struct replay *turns_replay_new(void);

/* Wipes it, too: it holds what is hidden in games. NULL is fine. */
void turns_replay_free(struct replay *replay);

/* The game as the transaction sees it, or newer: in `room`, or in the arena. NULL with the result.
 */
const struct replay *turns_replay(struct game_cache *game_cache, const struct keys *keys,
                                  struct db *db, struct arena *arena, const struct id *game,
                                  struct replay *room, struct record_result *result);

#endif
