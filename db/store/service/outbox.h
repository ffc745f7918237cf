/* Messages to be sent to people: written in the transaction that causes them, and tried by the
 * service that takes them first until they are sent, refused, or too late. All times are the
 * database's.
 *
 * Mails about accounts and notices (db/store/people/notices.h) are in one table, but are taken
 * separately, so that no number of notices delays a mail about an account. */
#ifndef TILLROLL_DB_STORE_SERVICE_OUTBOX_H
#define TILLROLL_DB_STORE_SERVICE_OUTBOX_H

#include "db/link/db.h"

/* Kinds of mail. */
#define OUTBOX_CONFIRM_EMAIL    "confirm_email"    /* a link that confirms the address */
#define OUTBOX_RESET_PASSWORD   "reset_password"   /* a link for setting a new password */
#define OUTBOX_EMAIL_CHANGED    "email_changed"    /* a notice to the previous address */
#define OUTBOX_PASSWORD_CHANGED "password_changed" /* a notice */

enum {
    OUTBOX_WAITING_MAX = 10000, /* messages waiting at the same time */
    OUTBOX_REASON_MAX = 300,    /* bytes */
    OUTBOX_TOGETHER_MAX = 4096  /* messages per statement that stores their ends */
};

struct outbox_message {
    struct id id;
    const char *kind;
    const char *channel;   /* "mail", "push" or "webhook" */
    struct id player;      /* "" = the player with this address, determined when it is sent */
    const char *address;   /* NULL once sent */
    const char *language;  /* "en" or "de" */
    unsigned patience_s;   /* for outbox_add(): how long to keep trying */
    const char *state;     /* "waiting", "sent" or "failed" */
    const char *reason;    /* why the last attempt failed, a sentence; NULL = none has failed */
    int64_t created_at_ms; /* since 1970 */
    int64_t ended_at_ms;   /* when it was sent or given up; 0 = waiting */
    unsigned attempts;     /* begun, including the current one */
    bool late;             /* it has waited longer than its patience */
};

/* Returns the reason for giving up a late message, a sentence in the arena: why its last attempt
 * failed, or that there was none. */
const char *outbox_give_up_reason(struct arena *arena, const struct outbox_message *message);

/* ---- Mails about accounts ---- */

/* Adds a mail: id, kind, player, address, language and patience. DB_CONFLICT if OUTBOX_WAITING_MAX
 * are waiting. */
enum db_status outbox_add(struct db *db, const struct outbox_message *message);

/* Takes the mail that has been due the longest; for `lease_ms` no other sender can take it. DB_NONE
 * if none is due; does not wait for locks. In the arena. */
enum db_status outbox_take(struct db *db, struct arena *arena, unsigned lease_ms,
                           struct outbox_message *message);

/* Stores the player who was found to have the address of a mail. */
enum db_status outbox_name(struct db *db, const struct id *id, const struct id *player);

/* ---- Notices ---- */

/* A notice to a player by one channel. */
struct outbox_notice {
    struct outbox_message message; /* without its address */
    struct id target;              /* "" = the channel has a single target for each player */
    const char *about;             /* JSON: ids and numbers (api/notices/notice.h) */
    bool digest;
    struct id bundle;    /* "" = not bundled with others */
    bool wanted;         /* the player still wants this notice by this channel */
    int64_t later_by_ms; /* quiet hours or the digest's time: how long it must still wait; 0 = due
                            now */
};

/* Takes the notices of a channel that have been due the longest, at most `limit`, like
 * outbox_take(); oldest first, in the arena. DB_OK even if none is due. Of the notices of a digest
 * it takes one; outbox_take_bundle() takes the others. */
enum db_status outbox_take_notices(struct db *db, struct arena *arena, const char *channel,
                                   unsigned lease_ms, size_t limit, struct outbox_notice **notices,
                                   size_t *count);

/* Takes the notices that belong with a taken one of a digest: those of its bundle, if it has one,
 * otherwise up to `limit` that wait for the same player and target, which become a bundle. Oldest
 * first, `taken` among them, in the arena. */
enum db_status outbox_take_bundle(struct db *db, struct arena *arena,
                                  const struct outbox_notice *taken, unsigned lease_ms,
                                  size_t limit, struct outbox_notice **notices, size_t *count);

/* Puts back a notice that was taken too early: it is due again in `delay_ms`, without a bundle, and
 * the attempt does not count. */
enum db_status outbox_postpone(struct db *db, const struct outbox_message *message,
                               int64_t delay_ms);

/* Deletes all messages waiting for a target that no longer exists. */
enum db_status outbox_drop_target(struct db *db, const char *channel, const struct id *player,
                                  const struct id *target);

/* Stores that messages were sent, at most OUTBOX_TOGETHER_MAX. Messages that have been deleted, or
 * taken again since, are skipped. */
enum db_status outbox_sent(struct db *db, const struct outbox_message *const *messages,
                           size_t count);

/* Counts the waiting notices of a channel, up to OUTBOX_WAITING_MAX. */
enum db_status outbox_waiting_notices(struct db *db, const char *channel, size_t *count);

/* ---- Mails and notices ---- */

/* The end of an attempt. Each function returns DB_NONE if the message has been deleted, or taken
 * again since (`attempts` must be as outbox_take() set it). */

/* The message is to be tried again in `delay_ms`. */
enum db_status outbox_defer(struct db *db, const struct outbox_message *message, unsigned delay_ms,
                            const char *reason);

/* The message was sent (`reason` NULL), and its address is erased; or it is given up for this
 * reason. */
enum db_status outbox_end(struct db *db, const struct outbox_message *message, const char *reason);

/* The messages need not be sent: deletes them, at most OUTBOX_TOGETHER_MAX. DB_OK in any case. */
enum db_status outbox_drop(struct db *db, const struct outbox_message *const *messages,
                           size_t count);

/* Counts the waiting mails about accounts, up to OUTBOX_WAITING_MAX. */
enum db_status outbox_waiting(struct db *db, size_t *count);

/* Lists mails about a player's account, newest first, at most `limit`, in the arena. */
enum db_status outbox_list(struct db *db, struct arena *arena, const struct id *player,
                           size_t limit, struct outbox_message **messages, size_t *count);

/* Cancels the waiting mails of this kind about a player's account. */
enum db_status outbox_cancel(struct db *db, const struct id *player, const char *kind);

/* Deletes all messages to a player. */
enum db_status outbox_forget(struct db *db, const struct id *player);

#endif
