/* Checks that the log of an event is in a transparency log, with a proof that has been kept. */
#ifndef TILLROLL_API_CLI_PROVE_EVENT_LOGGED_H
#define TILLROLL_API_CLI_PROVE_EVENT_LOGGED_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/merkle.h"

/* Checks, offline, the response to `GET /v1/log/inclusion?leaf=<hash>` (the file `proof`) against
 * the trust policy in the file `policy`: the response is about this leaf, its path leads to its
 * checkpoint, and a log of the policy and enough of its witnesses have signed that checkpoint.
 * Prints the outcome after the name `path` of the bundle: a line on standard output, or a message
 * on standard error if a file cannot be read. Returns EXIT_YES, EXIT_NO or EXIT_UNKNOWN. One thread
 * at a time. */
int event_logged_check(const char *path, const uint8_t leaf[static MERKLE_HASH], const char *proof,
                       const char *policy);

#endif
