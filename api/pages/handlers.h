/* Handlers of this folder's routes (api/routes.c), grouped by file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_PAGES_HANDLERS_H
#define TILLROLL_API_PAGES_HANDLERS_H

#include "api/request/call.h"

/* page_file.c */
void page_file(struct call *call);
void page_shell(struct call *call);
/* Answers immediately if the file's response is ready; otherwise a worker calls page_file(). */
enum http_quick page_file_quick(struct call *call, struct http_pending *pending);

/* openapi.c */
void openapi_get(struct call *call);
void problems_list(struct call *call);

/* page_home.c */
void page_home(struct call *call);

/* page_docs.c */
void page_docs(struct call *call);
void page_docs_search(struct call *call);

/* page_people.c */
void page_player(struct call *call);
void page_leaderboard(struct call *call);
void page_revisions(struct call *call);

/* player_card.c */
void page_player_card(struct call *call);
void player_picture(struct call *call);

/* address_code.c */
void address_code_player(struct call *call);
void address_code_table(struct call *call);

/* page_game.c */
void page_game(struct call *call);

/* rulesets.c */
void rulesets_list(struct call *call);
void rulesets_get(struct call *call);
void rulesets_components(struct call *call);
void rulesets_page(struct call *call);
void rulesets_components_page(struct call *call);
void rulesets_shell(struct call *call); /* serves a page with a script if the game exists */

#endif
