/* What is put into the transparency log (engine/log/tlog.h), in the transaction of the call
 * that makes it so. Each returns false with a problem.
 */
#ifndef TILLROLL_API_EVENT_TLOG_LEAVES_H
#define TILLROLL_API_EVENT_TLOG_LEAVES_H

#include "api/request/call.h"
#include "db/store/events/events.h"
#include "engine/log/tlog.h"
#include "engine/record/keyring.h"

/* Appends a step as its line of an event's log: number, time, who, what, and its detail as stored,
 * which must have room for tlog_step_length() bytes. */
void tlog_print_step(const struct event_step *step, struct text *text);
size_t tlog_step_length(const struct event_step *step);

/* A record was finished. */
bool tlog_add_record(struct call *call, struct span record);

/* A secret was committed to. */
bool tlog_add_commitment(struct call *call, struct span scope, const uint8_t commitment[static 32]);
bool tlog_add_commitments(struct call *call, const struct span *scopes,
                          const uint8_t *const *commitments, size_t count);

/* The event's line `line`, which is stored, is a ruling, or revokes one. */
bool tlog_add_ruling(struct call *call, const struct id *event, unsigned line);

/* A document that is kept beside the log: its leaf, under `scope`, and its bytes by their hash. */
bool tlog_add_document(struct call *call, enum tlog_subject subject, struct span scope,
                       struct span body);

/* A dispute was ruled or closed; `head` is the value of its log's chain. */
bool tlog_add_dispute(struct call *call, const struct id *dispute, const uint8_t head[static 32]);

/* A step of a player's signing keys. */
bool tlog_add_key_step(struct call *call, const struct id *player, const struct keyring_step *step);

/* The leaf of such a step, `name` being room for its name. */
void tlog_key_leaf(const struct id *player, const struct keyring_step *step, struct text *name,
                   struct tlog_leaf *leaf);

#endif
