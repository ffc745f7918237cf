/* What ties an account to events and games: for a copy of its data, for the question whether it can
 * be deleted, and for how many games wait for it.
 *
 * All lists are newest first and hold at most `limit`; they are in the arena.
 */
#ifndef TILLROLL_DB_STORE_PEOPLE_TIES_H
#define TILLROLL_DB_STORE_PEOPLE_TIES_H

#include "db/link/db.h"

/* An event that a player has entered, or has an office in. */
struct tie {
    struct id event;
    const char *event_name;
    const char *event_state; /* as event_state_name() gives it */
    const char *as;          /* the entry's state (entry_state_name()), or `organizer`, `arbiter` */
    int64_t at_ms;           /* when the player entered; 0 of an office */
};

/* Entries of a player. `open`: only those by which the player is still expected, in an event that
 * is not over. */
enum db_status tie_entries(struct db *db, struct arena *arena, const struct id *player, bool open,
                           size_t limit, struct tie **ties, size_t *count);

/* Offices of a player. `alone`: only of the events, neither drafts nor over, that would have no
 * organizer without the player. */
enum db_status tie_offices(struct db *db, struct arena *arena, const struct id *player, bool alone,
                           size_t limit, struct tie **ties, size_t *count);

/* The games that run in which the player has a seat, without those that the seat has forfeited. */
enum db_status tie_games(struct db *db, struct arena *arena, const struct id *player, size_t limit,
                         struct id **games, size_t *count);

#endif
