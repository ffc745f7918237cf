/* The gate: checks on a request's head before anything else looks at it. libmicrohttpd is lax about
 * what it lets through, so everything doubtful is refused here.
 */
#ifndef TILLROLL_API_GATE_H
#define TILLROLL_API_GATE_H

#include "api/http.h"

/* Why a request was refused, here or by the server itself (api/server.h). All strings are static.
 */
struct gate_refusal {
    int status;          /* 400, 413, 414, 417, 431, 501, 505 */
    const char *code;    /* stable: `bad-request-target` */
    const char *message; /* a sentence for the person who wrote the client */
};

/* A header field. A NUL follows the value in memory; one inside it is refused. */
struct gate_field {
    struct span name, value;
};

/* Checks method, raw target, version and header fields, and fills the method, path, segments,
 * query, announced length of the body and header fields of `request` from them. `target` and the
 * fields must outlive the request. False with `refusal`; `request` then holds what was found good
 * before. Pure: no input, output or clock. Any thread.
 *
 * Refused: methods other than GET, HEAD, POST, PUT, PATCH, DELETE (501: RFC 9110 section 9.1; a
 * method that a route lacks is the handler's matter, 405); HTTP versions other than 1.1 (505);
 * targets that are longer than HTTP_TARGET_MAX (414), do not begin with `/` or hold anything but
 * unreserved characters, `/`, and in the query `=`, `&` and the `:` of times (so no escapes at
 * all); empty, `.` and `..` segments (`/` alone has none); more segments or parameters than a
 * request can hold; repeated or nameless parameters; no Host or more than one, or one with
 * characters outside `A-Za-z0-9.-:[]`; more than one Content-Length, or one that is no number (400)
 * or over HTTP_BODY_MAX (413); any Transfer-Encoding; Expect other than 100-continue (417); field
 * names that are no token (RFC 9110 section 5.6.2: not empty, no blanks), control bytes in values;
 * a repeated Authorization, Cookie, Content-Type, Idempotency-Key, If-Match, If-None-Match,
 * Last-Event-ID or Origin (of X-Forwarded-For and X-Request-Id the last counts); more fields or
 * bytes of fields than HTTP_FIELDS_MAX and HTTP_HEAD_MAX (431). Where nothing else is said: 400.
 *
 * What libmicrohttpd does not show cannot be refused: a NUL in the target or in a value, which ends
 * it; a field with an empty name or continued on a second line (obs-fold), which it drops; line
 * ends of a bare LF. A proxy in front takes care of these. */
bool gate_check(const char *method, struct span target, const char *version,
                const struct gate_field *fields, size_t field_count, struct http_request *request,
                struct gate_refusal *refusal);

#endif
