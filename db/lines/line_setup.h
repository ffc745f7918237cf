/* Makes an installation use line databases (db/lines/line_databases.h), and stop using them.
 *
 * Each line database says in a table which place it has, of how many, and in which installation.
 * Both it and the central database refuse lines of sessions that say otherwise or nothing: so a
 * service with another list, or none, cannot write, and no two services can disagree on where a
 * game's lines go.
 */
#ifndef TILLROLL_DB_LINES_LINE_SETUP_H
#define TILLROLL_DB_LINES_LINE_SETUP_H

#include "db/link/db.h"

/* Joins the line databases that are in use to the central one at `url`, as the owner of the tables;
 * makes their schemas. May be repeated. False with a sentence in `error`: of places or an
 * installation that do not fit, or of services that run. */
bool line_setup_join(const char *url, struct text *error);

/* Whether what is in use is what was joined. What is away counts as good, since the databases
 * refuse what does not fit. `central` may be NULL. False with a sentence in `error`. */
bool line_setup_check(struct db *central, struct text *error);

/* The first step of leaving: no line is added to the line databases from here on. May be repeated.
 * False, with a sentence in `error`, if what is in use is not what was joined to the central
 * database at `url`. */
bool line_setup_close(const char *url, struct text *error);

/* The last step, when every line is in the central database at `url`: empties the line databases,
 * and lets all sessions add lines to the central one again. */
bool line_setup_leave(const char *url, struct text *error);

#endif
