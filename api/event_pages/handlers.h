/* Handlers of this folder's routes (api/routes.c), grouped by file: event pages that work without
 * scripts. */
#ifndef TILLROLL_API_EVENT_PAGES_HANDLERS_H
#define TILLROLL_API_EVENT_PAGES_HANDLERS_H

#include "api/request/call.h"

/* page_audit.c */
void page_audit(struct call *call);

/* page_board.c */
void page_board(struct call *call);
void page_score_card(struct call *call);

/* page_event.c */
void page_event(struct call *call);
void page_hall(struct call *call);
void page_embed(struct call *call);
/* GET /events/{id}/card.png */
void event_picture(struct call *call);

/* page_season.c */
void page_season(struct call *call);

/* page_statistics.c */
void page_statistics(struct call *call);
void page_game_statistics(struct call *call);

/* page_round.c */
void page_round(struct call *call);

#endif
