/* The rules by which a witness cosigns (c2sp.org/tlog-witness): a checkpoint of a log that it
 * knows, signed by that log, whose tree extends the newest one that it has cosigned.
 *
 * A checkpoint that carries a cosignature of the witness itself was cosigned by it, whatever its
 * state says. If it is larger than the state's, then the state is an old copy: the witness goes on
 * from that checkpoint instead. If it contradicts the state, the witness signs nothing more of that
 * log.
 */
#ifndef TILLROLL_API_CLI_WITNESS_COSIGN_H
#define TILLROLL_API_CLI_WITNESS_COSIGN_H

#include <pthread.h>

#include "api/cli/signer.h"
#include "api/cli/witness/witness_state.h"
#include "engine/base/counter.h"
#include "engine/log/trust_policy.h"

struct witness_counts {
    struct counter cosigned, conflicts, refused, forks, recovered;
};

struct witness {
    pthread_mutex_t mutex; /* over everything below but figures */
    struct witness_state state;
    struct note_key key;
    struct signer signer;
    struct trust_policy policy;  /* its logs are witnessed */
    bool unsure[TRUST_LOGS_MAX]; /* by log: whether a larger cosigned tree exists is being asked */
    bool broken[TRUST_LOGS_MAX]; /* by log: it has cosigned two trees that contradict each other */
    bool failed;                 /* the state cannot be written: nothing is signed any more */
    struct witness_counts figures;
};

/* What is answered to add-checkpoint. */
struct witness_answer {
    int status;       /* 200, 400, 403, 404, 409, 422, 500, 503 */
    const char *code; /* of an error other than 409 with a size; NULL = none */
    const char *message;
    uint64_t size;                   /* with 409: of the newest cosigned tree */
    char line[COSIGNATURE_LINE_MAX]; /* with 200 */
};

/* Judges the body of an add-checkpoint request, and cosigns. `now_s`: seconds since 1970. When it
 * returns 200, the state on disk has the checkpoint. Any thread. */
void witness_add_checkpoint(struct witness *witness, struct span body, uint64_t now_s,
                            struct witness_answer *answer);

/* Looks at a checkpoint from elsewhere for a cosignature of its own. Any thread. */
void witness_look_at(struct witness *witness, struct span note);

/* A copy of the newest note of a log, for the caller to free; NULL if it has cosigned none. `hash`:
 * SHA-256 of the log's origin. Any thread. */
char *witness_newest(struct witness *witness, const uint8_t hash[static 32], size_t *length);

#endif
