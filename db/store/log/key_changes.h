/* Changes of the server's key (engine/log/key_chain.h). */
#ifndef TILLROLL_DB_STORE_LOG_KEY_CHANGES_H
#define TILLROLL_DB_STORE_LOG_KEY_CHANGES_H

#include "db/link/db.h"

enum { KEY_CHANGES_MAX = 31 /* the number read, from the newest */ };

struct stored_key_change {
    uint8_t old[32], new[32];
    struct span note; /* in the arena */
};

/* Stores the next change, whose document is stored with tlog_document_keep(). DB_CONFLICT if the
 * old key already has a successor, or the new key was used before. */
enum db_status key_change_store(struct db *db, const uint8_t old[static 32],
                                const uint8_t new[static 32], const uint8_t hash[static 32]);

/* Lists the last KEY_CHANGES_MAX changes, oldest first, in the arena. */
enum db_status key_change_list(struct db *db, struct arena *arena,
                               struct stored_key_change **changes, size_t *count);

/* Lists the keys of the last KEY_CHANGES_MAX changes, oldest first, without notes. */
enum db_status key_change_keys(struct db *db, struct arena *arena,
                               struct stored_key_change **changes, size_t *count);

/* Reads whether a key has been replaced by another. */
enum db_status key_change_is_old(struct db *db, const uint8_t key[static 32], bool *old);

#endif
