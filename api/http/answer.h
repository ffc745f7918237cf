/* Responses in the form that libmicrohttpd sends: one for a single request, or one that many
 * requests share.
 *
 * A shared answer is built once, with its header fields and, where that pays, a second body
 * compressed with gzip. It can then be sent to any number of clients without further work.
 *
 * Shared answers are for public data only. Compressing secrets together with text that a client has
 * chosen would reveal the secrets by the compressed length (BREACH), so nothing that only one seat
 * or session may see is shared.
 *
 * A shared answer is reference-counted: each creator or holder drops it, and the last drop frees
 * it. libmicrohttpd itself holds the answers that it is sending. Any thread.
 */
#ifndef TILLROLL_API_HTTP_ANSWER_H
#define TILLROLL_API_HTTP_ANSWER_H

#include <microhttpd.h>

#include "api/http/http.h"
#include "db/link/id.h"

/* Makes an answer with all its header fields, including those that every answer has. The body is
 * borrowed and must stay until the answer has been sent. `request_id` becomes X-Request-Id; `close`
 * ends the connection afterwards, as `response->close` does. Free with MHD_destroy_response(). NULL
 * if memory is short, or if a value is not valid in a header field (it contains a line end). */
struct MHD_Response *http_answer_new(const struct http_response *response, const char *request_id,
                                     bool close);

/* Adds the same header fields to an answer that was created differently. False for the same
 * reasons. */
bool http_answer_add_fields(struct MHD_Response *answer, const struct http_response *response,
                            const char *request_id, bool close);

/* -- answers that many requests share -- */

struct shared_answer;

/* The callers for whom an answer is valid: all callers who are not signed in, and all signed-in
 * players, none of them, or all but the players in `excluded`. Zeroed = all callers. */
enum { AUDIENCE_EXCLUDED = 5 };
struct audience {
    bool anonymous_only;
    size_t excluded_count;
    struct id excluded[AUDIENCE_EXCLUDED];
};

/* Makes a shared answer from a response with status 200 or 304, a body and an entity tag;
 * everything is copied. The compressed body has its own tag, as RFC 9110 section 8.8.3.3 requires:
 * "-gzip" before the last quote. It exists if the body is longer than 1 KiB and compression saves a
 * tenth of its length. `effort` is zlib's level, 1 to 9. NULL if memory is short or a header field
 * cannot be sent. */
struct shared_answer *shared_answer_new(const struct http_response *response, int effort,
                                        const struct audience *audience);

struct shared_answer *shared_answer_hold(struct shared_answer *answer);

/* `answer` may be NULL. */
void shared_answer_drop(struct shared_answer *answer);

/* True if this caller may get the answer; `player` is the signed-in player, NULL for none. */
bool shared_answer_is_for(const struct shared_answer *answer, const struct id *player);

/* The uncompressed body; borrowed. */
struct span shared_answer_body(const struct shared_answer *answer);

/* The memory that the answer uses, in bytes, roughly. */
size_t shared_answer_bytes(const struct shared_answer *answer);

/* Answers a request with a shared answer: 304 if the client has it in either coding
 * (If-None-Match), else 200 in the coding that Accept-Encoding allows. The response gets a hold on
 * the answer, and must be empty before. */
void shared_answer_give(struct shared_answer *answer, const struct http_request *request,
                        struct http_response *response);

/* Returns the answer to queue for a response that holds a shared answer. Borrowed. `close` ends the
 * connection; from then on the same answer ends the connection of every client, so it is set only
 * while the service stops. One thread. */
struct MHD_Response *shared_answer_ready(const struct http_response *response, bool close);

#endif
