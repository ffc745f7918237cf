/* Loads libraries at the first call of one of their functions, so that programs start without
 * waiting for libraries that they may never need, and do not keep them in memory. */
#ifndef TILLROLL_API_BASE_LATE_H
#define TILLROLL_API_BASE_LATE_H

#include <stddef.h>

/* The name of a function, and the address of the pointer that is set to it. */
struct late_function {
    const char *name;
    void *place;
};

/* Loads the library with this file name (`libicui18n.so.72`) and finds all functions. If one is
 * missing, reports it on stderr and aborts the program: the machine lacks a library for which the
 * program was built. The library is never unloaded. To be called once, with pthread_once(). */
void late_load(const char *library, const struct late_function *functions, size_t count);

#endif
