/* Handlers of this folder's routes (api/routes.c), by the file that holds them: pages of an event
 * that can be read without a script. */
#ifndef TILLROLL_API_EVENT_PAGES_HANDLERS_H
#define TILLROLL_API_EVENT_PAGES_HANDLERS_H

#include "api/request/call.h"

/* page_audit.c */
void page_audit(struct call *call);

/* page_event.c */
void page_event(struct call *call);
void page_embed(struct call *call);

/* page_round.c */
void page_round(struct call *call);

#endif
