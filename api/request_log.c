#include "api/request_log.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    BUFFER_BYTES = 64 * 1024,
    LINE_BYTES = HTTP_TARGET_MAX + 256, /* no line is longer */
    AGE_MS = 200
};

struct request_log {
    int file;
    int64_t first_ms; /* when the first line was added that has not been written */
    struct text lines;
    char bytes[BUFFER_BYTES];
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct request_log *request_log_new(int file)
{
    struct request_log *log = malloc(sizeof *log);
    if (log == NULL)
        abort();
    log->file = file;
    log->lines = TEXT_OVER(log->bytes);
    return log;
}

static void flush(struct request_log *log)
{
    struct span rest = text_span(&log->lines);
    while (rest.length > 0) {
        ssize_t written = write(log->file, rest.at, rest.length);
        if (written < 0 && errno != EINTR)
            break;
        if (written > 0) {
            rest.at += written;
            rest.length -= (size_t)written;
        }
    }
    text_clear(&log->lines);
}

/* The gate lets nothing through that would need an escape in JSON. */
void request_log_add(struct request_log *log, const struct http_request *request, int status,
                     int64_t duration_us, bool worker)
{
    struct text *lines = &log->lines;
    if (lines->capacity - lines->length < LINE_BYTES)
        flush(log);
    if (lines->length == 0)
        log->first_ms = now_ms();
    text_add(lines, "{\"request\":\"");
    text_add(lines, request->id);
    text_add(lines, "\",\"method\":\"");
    text_add(lines, http_method_name(request->method));
    text_add(lines, "\",\"path\":\"");
    text_add_span(lines, request->path);
    text_add(lines, "\",\"status\":");
    text_add_number(lines, status);
    text_add(lines, ",\"us\":");
    text_add_number(lines, duration_us);
    text_add(lines, worker ? ",\"worker\":true}\n" : ",\"worker\":false}\n");
}

void request_log_tick(struct request_log *log)
{
    if (log->lines.length > 0 && now_ms() - log->first_ms >= AGE_MS)
        flush(log);
}

void request_log_free(struct request_log *log)
{
    if (log == NULL)
        return;
    flush(log);
    free(log);
}
