/* How often something was looked for in a cache, and was there or was not. */
#ifndef TILLROLL_API_CACHE_USES_H
#define TILLROLL_API_CACHE_USES_H

#include <stdint.h>

struct cache_uses {
    uint64_t found, missed;
};

#endif
