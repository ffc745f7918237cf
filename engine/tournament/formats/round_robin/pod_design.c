#include "engine/tournament/formats/round_robin/pod_design.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "engine/tournament/result/result.h"

/* The prime of which `size` is a power, or 0. */
static unsigned prime_of(unsigned size)
{
    unsigned prime = 2;
    while (size % prime != 0)
        prime++;
    while (size % prime == 0)
        size /= prime;
    return size == 1 ? prime : 0;
}

/* a + times * b, digit by digit. */
static unsigned combine(const struct galois *field, unsigned a, unsigned times, unsigned b)
{
    unsigned sum = 0;
    for (unsigned place = 1; place < field->size; place *= field->prime) {
        unsigned digit = (a / place + times * (b / place)) % field->prime;
        sum += digit * place;
    }
    return sum;
}

/* The element times x, where the highest power of x is `reduced`. */
static unsigned shift(const struct galois *field, unsigned element, unsigned reduced)
{
    unsigned top = field->size / field->prime;
    return combine(field, element % top * field->prime, element / top, reduced);
}

/* Fills in the powers of x; true if they are all elements except 0. */
static bool is_primitive(struct galois *field, unsigned reduced)
{
    unsigned element = 1;
    for (unsigned i = 0; i + 1 < field->size; i++) {
        field->power[i] = (uint8_t)element;
        field->logarithm[element] = (uint8_t)i;
        element = shift(field, element, reduced);
        if (element == 0 || (element == 1 && i + 2 < field->size))
            return false;
    }
    return element == 1;
}

bool galois_make(struct galois *field, unsigned size)
{
    *field = (struct galois){.size = size};
    if (size < 2 || size > GALOIS_SIZE_MAX)
        return false;
    field->prime = prime_of(size);
    for (unsigned reduced = 1; field->prime > 0 && reduced < size; reduced++)
        if (is_primitive(field, reduced))
            return true;
    return false;
}

unsigned galois_add(const struct galois *field, unsigned a, unsigned b)
{
    return combine(field, a, 1, b);
}

unsigned galois_subtract(const struct galois *field, unsigned a, unsigned b)
{
    return combine(field, a, field->prime - 1, b);
}

/* The primitive element to any power. */
static unsigned galois_power(const struct galois *field, unsigned exponent)
{
    return field->power[exponent % (field->size - 1)];
}

unsigned galois_multiply(const struct galois *field, unsigned a, unsigned b)
{
    assert(a < field->size && b < field->size);
    if (a == 0 || b == 0)
        return 0;
    return galois_power(field, (unsigned)field->logarithm[a] + field->logarithm[b]);
}

/* Kirkman triples of 3q players: player (element x, level j) is number 3x + j. The base round has
 * {(0, 0), (0, 1), (0, 2)}; with q = 6t + 1 and w a primitive element, for i < t and every j
 * {(w^i, j), (w^(i + 2t), j), (w^(i + 4t), j)}; and for i in the odd sixths of 0 .. 6t - 1
 * {(w^i, 0), (w^(i + 2t), 1), (w^(i + 4t), 2)}. Adding each x to it makes q rounds. For i in the
 * even sixths, that last table and all its translates are one more round each. */

static void place(uint16_t **order, const struct galois *field, unsigned exponent, unsigned level,
                  unsigned translate)
{
    unsigned element = galois_add(field, galois_power(field, exponent), translate);
    *(*order)++ = (uint16_t)(3 * element + level);
}

static void place_mixed(uint16_t **order, const struct galois *field, unsigned i,
                        unsigned translate)
{
    for (unsigned j = 0; j < 3; j++)
        place(order, field, i + j * (field->size - 1) / 3, j, translate);
}

