/* The rules by which a witness cosigns (c2sp.org/tlog-witness): a checkpoint must be signed by a
 * log that the witness knows, and its tree must extend the newest one that the witness has
 * cosigned.
 *
 * A checkpoint with a cosignature of the witness itself was cosigned by it, whatever its state
 * says. If the checkpoint is larger than the state's, the state is an old copy: the witness
 * continues from that checkpoint instead. If the checkpoint contradicts the state, the witness
 * signs nothing more of that log.
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
    pthread_mutex_t mutex; /* protects all members but figures */
    struct witness_state state;
    struct note_key key;
    struct signer signer;
    struct trust_policy policy;  /* names the logs to be witnessed */
    bool unsure[TRUST_LOGS_MAX]; /* by log: other parties are still being asked for a larger
                                    cosigned tree */
    bool broken[TRUST_LOGS_MAX]; /* by log: this witness has cosigned two trees that contradict each
                                    other */
    bool failed;                 /* the state cannot be written: nothing more is signed */
    struct witness_counts figures;
};

/* The response to add-checkpoint. */
struct witness_answer {
    int status;       /* 200, 400, 403, 404, 409, 422, 500, 503 */
    const char *code; /* of an error other than 409 with a size; otherwise NULL */
    const char *message;
    uint64_t size;                   /* with 409: size of the newest cosigned tree */
    char line[COSIGNATURE_LINE_MAX]; /* with 200 */
};

/* Checks the body of an add-checkpoint request, and cosigns. `now_s`: seconds since 1970. If the
 * status is 200, the state on disk has the checkpoint. Any thread. */
void witness_add_checkpoint(struct witness *witness, struct span body, uint64_t now_s,
                            struct witness_answer *answer);

/* Checks a checkpoint from elsewhere for a cosignature of this witness. Any thread. */
void witness_look_at(struct witness *witness, struct span note);

/* A copy of the newest note of a log, for the caller to free; NULL if the witness has cosigned
 * none. `hash`: SHA-256 of the log's origin. Any thread. */
char *witness_newest(struct witness *witness, const uint8_t hash[static 32], size_t *length);

#endif
