#include "api/watch/logs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/request/call.h"
#include "db/link/now.h"
#include "engine/base/sha256.h"

/* ---- Requests ---- */

enum {
    BUFFER_BYTES = 64 * 1024,
    LINE_BYTES = HTTP_TARGET_MAX + HTTP_ID_MAX + 512, /* longest line */
    AGE_MS = 200,
    STAMP_MS = 20 /* position of the milliseconds in a time */
};

struct request_log {
    int file;
    enum log_format format;
    int64_t stamp_s; /* `stamp` in whole seconds */
    char stamp[TIME_TEXT];
    int64_t first_ms; /* when the first unwritten line was added */
    struct text lines;
    char bytes[BUFFER_BYTES];
};

struct request_log *request_log_new(int file, enum log_format format)
{
    struct request_log *log = must(malloc(sizeof *log));
    log->file = file;
    log->format = format;
    log->stamp_s = -1;
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

/* ---- Lines of requests ---- */

static void add_time(struct request_log *log, int64_t ms)
{
    if (ms / 1000 != log->stamp_s) {
        time_print(ms, log->stamp);
        log->stamp_s = ms / 1000;
    }
    unsigned rest = (unsigned)(ms % 1000);
    log->stamp[STAMP_MS] = (char)('0' + rest / 100);
    log->stamp[STAMP_MS + 1] = (char)('0' + rest / 10 % 10);
    log->stamp[STAMP_MS + 2] = (char)('0' + rest % 10);
    text_add(&log->lines, log->stamp);
}

/* True for paths that contain a secret token: it lets its holder claim a held place, or unsubscribe
 * somebody from mail. */
static bool is_secret(const char *route)
{
    return strncmp(route, "/claim/", 7) == 0 || strncmp(route, "/v1/claims/", 11) == 0 ||
           strncmp(route, "/unsubscribe/", 13) == 0;
}

static void add_path(struct text *lines, const struct http_request *request, const char *route)
{
    enum { SHOWN_MAX = 36 }; /* bytes of an id */
    if (route != NULL && is_secret(route)) {
        text_add(lines, route);
        return;
    }
    if (route != NULL || request->path.length <= SHOWN_MAX) {
        text_add_span(lines, request->path);
        return;
    }
    for (size_t i = 0; i < request->segments; i++) {
        text_add_char(lines, '/');
        if (request->segment[i].length > SHOWN_MAX)
            text_add_char(lines, '*');
        else
            text_add_span(lines, request->segment[i]);
    }
}

/* No escapes are needed: the gate refuses all characters that would need one. */
static void add_json(struct request_log *log, const struct http_request *request, const char *route,
                     const struct http_outcome *outcome)
{
    struct text *lines = &log->lines;
    text_add(lines, "{\"time\":\"");
    add_time(log, request->received_ms);
    text_add_all(lines, "\",\"request\":\"", request->id);
    if (request->path.length > 0)
        text_add_all(lines, "\",\"method\":\"", http_method_name(request->method));
    if (route != NULL)
        text_add_all(lines, "\",\"route\":\"", route);
    if (request->path.length > 0) {
        text_add(lines, "\",\"path\":\"");
        add_path(lines, request, route);
    }
    text_add(lines, "\",\"status\":");
    text_add_number(lines, outcome->status);
    text_add(lines, ",\"us\":");
    text_add_number(lines, outcome->duration_us);
    text_add(lines, outcome->worked ? ",\"worker\":true}\n" : ",\"worker\":false}\n");
}

static void add_text(struct request_log *log, const struct http_request *request, const char *route,
                     const struct http_outcome *outcome)
{
    struct text *lines = &log->lines;
    add_time(log, request->received_ms);
    text_add_char(lines, ' ');
    text_add_number(lines, outcome->status);
    text_add_char(lines, ' ');
    if (request->path.length > 0) {
        text_add(lines, http_method_name(request->method));
        text_add_char(lines, ' ');
        add_path(lines, request, route);
        text_add_char(lines, ' ');
    }
    text_add_number(lines, outcome->duration_us);
    text_add_all(lines, "us ", request->id, "\n");
}

void request_log_add(struct request_log *log, const struct http_request *request, const char *route,
                     const struct http_outcome *outcome)
{
    struct text *lines = &log->lines;
    if (lines->capacity - lines->length < LINE_BYTES)
        flush(log);
    if (lines->length == 0)
        log->first_ms = now_ms(CLOCK_MONOTONIC_COARSE);
    (log->format == LOG_JSON ? add_json : add_text)(log, request, route, outcome);
}

void request_log_tick(struct request_log *log)
{
    if (log->lines.length > 0 && now_ms(CLOCK_MONOTONIC_COARSE) - log->first_ms >= AGE_MS)
        flush(log);
}

void request_log_free(struct request_log *log)
{
    if (log == NULL)
        return;
    flush(log);
    free(log);
}

/* ---- Errors ---- */

enum {
    ERRORS_LINE_BYTES = 1024,
    OUT_BYTES = 6 * ERRORS_LINE_BYTES + 256,
    REMEMBERED = 32, /* lines; threads that fail for the same reason print a few in turn */
    SILENT_MS = 60 * 1000
};

/* A line that has been written. */
struct written {
    uint8_t hash[SHA256_BYTES]; /* SHA-256 of the line */
    int64_t written_ms;         /* CLOCK_MONOTONIC; 0 = none */
    uint64_t times;             /* how often it has been printed since */
};

/* The current line, guarded by the stream's lock. */
struct error_log {
    int file;
    size_t length; /* bytes of `line`; longer lines are cut */
    char line[ERRORS_LINE_BYTES];
    struct written written[REMEMBERED];
    char buffer[ERRORS_LINE_BYTES]; /* the stream's, so that printing that memory is short needs no
                                       memory */
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

/* Adds a string in quotes. Bytes other than printable ASCII are rare here, and escaped one by one,
 * since a long line may be cut within a character. */
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

/* Returns how often the line has been printed since it was last written, including this time; 0 if
 * that was less than SILENT_MS ago. */
static uint64_t times_to_write(struct error_log *log)
{
    struct written line = {.written_ms = now_ms(CLOCK_MONOTONIC)};
    sha256(line.hash, (struct span){log->line, log->length}, span_of(""));
    struct written *oldest = &log->written[0];
    for (size_t i = 0; i < REMEMBERED; i++) {
        struct written *each = &log->written[i];
        if (each->written_ms != 0 && memcmp(each->hash, line.hash, sizeof line.hash) == 0) {
            const uint64_t times = ++each->times;
            if (line.written_ms - each->written_ms < SILENT_MS)
                return 0;
            *each = line;
            return times;
        }
        if (each->written_ms < oldest->written_ms)
            oldest = each;
    }
    *oldest = line;
    return 1;
}

static void write_line(struct error_log *log)
{
    char bytes[OUT_BYTES];
    char time[TIME_TEXT];
    struct text out = TEXT_OVER(bytes);
    struct span line = {log->line, log->length};
    const bool of_request = skip(&line, "request ");
    const uint64_t times = of_request ? 1 : times_to_write(log);
    if (times == 0)
        return;
    time_print(now_ms(CLOCK_REALTIME), time);
    text_add(&out, "{\"time\":");
    add_string(&out, span_of(time));
    if (of_request) {
        text_add(&out, ",\"request\":");
        add_string(&out, span_word(&line));
    } else if (!skip(&line, "tillrolld: ")) {
        (void)skip(&line, "tillroll: ");
    }
    text_add(&out, ",\"message\":");
    add_string(&out, line);
    if (times > 1) {
        text_add(&out, ",\"times\":");
        text_add_number(&out, (int64_t)times);
    }
    text_add(&out, "}\n");
    ssize_t written = write(log->file, out.at, out.length);
    (void)written;
}

static ssize_t write_bytes(void *cookie, const char *bytes, size_t size)
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

static int close_log(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *error_log_json(int file)
{
    static const cookie_io_functions_t functions = {.write = write_bytes, .close = close_log};
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
