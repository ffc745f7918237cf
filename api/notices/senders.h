/* Internal to api/notices: the threads that deliver the rows of the outbox.
 *
 *      outbox ──take──> ready ──deliver──> ended ──note──> outbox
 *               │                                    │
 *               └──────── one transaction ───────────┘
 *
 * Due rows are taken several at a time, in the transaction that stores the outcomes of the previous
 * ones, so that a notice costs the database little. Each of a channel's threads makes one delivery
 * (or one round of deliver_all()) at a time, and each target gets one at a time. So a target that
 * hangs occupies one thread, and other deliveries taken together with it go on. Deliveries that
 * could not be begun soon are given back: by then they may no longer be true. */
#ifndef TILLROLL_API_NOTICES_SENDERS_H
#define TILLROLL_API_NOTICES_SENDERS_H

#include "api/notices/notices_config.h"
#include "db/store/people/notices.h"

struct senders;

/* Starts no thread: each is started when first needed. Both arguments are borrowed for the lifetime
 * of the senders. A connection is taken only while the outbox is used, not during deliveries. */
struct senders *senders_new(const struct notices_config *config, struct db_pool *pool);

/* Reports that rows of the outbox may be due. Any thread. */
void senders_wake(struct senders *senders);

/* Rows of turns that the fan-out adds and the senders of this service take in the same statement,
 * which spares the database a change of each row and a search for it. Used by one thread. */
struct senders_turns;

/* Call it before at most `count` turns are added. For each channel, sets `lease_ms` to the time for
 * which to take the rows added, or 0 if the channel has no room for them. senders_turns_end() must
 * follow. */
struct senders_turns *senders_turns_begin(struct senders *senders, size_t count,
                                          unsigned lease_ms[static NOTICE_CHANNELS]);

/* Makes deliveries of the rows taken, in the transaction that adds them, which must fail if this
 * fails. `copy`: the caller's scratch copy of a game. */
enum db_status senders_turns_make(struct senders_turns *turns, struct db *db,
                                  const struct outbox_notice *taken, size_t count,
                                  struct replay **copy);

/* Reports how the transaction ended: deliveries are made only with DB_OK. */
void senders_turns_end(struct senders_turns *turns, enum db_status status);

/* Counts the waiting notices for senders_figures(), in the caller's transaction. */
enum db_status senders_count(struct senders *senders, struct db *db);

/* See notices_figures(). Any thread. */
struct notices_figures senders_figures(const struct senders *senders, size_t channel);

/* Waits for the threads, which stop what they are delivering and give back the rows they have
 * taken. NULL is fine. */
void senders_free(struct senders *senders);

#endif
