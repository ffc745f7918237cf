/* Seasons: their settings, their events, and their log. */
#ifndef TILLROLL_DB_STORE_EVENTS_SEASONS_H
#define TILLROLL_DB_STORE_EVENTS_SEASONS_H

#include "db/store/events/events.h"

struct stored_season {
    struct id id;
    const char *name;
    const char *method;      /* `points`, `percentile` */
    unsigned counted;        /* number of best results that count */
    unsigned least_entrants; /* an event with fewer entries does not count */
    const char *weighting;   /* `equal`, `field` */
    bool closed;
    struct id organizer;
    const char *organizer_name;
    int64_t created_at_ms;
    unsigned events; /* number of events that count */
};

/* Stores a new season. DB_CONFLICT if there is one with this id. */
enum db_status season_create(struct db *db, const struct stored_season *season);

/* Finds a season by its id, in the arena. `lock` prevents other transactions from changing the
 * season until the end of this one. DB_NONE. */
enum db_status season_find(struct db *db, struct arena *arena, const struct id *id, bool lock,
                           struct stored_season *season);

/* Lists seasons, newest first, those older than `before` ("" = from the newest), at most `limit`,
 * in the arena. `event`: only seasons for which this event counts; NULL: all. */
enum db_status season_list(struct db *db, struct arena *arena, const struct id *event,
                           const struct id *before, size_t limit, struct stored_season **seasons,
                           size_t *count);

/* Closes a season. DB_CONFLICT if it is closed. */
enum db_status season_close(struct db *db, const struct id *id);

/* ---- Events ---- */

struct season_event_row {
    struct id event;
    const char *name;
    const char *slug;
    const char *version;
    const char *state;
    bool invited;         /* by the season's organizer */
    bool offered;         /* by one of the event's; both: the event counts */
    int64_t closed_at_ms; /* 0 = not closed */
};

/* Lists all proposed events, in the arena: closed ones in the order of their closing, then the
 * others in the order of their ids. */
enum db_status season_event_list(struct db *db, struct arena *arena, const struct id *season,
                                 struct season_event_row **events, size_t *count);

/* Counts the unanswered offers of events that the person of `player` organizes
 * (db/store/games/parties.h). */
enum db_status season_offers_of(struct db *db, const struct id *season, const struct id *player,
                                unsigned *count);

/* Adds proposals to the stored ones. The caller holds the season's lock. */
enum db_status season_event_ask(struct db *db, const struct id *season, const struct id *event,
                                bool invite, bool offer);

/* Removes all proposals of an event; they remain in the season's log. The caller holds the season's
 * lock. DB_NONE if there is none. */
enum db_status season_event_remove(struct db *db, const struct id *season, const struct id *event);

/* Reads the strengths (mu, in millionths) with which `count` players began an event of a ruleset:
 * before their first rated game in it, or else the current ones; 0 for players without a rating. */
enum db_status season_field(struct db *db, const struct id *event, const char *slug,
                            const struct id *players, size_t count, int64_t *mu);

/* ---- The log: append-only, like that of events ---- */

/* Adds a step. The caller holds the season's lock, so that steps are numbered without gaps. */
enum db_status season_log_add(struct db *db, const struct id *season, const struct id *actor,
                              int64_t now_ms, const char *kind, const char *detail);

/* Lists the steps after number `after`, oldest first, at most `limit`, in the arena. */
enum db_status season_log_list(struct db *db, struct arena *arena, const struct id *season,
                               unsigned after, size_t limit, struct event_step **steps,
                               size_t *count);

#endif
