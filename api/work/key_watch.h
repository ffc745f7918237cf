/* Whether the service's keys are those of its database, where that did not answer when the service
 * began (api/state/keys.h): asked again and again until it does. Until then nothing is read or
 * written for anybody, and nothing is signed.
 */
#ifndef TILLROLL_API_WORK_KEY_WATCH_H
#define TILLROLL_API_WORK_KEY_WATCH_H

#include "api/state/keys.h"

struct key_watch;

/* Compares the keys, which must not change, as `check` says, which is copied; what it names, and
 * `context`, are borrowed. When they are found to be the database's, `found` is called once, with
 * what the check has found out, before key_watch_good() is true; NULL is fine. When they are
 * others', or `found` returns false, the sentence is said on standard error, and the process gets
 * SIGTERM. Either on a thread of the watch. NULL if the system has no threads left. */
struct key_watch *key_watch_new(const struct key_check *check, const struct keys *keys,
                                bool (*found)(void *context, const struct key_check *check,
                                              struct text *error),
                                void *context);

/* Whether the keys are the database's. Any thread. True for NULL: it was known from the start. */
bool key_watch_good(const struct key_watch *watch);

/* Whether they are not, so that the process is to end with a failure. NULL is fine. */
bool key_watch_bad(const struct key_watch *watch);

/* NULL is fine. */
void key_watch_free(struct key_watch *watch);

#endif
