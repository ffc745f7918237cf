/* The thread waits in poll() for its connection and for an eventfd that signals requests. A server
 * that has vanished (a machine that was switched off) is detected by a regular query, which also
 * checks whether other listeners have come or gone; its deadline is the connection's
 * tcp_user_timeout. */
#include "db/link/listener.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "db/link/connection.h"
#include "db/link/now.h"
#include "db/link/thread.h"

/* GATHER_MS, TELL_MS: with several services, most notices come from commits, of which there may be
 * many thousands a second. So the thread does not wake for each, and does not send a notice for
 * each. */
enum {
    WAIT_FIRST_MS = 100,
    WAIT_MOST_MS = 5000,
    ASK_MS = 3000,
    ASK_ALONE_MS = 15000,
    GATHER_MS = 5,
    TELL_MS = 2,
    TELL_MOST = 1024,    /* games; with more, a single notice "anything" is sent */
    TELL_TOGETHER = 128, /* games in a notice, whose limit is 8000 bytes */
    STATEMENT_BYTES = 160,
    TELL_BYTES = TELL_MOST * 64
};

struct changed_game {
    struct id game;
    unsigned seq;
};

struct listener {
    struct listener_callbacks callbacks;
    char *url; /* owned */
    bool service;
    unsigned number;
    int event;
    atomic_bool ending, renewing;
    pthread_t thread;
    struct changed_game *sending; /* used by the thread alone, TELL_MOST elements */
    pthread_mutex_t lock;         /* protects the members below */
    struct changed_game *pending; /* TELL_MOST elements */
    size_t pending_count;
    bool pending_anything; /* there were more games than room */
};

/* ---- Notices ---- */

static void handle_line(const struct listener_callbacks *callbacks, struct span line)
{
    struct span kind = span_word(&line);
    struct span name = span_word(&line);
    struct id id;
    uint64_t seq;
    uint8_t hash[32];
    if (span_is(kind, "g") && id_parse(name, &id) && span_number(line, INT32_MAX, &seq))
        callbacks->game(callbacks->context, &id, (unsigned)seq);
    else if (span_is(kind, "e") && id_parse(name, &id))
        callbacks->event(callbacks->context, &id);
    else if (span_is(kind, "t") && span_hex(name, hash, sizeof hash))
        callbacks->token(callbacks->context, hash);
    else if (span_is(kind, "p") && id_parse(name, &id))
        callbacks->player(callbacks->context, &id);
    else if (span_is(kind, "l"))
        callbacks->log(callbacks->context);
    if (!span_is(kind, "a"))
        return;
    callbacks->connected(callbacks->context, false);
    callbacks->connected(callbacks->context, true);
}

static void handle_notice(const struct listener_callbacks *callbacks, const PGnotify *notice)
{
    struct span rest = span_of(notice->extra);
    struct span line;
    while (span_line(&rest, &line))
        handle_line(callbacks, line);
}

/* Handles all notices that have arrived. False if the connection is broken. */
static bool handle_notices(const struct listener *listener, PGconn *connection)
{
    if (PQconsumeInput(connection) == 0)
        return false;
    PGnotify *notice;
    while ((notice = PQnotifies(connection)) != NULL) {
        handle_notice(&listener->callbacks, notice);
        PQfreemem(notice);
    }
    return PQstatus(connection) == CONNECTION_OK;
}

/* ---- The connection ---- */

/* Runs a query in a transaction of its own. False if it failed. */
static bool call(PGconn *connection, const char *sql)
{
    PGresult *result = connection_do(connection, sql);
    bool done = PQresultStatus(result) == PGRES_TUPLES_OK;
    PQclear(result);
    return done;
}

/* Starts listening. The first call is one transaction, so that the session listens and is
 * registered as a listener from the same moment on. */
static bool listen_and_register(const struct listener *listener, PGconn *connection)
{
    char sql[STATEMENT_BYTES];
    snprintf(sql, sizeof sql, "LISTEN tillroll; SELECT tillroll.hear(%u)", listener->number);
    return call(connection, sql) && call(connection, "SELECT tillroll.lines_settled()");
}

