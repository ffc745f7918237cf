/* The sequencer of the transparency log: a thread that adds queued leaves (db/store/log/tlog.h)
 * to the tree and signs a checkpoint, at most every `interval_ms`.
 *
 * Any number of services can use one database; each run takes the log's lock. A run is one
 * transaction, so published state is complete, and unfinished work is done by the next run.
 * Before signing, a sequencer checks that the new checkpoint extends the last one it has seen.
 * If the database has lost a checkpoint (restored backup, incomplete failover) or holds another
 * log's, it reports that once and stops signing. */
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
    bool (*may)(const void *context); /* true if the log may be written now; may be NULL */
    const void *context;
};

struct sequencer;

/* `config` is borrowed until sequencer_free(). NULL if the system has no threads or descriptors
 * left. */
struct sequencer *sequencer_new(const struct sequencer_config *config);

/* Checkpoints signed here since the start, and whether the log currently cannot be written (the
 * reason is on standard error). Any thread. */
struct sequencer_figures {
    uint64_t signed_here;
    bool stuck;
};
struct sequencer_figures sequencer_figures(const struct sequencer *sequencer);

/* Waits for the current run. NULL is fine. */
void sequencer_free(struct sequencer *sequencer);

#endif
