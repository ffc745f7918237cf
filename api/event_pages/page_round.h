/* Tables of a round, as HTML. */
#ifndef TILLROLL_API_EVENT_PAGES_PAGE_ROUND_H
#define TILLROLL_API_EVENT_PAGES_PAGE_ROUND_H

#include "api/pages/page_parts.h"

/* Writes the deadline, tables and byes. `round`: the document of a round. */
void page_round_write(struct growing *html, const json_t *round);

#endif
