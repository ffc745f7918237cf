/* The handlers of all routes, by the file that holds them. What each takes and answers stands in
 * api/openapi.json. */
#ifndef TILLROLL_API_HANDLERS_H
#define TILLROLL_API_HANDLERS_H

#include "api/call.h"

/* health.c */
void health_get(struct call *call);
void ready_get(struct call *call);

/* metrics.c */
void metrics_get(struct call *call);

/* pages.c */
void page_file(struct call *call);
void page_shell(struct call *call);
/* Files whose answer is made already; a worker makes it. */
enum http_quick page_file_quick(struct call *call, struct http_pending *pending);
void openapi_get(struct call *call);
void problems_list(struct call *call);

/* pages_home.c */
void page_home(struct call *call);

/* pages_event.c */
void page_event(struct call *call);
void page_embed(struct call *call);

/* pages_round.c */
void page_round(struct call *call);

/* pages_people.c */
void page_player(struct call *call);
void page_leaderboard(struct call *call);

/* pages_game.c */
void page_game(struct call *call);

/* rulesets.c */
void rulesets_list(struct call *call);
void rulesets_get(struct call *call);
void rulesets_components(struct call *call);

/* accounts.c */
void players_create(struct call *call);
void tokens_create(struct call *call);
void sessions_create(struct call *call);
void me_rename(struct call *call);
void me_change_password(struct call *call);
void me_delete(struct call *call);

/* tokens.c */
void tokens_revoke(struct call *call);
void tokens_list(struct call *call);
void tokens_issue(struct call *call);
void tokens_end(struct call *call);

/* bots.c */
void bots_list(struct call *call);
void bots_create(struct call *call);
void bots_delete(struct call *call);
void bots_issue_token(struct call *call);

/* signing_keys.c */
void signing_keys_get(struct call *call);
void signing_keys_register(struct call *call);
void signing_keys_change(struct call *call);
void signing_keys_revoke(struct call *call);

/* signed_moves.c */
void games_signatures(struct call *call);

/* players.c */
void players_list(struct call *call);
void players_get(struct call *call);
void players_games(struct call *call);
void me_get(struct call *call);
void me_games(struct call *call);
void keys_get(struct call *call);

/* events.c */
void events_create(struct call *call);
void events_list(struct call *call);
void events_get(struct call *call);
void events_clone(struct call *call);
void events_change(struct call *call);
void events_open_entries(struct call *call);
void events_close_entries(struct call *call);
void events_close(struct call *call);
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

/* officials.c */
void roles_list(struct call *call);
void roles_give(struct call *call);
void roles_take(struct call *call);
void kept_apart_list(struct call *call);
void kept_apart_add(struct call *call);
void kept_apart_remove(struct call *call);

/* draws.c */
void rounds_start(struct call *call);
void next_rounds_get(struct call *call);
void next_rounds_change(struct call *call);
void next_rounds_withdraw(struct call *call);
void next_rounds_redraw(struct call *call);
void next_rounds_start(struct call *call);

/* search.c */
void search_names(struct call *call);

/* opponents.c */
void players_opponents(struct call *call);

/* rulings.c */
void rulings_put(struct call *call);
void rulings_revoke(struct call *call);

/* challenges.c */
void challenges_get(struct call *call);
void challenges_create(struct call *call);
void challenges_cancel(struct call *call);
void challenges_accept(struct call *call);

/* queues.c */
void queues_get(struct call *call);
void queues_join(struct call *call);
void queues_leave(struct call *call);

/* crosstables.c */
void crosstables_get(struct call *call);

/* brackets.c */
void brackets_get(struct call *call);

/* rounds.c */
void rounds_list(struct call *call);
void rounds_get(struct call *call);

/* boards.c */
void boards_get(struct call *call);
void score_cards_get(struct call *call);

/* standings.c */
void standings_get(struct call *call);

/* exchange.c */
void standings_csv_get(struct call *call);
void pairings_csv_get(struct call *call);
void results_csv_get(struct call *call);
void rounds_calendar_get(struct call *call);
void trf16_get(struct call *call);
void trf26_get(struct call *call);
void feed_get(struct call *call);

/* exchange_trf.c */
void trf_pairings(struct call *call);
void trf_check(struct call *call);

/* bundles.c */
void bundles_get(struct call *call);

/* imports.c */
void import_parts_put(struct call *call);
void imports_create(struct call *call);

/* entropy.c */
void games_entropy(struct call *call);
void games_give_entropy(struct call *call);
void me_waiting(struct call *call);

/* games.c */
void games_list(struct call *call);
void games_get(struct call *call);
void games_events(struct call *call);
void games_record(struct call *call);
void games_verification(struct call *call);

/* views.c */
void games_view(struct call *call);
void games_legal_moves(struct call *call);

/* follow.c */
void games_stream(struct call *call);
void events_stream(struct call *call);
void log_stream(struct call *call);

/* moves.c */
void moves_create(struct call *call);

/* presence.c */
void fallback_create(struct call *call);
void recall_create(struct call *call);
void return_create(struct call *call);
void forfeit_create(struct call *call);
void substitute_create(struct call *call);

/* takebacks.c */
void takebacks_create(struct call *call);

/* tlog.c */
void log_checkpoint(struct call *call);
void log_tile(struct call *call);
void log_inclusion(struct call *call);
void log_consistency(struct call *call);
void log_document(struct call *call);
void games_inclusion(struct call *call);
void games_record_note(struct call *call);
void games_record_bundle(struct call *call);

/* leaderboard.c */
void leaderboard_get(struct call *call);

/* rating_revisions.c */
void rating_revisions_list(struct call *call);
void rating_revisions_get(struct call *call);

/* seat_advantage.c */
void rulesets_seat_advantage(struct call *call);

/* disputes.c */
void disputes_create(struct call *call);
void disputes_queue(struct call *call);
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

/* looks.c */
void looks_create(struct call *call);
void disputes_position(struct call *call);

/* refused_moves.c */
void games_refused_moves(struct call *call);

/* seasons.c */
void seasons_create(struct call *call);
void seasons_list(struct call *call);
void seasons_get(struct call *call);
void seasons_log(struct call *call);
void seasons_add_event(struct call *call);
void seasons_close(struct call *call);

/* season_standings.c */
void season_standings_get(struct call *call);

/* ratings.c */
void players_ratings(struct call *call);
void players_rating_history(struct call *call);

#endif
