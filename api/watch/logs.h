/* What the service logs: requests and errors. */
#ifndef TILLROLL_API_WATCH_LOGS_H
#define TILLROLL_API_WATCH_LOGS_H

#include <stdio.h>

#include "api/http/http.h"

/* ---- Requests ---- */

enum log_format { LOG_JSON, LOG_TEXT };

struct request_log;

/* A log that writes to the descriptor `file`, which stays the caller's. */
struct request_log *request_log_new(int file, enum log_format format);

/* Adds the line of an answered request, as server_config.log is told of it. `route` is the pattern
 * of its path, or NULL. */
void request_log_add(struct request_log *log, const struct http_request *request, const char *route,
                     const struct http_outcome *outcome);

/* Writes what has been gathered if its first line is old enough; to be called at least every
 * quarter of a second. What the descriptor does not take is lost. */
void request_log_tick(struct request_log *log);

/* Writes the rest and frees. NULL is fine. */
void request_log_free(struct request_log *log);

/* ---- Errors ---- */

/* The log of errors as JSON: what any part of the program, libraries included, prints on standard
 * error as a line of text becomes an object on a line of its own.
 *
 *      tillrolld: transparency log: the log is full
 *      {"time":"2026-11-20T15:04:05.123Z","message":"transparency log: the log is full"}
 *
 *      request 9f86d081884c7d65 failed: 57014 canceling statement due to statement timeout
 *      {"time":"...","request":"9f86d081884c7d65","message":"failed: 57014 canceling ..."}
 *
 * A line of no request that was written less than a minute ago is counted instead. When it is next
 * written, `times` says how often it was printed since, if more than once.
 */

/* A stream whose lines are written to the descriptor `file` so; to stand in place of stderr, for
 * good. Any thread may print there, a line by one call. NULL if there is no memory. */
FILE *error_log_json(int file);

#endif
