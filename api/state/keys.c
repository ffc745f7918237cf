#include "api/state/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/link/schema.h"
#include "db/store/log/key_changes.h"
#include "db/store/log/tlog.h"
#include "db/store/service/secrets.h"
#include "engine/log/note.h"

static const char signing_name[] = "signing.key";
static const char sealing_name[] = "sealing.key";
static const char next_name[] = "signing.key.next";

static bool fail(struct text *error, const char *path, const char *what)
{
    text_add_all(error, path, ": ", what);
    return false;
}

/* Reads exactly `size` bytes. */
static bool read_key(int file, uint8_t *key, size_t size)
{
    uint8_t more;
    return read(file, key, size) == (ssize_t)size && read(file, &more, 1) == 0;
}

/* Creates a key file under a temporary name and links it into place, so that a crash leaves either
 * no key or a whole one, and two servers that start together use the same one. */
static bool make_key(const char *path, uint8_t *key, size_t size, struct text *error)
{
    char temporary[4096 + 32];
    struct text name = TEXT_OVER(temporary);
    text_add(&name, path);
    text_add(&name, ".new-");
    text_add_number(&name, getpid());
    int file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return fail(error, temporary, strerror(errno));
    bool written = write(file, key, size) == (ssize_t)size && fsync(file) == 0;
    close(file);
    if (!written || (link(temporary, path) != 0 && errno != EEXIST)) {
        unlink(temporary);
        return fail(error, path, strerror(errno));
    }
    unlink(temporary);
    return true;
}

/* A service manager may pass on a key file that belongs to root and is readable for the service by
 * an access list, whose mask then replaces the rights of the group. */
static bool is_private(const struct stat *status)
{
    bool handed_over = status->st_uid == 0 && getuid() != 0;
    return (status->st_mode & (handed_over ? 037 : 077)) == 0;
}

static bool add_path(struct text *path, const char *directory, const char *name)
{
    text_add_all(path, directory, "/", name);
    return !path->overflow;
}

/* Reads the key at directory/name; creates it from `fresh` (NULL = the file must exist) if it is
 * missing. */
static bool load_key(const char *directory, const char *name, const uint8_t *fresh, uint8_t *key,
                     size_t size, struct text *error)
{
    char path[4096];
    struct text text = TEXT_OVER(path);
    if (!add_path(&text, directory, name))
        return fail(error, directory, "the path is too long");
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT && fresh != NULL) {
        memcpy(key, fresh, size);
        if (!make_key(path, key, size, error))
            return false;
        file = open(path, O_RDONLY | O_CLOEXEC);
    }
    if (file < 0)
        return fail(error, path, strerror(errno));
    struct stat status;
    bool private = fstat(file, &status) == 0 && is_private(&status);
    bool whole = private && read_key(file, key, size);
    close(file);
    if (!private)
        return fail(error, path, "other users may read this key; run chmod 600 on it");
    return whole || fail(error, path, "this is no key of the right size");
}

bool keys_load(struct keys *keys, const char *directory, struct text *error)
{
    uint8_t public[crypto_sign_PUBLICKEYBYTES];
    uint8_t secret[crypto_sign_SECRETKEYBYTES];
    uint8_t sealing[crypto_secretbox_KEYBYTES];
    if (mkdir(directory, 0700) != 0 && errno != EEXIST)
        return fail(error, directory, strerror(errno));
    crypto_sign_keypair(public, secret);
    crypto_secretbox_keygen(sealing);
    bool loaded =
        load_key(directory, signing_name, secret, keys->signing_secret, sizeof secret, error) &&
        load_key(directory, sealing_name, sealing, keys->sealing, sizeof sealing, error);
    crypto_sign_ed25519_sk_to_pk(keys->signing_public, keys->signing_secret);
    sodium_memzero(secret, sizeof secret);
    sodium_memzero(sealing, sizeof sealing);
    return loaded;
}

/* Reads the keys; a missing one is an error. */
static bool keys_check(struct keys *keys, const char *directory, struct text *error)
{
    bool loaded =
        load_key(directory, signing_name, NULL, keys->signing_secret, sizeof keys->signing_secret,
                 error) &&
        load_key(directory, sealing_name, NULL, keys->sealing, sizeof keys->sealing, error);
    crypto_sign_ed25519_sk_to_pk(keys->signing_public, keys->signing_secret);
    return loaded;
}

