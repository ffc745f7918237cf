/* The owners of tokens, for requests that are answered without querying the database: a table of
 * fixed size, filled by requests that have queried it. A token that is revoked, here or by another
 * process, is forgotten as soon as the news arrives.
 *
 * All functions may be called from any thread.
 */
#ifndef TILLROLL_API_STATE_SESSIONS_H
#define TILLROLL_API_STATE_SESSIONS_H

#include "api/state/cache_uses.h"
#include "db/link/id.h"

struct sessions;

struct sessions *sessions_new(void);
void sessions_free(struct sessions *sessions);

/* Finds the player and the scopes of the token with this SHA-256 (db/store/people/credentials.h).
 * False if they are not known, or no longer valid. */
bool sessions_find(struct sessions *sessions, const uint8_t token_hash[static 32], int64_t now_ms,
                   struct id *player, unsigned *scopes);

/* The number of forgotten tokens. Read it before querying the database, for sessions_keep(). */
uint64_t sessions_epoch(struct sessions *sessions);

/* Keeps the database's result, unless a token was forgotten since `epoch`. It is valid until
 * `until_ms`, milliseconds since 1970. */
void sessions_keep(struct sessions *sessions, const uint8_t token_hash[static 32],
                   const struct id *player, unsigned scopes, int64_t until_ms, uint64_t epoch);

void sessions_forget(struct sessions *sessions, const uint8_t token_hash[static 32]);
void sessions_forget_all(struct sessions *sessions);

/* Stores the SHA-256 of tokens that were found or kept since sessions_seen() last returned them,
 * and returns their number: each token at most once in SESSIONS_SEEN_MS, at most `most` tokens, the
 * rest at the next call. So the last use of a token can be recorded without a write for each
 * request. */
enum { SESSIONS_SEEN_MS = 300000 };
size_t sessions_seen(struct sessions *sessions, int64_t now_ms, size_t most, uint8_t (*hashes)[32]);

/* The number of successful and failed lookups since the start. */
struct cache_uses sessions_uses(struct sessions *sessions);

#endif
