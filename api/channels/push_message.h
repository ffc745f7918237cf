/* Messages of web push: encrypted for one browser (RFC 8291, with RFC 8188's aes128gcm), and the
 * header that identifies the sender to the push service (RFC 8292, ES256). P-256 and AES are
 * OpenSSL's. Thread-safe. */
#ifndef TILLROLL_API_CHANNELS_PUSH_MESSAGE_H
#define TILLROLL_API_CHANNELS_PUSH_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/text.h"

enum {
    PUSH_PUBLIC = 65, /* an uncompressed point */
    PUSH_PRIVATE = 32,
    PUSH_AUTH = 16,
    PUSH_SALT = 16,
    PUSH_HEADER = PUSH_SALT + 4 + 1 + PUSH_PUBLIC,
    PUSH_MESSAGE_MAX = 4096, /* every push service accepts this size (RFC 8030 section 7.2) */
    PUSH_PLAIN_MAX = PUSH_MESSAGE_MAX - PUSH_HEADER - 1 - 16
};

/* A pair of keys. */
struct push_key {
    uint8_t public[PUSH_PUBLIC];
    uint8_t private[PUSH_PRIVATE];
};

/* Creates a new pair. False if the system has no randomness or memory. */
bool push_key_make(struct push_key *key);

/* True if these bytes are a point of P-256 other than infinity. */
bool push_public_good(const uint8_t bytes[static PUSH_PUBLIC]);

/* The keys for which a message is encrypted. */
struct push_recipient {
    uint8_t public[PUSH_PUBLIC]; /* the browser's, `p256dh` */
    uint8_t auth[PUSH_AUTH];     /* shared with the browser, `auth` */
};

/* Encrypts up to PUSH_PLAIN_MAX bytes, padded with zeros behind their delimiter to at least
 * `padded` bytes (at most PUSH_PLAIN_MAX), so that lengths reveal little. `once` is a pair of keys
 * (NULL = create one) and `salt` random bytes; neither may be used for another message. Sets `size`
 * to the message's bytes. False if the text is too long or the recipient's key is not a point. */
bool push_encrypt(const struct push_recipient *recipient, const struct push_key *once,
                  const uint8_t salt[static PUSH_SALT], struct span plain, size_t padded,
                  uint8_t message[static PUSH_MESSAGE_MAX], size_t *size);

/* Appends the value of the header Authorization, `vapid t=<token>, k=<public key>`, for messages to
 * the push service of `endpoint` until `expires_s`, seconds since 1970, at most 24 hours from now.
 * `contact` is an https: or mailto: address of the operators, or NULL. False if a text is too long
 * or signing fails. */
bool push_authorization(const struct push_key *key, const char *endpoint, const char *contact,
                        int64_t expires_s, struct text *value);

#endif
