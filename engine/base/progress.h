/* How far a long computation has come, for whoever waits for it. What is computed does not depend
 * on it. */
#ifndef TILLROLL_ENGINE_BASE_PROGRESS_H
#define TILLROLL_ENGINE_BASE_PROGRESS_H

#include <stddef.h>

struct progress {
    /* Called on the computing thread; `done` grows from call to call, up to `total`, in units that
     * the computation names. */
    void (*tell)(void *context, unsigned done, unsigned total);
    void *context; /* borrowed */
};

/* Nothing if `progress` is NULL: nobody waits. */
static inline void progress_tell(const struct progress *progress, unsigned done, unsigned total)
{
    if (progress != NULL)
        progress->tell(progress->context, done, total);
}

#endif
