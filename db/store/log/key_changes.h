/* Changes of the server's key (engine/log/key_chain.h). */
#ifndef TILLROLL_DB_STORE_LOG_KEY_CHANGES_H
#define TILLROLL_DB_STORE_LOG_KEY_CHANGES_H

#include "db/link/db.h"

enum { KEY_CHANGES_MAX = 31 /* the newest ones are read */ };

struct stored_key_change {
    uint8_t old[32], new[32];
    struct span note; /* in the arena */
};

/* Stores the next change, of which the document is kept (tlog_document_keep()). DB_CONFLICT if the
 * old key has a successor already, or the new key was used before. */
enum db_status key_change_store(struct db *db, const uint8_t old[static 32],
                                const uint8_t new[static 32], const uint8_t hash[static 32]);

/* The last KEY_CHANGES_MAX changes, the oldest first, in the arena. */
enum db_status key_change_list(struct db *db, struct arena *arena,
                               struct stored_key_change **changes, size_t *count);

/* The keys of the same, without notes. */
enum db_status key_change_keys(struct db *db, struct arena *arena,
                               struct stored_key_change **changes, size_t *count);

/* Whether a key was replaced by another. */
enum db_status key_change_is_old(struct db *db, const uint8_t key[static 32], bool *old);

#endif
