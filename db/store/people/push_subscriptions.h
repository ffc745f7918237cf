/* Browsers to which players have notices sent by web push (RFC 8030), and the key that identifies
 * this service to push services. */
#ifndef TILLROLL_DB_STORE_PEOPLE_PUSH_SUBSCRIPTIONS_H
#define TILLROLL_DB_STORE_PEOPLE_PUSH_SUBSCRIPTIONS_H

#include "db/link/db.h"

enum { PUSH_SUBSCRIPTIONS_MAX = 10 /* per player */, PUSH_DEVICE_MAX = 100 /* bytes */ };

struct push_subscription {
    struct id id;
    struct id player;
    const char *endpoint;      /* the browser's address at the push service */
    const uint8_t *public_key; /* 65 bytes */
    const uint8_t *auth;       /* 16 bytes */
    const char *device;        /* the owner's name for the browser */
    const char *language;      /* of its test messages: "en" or "de" */
    int64_t since_ms;          /* since 1970 */
    int64_t last_at_ms; /* the last message, 0 for none; may be up to ten minutes too early */
    const char *reason; /* why the last message could not be delivered, a sentence; NULL = it was
                           delivered */
    bool rests;         /* nothing may be sent for now */
    bool noted; /* the last delivery was stored less than ten minutes ago, so another one need not
                   be */
};

/* Stores a subscription, replacing one with the same endpoint, of any player, whose id is put into
 * `id`. DB_CONFLICT if the player has PUSH_SUBSCRIPTIONS_MAX others. */
enum db_status push_subscription_add(struct db *db, struct push_subscription *subscription);

/* Lists a player's subscriptions, oldest first, in the arena. */
enum db_status push_subscription_list(struct db *db, struct arena *arena, const struct id *player,
                                      struct push_subscription **subscriptions, size_t *count);

/* Finds one of a player's subscriptions, in the arena. DB_NONE. */
enum db_status push_subscription_get(struct db *db, struct arena *arena, const struct id *player,
                                     const struct id *id, struct push_subscription *subscription);

/* Finds the existing ones of `ids`, of any player, each once, in the arena, with the data that
 * messages need: without device, language, times and reason. */
enum db_status push_targets_get(struct db *db, struct arena *arena, const struct id *ids,
                                size_t count, struct push_subscription **subscriptions,
                                size_t *found);

/* Deletes a subscription. DB_NONE if the player does not have it. */
enum db_status push_subscription_remove(struct db *db, const struct id *player,
                                        const struct id *id);

/* Deletes all subscriptions of a player. */
enum db_status push_subscriptions_forget(struct db *db, const struct id *player);

/* Stores that messages to these subscriptions have been delivered. */
enum db_status push_subscriptions_delivered(struct db *db, const struct id *ids, size_t count);

/* Stores why a message was not delivered. After a temporary failure (`passes`) nothing is sent for
 * `rest_s` seconds, or, if that is 0, for a time that doubles with each failure, up to an hour. */
enum db_status push_subscription_note(struct db *db, const struct id *id, const char *reason,
                                      bool passes, unsigned rest_s);

/* Requests a test message. DB_NONE if the player does not have this browser. */
enum db_status push_test_add(struct db *db, const struct id *player, const struct id *id);

/* Reads whether a test is due. */
enum db_status push_test_due(struct db *db, bool *due);

/* Takes the test that has been due the longest, in the arena; for `lease_ms` no other sender can
 * take it. DB_NONE if none is due. */
enum db_status push_test_take(struct db *db, struct arena *arena, unsigned lease_ms,
                              struct push_subscription *subscription);

/* Removes the request for a test, which has been tried. */
enum db_status push_test_end(struct db *db, const struct id *id);

/* ---- The key ---- */

/* Reads the sealed key, in the arena. DB_NONE. */
enum db_status push_key_get(struct db *db, struct arena *arena, const uint8_t **sealed,
                            size_t *size);

/* Stores the first key; an existing one is kept. */
enum db_status push_key_add(struct db *db, const uint8_t *sealed, size_t size);

/* Deletes the key, and all subscriptions, which were made for it. */
enum db_status push_key_drop(struct db *db);

#endif
