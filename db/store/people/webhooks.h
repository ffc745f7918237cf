/* Webhooks: addresses to which players have notices sent, the secrets that sign the deliveries, and
 * the deliveries. All times are the database's, in milliseconds since 1970. */
#ifndef TILLROLL_DB_STORE_PEOPLE_WEBHOOKS_H
#define TILLROLL_DB_STORE_PEOPLE_WEBHOOKS_H

#include "db/link/db.h"

enum {
    WEBHOOKS_MAX = 5,          /* per player */
    WEBHOOK_NAME_MAX = 100,    /* bytes */
    WEBHOOK_SEALED_BYTES = 72, /* a sealed secret of 32 bytes (api/state/keys.h) */
    WEBHOOK_BEFORE_S = 86400   /* how long a replaced secret still signs, too */
};

struct webhook {
    struct id id;
    struct id player;
    const char *name;
    const char *url;
    const char *form;  /* `standard`, `discord`, `slack` or `matrix` */
    const char *state; /* `on`; `gone` = its target has answered that it no longer exists */
    int64_t since_ms;
    bool rests;         /* nothing may be sent for now */
    struct span sealed; /* its secret */
    struct span before; /* the previous secret, {NULL, 0} = none, or expired */
};

/* Adds a webhook: id, player, name, url, form and sealed. DB_CONFLICT if the player has
 * WEBHOOKS_MAX. */
enum db_status webhook_add(struct db *db, const struct webhook *webhook);

/* Lists a player's webhooks, oldest first, in the arena. */
enum db_status webhook_list(struct db *db, struct arena *arena, const struct id *player,
                            struct webhook **webhooks, size_t *count);

/* Finds one of a player's webhooks, in the arena. DB_NONE. */
enum db_status webhook_get(struct db *db, struct arena *arena, const struct id *player,
                           const struct id *id, struct webhook *webhook);

/* Deletes a webhook with its deliveries. DB_NONE if the player does not have it. */
enum db_status webhook_remove(struct db *db, const struct id *player, const struct id *id);

/* Deletes all webhooks of a player. */
enum db_status webhooks_forget(struct db *db, const struct id *player);

/* Replaces the secret; the previous one also signs for WEBHOOK_BEFORE_S. DB_NONE. */
enum db_status webhook_rotate(struct db *db, const struct id *id,
                              const uint8_t sealed[static WEBHOOK_SEALED_BYTES]);

/* ---- Deliveries ---- */

struct webhook_delivery {
    struct id webhook;
    struct id id;
    const char *kind;   /* of the notice, or `test` */
    const char *body;   /* as first sent */
    const char *state;  /* `waiting`, `delivered` or `failed` */
    unsigned attempts;  /* begun, including the current one */
    int64_t created_ms; /* when it was first due */
    int64_t tried_ms;   /* the last attempt, 0 = none */
    unsigned status;    /* of the response, 0 = none */
    unsigned took_ms;
    const char *reason; /* why the last attempt failed, a sentence; NULL = it has not */
};

/* A target's response to a delivery. */
enum webhook_target {
    WEBHOOK_WORKS,
    WEBHOOK_FAILS, /* nothing is sent for a while */
    WEBHOOK_GONE,
    WEBHOOK_SAME /* nothing new is known about it */
};

/* Stores the end of an attempt: all members but created_ms and tried_ms. Adds the delivery if it is
 * new; the body of a stored one is kept. */
enum db_status webhook_delivery_note(struct db *db, const struct webhook_delivery *delivery);

/* Stores how the target has responded. After a failure, nothing is sent for `rest_s` seconds, or,
 * if that is 0, for a time that doubles with each failure, up to an hour. */
enum db_status webhook_note(struct db *db, const struct id *id, enum webhook_target target,
                            unsigned rest_s);

/* Adds a test, which is sent at once: id, webhook, kind, body. DB_CONFLICT if one of the player's
 * tests or repeats is waiting. */
enum db_status webhook_test_add(struct db *db, const struct id *player,
                                const struct webhook_delivery *delivery);

/* Repeats a delivery that has ended, with its id. DB_CONFLICT if it, or another of the player's
 * tests or repeats, is waiting. */
enum db_status webhook_repeat(struct db *db, const struct id *player, const struct id *webhook,
                              const struct id *id);

/* Reads whether a test or a repeat is due. */
enum db_status webhook_delivery_due(struct db *db, bool *asked);

/* Takes the test or repeat that has been due the longest, in the arena; for `lease_ms` no other
 * sender can take it. DB_NONE if none is due. */
enum db_status webhook_delivery_take(struct db *db, struct arena *arena, unsigned lease_ms,
                                     struct webhook_delivery *delivery);

/* Finds one of a webhook's deliveries, in the arena. DB_NONE. */
enum db_status webhook_delivery_get(struct db *db, struct arena *arena, const struct id *webhook,
                                    const struct id *id, struct webhook_delivery *delivery);

/* Lists a webhook's deliveries, newest first, those before `before` ("" = from the newest), at most
 * `limit`, in the arena. */
enum db_status webhook_delivery_list(struct db *db, struct arena *arena, const struct id *webhook,
                                     const struct id *before, size_t limit,
                                     struct webhook_delivery **deliveries, size_t *count);

#endif
