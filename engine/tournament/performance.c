#include "engine/tournament/performance.h"

#include <assert.h>

enum { EVEN = 50, ALL = 100, FIRST_STEP = 16 };

/* Table 8.1.2: the largest difference at which 50, 51, .. 99 per cent are expected. */
static const int16_t last_difference[ALL - EVEN] = {
    3,   10,  17,  25,  32,  39,  46,  53,  61,  68,  76,  83,  91,  98,  106, 113, 121,
    129, 137, 145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278,
    290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735};

/* Table 8.1.1 for 50, 51, .. 100 per cent; below, the same with a minus sign. */
static const int16_t difference_for[ALL - EVEN + 1] = {
    0,   7,   14,  21,  29,  36,  43,  50,  57,  65,  72,  80,  87,  95,  102, 110, 117,
    125, 133, 141, 149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273,
    284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800};

unsigned performance_expected(int32_t difference)
{
    if (difference < 0)
        return ALL - performance_expected(-difference);
    unsigned low = EVEN, high = ALL;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (difference > last_difference[middle - EVEN])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int32_t performance_difference(unsigned percent)
{
    assert(percent <= ALL);
    return percent >= EVEN ? difference_for[percent - EVEN] : -difference_for[EVEN - percent];
}

int32_t performance_mean(const int32_t *ratings, size_t count)
{
    int64_t sum = 0, games = (int64_t)count;
    assert(count >= 1 && count <= PERFORMANCE_GAMES_MAX);
    for (size_t i = 0; i < count; i++)
        sum += ratings[i];
    return (int32_t)((2 * sum + games) / (2 * games));
}

int32_t performance_rating(const int32_t *ratings, size_t count, uint32_t halves)
{
    uint32_t games = (uint32_t)count;
    assert(halves <= 2 * games);
    unsigned percent = (ALL * halves + games) / (2 * games);
    return performance_mean(ratings, count) + performance_difference(percent);
}

/* Whether the expected score of `rating` is at least the actual one, in half percentages. */
static int reaches(int32_t rating, const int32_t *ratings, size_t count, uint32_t halves)
{
    uint32_t expected = 0;
    for (size_t i = 0; i < count; i++)
        expected += performance_expected(rating - ratings[i]);
    return 2 * expected >= ALL * halves;
}

/* `below` does not reach the score, `reached` does: halved until they are neighbours. */
static int32_t close_in(int32_t below, int32_t reached, const int32_t *ratings, size_t count,
                        uint32_t halves)
{
    while (reached - below > 1) {
        int32_t middle = below + (reached - below) / 2;
        if (reaches(middle, ratings, count, halves))
            reached = middle;
        else
            below = middle;
    }
    return reached;
}

int32_t performance_perfect(const int32_t *ratings, size_t count, uint32_t halves)
{
    int32_t lowest = ratings[0];
    assert(count >= 1 && count <= PERFORMANCE_GAMES_MAX && halves <= 2 * count);
    for (size_t i = 1; i < count; i++)
        lowest = ratings[i] < lowest ? ratings[i] : lowest;
    if (halves == 0)
        return lowest - PERFORMANCE_SPAN;
    int32_t guess = performance_rating(ratings, count, halves), step = FIRST_STEP;
    if (reaches(guess, ratings, count, halves)) {
        for (; reaches(guess - step, ratings, count, halves); step *= 2)
            guess -= step;
        return close_in(guess - step, guess, ratings, count, halves);
    }
    for (; !reaches(guess + step, ratings, count, halves); step *= 2)
        guess += step;
    return close_in(guess, guess + step, ratings, count, halves);
}
