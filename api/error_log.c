#include "api/error_log.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/call.h"
#include "db/now.h"

enum { LINE_BYTES = 1024, OUT_BYTES = 6 * LINE_BYTES + 256 };

/* The line that is being gathered. The stream's lock is that of this. */
struct error_log {
    int file;
    size_t length; /* what does not fit is left out */
    char line[LINE_BYTES];
    char
        buffer[LINE_BYTES]; /* the stream's, so that it needs no memory to say that there is none */
};

static bool skip(struct span *line, const char *start)
{
    size_t length = strlen(start);
    if (line->length < length || memcmp(line->at, start, length) != 0)
        return false;
    line->at += length;
    line->length -= length;
    return true;
}

/* In quotes. What is no printable ASCII is rare here, and shown byte by byte: a long line may be
 * cut within a character. */
static void add_string(struct text *out, struct span bytes)
{
    text_add_char(out, '"');
    for (size_t i = 0; i < bytes.length; i++) {
        uint8_t c = (uint8_t)bytes.at[i];
        bool plain = c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
        if (!plain)
            text_add(out, "\\u00");
        if (plain)
            text_add_char(out, (char)c);
        else
            text_add_hex(out, &c, 1);
    }
    text_add_char(out, '"');
}

static void write_line(const struct error_log *log)
{
    char bytes[OUT_BYTES];
    char time[TIME_TEXT];
    struct text out = TEXT_OVER(bytes);
    struct span line = {log->line, log->length};
    time_print(now_ms(CLOCK_REALTIME), time);
    text_add(&out, "{\"time\":");
    add_string(&out, span_of(time));
    if (skip(&line, "request ")) {
        text_add(&out, ",\"request\":");
        add_string(&out, span_word(&line));
    } else if (!skip(&line, "tillrolld: ")) {
        (void)skip(&line, "tillroll: ");
    }
    text_add(&out, ",\"message\":");
    add_string(&out, line);
    text_add(&out, "}\n");
    ssize_t written = write(log->file, out.at, out.length);
    (void)written;
}

static ssize_t take(void *cookie, const char *bytes, size_t size)
{
    struct error_log *log = cookie;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n') {
            write_line(log);
            log->length = 0;
        } else if (log->length < sizeof log->line) {
            log->line[log->length++] = bytes[i];
        }
    }
    return (ssize_t)size;
}

static int end(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *error_log_json(int file)
{
    static const cookie_io_functions_t functions = {.write = take, .close = end};
    struct error_log *log = calloc(1, sizeof *log);
    if (log == NULL)
        return NULL;
    log->file = file;
    FILE *stream = fopencookie(log, "w", functions);
    if (stream == NULL)
        free(log);
    else
        (void)setvbuf(stream, log->buffer, _IOLBF, sizeof log->buffer);
    return stream;
}
