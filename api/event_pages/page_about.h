/* An event's own description: place and time, cost, prizes. */
#ifndef TILLROLL_API_EVENT_PAGES_PAGE_ABOUT_H
#define TILLROLL_API_EVENT_PAGES_PAGE_ABOUT_H

#include "api/pages/page_parts.h"

/* The heading of an event's page, with the banner and the line for time and place. `event`: an
 * event document. */
void page_about_write_head(struct growing *html, const json_t *event);

/* The section with description, fee, prizes and contact; nothing if none is set. */
void page_about_write(struct growing *html, const json_t *event);

#endif
