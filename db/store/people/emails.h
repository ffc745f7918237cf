/* Email addresses of accounts, and the tokens in links mailed to them. */
#ifndef TILLROLL_DB_STORE_PEOPLE_EMAILS_H
#define TILLROLL_DB_STORE_PEOPLE_EMAILS_H

#include "db/link/db.h"

/* The purpose of a link in a mail; also the kind of the mail (db/store/service/outbox.h). */
#define EMAIL_CONFIRM "confirm_email"
#define EMAIL_RESET   "reset_password"

struct email {
    struct id player;
    const char *player_name;
    const char *address;     /* as entered, its domain in lower case */
    const char *language;    /* of mails: "en" or "de" */
    int64_t set_at_ms;       /* since 1970 */
    int64_t confirmed_at_ms; /* 0 = not confirmed */
};

/* Reads the account's address, in the arena. DB_NONE if it has none, or is deleted. */
enum db_status email_get(struct db *db, struct arena *arena, const struct id *player,
                         struct email *email);

/* Sets address and language, unconfirmed, replacing the previous ones. */
enum db_status email_set(struct db *db, const struct email *email);

/* Removes the address. DB_OK even if there is none. */
enum db_status email_remove(struct db *db, const struct id *player);

/* Marks the address as confirmed. DB_NONE if the account has another address by now, or is deleted.
 */
enum db_status email_confirm(struct db *db, const struct id *player, const char *address,
                             int64_t now_ms);

/* Lists accounts with this confirmed address, ignoring case, at most `limit`, in the arena. Exact
 * matches come first. */
enum db_status email_accounts(struct db *db, struct arena *arena, const char *address, size_t limit,
                              struct email **emails, size_t *count);

/* ---- Tokens ---- */

/* Stores a token, by its SHA-256, for `seconds`, but only if the account still has this address,
 * confirmed for EMAIL_RESET and not yet confirmed for EMAIL_CONFIRM. DB_NONE if not. */
enum db_status email_token_add(struct db *db, const uint8_t hash[static 32],
                               const struct id *player, const char *purpose, const char *address,
                               unsigned seconds);

/* Uses a token: deletes it, and returns the address that it was sent to, in the arena. DB_NONE if
 * there is no such token for this purpose, or it has expired. Of simultaneous uses one succeeds. */
enum db_status email_token_use(struct db *db, struct arena *arena, const uint8_t hash[static 32],
                               const char *purpose, const char **address);

/* Finds the player of a token, without using it. DB_NONE. */
enum db_status email_token_find(struct db *db, const uint8_t hash[static 32], const char *purpose,
                                struct id *player);

/* Deletes the account's tokens for this purpose; NULL = all. */
enum db_status email_tokens_end(struct db *db, const struct id *player, const char *purpose);

#endif
