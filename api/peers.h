/* How many things each address has open, so that none has more than its share. An address is what
 * http_peer() makes of it. Memory is used for addresses that have something open only. Not for
 * several threads at once.
 */
#ifndef TILLROLL_API_PEERS_H
#define TILLROLL_API_PEERS_H

#include <stdint.h>

struct peers;
struct peer;

/* `most` (at least 1) for each address. NULL if there is no memory. */
struct peers *peers_new(unsigned most);

/* When all have left. NULL is fine. */
void peers_free(struct peers *peers);

/* Counts one more for this address; NULL if it has as many as it may, or there is no memory. */
struct peer *peers_enter(struct peers *peers, const uint8_t address[static 16]);

/* Counts one less. */
void peers_leave(struct peers *peers, struct peer *peer);

#endif
