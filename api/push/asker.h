/* Sends requests to other parties, each independently and all at the same time: one thread with a
 * connection to the database. It finds out what to ask, begins requests (POST, text/plain), and
 * passes on the answers.
 *
 *      look() ──> asker_ask() ──> party ──> finish()
 *
 * A party that is away, slow or wrong is asked again later, at growing intervals, and delays no
 * other. Everything but asker_new(), asker_free() and the figures belongs to the thread.
 */
#ifndef TILLROLL_API_PUSH_ASKER_H
#define TILLROLL_API_PUSH_ASKER_H

#include "db/link/db.h"
#include "engine/base/arena.h"
#include "engine/base/text.h"

enum { ASKER_URL_MAX = 512, ASKER_BODY_MAX = 32 * 1024, ASKER_ANSWER_MAX = 16 * 1024 };

struct asker;

struct asker_config {
    const char *database; /* libpq connection string */
    bool service;         /* see db_open() */
    unsigned interval_ms; /* between looks; after a good answer, the next look is at once */
    const char *kind;     /* "witness": precedes a party's name in messages */
    const char *again;    /* "cosigns again": printed when a party is well after a complaint */
    /* Begins requests. Runs in a read-only transaction. */
    void (*look)(void *context, struct arena *arena);
    /* Handles the answer of party `i`, which is asker_answer(); `status`: of HTTP, 0 = the party is
     * away. Calls asker_fail(), asker_well() or neither. */
    void (*finish)(void *context, size_t i, long status);
    void *context;
};

struct asker_party {
    const char *name;
    struct span url; /* `path` is appended to it */
    const char *path;
};

/* Starts the thread, unless there are no parties. The targets of the pointers in `config` and
 * `party` must remain valid. The functions may be called before this returns, so `*asker` is set
 * before that. False if the system has no threads or descriptors left, or an address is too long;
 * then *asker is NULL. */
bool asker_new(const struct asker_config *config, const struct asker_party *party, size_t count,
               struct asker **asker);

/* Aborts requests under way. NULL is fine. */
void asker_free(struct asker *asker);

/* ---- For look() and finish() ---- */

struct db *asker_db(struct asker *asker);

/* True if no request to party `i` is under way, and its pause is over. */
bool asker_is_free(const struct asker *asker, size_t i);

/* The empty body of the next request to party `i`, to be filled in; asker_ask() then sends the
 * request. */
struct text asker_body(struct asker *asker, size_t i);
void asker_ask(struct asker *asker, size_t i, size_t length);

struct span asker_answer(const struct asker *asker, size_t i);

/* Reports that party `i` has answered well. */
void asker_well(struct asker *asker, size_t i);

/* Reports a failure: the party is asked again after a pause. `complaint`, static, is printed once,
 * until it changes. */
void asker_fail(struct asker *asker, size_t i, const char *complaint);

/* ---- Any thread ---- */

struct asker_figures {
    uint64_t asked, answered, failures; /* requests since the start; answered: answered well */
    bool up;                            /* the last request was answered well */
};
struct asker_figures asker_figures(const struct asker *asker, size_t i);

#endif
