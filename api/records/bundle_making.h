/* Makes the bundle of an event (engine/tournament/interchange/bundle.h) part by part, each in its
 * own transaction, so that long bundles hold no transaction open and are never in memory as a
 * whole. The result is the same as in a single transaction: the parts that can change (the log,
 * names, the list of games) are read first and kept, and records of finished games never change.
 *
 * An imported event is written with the lines it was imported with, in the version of its bundle,
 * and with the original service's seal if it is still the same to the last byte. To find out, the
 * bundle is first made once for comparison.
 */
#ifndef TILLROLL_API_RECORDS_BUNDLE_MAKING_H
#define TILLROLL_API_RECORDS_BUNDLE_MAKING_H

#include "api/event/event_load.h"

struct bundle_making;

/* Reads everything except the records. NULL with a problem; `bundle-too-large` if the known length
 * is already too large. The loaded event is not needed afterwards. */
struct bundle_making *bundle_make(struct call *call, const struct loaded_event *loaded,
                                  bool records);

/* `making` may be NULL. */
void bundle_making_free(struct bundle_making *making);

/* The number of its records. */
size_t bundle_records(const struct bundle_making *making);

/* Hashes the contents of a bundle and the signing key: bundles with the same hash are the same. */
void bundle_identify(const struct bundle_making *making, const struct keys *keys,
                     uint8_t hash[static 32]);

/* Makes the next part, with at most BUNDLE_RECORDS_AT_ONCE records, in an open transaction.
 * Borrowed until the next call; empty while an imported event is made only for comparison. Sets
 * `last` for the last part. False with a problem. */
enum { BUNDLE_RECORDS_AT_ONCE = 16 };
bool bundle_next(struct bundle_making *making, struct call *call, struct span *part, bool *last);

#endif
