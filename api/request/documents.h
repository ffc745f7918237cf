/* JSON documents that several handlers use in their responses. Each function that returns
 * JSON returns a new reference. */
#ifndef TILLROLL_API_REQUEST_DOCUMENTS_H
#define TILLROLL_API_REQUEST_DOCUMENTS_H

#include <jansson.h>

#include "db/store/events/events.h"
#include "db/store/events/rounds.h"
#include "db/store/games/games.h"
#include "db/store/people/credentials.h"
#include "engine/record/replay.h"

/* ---- Scopes and roles ---- */

/* The scope, or the role, 1 << bit. NULL past the last. */
const char *scope_name(unsigned bit);
const char *role_name(unsigned bit);

/* A set as a list of words. */
json_t *scopes_document(unsigned scopes);
json_t *roles_document(unsigned roles);

/* ---- Rows of the database ---- */

json_t *player_document(const struct player *player);

/* Without the token itself, which is shown only once. */
json_t *token_document(const struct token *token);

/* The same with the time of its last use. */
json_t *listed_token_document(const struct token *token);

/* {"id", "name"}: a reference to a player in another document. */
json_t *player_reference(const struct id *id, const char *name);

/* The same; null for the id "". */
json_t *player_or_null(const struct id *id, const char *name);

/* {"slug", "version", "title"}: a reference to a ruleset in another document. */
json_t *ruleset_reference(const char *slug, const char *version);

/* {"components", "ruleset", "name", "built_in"}: a component set. `name` may be "". */
json_t *component_set_document(const char *hash, const char *ruleset, const char *name,
                               bool built_in);

/* Without the secret, which events_get adds when the event is closed. */
json_t *event_document(const struct event *event);

/* {"event", "ruleset", "round", "table"}: a table in a list of tables of several events. */
json_t *table_place_document(const struct table_place *place);

/* A player's result as reported by players or officials, with its table. */
json_t *reported_seat_document(const struct reported_seat *seat);

/* A line of an event's log. */
json_t *event_step_document(const struct event_step *step);

/* The game as its own players see it; api/request/visibility.h decides how much of it other callers
 * see. */
json_t *game_document(const struct game_row *game);

/* ---- Clocks ---- */

/* A running clock is given by the time at which it runs out, so a document stays correct until the
 * game's next line, however old it is. */

/* The time control of a game, in the form of an event's settings; null without clocks. */
json_t *clock_control_document(const struct game_row *game);

/* The clocks at the game's last line, and the times at which running ones run out; null without
 * clocks. Public, because all times of a record and the seats that have to decide are public. */
json_t *clocks_document(const struct replay *replay);

/* ---- Values ---- */

/* An object that the service itself has written and stored; {} if the text is not JSON. */
json_t *stored_document(const char *text);

/* A rational for display: reduced, and rounded to three decimal places. */
struct rational {
    int64_t numerator, denominator;
    char text[40];
};

/* `denominator` >= 1. */
struct rational rational_show(int64_t numerator, int64_t denominator);

/* {"numerator", "denominator", "text"} of a rational. */
json_t *rational_document(int64_t numerator, int64_t denominator);

/* Null for 0, and for "". */
json_t *number_or_null(int64_t number);
json_t *text_or_null(const char *text);

/* Lower-case hex. */
json_t *hex_json(const uint8_t *bytes, size_t size);

#endif
