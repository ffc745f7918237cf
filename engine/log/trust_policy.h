/* Trust policies (c2sp.org/tlog-policy): which logs are accepted, and which witnesses must have
 * cosigned a checkpoint.
 *
 *      log <vkey> [<url>]
 *      witness <name> <vkey> [<url>]
 *      group <name> <k, all or any> <name>...      k of these witnesses and groups
 *      quorum <name or none>                       exactly one line
 *
 * A name is defined before it is used, and is a member of one group at most, so no witness counts
 * twice. Empty lines and lines that begin with `#` are ignored. A policy may have no log where the
 * log is known otherwise.
 */
#ifndef TILLROLL_ENGINE_LOG_TRUST_POLICY_H
#define TILLROLL_ENGINE_LOG_TRUST_POLICY_H

#include "engine/log/cosignature.h"
#include "engine/record/record.h"

enum {
    TRUST_LOGS_MAX = 32,
    TRUST_WITNESSES_MAX = 32,
    TRUST_GROUPS_MAX = 32,
    TRUST_NAME_MAX = 64, /* bytes of the name of a witness or group */
    TRUST_BYTES_MAX = 64 * 1024,
    TRUST_NOBODY = -1 /* `quorum none` */
};

struct trust_log {
    struct note_key key;
    struct span url; /* empty for none */
};

/* A witness or a group. */
struct trust_party {
    struct span name;
    int group;       /* the index of the group it is a member of, or -1 */
    unsigned needed; /* members that make a group; 0 for a witness */
    struct note_key key;
    struct span url; /* of a witness: empty for none */
};

/* Spans are parts of the text that was read. */
struct trust_policy {
    struct trust_log log[TRUST_LOGS_MAX];
    size_t logs;
    struct trust_party party[TRUST_WITNESSES_MAX + TRUST_GROUPS_MAX]; /* in order of lines */
    size_t parties, witnesses;
    int quorum; /* an index, or TRUST_NOBODY */
};

/* Reads a policy. Otherwise the fault `bad-policy` with the line. */
bool trust_policy_read(struct span text, struct trust_policy *policy, struct record_fault *fault);

/* The policy's log of this origin, or NULL. */
const struct note_key *trust_policy_log_key(const struct trust_policy *policy, struct span origin);

/* Which cosignatures a checkpoint has. */
struct trust_finding {
    bool cosigned[TRUST_WITNESSES_MAX + TRUST_GROUPS_MAX]; /* by party: witnesses that have */
    uint64_t time_s[TRUST_WITNESSES_MAX + TRUST_GROUPS_MAX];
    size_t count; /* witnesses that have */
};

/* Checks the cosignatures of a checkpoint, but not the log's own signature. With `not_before_s` >
 * 0, older cosignatures do not count. Cosignatures by others are ignored. Otherwise a fault:
 * `forged-cosignature`; `stale-checkpoint` if older cosignatures would have been enough;
 * `unknown-witness` if they are not and a signature is by neither the log nor a known witness;
 * `too-few-witnesses`. */
bool trust_policy_is_met(const struct trust_policy *policy, const struct note *note,
                         uint64_t not_before_s, struct trust_finding *finding,
                         struct record_fault *fault);

#endif
