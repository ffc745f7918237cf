/* What leaves of the transparency log are about: of games and disputes what never changes. */
#ifndef TILLROLL_DB_TLOG_SUBJECTS_H
#define TILLROLL_DB_TLOG_SUBJECTS_H

#include "db/db.h"

struct tlog_game {
    struct id id;
    struct id event;       /* "" for none */
    unsigned round, table; /* 0 where it has none */
    const char *slug, *version;
};

/* Those of these games that there are, in order of their ids, in the arena. */
enum db_status tlog_games(struct db *db, struct arena *arena, const struct id *ids, size_t count,
                          struct tlog_game **games, size_t *found);

struct tlog_dispute {
    struct id id;
    struct id game;
};

/* The same of disputes. */
enum db_status tlog_disputes(struct db *db, struct arena *arena, const struct id *ids, size_t count,
                             struct tlog_dispute **disputes, size_t *found);

#endif
