/* Whom a player has met, and how it went. */
#ifndef TILLROLL_DB_OPPONENTS_H
#define TILLROLL_DB_OPPONENTS_H

#include "db/db.h"

struct opponent {
    struct id player;
    const char *name;
    struct id last_game;
    unsigned games, ahead, level, behind; /* of whose places one of them was better */
};

/* From the newest `games_most` games of a player, as far as their results count: those with whom he
 * sat most often first, at most `limit`. */
enum db_status opponent_list(struct db *db, struct arena *arena, const struct id *player,
                             size_t games_most, size_t limit, struct opponent **opponents,
                             size_t *count);

#endif
