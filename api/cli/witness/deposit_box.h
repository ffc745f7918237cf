/* The drop box of a witness: moves that players leave with it (engine/log/deposit.h).
 *
 *      <directory>/deposits   `<seconds> TAB <the lines of a deposit, parted by TABs>`
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
    DEPOSITS_MAX = 50000, /* in all: less than the 64 MiB that are read at the start */
    DEPOSITS_OF_GAME = 256,
    DEPOSITS_OF_SEAT = 64 /* of one key in one game */
};

struct left_move {
    uint64_t time_s;
    struct deposit deposit;
};

struct deposit_box {
    pthread_mutex_t mutex;
    struct kept_lines left; /* of struct left_move, in order of time */
    struct counter stored;  /* how many */
};

enum deposit_taken {
    DEPOSIT_STORED,   /* on disk */
    DEPOSIT_REPEATED, /* it was before */
    DEPOSIT_MANY,     /* DEPOSITS_OF_GAME or DEPOSITS_OF_SEAT */
    DEPOSIT_FULL,     /* DEPOSITS_MAX */
    DEPOSIT_FAILED    /* it could not be written, with a message on standard error */
};

/* Reads what was left, or begins. A last line without its end was cut off by a crash before its
 * receipt left, and is removed. False with a message: a line is damaged, or the file cannot be
 * read. */
bool deposit_box_open(struct deposit_box *box, const char *directory);
void deposit_box_close(struct deposit_box *box);

/* Keeps a deposit, whose signature has been checked. `time_s` is when; for one that was repeated,
 * it becomes the time of the first. Never earlier than that of the one before. */
enum deposit_taken deposit_box_take(struct deposit_box *box, const struct deposit *deposit,
                                    uint64_t *time_s);

/* The next one of a game, from `*from` on (0 at first), which moves on. NULL after the last.
 * Borrowed from the box. */
const struct left_move *deposit_box_next(struct deposit_box *box, struct span game, size_t *from);

#endif
