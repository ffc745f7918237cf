/* The podium of a finished event. */
#ifndef TILLROLL_API_EVENT_PAGES_PAGE_PODIUM_H
#define TILLROLL_API_EVENT_PAGES_PAGE_PODIUM_H

#include "api/pages/page_parts.h"

/* Writes nothing if the standings are not final, have several divisions or no result, or if more
 * than PODIUM_MOST players share the first three places. `standings`: the document of the
 * event's standings in its last stage. */
void page_podium_write(struct growing *html, const json_t *standings);

enum { PODIUM_MOST = 9 };

#endif
