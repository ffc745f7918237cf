/* What is to be sent to people: written in the transaction that causes it, and tried by whichever
 * service comes first until it is sent, refused, or too late. All times are the database's.
 *
 * Mails about accounts and notices (db/store/people/notices.h) are in one table, but are taken
 * apart, so that no number of notices delays a mail about an account. */
#ifndef TILLROLL_DB_STORE_SERVICE_OUTBOX_H
#define TILLROLL_DB_STORE_SERVICE_OUTBOX_H

#include "db/link/db.h"

/* Kinds of mail. */
#define OUTBOX_CONFIRM_EMAIL    "confirm_email"    /* a link that confirms the address */
#define OUTBOX_RESET_PASSWORD   "reset_password"   /* a link for a new password */
#define OUTBOX_EMAIL_CHANGED    "email_changed"    /* a notice to the address before */
#define OUTBOX_PASSWORD_CHANGED "password_changed" /* a notice */

enum {
    OUTBOX_WAITING_MAX = 10000, /* messages that wait at once */
    OUTBOX_REASON_MAX = 300,    /* bytes */
    OUTBOX_TOGETHER_MAX = 4096  /* messages of which one statement notes how they ended */
};

struct outbox_message {
    struct id id;
    const char *kind;
    const char *channel;   /* "mail", "push" or "webhook" */
    struct id player;      /* "" = whoever has the address, to be found when it is sent */
    const char *address;   /* NULL once sent */
    const char *language;  /* "en" or "de" */
    unsigned patience_s;   /* for outbox_add(): how long to keep trying */
    const char *state;     /* "waiting", "sent" or "failed" */
    const char *reason;    /* why the last try failed, a sentence; NULL = none has */
    int64_t created_at_ms; /* since 1970 */
    int64_t ended_at_ms;   /* when it was sent, or given up; 0 = waiting */
    unsigned attempts;     /* begun, this one included */
    bool late;             /* it has waited for longer than its patience */
};

/* The reason with which a message that is late ends, a sentence in the arena: why its last try
 * failed, or that there was none. */
const char *outbox_give_up_reason(struct arena *arena, const struct outbox_message *message);

/* ---- Mails about accounts ---- */

/* Adds id, kind, player, address, language and patience. DB_CONFLICT if OUTBOX_WAITING_MAX wait. */
enum db_status outbox_add(struct db *db, const struct outbox_message *message);

/* Takes the message that has been due for longest; for `lease_ms` it is due to nobody else. DB_NONE
 * if none is due; does not wait for others. In the arena. */
enum db_status outbox_take(struct db *db, struct arena *arena, unsigned lease_ms,
                           struct outbox_message *message);

/* Whose address it was found to be. */
enum db_status outbox_name(struct db *db, const struct id *id, const struct id *player);

/* ---- Notices ---- */

/* A notice for one way in which its player is told of it. */
struct outbox_notice {
    struct outbox_message message; /* without address */
    struct id target;              /* "" = the channel has one for each player */
    const char *about;             /* JSON: ids and numbers (api/notices/notice.h) */
    bool digest;
    struct id bundle;    /* "" = it has not been gathered with others */
    bool wanted;         /* the player still wants it in this way */
    int64_t later_by_ms; /* quiet hours or the digest's time: it must wait for so long; 0 = now */
};

/* Takes the notices of a channel that have been due for longest, at most `limit`, as outbox_take();
 * oldest first. DB_OK also if none is due. Of those that are gathered together it takes one:
 * outbox_take_bundle() takes the others. */
enum db_status outbox_take_notices(struct db *db, struct arena *arena, const char *channel,
                                   unsigned lease_ms, size_t limit, struct outbox_notice **notices,
                                   size_t *count);

/* Takes those that are gathered with one of a digest that was taken: those of its bundle, if it has
 * one, and otherwise up to `limit` that wait for the same player and target, which become a bundle.
 * Oldest first, `taken` among them. */
enum db_status outbox_take_bundle(struct db *db, struct arena *arena,
                                  const struct outbox_notice *taken, unsigned lease_ms,
                                  size_t limit, struct outbox_notice **notices, size_t *count);

/* It was not to be taken yet: it is due again in `delay_ms`, by itself, and the try does not count.
 */
enum db_status outbox_postpone(struct db *db, const struct outbox_message *message,
                               int64_t delay_ms);

/* Deletes what waits for a target that is gone. */
enum db_status outbox_drop_target(struct db *db, const char *channel, const struct id *player,
                                  const struct id *target);

/* Several were sent. Those that are gone, or that somebody has taken again since, are left alone.
 * At most OUTBOX_TOGETHER_MAX. */
enum db_status outbox_sent(struct db *db, const struct outbox_message *const *messages,
                           size_t count);

/* How many notices of a channel wait, up to OUTBOX_WAITING_MAX. */
enum db_status outbox_waiting_notices(struct db *db, const char *channel, size_t *count);

/* ---- Both ---- */

/* How a try has ended. Each is DB_NONE if the message is gone, or somebody has taken it again since
 * (`attempts` is as outbox_take() gave it): */

/* it is to be tried again in `delay_ms`; */
enum db_status outbox_defer(struct db *db, const struct outbox_message *message, unsigned delay_ms,
                            const char *reason);

/* it was sent (`reason` NULL), and its address is erased; or it is given up, for this reason; */
enum db_status outbox_end(struct db *db, const struct outbox_message *message, const char *reason);

/* there is nothing to be sent: for several, at most OUTBOX_TOGETHER_MAX, and DB_OK in any case. */
enum db_status outbox_drop(struct db *db, const struct outbox_message *const *messages,
                           size_t count);

/* How many mails about accounts wait. */
enum db_status outbox_waiting(struct db *db, size_t *count);

/* Mails about a player's account, newest first, at most `limit`, in the arena. */
enum db_status outbox_list(struct db *db, struct arena *arena, const struct id *player,
                           size_t limit, struct outbox_message **messages, size_t *count);

/* Takes back mails about a player's account that wait and are of this kind. */
enum db_status outbox_cancel(struct db *db, const struct id *player, const char *kind);

/* Deletes all messages to a player. */
enum db_status outbox_forget(struct db *db, const struct id *player);

#endif
