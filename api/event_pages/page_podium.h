/* The podium of a finished event. */
#ifndef TILLROLL_API_EVENT_PAGES_PAGE_PODIUM_H
#define TILLROLL_API_EVENT_PAGES_PAGE_PODIUM_H

#include "api/pages/page_parts.h"

enum { PODIUM_MOST = 9 };

struct podium_step {
    long long place, shared; /* 1 to 3, and the number of players who share the place */
    const json_t *player;    /* borrowed from the standings */
};

/* Finds the players on the podium, best first, and returns their number: 0 if the standings are not
 * final, have several divisions or no result, or if more than PODIUM_MOST players share the first
 * three places. `standings`: the document of the event's standings in its last stage. */
size_t page_podium_find(const json_t *standings, struct podium_step steps[PODIUM_MOST]);

/* Writes the podium; nothing if it is empty. */
void page_podium_write(struct growing *html, const json_t *standings);

#endif
