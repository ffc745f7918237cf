/* Joining line databases (db/lines/line_databases.h) to an installation, and leaving them.
 *
 * Each line database has a table with its place, the number of places, and its installation. Both
 * it and the central database refuse lines from sessions that state something else or nothing. So a
 * service with another list, or none, cannot write, and no two services can disagree on where a
 * game's lines go. */
#ifndef TILLROLL_DB_LINES_LINE_SETUP_H
#define TILLROLL_DB_LINES_LINE_SETUP_H

#include "db/link/db.h"

/* Joins the line databases in use to the central one at `url`, as the owner of the tables, and
 * creates their schemas. May be repeated. False with a sentence in `error` if places or
 * installations do not match, or a service is running. */
bool line_setup_join(const char *url, struct text *error);

/* True if the line databases in use are those that were joined. A database that cannot be reached
 * counts as good, since each database refuses lines that do not belong there. `central` may be
 * NULL. False with a sentence in `error`. */
bool line_setup_check(struct db *central, struct text *error);

/* The first step of leaving: stops the line databases from accepting lines. May be repeated. False,
 * with a sentence in `error`, if the line databases in use are not those joined to the central
 * database at `url`. */
bool line_setup_close(const char *url, struct text *error);

/* The last step, once the central database at `url` has every line: empties the line databases, and
 * lets all sessions add lines to the central one again. False with a sentence in `error`. */
bool line_setup_leave(const char *url, struct text *error);

#endif
