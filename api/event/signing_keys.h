/* Players' signing keys (engine/record/keyring.h): who has which, and their history. */
#ifndef TILLROLL_API_EVENT_SIGNING_KEYS_H
#define TILLROLL_API_EVENT_SIGNING_KEYS_H

#include "api/request/call.h"
#include "engine/record/keyring.h"

/* The keys of a player, which may be none. False with a problem. */
bool signing_keys_load(struct call *call, const struct id *player, struct keyring *ring);

/* Gives each of these seats, of which player and name are there, the key that its player has in
 * use. False with a problem. */
bool signing_keys_give(struct call *call, struct record_seat *const *seats, size_t count);

/* Everything that is known of a player's keys, as GET /v1/players/{id}/signing-keys answers it.
 * NULL with a problem. */
json_t *signing_keys_document(struct call *call, const struct id *player);

/* Revokes all keys of a player whose account is deleted, and those of the player's bots. False with
 * a problem. */
bool signing_keys_end(struct call *call, const struct id *player);

#endif
