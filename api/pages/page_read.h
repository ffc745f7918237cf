/* What pages show is what the API answers: a page reads documents by their addresses, as somebody
 * does who is not signed in, so that nothing can be in a page that is in no document.
 */
#ifndef TILLROLL_API_PAGES_PAGE_READ_H
#define TILLROLL_API_PAGES_PAGE_READ_H

#include "api/request/call.h"

/* The document that a GET of `target`, as printf makes it, answers now: from memory where a good
 * answer is kept, else by the route's handler, in the call's transaction and on its thread. Owned
 * by the call until it has been made. Values may come from the page's own query. NULL where the API
 * answers a problem, which is then the answer to the call. */
const json_t *page_read(struct call *call, const char *target, ...)
    __attribute__((format(printf, 2, 3)));

#endif
