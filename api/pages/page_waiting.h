/* The page of a game that waits for the entropy of its players (api/deadlines/entropy.h): who has
 * given, until when the others are awaited, and what the service has committed to.
 */
#ifndef TILLROLL_API_PAGES_PAGE_WAITING_H
#define TILLROLL_API_PAGES_PAGE_WAITING_H

#include "api/pages/page.h"

/* Answers with it, in the shell of the call's route. `waiting`: what everybody may read of the
 * game, as GET /v1/games/<id>/entropy answers. Kept by nobody, since no change tells that somebody
 * gave. A problem if the event cannot be read. */
void page_waiting(struct call *call, const json_t *waiting, struct growing *html);

#endif
