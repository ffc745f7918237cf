/* Events: their log, which says what they are, and what else is stored of it so that lists need not
 * read it (columns of events, entries, roles; byes and rounds in db/store/events/rounds.h). Only
 * api/event/event_load.h writes those, with the line they follow from, in the same transaction. */
#ifndef TILLROLL_DB_STORE_EVENTS_EVENTS_H
#define TILLROLL_DB_STORE_EVENTS_EVENTS_H

#include "db/link/db.h"

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
    const char
        *format; /* of the first stage: `pod_swiss`, .. (engine/tournament/event/settings.h) */
    const char *settings; /* JSON object as settings_write() gives it */
    enum event_state state;
    bool cancelled;          /* closed before anything was played; not read by event_create() */
    unsigned rounds_started; /* highest round number, 0 before the first */
    unsigned entries;        /* accepted and not dropped */
    unsigned waiting;        /* for a place */
    struct id organizer;     /* who made it */
    const char *organizer_name;
    uint8_t commitment[32]; /* to the event's secret, from which pairings are drawn */
    int64_t created_at_ms;
    /* Out of the settings, those of the first stage; 0 or "" where its format has none. */
    const char *options; /* JSON object: option name to value name, every option of the game */
    unsigned seats_min, seats_max, seats_preferred;
    unsigned rounds;     /* planned */
    const char *profile; /* of the pairing: `strict`, `balanced`, `power` */
    unsigned boards;     /* of a duplicate round */
    const char *scoring; /* a scheme's code; of duplicate: `matchpoints`, `total` */
    const char *play;    /* of duplicate: `asynchronous`, `barometer` */
    /* The signing key of the service that it was played on, 32 bytes, and when it was imported;
     * NULL and 0 if it was made here. Read only: db/store/events/imports.h writes it. */
    const uint8_t *origin;
    int64_t imported_at_ms;
};

/* Stores what an event is before its first line; what is `out of the settings` is not read.
 * `sealed` is the event's secret, sealed by the caller. Also makes the organizer's role. */
enum db_status event_create(struct db *db, const struct event *event, const uint8_t *sealed,
                            size_t sealed_size);

/* `lock`: keeps others from changing the event until the end of the transaction. DB_NONE. */
enum db_status event_find(struct db *db, struct arena *arena, const struct id *id, bool lock,
                          struct event *event);

/* Newest first, those older than `before` ("" = from the newest), at most `limit`. */
enum db_status event_list(struct db *db, struct arena *arena, const struct id *before, size_t limit,
                          struct event **events, size_t *count);

/* The same of the 2,000 newest of them, those in this state. */
enum db_status event_list_state(struct db *db, struct arena *arena, enum event_state state,
                                const struct id *before, size_t limit, struct event **events,
                                size_t *count);

/* The same of those that are not closed and that the player has entered, or has an office in. */
enum db_status event_list_of_player(struct db *db, struct arena *arena, const struct id *player,
                                    const struct id *before, size_t limit, struct event **events,
                                    size_t *count);

/* The same of those that are no drafts and of which the player is an organizer. */
enum db_status event_list_organized(struct db *db, struct arena *arena, const struct id *player,
                                    const struct id *before, size_t limit, struct event **events,
                                    size_t *count);

/* Of the 2,000 newest, those whose name contains these words, in capitals or not; newest first, at
 * most `limit`. */
enum db_status event_search(struct db *db, struct arena *arena, const char *words, size_t limit,
                            struct event **events, size_t *count);

/* Stores name, ruleset, format, settings, state and `cancelled` as they are in `event` now.
 * DB_NONE. */
enum db_status event_update(struct db *db, const struct event *event);

/* ---- Roles ---- */

/* DB_OK if `player` is an organizer of the event, else DB_NONE. */
enum db_status event_organizer(struct db *db, const struct id *event, const struct id *player);

/* DB_OK if `player` is an organizer or an arbiter of the event, else DB_NONE. */
enum db_status event_official(struct db *db, const struct id *event, const struct id *player);

struct event_role {
    struct id player;
    const char *player_name;
    const char *role; /* `organizer`, `arbiter` */
};

/* DB_CONFLICT if the player has this role. */
enum db_status event_role_give(struct db *db, const struct id *event, const struct id *player,
                               const char *role);

/* DB_NONE if the player does not have this role. */
enum db_status event_role_take(struct db *db, const struct id *event, const struct id *player,
                               const char *role);

