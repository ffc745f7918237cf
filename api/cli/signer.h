/* A player's signing key in a file of its own: 64 hex digits, the seed of an Ed25519 key (RFC 8032,
 * 5.1.5), and a line feed; only its owner may read it. */
#ifndef TILLROLL_API_CLI_SIGNER_H
#define TILLROLL_API_CLI_SIGNER_H

#include "engine/record/keyring.h"

enum { SIGNER_HEX = 2 * KEYRING_SIGNATURE + 1 };

struct drop_box; /* api/cli/bots/drop_box.h */

struct signer {
    uint8_t public_key[KEYRING_KEY];
    uint8_t secret_key[64];
    struct drop_box *box; /* receives moves that a service does not take; NULL at first */
};

/* Creates a key and its file, which must not exist. False with a message. */
bool signer_make(const char *path, struct signer *signer);

/* Reads a key. False with a message. */
bool signer_read(const char *path, struct signer *signer);

/* Wipes the key. */
void signer_forget(struct signer *signer);

/* Writes the signature of a text, in hex with a NUL. */
void signer_sign(const struct signer *signer, struct span message, char hex[static SIGNER_HEX]);

/* Writes the signature of an official's act (engine/tournament/event/official.h), and shows the act
 * on standard error. False with a message if the text is not of that kind. `context` is the
 * signer. */
bool signer_sign_official(void *context, const char *text, char hex[static SIGNER_HEX]);

/* Writes the signature of a move (engine/record/signature.h). */
void signer_sign_move(const struct signer *signer, const char *game_id,
                      const uint8_t head[static 32], unsigned seat, struct span move,
                      char hex[static SIGNER_HEX]);

/* Writes the signature of a seat's entropy for a game with this commitment
 * (engine/record/signature.h). */
void signer_sign_entropy(const struct signer *signer, const struct record_header *header,
                         unsigned seat, char hex[static SIGNER_HEX]);

#endif
