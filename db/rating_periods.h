/* The rating periods of Glicko-2: the closed events of a ruleset with games of two seats, in the
 * order in which they were closed. Their changes are stored as those of games are
 * (db/rating_revisions.h). */
#ifndef TILLROLL_DB_RATING_PERIODS_H
#define TILLROLL_DB_RATING_PERIODS_H

#include "db/db.h"

struct rating_period {
    const char *slug;
    unsigned number; /* from 1 in this ruleset */
    struct id event;
    int64_t at_ms;
};

/* Makes an event, `slug` and `event` of the period, the ruleset's last: sets number and time, which
 * is `at_ms` or that of the one before, if that is later. DB_CONFLICT if it is one already. The
 * caller holds rating_lock(). */
enum db_status rating_period_create(struct db *db, struct rating_period *period);

/* DB_NONE if the event is no period. */
enum db_status rating_period_of(struct db *db, struct arena *arena, const struct id *event,
                                struct rating_period *period);

/* The period after this one of the same ruleset. DB_NONE. */
enum db_status rating_period_next(struct db *db, struct arena *arena,
                                  const struct rating_period *after, struct rating_period *period);

/* How many periods a ruleset has had. */
enum db_status rating_period_count(struct db *db, const char *slug, unsigned *count);

/* A game of two with the ranks that count. */
struct game_of_two {
    struct id game;
    struct id player[2];
    unsigned rank[2];
};

/* Those of an event, by id. */
enum db_status game_of_two_list(struct db *db, struct arena *arena, const struct id *event,
                                struct game_of_two **games, size_t *count);

#endif
