/* Notices: threads that find out whom something concerns, and hand over what these people want to
 * be told.
 *
 *      transaction of what happens ──> notice_cause ──┐
 *      records of watched games ──────────────────────┴─> fan-out ──> outbox ──> senders ──>
 * channel
 *
 * Nothing is lost whenever a service is killed. What happens seldom leaves a row in the table
 * notice_cause in its own transaction. A move leaves nothing but its line: the record is the queue,
 * and the table notice_watch has for each game that somebody wants to be told of how far it was
 * looked at. The fan-out turns both into rows of the outbox in the transaction that takes the
 * cause away, or moves the mark on; so each becomes exactly one notice for each way. A sender takes
 * a row for a while and then hands it over, so that what a service was at when it died is tried by
 * another, with the same id. Rows of turns that can go out at once are taken as they are added.
 *
 * Commits are heard of by the change bus. What was not heard is found by looking at all watched
 * games from time to time. While no game is watched, a move costs one read of a flag. */
#ifndef TILLROLL_API_NOTICES_NOTICES_H
#define TILLROLL_API_NOTICES_NOTICES_H

#include "api/notices/channel.h"
#include "api/state/change_bus.h"
#include "api/state/game_cache.h"

struct notices;

/* What is pointed to is borrowed for as long as the notices live, unless it says otherwise. */
struct notices_config {
    const char *database; /* libpq connection string */
    const struct keys *keys;
    struct game_cache *game_cache;
    const char *site; /* https://club.example: links begin with it; NULL = not configured */
    const struct notice_channel *channels; /* copied */
    size_t channel_count; /* 0 .. NOTICE_CHANNELS; without any, what happens is taken and told to
                           * nobody */
    unsigned interval_ms; /* between looks at what has happened, and at what is due */
};

/* Starts the threads. NULL if the system has none left. */
struct notices *notices_new(const struct notices_config *config);

/* What it has to be told of; for change_bus_subscribe(). */
struct change_bus_subscriber notices_subscriber(struct notices *notices);

/* Waits for the threads, which give up what they are handing over. NULL is fine. */
void notices_free(struct notices *notices);

/* The names of the channels, ending with NULL; valid as long as the notices. */
const char *const *notices_names(const struct notices *notices);

/* Counts of a channel since the start, and how many notices waited a moment ago (in the database,
 * so of all services; 10,000 stands for more). Any thread. */
struct notices_figures {
    const char *channel;
    uint64_t waiting, delivered, deferred, failed, dropped;
};
size_t notices_channels(const struct notices *notices);
struct notices_figures notices_figures(const struct notices *notices, size_t channel);

#endif
