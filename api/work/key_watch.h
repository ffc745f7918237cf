/* Checks whether the service's keys are those of its database, if the database did not answer when
 * the service started (api/state/keys.h): queries it again and again until it does. Until then
 * nothing is read or written for clients, and nothing is signed.
 */
#ifndef TILLROLL_API_WORK_KEY_WATCH_H
#define TILLROLL_API_WORK_KEY_WATCH_H

#include "api/state/keys.h"

struct key_watch;

/* Compares the keys, which must not change, according to `check`, which is copied; its pointers,
 * and `context`, are borrowed. If they are the database's, `found` is called once with the results
 * of the check, before key_watch_good() is true; NULL is allowed. If they are not, or `found`
 * returns false, the sentence is printed on standard error, and the process gets SIGTERM. Both on
 * the watch's thread. NULL if the system has no threads left. */
struct key_watch *key_watch_new(const struct key_check *check, const struct keys *keys,
                                bool (*found)(void *context, const struct key_check *check,
                                              struct text *error),
                                void *context);

/* True if the keys are the database's. Any thread. True for NULL: the keys were compared at the
 * start. */
bool key_watch_good(const struct key_watch *watch);

/* True if the keys are not the database's, so that the process must end with a failure. NULL is
 * allowed. */
bool key_watch_bad(const struct key_watch *watch);

/* NULL is allowed. */
void key_watch_free(struct key_watch *watch);

#endif
