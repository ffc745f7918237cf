/* A player's signing keys, derived from the steps of their history: which key was in use at what
 * time, and when it was revoked. A key is public, and so is its history; each step is a leaf of the
 * transparency log (engine/log/tlog.h), so showing anyone a false key or a false history can be
 * detected.
 *
 * At most one key is in use: the last one registered, unless it is revoked. Games that begin while
 * it is in use name it in their records. Registering another key while one is in use needs the
 * signatures of both; the previous key is replaced, and stays valid for the games that name it. A
 * revoked key is invalid from that step on; earlier signatures stay valid.
 *
 * A step is a line, `<number> <ms since 1970> <kind> ..`:
 *
 *      registered <key> <proof> <endorsement or ->   32, 64 and 64 bytes in hex
 *      revoked <key>
 *      required                                      moves of a seat with a key are signed ones
 *      optional                                      they need not be; the initial state
 *
 * The proof is the new key's signature of the message below, the endorsement that of the key in
 * use; `-` stands for none:
 *
 *      "tillroll key" LF player LF hex(key) LF hex(key in use) or "-" LF
 */
#ifndef TILLROLL_ENGINE_RECORD_KEYRING_H
#define TILLROLL_ENGINE_RECORD_KEYRING_H

#include "engine/game/game.h"
#include "engine/record/record.h"

enum {
    KEYRING_KEY = 32,          /* bytes of a public key */
    KEYRING_SIGNATURE = 64,    /* bytes of a signature */
    KEYRING_KEYS_MAX = 32,     /* keys of one player, past ones included */
    KEYRING_STEPS_MAX = 256,   /* steps in one player's history */
    KEYRING_LINE_MAX = 384,    /* bytes of a line, with the NUL of a text */
    KEYRING_MESSAGE_MAX = 224, /* bytes of a signed message, with the NUL of a text */
};

enum keyring_kind {
    KEYRING_REGISTERED,
    KEYRING_REVOKED,
    KEYRING_REQUIRED,
    KEYRING_OPTIONAL,
    KEYRING_KINDS
};

struct keyring_step {
    uint32_t number; /* from 1, without gaps */
    int64_t at_ms;   /* since 1970; never less than in the step before */
    enum keyring_kind kind;
    uint8_t key[KEYRING_KEY]; /* the key registered or revoked */
    uint8_t proof[KEYRING_SIGNATURE];
    bool endorsed;
    uint8_t endorsement[KEYRING_SIGNATURE];
};

struct keyring_key {
    uint8_t key[KEYRING_KEY];
    int64_t registered_ms;
    int64_t replaced_ms, revoked_ms; /* 0 = not yet */
};

struct keyring {
    char player[RECORD_ID_LENGTH + 1];
    uint32_t steps;
    int64_t last_ms; /* time of the last step */
    bool required;
    unsigned keys;
    struct keyring_key key[KEYRING_KEYS_MAX]; /* in the order of registration */
};

/* Refusal codes, stable. */
#define KEYRING_REFUSAL_STEP  "bad-key-step" /* out of order, or without effect */
#define KEYRING_REFUSAL_KNOWN "key-known"    /* the key was registered before */
#define KEYRING_REFUSAL_IN_USE                                                                     \
    "key-in-use" /* another key is in use, and has not signed the new one */
#define KEYRING_REFUSAL_NONE    "no-key-in-use" /* no key is in use that could endorse the new one */
#define KEYRING_REFUSAL_REVOKED "key-revoked"   /* already revoked, or never registered */
#define KEYRING_REFUSAL_MANY    "too-many-keys"

/* The ring of the player with this id, without keys. */
void keyring_init(struct keyring *ring, const char *player);

/* Applies the next step. False: refused, and the ring is unchanged. Does not check signatures;
 * keyring_is_signed() does. Pure. */
bool keyring_apply(struct keyring *ring, const struct keyring_step *step, struct refusal *refusal);

/* The key in use, or NULL. Borrowed from the ring. */
const struct keyring_key *keyring_in_use(const struct keyring *ring);

/* A key that the player has or had, or NULL. Borrowed from the ring. */
const struct keyring_key *keyring_find(const struct keyring *ring,
                                       const uint8_t key[static KEYRING_KEY]);

/* True if the signatures of `step`, the next one for `ring`, are valid. Only steps of kind
 * `registered` have signatures. */
bool keyring_is_signed(const struct keyring *ring, const struct keyring_step *step);

/* Appends the message that is signed: at most KEYRING_MESSAGE_MAX bytes. `in_use` is NULL for
 * none. */
void keyring_message(const char *player, const uint8_t key[static KEYRING_KEY],
                     const uint8_t *in_use, struct text *message);

/* Appends the line of a step, without LF: at most KEYRING_LINE_MAX bytes. */
void keyring_print(const struct keyring_step *step, struct text *line);

/* `registered`, `revoked`, `required`, `optional`. Static. */
const char *keyring_kind_name(enum keyring_kind kind);

#endif
