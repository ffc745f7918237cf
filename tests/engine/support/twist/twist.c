#include "tests/engine/support/twist/twist.h"

#include <string.h>

const struct twisting *twisting_of(const struct game *game)
{
    static const struct twisting *const all[] = {&twisting_mall_world, &twisting_shinjuku,
                                                 &twisting_super_motherload, &twisting_supermarche,
                                                 &twisting_superstore_3000};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i]->slug, game->slug) == 0)
            return all[i];
    return NULL;
}

/* The next to be drawn every other time, the last without dice. */
static unsigned choose(unsigned from, unsigned end, struct dice *dice)
{
    if (dice == NULL)
        return end - 1;
    return dice_one_in(dice, 2) ? from : from + dice_below(dice, end - from);
}

/* The item before `at`, or around it, that is not `item`; `end` if there is none. */
static unsigned find_other(const uint8_t *items, unsigned from, unsigned end, unsigned at,
                           uint8_t item)
{
    for (unsigned step = 0; step < end - from; step++) {
        unsigned i = from + (at - from + end - from - step) % (end - from);
        if (items[i] != item)
            return i;
    }
    return end;
}

bool twist_pile(uint8_t *items, unsigned from, unsigned end, struct dice *dice)
{
    if (from >= end)
        return false;
    unsigned one = choose(from, end, dice);
    unsigned start = dice == NULL ? one : from + dice_below(dice, end - from);
    unsigned two = find_other(items, from, end, start, items[one]);
    if (two == end)
        return false;
    uint8_t item = items[one];
    items[one] = items[two];
    items[two] = item;
    return true;
}

bool twist_counts(uint8_t *counts, unsigned kinds, uint8_t *items, unsigned from, unsigned end,
                  struct dice *dice)
{
    if (from >= end)
        return false;
    unsigned first = dice == NULL ? 0 : dice_below(dice, kinds);
    for (unsigned i = 0; i < kinds; i++) {
        unsigned kind = (first + i) % kinds;
        if (counts[kind] == 0)
            continue;
        unsigned other = find_other(items, from, end, choose(from, end, dice), (uint8_t)kind);
        if (other == end)
            continue;
        counts[kind]--;
        counts[items[other]]++;
        items[other] = (uint8_t)kind;
        return true;
    }
    return false;
}

void conceal_counts(uint8_t *counts, unsigned kinds)
{
    unsigned sum = 0;
    for (unsigned kind = 0; kind < kinds; kind++)
        sum += counts[kind];
    memset(counts, 0, kinds);
    counts[0] = (uint8_t)sum;
}

bool conceals(struct viewer viewer, unsigned seat)
{
    return viewer.kind == VIEWER_SPECTATOR || (viewer.kind == VIEWER_SEAT && viewer.seat != seat);
}
