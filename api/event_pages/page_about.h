/* What an event says of itself: where and when it is, what it costs, what there is to win. */
#ifndef TILLROLL_API_EVENT_PAGES_PAGE_ABOUT_H
#define TILLROLL_API_EVENT_PAGES_PAGE_ABOUT_H

#include "api/pages/page_parts.h"

/* The heading of a page of the event, with its banner, and the line that says when and where.
 * `event`: the document of an event. */
void page_about_write_head(struct growing *html, const json_t *event);

/* The section with its description, fee, prizes and contact; nothing if none is given. */
void page_about_write(struct growing *html, const json_t *event);

/* A text that somebody has written: empty lines part paragraphs, addresses become links. */
void page_about_write_text(struct growing *html, const char *text);

#endif
