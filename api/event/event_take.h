/* The only way to change an event: a line that the fold accepts is stored, and the other columns
 * and tables of the event are updated, in the same transaction.
 *
 *      struct loaded_event loaded;
 *      if (!event_load(call, &call->id[0], true, &loaded) ||
 *          !event_take(call, &loaded, "dropped", json_pack(...)))
 *          return;
 *
 * On failure, these functions answer with a problem and return false. */
#ifndef TILLROLL_API_EVENT_EVENT_TAKE_H
#define TILLROLL_API_EVENT_EVENT_TAKE_H

#include "api/event/event_load.h"

/* Creates an event of the caller with these settings, its secret and its first line. `document`
 * comes from settings_write(), and is taken over. */
bool event_make(struct call *call, json_t *document, struct loaded_event *loaded);

/* Takes a step: applies the line to the loaded event, which is locked, and stores it. `detail` is
 * taken over. If the fold refuses the line, answers with its code and sentence, and changes
 * nothing. Lines that follow from a game (`result`, `board_started`) have no actor; the actor of
 * all others is the caller. `round_started` also stores the round. Rounds of duplicate events are
 * stored before that line, with their secret (round_create()). The caller starts the games after
 * the line. Decisions of officials are signed if the event's settings before the line require or
 * allow it (official_signatures.h). */
bool event_take(struct call *call, struct loaded_event *loaded, const char *kind, json_t *detail);

/* Creates an event from the first line of a log that another installation wrote. `event` has the
 * id, the organizer and the time of creation; the secret is sealed with this service's key.
 * `event-exists`. */
bool event_make_imported(struct call *call, const struct event *event,
                         const uint8_t secret[static KEYS_SECRET_BYTES],
                         const struct tournament_line *line, struct loaded_event *loaded);

/* Takes a step with the number, time and actor of a line from elsewhere; otherwise as event_take().
 * `detail` is borrowed. */
bool event_take_imported(struct call *call, struct loaded_event *loaded,
                         const struct tournament_line *line);

/* Tries a step on a copy and changes nothing: for previews. The call's arena owns the copy,
 * `tried->tournament`. */
bool event_try(struct call *call, const struct loaded_event *loaded, const char *kind,
               json_t *detail, struct loaded_event *tried);

/* The last round before an entry dropped out. */
unsigned event_dropped_after(const struct entrant *entrant);

/* The detail of the line `entered`, a new object with the player's rating in the ruleset, and the
 * leaderboard's value of it in thousandths. False with a problem; then `detail` is NULL. */
bool entry_line(struct call *call, const struct loaded_event *loaded, const struct id *player,
                json_t **detail);

#endif
