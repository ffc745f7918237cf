/* The tables of a round as pages show them. */
#ifndef TILLROLL_API_EVENT_PAGES_PAGE_ROUND_H
#define TILLROLL_API_EVENT_PAGES_PAGE_ROUND_H

#include "api/pages/page_parts.h"

/* `round`: the document of a round of an event. */
void page_round_write(struct growing *html, const json_t *round);

#endif
