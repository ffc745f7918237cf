/* Season documents shared by several handlers. */
#ifndef TILLROLL_API_SEASONS_SEASON_DOCUMENTS_H
#define TILLROLL_API_SEASONS_SEASON_DOCUMENTS_H

#include <jansson.h>

#include "db/store/events/seasons.h"

/* The maximum numbers of events in a season, of additional offers, and of open offers by one
 * person. */
enum { SEASON_EVENTS_MOST = 64, SEASON_OFFERS_MOST = 256, SEASON_OFFERS_OF_PERSON = 16 };

/* {"method", "best", "least_entrants", "weighting"} */
json_t *season_rules_document(const struct stored_season *season);

/* {"id", "name", "ruleset", "state"} */
json_t *season_event_reference(const struct season_event_row *event);

/* True if both sides have requested the event. */
bool season_event_counts(const struct season_event_row *event);

#endif
