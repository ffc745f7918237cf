/* Notices: threads that find the players whom something concerns, and deliver the notices that
 * these players want.
 *
 *      transaction of the cause ──> notice_cause ──┐
 *      records of watched games ───────────────────┴─> fan-out ──> outbox ──> senders ──> channel
 *
 * No notice is lost whenever a service is killed. Rare causes leave a row in the table
 * notice_cause in their own transaction. A move leaves only its line: the record is the queue, and
 * the table notice_watch holds, for each game with players who want notices of it, the line up to
 * which it has been looked at. The fan-out turns both into rows of the outbox, in the transaction
 * that deletes the cause or advances the mark; so each becomes exactly one notice for each way. A
 * sender takes a row for a limited time and then delivers it, so that if its service dies, another
 * one tries again, with the same id. Rows of turns that can be sent at once are taken when they are
 * added.
 *
 * The change bus reports commits. Missed ones are found by looking at all watched games from time
 * to time. While no game is watched, a move costs one read of a flag. */
#ifndef TILLROLL_API_NOTICES_NOTICES_H
#define TILLROLL_API_NOTICES_NOTICES_H

#include "api/notices/notices_config.h"
#include "api/state/change_bus.h"

struct notices;

/* Starts the threads. NULL if the system has no threads left. */
struct notices *notices_new(const struct notices_config *config);

/* The changes that the fan-out must hear of, for change_bus_subscribe(). */
struct change_bus_subscriber notices_subscriber(struct notices *notices);

/* Waits for the threads, which stop what they are delivering. NULL is fine. */
void notices_free(struct notices *notices);

/* The names of the channels, ending with NULL; valid as long as the notices. */
const char *const *notices_names(const struct notices *notices);

/* The number of channels, and the counts of one. Any thread. */
size_t notices_channels(const struct notices *notices);
struct notices_figures notices_figures(const struct notices *notices, size_t channel);

#endif
