/* The progress of a long computation, for code that waits for it. The result does not depend on
 * it. */
#ifndef TILLROLL_ENGINE_BASE_PROGRESS_H
#define TILLROLL_ENGINE_BASE_PROGRESS_H

#include <stddef.h>

struct progress {
    /* Called on the computing thread; `done` grows from call to call, up to `total`, in units
     * chosen by the computation. */
    void (*tell)(void *context, unsigned done, unsigned total);
    void *context; /* borrowed */
};

/* Does nothing if `progress` is NULL. */
static inline void progress_tell(const struct progress *progress, unsigned done, unsigned total)
{
    if (progress != NULL)
        progress->tell(progress->context, done, total);
}

#endif
