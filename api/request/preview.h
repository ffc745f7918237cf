/* ?preview=true: what a step would do, without taking it. */
#ifndef TILLROLL_API_REQUEST_PREVIEW_H
#define TILLROLL_API_REQUEST_PREVIEW_H

#include "api/request/call.h"

/* False with a problem, `bad-parameter`, for any other parameter or value. */
bool preview_read(struct call *call, bool *preview);

#endif
