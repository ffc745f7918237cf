/* Inside db/writer/ only: whether a batch waits for the clients that have just been answered.
 *
 * Most clients that are programs send their next request at once. A commit that starts before these
 * arrive takes only the other requests, and then the two groups alternate, each waiting for nearly
 * two commits. If a commit takes longer than serving them all, it is better to wait for the games
 * of the last batch. The time to serve one is measured: it depends on the machine and on its other
 * requests. People think before they move: if few of the games come back, the next batches do not
 * wait, and their number doubles with each wait in vain that follows. */
#ifndef TILLROLL_DB_WRITER_LINGER_H
#define TILLROLL_DB_WRITER_LINGER_H

#include "db/link/id.h"
#include "db/writer/write.h"

/* Initially zeroed. */
struct linger {
    size_t expected; /* games it waits for; 0 = it does not wait */
    size_t returned; /* how many of them have come back */
    struct id game[WRITER_ROWS_MAX];
    unsigned pause;  /* number of coming batches that do not wait */
    unsigned pauses; /* the last value of `pause`, which grows with each wait in vain */
    int64_t loop_us; /* processor time of the loop at the last batch; 0 = there was none */
    int64_t serve; /* sixteenths of a microsecond to serve one move, moving average; 0 = unknown */
};

/* Starts waiting if that pays. `answered`: the writes of the last batch, in the order of their
 * games' ids. `waiting`: the number of writes already in the queue. `commit_us`: how long a commit
 * takes, microseconds. `loop_us`: the processor time of the loop's thread since its start. Returns
 * the microseconds after which linger_end() must be called at the latest; 0 if there is no waiting.
 */
int64_t linger_begin(struct linger *linger, struct write *const *answered, size_t count,
                     size_t waiting, int64_t commit_us, int64_t loop_us);

/* Records that a write of this game is now in the queue. */
void linger_note(struct linger *linger, const struct id *game);

/* True while games are expected that have not come back. */
bool linger_waits(const struct linger *linger);

/* Stops waiting, because the next batch is sent. Without effect if it does not wait. */
void linger_end(struct linger *linger);

#endif
