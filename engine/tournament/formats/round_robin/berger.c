#include "engine/tournament/formats/round_robin/berger.h"

#include <assert.h>

static unsigned even(unsigned entries)
{
    return entries + entries % 2;
}

unsigned berger_rounds(unsigned entries, bool twice)
{
    assert(entries >= BERGER_ENTRIES_MIN && entries <= BERGER_ENTRIES_MAX);
    return (even(entries) - 1) * (twice ? 2 : 1);
}

/* The round of the tables for a round of the event, from 0. With three rounds or more, the last two
 * of the first half are swapped. */
static unsigned table_round(unsigned once, bool twice, unsigned round)
{
    if (twice && once >= 3 && (round == once - 2 || round == once - 1))
        return round == once - 1 ? once - 2 : once - 1;
    return round % once;
}

/* Half of `number` on a circle of `size`, which is odd. */
static unsigned half_on_circle(unsigned number, unsigned size)
{
    return (number % 2 == 0 ? number / 2 : (number + size) / 2) % size;
}

static struct berger_pairing exchange(struct berger_pairing pairing)
{
    return (struct berger_pairing){pairing.second, pairing.first};
}

/* The last number against the one at `x`, which has the first seat in the lower half. */
static struct berger_pairing pair_last(unsigned entries, unsigned x)
{
    unsigned last = even(entries) - 1;
    const struct berger_pairing pairing = {(uint16_t)x, (uint16_t)last};
    return x < even(entries) / 2 ? pairing : exchange(pairing);
}

unsigned berger_round(unsigned entries, bool twice, unsigned round, struct berger_pairing *pairings)
{
    unsigned once = berger_rounds(entries, false);
    assert(round >= 1 && round <= berger_rounds(entries, twice));
    bool second_half = round > once;
    /* In indices, number x being x - 1: 2x = round, counted from 0. */
    unsigned x = half_on_circle(table_round(once, twice, round - 1), once);
    unsigned count = even(entries) / 2;
    pairings[0] = pair_last(entries, x);
    for (unsigned i = 1; i < count; i++)
        pairings[i] =
            (struct berger_pairing){(uint16_t)((x + i) % once), (uint16_t)((x + once - i) % once)};
    for (unsigned i = 0; second_half && i < count; i++)
        pairings[i] = exchange(pairings[i]);
    if (entries % 2 != 0)
        pairings[0] = (struct berger_pairing){(uint16_t)x, BERGER_NOBODY};
    return count;
}

bool berger_results_stand(unsigned completed, unsigned games)
{
    return 2 * completed >= games;
}
