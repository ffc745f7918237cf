/* Inside api/notices: the threads that hand over what is in the outbox.
 *
 *      outbox ──take──> ready ──deliver──> ended ──note──> outbox
 *               │                                    │
 *               └──────── one transaction ───────────┘
 *
 * What is due is taken several at a time, in the transaction that notes how those before have
 * ended, so that a notice costs the database little. Each of a channel's threads hands over one at
 * a time; a target is sent one at a time. So a target that hangs occupies one thread, and what else
 * was taken with it goes on. What could not be begun soon is given back: by then it may no longer
 * be true. */
#ifndef TILLROLL_API_NOTICES_SENDERS_H
#define TILLROLL_API_NOTICES_SENDERS_H

#include "api/notices/notices.h"

struct senders;

/* Starts no thread yet: each begins when it is needed first. Both are borrowed for as long as the
 * senders live; a connection is taken while the outbox is used, and not while something is handed
 * over. */
struct senders *senders_new(const struct notices_config *config, struct db_pool *pool);

/* Something in the outbox may be due. Any thread. */
void senders_wake(struct senders *senders);

/* Counts what waits, for senders_figures(), in the caller's transaction. */
enum db_status senders_count(struct senders *senders, struct db *db);

/* As notices_figures(). Any thread. */
struct notices_figures senders_figures(const struct senders *senders, size_t channel);

/* Waits for the threads, which give up what they are handing over, and give back what they have
 * taken. NULL is fine. */
void senders_free(struct senders *senders);

#endif
