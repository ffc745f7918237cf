/* The sequencer of the transparency log: a thread that takes the leaves that wait
 * (db/store/log/tlog.h) into the tree and signs a checkpoint of it, at most every `interval_ms`.
 *
 * Any number of services can serve a database: whichever holds the log's lock takes its turn. A
 * turn is one transaction, so what has been published is whole, and what was not is done again by
 * the next. Before it signs, a sequencer makes sure that what it publishes continues what it has
 * seen: if the database has lost a checkpoint (a restored backup, a failover that lost its end) or
 * has another log's, it says so, once, and signs no more.
 */
#ifndef TILLROLL_API_PUSH_SEQUENCER_H
#define TILLROLL_API_PUSH_SEQUENCER_H

#include "api/state/keys.h"
#include "engine/log/note.h"

struct sequencer_config {
    const char *database; /* libpq connection string */
    bool service;         /* see db_open() */
    const struct keys *keys;
    const struct note_key *key; /* its name is the log's origin */
    unsigned interval_ms;
    bool (*may)(const void *context); /* NULL, or: whether the log may be written yet */
    const void *context;
};

struct sequencer;

/* What `config` names is borrowed until sequencer_free(). NULL if the system has no threads or
 * descriptors left. */
struct sequencer *sequencer_new(const struct sequencer_config *config);

/* Checkpoints that were signed here since the start, and whether something keeps the log from being
 * written: what, is said on standard error. Any thread. */
struct sequencer_figures {
    uint64_t signed_here;
    bool stuck;
};
struct sequencer_figures sequencer_figures(const struct sequencer *sequencer);

/* Lets the turn that is under way end. NULL is fine. */
void sequencer_free(struct sequencer *sequencer);

#endif
