#include "api/http/answer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define POLICY(scripts, frames)                                                                    \
    "default-src 'none'; script-src " scripts                                                      \
    "; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; "              \
    "form-action 'self'; frame-ancestors " frames

/* Adds a field unless its value is NULL. */
static bool add(struct MHD_Response *answer, const char *name, const char *value)
{
    return value == NULL || MHD_add_response_header(answer, name, value) == MHD_YES;
}

/* A worker's script that compiles WebAssembly has a policy of its own. */
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
           add(answer, "WWW-Authenticate", response->status == 401 ? "Bearer" : NULL) &&
           add(answer, "Content-Disposition", response->disposition) &&
           add(answer, "Set-Cookie", response->set_cookie) &&
           add_retry_after(answer, response->retry_after_s);
}

bool http_answer_add_fields(struct MHD_Response *answer, const struct http_response *response,
                            const char *request_id, bool close)
{
    return add_own(answer, response) && add_security(answer, response) &&
           add(answer, "X-Request-Id", request_id) &&
           add(answer, "Connection", close || response->close ? "close" : NULL);
}

/* Without a request id no X-Request-Id is sent. libmicrohttpd takes a pointer to writable bytes,
 * but only reads them. */
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
    if (http_answer_add_fields(answer, response, request_id, close))
        return answer;
    MHD_destroy_response(answer);
    return NULL;
}

struct MHD_Response *http_answer_new(const struct http_response *response, const char *request_id,
                                     bool close)
{
    return make(response, MHD_RESPMEM_PERSISTENT, request_id, close);
}

/* -- answers that many requests share -- */

/* Both bodies with their header fields are libmicrohttpd responses, which have their own reference
 * counts; `holders` counts the holders of the pair. */

enum { PLAIN, GZIP, CODINGS, ETAG_BYTES = 64, WORTH_BYTES = 1024, FIELD_BYTES = 2048 };

struct shared_answer {
    atomic_uint holders;
    size_t bytes;
    struct span body; /* uncompressed; owned by ready[PLAIN] */
    struct audience audience;
    struct MHD_Response *ready[CODINGS]; /* ready[GZIP] is NULL where compression does not pay */
    char etag[CODINGS][ETAG_BYTES];      /* with quotes */
};

/* Takes over the body, memory from malloc(), even if NULL is returned. */
static struct MHD_Response *make_shared(const struct http_response *response)
{
    return make(response, MHD_RESPMEM_MUST_FREE, NULL, false);
}

