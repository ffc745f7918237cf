/* Parts of a view that every game shows in the same form.
 *
 * A game's view is its own, but whose turn it is, what the seats scored and who may look into a
 * hand read alike in all of them, so that a program that knows one game finds its way in the next.
 * The caller owns every new value. Two threads may use different objects at the same time.
 */
#ifndef TILLROLL_ENGINE_VIEW_PARTS_H
#define TILLROLL_ENGINE_VIEW_PARTS_H

#include "engine/game.h"

/* True if `viewer` may know what is private to `seat` during the game: the auditor and the seat. */
bool view_is_open_to(struct viewer viewer, unsigned seat);

/* Adds a member to `object`, which owns `value` from now on. */
void view_set(json_t *object, const char *key, json_t *value);

/* A new JSON string. */
json_t *view_name(struct span name);

/* A new list of the seats in `seats` (bit s for seat s), lowest first: [0, 2]. */
json_t *view_seat_list(uint32_t seats);

/* Adds whose turn it is: `over`, the seats that decide, the name of the decision and the active
 * seat. `decision` is NULL once the game is over; decision and seat are then null. */
void view_set_turn(json_t *view, uint32_t deciders, const char *decision, unsigned active);

/* The result: null until the game is over, then a new list with an object for each seat: `seat`,
 * `score`, `tie_break` (the first one, where `tie_break` says that the view has it) and `rank`.
 * `count` is the game's own outcome function (see game.h). */
json_t *view_outcome(const void *state, bool over, bool tie_break,
                     void (*count)(const void *state, struct outcome *outcome));

#endif
