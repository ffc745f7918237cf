/* How many things each address has open, so that none has more than its share; and which of them
 * wait for their clients, so that room can be made where most of them wait. Addresses are those
 * that http_peer() makes, or networks of them. Memory is used only for addresses that have
 * something open. One thread at a time.
 */
#ifndef TILLROLL_API_HTTP_PEERS_H
#define TILLROLL_API_HTTP_PEERS_H

#include <stdint.h>

struct peers;
struct peer;

/* Embedded in what may wait; zeroed at first. Only the functions here may touch it. */
struct peer_waiter {
    struct peer *peer; /* NULL: it does not wait */
    struct peer_waiter *previous, *next;
    int64_t since;
};

/* `most` (at least 1) for each address. NULL if there is no memory. */
struct peers *peers_new(unsigned most);

/* To be called when all have left. NULL is fine. */
void peers_free(struct peers *peers);

/* Counts one more for this address; NULL if it has as many as allowed, or there is no memory. */
struct peer *peers_enter(struct peers *peers, const uint8_t address[static 16]);

/* Counts one less. */
void peers_leave(struct peers *peers, struct peer *peer);

/* The network that an address is in: /24 of IPv4, the first 15 bytes, or /48 of IPv6, which is what
 * one subscriber may be given (RFC 6177); the rest is zeroed. */
void peers_network(const uint8_t address[static 16], uint8_t network[static 16]);

/* Something that this address has open begins to wait, at a time that is not before that of others
 * who wait; or it no longer does, also if it did not. In constant time. */
void peers_wait(struct peers *peers, struct peer *peer, struct peer_waiter *waiter, int64_t now);
void peers_go_on(struct peers *peers, struct peer_waiter *waiter);

/* What has waited longest of an address where most wait; if that has not waited since `before` or
 * earlier, the same of an address where as many or fewer do, of PEERS_LOOKS altogether. NULL if
 * there is none. */
enum { PEERS_LOOKS = 64 };
struct peer_waiter *peers_longest(const struct peers *peers, int64_t before);

#endif
