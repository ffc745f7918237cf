/* Pages show API documents. A page reads them by address, without signing in, so it contains only
 * public data. */
#ifndef TILLROLL_API_PAGES_PAGE_READ_H
#define TILLROLL_API_PAGES_PAGE_READ_H

#include "api/request/call.h"

/* The current document at `target`, a printf format: from the cache, or from the route's handler,
 * in the call's transaction and on its thread. Owned by the call. Values may come from the page's
 * own query. If the API answers with a problem, returns NULL, and the problem becomes the call's
 * response. */
const json_t *page_read(struct call *call, const char *target, ...)
    __attribute__((format(printf, 2, 3)));

#endif
