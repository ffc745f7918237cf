/* A hash table with chains. Its key is secret, so clients cannot choose addresses with the same
 * hash. */
#include "api/http/peers.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096 };

struct peer {
    struct peer *next;
    uint8_t address[16];
    unsigned count;
    unsigned waiting;
    struct peer_waiter *first, *last;         /* the longest wait first */
    struct peer *previous_equal, *next_equal; /* with as many waiters, if any */
};

struct peers {
    unsigned most;
    uint8_t key[crypto_shorthash_siphashx24_KEYBYTES];
    struct peer *bucket[BUCKETS];
    unsigned highest;     /* the most waiters of a peer, or 0 */
    struct peer **equals; /* lists of peers by number of waiters, 1 .. most */
};

struct peers *peers_new(unsigned most)
{
    struct peers *peers = calloc(1, sizeof *peers);
    if (peers == NULL)
        return NULL;
    peers->most = most;
    peers->equals = calloc((size_t)most + 1, sizeof(struct peer *));
    if (peers->equals == NULL) {
        free(peers);
        return NULL;
    }
    randombytes_buf(peers->key, sizeof peers->key);
    return peers;
}

void peers_free(struct peers *peers)
{
    if (peers != NULL)
        free(peers->equals);
    free(peers);
}

/* The place in the table where the address is linked, or would be. */
static struct peer **find(struct peers *peers, const uint8_t address[static 16])
{
    uint8_t hash[crypto_shorthash_siphashx24_BYTES];
    crypto_shorthash_siphashx24(hash, address, 16, peers->key);
    struct peer **place = &peers->bucket[((size_t)hash[0] << 8 | hash[1]) % BUCKETS];
    while (*place != NULL && memcmp((*place)->address, address, 16) != 0)
        place = &(*place)->next;
    return place;
}

struct peer *peers_enter(struct peers *peers, const uint8_t address[static 16])
{
    struct peer **place = find(peers, address);
    if (*place == NULL) {
        struct peer *peer = calloc(1, sizeof *peer);
        if (peer == NULL)
            return NULL;
        memcpy(peer->address, address, 16);
        *place = peer;
    }
    if ((*place)->count == peers->most)
        return NULL;
    (*place)->count++;
    return *place;
}

void peers_leave(struct peers *peers, struct peer *peer)
{
    if (--peer->count > 0)
        return;
    *find(peers, peer->address) = peer->next;
    free(peer);
}

void peers_network(const uint8_t address[static 16], uint8_t network[static 16])
{
    static const uint8_t ipv4[12] = {[10] = 0xff, [11] = 0xff};
    enum { IPV4_BYTES = 15, IPV6_BYTES = 6 };
    size_t kept = memcmp(address, ipv4, sizeof ipv4) == 0 ? IPV4_BYTES : IPV6_BYTES;
    memset(network, 0, 16);
    memcpy(network, address, kept);
}

/* ---- Waiters ---- */

static void link_equal(struct peers *peers, struct peer *peer)
{
    struct peer **first = &peers->equals[peer->waiting];
    peer->previous_equal = NULL;
    peer->next_equal = *first;
    if (*first != NULL)
        (*first)->previous_equal = peer;
    *first = peer;
}

static void unlink_equal(struct peers *peers, struct peer *peer)
{
    if (peer->previous_equal != NULL)
        peer->previous_equal->next_equal = peer->next_equal;
    else
        peers->equals[peer->waiting] = peer->next_equal;
    if (peer->next_equal != NULL)
        peer->next_equal->previous_equal = peer->previous_equal;
}

/* `highest` changes by one at a time, as the number of waiters of each peer does. */
static void set_waiting(struct peers *peers, struct peer *peer, unsigned waiting)
{
    if (peer->waiting > 0)
        unlink_equal(peers, peer);
    peer->waiting = waiting;
    if (waiting > 0)
        link_equal(peers, peer);
    if (waiting > peers->highest)
        peers->highest = waiting;
    else if (peers->highest > 0 && peers->equals[peers->highest] == NULL)
        peers->highest--;
}

void peers_wait(struct peers *peers, struct peer *peer, struct peer_waiter *waiter, int64_t now)
{
    peers_end_wait(peers, waiter);
    *waiter = (struct peer_waiter){.peer = peer, .previous = peer->last, .since = now};
    if (peer->last != NULL)
        peer->last->next = waiter;
    else
        peer->first = waiter;
    peer->last = waiter;
    set_waiting(peers, peer, peer->waiting + 1);
}

void peers_end_wait(struct peers *peers, struct peer_waiter *waiter)
{
    struct peer *peer = waiter->peer;
    if (peer == NULL)
        return;
    if (waiter->previous != NULL)
        waiter->previous->next = waiter->next;
    else
        peer->first = waiter->next;
    if (waiter->next != NULL)
        waiter->next->previous = waiter->previous;
    else
        peer->last = waiter->previous;
    waiter->peer = NULL;
    set_waiting(peers, peer, peer->waiting - 1);
}

struct peer_waiter *peers_longest(const struct peers *peers, int64_t before)
{
    unsigned looks = 0;
    for (unsigned waiting = peers->highest; waiting > 0; waiting--)
        for (const struct peer *peer = peers->equals[waiting]; peer != NULL;
             peer = peer->next_equal) {
            if (peer->first->since <= before)
                return peer->first;
            if (++looks == PEERS_LOOKS)
                return NULL;
        }
    return NULL;
}
