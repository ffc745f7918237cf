/* Handlers of this folder's routes (api/routes.c), by source file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_CASUAL_HANDLERS_H
#define TILLROLL_API_CASUAL_HANDLERS_H

#include "api/request/call.h"

/* casual.c */
void lobby_list(struct call *call);
void lobby_get(struct call *call);
void lobby_take_seat(struct call *call);
void lobby_leave_seat(struct call *call);
void lobby_start(struct call *call);
void invitations_get(struct call *call);
void invitations_accept(struct call *call);
void me_tables(struct call *call);

/* opening.c */
void lobby_create(struct call *call);
void rematches_create(struct call *call);

/* house_tables.c */
void house_list(struct call *call);

/* page_lobby.c */
void page_lobby(struct call *call);
void page_join(struct call *call);

#endif