bool keys_make_next(const char *directory, struct keys *next, struct text *error)
{
    uint8_t public[crypto_sign_PUBLICKEYBYTES];
    uint8_t secret[crypto_sign_SECRETKEYBYTES];
    crypto_sign_keypair(public, secret);
    bool loaded =
        load_key(directory, next_name, secret, next->signing_secret, sizeof secret, error);
    crypto_sign_ed25519_sk_to_pk(next->signing_public, next->signing_secret);
    sodium_memzero(secret, sizeof secret);
    return loaded;
}

static bool sync_directory(const char *directory)
{
    int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool synced = file >= 0 && fsync(file) == 0;
    if (file >= 0)
        close(file);
    return synced;
}

bool keys_take_next(const char *directory, struct text *error)
{
    char from[4096];
    char to[4096];
    struct text from_text = TEXT_OVER(from);
    struct text to_text = TEXT_OVER(to);
    return (add_path(&from_text, directory, next_name) &&
            add_path(&to_text, directory, signing_name) && rename(from, to) == 0 &&
            sync_directory(directory)) ||
           fail(error, directory, strerror(errno));
}

static bool is_missing(const char *directory, const char *name)
{
    char path[4096];
    struct text text = TEXT_OVER(path);
    return add_path(&text, directory, name) && access(path, F_OK) != 0 && errno == ENOENT;
}

/* True if one of the keys is missing in the directory. */
static bool keys_are_missing(const char *directory)
{
    return is_missing(directory, signing_name) || is_missing(directory, sealing_name);
}

void keys_id(const struct keys *keys, char id[static KEYS_ID])
{
    uint8_t both[sizeof keys->signing_public + 32];
    uint8_t hash[32];
    memcpy(both, keys->signing_public, sizeof keys->signing_public);
    crypto_generichash(both + sizeof keys->signing_public, 32, keys->sealing, sizeof keys->sealing,
                       NULL, 0);
    crypto_generichash(hash, sizeof hash, both, sizeof both, NULL, 0);
    struct text text = {id, 0, KEYS_ID, false};
    text_add_hex(&text, hash, 8);
}

void keys_forget(struct keys *keys)
{
    sodium_memzero(keys, sizeof *keys);
}

void keys_seal(const struct keys *keys, const uint8_t *plain, size_t size, uint8_t *sealed)
{
    randombytes_buf(sealed, crypto_secretbox_NONCEBYTES);
    crypto_secretbox_easy(sealed + crypto_secretbox_NONCEBYTES, plain, size, sealed, keys->sealing);
}

bool keys_open(const struct keys *keys, const uint8_t *sealed, size_t sealed_size, uint8_t *plain,
               size_t size)
{
    return sealed_size == size + KEYS_SEAL_BYTES &&
           crypto_secretbox_open_easy(plain, sealed + crypto_secretbox_NONCEBYTES,
                                      sealed_size - crypto_secretbox_NONCEBYTES, sealed,
                                      keys->sealing) == 0;
}

void keys_tag(const struct keys *keys, const char *purpose, struct span message, uint8_t *tag,
              size_t size)
{
    uint8_t own[32];
    crypto_generichash(own, sizeof own, (const uint8_t *)purpose, strlen(purpose), keys->sealing,
                       sizeof keys->sealing);
    crypto_generichash(tag, size, (const uint8_t *)message.at, message.length, own, sizeof own);
    sodium_memzero(own, sizeof own);
}

void keys_sign(const struct keys *keys, struct span message, uint8_t signature[static 64])
{
    crypto_sign_detached(signature, NULL, (const unsigned char *)message.at, message.length,
                         keys->signing_secret);
}

void keys_public_id(const uint8_t public[static 32], char id[static 17])
{
    uint8_t hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, public, 32);
    struct text text = {id, 0, 17, false};
    text_add_hex(&text, hash, 8);
}

void keys_signing_id(const struct keys *keys, char id[static 17])
{
    keys_public_id(keys->signing_public, id);
}

/* ---- Keys that the database was used with ---- */

/* The evidence of keys in a database. */
struct traces {
    struct arena arena;
    bool known; /* the database has answered */
    struct span *sealed;
    size_t sealed_count;
    bool has_log;
    struct note note; /* the newest checkpoint's note */
    struct checkpoint checkpoint;
    struct stored_key_change *changes; /* changes of the signing key, the oldest first */
    size_t change_count;
};

