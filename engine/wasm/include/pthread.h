/* One thread runs here: what is done once is done by the first call. */
#ifndef TILLROLL_WASM_PTHREAD_H
#define TILLROLL_WASM_PTHREAD_H

#include <stdbool.h>

typedef bool pthread_once_t;

#define PTHREAD_ONCE_INIT false

static inline int pthread_once(pthread_once_t *once, void (*run)(void))
{
    if (!*once) {
        *once = true;
        run();
    }
    return 0;
}

#endif
