/* Making the bundle of an event (engine/tournament/interchange/bundle.h) part by part, each in a
 * transaction of its own, so that long ones hold none open and are never in memory as a whole. That
 * is the same as all in one: what is read first (the log, names, which games) is kept, and the
 * rest, records of finished games, never changes.
 *
 * An event that was imported is written with the lines that it came with, in the version of its
 * bundle, and if it is still the same to the last byte, with the seal of the service that it was
 * played on. To know that, it is made once more than for others.
 */
#ifndef TILLROLL_API_RECORDS_BUNDLE_MAKING_H
#define TILLROLL_API_RECORDS_BUNDLE_MAKING_H

#include "api/event/event_load.h"

struct bundle_making;

/* Reads all but the records. NULL with a problem; `bundle-too-large` as far as is known so far. The
 * loaded event is not needed afterwards. */
struct bundle_making *bundle_make(struct call *call, const struct loaded_event *loaded,
                                  bool records);

/* NULL is fine. */
void bundle_making_free(struct bundle_making *making);

/* How many records it has. */
size_t bundle_records(const struct bundle_making *making);

/* A hash of all that it is made of, and of who signs: bundles with the same are the same. */
void bundle_identify(const struct bundle_making *making, const struct keys *keys,
                     uint8_t hash[static 32]);

/* Makes the next part, BUNDLE_RECORDS_AT_ONCE records at most; borrowed until the next call, and
 * empty where one that was imported is made only to be compared. In an open transaction. `last` if
 * none follows. False with a problem. */
enum { BUNDLE_RECORDS_AT_ONCE = 16 };
bool bundle_next(struct bundle_making *making, struct call *call, struct span *part, bool *last);

#endif
