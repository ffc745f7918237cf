/* A dealer's durable memory: the input of each scope for which it has given its output
 * (engine/record/dealer.h). It gives no output for a second input, so that nobody can draw twice.
 *
 *      <directory>/key       the secret key (api/cli/bots/signer.h)
 *      <directory>/lock      held while a process uses the directory
 *      <directory>/answers   `<scope> <commitment> <hash of the entropy, or ->` (kept_lines.h)
 *
 * One thread at a time.
 */
#ifndef TILLROLL_API_CLI_WITNESS_DEALER_STATE_H
#define TILLROLL_API_CLI_WITNESS_DEALER_STATE_H

#include "api/cli/witness/kept_lines.h"
#include "engine/record/dealer.h"

enum { DEALER_ANSWERS_MAX = 300000 };

struct dealer_state {
    struct kept_lines answers; /* of struct dealer_input, in order of time */
    void *by_scope;            /* the same items, for search.h */
    int lock;
};

enum dealer_memory {
    DEALER_NEW,      /* remembered now, and on disk */
    DEALER_REPEATED, /* the same input was answered before */
    DEALER_OTHER,    /* another input of this scope was answered before */
    DEALER_FULL,     /* the limit DEALER_ANSWERS_MAX is reached */
    DEALER_FAILED    /* the answer could not be stored; with a message on standard error */
};

/* Makes the empty file of answers, which must not exist. False with a message. */
bool dealer_state_make(const char *directory);

/* Reads the file and takes the lock. A last line without its end was cut off by a crash before its
 * answer was sent, and is removed. False with a message if the file is missing, damaged or
 * locked. */
bool dealer_state_open(struct dealer_state *state, const char *directory);
void dealer_state_close(struct dealer_state *state);

/* Remembers an input. An output may be given for it if the result is DEALER_NEW or
 * DEALER_REPEATED. */
enum dealer_memory dealer_state_take(struct dealer_state *state, const struct dealer_input *input);

/* Appends the line of an answer, with LF. */
void dealer_answer_print(const struct dealer_input *input, struct text *text);

/* Reads a line of an answer, without its LF. False for anything else. Pure. */
bool dealer_answer_read(struct span line, struct dealer_input *input);

#endif
