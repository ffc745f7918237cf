/* Players' signing keys (engine/record/keyring.h) and their history. */
#ifndef TILLROLL_API_EVENT_SIGNING_KEYS_H
#define TILLROLL_API_EVENT_SIGNING_KEYS_H

#include "api/request/call.h"
#include "engine/record/keyring.h"

/* The keys of a player, possibly none. False with a problem. */
bool signing_keys_load(struct call *call, const struct id *player, struct keyring *ring);

/* Sets the key of each seat to the key that its player has in use. The seats' players and names are
 * already set. False with a problem. */
bool signing_keys_give(struct call *call, struct record_seat *const *seats, size_t count);

/* The response to GET /v1/players/{id}/signing-keys: all keys of a player and their history. NULL
 * with a problem. */
json_t *signing_keys_document(struct call *call, const struct id *player);

/* Revokes all keys of a player whose account is deleted, and those of the player's bots. False with
 * a problem. */
bool signing_keys_end(struct call *call, const struct id *player);

#endif
