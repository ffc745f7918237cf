/* What has changed of an event, in one order that everybody sees the same: the lines of its log,
 * and what became of its games. The database itself adds to it (migration 0012), so nothing can be
 * forgotten, and a change's number stands for all that had happened until then.
 */
#ifndef TILLROLL_DB_STORE_EVENTS_EVENT_LOG_H
#define TILLROLL_DB_STORE_EVENTS_EVENT_LOG_H

#include "db/store/events/events.h"
#include "db/store/games/games.h"

enum event_change_kind {
    EVENT_CHANGE_LOG,          /* a line of the log */
    EVENT_CHANGE_GAME_STARTED, /* a game was started */
    EVENT_CHANGE_SEATS,        /* somebody is absent, is back, is out, or has taken a seat */
    EVENT_CHANGE_GAME_ENDED,   /* a game with a board was played to its end, or a game is void */
    EVENT_CHANGE_GAME_SCORED,  /* a game has its results */
    EVENT_CHANGE_STANDINGS,    /* the standings are not what they were */
    EVENT_CHANGE_DISPUTE,      /* a step in a dispute over one of its games */
    EVENT_CHANGE_RECORDING     /* somebody has begun to record a game at a real table */
};

struct event_change {
    unsigned seq; /* from 1, without gaps */
    enum event_change_kind kind;
    struct event_step step;      /* of EVENT_CHANGE_LOG, and of EVENT_CHANGE_DISPUTE without its
                                    detail */
    struct id dispute, disputed; /* of EVENT_CHANGE_DISPUTE: the dispute and its game */
    struct game_row *game;       /* of a game's: as it is now, but for its seats, which are as they
                                          were after this change; otherwise NULL */
};

/* The number of the newest change, 0 for none. */
enum db_status event_change_last(struct db *db, const struct id *event, unsigned *seq);

/* Changes with after < seq <= up_to, in order, at most `limit`. */
enum db_status event_change_list(struct db *db, struct arena *arena, const struct id *event,
                                 unsigned after, unsigned up_to, size_t limit,
                                 struct event_change **changes, size_t *count);

#endif
