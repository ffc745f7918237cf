/* Loads an event from its log.
 *
 * On failure, these functions answer with a problem and return false. The call's arena owns the
 * loaded objects.
 */
#ifndef TILLROLL_API_EVENT_EVENT_LOAD_H
#define TILLROLL_API_EVENT_EVENT_LOAD_H

#include "api/request/call.h"
#include "api/state/event_cache.h"
#include "engine/game/game.h"
#include "engine/tournament/event/tournament.h"

struct loaded_event {
    struct event event; /* name, state, numbers of entries and rounds: from `tournament` */
    struct tournament *tournament;
    struct chance chance;   /* the event's streams of chance */
    struct event_mark mark; /* of the last applied line; only if the current state is loaded */
    bool past;              /* an earlier state: tables of the database may contain later changes */
};

/* Loads the current state of an event. If `change`, locks the event until the end of the
 * transaction. */
bool event_load(struct call *call, const struct id *id, bool change, struct loaded_event *loaded);

/* The current settings of a game's event; NULL for a game without one (an empty id). Valid until
 * the end of the call. */
bool event_find_settings(struct call *call, const struct id *id,
                         const struct tournament_settings **settings);

/* Loads the event whose id comes first in the path, in its current or an earlier state:
 * ?as_of=<number of a line of its log, or an RFC 3339 time>. The handler reads the other parameters
 * of the query. */
bool event_load_as_of(struct call *call, struct loaded_event *loaded);

/* Reads the moment in ?as_of=; zeros without the parameter. `bad-parameter` if its value is not
 * valid. */
bool event_read_moment(struct call *call, struct event_moment *moment);

/* Refuses all other parameters of the query. */
bool event_takes_as_of_only(struct call *call);

/* True for `as_of`, which handlers that read other parameters skip. */
bool event_is_as_of(struct span parameter_name);

/* The state of an entry as it is stored beside the log. */
enum entry_state event_entry_state(const struct entrant *entrant);

/* ---- For event_take.c ---- */

/* Makes a tournament without lines, owned by the call's arena. False with a problem. */
bool event_new_tournament(struct call *call, struct tournament **tournament);

/* Copies a tournament; the call's arena owns the copy. False with a problem. */
bool event_copy_tournament(struct call *call, const struct tournament *tournament,
                           struct tournament **copy);

/* Sets the fields of the event that follow from the tournament. */
void event_describe(struct arena *arena, struct loaded_event *loaded);

/* ---- The secret ---- */

/* Reads the event's secret. False with a problem. */
bool event_secret_read(struct call *call, const struct id *id,
                       uint8_t secret[static KEYS_SECRET_BYTES]);

/* ---- People ---- */

/* Names of the entrants of a loaded event, whose log has only ids. */

/* Owned by the call's arena. */
struct event_people {
    const struct tournament *tournament;
    const char **name; /* by entry; "" if unknown */
};

/* Reads the names. False with a problem. */
bool event_people_load(struct call *call, const struct loaded_event *loaded,
                       struct event_people *people);

/* {"id", "name"} of an entry. */
json_t *event_person(const struct event_people *people, uint16_t entry);

/* {"id", "name", "number"} of an entry. */
json_t *event_numbered_person(const struct event_people *people, uint16_t entry);

/* The id of an entry. */
struct id event_person_id(const struct tournament *tournament, uint16_t entry);

/* ---- Results ---- */

/* Adds the `kind`, `rank` and `score` of a seat's result at a table of the event to a document:
 * null if the result has none (tournament_has_place(), tournament_has_score()), and all three if
 * `table` is NULL. */
void event_add_result(const struct tournament *tournament, const struct tournament_table *table,
                      unsigned seat, json_t *document);

/* ---- The requested stage ---- */

/* The stage and the number of rounds that a request asks for: ?stage= and ?after_round=, beside
 * ?as_of=. */

struct stage_query {
    bool any_round, any_stage; /* the parameter is absent */
    unsigned rounds;
    size_t stage; /* from 0 */
};

/* Reads the query. `bad-parameter` for all other parameters, except those in `further`
 * (NULL-terminated, or NULL), which the caller reads. */
bool stage_read_query(struct call *call, const char *const *further, struct stage_query *asked);

/* Sets the defaults: all started rounds, and the last stage that has begun. `bad-parameter` for a
 * round or a stage that has not begun. */
bool stage_settle(struct call *call, const struct loaded_event *loaded, struct stage_query *asked);

/* ---- Refusals ---- */

/* Answers with refusals of the pure functions of engine/tournament/ as problems. */

/* Answers with the refusal's code and sentence if the client can do something about it, else with
 * `unavailable` (memory) or `internal-error`. Returns false. */
bool event_refuse(struct call *call, const struct refusal *refusal);

#endif
