/* What a ruling on a table changes, and taking it: places, points, who goes on, and rounds that
 * were drawn from other standings. A ruling is a line `ruled`, `ruling_revoked` or `table_replayed`
 * of the event's log. Both answer with a problem and return false where something stands in the
 * way.
 */
#ifndef TILLROLL_API_EVENTS_RULING_CHANGES_H
#define TILLROLL_API_EVENTS_RULING_CHANGES_H

#include "api/event/event_load.h"

/* Tries the step and tells what it changes, in a new document: event, round, table, `preview`,
 * ruled, seats, and but for duplicate events differences, qualifying, rounds and tables. `detail`
 * is borrowed. */
bool ruling_changes(struct call *call, const struct loaded_event *loaded,
                    const struct tournament_table *table, const char *kind, json_t *detail,
                    bool preview, json_t **document);

/* Takes the step, and what follows from it: a game that has been rated is rated as it counts now,
 * with `reason` ("" where a ruling was revoked), and what was kept of a closed event is kept once
 * more. `table` is a copy of the table before it; `detail` is taken over. */
bool ruling_take(struct call *call, struct loaded_event *loaded,
                 const struct tournament_table *table, const char *kind, json_t *detail,
                 const char *reason);

/* What follows from a step that has been taken: the second half of ruling_take(). */
bool ruling_follow(struct call *call, const struct loaded_event *loaded,
                   const struct tournament_table *table, const char *reason);

/* ---- Differences ---- */

/* What a step would change in the standings, for those who think it over. */

/* The entries whose place or points differ between the event as it is and as it would be, in the
 * order of the new places: a list of {"player", "place_was", "place_is", "points_was",
 * "points_is"}, a new reference. Empty where there are no standings yet; in duplicate events what
 * is open counts, with all whose marks a step changes at other tables. False with a problem. */
bool event_differences(struct call *call, const struct loaded_event *was,
                       const struct loaded_event *is, json_t **list);

#endif
