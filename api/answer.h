/* From an answer to what libmicrohttpd sends. */
#ifndef TILLROLL_API_ANSWER_H
#define TILLROLL_API_ANSWER_H

#include <microhttpd.h>

#include "api/http.h"

/* The answer with all its header fields, those that every answer carries included. The body is
 * borrowed and must stay until the answer has been sent. `request_id` goes
 * into X-Request-Id; `close` ends the connection afterwards, as `response->close` does. Free with
 * MHD_destroy_response(). NULL if memory is short, or a value can stand in no header field (a line
 * end in it). */
struct MHD_Response *answer_new(const struct http_response *response, const char *request_id,
                                bool close);

/* Adds the same header fields to an answer that was made otherwise. False for the same reasons. */
bool answer_add_fields(struct MHD_Response *answer, const struct http_response *response,
                       const char *request_id, bool close);

/* The same for an answer that is sent again and again: nothing in it is of one request, and its
 * body, memory from malloc(), is taken over, also with NULL. */
struct MHD_Response *answer_new_shared(const struct http_response *response);

#endif