/* ---- Querying the database ---- */

static bool read_checkpoint(struct db *db, struct traces *traces)
{
    struct span note;
    enum db_status status = tlog_note_last(db, &traces->arena, &note);
    traces->has_log = status == DB_OK && note_read(note, &traces->note) &&
                      checkpoint_read(traces->note.text, &traces->checkpoint);
    return status == DB_OK || status == DB_NONE;
}

/* A database that lacks migrations has no changes; the start reports the missing migrations
 * later. */
static bool read_changes(struct db *db, bool fits, struct traces *traces)
{
    enum schema_fit fit = SCHEMA_GOOD;
    enum db_status status = fits ? DB_OK : schema_fits(db, &fit);
    if (status == DB_OK && fit != SCHEMA_OLD)
        status = key_change_keys(db, &traces->arena, &traces->changes, &traces->change_count);
    return status == DB_OK;
}

static bool query_traces(struct db *db, bool fits, struct traces *traces)
{
    bool made = fits;
    return (fits || schema_is_made(db, &made) == DB_OK) &&
           (!made ||
            (secrets_newest(db, &traces->arena, &traces->sealed, &traces->sealed_count) == DB_OK &&
             read_checkpoint(db, traces) && read_changes(db, fits, traces)));
}

static void read_traces(const struct key_check *check, struct traces *traces)
{
    char unused[512];
    struct text why = TEXT_OVER(unused);
    struct db *db = check->db != NULL ? check->db : db_open(check->database, true, &why);
    bool fits = db == check->db && check->fits;
    traces->known =
        db != NULL && (fits || db_begin(db, true) == DB_OK) && query_traces(db, fits, traces);
    if (traces->known)
        (void)db_commit(db); /* the transaction has only read, so the result does not matter */
    else if (db != NULL)
        db_rollback(db);
    if (check->db == NULL)
        db_close(db);
}

/* ---- Comparing ---- */

static bool has_signed(const struct traces *traces, const uint8_t public[static 32])
{
    struct note_key key;
    return note_key_make(&key, traces->checkpoint.origin, public) &&
           note_verify(&traces->note, &key) == NOTE_SIGNED;
}

/* NULL if there was no change. */
static const struct stored_key_change *last_change(const struct traces *traces)
{
    return traces->change_count == 0 ? NULL : &traces->changes[traces->change_count - 1];
}

static bool is_same(const uint8_t one[static 32], const uint8_t other[static 32])
{
    return memcmp(one, other, 32) == 0;
}

/* A new key may not have signed anything yet: then its predecessor has, or the one before that. */
static bool is_signed_by(const struct traces *traces, const struct keys *keys)
{
    const uint8_t *key = keys->signing_public;
    if (!traces->has_log || has_signed(traces, key))
        return true;
    for (size_t i = traces->change_count; i-- > 0 && is_same(traces->changes[i].new, key);) {
        key = traces->changes[i].old;
        if (has_signed(traces, key))
            return true;
    }
    return false;
}

/* True if a change was stored, but the new key has not yet replaced the old one. */
static bool is_interrupted(const struct key_check *check, const struct traces *traces,
                           const struct keys *keys)
{
    const struct stored_key_change *last = last_change(traces);
    char unused[4200];
    struct text why = TEXT_OVER(unused);
    uint8_t secret[crypto_sign_SECRETKEYBYTES];
    uint8_t public[32];
    bool is = last != NULL && is_same(last->old, keys->signing_public) &&
              load_key(check->directory, next_name, NULL, secret, sizeof secret, &why) &&
              crypto_sign_ed25519_sk_to_pk(public, secret) == 0 && is_same(last->new, public);
    sodium_memzero(secret, sizeof secret);
    return is;
}

static bool finish_change(struct key_check *check, const struct traces *traces, struct keys *keys,
                          struct text *error)
{
    if (!is_interrupted(check, traces, keys))
        return true;
    check->finished = true;
    return keys_take_next(check->directory, error) && keys_check(keys, check->directory, error);
}

/* One secret that opens is enough: others may be sealed with keys that were replaced. */
static bool is_sealed_by(const struct traces *traces, const struct keys *keys)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    bool opens = traces->sealed_count == 0;
    for (size_t i = 0; i < traces->sealed_count && !opens; i++)
        opens = keys_open(keys, (const uint8_t *)traces->sealed[i].at, traces->sealed[i].length,
                          secret, sizeof secret);
    sodium_memzero(secret, sizeof secret);
    return opens;
}

