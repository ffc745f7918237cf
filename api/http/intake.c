/* libmicrohttpd takes a read that fills its buffer as a sign that there is more, and any other as a
 * sign that the socket is empty; then it waits for the socket to become readable again. So fewer
 * bytes than requested are returned only when the socket is empty.
 */
#include "api/http/intake.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "engine/base/arena.h"

/* The longest incomplete head, and the bytes that may follow it in the same read. */
enum { KEPT_ROOM = HEAD_MOST + 1024 };

static const char substitute[] = "GET / HTTP/1.1\r\n\r\n";
static const char substitute_head[] = "HEAD / HTTP/1.1\r\n\r\n"; /* its response has no body */

/* The intakes for recv() on this thread, or NULL. In the program's own thread-local block, so that
 * no call is needed to find it. */
static _Thread_local struct intakes *current __attribute__((tls_model("initial-exec")));

void intake_free(struct intake *intake)
{
    free(intake->kept);
    intake->kept = NULL;
}

static struct span span_from(const char *bytes, size_t begin, size_t end)
{
    return (struct span){bytes + begin, end - begin};
}

/* Returns how many of the bytes may be given to libmicrohttpd: the rest is the beginning of a head,
 * or is refused. */
static size_t scan_heads(struct intake *intake, struct span bytes)
{
    size_t at = 0;
    while (at < bytes.length) {
        if (intake->body_left > 0) {
            size_t left = bytes.length - at;
            size_t count = left < intake->body_left ? left : intake->body_left;
            intake->body_left -= count;
            at += count;
            continue;
        }
        size_t length;
        enum head_state state = head_scan(&intake->scan, span_from(bytes.at, at, bytes.length),
                                          &length, &intake->refusal);
        intake->refused = state == HEAD_REFUSED;
        if (state != HEAD_WHOLE)
            return at;
        at += length;
        intake->body_left = intake->scan.body;
        intake->scan = (struct head_scan){0};
        intake->heads++;
    }
    return at;
}

/* Puts the substitute request in place of the refused bytes, which begin at `at` of `kept`. */
static void substitute_rest(struct intake *intake, size_t at)
{
    bool is_head = intake->length - at >= 5 && memcmp(intake->kept + at, "HEAD ", 5) == 0;
    struct span own = span_of(is_head ? substitute_head : substitute);
    memcpy(intake->kept + at, own.at, own.length);
    intake->passed = intake->length = at + own.length;
}

/* Keeps the bytes that may not be given to libmicrohttpd, or the substitute for them. Nothing is
 * kept before. */
static void keep_rest(struct intake *intake, struct span rest)
{
    if (intake->kept == NULL)
        intake->kept = must(malloc(KEPT_ROOM + sizeof substitute_head));
    if (rest.length > KEPT_ROOM)
        rest.length = KEPT_ROOM; /* refused bytes: the beginning of a head is shorter */
    memcpy(intake->kept, rest.at, rest.length);
    intake->given = intake->passed = 0;
    intake->length = rest.length;
    if (intake->refused)
        substitute_rest(intake, 0);
}

/* Reads more of an incomplete head. Returns the result of recv(). */
static ssize_t read_more(struct intake *intake, int socket)
{
    intake->length -= intake->given;
    memmove(intake->kept, intake->kept + intake->given, intake->length);
    intake->given = intake->passed = 0;
    ssize_t got =
        recvfrom(socket, intake->kept + intake->length, KEPT_ROOM - intake->length, 0, NULL, NULL);
    if (got <= 0)
        return got;
    intake->length += (size_t)got;
    intake->passed = scan_heads(intake, (struct span){intake->kept, intake->length});
    if (intake->refused)
        substitute_rest(intake, intake->passed);
    return got;
}

/* Discards bytes that are sent after a refusal: unread bytes would reset the connection, and the
 * response would be lost. */
static ssize_t discard(int socket)
{
    enum { READS_MOST = 64 };
    char bytes[4096];
    for (unsigned i = 0; i < READS_MOST; i++) {
        ssize_t got = recvfrom(socket, bytes, sizeof bytes, 0, NULL, NULL);
        if (got <= 0)
            return got;
    }
    errno = EAGAIN;
    return -1;
}

/* Reads into libmicrohttpd's buffer, and leaves the first `passed` bytes there. Returns the result
 * of recv(). */
static ssize_t read_through(struct intake *intake, int socket, char *buffer, size_t room,
                            size_t *passed)
{
    ssize_t got = recvfrom(socket, buffer, room, 0, NULL, NULL);
    if (got <= 0)
        return got;
    *passed = scan_heads(intake, (struct span){buffer, (size_t)got});
    if (*passed < (size_t)got)
        keep_rest(intake, span_from(buffer, *passed, (size_t)got));
    return got;
}

/* Copies kept bytes that may be given into the buffer, and returns their number. */
static size_t give_kept(struct intake *intake, char *buffer, size_t room)
{
    size_t left = intake->passed - intake->given;
    size_t count = left < room ? left : room;
    memcpy(buffer, intake->kept + intake->given, count);
    intake->given += count;
    if (intake->given == intake->length)
        intake->given = intake->passed = intake->length = 0;
    return count;
}

/* Replaces recv() for libmicrohttpd. */
static ssize_t intake_read(struct intake *intake, int socket, char *buffer, size_t room)
{
    size_t filled = 0;
    for (;;) {
        ssize_t got;
        size_t passed = 0;
        if (intake->length > 0)
            filled += give_kept(intake, buffer + filled, room - filled);
        if (filled == room)
            return (ssize_t)filled;
        if (intake->length > 0)
            got = read_more(intake, socket);
        else if (intake->refused)
            got = discard(socket);
        else
            got = read_through(intake, socket, buffer + filled, room - filled, &passed);
        filled += passed;
        if (got <= 0)
            return filled > 0 ? (ssize_t)filled : got;
        if (intake->length == 0)
            return (ssize_t)filled;
    }
}

/* ---- The sockets ---- */

void intakes_enter(struct intakes *intakes, int socket, struct intake *intake)
{
    size_t place = (size_t)socket;
    if (place >= intakes->size) {
        size_t size = 2 * place + 64;
        struct intake_place *grown = must(realloc(intakes->by_socket, size * sizeof *grown));
        memset(grown + intakes->size, 0, (size - intakes->size) * sizeof *grown);
        intakes->by_socket = grown;
        intakes->size = size;
    }
    intakes->by_socket[place].intake = intake;
}

void intakes_leave(const struct intakes *intakes, int socket)
{
    if ((size_t)socket < intakes->size)
        intakes->by_socket[socket].intake = NULL;
}

void intakes_free(struct intakes *intakes)
{
    free(intakes->by_socket);
    *intakes = (struct intakes){NULL, 0};
}

void intakes_run(struct intakes *intakes, struct MHD_Daemon *daemon)
{
    current = intakes;
    MHD_run(daemon);
    current = NULL;
}

ssize_t recv(int socket, void *buffer, size_t size, int flags)
{
    struct intake *intake = NULL;
    if (current != NULL && flags == 0 && socket >= 0 && (size_t)socket < current->size)
        intake = current->by_socket[socket].intake;
    return intake == NULL ? recvfrom(socket, buffer, size, flags, NULL, NULL)
                          : intake_read(intake, socket, buffer, size);
}
