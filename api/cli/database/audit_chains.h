/* The part of `tillroll audit` for chained or signed data other than the records of games: logs of
 * events, open ones too, logs of disputes, histories of players' keys, and the records of scorers
 * at real tables. */
#ifndef TILLROLL_API_CLI_DATABASE_AUDIT_CHAINS_H
#define TILLROLL_API_CLI_DATABASE_AUDIT_CHAINS_H

#include "db/link/db.h"

/* Recomputes every chain and compares it with the stored one line by line, folds disputes and keys,
 * replays recordings, compares their heads with those in events' logs, and checks that the
 * transparency log contains what it should. Prints a line for each damaged log, naming its first
 * damaged line, and a summary; returns an exit status. */
int audit_chains(struct db *db);

#endif
