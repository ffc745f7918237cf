/* The log of requests: one line each, gathered in memory and written many at once, so that a
 * request costs no call of the system for it. Loop thread only.
 *
 *      {"time":"2026-11-20T15:04:05.123Z","request":"9f86d081884c7d65","method":"GET",
 *       "route":"/v1/games/{id}","path":"/v1/games/01a1...","status":200,"us":431,"worker":true}
 *
 *      2026-11-20T15:04:05.123Z 200 GET /v1/games/01a1... 431us 9f86d081884c7d65
 *
 * Nothing else of a request gets there: no query, no body, no field of its head, no address. Of a
 * path that is none of ours, long segments are left out (`*`): it may be a token that was pasted in
 * the wrong place.
 */
#ifndef TILLROLL_API_REQUEST_LOG_H
#define TILLROLL_API_REQUEST_LOG_H

#include "api/http.h"

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

#endif
