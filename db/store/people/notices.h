/* Notices in the database: the players' settings; the causes, which are events that players are
 * notified of; and the notices to be sent, in the outbox. */
#ifndef TILLROLL_DB_STORE_PEOPLE_NOTICES_H
#define TILLROLL_DB_STORE_PEOPLE_NOTICES_H

#include "db/store/service/outbox.h"

/* Kinds of notices. */
#define NOTICE_YOUR_TURN    "your_turn"
#define NOTICE_CLOCK_LOW    "clock_low"
#define NOTICE_ROUND_PAIRED "round_paired" /* also the start of a game, or a seat taken over */
#define NOTICE_GAME_OVER    "game_over"
#define NOTICE_DISPUTE      "dispute" /* a step, a ruling, or a dispute that the player decides */
#define NOTICE_EVENT_OPENED "event_opened"
#define NOTICE_INVITATION   "invitation"
#define NOTICE_CHALLENGE    "challenge"

enum { NOTICE_KINDS = 8, NOTICE_CHANNELS = 3, NOTICE_TIMINGS = 3 };

/* All kinds, channels and timings, ending with NULL, in the order in which pages show them. Links
 * in mails identify kinds by their indexes here (api/notices/unsubscribe.h): new ones come last. */
extern const char *const notice_kinds[NOTICE_KINDS + 1];
extern const char *const notice_channels[NOTICE_CHANNELS + 1]; /* `mail`, `push`, `webhook` */
extern const char *const notice_timings[NOTICE_TIMINGS + 1];   /* `off`, `at_once`, `digest` */

/* ---- Settings ---- */

enum { NOTICE_ZONE_MAX = 64 /* bytes */ };

struct notice_settings {
    const char *language;     /* "en", "de"; NULL = that of the email address, otherwise English */
    const char *time_zone;    /* a name of the IANA database, for example `Europe/Berlin` */
    int quiet_from, quiet_to; /* minutes of the day, -1 = no quiet hours */
    unsigned digest_at;       /* minutes of the day */
    const char *timing[NOTICE_KINDS][NOTICE_CHANNELS]; /* in effect, whether chosen or a default */
    bool reaches[NOTICE_CHANNELS]; /* whether the channel has a target; not read by
                                      notice_settings_set() */
};

/* Reads a player's settings, in the arena; the defaults if nothing was chosen. */
enum db_status notice_settings_get(struct db *db, struct arena *arena, const struct id *player,
                                   struct notice_settings *settings);

/* Stores all settings. DB_CONFLICT if the server does not know the time zone. Notices waiting for
 * the player are checked again at once. */
enum db_status notice_settings_set(struct db *db, const struct id *player,
                                   const struct notice_settings *settings);

/* Turns one kind off for a channel, for the links in mails. `kind` NULL = all kinds. */
enum db_status notice_turn_off(struct db *db, const struct id *player, const char *kind,
                               const char *channel);

/* Deletes a player's settings, and the rows of following by and of the player. */
enum db_status notice_forget(struct db *db, const struct id *player);

/* Watches the player's running games from now on if turns or clocks are among the wanted notices.
 * To be called when a player may have got a new channel, or wants new notices. */
enum db_status notice_watch_player(struct db *db, const struct id *player);

/* ---- Followed organizers ---- */

enum { FOLLOWED_MAX = 200 /* by one player */ };

struct followed {
    struct id organizer;
    const char *name;
    int64_t since_ms;
};

/* Follows an organizer. DB_OK even if followed already; DB_NONE if there is no such player;
 * DB_CONFLICT if the player follows FOLLOWED_MAX. */
enum db_status follow_add(struct db *db, const struct id *player, const struct id *organizer);

/* Stops following an organizer. DB_NONE if the organizer was not followed. */
enum db_status follow_remove(struct db *db, const struct id *player, const struct id *organizer);

/* Lists the followed organizers by name, in the arena. */
enum db_status follow_list(struct db *db, struct arena *arena, const struct id *player,
                           struct followed **followed, size_t *count);

/* ---- Causes ---- */

enum { NOTICE_CAUSES_MOST = 200 /* taken together */, NOTICE_CAUSE_TRIES = 5 };