static void set_results(const struct traces *traces, struct key_check *check)
{
    struct span origin = traces->checkpoint.origin;
    check->known = traces->known;
    if (traces->has_log && origin.length <= NOTE_NAME_MAX)
        snprintf(check->origin, sizeof check->origin, "%.*s", (int)origin.length, origin.at);
    check->old_count = 0;
    for (size_t i = traces->change_count; i-- > 0;)
        memcpy(check->old[check->old_count++], traces->changes[i].old, 32);
}

/* ---- Error sentences ---- */

static bool fail_check(struct text *error, const char *directory, const char *const *sentences)
{
    text_add(error, directory);
    for (; *sentences != NULL; sentences++)
        text_add(error, *sentences);
    return false;
}

#define LOST                                                                                       \
    " Running games and open events cannot continue without their sealing key, and receipts and"   \
    " the transparency log need the signing key. Restore the keys from a backup, or configure the" \
    " database that they belong to."

static bool fail_missing(const struct key_check *check, bool known, struct text *error)
{
    static const char *const used[] = {
        ": a key is missing (signing.key or sealing.key), but this database has been used with"
        " keys." LOST,
        " If they are permanently lost, tillrolld --make-keys creates the missing ones, and the"
        " next start says how to continue with them.",
        NULL};
    static const char *const unknown[] = {
        ": a key is missing (signing.key or sealing.key), and the database does not answer, so it"
        " is not known whether it has been used with keys; start it, or run tillroll migrate.",
        NULL};
    return fail_check(error, check->directory, known ? used : unknown);
}

static bool fail_other(const struct key_check *check, const char *id, bool signing, bool sealing,
                       struct text *error)
{
    const char *what = signing && sealing ? "signing.key and sealing.key are"
                       : signing          ? "signing.key is"
                                          : "sealing.key is";
    const char *const sentences[] = {
        ": ",
        what,
        " not what this database has been used with." LOST
        " If those are permanently lost, --new-keys ",
        id,
        " (TILLROLL_NEW_KEYS) continues with these; what was sealed before stays sealed.",
        NULL};
    return fail_check(error, check->directory, sentences);
}

/* The change may have been interrupted where its new key is not visible: a service manager passes
 * on only the files that it knows. */
static bool fail_replaced(const struct key_check *check, struct text *error)
{
    static const char *const sentences[] = {
        ": signing.key has been replaced, and signs nothing more. Use the new one; if"
        " tillrolld --rotate-key was interrupted, run it again with the directory of the keys,"
        " which ends the change.",
        NULL};
    return fail_check(error, check->directory, sentences);
}

/* ---- The check ---- */

static bool compare(const struct key_check *check, const struct traces *traces,
                    const struct keys *keys, struct text *error)
{
    char id[KEYS_ID];
    const struct stored_key_change *last = last_change(traces);
    if (last != NULL && is_same(last->old, keys->signing_public))
        return fail_replaced(check, error);
    bool signing = !is_signed_by(traces, keys);
    bool sealing = !is_sealed_by(traces, keys);
    keys_id(keys, id);
    return (!signing && !sealing) ||
           (check->new_keys != NULL && strcmp(check->new_keys, id) == 0) ||
           fail_other(check, id, signing, sealing, error);
}

bool key_check_load(struct key_check *check, struct keys *keys, bool make, struct text *error)
{
    struct traces traces = {.known = false};
    read_traces(check, &traces);
    bool used = traces.known && (traces.has_log || traces.sealed_count > 0);
    bool good;
    if (keys_are_missing(check->directory) && (used || (make && !traces.known)))
        good = fail_missing(check, traces.known, error);
    else
        good = (make ? keys_load : keys_check)(keys, check->directory, error) &&
               (!traces.known || (finish_change(check, &traces, keys, error) &&
                                  compare(check, &traces, keys, error)));
    set_results(&traces, check);
    arena_free(&traces.arena);
    return good;
}

bool key_check_again(struct key_check *check, const struct keys *keys, struct text *error)
{
    struct traces traces = {.known = false};
    read_traces(check, &traces);
    bool good = !traces.known || compare(check, &traces, keys, error);
    set_results(&traces, check);
    arena_free(&traces.arena);
    return good;
}
