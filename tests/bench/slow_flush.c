/* LD_PRELOAD for a PostgreSQL server: each flush of a file takes $SLOW_FLUSH_US microseconds
 * longer, as on a slow disk, whatever the machine has. */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int flush(const char *name, int descriptor)
{
    int (*real)(int);
    *(void **)&real = dlsym(RTLD_NEXT, name);
    const char *given = getenv("SLOW_FLUSH_US");
    long us = given == NULL ? 0 : strtol(given, NULL, 10);
    const struct timespec duration = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&duration, NULL);
    return real(descriptor);
}

int fsync(int descriptor)
{
    return flush("fsync", descriptor);
}

int fdatasync(int descriptor)
{
    return flush("fdatasync", descriptor);
}
