/* Signatures of officials: what an official decides about an event may carry a signature by the key
 * that the official has in use (engine/record/keyring.h), so that nobody else, not even the
 * service, can have decided it. The signed text:
 *
 *      "tillroll official" LF event LF hex(head) LF player LF kind LF detail LF
 *
 * `player` is the official, kind and detail are those of the line of the event's log, the detail as
 * it is written there. `head` is the value of the log's chain (event_chain.h) at which the official
 * signed: that of the line before, or of an earlier line, the base, if the lines between have the
 * time of the signed line, and are by the same official or the service itself, as those of one
 * request are. There are fewer than OFFICIAL_LINES_BACK - 1 lines between the two.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_EVENT_OFFICIAL_H
#define TILLROLL_ENGINE_TOURNAMENT_EVENT_OFFICIAL_H

#include "engine/tournament/event/tournament.h"

enum { OFFICIAL_KEY = 32, OFFICIAL_SIGNATURE = 64, OFFICIAL_LINES_BACK = 8 };

/* True if the next line is an act of an official that signatures are about: settings, byes, roles,
 * changes of a pairing, rulings, corrected reports, players dropped or returned by others than
 * themselves, the end. Ask before applying it. Pure. */
bool official_is_act(const struct tournament *tournament, const struct tournament_line *line);

/* The text that is signed, for free(); NULL when out of memory. `event` is the event's id. */
char *official_message(const char *event, const uint8_t head[static 32],
                       const struct tournament_line *line);

/* True if `signature` is the line's by `key`; false also when out of memory. */
bool official_signature_holds(const char *event, const uint8_t head[static 32],
                              const struct tournament_line *line,
                              const uint8_t signature[static OFFICIAL_SIGNATURE],
                              const uint8_t key[static OFFICIAL_KEY]);

#endif
