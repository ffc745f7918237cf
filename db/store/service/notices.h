/* Notices in the database: what players want to be told of, and how; what has happened; and what is
 * to be sent, in the outbox. */
#ifndef TILLROLL_DB_STORE_SERVICE_NOTICES_H
#define TILLROLL_DB_STORE_SERVICE_NOTICES_H

#include "db/link/db.h"

/* Kinds of notices. */
#define NOTICE_YOUR_TURN    "your_turn"
#define NOTICE_CLOCK_LOW    "clock_low"
#define NOTICE_ROUND_PAIRED "round_paired" /* or a game has started, or a seat was taken over */
#define NOTICE_GAME_OVER    "game_over"
#define NOTICE_DISPUTE      "dispute" /* a step of a dispute, or a ruling */
#define NOTICE_EVENT_OPENED "event_opened"
#define NOTICE_INVITATION   "invitation"
#define NOTICE_CHALLENGE    "challenge"

enum { NOTICE_KINDS = 8, NOTICE_CHANNELS = 3, NOTICE_TIMINGS = 3 };

/* All of them, ending with NULL; in the order in which pages show them. */
extern const char *const notice_kinds[NOTICE_KINDS + 1];
extern const char *const notice_channels[NOTICE_CHANNELS + 1]; /* `mail`, `push`, `webhook` */
extern const char *const notice_timings[NOTICE_TIMINGS + 1];   /* `off`, `at_once`, `digest` */

/* ---- Wishes ---- */

enum { NOTICE_ZONE_MAX = 64 /* bytes */, NOTICE_DAY_MINUTES = 1440 };

struct notice_settings {
    const char *language;     /* "en", "de"; NULL = that of the email address, or else English */
    const char *time_zone;    /* a name of the IANA database: `Europe/Berlin` */
    int quiet_from, quiet_to; /* minutes of the day, -1 = no quiet hours */
    unsigned digest_at;       /* minutes of the day */
    const char *timing[NOTICE_KINDS][NOTICE_CHANNELS]; /* as it is, chosen or not */
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

#endif
