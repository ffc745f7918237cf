/* Players: people's accounts and their bots. */
#ifndef TILLROLL_DB_STORE_PEOPLE_PLAYERS_H
#define TILLROLL_DB_STORE_PEOPLE_PLAYERS_H

#include "db/link/db.h"

/* What somebody may do at this site besides what everybody may; bits of a set. */
enum role {
    NO_ROLE = 0,
    ROLE_ADMIN = 1,
    ROLE_AUDITOR = 2,
    ROLE_ARBITER = 4,
    DISPUTE_ROLES = ROLE_AUDITOR | ROLE_ARBITER, /* who decides disputes beside the officials of an
                                                  * event */
};

struct player {
    struct id id;
    const char *name;
    const char *password_hash; /* crypto_pwhash_str form; NULL where it was not asked for */
    int64_t created_at_ms;
    struct id owner; /* of a bot, which has no password; "" for a person */
    unsigned roles;
    const char *house; /* the level of a house account, which has no password; NULL for others */
    bool guest;        /* a person with a name alone: no password, and casual games only */
    bool deleted;      /* then the name is a pseudonym and nobody can sign in */
    /* The signing key of the service that somebody plays on who has no account here, 32 bytes; NULL
     * for whoever has one. */
    const uint8_t *origin;
};

/* A person, or a guest; with `owner` a bot, with `origin` somebody from elsewhere. DB_CONFLICT if
 * the name is taken (compared without regard to case; of those from elsewhere it cannot be), or the
 * id. */
enum db_status player_create(struct db *db, const struct player *player);

/* Without password_hash. DB_NONE. */
enum db_status player_by_id(struct db *db, struct arena *arena, const struct id *id,
                            struct player *player);

/* Of an account here. With password_hash, which is NULL for bots and deleted accounts. DB_NONE. */
enum db_status player_by_name(struct db *db, struct arena *arena, const char *name,
                              struct player *player);

/* The form of the password of an account. DB_NONE if it has none. */
enum db_status player_password(struct db *db, struct arena *arena, const struct id *id,
                               const char **password_hash);

/* The house accounts of a level that are not deleted, in the order of their ids, at most `limit`.
 */
enum db_status player_list_house(struct db *db, struct arena *arena, const char *level,
                                 size_t limit, struct player **players, size_t *count);

/* How many house accounts of a level there are, deleted ones too. */
enum db_status player_count_house(struct db *db, const char *level, unsigned *count);

/* Players in the order of their ids after `after` ("" = from the start), at most `limit`. */
enum db_status player_list(struct db *db, struct arena *arena, const struct id *after, size_t limit,
                           struct player **players, size_t *count);

/* Accounts whose names begin so, in capitals or not, by name, at most `limit`. */
enum db_status player_search(struct db *db, struct arena *arena, const char *beginning,
                             size_t limit, struct player **players, size_t *count);

/* Players in the order of their ids who have a role. */
enum db_status player_list_roles(struct db *db, struct arena *arena, const struct id *after,
                                 size_t limit, struct player **players, size_t *count);

/* The same of the bots of a player that are not deleted. */
enum db_status player_list_bots(struct db *db, struct arena *arena, const struct id *owner,
                                const struct id *after, size_t limit, struct player **players,
                                size_t *count);

/* A player's bots: those that are there, and those made since a time, deleted or not. */
struct bot_counts {
    unsigned all, made;
};
enum db_status player_count_bots(struct db *db, const struct id *owner, int64_t from_ms,
                                 struct bot_counts *counts);

/* Until the end of the transaction nobody else changes the account, makes bots or tokens for it or
 * signs in to it. DB_NONE if there is none, or it is deleted. */
enum db_status player_lock(struct db *db, const struct id *id);

/* The same, and for a bot its owner's account as well: keeps what is counted of a person valid
 * (db/store/games/parties.h). Of `player` only the ids of itself and its owner are read. */
enum db_status player_lock_person(struct db *db, const struct player *player);

/* DB_CONFLICT if the name is taken, DB_NONE if the account is deleted. */
enum db_status player_rename(struct db *db, const struct id *id, const char *name);

/* Links for a new password that were mailed before end. DB_NONE if it is not a person's. */
enum db_status player_set_password(struct db *db, const struct id *id, const char *password_hash);

/* Makes an account of a guest: with this name and password. DB_NONE if it is no guest's,
 * DB_CONFLICT if the name is taken. */
enum db_status player_make_account(struct db *db, const struct id *id, const char *name,
                                   const char *password_hash);

/* Adds and takes away roles. DB_NONE if it is not a person's. */
enum db_status player_change_roles(struct db *db, const struct id *id, unsigned add,
                                   unsigned remove);

/* What is personal goes: the names of the account and its bots become pseudonyms; password, roles,
 * tokens, kept answers, the address, what was to be mailed, and seats at casual tables that have
 * not started are deleted, with the tables that they have opened. DB_NONE if that was done before.
 */
enum db_status player_delete(struct db *db, const struct id *id, int64_t now_ms);

/* ---- Names that look alike ---- */

/* What names of accounts that look alike have in common (UTS #39; api/people/names.h makes
 * it). A name that is given shares no skeleton with that of another account. Names that were given
 * before stay as they are; their skeletons are filled in afterwards, and again when their version
 * is an older one. A skeleton of another name than its account has by now counts for nothing. */

enum { NAME_SKELETONS_MAX = 3 };

struct name_skeletons {
    const char *skeleton[NAME_SKELETONS_MAX];
    size_t count;
    unsigned version; /* of the data that they were made with; newer ones are higher */
};

/* Takes them for the name that the account gets in this transaction, in place of those of the name
 * before. DB_CONFLICT if the name of another account looks like it: to be rolled back. */
enum db_status name_skeletons_take(struct db *db, const struct id *player, const char *name,
                                   const struct name_skeletons *skeletons);

/* Deletes those of an account and its bots. */
enum db_status name_skeletons_forget(struct db *db, const struct id *player);

struct named {
    struct id player;
    const char *name;
    bool known; /* its skeletons are there, or it needs none: imported and deleted players */
};

/* Players in the order of ids behind `after`, at most `limit`. Known are skeletons of the name that
 * the player has now and of `version` or a later one. */
enum db_status name_skeletons_list(struct db *db, struct arena *arena, const struct id *after,
                                   unsigned version, size_t limit, struct named **named,
                                   size_t *count);

/* Stores them for the name that the account has had. */
enum db_status name_skeletons_fill(struct db *db, const struct named *named,
                                   const struct name_skeletons *skeletons);

#endif
