#include "api/http/connections.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "db/link/now.h"

/* Room is made when fewer places than this are left: a part of connections_max, at most SPARE_MOST.
 * Only connections that have waited DISPLACED_AFTER_US for their clients are shut down. */
enum { SPARE_PART = 8, SPARE_MOST = 64, DISPLACED_AFTER_US = 1000000 };

/* Deadlines need no more precision than the coarse clock, which is cheaper to read. */
void connection_enter_phase(struct connection *connection, enum phase phase, unsigned deadline_ms)
{
    int64_t now = now_us(CLOCK_MONOTONIC_COARSE);
    bool waits = phase == PHASE_HEAD || phase == PHASE_BODY || phase == PHASE_SEND;
    connection->phase = phase;
    connection->deadline_us = now + (int64_t)deadline_ms * 1000;
    if (waits && connection->network != NULL && !connection->displaced)
        peers_wait(connection->networks, connection->network, &connection->waiter, now);
    else
        peers_end_wait(connection->networks, &connection->waiter);
}

/* -- beginning and end -- */

const struct sockaddr *connection_address(struct MHD_Connection *mhd)
{
    return MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
}

static bool is_proxy(const struct connections *all, const struct sockaddr *address)
{
    uint8_t whole[16];
    if (!all->behind_proxy)
        return false;
    http_address(address, whole);
    return memcmp(whole, all->proxy, sizeof whole) == 0;
}

static void leave_peers(const struct connections *all, const struct connection *connection)
{
    if (connection->peer != NULL)
        peers_leave(all->peers, connection->peer);
    if (connection->network != NULL)
        peers_leave(all->networks, connection->network);
}

/* False if the address or its network has reached its limit, or memory is short. */
static bool enter_peers(const struct connections *all, const struct sockaddr *address,
                        struct connection *connection)
{
    uint8_t client[16];
    uint8_t network[16];
    http_peer(address, client);
    peers_network(client, network);
    connection->peer = peers_enter(all->peers, client);
    connection->network = peers_enter(all->networks, network);
    if (connection->peer != NULL && connection->network != NULL)
        return true;
    leave_peers(all, connection);
    return false;
}

/* Returns NULL if the limit of open connections (including streams that have left libmicrohttpd),
 * or that of the address or network, is reached, or memory is short. */
static struct connection *connection_new(const struct connections *all, struct MHD_Connection *mhd)
{
    const struct sockaddr *address = connection_address(mhd);
    if (all->open >= all->config->connections_max)
        return NULL;
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL)
        return NULL;
    connection->networks = all->networks;
    if (is_proxy(all, address) || enter_peers(all, address, connection))
        return connection;
    free(connection);
    return NULL;
}

/* Shuts down connections that have waited long for their clients, until enough places are free. */
static void make_room(struct connections *all)
{
    size_t most = all->config->connections_max;
    size_t spare = most / SPARE_PART < SPARE_MOST ? most / SPARE_PART : SPARE_MOST;
    int64_t before = now_us(CLOCK_MONOTONIC_COARSE) - DISPLACED_AFTER_US;
    while (all->open - all->displaced > most - spare) {
        struct peer_waiter *waiter = peers_longest(all->networks, before);
        if (waiter == NULL)
            return;
        struct connection *connection =
            (struct connection *)((char *)waiter - offsetof(struct connection, waiter));
        peers_end_wait(all->networks, waiter);
        connection->displaced = true;
        all->displaced++;
        counter_add(&all->counts.displaced, 1);
        shutdown(connection->socket, SHUT_RDWR);
    }
}