/* Organizers first, then by name. */
enum db_status event_role_list(struct db *db, struct arena *arena, const struct id *event,
                               struct event_role **roles, size_t *count);

/* ---- The log ---- */

/* The event's log is append-only: every step, by whom and when. `detail` is a JSON object. */
struct event_step {
    unsigned seq; /* from 1 */
    int64_t at_ms;
    struct id actor; /* "" for the service itself */
    const char *actor_name;
    const char *kind;
    const char *detail;
};

/* The caller holds the event's lock (event_find), so that steps are numbered without gaps. */
enum db_status event_log_add(struct db *db, const struct id *event, const struct id *actor,
                             int64_t now_ms, const char *kind, const char *detail);

/* A moment of an event: after line `line`, and not after `at_ms`. 0 stands for the newest line and
 * for any time. */
struct event_moment {
    unsigned line;
    int64_t at_ms;
};

/* Lines after line `after` up to a moment (NULL = now), in order, at most `limit`. */
enum db_status event_log_list(struct db *db, struct arena *arena, const struct id *event,
                              unsigned after, const struct event_moment *moment, size_t limit,
                              struct event_step **steps, size_t *count);

/* The number of the newest line `restated` of an event, with which reading begins; 1 if there is
 * none. */
enum db_status event_log_begin(struct db *db, const struct id *event, unsigned *line);

/* One line. DB_NONE. */
enum db_status event_log_find(struct db *db, struct arena *arena, const struct id *event,
                              unsigned line, struct event_step *step);

/* The newest line. DB_NONE. */
enum db_status event_log_last(struct db *db, struct arena *arena, const struct id *event,
                              struct event_step *step);

/* The value of the log's chain after a line, as it is stored. DB_NONE. */
enum db_status event_log_hash(struct db *db, const struct id *event, unsigned line,
                              uint8_t hash[static 32]);

/* A line of any event's log with the value that is stored of the log's chain: h(0) is
 * SHA-256("tillroll event-log 1 <event>" LF), and each line continues it as those of records do. */
struct event_chained_step {
    struct id event;
    struct event_step step;
    uint8_t hash[32];
};

/* Lines of all events by event and number: those after line `after_line` of `after` ("" = from the
 * first), at most `limit`. */
enum db_status event_log_chain(struct db *db, struct arena *arena, const struct id *after,
                               unsigned after_line, size_t limit, struct event_chained_step **steps,
                               size_t *count);

/* Lines that the player has written in the logs of events that they have entered or have an office
 * in; newest first, at most `limit`. */
enum db_status event_log_of_player(struct db *db, struct arena *arena, const struct id *player,
                                   size_t limit, struct event_chained_step **steps, size_t *count);

/* ---- Entries ---- */

enum entry_state { ENTRY_ENTERED, ENTRY_WAITING, ENTRY_WITHDRAWN, ENTRY_NOT_THERE, ENTRY_DROPPED };

/* As it is stored and shown: `entered`, `waiting`, `withdrawn`, `not_there`, `dropped`. */
const char *entry_state_name(enum entry_state state);

struct event_entry {
    struct id player;
    const char *player_name;
    unsigned number; /* tournament pairing number, from 1; 0 until entries are closed */
    enum entry_state state;
    bool checked_in;
    bool dropped;
    unsigned dropped_after; /* last round that the player was part of, when dropped */
    int64_t entered_at_ms;
};

/* Stores these entries as they are; those that are there are changed, but the time of entering only
 * where it is later. */
enum db_status entry_put(struct db *db, const struct id *event, const struct event_entry *entries,
                         size_t count);

/* One player's entry. DB_NONE. */
enum db_status entry_find(struct db *db, struct arena *arena, const struct id *event,
                          const struct id *player, struct event_entry *entry);

/* By number, then by time of entering. */
enum db_status entry_list(struct db *db, struct arena *arena, const struct id *event,
                          struct event_entry **entries, size_t *count);

/* ---- Timers ---- */

/* When an event needs work that no request triggers. */

/* The event is due at `due_ms`, 0 = never. */
enum db_status deadline_set(struct db *db, const struct id *event, int64_t due_ms);

/* The event that has been due the longest at `now_ms`. DB_NONE if there is none. Nothing is locked:
 * the caller locks the event and checks that the work is still due. */
enum db_status deadline_find(struct db *db, int64_t now_ms, struct id *event);

#endif
