/* A child process that exchanges lines over two pipes. It is not trusted to read, to answer or to
 * stay alive, and its environment lacks the token. */
#ifndef TILLROLL_API_CLI_BOTS_PROGRAM_H
#define TILLROLL_API_CLI_BOTS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/text.h"

struct program;

enum program_status {
    PROGRAM_GOOD,
    PROGRAM_LATE, /* the program did not read or answer in time */
    PROGRAM_ENDED /* the program has exited or closed its pipe */
};

enum { PROGRAM_LINE_MAX = 4096 };

/* Starts `command` in a shell; it inherits standard error. NULL with a message if the system has no
 * processes left. */
struct program *program_start(const char *command);

/* Sends a line, given without its line end. `end_ms`: the deadline, of CLOCK_MONOTONIC. */
enum program_status program_say(struct program *program, const char *line, int64_t end_ms);

/* Reads the next line into `line`, without its end and surrounding blanks, cut to PROGRAM_LINE_MAX.
 * `end_ms`: the deadline, of CLOCK_MONOTONIC. */
enum program_status program_hear(struct program *program, char line[static PROGRAM_LINE_MAX + 1],
                                 int64_t end_ms);

/* Waits `wait_ms` for the program to exit, then kills its process group, and frees the struct.
 * `how`, if not NULL, is set to the way it ended: `exit status 1`, `signal 11 (Segmentation
 * fault)`. NULL is fine. */
void program_end(struct program *program, unsigned wait_ms, struct text *how);

#endif
