/* Compares two records: those of two scorers who have followed one game independently, or those of
 * two games of one duplicate board.
 *
 * What counts of each is compared, in order: set-up, plies, and what came from where. Times and
 * numbers of lines do not matter, nor what was taken back, nor in which order a scorer said what
 * came from different places in one step. Pure.
 */
#ifndef TILLROLL_ENGINE_RECORD_DIFFERENCE_H
#define TILLROLL_ENGINE_RECORD_DIFFERENCE_H

#include "engine/base/arena.h"
#include "engine/record/record.h"

enum { DIFFERENCE_SIDES = 2 };

struct difference {
    bool differs;   /* otherwise each is the other, or its beginning */
    unsigned plies; /* before it, that both have */
    struct {
        uint32_t seq;      /* the first entry that differs; 0 = this record ends before it */
        struct span entry; /* seat (or `-`) and what, without number, time and mark; in the arena,
                            * "" at its end */
    } side[DIFFERENCE_SIDES];
};

/* Compares two records that a replay has accepted line by line, finished or not. */
void record_difference(struct arena *arena, const struct span record[static DIFFERENCE_SIDES],
                       struct difference *difference);

#endif
