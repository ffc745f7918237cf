/* Additions to the transparency log (engine/log/tlog.h), made in the transaction of the call whose
 * change they record. Each function returns false with a problem. */
#ifndef TILLROLL_API_EVENT_TLOG_LEAVES_H
#define TILLROLL_API_EVENT_TLOG_LEAVES_H

#include "api/request/call.h"
#include "db/store/events/events.h"
#include "engine/log/tlog.h"
#include "engine/record/keyring.h"

/* Appends a step as its line of an event's log: number, time, actor, kind, and the detail as
 * stored. The text must have room for tlog_step_length() bytes. */
void tlog_print_step(const struct event_step *step, struct text *text);
size_t tlog_step_length(const struct event_step *step);

/* Adds a finished record. */
bool tlog_add_record(struct call *call, struct span record);

/* Adds commitments to secrets. */
bool tlog_add_commitment(struct call *call, struct span scope, const uint8_t commitment[static 32]);
bool tlog_add_commitments(struct call *call, const struct span *scopes,
                          const uint8_t *const *commitments, size_t count);

/* Adds line `line` of the event's log, which is stored, and is a ruling or revokes one. */
bool tlog_add_ruling(struct call *call, const struct id *event, unsigned line);

/* Adds the leaf of a document, under `scope`, and stores its bytes beside the log by their hash. */
bool tlog_add_document(struct call *call, enum tlog_subject subject, struct span scope,
                       struct span body);

/* Adds the ruling or closing of a dispute; `head` is the value of its log's chain. */
bool tlog_add_dispute(struct call *call, const struct id *dispute, const uint8_t head[static 32]);

/* Adds a step of a player's signing keys. */
bool tlog_add_key_step(struct call *call, const struct id *player, const struct keyring_step *step);

/* Makes the leaf of such a step; its name is written to `name`. */
void tlog_key_leaf(const struct id *player, const struct keyring_step *step, struct text *name,
                   struct tlog_leaf *leaf);

#endif