/* Checks for listeners and tellers that have ended. Returns the milliseconds until the next check;
 * 0 if the connection is broken. */
static int check_others(const struct listener *listener, PGconn *connection)
{
    char sql[STATEMENT_BYTES];
    snprintf(sql, sizeof sql,
             "SELECT tillroll.look_for_hearers(%u); SELECT count(*) > 1 FROM tillroll.hearer",
             listener->number);
    PGresult *result = connection_do(connection, sql);
    int again_ms = PQresultStatus(result) != PGRES_TUPLES_OK || PQntuples(result) != 1 ? 0
                   : PQgetvalue(result, 0, 0)[0] == 't'                                ? ASK_MS
                                                        : ASK_ALONE_MS;
    PQclear(result);
    return again_ms;
}

/* ---- Notifying ---- */

/* Notifies in one transaction of `games`, or of "anything" if NULL. Ids need no quoting. */
static bool notify(PGconn *connection, const struct changed_game *games, size_t count)
{
    if (games == NULL)
        return call(connection, "SELECT pg_notify('tillroll', 'a')");
    struct text sql = {must(malloc(TELL_BYTES)), 0, TELL_BYTES, false};
    sql.at[0] = '\0';
    text_add(&sql, "SELECT pg_notify('tillroll', '");
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            text_add(&sql, i % TELL_TOGETHER == 0 ? "'), pg_notify('tillroll', '" : "\n");
        text_add_all(&sql, "g ", games[i].game.text, " ");
        text_add_number(&sql, games[i].seq);
    }
    text_add(&sql, "')");
    bool good = call(connection, sql.at);
    free(sql.at);
    return good;
}

/* Sends the pending notices. If that fails, the next attempt sends "anything". False if the
 * connection is broken. */
static bool notify_others(struct listener *listener, PGconn *connection)
{
    pthread_mutex_lock(&listener->lock);
    size_t count = listener->pending_count;
    bool more = listener->pending_anything;
    struct changed_game *games = listener->pending;
    listener->pending = listener->sending;
    listener->sending = games;
    listener->pending_count = 0;
    listener->pending_anything = false;
    pthread_mutex_unlock(&listener->lock);
    if (count == 0 && !more)
        return true;
    bool notified = notify(connection, more ? NULL : games, count);
    if (!notified) {
        pthread_mutex_lock(&listener->lock);
        listener->pending_anything = true;
        pthread_mutex_unlock(&listener->lock);
    }
    return notified;
}

/* Returns a listening connection; NULL if none can be opened, which is logged if `log`. */
static PGconn *start_listening(struct listener *listener, struct server *server, bool log)
{
    char message[CONNECTION_ERROR_BYTES];
    struct text error = TEXT_OVER(message);
    atomic_store(&listener->renewing, false);
    PGconn *connection = connection_open(listener->url, listener->service, server, &error);
    if (connection != NULL && listen_and_register(listener, connection))
        return connection;
    if (connection != NULL)
        text_add(&error, PQerrorMessage(connection));
    if (log)
        fprintf(stderr, "tillroll: database: cannot listen: %.*s\n", (int)strcspn(message, "\n"),
                message);
    PQfinish(connection);
    return NULL;
}

/* Waits for the eventfd, and for `socket` unless it is -1. True if the eventfd was signalled. */
static bool wait_for_signal(const struct listener *listener, int socket, int wait_ms)
{
    eventfd_t times;
    struct pollfd wanted[2] = {{.fd = listener->event, .events = POLLIN},
                               {.fd = socket, .events = POLLIN}};
    return poll(wanted, 2, wait_ms) > 0 && wanted[0].revents != 0 &&
           eventfd_read(listener->event, &times) == 0;
}

static bool should_stop(struct listener *listener)
{
    return atomic_load(&listener->ending) || atomic_load(&listener->renewing);
}

