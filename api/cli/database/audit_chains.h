/* The part of `tillroll audit` that looks at what is chained or signed beside records: the logs of
 * events, of open ones too, those of disputes, and the histories of players' keys. */
#ifndef TILLROLL_API_CLI_DATABASE_AUDIT_CHAINS_H
#define TILLROLL_API_CLI_DATABASE_AUDIT_CHAINS_H

#include "db/link/db.h"

/* Recomputes every chain and compares it with what is stored, line by line; folds disputes and
 * keys; and looks whether what ought to be in the transparency log is there. Prints a line for each
 * log in which something is wrong, with the first line that is, and one for the whole; returns an
 * exit status. */
int audit_chains(struct db *db);

#endif
