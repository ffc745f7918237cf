/* The seats to be notified of their turn, and the time at which a clock is low; and the games from
 * which this is computed. */
#ifndef TILLROLL_API_NOTICES_TURNS_H
#define TILLROLL_API_NOTICES_TURNS_H

#include "api/state/game_cache.h"
#include "db/store/games/records.h"
#include "engine/record/replay.h"

/* The seats with a new turn, of which they have not been notified: bit s for seat s. `told` are the
 * seats that had been notified when row `seq` (db/store/games/records.h) was the last, and `rows`
 * are the `count` rows after it. A turn lasts while its seat makes several decisions in a row; in
 * simultaneous decisions, each seat has a new turn when all have decided. */
uint32_t turns_new(const struct replay *replay, uint32_t told, const struct record_row *rows,
                   size_t count);

/* The time left on a seat's clock at `now_ms` (since 1970); -1 if the clock does not run. */
int64_t turns_left_ms(const struct replay *replay, unsigned seat, int64_t now_ms);

/* The time at which a clock is low: a quarter of the bank, or of the time for a decision, and at
 * most 12 hours. 0 for games without clocks, and for those in which a quarter is less than ten
 * minutes, because their players stay at the table. */
int64_t turns_low_ms(const struct replay *replay);

/* Memory for turns_replay(). Aborts the program when out of memory. */
struct replay *turns_replay_new(void);

/* Also wipes the memory, which holds hidden parts of games. NULL is fine. */
void turns_replay_free(struct replay *replay);

/* The game as the transaction sees it, or newer: in `room`, or in the arena. NULL with the
 * result. */
const struct replay *turns_replay(struct game_cache *game_cache, const struct keys *keys,
                                  struct db *db, struct arena *arena, const struct id *game,
                                  struct replay *room, struct record_result *result);

#endif
