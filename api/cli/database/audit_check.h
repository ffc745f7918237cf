/* Checking one stored record against itself, by replay, and against what else is stored of its
 * game. */
#ifndef TILLROLL_API_CLI_DATABASE_AUDIT_CHECK_H
#define TILLROLL_API_CLI_DATABASE_AUDIT_CHECK_H

#include <stdbool.h>

#include "db/link/db.h"
#include "db/store/games/audit.h"
#include "engine/record/replay.h"
#include "engine/record/signature.h"

struct audit_checker {
    struct replay replay; /* of the record checked last */
    char *text;           /* its lines, joined */
    size_t capacity;
};

enum audit_verdict {
    AUDIT_GOOD,    /* finished and proved, or running and whole as far as form and chain go */
    AUDIT_PENDING, /* played to its end, but the secret is not revealed: good if a table of its
                      round is still playing */
    AUDIT_DAMAGED  /* `fault` says where and why */
};

/* `checker` starts zeroed. Gives way to others (sched_yield) about every 100 microseconds. */
enum audit_verdict audit_check(struct audit_checker *checker, const struct audit_record *record,
                               struct record_fault *fault);

void audit_checker_free(struct audit_checker *checker);

/* ---- Officials ---- */

/* Officials who acted on a game or table that they were a party to (db/store/games/parties.h).
 * Since migration 0034 the service refuses that; what came about before then is no damage to any
 * data and cannot be undone by an audit, so it is told, and makes the audit fail only where that is
 * asked for. */

/* Prints a line `notice: ..` for each finding, and one for all:
 *
 *      official-was-party           who ruled on a table, or wrote a line of a game's record, is
 *                                   known, and was a party to it
 *      official-may-have-been-party a seat was put on fallback, forfeited or given to a substitute
 *                                   in a game to which an official of the event was a party, before
 *                                   it was stored who did such things
 *
 * Returns an exit status: EXIT_UNKNOWN if the database could not be read; EXIT_NO if there is a
 * finding and `strict`; else EXIT_YES. */
int audit_officials(struct db *db, bool strict);

#endif
