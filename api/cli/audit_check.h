/* Checking one stored record against itself, by replay, and against what else is stored of its
 * game. */
#ifndef TILLROLL_API_CLI_AUDIT_CHECK_H
#define TILLROLL_API_CLI_AUDIT_CHECK_H

#include "db/audit.h"
#include "engine/replay.h"
#include "engine/signature.h"

struct audit_checker {
    struct replay replay; /* of the record checked last */
    char *text;           /* its lines, joined */
    size_t capacity;
};

enum audit_verdict {
    AUDIT_GOOD,    /* finished and proved, or running and whole as far as form and chain go */
    AUDIT_PENDING, /* played to its end, but the secret is not revealed: good if a table of its
                      round is still playing */
    AUDIT_DAMAGED  /* `fault` says where and why */
};

/* `checker` starts zeroed. Gives way to others (sched_yield) about every 100 microseconds. */
enum audit_verdict audit_check(struct audit_checker *checker, const struct audit_record *record,
                               struct record_fault *fault);

void audit_checker_free(struct audit_checker *checker);

#endif