static void kirkman_triple(const struct galois *field, unsigned round, uint16_t *order)
{
    unsigned sixth = (field->size - 1) / 6;
    if (round >= field->size) {
        unsigned i = round - field->size;
        for (unsigned x = 0; x < field->size; x++)
            place_mixed(&order, field, i / sixth * 2 * sixth + i % sixth, x);
        return;
    }
    for (unsigned j = 0; j < 3; j++)
        *order++ = (uint16_t)(3 * round + j);
    for (unsigned i = 0; i < sixth; i++)
        for (unsigned j = 0; j < 3; j++)
            for (unsigned n = 0; n < 3; n++)
                place(&order, field, i + 2 * n * sixth, j, round);
    for (unsigned odd = 1; odd < 6; odd += 2)
        for (unsigned i = 0; i < sixth; i++)
            place_mixed(&order, field, odd * sixth + i, round);
}

/* Kirkman triples of 2q + 1 players: (x, j) with j = 0, 1 is number 3x + j here, before the numbers
 * are closed up; the last player stands still. m with 2 w^m = w^t + 1. */

static unsigned find_double(const struct galois *field)
{
    unsigned sum = galois_add(field, galois_power(field, (field->size - 1) / 6), 1);
    for (unsigned m = 0; m + 1 < field->size; m++) {
        unsigned power = galois_power(field, m);
        if (galois_add(field, power, power) == sum)
            return m;
    }
    return 0;
}

static void close_up(const struct galois *field, uint16_t *order)
{
    for (unsigned i = 0; i < 2 * field->size + 1; i++)
        order[i] = (uint16_t)(order[i] / 3 * 2 + order[i] % 3);
}

static void kirkman_double(const struct galois *field, unsigned round, uint16_t *order)
{
    unsigned sixth = (field->size - 1) / 6, m = find_double(field);
    uint16_t *at = order;
    *at++ = (uint16_t)(3 * round);
    *at++ = (uint16_t)(3 * round + 1);
    *at++ = (uint16_t)(3 * field->size); /* closes up to 2q */
    for (unsigned even = 0; even < 6; even += 2)
        for (unsigned i = even * sixth; i < (even + 1) * sixth; i++) {
            place(&at, field, i, 0, round);
            place(&at, field, i + sixth, 0, round);
            place(&at, field, i + m, 1, round);
        }
    for (unsigned i = 0; i < sixth; i++)
        for (unsigned odd = 1; odd < 6; odd += 2)
            place(&at, field, i + m + odd * sixth, 1, round);
    close_up(field, order);
}

/* Tables of four for 3q + 1 players, q = 4t + 1: (x, j) is number 3x + j, the last one stands
 * still. m is odd, and the logarithms of w^m + 1 and w^m - 1 differ by an odd number; then the
 * differences of {(w^i, j), (-w^i, j), (w^(i + m), j + 1), (-w^(i + m), j + 1)} over even i < 2t
 * are all different. */

static bool find_fours(const struct galois *field, unsigned *m)
{
    for (*m = 1; *m + 1 < field->size; *m += 2) {
        unsigned power = galois_power(field, *m);
        unsigned above = galois_add(field, power, 1), below = galois_subtract(field, power, 1);
        if (above != 0 && below != 0 &&
            (field->logarithm[above] + field->logarithm[below]) % 2 == 1)
            return true;
    }
    return false;
}

static void fours(const struct galois *field, unsigned round, uint16_t *order)
{
    unsigned half = (field->size - 1) / 2, m = 1;
    find_fours(field, &m);
    for (unsigned j = 0; j < 3; j++)
        *order++ = (uint16_t)(3 * round + j);
    *order++ = (uint16_t)(3 * field->size);
    for (unsigned i = 0; i < half; i += 2)
        for (unsigned j = 0; j < 3; j++) {
            place(&order, field, i, j, round);
            place(&order, field, i + half, j, round);
            place(&order, field, i + m, (j + 1) % 3, round);
            place(&order, field, i + m + half, (j + 1) % 3, round);
        }
}

/* Groups: player (group g, element x) is number q * g + x. */

static void groups_meet(const struct galois *field, unsigned seats, unsigned round, uint16_t *order)
{
    for (unsigned t = 0; t < field->size; t++)
        for (unsigned g = 0; g < seats; g++)
            *order++ = (uint16_t)(field->size * g +
                                  galois_add(field, t, galois_multiply(field, g, round)));
}

