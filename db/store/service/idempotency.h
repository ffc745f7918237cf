/* Answers stored for retries: a request with an Idempotency-Key is carried out once, and a
 * repetition of the same request gets the first answer. The answer is stored in the transaction
 * that does the work, so both happen or neither does. */
#ifndef TILLROLL_DB_STORE_SERVICE_IDEMPOTENCY_H
#define TILLROLL_DB_STORE_SERVICE_IDEMPOTENCY_H

#include "db/link/db.h"

struct kept_answer {
    uint8_t
        request_hash[32]; /* of method, path and body: a different request may not reuse the key */
    int status;
    const char *body;
};

/* Finds the answer stored under (player, key), in the arena. DB_NONE if there is none. Locks the
 * key until the end of the transaction, so that of two equal simultaneous requests the second
 * waits. */
enum db_status idempotency_find(struct db *db, struct arena *arena, const struct id *player,
                                const char *key, struct kept_answer *answer);

/* Stores the answer under (player, key), in the transaction in which idempotency_find() returned
 * DB_NONE. */
enum db_status idempotency_keep(struct db *db, const struct id *player, const char *key,
                                int64_t now_ms, const struct kept_answer *answer);

#endif
