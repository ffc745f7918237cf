/* Verifies one stored record by replay, and against other stored data about its game. */
#ifndef TILLROLL_API_CLI_DATABASE_AUDIT_CHECK_H
#define TILLROLL_API_CLI_DATABASE_AUDIT_CHECK_H

#include <stdbool.h>

#include "api/state/component_cache.h"
#include "db/link/db.h"
#include "db/store/games/audit.h"
#include "engine/record/replay.h"
#include "engine/record/signature.h"

struct audit_checker {
    struct component_cache *components; /* borrowed */
    struct db *db;                      /* borrowed, with an open transaction */
    struct replay replay;               /* of the record checked last */
};

enum audit_verdict {
    AUDIT_GOOD,    /* finished and proved, or running with intact syntax and chain */
    AUDIT_PENDING, /* played to the end, but the secret is not revealed: valid if a table of its
                    * round is still playing */
    AUDIT_DAMAGED  /* `fault` says where and why */
};

/* Verifies a record. `checker` must be zeroed at first except for `components` and `db`. Yields
 * (sched_yield) about every 100 microseconds. */
enum audit_verdict audit_check(struct audit_checker *checker, const struct audit_record *record,
                               struct record_fault *fault);

/* ---- Officials ---- */

/* Acts of officials on games or tables to which they were a party (db/store/games/parties.h). The
 * service has refused them since migration 0034. Earlier ones are not damage and an audit cannot
 * undo them, so they are reported, but fail the audit only on request. */

/* Prints a line `notice: ..` for each finding, and a summary:
 *
 *      official-was-party           the official who ruled on a table or wrote a line of a game's
 *                                   record is known, and was a party
 *      official-may-have-been-party a seat was put on fallback, forfeited or given to a substitute
 *                                   before the responsible official was stored, in a game to which
 *                                   an official of the event was a party
 *
 * Returns an exit status: EXIT_UNKNOWN if the database could not be read; EXIT_NO if there is a
 * finding and `strict`; else EXIT_YES. */
int audit_officials(struct db *db, bool strict);

#endif
