/* The drop box of a witness: moves that players leave with it (engine/log/deposit.h).
 *
 *      <directory>/deposits   `<seconds> TAB <the lines of a deposit, separated by TABs>`
 *                             (kept_lines.h)
 *
 * The caller holds the lock of the directory (witness_state.h). Any thread.
 */
#ifndef TILLROLL_API_CLI_WITNESS_DEPOSIT_BOX_H
#define TILLROLL_API_CLI_WITNESS_DEPOSIT_BOX_H

#include <pthread.h>

#include "api/cli/witness/kept_lines.h"
#include "engine/base/counter.h"
#include "engine/log/deposit.h"

enum {
    DEPOSITS_MAX = 50000, /* in total: less than the 64 MiB read at the start */
    DEPOSITS_OF_GAME = 256,
    DEPOSITS_OF_SEAT = 64 /* per key and game */
};

struct left_move {
    uint64_t time_s;
    struct deposit deposit;
};

struct deposit_box {
    pthread_mutex_t mutex;
    struct kept_lines left; /* of struct left_move, in order of time */
    struct counter stored;  /* number of deposits */
};

enum deposit_taken {
    DEPOSIT_STORED,   /* on disk */
    DEPOSIT_REPEATED, /* it was stored before */
    DEPOSIT_MANY,     /* the limit DEPOSITS_OF_GAME or DEPOSITS_OF_SEAT is reached */
    DEPOSIT_FULL,     /* the limit DEPOSITS_MAX is reached */
    DEPOSIT_FAILED    /* it could not be stored; with a message on standard error */
};

/* Reads the deposits, or begins an empty file. A last line without its end was cut off by a crash
 * before its receipt was sent, and is removed. False with a message if a line is damaged, or the
 * file cannot be read. */
bool deposit_box_open(struct deposit_box *box, const char *directory);
void deposit_box_close(struct deposit_box *box);

/* Stores a deposit, whose signature must have been checked. `time_s` is the present time; for a
 * repeated deposit, it becomes the time of the first. Times never decrease. */
enum deposit_taken deposit_box_take(struct deposit_box *box, const struct deposit *deposit,
                                    uint64_t *time_s);

/* The next deposit of a game, starting at `*from` (0 at first), which is advanced. NULL after the
 * last. Borrowed from the box. */
const struct left_move *deposit_box_next(struct deposit_box *box, struct span game, size_t *from);

#endif
