/* The log of errors as JSON: what any part of the program, libraries included, prints on standard
 * error as a line of text becomes an object on a line of its own.
 *
 *      tillrolld: transparency log: the log is full
 *      {"time":"2026-11-20T15:04:05.123Z","message":"transparency log: the log is full"}
 *
 *      request 9f86d081884c7d65 failed: 57014 canceling statement due to statement timeout
 *      {"time":"...","request":"9f86d081884c7d65","message":"failed: 57014 canceling ..."}
 */
#ifndef TILLROLL_API_ERROR_LOG_H
#define TILLROLL_API_ERROR_LOG_H

#include <stdio.h>

/* A stream whose lines are written to the descriptor `file` so; to stand in the place of stderr,
 * for good. Any thread may print there, a line by one call. NULL if there is no memory. */
FILE *error_log_json(int file);

#endif
