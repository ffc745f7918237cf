/* Schedules that no construction of pod_design.c gives, found by others by search and kept as they
 * are: tables of four, nobody meets twice.
 *
 *      32 players, 10 rounds   Alejandro Aguado, A 10 days solution to the social golfer problem,
 *                              2004
 *      36 players, 11 rounds   from Alice Miller's collection of solutions of that problem
 *
 * Both as they stand in the files from which the seatings of Zenodo 10.5281/zenodo.13971404 were
 * made. No schedule without repeats has more rounds: 31 and 35 others, three at a time, are met in
 * 10 and 11.
 */
#include "engine/tournament/pod_design.h"

#include <stddef.h>

enum { SEATS = 4 };

static const uint8_t of_32[10 * 32] = {
    31, 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 3,  7,  27, 0,  6,  17, 21, 2,  4,  9,  30, 14, 18,
    20, 25, 11, 15, 19, 23, 1,  5,  16, 22, 10, 12, 24, 29, 8,  13, 26, 28, 31, 20, 26, 29, 0,
    22, 25, 27, 2,  5,  12, 23, 4,  10, 13, 15, 6,  9,  11, 16, 1,  8,  14, 19, 3,  17, 24, 30,
    7,  18, 21, 28, 31, 10, 17, 23, 0,  9,  18, 24, 2,  8,  16, 25, 4,  14, 21, 29, 5,  13, 20,
    30, 1,  7,  15, 26, 3,  11, 22, 28, 6,  12, 19, 27, 31, 9,  12, 21, 0,  3,  14, 26, 2,  6,
    7,  29, 13, 18, 22, 23, 10, 16, 19, 30, 1,  20, 24, 27, 4,  8,  11, 17, 5,  15, 25, 28, 31,
    8,  22, 30, 0,  4,  23, 28, 2,  13, 17, 27, 7,  12, 16, 20, 5,  9,  19, 26, 1,  11, 18, 29,
    3,  10, 21, 25, 6,  14, 15, 24, 31, 4,  18, 19, 0,  5,  8,  29, 2,  3,  15, 20, 12, 17, 22,
    26, 9,  14, 23, 27, 1,  6,  10, 28, 13, 16, 21, 24, 7,  11, 25, 30, 31, 14, 16, 28, 0,  12,
    15, 30, 2,  11, 21, 26, 17, 19, 25, 29, 6,  8,  20, 23, 1,  3,  9,  13, 4,  7,  22, 24, 5,
    10, 18, 27, 31, 5,  11, 24, 0,  7,  13, 19, 2,  10, 14, 22, 8,  15, 21, 27, 9,  17, 20, 28,
    1,  4,  12, 25, 3,  16, 23, 29, 6,  18, 26, 30, 31, 6,  13, 25, 0,  10, 11, 20, 2,  19, 24,
    28, 4,  16, 26, 27, 5,  7,  14, 17, 1,  21, 23, 30, 3,  8,  12, 18, 9,  15, 22, 29};

static const uint8_t of_36[11 * 36] = {
    35, 9,  24, 27, 0,  3,  11, 21, 12, 15, 23, 33, 1,  5,  7,  28, 4,  13, 17, 19, 16, 25, 29, 31,
    2,  18, 22, 32, 8,  14, 30, 34, 6,  10, 20, 26, 35, 0,  25, 28, 1,  4,  11, 12, 13, 16, 23, 24,
    2,  6,  8,  29, 5,  14, 18, 20, 17, 26, 30, 32, 3,  19, 22, 33, 9,  15, 31, 34, 7,  10, 21, 27,
    0,  1,  26, 29, 2,  5,  12, 13, 14, 17, 24, 25, 3,  7,  9,  30, 6,  15, 19, 21, 18, 27, 31, 33,
    4,  20, 22, 23, 35, 16, 32, 34, 8,  10, 11, 28, 1,  2,  27, 30, 3,  6,  13, 14, 15, 18, 25, 26,
    35, 4,  8,  31, 7,  11, 16, 20, 19, 23, 28, 32, 5,  21, 22, 24, 0,  17, 33, 34, 9,  10, 12, 29,
    2,  3,  28, 31, 4,  7,  14, 15, 16, 19, 26, 27, 0,  5,  9,  32, 8,  12, 17, 21, 20, 24, 29, 33,
    6,  11, 22, 25, 1,  18, 23, 34, 35, 10, 13, 30, 3,  4,  29, 32, 5,  8,  15, 16, 17, 20, 27, 28,
    35, 1,  6,  33, 9,  11, 13, 18, 21, 23, 25, 30, 7,  12, 22, 26, 2,  19, 24, 34, 0,  10, 14, 31,
    4,  5,  30, 33, 6,  9,  16, 17, 18, 21, 28, 29, 0,  2,  7,  23, 35, 12, 14, 19, 11, 24, 26, 31,
    8,  13, 22, 27, 3,  20, 25, 34, 1,  10, 15, 32, 5,  6,  23, 31, 35, 7,  17, 18, 11, 19, 29, 30,
    1,  3,  8,  24, 0,  13, 15, 20, 12, 25, 27, 32, 9,  14, 22, 28, 4,  21, 26, 34, 2,  10, 16, 33,
    6,  7,  24, 32, 0,  8,  18, 19, 12, 20, 30, 31, 2,  4,  9,  25, 1,  14, 16, 21, 13, 26, 28, 33,
    35, 15, 22, 29, 5,  11, 27, 34, 3,  10, 17, 23, 7,  8,  25, 33, 1,  9,  19, 20, 13, 21, 31, 32,
    35, 3,  5,  26, 2,  11, 15, 17, 14, 23, 27, 29, 0,  16, 22, 30, 6,  12, 28, 34, 4,  10, 18, 24,
    8,  9,  23, 26, 35, 2,  20, 21, 11, 14, 32, 33, 0,  4,  6,  27, 3,  12, 16, 18, 15, 24, 28, 30,
    1,  17, 22, 31, 7,  13, 29, 34, 5,  10, 19, 25};

static const struct kept {
    unsigned players, rounds;
    const uint8_t *order; /* round after round, table after table */
} kept[] = {
    {32, 10, of_32},
    {36, 11, of_36},
};

static const struct kept *find(unsigned players, unsigned seats)
{
    for (size_t i = 0; seats == SEATS && i < sizeof kept / sizeof kept[0]; i++)
        if (kept[i].players == players)
            return &kept[i];
    return NULL;
}

unsigned pod_design_kept_rounds(unsigned players, unsigned seats)
{
    const struct kept *found = find(players, seats);
    return found == NULL ? 0 : found->rounds;
}

void pod_design_kept_round(unsigned players, unsigned seats, unsigned round, uint16_t *order)
{
    const struct kept *found = find(players, seats);
    for (unsigned i = 0; found != NULL && i < players; i++)
        order[i] = found->order[(size_t)round * players + i];
}
