/* wasi-libc's, and qsort_r() besides, which it does not have. */
#ifndef TILLROLL_WASM_STDLIB_H
#define TILLROLL_WASM_STDLIB_H

#pragma clang system_header /* or #include_next would be warned about */
#include_next <stdlib.h>

/* One thread runs here, and no comparison sorts. */
static int (*qsort_r_compare)(const void *, const void *, void *);
static void *qsort_r_context;

static int qsort_r_call(const void *one, const void *other)
{
    return qsort_r_compare(one, other, qsort_r_context);
}

static inline void qsort_r(void *items, size_t count, size_t size,
                           int (*compare)(const void *, const void *, void *), void *context)
{
    qsort_r_compare = compare;
    qsort_r_context = context;
    qsort(items, count, size, qsort_r_call);
}

#endif
