/* Reads from a hot standby that return neither older nor newer data than the primary would. A
 * standby may lag; and it may be ahead, since what it has received becomes visible there before it
 * does on the primary, and may yet be lost with the primary. So a reader there asks the primary
 * twice, both times with a small query:
 *
 *      before   how far its write-ahead log goes: the standby must have replayed all of that.
 *               It then has everything reported as done so far.
 *      after    whether every transaction that the standby's snapshot may show has ended. Then
 *               whatever was read is visible on the primary, too.
 *
 * Between a promotion and the standby's next restart point (checkpoint_timeout) its timeline is not
 * known, and it is not used.
 */
#ifndef TILLROLL_DB_LINK_REPLICA_H
#define TILLROLL_DB_LINK_REPLICA_H

#include "db/link/db.h"

/* A position in a primary's log. */
struct replica_mark {
    int64_t timeline;
    char position[24]; /* a log sequence number */
};

/* Reads the primary's current position. False if it cannot be reached, or is not a primary. No
 * transaction may be open on the connection, nor for the next function. */
bool replica_mark(struct db *primary, struct replica_mark *mark);

/* True if the standby has reached the mark, waiting at most `wait_ms`. False if it cannot be
 * reached, follows another history, or is not a standby. Reopens a broken connection. */
bool replica_has(struct db *standby, const struct replica_mark *mark, int wait_ms);

/* What the snapshot of the standby's open transaction may show: transactions below this one. */
bool replica_snapshot(struct db *standby, uint64_t *below);

/* True if all these have ended on the primary, waiting as above. */
bool replica_is_confirmed(struct db *primary, uint64_t below, int wait_ms);

#endif
