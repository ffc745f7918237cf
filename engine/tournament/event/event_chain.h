/* The chain over the lines of an event's log (engine/log/LOG.md): whoever knows its value after a
 * line knows that no earlier line can be changed.
 *
 *      h(0) = SHA-256("tillroll event-log 1 <event>" LF)
 *      h(i) = SHA-256(hex(h(i-1)) space line i LF)
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_EVENT_EVENT_CHAIN_H
#define TILLROLL_ENGINE_TOURNAMENT_EVENT_EVENT_CHAIN_H

#include <jansson.h>

#include "engine/base/text.h"

/* h(0). `event` is the event's id. Pure. */
void event_chain_begin(struct span event, uint8_t hash[static 32]);

/* h(i) from h(i-1) and line i: its number, its time as it is written there, its actor ("-" for the
 * service itself), kind and detail. False, and nothing is changed, if the detail cannot be written,
 * or memory is short. Pure. */
bool event_chain_add(uint8_t hash[static 32], uint32_t number, const char *time, const char *actor,
                     const char *kind, const json_t *detail);

#endif
