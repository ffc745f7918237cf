/* Notices in the database: what players want to be told of, and how; what has happened; and what is
 * to be sent, in the outbox. */
#ifndef TILLROLL_DB_STORE_PEOPLE_NOTICES_H
#define TILLROLL_DB_STORE_PEOPLE_NOTICES_H

#include "db/store/service/outbox.h"

/* Kinds of notices. */
#define NOTICE_YOUR_TURN    "your_turn"
#define NOTICE_CLOCK_LOW    "clock_low"
#define NOTICE_ROUND_PAIRED "round_paired" /* or a game has started, or a seat was taken over */
#define NOTICE_GAME_OVER    "game_over"
#define NOTICE_DISPUTE      "dispute" /* a step of a dispute, or a ruling; or one to be decided */
#define NOTICE_EVENT_OPENED "event_opened"
#define NOTICE_INVITATION   "invitation"
#define NOTICE_CHALLENGE    "challenge"

enum { NOTICE_KINDS = 8, NOTICE_CHANNELS = 3, NOTICE_TIMINGS = 3 };

/* All of them, ending with NULL; in the order in which pages show them. Kinds are known by their
 * places in links of mails (api/notices/unsubscribe.h): new ones come last. */
extern const char *const notice_kinds[NOTICE_KINDS + 1];
extern const char *const notice_channels[NOTICE_CHANNELS + 1]; /* `mail`, `push`, `webhook` */
extern const char *const notice_timings[NOTICE_TIMINGS + 1];   /* `off`, `at_once`, `digest` */

/* ---- Wishes ---- */

enum { NOTICE_ZONE_MAX = 64 /* bytes */ };

struct notice_settings {
    const char *language;     /* "en", "de"; NULL = that of the email address, or else English */
    const char *time_zone;    /* a name of the IANA database: `Europe/Berlin` */
    int quiet_from, quiet_to; /* minutes of the day, -1 = no quiet hours */
    unsigned digest_at;       /* minutes of the day */
    const char *timing[NOTICE_KINDS][NOTICE_CHANNELS]; /* as it is, chosen or not */
    bool reaches[NOTICE_CHANNELS]; /* whether there is a way; not for notice_settings_set() */
};

/* A player's, in the arena: the defaults where nothing was chosen. */
enum db_status notice_settings_get(struct db *db, struct arena *arena, const struct id *player,
                                   struct notice_settings *settings);

/* Stores them all. DB_CONFLICT if the server does not know the time zone. What waits for the player
 * is looked at again at once. */
enum db_status notice_settings_set(struct db *db, const struct id *player,
                                   const struct notice_settings *settings);

/* Changes one choice: for the links in mails. `kind` NULL = all kinds. */
enum db_status notice_turn_off(struct db *db, const struct id *player, const char *kind,
                               const char *channel);

/* Deletes all that a player has chosen, and whom they follow, or who follows them. */
enum db_status notice_forget(struct db *db, const struct id *player);

/* To be called when a player may have a new way to be told, or wants to be: their running games are
 * watched from now on, if turns or clocks are among it. */
enum db_status notice_watch_player(struct db *db, const struct id *player);

/* ---- Followed organizers ---- */

enum { FOLLOWED_MAX = 200 /* by one player */ };

struct followed {
    struct id organizer;
    const char *name;
    int64_t since_ms;
};

/* DB_OK also if they are followed already; DB_NONE if there is no such player; DB_CONFLICT if
 * FOLLOWED_MAX are. */
enum db_status follow_add(struct db *db, const struct id *player, const struct id *organizer);

/* DB_NONE if they were not followed. */
enum db_status follow_remove(struct db *db, const struct id *player, const struct id *organizer);

/* By name, in the arena. */
enum db_status follow_list(struct db *db, struct arena *arena, const struct id *player,
                           struct followed **followed, size_t *count);

/* ---- What has happened ---- */

enum { NOTICE_CAUSES_MOST = 200 /* taken at once */, NOTICE_CAUSE_TRIES = 5 };

