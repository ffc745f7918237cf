/* Webhooks: addresses that players have notices sent to, the secrets that sign what is sent, and
 * what was sent. All times are the database's, in milliseconds since 1970. */
#ifndef TILLROLL_DB_STORE_PEOPLE_WEBHOOKS_H
#define TILLROLL_DB_STORE_PEOPLE_WEBHOOKS_H

#include "db/link/db.h"

enum {
    WEBHOOKS_MAX = 5,          /* of a player */
    WEBHOOK_NAME_MAX = 100,    /* bytes */
    WEBHOOK_SEALED_BYTES = 72, /* a sealed secret of 32 bytes (api/state/keys.h) */
    WEBHOOK_BEFORE_S = 86400   /* for which a replaced secret signs, too */
};

struct webhook {
    struct id id;
    struct id player;
    const char *name;
    const char *url;
    const char *form;  /* `standard`, `discord`, `slack` or `matrix` */
    const char *state; /* `on`; `gone` = its target has answered that it is gone */
    int64_t since_ms;
    bool rests;         /* nothing is to be sent now */
    struct span sealed; /* its secret */
    struct span before; /* the one before, {NULL, 0} = none, or not any more */
};

/* Adds id, player, name, url, form and sealed. DB_CONFLICT if the player has WEBHOOKS_MAX. */
enum db_status webhook_add(struct db *db, const struct webhook *webhook);

/* A player's, oldest first, in the arena. */
enum db_status webhook_list(struct db *db, struct arena *arena, const struct id *player,
                            struct webhook **webhooks, size_t *count);

/* One of a player's. DB_NONE. */
enum db_status webhook_get(struct db *db, struct arena *arena, const struct id *player,
                           const struct id *id, struct webhook *webhook);

/* With what was sent to it. DB_NONE if the player has no such one. */
enum db_status webhook_remove(struct db *db, const struct id *player, const struct id *id);

/* All of a player. */
enum db_status webhooks_forget(struct db *db, const struct id *player);

/* Another secret; the one before signs, too, for WEBHOOK_BEFORE_S. */
enum db_status webhook_rotate(struct db *db, const struct id *id,
                              const uint8_t sealed[static WEBHOOK_SEALED_BYTES]);

/* ---- Deliveries ---- */

struct webhook_delivery {
    struct id webhook;
    struct id id;
    const char *kind;   /* of the notice, or `test` */
    const char *body;   /* as it was sent first */
    const char *state;  /* `waiting`, `delivered` or `failed` */
    unsigned attempts;  /* begun, this one included */
    int64_t created_ms; /* when it was first to be sent */
    int64_t tried_ms;   /* the last attempt, 0 = none */
    unsigned status;    /* of its answer, 0 = none */
    unsigned took_ms;
    const char *reason; /* why the last attempt failed, a sentence; NULL = it has not */
};

/* How a webhook's target has behaved. */
enum webhook_target {
    WEBHOOK_WORKS,
    WEBHOOK_FAILS, /* nothing is sent for a while */
    WEBHOOK_GONE,
    WEBHOOK_SAME /* nothing was learnt about it */
};

/* Stores how an attempt has ended: all members but created_ms and tried_ms. Adds the delivery if it
 * is new; the body of one that is known stays. */
enum db_status webhook_delivery_note(struct db *db, const struct webhook_delivery *delivery);

/* After a failure, nothing is sent for `rest_s` seconds, or, if that is 0, for a time that doubles
 * with each failure, up to an hour. */
enum db_status webhook_note(struct db *db, const struct id *id, enum webhook_target target,
                            unsigned rest_s);

/* Adds a test, which is sent at once: id, webhook, kind, body. DB_CONFLICT if one of the player's
 * tests or repeats waits. */
enum db_status webhook_test_add(struct db *db, const struct id *player,
                                const struct webhook_delivery *delivery);

/* Sends a delivery that has ended once more, with its id. DB_CONFLICT if it waits, or another of
 * the player's tests or repeats does. */
enum db_status webhook_repeat(struct db *db, const struct id *player, const struct id *webhook,
                              const struct id *id);

/* Whether a test or a repeat is due. */
enum db_status webhook_delivery_due(struct db *db, bool *asked);

/* Takes the test or repeat that has been due for longest; for `lease_ms` it is due to nobody else.
 * DB_NONE if none is due. */
enum db_status webhook_delivery_take(struct db *db, struct arena *arena, unsigned lease_ms,
                                     struct webhook_delivery *delivery);

/* One of a webhook's. DB_NONE. */
enum db_status webhook_delivery_get(struct db *db, struct arena *arena, const struct id *webhook,
                                    const struct id *id, struct webhook_delivery *delivery);

/* A webhook's, newest first, those before `before` ("" = from the newest), at most `limit`, in the
 * arena. */
enum db_status webhook_delivery_list(struct db *db, struct arena *arena, const struct id *webhook,
                                     const struct id *before, size_t limit,
                                     struct webhook_delivery **deliveries, size_t *count);

#endif
