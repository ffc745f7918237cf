/* Moves that the rules refused, of seats that had to decide: for these seats' own eyes, and for who
 * has to decide a dispute. Rows are only added, REFUSED_MOVES_MAX for each seat of a game; what
 * comes after them is not kept.
 */
#ifndef TILLROLL_DB_REFUSED_MOVES_H
#define TILLROLL_DB_REFUSED_MOVES_H

#include "db/db.h"

enum { REFUSED_MOVES_MAX = 64 };

struct refused_move {
    unsigned seat;
    unsigned seq;          /* of the last entry that the record had */
    const uint8_t *sealed; /* what was tried and why it was refused; sealed by the caller */
    size_t size;
    int64_t received_at_ms;
};

/* DB_CONFLICT if there are enough already, or another is being added at the same moment. */
enum db_status refused_move_add(struct db *db, const struct id *game,
                                const struct refused_move *move);

/* By seat, in the order in which they came. */
enum db_status refused_move_list(struct db *db, struct arena *arena, const struct id *game,
                                 struct refused_move **moves, size_t *count);

#endif