/* Locks the next causes, at most `limit`, until the end of the transaction; in the arena. */
enum db_status notice_causes_take(struct db *db, struct arena *arena, size_t limit,
                                  int64_t **causes, size_t *count);

/* Writes what players are told of because of these into the outbox, by those of `channels` (ending
 * with NULL) that they want it in; watches games that begin, and no longer those that are over;
 * deletes the causes. */
enum db_status notice_causes_tell(struct db *db, const int64_t *causes, size_t count,
                                  const char *const *channels);

/* In a transaction of its own, after the above has failed: after NOTICE_CAUSE_TRIES it is left
 * lying. */
enum db_status notice_cause_failed(struct db *db, int64_t cause);

/* ---- Turns and clocks ---- */

struct notice_watch {
    struct id game;
    int seq;       /* the last row of the record that was looked at, -1 = none */
    unsigned told; /* bit s: seat s has been told of its present turn */
};

/* Whether there is anything to do. */
struct notice_work {
    bool happened; /* something that nobody was told of */
    bool watched;  /* some game is watched */
    bool unseen;   /* of these, some game that was never looked at */
    bool due;      /* something is to be handed over by one of the channels */
};
enum db_status notice_work_get(struct db *db, const char *const *channels,
                               struct notice_work *work);

/* Locks those of `games` that are watched, and that nobody else looks at now. In the arena. */
enum db_status notice_watch_take(struct db *db, struct arena *arena, const struct id *games,
                                 size_t count, struct notice_watch **watches, size_t *found);

/* The watched games whose records have rows that nobody has looked at, at most `limit`; in the
 * arena. Of those that have never been looked at; or of `all`, for which a row of each watched game
 * is read. */
enum db_status notice_watch_behind(struct db *db, struct arena *arena, bool all, size_t limit,
                                   struct id **games, size_t *count);

/* How far the games have been looked at now: `seq` is 0 or more. */
enum db_status notice_watch_store(struct db *db, const struct notice_watch *watches, size_t count);

/* Nobody can look at this game: its record is damaged. */
enum db_status notice_watch_end(struct db *db, const struct id *game);

/* A turn, or a clock that will be low. */
struct notice_turn {
    const char *kind; /* NOTICE_YOUR_TURN, NOTICE_CLOCK_LOW */
    struct id game;
    struct id player;  /* whose it is */
    const char *about; /* as in struct outbox_notice */
    int64_t in_ms;     /* when it is to be sent, from now */
};

/* Adds them for those of these players who want it. A clock's that nobody has begun to send gets
 * this time instead of its own.
 *
 * Of those that can be sent at once, the caller may take those of some channels, as
 * outbox_take_notices() would: `lease_ms` has for each of `channels` (ending with NULL) for how
 * long, 0 = it takes none. `*taken`: these, in the arena. */
enum db_status notice_turns_add(struct db *db, struct arena *arena, const struct notice_turn *turns,
                                size_t count, const char *const *channels, const unsigned *lease_ms,
                                struct outbox_notice **taken, size_t *taken_count);

/* ---- What still holds ---- */

/* Whether a challenge is still to be answered: it has not been cancelled, accepted or decided. */
enum db_status notice_challenge_holds(struct db *db, const struct id *event,
                                      const struct id *challenger, const struct id *challenged,
                                      bool *holds);

/* Whether a dispute still waits for a decision, and the player is one of those who may take it. */
enum db_status notice_office_holds(struct db *db, const struct id *dispute,
                                   const struct id *official, bool *holds);

/* ---- Names ---- */

/* What a notice speaks of, as it is called now; NULL = there is none, or it is gone. */
struct notice_names {
    const char *player, *event, *by;
    const char *slug; /* of the ruleset of the game, the table, or the event */
    const char *code; /* of the table of the lobby, while the player is invited to it */
};

/* What is to be named; each but `player` may be "". */
struct notice_subject {
    struct id player, event, game, table, by;
};

/* Those of each of `subjects`, in the arena. */
enum db_status notice_names_get(struct db *db, struct arena *arena,
                                const struct notice_subject *subjects, size_t count,
                                struct notice_names **names);

#endif
