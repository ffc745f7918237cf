/* Handlers of this folder's routes (api/routes.c), grouped by file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_EVENTS_HANDLERS_H
#define TILLROLL_API_EVENTS_HANDLERS_H

#include "api/request/call.h"

/* events.c */
void events_create(struct call *call);
void events_list(struct call *call);
void me_events(struct call *call);
void players_organized(struct call *call);
void events_get(struct call *call);
void events_clone(struct call *call);
void events_change(struct call *call);
void events_open_entries(struct call *call);
void events_close_entries(struct call *call);
void events_close(struct call *call);
void events_cancel(struct call *call);
void events_log(struct call *call);

/* next_seasons.c */
void next_seasons_create(struct call *call);

/* entries.c */
void entries_create(struct call *call);
void entries_list(struct call *call);
void entries_delete(struct call *call);
void entries_return(struct call *call);
void entries_check_in(struct call *call);
void entries_grant_bye(struct call *call);
void entries_revoke_bye(struct call *call);

/* house_entries.c */
void house_entries_create(struct call *call);

/* held_places.c */
void places_create(struct call *call);
void places_list(struct call *call);
void places_renew_code(struct call *call);
void claims_get(struct call *call);
void claims_make_account(struct call *call);
void claims_attach(struct call *call);

/* recordings.c */
void recordings_create(struct call *call);
void recordings_list(struct call *call);
void recordings_get(struct call *call);
void recordings_record(struct call *call);
void recordings_append(struct call *call);

/* reports.c */
void reports_get(struct call *call);
void reports_create(struct call *call);
void reports_confirm(struct call *call);
void reports_object(struct call *call);
void reports_correct(struct call *call);
void reports_create_all(struct call *call);
void players_reported(struct call *call);
void me_contested_results(struct call *call);

/* officials.c */
void roles_list(struct call *call);
void roles_give(struct call *call);
void roles_take(struct call *call);
void kept_apart_list(struct call *call);
void kept_apart_add(struct call *call);
void kept_apart_remove(struct call *call);

/* pairings.c */
void rounds_start(struct call *call);
void next_rounds_get(struct call *call);
void next_rounds_change(struct call *call);
void next_rounds_withdraw(struct call *call);
void next_rounds_redraw(struct call *call);
void next_rounds_start(struct call *call);

/* rulings.c */
void rulings_put(struct call *call);
void rulings_revoke(struct call *call);

/* challenges.c */
void challenges_get(struct call *call);
void challenges_create(struct call *call);
void challenges_cancel(struct call *call);
void challenges_accept(struct call *call);

/* brackets.c */
void brackets_get(struct call *call);
void crosstables_get(struct call *call);

/* odds.c */
void odds_get(struct call *call);

/* rounds.c */
void rounds_list(struct call *call);
void rounds_get(struct call *call);

#endif
