/* Sets of eight entries, chosen by the token's hash, of which the sender of a token does not choose
 * the bits: tokens are random and come from us. */
#include "api/state/sessions.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 2048, WAYS = 8 };

struct session {
    uint8_t token_hash[32];
    struct id player; /* "" = unused */
    unsigned scopes;
    int64_t until_ms;
};

struct sessions {
    pthread_mutex_t mutex;
    uint64_t epoch;
    struct cache_uses uses;
    struct session session[SETS][WAYS];
};

struct sessions *sessions_new(void)
{
    struct sessions *sessions = calloc(1, sizeof *sessions);
    if (sessions == NULL)
        abort();
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
    const struct session *session = find(sessions, token_hash);
    bool found = session != NULL && now_ms < session->until_ms;
    sessions->uses.found += found;
    sessions->uses.missed += !found;
    if (found) {
        *player = session->player;
        *scopes = session->scopes;
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

/* The one that ends first; unused ones have ended long ago. */
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
        struct session *session = find(sessions, token_hash);
        if (session == NULL)
            session = first_to_end(set_of(sessions, token_hash));
        memcpy(session->token_hash, token_hash, sizeof session->token_hash);
        session->player = *player;
        session->scopes = scopes;
        session->until_ms = until_ms;
    }
    pthread_mutex_unlock(&sessions->mutex);
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
    memset(sessions->session, 0, sizeof sessions->session);
    pthread_mutex_unlock(&sessions->mutex);
}

struct cache_uses sessions_uses(struct sessions *sessions)
{
    pthread_mutex_lock(&sessions->mutex);
    struct cache_uses uses = sessions->uses;
    pthread_mutex_unlock(&sessions->mutex);
    return uses;
}
