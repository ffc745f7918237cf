/* JSON documents that several handlers answer with. Each returns a new reference. */
#ifndef TILLROLL_API_REQUEST_DOCUMENTS_H
#define TILLROLL_API_REQUEST_DOCUMENTS_H

#include <jansson.h>

#include "db/store/events/events.h"
#include "db/store/events/rounds.h"
#include "db/store/games/games.h"
#include "db/store/people/credentials.h"
#include "engine/record/replay.h"

json_t *player_document(const struct player *player);

/* Without the token itself, which is shown only once. */
json_t *token_document(const struct token *token);

/* The same with when it was last used. */
json_t *listed_token_document(const struct token *token);

/* {"id", "name"}: a player as part of another document. */
json_t *player_reference(const struct id *id, const char *name);

/* The same; null for the id "". */
json_t *player_or_null(const struct id *id, const char *name);

/* {"slug", "version", "title"}: a ruleset as part of another document. */
json_t *ruleset_reference(const char *slug, const char *version);

/* {"components", "ruleset", "name", "built_in"}: a component set. `name` may be "". */
json_t *component_set_document(const char *hash, const char *ruleset, const char *name,
                               bool built_in);

/* Without the secret, which events_get adds when the event is closed. */
json_t *event_document(const struct event *event);

/* {"event", "ruleset", "round", "table"}: a table in a list of tables of several events. */
json_t *table_place_document(const struct table_place *place);

/* A player's result as people have reported it, with its place. */
json_t *reported_seat_document(const struct reported_seat *seat);

/* A line of an event's log. */
json_t *event_step_document(const struct event_step *step);

/* As its own players know it; what others may see decides api/request/visibility.h. */
json_t *game_document(const struct game_row *game);

/* ---- Clocks ---- */

/* What runs is told by the moment at which it runs out, so a document stays right until the game's
 * next line, however old it is. */

/* How much time there is in a game, in the form of an event's settings; null without clocks. */
json_t *clock_control_document(const struct game_row *game);

/* What the clocks showed at the game's last line, and when those that run will have run out; null
 * without clocks. Public: who has to decide is, and so are all times of a record. */
json_t *clocks_document(const struct replay *replay);

/* ---- Values ---- */

/* An object that the service itself has written and stored; {} for what is not JSON. */
json_t *stored_document(const char *text);

/* A rational as it is shown: reduced, and rounded to three places. */
struct rational {
    int64_t numerator, denominator;
    char text[40];
};

/* `denominator` >= 1. */
struct rational rational_show(int64_t numerator, int64_t denominator);

/* {"numerator", "denominator", "text"} of it. */
json_t *rational_document(int64_t numerator, int64_t denominator);

/* Null for 0, and for "". */
json_t *number_or_null(int64_t number);
json_t *text_or_null(const char *text);

/* Lower-case hex. */
json_t *hex_json(const uint8_t *bytes, size_t size);

#endif
