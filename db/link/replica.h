/* Reads from a hot standby that return neither older nor newer data than the primary would. A
 * standby may lag. It may also be ahead: it shows a received change before the primary does, and
 * the change may still be lost with the primary. So a reader asks the primary twice, both times
 * with a small query:
 *
 *      before   the end of its write-ahead log. The standby must have replayed up to there;
 *               then it has everything reported as done so far.
 *      after    whether every transaction that the standby's snapshot may show has ended. Then
 *               all data that was read is visible on the primary, too.
 *
 * Between a promotion and the standby's next restart point (checkpoint_timeout) the standby's
 * timeline is not known, and the standby is not used. */
#ifndef TILLROLL_DB_LINK_REPLICA_H
#define TILLROLL_DB_LINK_REPLICA_H

#include "db/link/db.h"

/* A position in a primary's log. */
struct replica_mark {
    int64_t timeline;
    char position[24]; /* a log sequence number */
};

/* Reads the primary's current position. False if the server cannot be reached, or is not a primary.
 * No transaction may be open on the connection; the same holds for replica_has() and
 * replica_is_confirmed(). */
bool replica_mark(struct db *primary, struct replica_mark *mark);

/* Waits at most `wait_ms` until the standby has replayed the log up to the mark. False if it does
 * not in that time, cannot be reached, follows another history, or is not a standby. Reopens a
 * broken connection. */
bool replica_has(struct db *standby, const struct replica_mark *mark, int wait_ms);

/* Reads which transactions the snapshot of the standby's open transaction may show: only those
 * below this one. */
bool replica_snapshot(struct db *standby, uint64_t *below);

/* Waits at most `wait_ms` until all these transactions have ended on the primary. False if they
 * have not, or the server cannot be reached or is not the primary. */
bool replica_is_confirmed(struct db *primary, uint64_t below, int wait_ms);

#endif
