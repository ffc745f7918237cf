/* What accounts prove themselves with: tokens to the service, signing keys to everybody. */
#ifndef TILLROLL_DB_STORE_PEOPLE_CREDENTIALS_H
#define TILLROLL_DB_STORE_PEOPLE_CREDENTIALS_H

#include "db/link/db.h"
#include "db/store/people/players.h"
#include "engine/record/keyring.h"

/* ---- Tokens ---- */

/* What may be done with a token; bits of a set. */
enum scope {
    NO_SCOPE = 0,
    SCOPE_READ = 1,     /* look, with the player's eyes */
    SCOPE_PLAY = 2,     /* enter events, move */
    SCOPE_ORGANIZE = 4, /* make events and run them */
    SCOPE_ACCOUNT = 8,  /* name, password, bots, tokens */
    SCOPES_ALL = 15,
    SCOPES_GUEST = SCOPE_READ | SCOPE_PLAY
};

struct token {
    struct id id;
    struct id player;
    const char *player_name; /* where it was read */
    const char *label;       /* NULL = a session, made by signing in */
    unsigned scopes;
    int64_t created_at_ms;
    int64_t expires_at_ms;
    int64_t seen_at_ms; /* when it was last used, within some minutes; 0 = not known */
};

/* Stores a token by its SHA-256. `password_hash`, if not NULL, must still be that of the account.
 * DB_NONE if it is not, or the account is deleted. */
enum db_status token_create(struct db *db, const uint8_t hash[static 32], const struct token *token,
                            const char *password_hash);

/* The token with this hash and its player, if it is neither expired at `now_ms` nor revoked.
 * DB_NONE. */
enum db_status token_player(struct db *db, struct arena *arena, const uint8_t hash[static 32],
                            int64_t now_ms, struct token *token, struct player *player);

/* The same of `count` tokens at once, each with player, scopes and expiry only, and with no player
 * where it is no good. */
enum db_status token_players(struct db *db, const uint8_t (*hashes)[32], size_t count,
                             int64_t now_ms, struct token *tokens);

/* For each of `count` tokens, the time at which it expires, 0 for one that is revoked or unknown.
 */
enum db_status token_expiries(struct db *db, const uint8_t (*hashes)[32], size_t count,
                              int64_t *expires_at_ms);

/* The tokens of a player and of the player's bots that are good at `now_ms`, in the order of their
 * ids. */
enum db_status token_list(struct db *db, struct arena *arena, const struct id *player,
                          int64_t now_ms, const struct id *after, size_t limit,
                          struct token **tokens, size_t *count);

/* How many tokens with a label that are good at `now_ms` the player has, bots excluded. */
enum db_status token_count(struct db *db, const struct id *player, int64_t now_ms, size_t *count);

/* DB_NONE if there is no such token. */
enum db_status token_revoke(struct db *db, const uint8_t hash[static 32], int64_t now_ms);

/* Writes down that `count` tokens, by their SHA-256, were in use at `now_ms`. Those that are
 * unknown or revoked are left out. */
enum db_status token_see(struct db *db, const uint8_t (*hashes)[32], size_t count, int64_t now_ms);

/* Which tokens to end. */
struct token_choice {
    const struct id *player;       /* of this player and the player's bots */
    const struct id *id;           /* this one; NULL = all */
    const struct id *sessions_but; /* only the player's own sessions, except this one, which may be
                                      ""; NULL = tokens of every kind */
};

/* Ends good tokens and gives their hashes. */
enum db_status token_end(struct db *db, struct arena *arena, const struct token_choice *choice,
                         int64_t now_ms, uint8_t (**hashes)[32], size_t *count);

/* ---- Signing keys ---- */

/* The history of players' signing keys (engine/record/keyring.h). It only grows. */

struct signing_key_step {
    struct id player;
    struct keyring_step step;
};

/* Adds a player's next step; the caller holds the player's lock (player_lock()). DB_CONFLICT if the
 * key that is registered was registered before, by anybody. */
enum db_status signing_key_add(struct db *db, const struct signing_key_step *step);

/* All steps of these players, by player and number, in the arena. */
enum db_status signing_key_list(struct db *db, struct arena *arena, const struct id *players,
                                size_t player_count, struct signing_key_step **steps,
                                size_t *count);

/* All steps of everybody after those of `after` ("" = from the first player), of at most `limit`
 * players, by player and number, in the arena. */
enum db_status signing_key_list_all(struct db *db, struct arena *arena, const struct id *after,
                                    size_t limit, struct signing_key_step **steps, size_t *count);

#endif
