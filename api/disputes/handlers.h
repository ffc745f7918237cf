/* Handlers of this folder's routes (api/routes.c), by source file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_DISPUTES_HANDLERS_H
#define TILLROLL_API_DISPUTES_HANDLERS_H

#include "api/request/call.h"

/* disputes.c */
void disputes_create(struct call *call);
void disputes_queue(struct call *call);
void me_disputes(struct call *call);
void disputes_get(struct call *call);
void disputes_log(struct call *call);
void disputes_freeze(struct call *call);
void disputes_resume(struct call *call);
void disputes_withdraw(struct call *call);
void disputes_appeal(struct call *call);
void disputes_close(struct call *call);
void games_disputes(struct call *call);
void events_disputes(struct call *call);

/* dispute_rulings.c */
void disputes_rule(struct call *call);

/* adjudications.c */
void adjudications_create(struct call *call);

/* audit_views.c */
void audit_views_create(struct call *call);
void disputes_position(struct call *call);

/* page_dispute.c */
void page_dispute(struct call *call);

#endif
