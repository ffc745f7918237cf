/* Ties of an account to events and games: for a copy of its data, for deciding whether it can be
 * deleted, and for counting the games that wait for it.
 *
 * All lists are newest first, hold at most `limit`, and are in the arena. */
#ifndef TILLROLL_DB_STORE_PEOPLE_TIES_H
#define TILLROLL_DB_STORE_PEOPLE_TIES_H

#include "db/link/db.h"

/* An event in which a player is entered or holds an office. */
struct tie {
    struct id event;
    const char *event_name;
    const char *event_state; /* see event_state_name() */
    const char *as;          /* the entry's state (entry_state_name()), or `organizer`, `arbiter` */
    int64_t at_ms;           /* when the player entered; 0 for an office */
};

/* Lists the entries of a player. `open`: only those in events that are not over, in which the
 * player is still expected to play. */
enum db_status tie_entries(struct db *db, struct arena *arena, const struct id *player, bool open,
                           size_t limit, struct tie **ties, size_t *count);

/* Lists the offices of a player. `alone`: only in events, neither drafts nor over, that would have
 * no organizer without the player. */
enum db_status tie_offices(struct db *db, struct arena *arena, const struct id *player, bool alone,
                           size_t limit, struct tie **ties, size_t *count);

/* Lists the running games in which the player has a seat that is not forfeited. */
enum db_status tie_games(struct db *db, struct arena *arena, const struct id *player, size_t limit,
                         struct id **games, size_t *count);

#endif
