/* The thread waits in poll() for its connection and for the eventfd that ends it. A server that has
 * gone without a word (a machine that was switched off) is found out by asking it something from
 * time to time; the answer's deadline is the connection's tcp_user_timeout.
 */
#include "db/listener.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "db/connection.h"

/* GATHER_MS: most that is heard comes from the service's own commits, of which there may be many
 * thousands a second, and which it knows of already; so it is not woken for each. */
enum { WAIT_FIRST_MS = 100, WAIT_MOST_MS = 5000, ASK_AFTER_MS = 15000, GATHER_MS = 1 };

struct listener {
    struct listener_ears ears;
    char *url; /* owned */
    bool service;
    int end_event;
    pthread_t thread;
};

/* ---- Notices ---- */

static void hear_line(const struct listener_ears *ears, struct span line)
{
    struct span kind = span_word(&line);
    struct span name = span_word(&line);
    struct id id;
    uint64_t seq;
    uint8_t hash[32];
    if (span_is(kind, "g") && id_parse(name, &id) && span_number(line, INT32_MAX, &seq))
        ears->game(ears->context, &id, (unsigned)seq);
    else if (span_is(kind, "e") && id_parse(name, &id))
        ears->event(ears->context, &id);
    else if (span_is(kind, "t") && span_hex(name, hash, sizeof hash))
        ears->token(ears->context, hash);
    else if (span_is(kind, "p") && id_parse(name, &id))
        ears->player(ears->context, &id);
}

static void hear_notice(const struct listener_ears *ears, const PGnotify *notice)
{
    struct span rest = span_of(notice->extra);
    struct span line;
    while (span_line(&rest, &line))
        hear_line(ears, line);
}

/* False if the connection is broken. */
static bool hear_all(const struct listener *listener, PGconn *connection)
{
    if (PQconsumeInput(connection) == 0)
        return false;
    PGnotify *notice;
    while ((notice = PQnotifies(connection)) != NULL) {
        hear_notice(&listener->ears, notice);
        PQfreemem(notice);
    }
    return PQstatus(connection) == CONNECTION_OK;
}

/* ---- The connection ---- */

/* To say it again changes nothing, and shows whether the server is there. */
static bool say_listen(PGconn *connection)
{
    PGresult *result = PQexec(connection, "LISTEN tillroll");
    bool done = PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    return done;
}

/* NULL, and logged if `log`, if there is no connection to be had. */
static PGconn *start_listening(const struct listener *listener, bool log)
{
    char message[CONNECTION_ERROR_BYTES];
    struct text error = TEXT_OVER(message);
    PGconn *connection = connection_open(listener->url, listener->service, &error);
    if (connection != NULL && say_listen(connection))
        return connection;
    if (log)
        fprintf(stderr, "tillroll: database: cannot listen: %s\n", message);
    PQfinish(connection);
    return NULL;
}

/* Waits for the end, and for `socket` unless it is -1. True if the end has come. */
static bool wait_for_end(const struct listener *listener, int socket, int wait_ms, bool *ready)
{
    struct pollfd wanted[2] = {{.fd = listener->end_event, .events = POLLIN},
                               {.fd = socket, .events = POLLIN}};
    *ready = poll(wanted, 2, wait_ms) > 0 && wanted[1].revents != 0;
    return wanted[0].revents != 0;
}

/* Until the end (true) or until the connection breaks. Looks before it waits: a notice may have
 * come with the answer to LISTEN. */
static bool hear_until_end(const struct listener *listener, PGconn *connection)
{
    bool ready;
    bool gathered;
    while (hear_all(listener, connection)) {
        if (wait_for_end(listener, PQsocket(connection), ASK_AFTER_MS, &ready) ||
            (ready && wait_for_end(listener, -1, GATHER_MS, &gathered)))
            return true;
        if (!ready && !say_listen(connection))
            break;
    }
    return false;
}

static void *run(void *context)
{
    const struct listener *listener = context;
    int wait_ms = WAIT_FIRST_MS;
    bool ready;
    bool ended = false;
    while (!ended) {
        PGconn *connection = start_listening(listener, wait_ms == WAIT_FIRST_MS);
        if (connection != NULL) {
            wait_ms = WAIT_FIRST_MS;
            listener->ears.connected(listener->ears.context, true);
            ended = hear_until_end(listener, connection);
            PQfinish(connection);
            listener->ears.connected(listener->ears.context, false);
        }
        ended = ended || wait_for_end(listener, -1, wait_ms, &ready);
        if (connection == NULL && wait_ms < WAIT_MOST_MS)
            wait_ms *= 2;
    }
    return NULL;
}

/* ---- Beginning and end ---- */

/* The thread takes no signals. */
static bool start_thread(struct listener *listener)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&listener->thread, NULL, run, listener) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void discard(struct listener *listener)
{
    if (listener->end_event >= 0)
        close(listener->end_event);
    free(listener->url);
    free(listener);
}

struct listener *listener_new(const char *url, bool service, const struct listener_ears *ears)
{
    struct listener *listener = malloc(sizeof *listener);
    if (listener == NULL)
        return NULL;
    *listener = (struct listener){.ears = *ears,
                                  .url = strdup(url),
                                  .service = service,
                                  .end_event = eventfd(0, EFD_CLOEXEC)};
    if (listener->url != NULL && listener->end_event >= 0 && start_thread(listener))
        return listener;
    discard(listener);
    return NULL;
}

void listener_free(struct listener *listener)
{
    if (listener == NULL)
        return;
    (void)eventfd_write(listener->end_event, 1);
    pthread_join(listener->thread, NULL);
    discard(listener);
}