static void connection_open(struct connections *all, struct MHD_Connection *mhd, void **place)
{
    struct connection *connection = connection_new(all, mhd);
    *place = connection;
    int socket = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    if (connection == NULL) {
        counter_add(&all->counts.refused, 1);
        /* This callback cannot refuse a connection; libmicrohttpd closes a socket that is shut
         * down. */
        shutdown(socket, SHUT_RDWR);
        return;
    }
    connection->socket = socket;
    intakes_enter(&all->intakes, socket, &connection->intake);
    connection->next = all->first;
    if (connection->next != NULL)
        connection->next->previous = connection;
    all->first = connection;
    all->open++;
    counter_add(&all->counts.taken, 1);
    connection_enter_phase(connection, PHASE_HEAD, all->config->header_deadline_ms);
    make_room(all);
}

void connection_close(struct connections *all, struct connection *connection)
{
    if (connection->previous != NULL)
        connection->previous->next = connection->next;
    else
        all->first = connection->next;
    if (connection->next != NULL)
        connection->next->previous = connection->previous;
    peers_end_wait(all->networks, &connection->waiter);
    leave_peers(all, connection);
    all->open--;
    all->displaced -= connection->displaced;
    counter_add(&all->counts.ended, 1);
    free(connection);
}

/* A stream may go on when libmicrohttpd has finished with its connection. */
static void connection_end(struct connections *all, struct connection *connection)
{
    intakes_leave(&all->intakes, connection->socket);
    intake_free(&connection->intake);
    if (connection->stream != NULL)
        sse_writer_go_on(connection->stream);
    else
        connection_close(all, connection);
}

void connections_notify(void *context, struct MHD_Connection *mhd, void **place,
                        enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        connection_open(context, mhd, place);
    else if (*place != NULL)
        connection_end(context, *place);
}

/* -- all connections -- */

bool connections_begin(struct connections *all, const struct server_config *config)
{
    all->config = config;
    all->peers = peers_new(config->connections_per_address_max);
    all->networks = peers_new(config->connections_per_network_max);
    all->behind_proxy = config->trusted_proxy != NULL;
    if (all->behind_proxy)
        memcpy(all->proxy, config->trusted_proxy, sizeof all->proxy);
    return all->peers != NULL && all->networks != NULL;
}

void connections_free(struct connections *all)
{
    peers_free(all->peers);
    peers_free(all->networks);
    intakes_free(&all->intakes);
}

/* Returns the result of recv() for the next byte without consuming it: 1, 0 at the end, -1 if there
 * is none yet. */
static ssize_t peek_at_next(const struct connection *connection)
{
    char byte;
    return recv(connection->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
}

/* True if the client has closed its side. If that happened together with the last request,
 * libmicrohttpd got one event for both, and read only as far as the request; a later close has an
 * event of its own. */
static bool has_ended(struct connection *connection)
{
    if (connection->phase != PHASE_HEAD || !connection->answered)
        return false;
    connection->answered = false;
    return peek_at_next(connection) == 0;
}

void connections_sweep(struct connections *all)
{
    int64_t now = all->swept_us = now_us(CLOCK_MONOTONIC_COARSE);
    for (struct connection *each = all->first; each != NULL; each = each->next) {
        if (has_ended(each))
            shutdown(each->socket, SHUT_RDWR);
        if (each->phase == PHASE_HOLD || each->phase == PHASE_WORK || each->phase == PHASE_STREAM ||
            each->deadline_us >= now)
            continue;
        if (!each->late)
            counter_add(&all->counts.late, 1);
        each->late = true;
        shutdown(each->socket, SHUT_RDWR);
    }
    make_room(all);
}

void connections_close_idle(struct connections *all)
{
    for (struct connection *each = all->first; each != NULL; each = each->next)
        if (each->phase == PHASE_HEAD && peek_at_next(each) <= 0)
            shutdown(each->socket, SHUT_RDWR);
}

bool connections_are_busy(const struct connections *all)
{
    for (struct connection *each = all->first; each != NULL; each = each->next)
        if (each->phase != PHASE_HEAD)
            return true;
    return false;
}

bool connections_are_at_work(const struct connections *all)
{
    for (struct connection *each = all->first; each != NULL; each = each->next)
        if (each->phase == PHASE_HOLD || each->phase == PHASE_WORK)
            return true;
    return false;
}
