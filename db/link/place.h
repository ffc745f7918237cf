/* The places of databases: the central one is at 0, the line databases (db/lines/line_databases.h)
 * take 1 .. count. Each session states the place that it believes its database to have, and each
 * database has a history of its own. */
#ifndef TILLROLL_DB_LINK_PLACE_H
#define TILLROLL_DB_LINK_PLACE_H

#include <stddef.h>

enum { DB_PLACES_MAX = 16 };

/* Sets the line databases. To be called before the first connection is opened; the URLs are
 * borrowed forever. */
void db_places_use(const char *const *urls, size_t count);

#endif
