/* Credentials of accounts: tokens, which prove an account to the service, and signing keys, which
 * prove it to others. */
#ifndef TILLROLL_DB_STORE_PEOPLE_CREDENTIALS_H
#define TILLROLL_DB_STORE_PEOPLE_CREDENTIALS_H

#include "db/link/db.h"
#include "db/store/people/players.h"
#include "engine/record/keyring.h"

/* ---- Tokens ---- */

/* The rights of a token; bits of a set. */
enum scope {
    NO_SCOPE = 0,
    SCOPE_READ = 1,     /* see everything that the player sees */
    SCOPE_PLAY = 2,     /* enter events, move */
    SCOPE_ORGANIZE = 4, /* create events and run them */
    SCOPE_ACCOUNT = 8,  /* name, password, bots, tokens */
    SCOPES_ALL = 15,
    SCOPES_GUEST = SCOPE_READ | SCOPE_PLAY
};

struct token {
    struct id id;
    struct id player;
    const char *player_name; /* filled in on reading */
    const char *label;       /* NULL = a session, created by signing in */
    unsigned scopes;
    int64_t created_at_ms;
    int64_t expires_at_ms;
    int64_t seen_at_ms; /* when it was last used, within some minutes; 0 = unknown */
};

/* Stores a token by its SHA-256. `password_hash`, if not NULL, must still be the account's. DB_NONE
 * if it is not, or the account is deleted. */
enum db_status token_create(struct db *db, const uint8_t hash[static 32], const struct token *token,
                            const char *password_hash);

/* Finds the token with this hash and its player, in the arena. DB_NONE if it is unknown, revoked,
 * or expired at `now_ms`. */
enum db_status token_player(struct db *db, struct arena *arena, const uint8_t hash[static 32],
                            int64_t now_ms, struct token *token, struct player *player);

/* Finds `count` tokens, each with player, scopes and expiry only; a token that is not valid gets no
 * player. */
enum db_status token_players(struct db *db, const uint8_t (*hashes)[32], size_t count,
                             int64_t now_ms, struct token *tokens);

/* Reads the time at which each of `count` tokens expires, 0 for a revoked or unknown one. */
enum db_status token_expiries(struct db *db, const uint8_t (*hashes)[32], size_t count,
                              int64_t *expires_at_ms);

/* Lists the tokens of a player and of the player's bots that are valid at `now_ms`, in the order of
 * their ids after `after` ("" = from the first), at most `limit`, in the arena. */
enum db_status token_list(struct db *db, struct arena *arena, const struct id *player,
                          int64_t now_ms, const struct id *after, size_t limit,
                          struct token **tokens, size_t *count);

/* Counts the player's own tokens with a label that are valid at `now_ms`. */
enum db_status token_count(struct db *db, const struct id *player, int64_t now_ms, size_t *count);

/* Revokes a token. DB_NONE if there is no such token. */
enum db_status token_revoke(struct db *db, const uint8_t hash[static 32], int64_t now_ms);

/* Stores that `count` tokens, by their SHA-256, were in use at `now_ms`. Unknown and revoked ones
 * are skipped. */
enum db_status token_see(struct db *db, const uint8_t (*hashes)[32], size_t count, int64_t now_ms);

/* A selection of tokens to end. */
struct token_choice {
    const struct id *player;       /* tokens of this player and of the player's bots */
    const struct id *id;           /* only this token; NULL = all */
    const struct id *sessions_but; /* only the player's own sessions, except this one ("" = no
                                      exception); NULL = tokens of every kind */
};

/* Revokes valid tokens and returns their hashes, in the arena. */
enum db_status token_end(struct db *db, struct arena *arena, const struct token_choice *choice,
                         int64_t now_ms, uint8_t (**hashes)[32], size_t *count);

/* ---- Signing keys ---- */

/* The history of players' signing keys (engine/record/keyring.h). Rows are only added. */

struct signing_key_step {
    struct id player;
    struct keyring_step step;
};

/* Adds a player's next step; the caller holds the player's lock (player_lock()). DB_CONFLICT if the
 * step registers a key that any player has registered before. */
enum db_status signing_key_add(struct db *db, const struct signing_key_step *step);

/* Lists all steps of these players, by player and number, in the arena. */
enum db_status signing_key_list(struct db *db, struct arena *arena, const struct id *players,
                                size_t player_count, struct signing_key_step **steps,
                                size_t *count);

/* Lists the steps of all players after `after` ("" = from the first), at most `limit` players, by
 * player and number, in the arena. */
enum db_status signing_key_list_all(struct db *db, struct arena *arena, const struct id *after,
                                    size_t limit, struct signing_key_step **steps, size_t *count);

#endif
