/* Players: people's accounts and their bots. */
#ifndef TILLROLL_DB_PLAYERS_H
#define TILLROLL_DB_PLAYERS_H

#include "db/db.h"

/* What somebody may do at this site besides what everybody may; bits of a set. */
enum role { NO_ROLE = 0, ROLE_ADMIN = 1, ROLE_AUDITOR = 2, ROLE_ARBITER = 4, ROLES_ALL = 7 };

struct player {
    struct id id;
    const char *name;
    const char *password_hash; /* crypto_pwhash_str form; NULL where it was not asked for */
    int64_t created_at_ms;
    struct id owner; /* of a bot, which has no password; "" for a person */
    unsigned roles;
    bool deleted; /* then the name is a pseudonym and nobody can sign in */
    /* The signing key of the service that somebody plays on who has no account here, 32 bytes; NULL
     * for whoever has one. */
    const uint8_t *origin;
};

/* A person, with `owner` a bot, with `origin` somebody from elsewhere. DB_CONFLICT if the name is
 * taken (compared without regard to case; of those from elsewhere it cannot be), or the id. */
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

/* Until the end of the transaction nobody else changes the account, makes bots or tokens for it or
 * signs in to it. DB_NONE if there is none, or it is deleted. */
enum db_status player_lock(struct db *db, const struct id *id);

/* DB_CONFLICT if the name is taken, DB_NONE if the account is deleted. */
enum db_status player_rename(struct db *db, const struct id *id, const char *name);

/* DB_NONE if it is not a person's. */
enum db_status player_set_password(struct db *db, const struct id *id, const char *password_hash);

/* Adds and takes away roles. DB_NONE if it is not a person's. */
enum db_status player_change_roles(struct db *db, const struct id *id, unsigned add,
                                   unsigned remove);

/* What is personal goes: the names of the account and its bots become pseudonyms; password, roles,
 * tokens and kept answers are deleted. DB_NONE if that was done before. */
enum db_status player_delete(struct db *db, const struct id *id, int64_t now_ms);

#endif
