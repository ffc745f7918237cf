/* Events: their logs, which define them, and the columns of events, entries and roles that let
 * lists do without the logs (byes and rounds: db/store/events/rounds.h). Only
 * api/event/event_load.h writes these columns, in the same transaction as the line that they follow
 * from. */
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

/* The state's name in the database and the API, for example `entries_open`. */
const char *event_state_name(enum event_state state);

struct event {
    struct id id;
    const char *name;
    const char *slug;     /* of the ruleset */
    const char *version;  /* of the ruleset */
    const char *format;   /* of the first stage, for example `pod_swiss`
                             (engine/tournament/event/settings.h) */
    const char *settings; /* JSON object as written by settings_write() */
    enum event_state state;
    bool cancelled;          /* closed before any game was played; not read by event_create() */
    unsigned rounds_started; /* highest round number, 0 before the first */
    unsigned entries;        /* accepted and not dropped */
    unsigned waiting;        /* entries waiting for a place */
    struct id organizer;     /* the player who created the event */
    const char *organizer_name;
    uint8_t commitment[32]; /* to the event's secret, from which pairings are drawn */
    int64_t created_at_ms;
    /* Copied from the settings, those of the first stage; 0 or "" if its format has none. */
    const char *options; /* JSON object: option name to value name, every option of the game */
    unsigned seats_min, seats_max, seats_preferred;
    unsigned rounds;     /* planned */
    const char *profile; /* of the pairing, for example `strict`, `balanced`, `power` */
    unsigned boards;     /* of a duplicate round */
    const char *scoring; /* a scheme's code; in duplicate events `matchpoints`, `total` */
    const char *play;    /* in duplicate events: `asynchronous`, `barometer` */
    /* The signing key of the service on which an imported event was played, 32 bytes, and the time
     * of the import; NULL and 0 for events created here. Read only: db/store/events/imports.h
     * writes them. */
    const uint8_t *origin;
    int64_t imported_at_ms;
};

/* Stores an event before its first line; the members copied from the settings are not read.
 * `sealed` is the event's secret, sealed by the caller. Also gives the organizer the role. */
enum db_status event_create(struct db *db, const struct event *event, const uint8_t *sealed,
                            size_t sealed_size);

/* Finds an event by its id, in the arena. `lock` prevents other transactions from changing the
 * event until the end of this one. DB_NONE. */
enum db_status event_find(struct db *db, struct arena *arena, const struct id *id, bool lock,
                          struct event *event);

/* Lists events, newest first, those older than `before` ("" = from the newest), at most `limit`, in
 * the arena. */
enum db_status event_list(struct db *db, struct arena *arena, const struct id *before, size_t limit,
                          struct event **events, size_t *count);

/* Lists events in this state, like event_list(), among the 2,000 newest of those older than
 * `before`. */
enum db_status event_list_state(struct db *db, struct arena *arena, enum event_state state,
                                const struct id *before, size_t limit, struct event **events,
                                size_t *count);

/* Lists events that are not closed and in which the player is entered or holds an office, like
 * event_list(). */
enum db_status event_list_of_player(struct db *db, struct arena *arena, const struct id *player,
                                    const struct id *before, size_t limit, struct event **events,
                                    size_t *count);

/* Lists events that are not drafts and of which the player is an organizer, like event_list(). */
enum db_status event_list_organized(struct db *db, struct arena *arena, const struct id *player,
                                    const struct id *before, size_t limit, struct event **events,
                                    size_t *count);

/* Lists those of the 2,000 newest events whose name contains these words, ignoring case; newest
 * first, at most `limit`, in the arena. */
enum db_status event_search(struct db *db, struct arena *arena, const char *words, size_t limit,
                            struct event **events, size_t *count);

/* Stores the current name, ruleset, format, settings, state and `cancelled` of `event`. DB_NONE. */
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

/* Gives the player a role. DB_CONFLICT if the player has it already. */
enum db_status event_role_give(struct db *db, const struct id *event, const struct id *player,
                               const char *role);

/* Takes a role from the player. DB_NONE if the player does not have it. */
enum db_status event_role_take(struct db *db, const struct id *event, const struct id *player,
                               const char *role);

/* Lists an event's roles, organizers first, then by name, in the arena. */
enum db_status event_role_list(struct db *db, struct arena *arena, const struct id *event,
                               struct event_role **roles, size_t *count);

/* ---- The log ---- */

