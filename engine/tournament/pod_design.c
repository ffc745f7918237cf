#include "engine/tournament/pod_design.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "engine/tournament/galois.h"
#include "engine/tournament/result.h"

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

/* A construction in which everybody meets everybody, in (players - 1) / (seats - 1) rounds. */
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
