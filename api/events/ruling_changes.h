/* Rulings on a table, and their effects: places, points, qualification, and rounds that were drawn
 * from other standings. A ruling is a line `ruled`, `ruling_revoked` or `table_replayed` of the
 * event's log. On failure, these functions answer with a problem and return false. */
#ifndef TILLROLL_API_EVENTS_RULING_CHANGES_H
#define TILLROLL_API_EVENTS_RULING_CHANGES_H

#include "api/event/event_load.h"

/* Tries the step and describes its effects in a new document: event, round, table, `preview`,
 * ruled, seats, differences, qualifying, rounds and tables. `detail` is borrowed. */
bool ruling_changes(struct call *call, const struct loaded_event *loaded,
                    const struct tournament_table *table, const char *kind, json_t *detail,
                    bool preview, json_t **document);

/* Takes the step and its consequences: a rated game is rated again with its new result, for
 * `reason` ("" if a ruling is revoked), and a closed event is stored once more in the transparency
 * log. `table` is a copy of the table before the step; `detail` is taken over. */
bool ruling_take(struct call *call, struct loaded_event *loaded,
                 const struct tournament_table *table, const char *kind, json_t *detail,
                 const char *reason);

/* Takes the consequences of a stored step: the second half of ruling_take(). */
bool ruling_follow(struct call *call, const struct loaded_event *loaded,
                   const struct tournament_table *table, const char *reason);

/* ---- Differences ---- */

/* The effects of a step on the standings. */

/* The entries whose place or points differ between the event before and after a step, in the order
 * of the new places: a list of {"player", "place_was", "place_is", "points_was", "points_is"}, a
 * new reference. Empty if there are no standings yet. In duplicate events, opened boards count, and
 * entries at other tables whose marks change are listed too. False with a problem. */
bool event_differences(struct call *call, const struct loaded_event *was,
                       const struct loaded_event *is, json_t **list);

#endif
