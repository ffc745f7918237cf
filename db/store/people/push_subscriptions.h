/* Browsers that players have notices sent to by web push (RFC 8030), and the key by which push
 * services know this service. */
#ifndef TILLROLL_DB_STORE_PEOPLE_PUSH_SUBSCRIPTIONS_H
#define TILLROLL_DB_STORE_PEOPLE_PUSH_SUBSCRIPTIONS_H

#include "db/link/db.h"

enum { PUSH_SUBSCRIPTIONS_MAX = 10 /* of a player */, PUSH_DEVICE_MAX = 100 /* bytes */ };

struct push_subscription {
    struct id id;
    struct id player;
    const char *endpoint;      /* its address at the push service */
    const uint8_t *public_key; /* 65 bytes */
    const uint8_t *auth;       /* 16 bytes */
    const char *device;        /* what its owner knows the browser by */
    const char *language;      /* "en" or "de": of its tests */
    int64_t since_ms;          /* since 1970 */
    int64_t last_at_ms;        /* the last message, 0 for none; up to ten minutes early */
    const char *reason;        /* why that could not be delivered, a sentence; NULL = it was */
    bool rests;                /* nothing is to be sent now */
    bool noted;                /* the last was delivered, less than ten minutes ago: that the next
                                * was, too, need not be noted */
};

/* Stores it, in place of one with the same endpoint, whosoever that was. `id` becomes that one's.
 * DB_CONFLICT if the player has PUSH_SUBSCRIPTIONS_MAX others. */
enum db_status push_subscription_add(struct db *db, struct push_subscription *subscription);

/* A player's, oldest first, in the arena. */
enum db_status push_subscription_list(struct db *db, struct arena *arena, const struct id *player,
                                      struct push_subscription **subscriptions, size_t *count);

/* One of a player's. DB_NONE. */
enum db_status push_subscription_get(struct db *db, struct arena *arena, const struct id *player,
                                     const struct id *id, struct push_subscription *subscription);

/* What messages to those of `ids` need that there are, whosoever they are, each once, in the arena:
 * without device, language, times and reason. */
enum db_status push_targets_get(struct db *db, struct arena *arena, const struct id *ids,
                                size_t count, struct push_subscription **subscriptions,
                                size_t *found);

/* DB_NONE if the player has no such one. */
enum db_status push_subscription_remove(struct db *db, const struct id *player,
                                        const struct id *id);

/* All of a player. */
enum db_status push_subscriptions_forget(struct db *db, const struct id *player);

/* Messages to these have been delivered. */
enum db_status push_subscriptions_delivered(struct db *db, const struct id *ids, size_t count);

/* Why a message has not been delivered. After a failure that may pass (`passes`), nothing is sent
 * for `rest_s` seconds, or, if that is 0, for a time that doubles with each failure, up to an hour.
 */
enum db_status push_subscription_note(struct db *db, const struct id *id, const char *reason,
                                      bool passes, unsigned rest_s);

/* A test is to be sent. DB_NONE if the player has no such browser. */
enum db_status push_test_add(struct db *db, const struct id *player, const struct id *id);

/* Whether a test is due. */
enum db_status push_test_due(struct db *db, bool *due);

/* Takes the test that has been due for longest; for `lease_ms` it is due to nobody else. DB_NONE if
 * none is due. */
enum db_status push_test_take(struct db *db, struct arena *arena, unsigned lease_ms,
                              struct push_subscription *subscription);

/* It has been tried. */
enum db_status push_test_end(struct db *db, const struct id *id);

/* ---- The key ---- */

/* As it is stored, sealed, in the arena. DB_NONE. */
enum db_status push_key_get(struct db *db, struct arena *arena, const uint8_t **sealed,
                            size_t *size);

/* Stores the first one; keeps another that is there already. */
enum db_status push_key_add(struct db *db, const uint8_t *sealed, size_t size);

/* Deletes it, and all subscriptions, which were made for it. */
enum db_status push_key_drop(struct db *db);

#endif
