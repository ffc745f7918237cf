/* The gate: checks on a request's head before anything else looks at it. libmicrohttpd is lax about
 * what it lets through, so everything doubtful is refused here.
 */
#ifndef TILLROLL_API_GATE_H
#define TILLROLL_API_GATE_H

#include "api/http.h"

/* Why a request was refused at the gate. */
struct gate_refusal {
    int status;          /* 400, 405, 413, 414, 431, 501 */
    const char *code;    /* stable: `bad-request-target` */
    const char *message; /* a sentence for the person who wrote the client */
};

struct gate_field {
    struct span name, value;
};

/* Checks method, raw target, version and header fields, and fills the method, path, segments, query
 * and header fields of `request` from them. `target` and the fields must outlive the request. False
 * with `refusal`. Pure: no input, output or clock.
 *
 * Refused: methods other than GET, HEAD, POST, PATCH, DELETE; HTTP versions other than 1.1; targets
 * that do not begin with `/` or hold anything but unreserved characters, `/`, and in the query
 * `=` and `&` (so no escapes at all); empty, `.` and `..` segments; repeated or nameless
 * parameters; no Host or more than one, or one with characters outside `A-Za-z0-9.-:[]`; more than
 * one Content-Length, or one that is no number or over the limit; any Transfer-Encoding; Expect
 * other than 100-continue; empty field names, blanks in names, control bytes in values; a repeated
 * Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match or Origin. */
bool gate_check(const char *method, struct span target, const char *version,
                const struct gate_field *fields, size_t field_count, struct http_request *request,
                struct gate_refusal *refusal);

#endif
