/* The gate: checks the content of a request's head before anything else uses it. The form of the
 * head was checked when it came from the socket (api/http/head.h). */
#ifndef TILLROLL_API_HTTP_GATE_H
#define TILLROLL_API_HTTP_GATE_H

#include "api/http/http.h"

/* The reason why a request was refused, here or by the server itself (api/http/server.h). All
 * strings are static. `elsewhere` is the path of the page for which a browser may have asked with a
 * slash at the end, without that slash; part of the target, or empty.
 */
struct gate_refusal {
    int status;          /* 400, 413, 414, 415, 417, 421, 431, 501, 505 */
    const char *code;    /* stable: `bad-request-target` */
    const char *message; /* a sentence for the developer of the client */
    struct span elsewhere;
};

/* A header field. A NUL follows the value in memory; the value contains none. */
struct gate_field {
    struct span name, value;
};

/* Checks method, raw target, version and header fields, and fills the method, path, segments,
 * query, announced length of the body and header fields of `request` from them. `target` and the
 * fields must outlive the request. False with `refusal`; `request` then holds the parts that were
 * checked before. Pure: no input, output or clock. Any thread.
 *
 * Refused: methods other than GET, HEAD, POST, PUT, PATCH, DELETE (501: RFC 9110 section 9.1; the
 * handler answers methods that a route lacks with 405); HTTP versions other than 1.1 (505); targets
 * that are longer than HTTP_TARGET_MAX (414), do not begin with `/` or hold anything but unreserved
 * characters, `/`, and in the query `=`, `&`, the `:` of times and the `+` between words (so no
 * escapes at all); empty, `.` and `..` segments (`/` alone has none); more segments or parameters
 * than a request can hold; repeated or nameless parameters; no Host or more than one, or one with
 * characters outside `A-Za-z0-9.-:[]`; more than one Content-Length, or one that is no number (400)
 * or over HTTP_BODY_MAX, of a path below HTTP_REPORTS over HTTP_REPORT_MAX (413); any
 * Transfer-Encoding or Content-Encoding (415); Expect other than 100-continue (417); a body of GET
 * or HEAD; a repeated Authorization, Cookie, Content-Type, Idempotency-Key, If-Match,
 * If-None-Match, Last-Event-ID, Origin or Tillroll-Signature (of X-Forwarded-For and X-Request-Id
 * the last counts); more fields or bytes of fields than HTTP_FIELDS_MAX and HTTP_HEAD_MAX (431).
 * Where no other status is given: 400. */
bool gate_check(const char *method, struct span target, const char *version,
                const struct gate_field *fields, size_t field_count, struct http_request *request,
                struct gate_refusal *refusal);

/* Reads the value of Content-Length: digits without a leading zero (RFC 9110 section 8.6, and
 * stricter: two readers must not take 010 for different numbers). UINT64_MAX for larger ones.
 * False, and `length` is unchanged, for anything else. Pure; any thread. */
bool gate_read_length(struct span given, uint64_t *length);

#endif
