/* Recomputing ratings: the rated games in their order, the values at the start of any part of it,
 * and revisions, which add changed values and keep the old ones.
 *
 * The current values are those of the newest revision of each change, so the next part of the order
 * starts from the part that has been recomputed. */
#ifndef TILLROLL_DB_STORE_PEOPLE_RATING_REVISIONS_H
#define TILLROLL_DB_STORE_PEOPLE_RATING_REVISIONS_H

#include "db/store/games/games.h"
#include "db/store/people/ratings.h"

/* ---- The order of games ---- */

struct rated_row {
    struct id game;           /* "" for a table */
    struct rated_table table; /* its id is "" for a game */
    int64_t number;           /* from 1 */
    int64_t at_ms;
    const char *slug;
    bool apart;     /* rated only on the list of house players */
    unsigned seats; /* 0: the results do not count */
    struct id player[GAME_ROW_SEATS];
    int32_t rank[GAME_ROW_SEATS];
};

/* Finds the number of a game or rated table. If it has not been rated, though its results count, it
 * becomes the last, `apart` as in struct rated_row. DB_NONE if there is nothing to rate. The caller
 * holds rating_lock(). */
enum db_status rated_game_place(struct db *db, const struct id *game, int64_t now_ms, bool apart,
                                int64_t *number);

/* Lists games from this number on, in order, with the ranks that count, at most `limit`, in the
 * arena. */
enum db_status rated_game_list(struct db *db, struct arena *arena, int64_t from, size_t limit,
                               struct rated_row **games, size_t *count);

/* Lists the current changes by the games and tables `first` .. `last`, in the arena. */
enum db_status rating_changes_between(struct db *db, struct arena *arena, int64_t first,
                                      int64_t last, struct rating_change **changes, size_t *count);

/* Fills in `count` rows whose player and scope are set: the values after the last change before
 * this number, with its number as `period`. `games` is 0 if there is none, else 1. */
enum db_status rating_values_before(struct db *db, int64_t number, struct rating_row *rows,
                                    size_t count);

/* ---- Storing ---- */

/* Adds changes with their `revision`; one with `none` states that the change no longer exists.
 * Their places in the revision's list continue from `place`, which has no meaning for revision 0.
 * DB_CONFLICT if one exists. */
enum db_status rating_changes_add(struct db *db, const struct rating_change *changes, size_t count,
                                  unsigned place);

/* Sets the current ratings of all players that this revision changes, from the current changes. */
enum db_status rating_settle_revision(struct db *db, unsigned revision);

/* Sets the current ratings of these players in this scope, from the current changes. */
enum db_status rating_settle(struct db *db, const char *scope, const struct id *players,
                             size_t count);

/* ---- Revisions ---- */

struct rating_revision {
    unsigned number; /* from 1 */
    int64_t at_ms;
    struct id actor; /* "" for none */
    const char *actor_name;
    struct id game;           /* the corrected game */
    struct rated_table table; /* or the corrected table; its id is "" for a game */
    const char *reason;
    unsigned changes;
};

/* Stores a revision under the next number; `game` may be a table's id. The caller holds
 * rating_lock(). */
enum db_status rating_revision_create(struct db *db, struct rating_revision *revision);

/* Finds a revision by its number, in the arena. DB_NONE. */
enum db_status rating_revision_find(struct db *db, struct arena *arena, unsigned number,
                                    struct rating_revision *revision);

/* Lists revisions, newest first, those before `before` (0 = from the newest), at most `limit`, in
 * the arena. */
enum db_status rating_revision_list(struct db *db, struct arena *arena, unsigned before,
                                    size_t limit, struct rating_revision **revisions,
                                    size_t *count);

/* A change before and after a revision; `none` if there was, or is, no such change. */
struct rating_correction {
    unsigned place; /* from 1 */
    struct rating_change was, is;
};

/* Lists the corrections of a revision after this place, in order, at most `limit`, in the arena. */
enum db_status rating_correction_list(struct db *db, struct arena *arena, unsigned revision,
                                      unsigned after, size_t limit,
                                      struct rating_correction **corrections, size_t *count);

#endif
