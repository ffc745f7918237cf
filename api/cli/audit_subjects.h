/* Leaves of the transparency log beside what is stored of the things that they are about. */
#ifndef TILLROLL_API_CLI_AUDIT_SUBJECTS_H
#define TILLROLL_API_CLI_AUDIT_SUBJECTS_H

#include "db/db.h"

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

#endif
