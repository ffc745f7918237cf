/* The transparency log's part of `tillroll audit`. */
#ifndef TILLROLL_API_CLI_DATABASE_AUDIT_LOG_H
#define TILLROLL_API_CLI_DATABASE_AUDIT_LOG_H

#include "db/link/db.h"
#include "engine/log/note.h"

struct audit_log_options {
    const char *checkpoint; /* a file with a checkpoint that was kept, or NULL */
    const char *
        leaves; /* a file with leaves that were kept (api/cli/database/audit_subjects.h), or NULL */
    const struct note_key *key; /* who has to have signed it, and the stored ones; or NULL */
};

/* Builds the tree from its leaves and holds it against the hashes and checkpoints that are stored
 * with it, against the records, and against the checkpoint that was kept. Prints a line for each
 * thing that is wrong and one for the whole; returns an exit status. */
int audit_log(struct db *db, const struct audit_log_options *options);

#endif
