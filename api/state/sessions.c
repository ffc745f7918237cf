/* Sets of eight entries, chosen by bits of the token's hash. Clients cannot choose these bits:
 * tokens are random and made by the service. */
#include "api/state/sessions.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"

enum { SETS = 2048, WAYS = 8 };

struct session {
    uint8_t token_hash[32];
    struct id player; /* "" = unused */
    unsigned scopes;
    int64_t until_ms;
    bool seen;        /* used since sessions_seen() last returned it */
    int64_t taken_ms; /* when sessions_seen() last returned it; 0 = never */
};

struct sessions {
    pthread_mutex_t mutex;
    uint64_t epoch;
    struct cache_uses uses;
    int64_t due_ms; /* sessions_seen() finds nothing before this time */
    bool used;      /* a session has been kept: until then the table's memory is not touched */
    struct session session[SETS][WAYS];
};

struct sessions *sessions_new(void)
{
    struct sessions *sessions = must(calloc(1, sizeof *sessions));
    pthread_mutex_init(&sessions->mutex, NULL);
    return sessions;
}

void sessions_free(struct sessions *sessions)
{
    if (sessions == NULL)
        return;
    pthread_mutex_destroy(&sessions->mutex);
    free(sessions);
}

static struct session *set_of(struct sessions *sessions, const uint8_t token_hash[static 32])
{
    return sessions->session[((size_t)token_hash[0] << 8 | token_hash[1]) % SETS];
}

static struct session *find(struct sessions *sessions, const uint8_t token_hash[static 32])
{
    struct session *set = set_of(sessions, token_hash);
    for (size_t way = 0; way < WAYS; way++)
        if (set[way].player.text[0] != '\0' &&
            memcmp(set[way].token_hash, token_hash, sizeof set[way].token_hash) == 0)
            return &set[way];
    return NULL;
}

bool sessions_find(struct sessions *sessions, const uint8_t token_hash[static 32], int64_t now_ms,
                   struct id *player, unsigned *scopes)
{
    pthread_mutex_lock(&sessions->mutex);
    struct session *session = find(sessions, token_hash);
    bool found = session != NULL && now_ms < session->until_ms;
    sessions->uses.found += found;
    sessions->uses.missed += !found;
    if (found) {
        *player = session->player;
        *scopes = session->scopes;
        session->seen = true;
    }
    pthread_mutex_unlock(&sessions->mutex);
    return found;
}

uint64_t sessions_epoch(struct sessions *sessions)
{
    pthread_mutex_lock(&sessions->mutex);
    uint64_t epoch = sessions->epoch;
    pthread_mutex_unlock(&sessions->mutex);
    return epoch;
}

/* The session that ends first; unused entries count as ended. */
static struct session *first_to_end(struct session *set)
{
    struct session *first = &set[0];
    for (size_t way = 1; way < WAYS; way++)
        if (set[way].until_ms < first->until_ms)
            first = &set[way];
    return first;
}

void sessions_keep(struct sessions *sessions, const uint8_t token_hash[static 32],
                   const struct id *player, unsigned scopes, int64_t until_ms, uint64_t epoch)
{
    pthread_mutex_lock(&sessions->mutex);
    if (epoch == sessions->epoch) {
        sessions->used = true;
        struct session *session = find(sessions, token_hash);
        if (session == NULL) {
            session = first_to_end(set_of(sessions, token_hash));
            session->taken_ms = 0;
            sessions->due_ms = 0;
        }
        session->seen = true;
        memcpy(session->token_hash, token_hash, sizeof session->token_hash);
        session->player = *player;
        session->scopes = scopes;
        session->until_ms = until_ms;
    }
    pthread_mutex_unlock(&sessions->mutex);
}

/* Takes the session if it is due. */
static bool take_seen(struct session *session, int64_t now_ms)
{
    if (!session->seen || session->player.text[0] == '\0' ||
        now_ms < session->taken_ms + SESSIONS_SEEN_MS)
        return false;
    session->seen = false;
    session->taken_ms = now_ms;
    return true;
}

/* A new session is due at once, any other when SESSIONS_SEEN_MS is over: so the table is scanned
 * when there is a new session, and otherwise a few times in SESSIONS_SEEN_MS. */
size_t sessions_seen(struct sessions *sessions, int64_t now_ms, size_t most, uint8_t (*hashes)[32])
{
    enum { LOOKS = 10 };
    size_t count = 0;
    pthread_mutex_lock(&sessions->mutex);
    bool due = sessions->used && now_ms >= sessions->due_ms;
    for (size_t set = 0; due && set < SETS; set++)
        for (size_t way = 0; way < WAYS && count < most; way++)
            if (take_seen(&sessions->session[set][way], now_ms))
                memcpy(hashes[count++], sessions->session[set][way].token_hash, sizeof *hashes);
    if (due && count < most)
        sessions->due_ms = now_ms + SESSIONS_SEEN_MS / LOOKS;
    pthread_mutex_unlock(&sessions->mutex);
    return count;
}

void sessions_forget(struct sessions *sessions, const uint8_t token_hash[static 32])
{
    pthread_mutex_lock(&sessions->mutex);
    sessions->epoch++;
    struct session *session = find(sessions, token_hash);
    if (session != NULL)
        *session = (struct session){.until_ms = 0};
    pthread_mutex_unlock(&sessions->mutex);
}

void sessions_forget_all(struct sessions *sessions)
{
    pthread_mutex_lock(&sessions->mutex);
    sessions->epoch++;
    if (sessions->used)
        memset(sessions->session, 0, sizeof sessions->session);
    sessions->used = false;
    pthread_mutex_unlock(&sessions->mutex);
}

struct cache_uses sessions_uses(struct sessions *sessions)
{
    pthread_mutex_lock(&sessions->mutex);
    struct cache_uses uses = sessions->uses;
    pthread_mutex_unlock(&sessions->mutex);
    return uses;
}
