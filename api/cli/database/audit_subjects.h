/* Compares leaves of the transparency log with the stored objects they are about. */
#ifndef TILLROLL_API_CLI_DATABASE_AUDIT_SUBJECTS_H
#define TILLROLL_API_CLI_DATABASE_AUDIT_SUBJECTS_H

#include "db/link/db.h"
#include "engine/log/note.h"
#include "engine/log/tlog.h"

struct audit_fault {
    const char *code; /* NULL = no fault */
    char message[240];
};

/* Compares leaf `index`, whose text is `entry`, with its ruling, dispute, key or document. Leaves
 * of games and commitments are skipped. False if the database failed. */
bool audit_subject(struct db *db, uint64_t index, struct span entry, struct audit_fault *found);

/* Computes the hash that a leaf has of a line of an event's log. DB_NONE if there is no such line.
 */
enum db_status audit_line_hash(struct db *db, struct arena *arena, const struct id *event,
                               unsigned line, uint8_t hash[static 32]);

/* ---- Lost leaves ---- */

/* The leaves that a log has lost at its end, according to a kept copy; for `tillroll audit`. */

/* Prints a line for each leaf from `there`, the existing log, to the size of `kept`, a signed
 * checkpoint: its subject, read from the file of kept leaves (deploy/backup log: one line per leaf:
 * index, tab, leaf with COPY's escapes). If leaves are missing from the file or differ from the
 * signed ones, prints that instead. False, with a message, if the file cannot be read. */
bool audit_lost(const char *path, const struct tlog_edge *there, const struct checkpoint *kept);

#endif