/* Compresses into at most `capacity` bytes. Returns the length, or 0 if it does not fit. */
static size_t compress_bytes(struct span bytes, int effort, unsigned char *into, size_t capacity)
{
    enum { GZIP_WINDOW = 15 + 16, MEMORY = 8 };
    z_stream stream = {.next_in = (unsigned char *)bytes.at,
                       .avail_in = (unsigned)bytes.length,
                       .next_out = into,
                       .avail_out = (unsigned)capacity};
    if (deflateInit2(&stream, effort, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    size_t length = deflate(&stream, Z_FINISH) == Z_STREAM_END ? (size_t)stream.total_out : 0;
    deflateEnd(&stream);
    return length;
}

static char *copy_bytes(struct span bytes)
{
    char *copy = malloc(bytes.length + 1);
    if (copy != NULL && bytes.length > 0)
        memcpy(copy, bytes.at, bytes.length);
    return copy;
}

/* Returns the compressed body from malloc(), at most nine tenths as long; NULL if compression saves
 * less. */
static char *compress_body(struct span body, int effort, size_t *length)
{
    if (body.length <= WORTH_BYTES || body.length > UINT32_MAX)
        return NULL;
    size_t capacity = body.length - body.length / 10;
    char *bytes = malloc(capacity);
    *length = bytes == NULL ? 0 : compress_bytes(body, effort, (unsigned char *)bytes, capacity);
    if (*length == 0) {
        free(bytes);
        return NULL;
    }
    char *shorter = realloc(bytes, *length);
    if (shorter != NULL)
        bytes = shorter;
    return bytes;
}

static bool make_plain(struct shared_answer *answer, const struct http_response *response)
{
    struct http_response plain = *response;
    struct text etag = TEXT_OVER(answer->etag[PLAIN]);
    text_add(&etag, response->etag);
    char *body = etag.overflow ? NULL : copy_bytes(response->body);
    if (body == NULL)
        return false;
    plain.etag = etag.at;
    plain.body.at = body;
    answer->ready[PLAIN] = make_shared(&plain);
    answer->body = plain.body;
    answer->bytes = sizeof *answer + FIELD_BYTES + plain.body.length;
    return answer->ready[PLAIN] != NULL;
}

static void make_gzip(struct shared_answer *answer, const struct http_response *response,
                      int effort)
{
    struct http_response gzip = *response;
    struct text etag = TEXT_OVER(answer->etag[GZIP]);
    text_add_span(&etag, (struct span){response->etag, strlen(response->etag) - 1});
    text_add(&etag, "-gzip\"");
    gzip.etag = etag.at;
    gzip.encoding = "gzip";
    gzip.body.at = etag.overflow ? NULL : compress_body(response->body, effort, &gzip.body.length);
    if (gzip.body.at == NULL)
        return;
    answer->ready[GZIP] = make_shared(&gzip);
    answer->bytes += FIELD_BYTES + gzip.body.length;
}

struct shared_answer *shared_answer_new(const struct http_response *response, int effort,
                                        const struct audience *audience)
{
    struct shared_answer *answer = calloc(1, sizeof *answer);
    if (answer == NULL)
        return NULL;
    atomic_init(&answer->holders, 1);
    answer->audience = *audience;
    if (!make_plain(answer, response)) {
        shared_answer_drop(answer);
        return NULL;
    }
    make_gzip(answer, response, effort);
    return answer;
}

struct shared_answer *shared_answer_hold(struct shared_answer *answer)
{
    atomic_fetch_add_explicit(&answer->holders, 1, memory_order_relaxed);
    return answer;
}

void shared_answer_drop(struct shared_answer *answer)
{
    if (answer == NULL || atomic_fetch_sub_explicit(&answer->holders, 1, memory_order_acq_rel) > 1)
        return;
    for (int coding = 0; coding < CODINGS; coding++)
        if (answer->ready[coding] != NULL)
            MHD_destroy_response(answer->ready[coding]);
    free(answer);
}

bool shared_answer_is_for(const struct shared_answer *answer, const struct id *player)
{
    const struct audience *audience = &answer->audience;
    if (player == NULL)
        return true;
    bool is_in = !audience->anonymous_only;
    for (size_t i = 0; is_in && i < audience->excluded_count; i++)
        is_in = !id_equal(&audience->excluded[i], player);
    return is_in;
}

struct span shared_answer_body(const struct shared_answer *answer)
{
    return answer->body;
}

size_t shared_answer_bytes(const struct shared_answer *answer)
{
    return answer->bytes;
}

static bool is_known(const struct shared_answer *answer, int coding,
                     const struct http_request *request)
{
    return answer->ready[coding] != NULL &&
           http_client_has(request->if_none_match, answer->etag[coding]);
}

/* If the client has the body in one coding, the 304 carries the tag of that coding. */
void shared_answer_give(struct shared_answer *answer, const struct http_request *request,
                        struct http_response *response)
{
    bool gzip = answer->ready[GZIP] != NULL && http_takes_gzip(request->accept_encoding);
    bool known = is_known(answer, gzip, request);
    if (!known && is_known(answer, !gzip, request)) {
        known = true;
        gzip = !gzip;
    }
    response->status = known ? 304 : 200;
    response->shared = shared_answer_hold(answer);
    response->shared_gzip = gzip;
}

struct MHD_Response *shared_answer_ready(const struct http_response *response, bool close)
{
    struct MHD_Response *ready = response->shared->ready[response->shared_gzip ? GZIP : PLAIN];
    if (close && MHD_get_response_header(ready, "Connection") == NULL)
        (void)MHD_add_response_header(ready, "Connection", "close");
    return ready;
}
