/* The square root of whole numbers, for standard errors. */
#ifndef TILLROLL_ENGINE_ANALYSIS_ROOT_H
#define TILLROLL_ENGINE_ANALYSIS_ROOT_H

#include <stdint.h>

/* floor(sqrt(square)) for 0 <= square < 2^62. */
static inline int64_t root_of(int64_t square)
{
    int64_t low = 0, high = (int64_t)1 << 31;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        if (middle * middle <= square)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

#endif
