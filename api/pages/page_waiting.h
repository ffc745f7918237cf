/* The page of a game that waits for its players' entropy (api/deadlines/entropy.h): the players who
 * have given entropy, the end of the wait, and the service's commitment. */
#ifndef TILLROLL_API_PAGES_PAGE_WAITING_H
#define TILLROLL_API_PAGES_PAGE_WAITING_H

#include "api/pages/page.h"

/* Answers with the page, in the shell of the call's route. `waiting`: the public response to GET
 * /v1/games/<id>/entropy. Not cached, since giving entropy announces no change. A problem if the
 * event cannot be read. */
void page_waiting(struct call *call, const json_t *waiting, struct growing *html);

#endif
