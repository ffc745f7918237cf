/* Reads HTTP/1.1 responses from a persistent connection, one at a time: the subset of HTTP that a
 * load generator needs. Responses have a Content-Length or no body. */
#ifndef TILLROLL_API_CLI_LOAD_LOAD_READER_H
#define TILLROLL_API_CLI_LOAD_LOAD_READER_H

#include "engine/base/text.h"

/* Bytes of a response that are kept; the rest of a longer body is counted and dropped. */
enum { READER_KEPT = 16 * 1024 };

struct reader {
    char bytes[READER_KEPT];
    size_t length;      /* kept so far */
    size_t head_length; /* 0 until the head is complete */
    size_t left;        /* remaining bytes of the body; valid once the head is complete */
    int status;
    size_t body_length;
    bool keep;  /* the body fits */
    bool close; /* the server closes the connection after this response */
};

enum reader_progress {
    READER_MORE,  /* the response is incomplete */
    READER_WHOLE, /* the response is complete */
    READER_BROKEN /* not a valid response */
};

/* Resets for the next response. */
void reader_clear(struct reader *reader);

/* Returns where the next bytes go, at most `size`: into `scratch`, which has `*size` bytes on
 * entry, for parts of the body that are not kept. */
char *reader_room(struct reader *reader, char *scratch, size_t *size);

/* Processes `size` bytes written to reader_room(). */
enum reader_progress reader_take(struct reader *reader, size_t size);

/* The kept part of the body. */
struct span reader_body(const struct reader *reader);

#endif