static bool has_groups(struct galois *field, unsigned players, unsigned seats)
{
    return players % seats == 0 && players / seats >= seats && galois_make(field, players / seats);
}

static unsigned rounds_within_groups(unsigned size, unsigned seats)
{
    return size % seats == 0 ? pod_design_rounds(size, seats) : 0;
}

enum construction { NONE, ONE_TABLE, GROUPS, TRIPLES, TRIPLES_DOUBLE, FOURS };

/* A construction in which everyone meets everyone, in (players - 1) / (seats - 1) rounds. */
static enum construction choose_complete(struct galois *field, unsigned players, unsigned seats)
{
    unsigned m;
    if (seats == 3 && players % 18 == 3 && galois_make(field, players / 3))
        return TRIPLES;
    if (seats == 3 && players % 12 == 3 && galois_make(field, players / 2))
        return TRIPLES_DOUBLE;
    if (seats == 4 && players % 12 == 4 && galois_make(field, players / 3) && find_fours(field, &m))
        return FOURS;
    return NONE;
}

static enum construction choose(struct galois *field, unsigned players, unsigned seats,
                                unsigned *rounds)
{
    enum construction chosen = choose_complete(field, players, seats);
    *rounds = (players - 1) / (seats - 1);
    if (chosen != NONE)
        return chosen;
    *rounds = players == seats;
    if (players == seats)
        return ONE_TABLE;
    if (!has_groups(field, players, seats))
        return NONE;
    *rounds = field->size + rounds_within_groups(field->size, seats);
    return GROUPS;
}

unsigned pod_design_rounds(unsigned players, unsigned seats)
{
    struct galois field;
    unsigned rounds;
    assert(players >= 1 && players <= POD_DESIGN_PLAYERS_MAX && seats >= 2 &&
           seats <= TOURNAMENT_SEATS_MAX);
    choose(&field, players, seats, &rounds);
    return rounds;
}

unsigned pod_design_group_size(unsigned players, unsigned seats)
{
    struct galois field;
    unsigned rounds;
    return choose(&field, players, seats, &rounds) == GROUPS ? field.size : 1;
}

static void within_groups(unsigned size, unsigned seats, unsigned round, uint16_t *order)
{
    for (unsigned g = 0; g < seats; g++) {
        pod_design_round(size, seats, round, order + (size_t)size * g);
        for (unsigned x = 0; x < size; x++)
            order[size * g + x] = (uint16_t)(order[size * g + x] + size * g);
    }
}

void pod_design_round(unsigned players, unsigned seats, unsigned round, uint16_t *order)
{
    struct galois field;
    unsigned rounds;
    enum construction chosen = choose(&field, players, seats, &rounds);
    assert(round < rounds);
    switch (chosen) {
    case ONE_TABLE:
        for (unsigned i = 0; i < players; i++)
            order[i] = (uint16_t)i;
        break;
    case GROUPS:
        if (round < field.size)
            groups_meet(&field, seats, round, order);
        else
            within_groups(field.size, seats, round - field.size, order);
        break;
    case TRIPLES:
        kirkman_triple(&field, round, order);
        break;
    case TRIPLES_DOUBLE:
        kirkman_double(&field, round, order);
        break;
    case FOURS:
        fours(&field, round, order);
        break;
    case NONE:
        break;
    }
}

/* Schedules beyond the constructions of pod_design.c, found by others by search and stored
 * unchanged: tables of four, no repeats.
 *
 *      32 players, 10 rounds   Alejandro Aguado, A 10 days solution to the social golfer problem,
 *                              2004
 *      36 players, 11 rounds   from Alice Miller's collection of solutions of that problem
 *
 * Both are taken from the files behind the seatings of Zenodo 10.5281/zenodo.13971404. No schedule
 * without repeats has more rounds: meeting 31 and 35 others, three at a time, allows 10 and 11.
 */

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