/* Listens until the end, a renewal, the loss of the connection, or the server's replacement by
 * another primary. Handles notices before it waits, since some may have arrived with the first
 * responses. The pending notices are sent once more at the end; later ones are sent on the next
 * connection. */
static void listen_until_lost(struct listener *listener, PGconn *connection,
                              const struct server *server)
{
    int64_t ask_ms = now_ms(CLOCK_MONOTONIC) + ASK_MS;
    while (handle_notices(listener, connection) && !connection_is_superseded(server) &&
           notify_others(listener, connection) && !should_stop(listener)) {
        int64_t wait_ms = ask_ms - now_ms(CLOCK_MONOTONIC);
        if (wait_ms <= 0) {
            int again_ms = check_others(listener, connection);
            if (again_ms == 0)
                return;
            ask_ms = now_ms(CLOCK_MONOTONIC) + again_ms;
        } else if (wait_for_signal(listener, PQsocket(connection), (int)wait_ms)) {
            rest_ms(TELL_MS);
        } else {
            (void)wait_for_signal(listener, -1, GATHER_MS);
        }
    }
}

static void *run(void *context)
{
    struct listener *listener = context;
    struct server server;
    int wait_ms = WAIT_FIRST_MS;
    if (!thread_wait_turn())
        return NULL;
    while (!atomic_load(&listener->ending)) {
        PGconn *connection = start_listening(listener, &server, wait_ms == WAIT_FIRST_MS);
        if (connection != NULL) {
            wait_ms = WAIT_FIRST_MS;
            listener->callbacks.connected(listener->callbacks.context, true);
            listen_until_lost(listener, connection, &server);
            PQfinish(connection);
            listener->callbacks.connected(listener->callbacks.context, false);
        }
        if (!atomic_load(&listener->ending))
            (void)wait_for_signal(listener, -1, wait_ms);
        if (connection == NULL && wait_ms < WAIT_MOST_MS)
            wait_ms *= 2;
    }
    return NULL;
}

/* ---- Beginning and end ---- */

static void discard(struct listener *listener)
{
    if (listener->event >= 0)
        close(listener->event);
    pthread_mutex_destroy(&listener->lock);
    free(listener->pending);
    free(listener->sending);
    free(listener->url);
    free(listener);
}

struct listener *listener_new(const char *url, bool service, unsigned number,
                              const struct listener_callbacks *callbacks)
{
    struct listener *listener = malloc(sizeof *listener);
    if (listener == NULL)
        return NULL;
    *listener = (struct listener){.callbacks = *callbacks,
                                  .url = strdup(url),
                                  .service = service,
                                  .number = number,
                                  .pending = calloc(TELL_MOST, sizeof *listener->pending),
                                  .sending = calloc(TELL_MOST, sizeof *listener->sending),
                                  .event = eventfd(0, EFD_CLOEXEC)};
    pthread_mutex_init(&listener->lock, NULL);
    if (listener->url != NULL && listener->pending != NULL && listener->sending != NULL &&
        listener->event >= 0 && thread_start(&listener->thread, run, listener))
        return listener;
    discard(listener);
    return NULL;
}

void listener_renew(struct listener *listener)
{
    atomic_store(&listener->renewing, true);
    (void)eventfd_write(listener->event, 1);
}

void listener_notify(struct listener *listener, const struct id *game, unsigned seq)
{
    pthread_mutex_lock(&listener->lock);
    bool first = listener->pending_count == 0 && !listener->pending_anything;
    if (listener->pending_count < TELL_MOST)
        listener->pending[listener->pending_count++] = (struct changed_game){*game, seq};
    else
        listener->pending_anything = true;
    pthread_mutex_unlock(&listener->lock);
    if (first)
        (void)eventfd_write(listener->event, 1);
}

bool listener_free(struct listener *listener)
{
    if (listener == NULL)
        return true;
    atomic_store(&listener->ending, true);
    (void)eventfd_write(listener->event, 1);
    pthread_join(listener->thread, NULL);
    bool notified = listener->pending_count == 0 && !listener->pending_anything;
    discard(listener);
    return notified;
}
