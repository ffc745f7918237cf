#include "api/http/answer.h"

#include <stdlib.h>

#define POLICY(scripts, frames)                                                                    \
    "default-src 'none'; script-src " scripts                                                      \
    "; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; "              \
    "form-action 'self'; frame-ancestors " frames

/* Adds a field unless its value is NULL. */
static bool add(struct MHD_Response *answer, const char *name, const char *value)
{
    return value == NULL || MHD_add_response_header(answer, name, value) == MHD_YES;
}

/* A worker has the policy of its own script. */
static const char *policy_of(const struct http_response *response)
{
    if (response->compiles)
        return POLICY("'self' 'wasm-unsafe-eval'", "'none'");
    return response->embeddable ? POLICY("'self'", "*") : POLICY("'self'", "'none'");
}

static bool add_security(struct MHD_Response *answer, const struct http_response *response)
{
    return add(answer, "X-Content-Type-Options", "nosniff") &&
           add(answer, "Referrer-Policy", "no-referrer") &&
           add(answer, "Cross-Origin-Opener-Policy", "same-origin") &&
           add(answer, "Cross-Origin-Resource-Policy",
               response->embeddable ? "cross-origin" : "same-origin") &&
           add(answer, "Content-Security-Policy", policy_of(response));
}

static bool add_retry_after(struct MHD_Response *answer, int seconds)
{
    if (seconds <= 0)
        return true;
    char digits[24];
    struct text text = TEXT_OVER(digits);
    text_add_number(&text, seconds);
    return add(answer, "Retry-After", digits);
}

static bool add_own(struct MHD_Response *answer, const struct http_response *response)
{
    const char *cache = response->cache_control != NULL ? response->cache_control : "no-store";
    return add(answer, "Content-Type", response->content_type) &&
           add(answer, "Cache-Control", cache) && add(answer, "ETag", response->etag) &&
           add(answer, "Vary", response->etag == NULL ? NULL : "Accept-Encoding") &&
           add(answer, "Content-Encoding", response->encoding) &&
           add(answer, "Location", response->location) && add(answer, "Allow", response->allow) &&
           add(answer, "Content-Disposition", response->disposition) &&
           add(answer, "Set-Cookie", response->set_cookie) &&
           add_retry_after(answer, response->retry_after_s);
}

bool answer_add_fields(struct MHD_Response *answer, const struct http_response *response,
                       const char *request_id, bool close)
{
    return add_own(answer, response) && add_security(answer, response) &&
           add(answer, "X-Request-Id", request_id) &&
           add(answer, "Connection", close || response->close ? "close" : NULL);
}

/* Without a request id no X-Request-Id is sent. The library takes a pointer to writable bytes, but
 * only reads them. */
static struct MHD_Response *make(const struct http_response *response,
                                 enum MHD_ResponseMemoryMode mode, const char *request_id,
                                 bool close)
{
    struct MHD_Response *answer =
        MHD_create_response_from_buffer(response->body.length, (void *)response->body.at, mode);
    if (answer == NULL) {
        if (mode == MHD_RESPMEM_MUST_FREE)
            free((void *)response->body.at);
        return NULL;
    }
    if (answer_add_fields(answer, response, request_id, close))
        return answer;
    MHD_destroy_response(answer);
    return NULL;
}

struct MHD_Response *answer_new(const struct http_response *response, const char *request_id,
                                bool close)
{
    return make(response, MHD_RESPMEM_PERSISTENT, request_id, close);
}

struct MHD_Response *answer_new_shared(const struct http_response *response)
{
    return make(response, MHD_RESPMEM_MUST_FREE, NULL, false);
}
