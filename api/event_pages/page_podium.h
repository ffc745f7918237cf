/* The first three of an event that is over. */
#ifndef TILLROLL_API_EVENT_PAGES_PAGE_PODIUM_H
#define TILLROLL_API_EVENT_PAGES_PAGE_PODIUM_H

#include "api/pages/page_parts.h"

/* Nothing where the standings are not final, have several divisions or no result, or more than
 * PODIUM_MOST share the first three places. `standings`: the document of the event's standings in
 * its last stage. */
void page_podium_write(struct growing *html, const json_t *standings);

enum { PODIUM_MOST = 9 };

#endif
