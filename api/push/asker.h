/* Asks other parties, each on its own, and all at the same time: one thread with a connection to
 * the database. It looks what is to be asked, begins requests (POST, text/plain), and hands over
 * the answers.
 *
 *      look() ──> asker_ask() ──> party ──> finish()
 *
 * Whoever is away, slow or wrong is asked again later, at growing intervals, and holds up nobody
 * else. Everything but asker_new(), asker_free() and the figures belongs to the thread.
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
    unsigned interval_ms; /* between looks; an answer that was good makes it look at once */
    const char *kind;     /* "witness": before a party's name in messages */
    const char *again;    /* "cosigns again": said when a party is well after a complaint */
    /* In a read-only transaction: begins requests. */
    void (*look)(void *context, struct arena *arena);
    /* Of party `i`: the HTTP status; 0 = it is away. The answer is asker_answer(). Calls
     * asker_fail() or asker_well(), or neither. */
    void (*finish)(void *context, size_t i, long status);
    void *context;
};

struct asker_party {
    const char *name;
    struct span url; /* and `path` behind it */
    const char *path;
};

/* Begins the thread, unless there are no parties. What `config` and `party` point to must stay; the
 * functions may be called before this returns, so `*asker` is set before. False if the system has
 * no threads or descriptors left, or an address is too long; *asker is then NULL. */
bool asker_new(const struct asker_config *config, const struct asker_party *party, size_t count,
               struct asker **asker);

/* Ends requests that are under way. NULL is fine. */
void asker_free(struct asker *asker);

/* ---- From look() and finish() ---- */

struct db *asker_db(struct asker *asker);

/* True if nothing is under way, and its pause is over. */
bool asker_is_free(const struct asker *asker, size_t i);

/* The body of the next request of party `i`, empty, to be filled in; then the request. */
struct text asker_body(struct asker *asker, size_t i);
void asker_ask(struct asker *asker, size_t i, size_t length);

struct span asker_answer(const struct asker *asker, size_t i);

/* It has answered well. */
void asker_well(struct asker *asker, size_t i);

/* It is asked again after a pause. `complaint`, static, is printed once, until it changes. */
void asker_fail(struct asker *asker, size_t i, const char *complaint);

/* ---- Any thread ---- */

struct asker_figures {
    uint64_t asked, answered, failures; /* requests since the start; answered: well */
    bool up;                            /* the last request was answered well */
};
struct asker_figures asker_figures(const struct asker *asker, size_t i);

#endif
