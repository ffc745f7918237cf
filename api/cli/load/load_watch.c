/* Watching: many event streams that are mostly silent. Measures the time from the first viewer's
 * receipt of an event to the last one's. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "api/cli/load/load_modes.h"
#include "engine/base/arena.h"

enum { EVENTS = 256, LINE_KEPT = 64, STREAM_EVENTS_MAX = 1 << 16, RECEIVED = 16 * 1024 };
static const int64_t second_ns = INT64_C(1000000000);

/* The state of a chunked-body parser. */
enum chunk_place { CHUNK_SIZE, CHUNK_SIZE_END, CHUNK_DATA, CHUNK_END };

struct stream {
    int fd; /* -1 = closed */
    bool begun, in_body;
    size_t path;
    enum chunk_place place;
    size_t left; /* remaining bytes of the chunk */
    unsigned head_newlines;
    /* the current line of the event stream, and whether the event has data */
    char line[LINE_KEPT];
    size_t line_length;
    bool has_data;
    char id[LINE_KEPT];
};

/* An event on one path, by its id. */
struct seen {
    char id[LINE_KEPT];
    size_t path;
    int64_t first_ns;
    unsigned viewers;
};

struct watch {
    const struct load_server *server;
    const char *const *paths;
    size_t path_count;
    struct stream *viewer;
    unsigned *viewers_of; /* by path */
    unsigned viewers, streaming, ended, refused;
    int poll;
    bool measuring;    /* all streams are open and have received their initial messages */
    int64_t heard_ns;  /* the time of the last receipt */
    struct seen *seen; /* open addressing by id and path */
    uint64_t received; /* events received by all viewers together */
    uint64_t complete; /* events that every viewer of their path has received */
    uint64_t distinct;
    struct samples spread; /* of the complete events, from first to last viewer */
};

/* ---- Events ---- */

static size_t hash_of(const char *id, size_t path)
{
    uint64_t hash = 1469598103934665603ULL + path;
    for (; *id != '\0'; id++)
        hash = (hash ^ (unsigned char)*id) * 1099511628211ULL;
    return (size_t)(hash % STREAM_EVENTS_MAX);
}

/* Finds an event, or a free place for it; NULL if there are too many. */
static struct seen *find(struct watch *watch, const char *id, size_t path)
{
    size_t at = hash_of(id, path);
    for (size_t tries = 0; tries < STREAM_EVENTS_MAX; tries++) {
        struct seen *seen = &watch->seen[at];
        if (seen->viewers == 0 || (seen->path == path && strcmp(seen->id, id) == 0))
            return seen;
        at = (at + 1) % STREAM_EVENTS_MAX;
    }
    return NULL;
}

static void take_event(struct watch *watch, struct stream *viewer)
{
    if (!watch->measuring || viewer->id[0] == '\0')
        return;
    watch->received++;
    struct seen *seen = find(watch, viewer->id, viewer->path);
    if (seen == NULL)
        return;
    if (seen->viewers++ == 0) {
        memcpy(seen->id, viewer->id, sizeof seen->id);
        seen->path = viewer->path;
        seen->first_ns = load_now_ns();
        watch->distinct++;
    }
    if (seen->viewers == watch->viewers_of[viewer->path]) {
        watch->complete++;
        samples_add(&watch->spread, load_now_ns() - seen->first_ns);
    }
}

/* Parses a line of `text/event-stream` for the id and the presence of data. An empty line ends the
 * event. */
static void take_line(struct watch *watch, struct stream *viewer)
{
    const char *line = viewer->line;
    if (viewer->line_length == 0) {
        if (viewer->has_data)
            take_event(watch, viewer);
        viewer->has_data = false;
        viewer->id[0] = '\0';
    } else if (strncmp(line, "data", 4) == 0) {
        viewer->has_data = true;
    } else if (strncmp(line, "id:", 3) == 0) {
        const char *value = line + 3 + (line[3] == ' ');
        memcpy(viewer->id, value, strlen(value) + 1);
    }
}

