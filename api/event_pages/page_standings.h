/* Standings and the tables of rounds as pages show them. */
#ifndef TILLROLL_API_EVENT_PAGES_PAGE_STANDINGS_H
#define TILLROLL_API_EVENT_PAGES_PAGE_STANDINGS_H

#include "api/pages/page_parts.h"

/* How much of each row there is. */
enum standings_extent {
    STANDINGS_SHORT, /* place, player, points */
    STANDINGS_PLAIN, /* and what came of each round, and the tie-breaks that parted anybody */
    STANDINGS_LINKED /* and what came of a round is linked to its game */
};

/* The tables of a stage, one for each division, and with more than one stage where everybody stands
 * in the event as a whole. `standings`: the document of an event's standings. */
void page_standings_write(struct growing *html, const json_t *standings,
                          enum standings_extent extent);

/* False before any result, when places would be those of a draw by lot: page_standings_write() then
 * lists the entries by name. A ladder stands from its beginning, and a later stage may begin with
 * what was won before. */
bool page_standings_have_results(const json_t *standings);

/* What is not a result of the table, as words: "won by forfeit"; "" for what was played. */
const char *page_kind_words(const char *kind);

#endif
