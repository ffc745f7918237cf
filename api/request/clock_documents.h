/* Clocks as clients see them. What runs is told by the moment at which it runs out, so a document
 * stays right until the game's next line, however old it is. New references.
 */
#ifndef TILLROLL_API_REQUEST_CLOCK_DOCUMENTS_H
#define TILLROLL_API_REQUEST_CLOCK_DOCUMENTS_H

#include "db/store/games/games.h"
#include "engine/record/replay.h"

/* How much time there is in a game, in the form of an event's settings; null without clocks. */
json_t *clock_control_document(const struct game_row *game);

/* What the clocks showed at the game's last line, and when those that run will have run out; null
 * without clocks. Public: who has to decide is, and so are all times of a record. */
json_t *clocks_document(const struct replay *replay);

#endif
