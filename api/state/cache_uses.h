/* The number of successful and failed lookups in a cache. */
#ifndef TILLROLL_API_STATE_CACHE_USES_H
#define TILLROLL_API_STATE_CACHE_USES_H

#include <stdint.h>

struct cache_uses {
    uint64_t found, missed;
};

#endif