static void take_text(struct watch *watch, struct stream *viewer, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n') {
            viewer->line[viewer->line_length] = '\0';
            take_line(watch, viewer);
            viewer->line_length = 0;
        } else if (bytes[i] != '\r' && viewer->line_length + 1 < LINE_KEPT) {
            viewer->line[viewer->line_length++] = bytes[i];
        }
    }
}

/* ---- Chunks ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Processes bytes of a chunked body. Returns how many were used in this step. */
static size_t take_chunked(struct watch *watch, struct stream *viewer, const char *bytes,
                           size_t size)
{
    size_t used = 1;
    switch (viewer->place) {
    case CHUNK_SIZE:
        if (hex_digit(bytes[0]) >= 0)
            viewer->left = viewer->left * 16 + (size_t)hex_digit(bytes[0]);
        else
            viewer->place = CHUNK_SIZE_END;
        break;
    case CHUNK_SIZE_END:
        if (bytes[0] == '\n')
            viewer->place = CHUNK_DATA;
        break;
    case CHUNK_DATA:
        used = viewer->left < size ? viewer->left : size;
        take_text(watch, viewer, bytes, used);
        viewer->left -= used;
        if (viewer->left == 0)
            viewer->place = CHUNK_END;
        break;
    case CHUNK_END:
        if (bytes[0] == '\n')
            viewer->place = CHUNK_SIZE;
        break;
    }
    return used;
}

/* Skips the head, which ends with an empty line. Returns how many bytes were used. */
static size_t take_head(struct watch *watch, struct stream *viewer, const char *bytes, size_t size)
{
    size_t used = 0;
    while (used < size && viewer->head_newlines < 2) {
        char c = bytes[used++];
        if (c == '\n')
            viewer->head_newlines++;
        else if (c != '\r')
            viewer->head_newlines = 0;
    }
    if (viewer->head_newlines == 2) {
        viewer->in_body = true;
        watch->streaming++;
    }
    return used;
}

static void take_bytes(struct watch *watch, struct stream *viewer, const char *bytes, size_t size)
{
    while (size > 0) {
        size_t used = viewer->in_body ? take_chunked(watch, viewer, bytes, size)
                                      : take_head(watch, viewer, bytes, size);
        bytes += used;
        size -= used;
    }
}

/* ---- Connections ---- */

static void drop(struct watch *watch, struct stream *viewer)
{
    close(viewer->fd);
    viewer->fd = -1;
    watch->ended++;
}

/* True if these bytes begin a stream's response; its head arrives in one piece. */
static bool is_stream(const char *bytes, size_t size)
{
    static const char good[] = "HTTP/1.1 200";
    static const char type[] = "text/event-stream";
    return size > sizeof good && memcmp(bytes, good, sizeof good - 1) == 0 &&
           memmem(bytes, size, type, sizeof type - 1) != NULL;
}

static void receive(struct watch *watch, struct stream *viewer)
{
    char bytes[RECEIVED];
    ssize_t come = viewer->fd < 0 ? 0 : recv(viewer->fd, bytes, sizeof bytes, 0);
    if (viewer->fd < 0 || (come < 0 && (errno == EAGAIN || errno == EINTR)))
        return;
    if (come <= 0) {
        drop(watch, viewer);
        return;
    }
    if (!viewer->begun && !is_stream(bytes, (size_t)come)) {
        watch->refused++;
        drop(watch, viewer);
        return;
    }
    viewer->begun = true;
    watch->heard_ns = load_now_ns();
    take_bytes(watch, viewer, bytes, (size_t)come);
}

static bool send_request(const struct watch *watch, const struct stream *viewer)
{
    char bytes[LOAD_REQUEST_MAX];
    struct text request = TEXT_OVER(bytes);
    text_add_all(&request, "GET ", watch->paths[viewer->path],
                 " HTTP/1.1\r\nHost: ", watch->server->host,
                 "\r\nAccept: text/event-stream\r\n\r\n");
    return !request.overflow &&
           send(viewer->fd, bytes, request.length, MSG_NOSIGNAL) == (ssize_t)request.length;
}

