/* Handlers of this folder's routes (api/routes.c), by source file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_PEOPLE_HANDLERS_H
#define TILLROLL_API_PEOPLE_HANDLERS_H

#include "api/request/call.h"

/* accounts.c */
void players_create(struct call *call);
void tokens_create(struct call *call);
void sessions_create(struct call *call);
void guests_create(struct call *call);
void me_make_account(struct call *call);
void me_rename(struct call *call);
void me_change_password(struct call *call);
void me_delete(struct call *call);
void tokens_revoke(struct call *call);
void tokens_list(struct call *call);
void tokens_issue(struct call *call);
void tokens_end(struct call *call);
void sessions_end_others(struct call *call);

/* email.c */
void me_email_get(struct call *call);
void me_email_set(struct call *call);
void me_email_remove(struct call *call);
void email_confirmations_create(struct call *call);
void password_resets_create(struct call *call);
void password_resets_use(struct call *call);

/* followed_games.c */
void me_followed_games(struct call *call);
void me_follow_game(struct call *call);
void me_unfollow_game(struct call *call);

/* my_data.c */
void me_turns(struct call *call);
void me_export(struct call *call);

/* players.c */
void players_list(struct call *call);
void players_get(struct call *call);
void me_get(struct call *call);
void keys_get(struct call *call);
void bots_list(struct call *call);
void bots_create(struct call *call);
void bots_delete(struct call *call);
void bots_issue_token(struct call *call);
void search_names(struct call *call);

/* wishes.c */
void me_notices_get(struct call *call);
void me_notices_change(struct call *call);
void me_following_list(struct call *call);
void me_following_add(struct call *call);
void me_following_remove(struct call *call);

#endif
