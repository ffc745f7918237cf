/* Handlers of this folder's routes (api/routes.c), grouped by file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_RECORDS_HANDLERS_H
#define TILLROLL_API_RECORDS_HANDLERS_H

#include "api/request/call.h"

/* games.c */
void players_games(struct call *call);
void me_games(struct call *call);

/* boards.c */
void boards_get(struct call *call);
void score_cards_get(struct call *call);
void games_parting(struct call *call);

/* exchange.c */
void standings_csv_get(struct call *call);
void pairings_csv_get(struct call *call);
void results_csv_get(struct call *call);
void rounds_calendar_get(struct call *call);
void trf16_get(struct call *call);
void trf26_get(struct call *call);
void broadcast_get(struct call *call);

/* exchange_trf.c */
void trf_pairings(struct call *call);
void trf_check(struct call *call);

/* bundles.c */
void bundles_get(struct call *call);

/* imports.c */
void import_parts_put(struct call *call);
void imports_create(struct call *call);

/* games.c */
void games_list(struct call *call);
void games_get(struct call *call);
void games_events(struct call *call);
void games_record(struct call *call);
void games_verification(struct call *call);

/* analyses.c */
void analyses_get(struct call *call);
void analyses_ask(struct call *call);
void analyses_lease(struct call *call);
void analyses_deliver(struct call *call);

/* component_sets.c */
void component_sets_list(struct call *call);
void component_sets_get(struct call *call);
void component_sets_create(struct call *call);

/* puzzles.c */
void puzzles_list(struct call *call);
void puzzles_get(struct call *call);

/* tlog.c */
void log_checkpoint(struct call *call);
void log_tile(struct call *call);
void log_inclusion(struct call *call);
void log_consistency(struct call *call);
void log_document(struct call *call);
void log_key_changes(struct call *call);
void games_inclusion(struct call *call);
void games_record_note(struct call *call);
void games_record_bundle(struct call *call);

#endif
