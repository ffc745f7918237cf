#include "api/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(struct text *error, const char *path, const char *what)
{
    text_add(error, path);
    text_add(error, ": ");
    text_add(error, what);
    return false;
}

/* Reads exactly `size` bytes. */
static bool read_key(int file, uint8_t *key, size_t size)
{
    uint8_t more;
    return read(file, key, size) == (ssize_t)size && read(file, &more, 1) == 0;
}

/* Makes a key file under a temporary name and links it into place, so that a crash leaves either no
 * key or a whole one, and two servers that start together agree on one. */
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

/* A service manager may hand a key over as root's, readable for us by an access list, whose mask
 * then stands where the rights of the group do. */
static bool is_private(const struct stat *status)
{
    bool handed_over = status->st_uid == 0 && getuid() != 0;
    return (status->st_mode & (handed_over ? 037 : 077)) == 0;
}

/* Reads the key at directory/name; makes it from `fresh` (NULL = it must be there) if it is
 * missing. */
static bool load_key(const char *directory, const char *name, const uint8_t *fresh, uint8_t *key,
                     size_t size, struct text *error)
{
    char path[4096];
    struct text text = TEXT_OVER(path);
    text_add(&text, directory);
    text_add_char(&text, '/');
    text_add(&text, name);
    if (text.overflow)
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
        return fail(error, path, "others may read this key; chmod it to 0600");
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
        load_key(directory, "signing.key", secret, keys->signing_secret, sizeof secret, error) &&
        load_key(directory, "sealing.key", sealing, keys->sealing, sizeof sealing, error);
    crypto_sign_ed25519_sk_to_pk(keys->signing_public, keys->signing_secret);
    sodium_memzero(secret, sizeof secret);
    sodium_memzero(sealing, sizeof sealing);
    return loaded;
}

bool keys_check(struct keys *keys, const char *directory, struct text *error)
{
    bool loaded =
        load_key(directory, "signing.key", NULL, keys->signing_secret, sizeof keys->signing_secret,
                 error) &&
        load_key(directory, "sealing.key", NULL, keys->sealing, sizeof keys->sealing, error);
    crypto_sign_ed25519_sk_to_pk(keys->signing_public, keys->signing_secret);
    return loaded;
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

void keys_sign(const struct keys *keys, struct span message, uint8_t signature[static 64])
{
    crypto_sign_detached(signature, NULL, (const unsigned char *)message.at, message.length,
                         keys->signing_secret);
}

void keys_signing_id(const struct keys *keys, char id[static 17])
{
    uint8_t hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, keys->signing_public, sizeof keys->signing_public);
    struct text text = {id, 0, 17, false};
    text_add_hex(&text, hash, 8);
}
