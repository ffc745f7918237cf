/* Seasons as several handlers show them. */
#ifndef TILLROLL_API_SEASONS_SEASON_DOCUMENTS_H
#define TILLROLL_API_SEASONS_SEASON_DOCUMENTS_H

#include <jansson.h>

#include "db/store/events/seasons.h"

/* As many events a season has at most, and as many are offered to it besides. */
enum { SEASON_EVENTS_MOST = 64, SEASON_OFFERS_MOST = 256 };

/* {"method", "best", "least_entrants", "weighting"} */
json_t *season_rules_document(const struct stored_season *season);

/* {"id", "name", "ruleset", "state"} */
json_t *season_event_reference(const struct season_event_row *event);

/* True if both sides have asked for the event. */
bool season_event_counts(const struct season_event_row *event);

#endif