/* A line of an event's append-only log: a step, its actor and its time. `detail` is a JSON object.
 */
struct event_step {
    unsigned seq; /* from 1 */
    int64_t at_ms;
    struct id actor; /* "" for the service itself */
    const char *actor_name;
    const char *kind;
    const char *detail;
};

/* Adds a line. The caller holds the event's lock (event_find()), so that lines are numbered without
 * gaps. */
enum db_status event_log_add(struct db *db, const struct id *event, const struct id *actor,
                             int64_t now_ms, const char *kind, const char *detail);

/* A moment of an event: the state after line `line` and at the time `at_ms`. 0 stands for the
 * newest line and for any time. */
struct event_moment {
    unsigned line;
    int64_t at_ms;
};

/* Lists lines after line `after` up to a moment (NULL = now), in order, at most `limit`, in the
 * arena. */
enum db_status event_log_list(struct db *db, struct arena *arena, const struct id *event,
                              unsigned after, const struct event_moment *moment, size_t limit,
                              struct event_step **steps, size_t *count);

/* Reads the number of the newest line `restated` of an event, where reading begins; 1 if there is
 * none. */
enum db_status event_log_begin(struct db *db, const struct id *event, unsigned *line);

/* Reads one line, into the arena. DB_NONE. */
enum db_status event_log_find(struct db *db, struct arena *arena, const struct id *event,
                              unsigned line, struct event_step *step);

/* Reads the newest line, into the arena. DB_NONE. */
enum db_status event_log_last(struct db *db, struct arena *arena, const struct id *event,
                              struct event_step *step);

/* Reads the stored value of the log's chain after a line. DB_NONE. */
enum db_status event_log_hash(struct db *db, const struct id *event, unsigned line,
                              uint8_t hash[static 32]);

/* A line of any event's log with the stored value of the log's chain: h(0) is SHA-256("tillroll
 * event-log 1 <event>" LF), and each line continues it as in records. */
struct event_chained_step {
    struct id event;
    struct event_step step;
    uint8_t hash[32];
};

/* Lists lines of all events by event and number: those after line `after_line` of `after` ("" =
 * from the first), at most `limit`, in the arena. */
enum db_status event_log_chain(struct db *db, struct arena *arena, const struct id *after,
                               unsigned after_line, size_t limit, struct event_chained_step **steps,
                               size_t *count);

/* Lists the lines written by the player in the logs of events in which the player is entered or
 * holds an office; newest first, at most `limit`, in the arena. */
enum db_status event_log_of_player(struct db *db, struct arena *arena, const struct id *player,
                                   size_t limit, struct event_chained_step **steps, size_t *count);

/* ---- Entries ---- */

enum entry_state { ENTRY_ENTERED, ENTRY_WAITING, ENTRY_WITHDRAWN, ENTRY_NOT_THERE, ENTRY_DROPPED };

/* The state's name in the database and the API: `entered`, `waiting`, `withdrawn`, `not_there`,
 * `dropped`. */
const char *entry_state_name(enum entry_state state);

struct event_entry {
    struct id player;
    const char *player_name;
    unsigned number; /* tournament pairing number, from 1; 0 until entries are closed */
    enum entry_state state;
    bool checked_in;
    bool dropped;
    unsigned dropped_after; /* the last round with the player, if dropped */
    int64_t entered_at_ms;
};

/* Stores entries, replacing stored ones; the time of entering is replaced only by a later one. */
enum db_status entry_put(struct db *db, const struct id *event, const struct event_entry *entries,
                         size_t count);

/* Finds one player's entry, in the arena. DB_NONE. */
enum db_status entry_find(struct db *db, struct arena *arena, const struct id *event,
                          const struct id *player, struct event_entry *entry);

/* Lists an event's entries, by number, then by time of entering, in the arena. */
enum db_status entry_list(struct db *db, struct arena *arena, const struct id *event,
                          struct event_entry **entries, size_t *count);

/* ---- Timers ---- */

/* The time at which an event needs work that no request triggers. */

/* Sets the time at which the event is due; 0 = never. */
enum db_status deadline_set(struct db *db, const struct id *event, int64_t due_ms);

/* Finds the event that has been due the longest at `now_ms`. DB_NONE if there is none. Nothing is
 * locked: the caller locks the event and checks that the work is still due. */
enum db_status deadline_find(struct db *db, int64_t now_ms, struct id *event);

#endif
