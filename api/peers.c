/* A hash table with chains. Its key is secret, so nobody can choose addresses that share one. */
#include "api/peers.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096 };

struct peer {
    struct peer *next;
    uint8_t address[16];
    unsigned count;
};

struct peers {
    unsigned most;
    uint8_t key[crypto_shorthash_siphashx24_KEYBYTES];
    struct peer *bucket[BUCKETS];
};

struct peers *peers_new(unsigned most)
{
    struct peers *peers = calloc(1, sizeof *peers);
    if (peers == NULL)
        return NULL;
    peers->most = most;
    randombytes_buf(peers->key, sizeof peers->key);
    return peers;
}

void peers_free(struct peers *peers)
{
    free(peers);
}

/* Where the address is linked, or would be. */
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
