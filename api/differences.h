/* What a step would change in the standings, for those who think it over. */
#ifndef TILLROLL_API_DIFFERENCES_H
#define TILLROLL_API_DIFFERENCES_H

#include "api/event_load.h"

/* The entries whose place or points differ between the event as it is and as it would be, in the
 * order of the new places: a list of {"player", "place_was", "place_is", "points_was",
 * "points_is"}, a new reference. Empty where there are no standings yet; in duplicate events what
 * is open counts, with all whose marks a step changes at other tables. False with a problem. */
bool event_differences(struct call *call, const struct loaded_event *was,
                       const struct loaded_event *is, json_t **list);

#endif