/* Locks the next causes, at most `limit`, until the end of the transaction, and lists them in the
 * arena. */
enum db_status notice_causes_take(struct db *db, struct arena *arena, size_t limit,
                                  int64_t **causes, size_t *count);

/* Turns causes into notices in the outbox, for each player and each of `channels` (ending with
 * NULL) for which the player wants them; watches games that begin, and stops watching those that
 * have ended; deletes the causes. */
enum db_status notice_causes_notify(struct db *db, const int64_t *causes, size_t count,
                                    const char *const *channels);

/* Counts a failure of notice_causes_notify(), in a transaction of its own; after NOTICE_CAUSE_TRIES
 * of them the cause is no longer taken. */
enum db_status notice_cause_failed(struct db *db, int64_t cause);

/* ---- Turns and clocks ---- */

struct notice_watch {
    struct id game;
    int seq;       /* the last row of the record that was examined, -1 = none */
    unsigned told; /* bit s: seat s has been notified of its current turn */
};

/* Kinds of work that may be waiting. */
struct notice_work {
    bool happened; /* there are causes */
    bool watched;  /* a game is watched */
    bool unseen;   /* a watched game was never examined */
    bool due;      /* one of the channels has notices to send */
};
enum db_status notice_work_get(struct db *db, const char *const *channels,
                               struct notice_work *work);

/* Locks those of `games` that are watched and not locked by another service, and lists them in the
 * arena. */
enum db_status notice_watch_take(struct db *db, struct arena *arena, const struct id *games,
                                 size_t count, struct notice_watch **watches, size_t *found);

/* Lists watched games whose records have rows that were not examined, at most `limit`, in the
 * arena: only games never examined, or, with `all`, all watched games, which reads a row of each.
 */
enum db_status notice_watch_behind(struct db *db, struct arena *arena, bool all, size_t limit,
                                   struct id **games, size_t *count);

/* Stores how far the games have been examined: `seq` is 0 or more. */
enum db_status notice_watch_store(struct db *db, const struct notice_watch *watches, size_t count);

/* Stops watching a game whose record is damaged. */
enum db_status notice_watch_end(struct db *db, const struct id *game);

/* A notice of a turn, or of a clock that will be low. */
struct notice_turn {
    const char *kind; /* NOTICE_YOUR_TURN, NOTICE_CLOCK_LOW */
    struct id game;
    struct id player;  /* whose turn or clock it is */
    const char *about; /* as in struct outbox_notice */
    int64_t in_ms;     /* the delay until it is to be sent */
};

/* Adds notices for those of these players who want them. A clock notice that no sender has taken
 * yet gets the new time instead.
 *
 * Of the notices due at once, the caller may take those of some channels, like
 * outbox_take_notices(): `lease_ms` has the duration for each of `channels` (ending with NULL), 0 =
 * it takes none. `*taken`: these, in the arena. */
enum db_status notice_turns_add(struct db *db, struct arena *arena, const struct notice_turn *turns,
                                size_t count, const char *const *channels, const unsigned *lease_ms,
                                struct outbox_notice **taken, size_t *taken_count);

/* ---- Notices that may have become untrue ---- */

/* Reads whether a challenge still awaits an answer: it has not been cancelled, accepted or decided.
 */
enum db_status notice_challenge_holds(struct db *db, const struct id *event,
                                      const struct id *challenger, const struct id *challenged,
                                      bool *holds);

/* Reads whether a dispute still awaits a decision that the player may take. */
enum db_status notice_office_holds(struct db *db, const struct id *dispute,
                                   const struct id *official, bool *holds);

/* ---- Names ---- */

/* The current names of a notice's subjects; NULL = there is none, or it no longer exists. */
struct notice_names {
    const char *player, *event, *by;
    const char *slug; /* of the ruleset of the game, the table or the event */
    const char *code; /* of the table in the lobby, while the player is invited to it */
};

/* A notice's subjects; all but `player` may be "". */
struct notice_subject {
    struct id player, event, game, table, by;
};

/* Reads the names for each of `subjects`, in the arena. */
enum db_status notice_names_get(struct db *db, struct arena *arena,
                                const struct notice_subject *subjects, size_t count,
                                struct notice_names **names);

#endif
