/* Leaves of the transparency log beside what is stored of the things that they are about. */
#ifndef TILLROLL_API_CLI_DATABASE_AUDIT_SUBJECTS_H
#define TILLROLL_API_CLI_DATABASE_AUDIT_SUBJECTS_H

#include "db/link/db.h"
#include "engine/log/note.h"
#include "engine/log/tlog.h"

struct audit_fault {
    const char *code; /* NULL = there is none */
    char message[240];
};

/* Compares leaf `index`, whose text is `entry`, with its ruling, dispute, key, or document. Those
 * of games and commitments are passed over. False if the database failed. */
bool audit_subject(struct db *db, uint64_t index, struct span entry, struct audit_fault *found);

/* The hash that a leaf has of a line of an event's log. DB_NONE if there is no such line. */
enum db_status audit_line_hash(struct db *db, struct arena *arena, const struct id *event,
                               unsigned line, uint8_t hash[static 32]);

/* ---- Lost leaves ---- */

/* What a log has lost beyond its end, as far as somebody has kept it: for `tillroll audit`. */

/* Prints a line for each leaf from `there`, the log as it is, to the size of `kept`, a checkpoint
 * that was signed: what it is about, as the file says in which leaves were kept (deploy/backup log:
 * a line each, its index, a tab and the leaf in the escapes of COPY). Says instead if the file does
 * not have them, or has others than were signed. False, with a message, if it cannot be read. */
bool audit_lost(const char *path, const struct tlog_edge *there, const struct checkpoint *kept);

#endif
