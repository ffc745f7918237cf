/* Libraries that are loaded when something in them is called first, so that the start of a program
 * does not wait for what it may never need, and its memory does not hold it. */
#ifndef TILLROLL_API_BASE_LATE_H
#define TILLROLL_API_BASE_LATE_H

#include <stddef.h>

/* A function, and the pointer to a function of its type that becomes its address. */
struct late_function {
    const char *name;
    void *place;
};

/* Loads the library with this file name (`libicui18n.so.72`) and finds all functions. If one is
 * missing, says which on stderr and aborts the program: the machine lacks what the program was
 * linked for. The library is never unloaded. To be called once, with pthread_once(). */
void late_load(const char *library, const struct late_function *functions, size_t count);

#endif
