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
#include "db/store/people/notices.h"

struct senders;

/* Starts no thread yet: each begins when it is needed first. Both are borrowed for as long as the
 * senders live; a connection is taken while the outbox is used, and not while something is handed
 * over. */
struct senders *senders_new(const struct notices_config *config, struct db_pool *pool);

/* Something in the outbox may be due. Any thread. */
void senders_wake(struct senders *senders);

/* What the fan-out adds of turns may be taken by the senders of this service as it is added, which
 * spares the database a change of each row and a search for it. Of one thread. */
struct senders_turns;

/* Before at most `count` are added: `lease_ms` becomes, for each channel, for how long to take what
 * is added, or 0 where it has no room for it. senders_turns_end() follows. */
struct senders_turns *senders_turns_begin(struct senders *senders, size_t count,
                                          unsigned lease_ms[static NOTICE_CHANNELS]);

/* What was taken, in the transaction that adds it. If this fails, so must the transaction. `copy`:
 * of the caller, to look at games with. */
enum db_status senders_turns_make(struct senders_turns *turns, struct db *db,
                                  const struct outbox_notice *taken, size_t count,
                                  struct replay **copy);

/* How the transaction has ended: only with DB_OK is anything handed over. */
void senders_turns_end(struct senders_turns *turns, enum db_status status);

/* Counts what waits, for senders_figures(), in the caller's transaction. */
enum db_status senders_count(struct senders *senders, struct db *db);

/* As notices_figures(). Any thread. */
struct notices_figures senders_figures(const struct senders *senders, size_t channel);

/* Waits for the threads, which give up what they are handing over, and give back what they have
 * taken. NULL is fine. */
void senders_free(struct senders *senders);

#endif
