/* Turns an answer into what libmicrohttpd sends. */
#ifndef TILLROLL_API_HTTP_ANSWER_H
#define TILLROLL_API_HTTP_ANSWER_H

#include <microhttpd.h>

#include "api/http/http.h"

/* The answer with all its header fields, including those that every answer has. The body is
 * borrowed and must stay until the answer has been sent. `request_id` becomes X-Request-Id; `close`
 * ends the connection afterwards, as `response->close` does. Free with MHD_destroy_response(). NULL
 * if memory is short, or a value is not valid in a header field (it contains a line end). */
struct MHD_Response *answer_new(const struct http_response *response, const char *request_id,
                                bool close);

/* Adds the same header fields to an answer that was made in another way. False for the same
 * reasons. */
bool answer_add_fields(struct MHD_Response *answer, const struct http_response *response,
                       const char *request_id, bool close);

/* The same for an answer that is sent repeatedly: it contains nothing specific to one request. Its
 * body, memory from malloc(), is taken over, even if NULL is returned. */
struct MHD_Response *answer_new_shared(const struct http_response *response);

#endif
