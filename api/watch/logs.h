/* The logs of the service: requests and errors. */
#ifndef TILLROLL_API_WATCH_LOGS_H
#define TILLROLL_API_WATCH_LOGS_H

#include <stdio.h>

#include "api/http/http.h"

/* ---- Requests ---- */

enum log_format { LOG_JSON, LOG_TEXT };

struct request_log;

/* Creates a log that writes to the descriptor `file`, which still belongs to the caller. */
struct request_log *request_log_new(int file, enum log_format format);

/* Adds the line of an answered request, with the arguments of server_config.log. `route` is the
 * pattern of its path, or NULL. */
void request_log_add(struct request_log *log, const struct http_request *request, const char *route,
                     const struct http_outcome *outcome);

/* Writes the gathered lines if the first is old enough; to be called at least every quarter of a
 * second. Lines that the descriptor does not take are lost. */
void request_log_tick(struct request_log *log);

/* Writes the remaining lines and frees. NULL is allowed. */
void request_log_free(struct request_log *log);

/* ---- Errors ---- */

/* The log of errors as JSON: every line of text that any part of the program, libraries included,
 * prints on standard error becomes an object on a line of its own.
 *
 *      tillrolld: transparency log: the log is full
 *      {"time":"2026-11-20T15:04:05.123Z","message":"transparency log: the log is full"}
 *
 *      request 9f86d081884c7d65 failed: 57014 canceling statement due to statement timeout
 *      {"time":"...","request":"9f86d081884c7d65","message":"failed: 57014 canceling ..."}
 *
 * A line without a request that was written less than a minute ago is only counted. When it is next
 * written, `times` says how often it has been printed since, if more than once.
 */

/* Returns a stream whose lines are written to the descriptor `file` in this way, to replace stderr
 * for the rest of the process. Any thread may print to it, each line with one call. NULL if memory
 * is short. */
FILE *error_log_json(int file);

#endif
