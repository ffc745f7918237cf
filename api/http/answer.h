/* Answers as libmicrohttpd sends them: that of one request, and those that many requests share.
 *
 * A shared answer is made once, with its header fields and, where that pays, a second body
 * compressed by gzip, and then given to any number of clients without further work.
 *
 * For public data only. Compressing secrets together with text that somebody else chose would
 * reveal them by its length (BREACH), so nothing that only one seat or session may see is shared.
 *
 * It is reference-counted: each maker or holder drops it again; the last drop frees it.
 * libmicrohttpd itself holds what it is sending. Any thread.
 */
#ifndef TILLROLL_API_HTTP_ANSWER_H
#define TILLROLL_API_HTTP_ANSWER_H

#include <microhttpd.h>

#include "api/http/http.h"
#include "db/link/id.h"

/* The answer with all its header fields, including those that every answer has. The body is
 * borrowed and must stay until the answer has been sent. `request_id` becomes X-Request-Id; `close`
 * ends the connection afterwards, as `response->close` does. Free with MHD_destroy_response(). NULL
 * if memory is short, or a value is not valid in a header field (it contains a line end). */
struct MHD_Response *http_answer_new(const struct http_response *response, const char *request_id,
                                     bool close);

/* Adds the same header fields to an answer that was made in another way. False for the same
 * reasons. */
bool http_answer_add_fields(struct MHD_Response *answer, const struct http_response *response,
                            const char *request_id, bool close);

/* -- answers that many requests share -- */

struct shared_answer;

/* Whom an answer is for: everybody who is not signed in; of those who are, all, or none, or all but
 * some players. Zeroed = everybody. */
enum { AUDIENCE_EXCLUDED = 5 };
struct audience {
    bool anonymous_only;
    size_t excluded_count;
    struct id excluded[AUDIENCE_EXCLUDED];
};

/* Makes one from an answer with status 200 or 304, body and entity tag; everything is copied. The
 * compressed body has its own tag, as RFC 9110 section 8.8.3.3 asks for: "-gzip" before the last
 * quote. It is there if the body is longer than 1 KiB and compression saves a tenth of its length.
 * `effort` is zlib's, 1 to 9. NULL if memory is short or a header field cannot be sent. */
struct shared_answer *shared_answer_new(const struct http_response *response, int effort,
                                        const struct audience *audience);

struct shared_answer *shared_answer_hold(struct shared_answer *answer);

/* NULL is fine. */
void shared_answer_drop(struct shared_answer *answer);

/* True if this caller may get it; `player` is the signed-in player, NULL for none. */
bool shared_answer_is_for(const struct shared_answer *answer, const struct id *player);

/* Its uncompressed body; borrowed. */
struct span shared_answer_body(const struct shared_answer *answer);

/* Bytes of memory that it uses, roughly. */
size_t shared_answer_bytes(const struct shared_answer *answer);

/* Answers a request with it: 304 if the client has this answer in either coding (If-None-Match),
 * else 200 in the coding that Accept-Encoding allows. The response gets a hold on it, and must be
 * empty before. */
void shared_answer_give(struct shared_answer *answer, const struct http_request *request,
                        struct http_response *response);

/* What to queue for a response that was given a shared answer. Borrowed. `close`: it ends its
 * connection; from then on the same answer does so for every client, so only for a service that
 * stops. One thread. */
struct MHD_Response *shared_answer_ready(const struct http_response *response, bool close);

#endif
