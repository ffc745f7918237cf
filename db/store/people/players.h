/* Players: people's accounts and their bots. */
#ifndef TILLROLL_DB_STORE_PEOPLE_PLAYERS_H
#define TILLROLL_DB_STORE_PEOPLE_PLAYERS_H

#include "db/link/db.h"
#include "db/store/people/roles.h"

struct player {
    struct id id;
    const char *name;
    const char *password_hash; /* crypto_pwhash_str() form; NULL if it was not read */
    int64_t created_at_ms;
    struct id owner; /* of a bot, which has no password; "" for a person */
    unsigned roles;
    const char *house; /* the level of a house account, which has no password; NULL for others */
    bool guest;        /* a person with only a name: no password, and casual games only */
    bool deleted;      /* then the name is a pseudonym, and signing in is not possible */
    /* The signing key of the service on which a player without an account here plays, 32 bytes;
     * NULL for players with an account. */
    const uint8_t *origin;
};

/* Stores a player: a person or a guest; with `owner` a bot, with `origin` a player of another
 * service. DB_CONFLICT if the name is taken (compared without regard to case; names of players of
 * other services never conflict), or the id. */
enum db_status player_create(struct db *db, const struct player *player);

/* Finds a player by the id, in the arena, without password_hash. DB_NONE. */
enum db_status player_by_id(struct db *db, struct arena *arena, const struct id *id,
                            struct player *player);

/* Finds an account of this service by its name, in the arena, with password_hash, which is NULL for
 * bots and deleted accounts. DB_NONE. */
enum db_status player_by_name(struct db *db, struct arena *arena, const char *name,
                              struct player *player);

/* Reads the password hash of an account, in the arena. DB_NONE if it has none. */
enum db_status player_password(struct db *db, struct arena *arena, const struct id *id,
                               const char **password_hash);

/* Lists the house accounts of a level that are not deleted, in the order of their ids, at most
 * `limit`, in the arena. */
enum db_status player_list_house(struct db *db, struct arena *arena, const char *level,
                                 size_t limit, struct player **players, size_t *count);

/* Counts the house accounts of a level, including deleted ones. */
enum db_status player_count_house(struct db *db, const char *level, unsigned *count);

/* Lists players in the order of their ids after `after` ("" = from the first), at most `limit`, in
 * the arena. */
enum db_status player_list(struct db *db, struct arena *arena, const struct id *after, size_t limit,
                           struct player **players, size_t *count);

/* Lists accounts whose names begin with `beginning`, ignoring case, by name, at most `limit`, in
 * the arena. */
enum db_status player_search(struct db *db, struct arena *arena, const char *beginning,
                             size_t limit, struct player **players, size_t *count);

/* Lists players that have a role, like player_list(). */
enum db_status player_list_roles(struct db *db, struct arena *arena, const struct id *after,
                                 size_t limit, struct player **players, size_t *count);

/* Lists the bots of a player that are not deleted, like player_list(). */
enum db_status player_list_bots(struct db *db, struct arena *arena, const struct id *owner,
                                const struct id *after, size_t limit, struct player **players,
                                size_t *count);

/* Numbers of a player's bots: existing ones, and those created since a time, deleted or not. */
struct bot_counts {
    unsigned all, made;
};
enum db_status player_count_bots(struct db *db, const struct id *owner, int64_t from_ms,
                                 struct bot_counts *counts);

/* Prevents other transactions, until the end of this one, from changing the account, creating bots
 * or tokens for it, and signing in to it. DB_NONE if there is none, or it is deleted. */
enum db_status player_lock(struct db *db, const struct id *id);

/* Locks the account like player_lock(), and for a bot its owner's too, so that counts for a person
 * stay valid (db/store/games/parties.h). Of `player` only the ids of itself and its owner are read.
 */
enum db_status player_lock_person(struct db *db, const struct player *player);

/* Renames an account. DB_CONFLICT if the name is taken, DB_NONE if the account is deleted. */
enum db_status player_rename(struct db *db, const struct id *id, const char *name);

/* Sets a password, and ends the links for a new password that were mailed before. DB_NONE if the
 * account is not a person's. */
enum db_status player_set_password(struct db *db, const struct id *id, const char *password_hash);

/* Turns a guest into an account with this name and password. DB_NONE if the player is not a guest,
 * DB_CONFLICT if the name is taken. */
enum db_status player_make_account(struct db *db, const struct id *id, const char *name,
                                   const char *password_hash);

/* Adds and removes roles. DB_NONE if the account is not a person's. */
enum db_status player_change_roles(struct db *db, const struct id *id, unsigned add,
                                   unsigned remove);

/* Removes personal data: the names of the account and its bots become pseudonyms; password, roles,
 * tokens, kept answers, the address, waiting mails, and seats at casual tables that have not
 * started are deleted, with the tables that the account has opened. DB_NONE if it was deleted
 * before. */
enum db_status player_delete(struct db *db, const struct id *id, int64_t now_ms);

/* ---- Names that look alike ---- */

/* Skeletons of names: names that look alike have one in common (UTS #39; api/people/names.h
 * computes them). A new name may not share a skeleton with another account's name. Names from
 * before this rule stay as they are; their skeletons are filled in afterwards, and again when their
 * version is old. A skeleton of a name that its account no longer has does not count. */

enum { NAME_SKELETONS_MAX = 3 };

struct name_skeletons {
    const char *skeleton[NAME_SKELETONS_MAX];
    size_t count;
    unsigned version; /* of the data from which they were computed; newer ones are higher */
};

/* Stores the skeletons of the name that the account gets in this transaction, replacing those of
 * the previous name. DB_CONFLICT if the name of another account looks like it: the caller rolls
 * back. */
enum db_status name_skeletons_take(struct db *db, const struct id *player, const char *name,
                                   const struct name_skeletons *skeletons);

/* Deletes the skeletons of an account and its bots. */
enum db_status name_skeletons_forget(struct db *db, const struct id *player);

struct named {
    struct id player;
    const char *name;
    bool known; /* its skeletons are stored, or it needs none: imported and deleted players */
};

/* Lists players in the order of their ids after `after`, at most `limit`, in the arena. `known`
 * requires skeletons of the player's current name and of `version` or a later one. */
enum db_status name_skeletons_list(struct db *db, struct arena *arena, const struct id *after,
                                   unsigned version, size_t limit, struct named **named,
                                   size_t *count);

/* Stores skeletons for an existing name of an account. */
enum db_status name_skeletons_fill(struct db *db, const struct named *named,
                                   const struct name_skeletons *skeletons);

#endif
