/* The transaction of a call: preparing it, ending it, and updating memory afterwards; and work of
 * the service itself, which has a transaction but no request.
 */
#ifndef TILLROLL_API_WORK_TRANSACTION_H
#define TILLROLL_API_WORK_TRANSACTION_H

#include <stdbool.h>
#include <stdint.h>

struct call;
struct db;
struct service;

enum { TRANSACTION_TRIES = 3 }; /* at most, where a conflict lets the work be tried again */

/* Prepares a call for its first or a further try: no answer, no caller, no body. */
void transaction_reset(struct call *call);

/* Brings memory in line with what was committed, or rolled back: caches take over what was written,
 * and holders of copies are notified. For calls that end their transactions themselves. */
void transaction_settle(struct call *call, bool committed);

/* Ends the open transaction of call->db: rolled back where the answer is a problem, else committed;
 * then settles. A commit that fails replaces the answer. `writes`: the route writes.
 */
void transaction_end(struct call *call, bool writes);

/* Work of the service itself, without a request and without a caller: a call on `db`, which has no
 * open transaction, that is begun, done, tried again, committed and followed up like the call of a
 * request. `work` may set the id of a game in call->id[0]. True if it was committed; false if
 * `work` answered with a problem or the database failed. */
bool transaction_own(struct service *service, struct db *db, int64_t now_ms,
                     void (*work)(struct call *call, void *context), void *context);

/* ---- Transactions, for routes with WORK_OWN: all others have one ---- */

/* Begins one, on a separate connection; false with a problem. Either way it must be closed, which
 * commits, or rolls back where the answer is a problem. */
bool transaction_open(struct call *call);
void transaction_close(struct call *call);

#endif
