/* Who a token belongs to, for requests that are answered without asking the database: a table of
 * fixed size, filled by those that have asked. A token that is revoked, here or by another process,
 * is forgotten as soon as that is heard of.
 *
 * All functions may be called from any thread.
 */
#ifndef TILLROLL_API_SESSIONS_H
#define TILLROLL_API_SESSIONS_H

#include "api/cache_uses.h"
#include "db/id.h"

struct sessions;

struct sessions *sessions_new(void);
void sessions_free(struct sessions *sessions);

/* The player of the token with this SHA-256, and its scopes (db/tokens.h). False if that is not
 * known, or not any more. */
bool sessions_find(struct sessions *sessions, const uint8_t token_hash[static 32], int64_t now_ms,
                   struct id *player, unsigned *scopes);

/* Counts what was forgotten. Take it before the database is asked, for sessions_keep(). */
uint64_t sessions_epoch(struct sessions *sessions);

/* Keeps what the database has said, unless a token was forgotten since `epoch`. It is believed
 * until `until_ms`, milliseconds since 1970. */
void sessions_keep(struct sessions *sessions, const uint8_t token_hash[static 32],
                   const struct id *player, unsigned scopes, int64_t until_ms, uint64_t epoch);

void sessions_forget(struct sessions *sessions, const uint8_t token_hash[static 32]);
void sessions_forget_all(struct sessions *sessions);

/* How often a token was looked for, since the start, and was there or was not. */
struct cache_uses sessions_uses(struct sessions *sessions);

#endif
