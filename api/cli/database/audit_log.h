/* The transparency log's part of `tillroll audit`. */
#ifndef TILLROLL_API_CLI_DATABASE_AUDIT_LOG_H
#define TILLROLL_API_CLI_DATABASE_AUDIT_LOG_H

#include "db/link/db.h"
#include "engine/log/note.h"

struct audit_log_options {
    const char *checkpoint; /* a file with a kept checkpoint, or NULL */
    const char *leaves; /* a file with kept leaves (api/cli/database/audit_subjects.h), or NULL */
    const struct note_key
        *key; /* the key that must have signed the kept and the stored checkpoints, or one that the
                 log's changes of keys lead to; or NULL */
};

/* Rebuilds the tree from its leaves and compares it with the stored hashes and checkpoints, the
 * records, and the kept checkpoint. Prints a line for each error and a summary; returns an exit
 * status. */
int audit_log(struct db *db, const struct audit_log_options *options);

#endif
