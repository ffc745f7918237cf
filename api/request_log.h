/* The log of requests: one JSON line each, gathered in memory and written many at once, so that a
 * request costs no call of the system for it. Loop thread only.
 */
#ifndef TILLROLL_API_REQUEST_LOG_H
#define TILLROLL_API_REQUEST_LOG_H

#include "api/http.h"

struct request_log;

/* A log that writes to the descriptor `file`, which stays the caller's. */
struct request_log *request_log_new(int file);

/* Adds the line of an answered request; the parameters are those of server_config.log. */
void request_log_add(struct request_log *log, const struct http_request *request, int status,
                     int64_t duration_us, bool worker);

/* Writes what has been gathered if its first line is old enough; to be called at least every
 * quarter of a second. What the descriptor does not take is lost. */
void request_log_tick(struct request_log *log);

/* Writes the rest and frees. NULL is fine. */
void request_log_free(struct request_log *log);

#endif
