/* A program at the other end of two pipes, which is spoken to in lines and answers in lines. It is
 * trusted with nothing: not to read, not to answer, not to live; and it does not see the token.
 */
#ifndef TILLROLL_API_CLI_BOTS_PROGRAM_H
#define TILLROLL_API_CLI_BOTS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/text.h"

struct program;

enum program_status {
    PROGRAM_GOOD,
    PROGRAM_LATE, /* it did not read, or answer, in time */
    PROGRAM_ENDED /* it is not there any more, or has closed its end */
};

enum { PROGRAM_LINE_MAX = 4096 };

/* Starts `command`, as a shell would; what it prints as errors goes where ours do. NULL with a
 * message if the system has no processes left. */
struct program *program_start(const char *command);

/* Says a line, which is given without its end. */
enum program_status program_say(struct program *program, const char *line, int64_t end_ms);

/* Hears the next line into `line`, without its end and what blanks there are around it. One that is
 * longer than PROGRAM_LINE_MAX is cut. `end_ms` is of
 * CLOCK_MONOTONIC. */
enum program_status program_hear(struct program *program, char line[static PROGRAM_LINE_MAX + 1],
                                 int64_t end_ms);

/* Lets it end by itself for `wait_ms`, then kills it with all that it has started, and frees.
 * `how`, if it is not NULL, says how it has ended: `exit status 1`, `signal 11 (Segmentation
 * fault)`. NULL is fine. */
void program_end(struct program *program, unsigned wait_ms, struct text *how);

#endif
