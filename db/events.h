/* Events, their entries and their log. */
#ifndef TILLROLL_DB_EVENTS_H
#define TILLROLL_DB_EVENTS_H

#include "db/db.h"

/* draft -> entries_open -> entries_closed -> running -> closed */
enum event_state {
    EVENT_DRAFT,
    EVENT_ENTRIES_OPEN,
    EVENT_ENTRIES_CLOSED,
    EVENT_RUNNING,
    EVENT_CLOSED
};

/* The state's name as it stands in the database and the API: `entries_open`. */
const char *event_state_name(enum event_state state);

struct event {
    struct id id;
    const char *name;
    const char *slug;    /* of the ruleset */
    const char *version; /* of the ruleset */
    const char *options; /* JSON object: option name to value name, every option of the game */
    enum event_state state;
    unsigned seats_min, seats_max, seats_preferred;
    unsigned rounds;         /* planned */
    unsigned rounds_started; /* highest round number, 0 before the first */
    unsigned entries;        /* not dropped */
    const char *profile;     /* of the pairing: `strict`, `balanced`, `power` */
    const char *format;      /* `pod_swiss`, `duplicate` */
    unsigned boards;         /* of a duplicate round; 0 in other events */
    const char *scoring;     /* of a duplicate event: `matchpoints`, `total` */
    const char *play;        /* of a duplicate event: `asynchronous`, `barometer` */
    struct id organizer;
    const char *organizer_name;
    uint8_t commitment[32]; /* to the event's secret, from which pairings are drawn */
    int64_t created_at_ms;
};

/* `sealed` is the event's secret, sealed by the caller. Also makes the organizer's role. */
enum db_status event_create(struct db *db, const struct event *event, const uint8_t *sealed,
                            size_t sealed_size);

/* `lock`: keeps others from changing the event until the end of the transaction. DB_NONE. */
enum db_status event_find(struct db *db, struct arena *arena, const struct id *id, bool lock,
                          struct event *event);

/* Newest first, those older than `before` ("" = from the newest), at most `limit`. */
enum db_status event_list(struct db *db, struct arena *arena, const struct id *before, size_t limit,
                          struct event **events, size_t *count);

/* The sealed secret, in the arena. DB_NONE. */
enum db_status event_secret(struct db *db, struct arena *arena, const struct id *id,
                            const uint8_t **sealed, size_t *size);

/* DB_CONFLICT if the event is not in state `from`. */
enum db_status event_set_state(struct db *db, const struct id *id, enum event_state from,
                               enum event_state to);

/* DB_OK if `player` is an organizer of the event, else DB_NONE. */
enum db_status event_organizer(struct db *db, const struct id *event, const struct id *player);

/* The event's log is append-only: every step, by whom and when. `detail` is a JSON object. */
struct event_step {
    unsigned seq; /* from 1 */
    int64_t at_ms;
    struct id actor;
    const char *actor_name;
    const char *kind;
    const char *detail;
};

/* The caller holds the event's lock (event_find), so that steps are numbered without gaps. */
enum db_status event_log_add(struct db *db, const struct id *event, const struct id *actor,
                             int64_t now_ms, const char *kind, const char *detail);
enum db_status event_log_list(struct db *db, struct arena *arena, const struct id *event,
                              unsigned after, size_t limit, struct event_step **steps,
                              size_t *count);

struct event_entry {
    struct id player;
    const char *player_name;
    unsigned number; /* tournament pairing number, from 1; 0 until entries are closed */
    bool dropped;
    unsigned dropped_after; /* last round that the player was part of, when dropped */
    int64_t entered_at_ms;
};

/* DB_CONFLICT if the player has entered already. */
enum db_status entry_create(struct db *db, const struct id *event, const struct id *player,
                            int64_t now_ms);

/* Removes an entry while entries are open. DB_NONE. */
enum db_status entry_delete(struct db *db, const struct id *event, const struct id *player);

/* Drops a player from the coming rounds. DB_NONE if not entered or dropped before. */
enum db_status entry_drop(struct db *db, const struct id *event, const struct id *player,
                          unsigned after_round);

/* Gives the numbers 1, 2, .. in the order of entering (time, then player id). */
enum db_status entry_number_all(struct db *db, const struct id *event);

/* By number, then by time of entering. */
enum db_status entry_list(struct db *db, struct arena *arena, const struct id *event,
                          struct event_entry **entries, size_t *count);

#endif
