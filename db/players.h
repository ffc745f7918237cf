/* Players and their tokens. */
#ifndef TILLROLL_DB_PLAYERS_H
#define TILLROLL_DB_PLAYERS_H

#include "db/db.h"

struct player {
    struct id id;
    const char *name;
    const char *password_hash; /* crypto_pwhash_str form; NULL where it was not asked for */
    int64_t created_at_ms;
};

/* DB_CONFLICT if the name is taken (compared without regard to case). */
enum db_status player_create(struct db *db, const struct player *player);

/* Without password_hash. DB_NONE. */
enum db_status player_by_id(struct db *db, struct arena *arena, const struct id *id,
                            struct player *player);

/* With password_hash. DB_NONE. */
enum db_status player_by_name(struct db *db, struct arena *arena, const char *name,
                              struct player *player);

/* Players in the order of their ids after `after` ("" = from the start), at most `limit`. */
enum db_status player_list(struct db *db, struct arena *arena, const struct id *after, size_t limit,
                           struct player **players, size_t *count);

/* Stores the SHA-256 of a token. */
enum db_status token_create(struct db *db, const uint8_t hash[static 32], const struct id *player,
                            int64_t now_ms, int64_t expires_at_ms);

/* The player of a token that is neither expired at `now_ms` nor revoked, and when it expires.
 * DB_NONE. */
enum db_status token_player(struct db *db, struct arena *arena, const uint8_t hash[static 32],
                            int64_t now_ms, struct player *player, int64_t *expires_at_ms);

/* For each of `count` tokens, the time at which it expires, 0 for one that is revoked or unknown.
 */
enum db_status token_expiries(struct db *db, const uint8_t (*hashes)[32], size_t count,
                              int64_t *expires_at_ms);

/* DB_NONE if there is no such token. */
enum db_status token_revoke(struct db *db, const uint8_t hash[static 32], int64_t now_ms);

#endif
