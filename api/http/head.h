/* The form of a request's head (RFC 9112), checked on the bytes as they come from the socket:
 * libmicrohttpd repairs or drops much malformed input, so it only gets heads that have passed this
 * check (api/http/intake.h). The content is checked afterwards (api/http/gate.h).
 */
#ifndef TILLROLL_API_HTTP_HEAD_H
#define TILLROLL_API_HTTP_HEAD_H

#include "api/http/gate.h"

/* Bytes of a head, line ends included: the largest target and fields, with `: ` and a line end for
 * each field, and the rest of the request line. */
enum { HEAD_MOST = HTTP_TARGET_MAX + HTTP_HEAD_MAX + 4 * HTTP_FIELDS_MAX + 32 };

enum head_state {
    HEAD_MORE,   /* valid so far, but not complete */
    HEAD_WHOLE,  /* complete and valid */
    HEAD_REFUSED /* the connection must be closed: the start of the next request is in doubt */
};

/* How far a head has been checked. {0} for a new one. */
struct head_scan {
    size_t line;   /* start of the incomplete line */
    size_t looked; /* bytes that have been examined, at least `line` */
    bool begun;    /* the request line is complete */
    unsigned fields;
    size_t memory; /* bytes that libmicrohttpd will need to parse the head */
    bool has_length;
    size_t body; /* Content-Length */
};

/* Continues to check a head. `bytes` is everything received, from its first byte on; other bytes
 * may follow the head. HEAD_WHOLE with `length`, the bytes of the head with its empty line;
 * HEAD_REFUSED with `refusal`. Each byte is examined once, in whatever portions they arrive. Pure;
 * any thread.
 *
 * Refused: lines that do not end with CR LF (`bad-line-end`); request lines that are not a method,
 * a target and a version with one blank between each (`bad-request-line`), versions other than
 * HTTP/1.1 (505), too many parameters (`bad-query`); control bytes anywhere, so NUL and bare CR;
 * field lines without colon, with an empty name or one that is no token (so with a blank before the
 * colon), or continued on a second line (`bad-header-field`); any Transfer-Encoding; a
 * Content-Length that is repeated, no number, or larger than any route takes (413); request lines
 * (414) and heads (431) that are too long. Empty lines before the request are skipped (RFC 9112
 * section 2.2). */
enum head_state head_scan(struct head_scan *scan, struct span bytes, size_t *length,
                          struct gate_refusal *refusal);

#endif
