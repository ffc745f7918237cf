/* Daily puzzles from finished games (engine/analysis/puzzle.h): one a day for each ruleset. */
#ifndef TILLROLL_DB_STORE_GAMES_DAILY_PUZZLES_H
#define TILLROLL_DB_STORE_GAMES_DAILY_PUZZLES_H

#include "db/link/db.h"

struct daily_puzzle {
    struct id game;
    unsigned seq, seat;
    const char *ruleset;
    const char *day;      /* in UTC, for example `2026-11-28` */
    const char *previous; /* the day of the previous puzzle; "" for none */
    const char *document; /* JSON, as printed by `tillroll puzzles` */
};

/* Adds a puzzle for the first free day, from the day of `now_ms` on, after all puzzles of its
 * ruleset. `day` and `previous` are not read. DB_NONE if this position is a puzzle already. */
enum db_status daily_puzzle_add(struct db *db, const struct daily_puzzle *puzzle, int64_t now_ms);

/* Finds the ruleset's puzzle of `day`, or the last one before it, in the arena. DB_NONE. */
enum db_status daily_puzzle_find(struct db *db, struct arena *arena, const char *ruleset,
                                 const char *day, struct daily_puzzle *puzzle);

/* Whether the ruleset has a puzzle for the day (UTC) of `day_ms` or a later one: DB_OK or DB_NONE.
 */
enum db_status daily_puzzle_has(struct db *db, const char *ruleset, int64_t day_ms);

/* Among the `most` newest finished games of the ruleset, those with its `version` that are not void
 * and have no puzzle yet, in the arena. Not everybody may see all of them. */
enum db_status daily_puzzle_games(struct db *db, struct arena *arena, const char *ruleset,
                                  const char *version, size_t most, struct id **ids, size_t *count);

#endif
