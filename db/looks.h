/* Who has looked at everything in a running game, and why. Rows are only added; whoever adds one
 * holds the game's lock (game_lock()).
 */
#ifndef TILLROLL_DB_LOOKS_H
#define TILLROLL_DB_LOOKS_H

#include "db/db.h"

enum { LOOKS_MAX = 100 }; /* of one game */

struct look {
    struct id player;
    const char *player_name;
    int64_t at_ms;
    unsigned seq; /* of the last entry that the record had */
    const char *reason;
};

/* DB_CONFLICT if there are LOOKS_MAX already. */
enum db_status look_add(struct db *db, const struct id *game, const struct look *look);

/* In the order in which they were taken. */
enum db_status look_list(struct db *db, struct arena *arena, const struct id *game,
                         struct look **looks, size_t *count);

#endif
