/* Asks witnesses to cosign the transparency log's checkpoints (c2sp.org/tlog-witness), all at the
 * same time, each independently (api/push/asker.h).
 *
 *      newest checkpoint ──> witness: add-checkpoint, with a proof from what it has cosigned last
 *                        <── cosignature, which is checked and stored; or the size to begin at
 *
 * A witness that is away or slow is asked again later, at growing intervals, and delays nothing:
 * the log goes on without it. A checkpoint that remains the newest is cosigned again every hour.
 */
#ifndef TILLROLL_API_PUSH_WITNESSES_H
#define TILLROLL_API_PUSH_WITNESSES_H

#include "engine/base/text.h"
#include "engine/log/trust_policy.h"

/* The file of --witnesses: a trust policy whose witnesses have addresses. Its quorum is the one
 * that the service itself considers sufficient. */
struct witness_policy {
    struct trust_policy policy;
    char *text; /* owned */
};

/* Returns NULL with a sentence in `error` if the file cannot be used. */
struct witness_policy *witness_policy_read(const char *path, struct text *error);
void witness_policy_free(struct witness_policy *policy);

struct witnesses_config {
    const char *database; /* libpq connection string */
    bool service;         /* see db_open() */
    const struct witness_policy *policy;
    unsigned interval_ms; /* between looks for a new checkpoint */
};

struct witnesses;

/* `config` is copied, but not the targets of its pointers. NULL if the system has no threads or
 * descriptors left. */
struct witnesses *witnesses_new(const struct witnesses_config *config);

/* Any thread. */
struct witness_figures {
    const char *name;  /* of its key */
    uint64_t cosigned; /* checkpoints, by requests of this service since its start */
    uint64_t failures; /* requests without a cosignature */
    uint64_t size;     /* of the largest checkpoint it has cosigned, as far as this service knows */
    bool up;           /* the last request succeeded */
};
size_t witnesses_count(const struct witnesses *witnesses);
struct witness_figures witnesses_figures(const struct witnesses *witnesses, size_t i);

/* True if the newest checkpoint has the quorum's cosignatures. Any thread. */
bool witnesses_have_quorum(const struct witnesses *witnesses);

/* Aborts requests under way. NULL is fine. */
void witnesses_free(struct witnesses *witnesses);

#endif
