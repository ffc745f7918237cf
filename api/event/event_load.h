/* An event made from its log, and the one way to change it: a line that the fold accepts is stored,
 * and the other columns and tables of the event are updated, in the same transaction.
 *
 *      struct loaded_event loaded;
 *      if (!event_load(call, &call->id[0], true, &loaded) ||
 *          !event_take(call, &loaded, "dropped", json_pack(...)))
 *          return;
 *
 * All of these answer with a problem and return false where something stands in the way. What they
 * load is freed with the call's arena.
 */
#ifndef TILLROLL_API_EVENT_EVENT_LOAD_H
#define TILLROLL_API_EVENT_EVENT_LOAD_H

#include "api/request/call.h"
#include "api/state/event_cache.h"
#include "engine/game/game.h"
#include "engine/tournament/event/tournament.h"

struct loaded_event {
    struct event event; /* name, state, numbers of entries and rounds are those of `tournament` */
    struct tournament *tournament;
    struct chance chance;   /* the event's streams */
    struct event_mark mark; /* of the last line that was there, of one loaded as it is now */
    bool past;              /* loaded as it was: tables of the database may know more than it */
};

/* Loads an event as it is now. With `change` others are kept from changing it until the end of the
 * transaction. */
bool event_load(struct call *call, const struct id *id, bool change, struct loaded_event *loaded);

/* The settings of a game's event, as they are now; NULL for a game without one (an empty id). Valid
 * until the end of the call. */
bool event_find_settings(struct call *call, const struct id *id,
                         const struct tournament_settings **settings);

/* Loads the event whose id comes first in the path, as it is now or as it was: ?as_of=<number of a
 * line of its log, or an RFC 3339 time>. The query's other parameters are the handler's. */
bool event_load_as_of(struct call *call, struct loaded_event *loaded);

/* The moment that ?as_of= names; zeros for now. `bad-parameter` if it is none. */
bool event_read_moment(struct call *call, struct event_moment *moment);

/* Refuses any other parameter of the query. */
bool event_takes_as_of_only(struct call *call);

/* True for what `?as_of=` is: handlers that read other parameters pass over it. */
bool event_is_as_of(struct span parameter_name);

/* Makes an event of the caller's with these settings (written, not by an organizer), its secret and
 * its first line. `document` is what settings_write() gives, and is taken over. */
bool event_make(struct call *call, json_t *document, struct loaded_event *loaded);

/* Takes a step: applies the line to the loaded event, which is locked, and stores it. `detail` is
 * taken over. A refusal of the fold is answered with its code and sentence, and nothing is changed.
 * Lines that follow from a game (`result`, `board_started`) are the service's own; all others are
 * the caller's. `round_started` stores the round and its byes too, in duplicate events the byes
 * only: there the round is stored before, with its secret (round_create()). Games are started by
 * the caller, after the line. What officials decide is signed, if the event's settings before the
 * line say so (official_signatures.h). */
bool event_take(struct call *call, struct loaded_event *loaded, const char *kind, json_t *detail);

/* Makes an event that was made elsewhere, by the first line of its log. `event` has the id, the
 * organizer and the time of its making; the secret is sealed with this service's key.
 * `event-exists`. */
bool event_make_told(struct call *call, const struct event *event,
                     const uint8_t secret[static KEYS_SECRET_BYTES],
                     const struct tournament_line *line, struct loaded_event *loaded);

/* Takes a step that was taken elsewhere, as its line tells it; the rest as event_take(). `detail`
 * is borrowed. */
bool event_take_told(struct call *call, struct loaded_event *loaded,
                     const struct tournament_line *line);

/* Tries a step on a copy and changes nothing: for previews. The copy is freed with the call's
 * arena; `tried->tournament` is the event as it would be. */
bool event_try(struct call *call, const struct loaded_event *loaded, const char *kind,
               json_t *detail, struct loaded_event *tried);

/* What is stored of an entrant besides the log. */
enum entry_state event_entry_state(const struct entrant *entrant);

/* The last round of which an entry that has dropped out was part. */
unsigned event_dropped_after(const struct entrant *entrant);

/* ---- For event_load.c and event_take.c ---- */

/* An event before its first line, freed with the call's arena. */
bool event_new_tournament(struct call *call, struct tournament **tournament);

/* Applies the next line, by the caller, without storing it; `detail` is borrowed. */
bool event_apply(struct call *call, struct loaded_event *loaded, const char *kind, json_t *detail);

/* Fills in those fields of the event that follow from the tournament. */
void event_describe(struct arena *arena, struct loaded_event *loaded);

/* ---- The secret ---- */

/* The event's secret. */
bool event_secret_read(struct call *call, const struct id *id,
                       uint8_t secret[static KEYS_SECRET_BYTES]);

/* ---- People ---- */

/* Who the entrants of a loaded event are: its log holds ids, people have names. */

/* In the call's arena. */
struct event_people {
    const struct tournament *tournament;
    const char **name; /* by entry; "" for nobody */
};

/* False with a problem. */
bool event_people_load(struct call *call, const struct loaded_event *loaded,
                       struct event_people *people);

/* {"id", "name"} of an entry. */
json_t *event_person(const struct event_people *people, uint16_t entry);

/* The same with the `number`. */
json_t *event_numbered_person(const struct event_people *people, uint16_t entry);

/* The id of an entry. */
struct id event_person_id(const struct tournament *tournament, uint16_t entry);

/* ---- Results ---- */

/* Adds the `kind`, `rank` and `score` of a seat's result at a table of the event to a document:
 * null where there is none to tell (tournament_has_place(), tournament_has_score()), and all three
 * if `table` is NULL. */
void event_add_result(const struct tournament *tournament, const struct tournament_table *table,
                      unsigned seat, json_t *document);

/* ---- The stage that is asked for ---- */

/* Which stage of an event is asked for, after how many rounds: ?stage= and ?after_round=, beside
 * ?as_of=. */

struct stage_asked {
    bool any_round, any_stage; /* not said */
    unsigned rounds;
    size_t stage; /* from 0 */
};

/* Reads the query. `bad-parameter` for anything else in it, but for the parameters in `further`
 * (NULL-terminated, or NULL), which are the caller's. */
bool stage_read_asked(struct call *call, const char *const *further, struct stage_asked *asked);

/* Fills in what was not said: all started rounds, the last stage that has begun. `bad-parameter`
 * for a round or a stage that has not. */
bool stage_settle(struct call *call, const struct loaded_event *loaded, struct stage_asked *asked);

/* ---- Refusals ---- */

/* Refusals of the pure functions of engine/tournament/ as problems. */

/* Answers with the refusal's code and sentence where people can do something about it, else with
 * `unavailable` (memory) or `internal-error`. Returns false. */
bool event_refuse(struct call *call, const struct refusal *refusal);

#endif