/* Polls once, for at most `wait_ms`. */
static void poll_once(struct watch *watch, int wait_ms)
{
    struct epoll_event event[EVENTS];
    int count = epoll_wait(watch->poll, event, EVENTS, wait_ms);
    for (int i = 0; i < count; i++)
        receive(watch, &watch->viewer[event[i].data.u32]);
}

static bool open_viewer(struct watch *watch, unsigned number)
{
    struct stream *viewer = &watch->viewer[number];
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = number};
    viewer->path = number % watch->path_count;
    viewer->fd = load_connect(watch->server);
    watch->viewers_of[viewer->path]++;
    return viewer->fd >= 0 && epoll_ctl(watch->poll, EPOLL_CTL_ADD, viewer->fd, &event) == 0 &&
           send_request(watch, viewer);
}

/* Opens all streams, reading in between to keep buffers empty. */
static bool open_viewers(struct watch *watch, struct text *error)
{
    for (unsigned i = 0; i < watch->viewers; i++)
        watch->viewer[i].fd = -1;
    for (unsigned i = 0; i < watch->viewers; i++) {
        if (!open_viewer(watch, i)) {
            text_add(error, "cannot open stream ");
            text_add_number(error, i + 1);
            return false;
        }
        if (i % 64 == 63)
            poll_once(watch, 0);
    }
    return true;
}

/* Waits until every connection has a response. */
static bool await_answers(struct watch *watch, struct text *error)
{
    int64_t end_ns = load_now_ns() + 10 * second_ns;
    while (watch->streaming + watch->ended < watch->viewers && load_now_ns() < end_ns)
        poll_once(watch, 100);
    if (watch->streaming == watch->viewers && watch->ended == 0)
        return true;
    text_add_number(error, watch->refused);
    text_add(error, " streams were refused, ");
    text_add_number(error, watch->streaming);
    text_add(error, " opened");
    return false;
}

/* Waits for a moment of silence, at most 3 s, and then starts measuring: initial messages say
 * nothing about the latency of events. */
static void await_silence(struct watch *watch)
{
    int64_t end_ns = load_now_ns() + 3 * second_ns;
    watch->heard_ns = load_now_ns();
    while (load_now_ns() < end_ns && load_now_ns() < watch->heard_ns + second_ns / 3)
        poll_once(watch, 50);
    watch->measuring = true;
    fprintf(stderr, "all %u streams are open\n", watch->viewers);
}

static void report(struct watch *watch, json_t *object)
{
    samples_sort(&watch->spread);
    json_object_set_new(object, "viewers", json_integer(watch->viewers));
    json_object_set_new(object, "ended", json_integer(watch->ended));
    json_object_set_new(object, "received", json_integer((json_int_t)watch->received));
    json_object_set_new(object, "events", json_integer((json_int_t)watch->distinct));
    json_object_set_new(object, "complete", json_integer((json_int_t)watch->complete));
    samples_report(&watch->spread, object);
}

bool load_watch(const struct load_server *server, const char *const *paths, size_t path_count,
                unsigned viewers, unsigned seconds, json_t *object, struct text *error)
{
    struct watch watch = {
        .server = server, .paths = paths, .path_count = path_count, .viewers = viewers};
    watch.viewer = must(calloc(viewers, sizeof *watch.viewer));
    watch.viewers_of = must(calloc(path_count, sizeof *watch.viewers_of));
    watch.seen = must(calloc(STREAM_EVENTS_MAX, sizeof *watch.seen));
    watch.poll = epoll_create1(EPOLL_CLOEXEC);
    bool open = open_viewers(&watch, error) && await_answers(&watch, error);
    if (open)
        await_silence(&watch);
    int64_t end_ns = load_now_ns() + seconds * second_ns;
    while (open && load_now_ns() < end_ns)
        poll_once(&watch, 50);
    if (open)
        report(&watch, object);
    for (unsigned i = 0; i < viewers; i++)
        if (watch.viewer[i].fd >= 0)
            close(watch.viewer[i].fd);
    close(watch.poll);
    samples_free(&watch.spread);
    free(watch.viewer);
    free(watch.viewers_of);
    free(watch.seen);
    return open;
}
