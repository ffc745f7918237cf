/* Standings as HTML. */
#ifndef TILLROLL_API_EVENT_PAGES_PAGE_STANDINGS_H
#define TILLROLL_API_EVENT_PAGES_PAGE_STANDINGS_H

#include "api/pages/page_parts.h"

/* Level of detail. */
enum standings_extent {
    STANDINGS_SHORT, /* place, player, points */
    STANDINGS_PLAIN, /* also results by round, and the tie-breaks that separated players */
    STANDINGS_LINKED /* also links from results to games */
};

/* Writes the tables of a stage, one per division; with several stages, also the places in the whole
 * event. `standings`: the document of an event's standings. */
void page_standings_write(struct growing *html, const json_t *standings,
                          enum standings_extent extent);

/* As page_standings_write() with STANDINGS_SHORT, in German. */
void page_standings_write_german(struct growing *html, const json_t *standings);

/* False before any result, when places would only reflect the drawing of lots:
 * page_standings_write() then lists the entries by name. Ladders have standings from the
 * beginning, and later stages may carry points over. */
bool page_standings_have_results(const json_t *standings);

/* The name of a result that was not played, such as "won by forfeit"; "" otherwise. */
const char *page_kind_words(const char *kind);

#endif
