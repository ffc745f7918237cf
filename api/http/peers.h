/* Counts the things (connections, for example) that each address has open, so that none has more
 * than its share, and keeps track of those that wait for their clients, so that room can be made
 * where most of them wait. Addresses are those that http_peer() makes, or networks of them. Memory
 * is used only for addresses that have something open. One thread at a time.
 */
#ifndef TILLROLL_API_HTTP_PEERS_H
#define TILLROLL_API_HTTP_PEERS_H

#include <stdint.h>

struct peers;
struct peer;

/* Embedded in structs that may wait; zeroed at first. Only the functions here may access it. */
struct peer_waiter {
    struct peer *peer; /* NULL: not waiting */
    struct peer_waiter *previous, *next;
    int64_t since;
};

/* `most` (at least 1) for each address. NULL if there is no memory. */
struct peers *peers_new(unsigned most);

/* To be called when peers_leave() has been called for every peers_enter(). NULL is allowed. */
void peers_free(struct peers *peers);

/* Counts one more for this address; NULL if the limit is reached, or memory is short. */
struct peer *peers_enter(struct peers *peers, const uint8_t address[static 16]);

/* Counts one less. */
void peers_leave(struct peers *peers, struct peer *peer);

/* The network of an address: /24 of IPv4, the first 15 bytes, or /48 of IPv6, which is the range
 * that one subscriber may be given (RFC 6177); the rest is zeroed. */
void peers_network(const uint8_t address[static 16], uint8_t network[static 16]);

/* Begins the wait of something that this address has open, at a time not before that of any other
 * waiter; or ends it, which does nothing if it does not wait. In constant time. */
void peers_wait(struct peers *peers, struct peer *peer, struct peer_waiter *waiter, int64_t now);
void peers_end_wait(struct peers *peers, struct peer_waiter *waiter);

/* Returns the waiter that has waited longest of an address with most waiters; if its wait began
 * after `before`, that of the next address with as many or fewer waiters, and so on. NULL if there
 * is none among the first PEERS_LOOKS addresses. */
enum { PEERS_LOOKS = 64 };
struct peer_waiter *peers_longest(const struct peers *peers, int64_t before);

#endif
