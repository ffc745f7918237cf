/* Reading from a hot standby without being told anything older, or newer, than the primary would
 * tell. A standby may lag; and it may be ahead, since what it has been sent becomes visible there
 * before it does where it is committed, and may yet be lost with the primary. So who reads there
 * asks the primary twice, both times something small:
 *
 *      before   how far its log of changes goes: the standby must have made all of that its own.
 *               Whatever was answered as done before is in there.
 *      after    whether every transaction that the standby's snapshot may show has ended. Whatever
 *               was read is then what everybody can read.
 *
 * Between a promotion and the standby's next restart point (checkpoint_timeout) its timeline is not
 * known, and it is not used.
 */
#ifndef TILLROLL_DB_REPLICA_H
#define TILLROLL_DB_REPLICA_H

#include "db/db.h"

/* How far a primary was. */
struct replica_mark {
    int64_t timeline;
    char position[24]; /* a log sequence number */
};

/* Notes how far the primary is now. False if it cannot be asked, or is none. No transaction may be
 * open on the connection; nor for the next. */
bool replica_mark(struct db *primary, struct replica_mark *mark);

/* Whether the standby has come as far, waiting `wait_ms` at most for that. False if it cannot be
 * asked, follows another history, or is no standby. Reopens a broken connection. */
bool replica_has(struct db *standby, const struct replica_mark *mark, int wait_ms);

/* What the snapshot of the standby's open transaction may show: transactions below this one. */
bool replica_snapshot(struct db *standby, uint64_t *below);

/* Whether all these have ended on the primary, waiting as above. */
bool replica_is_confirmed(struct db *primary, uint64_t below, int wait_ms);

#endif
