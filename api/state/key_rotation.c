#include "api/state/key_rotation.h"

#include <sodium.h>
#include <string.h>

#include "db/link/now.h"
#include "db/store/log/key_changes.h"
#include "db/store/log/tlog.h"
#include "engine/log/key_chain.h"

enum { TRIES = 100, PAUSE_MS = 100 };

static bool fail(struct text *error, const char *sentence)
{
    text_add(error, sentence);
    return false;
}

/* Prints the change, signed by both keys. */
static bool print_change(const struct note_key *old_key, const struct keys *old,
                         const struct note_key *new_key, const struct keys *new, struct text *note)
{
    uint8_t by_old[64];
    uint8_t by_new[64];
    key_change_print(old_key, new_key, note);
    keys_sign(old, text_span(note), by_old);
    keys_sign(new, text_span(note), by_new);
    text_add_char(note, '\n');
    note_add_signature(old_key, by_old, note);
    note_add_signature(new_key, by_new, note);
    return !note->overflow;
}

/* A sequencer may hold the lock of the log for a moment, so this tries again. */
static enum db_status lock_log(struct db *db)
{
    enum db_status status = DB_NONE;
    for (unsigned i = 0; i < TRIES && status == DB_NONE; i++) {
        if (i > 0)
            rest_ms(PAUSE_MS);
        status = tlog_lock(db);
    }
    return status;
}

/* A transaction is open. */
static enum db_status store(struct db *db, const struct key_change *change, const char *note)
{
    char bytes[TLOG_LEAF_MAX];
    struct text leaf = TEXT_OVER(bytes);
    tlog_leaf_print(&change->leaf, &leaf);
    enum db_status status = lock_log(db);
    if (status == DB_OK)
        status = tlog_document_keep(db, change->leaf.hash, note);
    if (status == DB_OK)
        status = key_change_store(db, change->old.public, change->new.public, change->leaf.hash);
    return status == DB_OK ? tlog_queue(db, text_span(&leaf)) : status;
}

static bool commit(const char *database, const struct key_change *change, const char *note,
                   struct text *error)
{
    struct db *db = db_open(database, true, error);
    if (db == NULL)
        return false;
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = store(db, change, note);
    if (status == DB_OK)
        status = db_commit(db);
    else
        db_rollback(db);
    db_close(db);
    if (status == DB_OK)
        return true;
    return fail(error, status == DB_CONFLICT ? "This key was replaced already, by another process."
                       : status == DB_UNKNOWN
                           ? "The connection broke while the change was stored. Run the command "
                             "again: it goes on from what was stored."
                           : "The change could not be stored; the old key is still in use.");
}

static bool rotate(const struct key_check *check, const struct keys *old, struct keys *new,
                   struct text *vkey, struct text *error)
{
    char bytes[KEY_CHANGE_MAX];
    struct text note = TEXT_OVER(bytes);
    struct note_key old_key;
    struct note_key new_key;
    struct key_change change;
    struct record_fault fault;
    if (!note_key_make(&old_key, span_of(check->origin), old->signing_public) ||
        !note_key_make(&new_key, span_of(check->origin), new->signing_public) ||
        !print_change(&old_key, old, &new_key, new, &note) ||
        !key_change_read(text_span(&note), &change, &fault))
        return fail(error, "The change could not be made; the old key is still in use.");
    note_key_print(&new_key, vkey);
    return commit(check->database, &change, bytes, error) &&
           keys_take_next(check->directory, error);
}

static bool print_current(const struct key_check *check, const struct keys *keys, struct text *vkey)
{
    struct note_key key;
    if (note_key_make(&key, span_of(check->origin), keys->signing_public))
        note_key_print(&key, vkey);
    return true;
}

bool key_rotation_run(struct key_check *check, struct text *vkey, struct text *error)
{
    struct keys old;
    struct keys new;
    bool done = false;
    if (!key_check_load(check, &old, false, error))
        return false;
    if (!check->known)
        fail(error, "The database does not answer, so the key was not replaced.");
    else if (check->origin[0] == '\0')
        fail(error, "The transparency log has no checkpoint yet: there is nothing that the key has "
                    "signed, and nothing in which its change could be. Start the service first.");
    else if (check->finished)
        done = print_current(check, &old, vkey);
    else
        done =
            keys_make_next(check->directory, &new, error) && rotate(check, &old, &new, vkey, error);
    keys_forget(&new);
    keys_forget(&old);
    return done;
}
