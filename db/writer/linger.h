/* Inside db/writer/ only: whether a batch waits for the clients who have just been answered.
 *
 * Most clients that are programs ask again at once. A commit that starts before that takes only the
 * others along, and then the two groups take turns, each waiting for nearly two commits. Where a
 * commit takes longer than to serve them all it is better to wait, for the games that were in the
 * last batch. How long it takes to serve one is measured: it depends on the machine, and on what
 * else is asked for. People think before they move on: if few of the games come back, the next
 * batches do not wait, the more of them the more often that was in vain.
 */
#ifndef TILLROLL_DB_WRITER_LINGER_H
#define TILLROLL_DB_WRITER_LINGER_H

#include "db/link/id.h"
#include "db/writer/writer.h"

/* All zero at first. */
struct linger {
    size_t expected; /* games; 0 = it does not linger */
    size_t returned; /* of these */
    struct id game[WRITER_ROWS_MAX];
    unsigned pause;  /* batches that do not wait */
    unsigned pauses; /* in a row, the last time */
    int64_t loop_us; /* at the last batch; 0 = there was none */
    int64_t serve;   /* sixteenths of a microsecond for one move, moving average; 0 = unknown */
};

/* Begins if it is worth it. `answered`: the writes of the last batch, in the order of their games'
 * ids. `waiting`: writes that wait already. `commit_us`: what a commit takes, microseconds.
 * `loop_us`: the processor time of the thread that serves, since it began. Returns after how many
 * microseconds linger_end() must follow at the latest; 0 if there is no waiting. */
int64_t linger_begin(struct linger *linger, struct write *const *answered, size_t count,
                     size_t waiting, int64_t commit_us, int64_t loop_us);

/* A write of this game waits now. */
void linger_note(struct linger *linger, const struct id *game);

/* True while there is somebody to wait for. */
bool linger_waits(const struct linger *linger);

/* The next batch is sent. Does nothing if it does not linger. */
void linger_end(struct linger *linger);

#endif
