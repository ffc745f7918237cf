/* Reads HTTP/1.1 answers off a connection that is kept open, one at a time: just as much of HTTP as
 * a load generator needs. An answer has a Content-Length or no body. */
#ifndef TILLROLL_API_CLI_LOAD_LOAD_READER_H
#define TILLROLL_API_CLI_LOAD_LOAD_READER_H

#include "engine/base/text.h"

/* Bytes of an answer that are kept; the rest of a longer body is counted and dropped. */
enum { READER_KEPT = 16 * 1024 };

struct reader {
    char bytes[READER_KEPT];
    size_t length;      /* kept so far */
    size_t head_length; /* 0 until the head is complete */
    size_t left;        /* bytes of the body that have not come; valid with the head */
    int status;
    size_t body_length;
    bool keep;  /* the body fits */
    bool close; /* the server closes after this answer */
};

enum reader_progress {
    READER_MORE,  /* the answer is not complete */
    READER_WHOLE, /* it is */
    READER_BROKEN /* this is no answer that can be read */
};

/* Forgets the answer, so that the next one can be read. */
void reader_clear(struct reader *reader);

/* Where the next bytes are to be put, at most `size` of them: those of a body that is not kept in
 * `scratch`, which has `*size` bytes when this is called. */
char *reader_room(struct reader *reader, char *scratch, size_t *size);

/* Takes over `size` bytes that were put there. */
enum reader_progress reader_take(struct reader *reader, size_t size);

/* The body, or what was kept of it. */
struct span reader_body(const struct reader *reader);

#endif
