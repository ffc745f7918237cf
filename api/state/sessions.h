/* The owners of tokens, for requests that are answered without asking the database: a table of
 * fixed size, filled by requests that have asked it. A token that is revoked, here or by another
 * process, is forgotten as soon as the news of it arrives.
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

/* The player of the token with this SHA-256, and its scopes (db/store/people/credentials.h). False
 * if that is not known, or no longer valid. */
bool sessions_find(struct sessions *sessions, const uint8_t token_hash[static 32], int64_t now_ms,
                   struct id *player, unsigned *scopes);

/* The number of forgotten tokens. Read it before asking the database, for sessions_keep(). */
uint64_t sessions_epoch(struct sessions *sessions);

/* Keeps what the database has answered, unless a token was forgotten since `epoch`. It is valid
 * until `until_ms`, milliseconds since 1970. */
void sessions_keep(struct sessions *sessions, const uint8_t token_hash[static 32],
                   const struct id *player, unsigned scopes, int64_t until_ms, uint64_t epoch);

void sessions_forget(struct sessions *sessions, const uint8_t token_hash[static 32]);
void sessions_forget_all(struct sessions *sessions);

/* The tokens that were found or kept since they were last taken here, by their SHA-256: each at
 * most once in SESSIONS_SEEN_MS, at most `most` of them, and the others next time. Returns how
 * many. So it can be written down when a token was last used without writing with each request. */
enum { SESSIONS_SEEN_MS = 300000 };
size_t sessions_seen(struct sessions *sessions, int64_t now_ms, size_t most, uint8_t (*hashes)[32]);

/* How often, since the start, a token was looked up and found, or not. */
struct cache_uses sessions_uses(struct sessions *sessions);

#endif
