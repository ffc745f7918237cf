/* Puzzles from finished games (engine/analysis/puzzle.h): each ruleset has one a day. */
#ifndef TILLROLL_DB_STORE_GAMES_DAILY_PUZZLES_H
#define TILLROLL_DB_STORE_GAMES_DAILY_PUZZLES_H

#include "db/link/db.h"

struct daily_puzzle {
    struct id game;
    unsigned seq, seat;
    const char *ruleset;
    const char *day;      /* `2026-11-28`, in UTC */
    const char *previous; /* the day of the puzzle before it; "" for none */
    const char *document; /* JSON, as `tillroll puzzles` prints it */
};

/* Adds a puzzle for the first day, from the day of `now_ms` on, after those that its ruleset has.
 * `day` and `previous` are not read. DB_NONE if this position is one already. */
enum db_status daily_puzzle_add(struct db *db, const struct daily_puzzle *puzzle, int64_t now_ms);

/* The ruleset's puzzle of `day`, or the last one before it. DB_NONE. */
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
