/* The transaction of a call: preparing and ending it, and updating memory afterwards; and the
 * service's own work, which has a transaction but no request. */
#ifndef TILLROLL_API_WORK_TRANSACTION_H
#define TILLROLL_API_WORK_TRANSACTION_H

#include <stdbool.h>
#include <stdint.h>

struct call;
struct db;
struct service;

enum { TRANSACTION_TRIES = 3 }; /* at most, if a conflict allows another try */

/* Prepares a call for its first or a further try: clears response, caller and body. */
void transaction_reset(struct call *call);

/* Updates memory with what was committed, or rolled back: caches take over the written data, and
 * holders of copies are notified. For calls that end their transactions themselves. */
void transaction_settle(struct call *call, bool committed);

/* Ends the open transaction of call->db: rolls back if the response is a problem, else commits;
 * then updates memory. A failed commit replaces the response. `writes`: the route writes. */
void transaction_end(struct call *call, bool writes);

/* Does work of the service itself, without a request or a caller: makes a call on `db`, which has
 * no open transaction, and begins, repeats, commits and follows it up like the call of a request.
 * `work` may set the id of a game in call->id[0]. True if it was committed; false if `work`
 * responded with a problem or the database failed. */
bool transaction_own(struct service *service, struct db *db, int64_t now_ms,
                     void (*work)(struct call *call, void *context), void *context);

/* ---- Transactions of routes with WORK_OWN; other routes have one already ---- */

/* Begins a transaction on a separate connection; false with a problem. In both cases it must be
 * closed, which commits, or rolls back if the response is a problem. */
bool transaction_open(struct call *call);
void transaction_close(struct call *call);

#endif
