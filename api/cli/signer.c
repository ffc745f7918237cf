#include "api/cli/signer.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/cli/cli.h"
#include "engine/record/signature.h"

enum { SEED_TEXT = 2 * crypto_sign_SEEDBYTES + 1 /* with the line feed */ };

static void take_seed(struct signer *signer, const uint8_t seed[static crypto_sign_SEEDBYTES])
{
    signer->box = NULL;
    crypto_sign_seed_keypair(signer->public_key, signer->secret_key, seed);
}

static bool write_seed(const char *path, const uint8_t seed[static crypto_sign_SEEDBYTES])
{
    char bytes[SEED_TEXT + 1];
    struct text text = TEXT_OVER(bytes);
    text_add_hex(&text, seed, crypto_sign_SEEDBYTES);
    text_add_char(&text, '\n');
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool written =
        file >= 0 && write(file, bytes, text.length) == (ssize_t)text.length && fsync(file) == 0;
    int error = errno;
    sodium_memzero(bytes, sizeof bytes);
    if (file >= 0 && close(file) != 0)
        written = false;
    return written || cli_fail(path, error == EEXIST ? "there is a file already; it was not changed"
                                                     : strerror(error));
}

bool signer_make(const char *path, struct signer *signer)
{
    uint8_t seed[crypto_sign_SEEDBYTES];
    randombytes_buf(seed, sizeof seed);
    bool made = write_seed(path, seed);
    if (made)
        take_seed(signer, seed);
    sodium_memzero(seed, sizeof seed);
    return made;
}

bool signer_read(const char *path, struct signer *signer)
{
    uint8_t seed[crypto_sign_SEEDBYTES];
    struct stat status;
    size_t length;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & 077) != 0)
        return cli_fail(path, "other users may read this key; run chmod 600 on it");
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return false;
    bool read = length == SEED_TEXT && bytes[length - 1] == '\n' &&
                span_hex((struct span){bytes, length - 1}, seed, sizeof seed);
    sodium_memzero(bytes, length);
    free(bytes);
    if (!read)
        return cli_fail(path, "this is not a signing key; `tillroll key new` creates one");
    take_seed(signer, seed);
    sodium_memzero(seed, sizeof seed);
    return true;
}

void signer_forget(struct signer *signer)
{
    sodium_memzero(signer, sizeof *signer);
}

void signer_sign(const struct signer *signer, struct span message, char hex[static SIGNER_HEX])
{
    uint8_t signature[KEYRING_SIGNATURE];
    struct text text = {hex, 0, SIGNER_HEX, false};
    crypto_sign_detached(signature, NULL, (const unsigned char *)message.at, message.length,
                         signer->secret_key);
    text_add_hex(&text, signature, sizeof signature);
}

/* Head and player say nothing to a person, so they are not shown. Acts in a game have no detail in
 * JSON. */
static void show_official(const char *text)
{
    struct span rest = span_of(text), line, id = {NULL, 0}, kind = {NULL, 0}, detail = {NULL, 0};
    for (unsigned i = 0; span_line(&rest, &line); i++) {
        id = i == 1 ? line : id;
        kind = i == 4 ? line : kind;
        detail = i == 5 ? line : detail;
    }
    fprintf(stderr, "signing for %s %.*s: %.*s %.*s\n",
            detail.length > 0 && detail.at[0] == '{' ? "event" : "game", (int)id.length, id.at,
            (int)kind.length, kind.at, (int)detail.length, detail.at);
}

bool signer_sign_official(void *context, const char *text, char hex[static SIGNER_HEX])
{
    static const char first[] = "tillroll official\n";
    for (const char *at = text; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' && *at != '\n')
            return cli_fail("Tillroll-Signature",
                            "the service asks for a signature of control bytes");
    if (strncmp(text, first, sizeof first - 1) != 0)
        return cli_fail("Tillroll-Signature",
                        "the service asks for a signature of something that no official signs");
    show_official(text);
    signer_sign(context, span_of(text), hex);
    return true;
}

void signer_sign_move(const struct signer *signer, const char *game_id,
                      const uint8_t head[static 32], unsigned seat, struct span move,
                      char hex[static SIGNER_HEX])
{
    char bytes[SIGNATURE_MESSAGE_MAX + RECORD_LINE_MAX];
    struct text message = TEXT_OVER(bytes);
    signature_message(game_id, head, seat, move, &message);
    signer_sign(signer, text_span(&message), hex);
}

void signer_sign_entropy(const struct signer *signer, const struct record_header *header,
                         unsigned seat, char hex[static SIGNER_HEX])
{
    char bytes[SIGNATURE_MESSAGE_MAX];
    struct text message = TEXT_OVER(bytes);
    signature_entropy_message(header, seat, &message);
    signer_sign(signer, text_span(&message), hex);
}
