#include "engine/record/keyring.h"

#include <sodium.h>
#include <string.h>

void keyring_init(struct keyring *ring, const char *player)
{
    *ring = (struct keyring){.steps = 0};
    struct text text = TEXT_OVER(ring->player);
    text_add(&text, player);
}

const char *keyring_kind_name(enum keyring_kind kind)
{
    static const char *const name[] = {
        [KEYRING_REGISTERED] = "registered",
        [KEYRING_REVOKED] = "revoked",
        [KEYRING_REQUIRED] = "required",
        [KEYRING_OPTIONAL] = "optional",
    };
    return name[kind];
}

/* ---- Looking ---- */

const struct keyring_key *keyring_in_use(const struct keyring *ring)
{
    const struct keyring_key *last = ring->keys == 0 ? NULL : &ring->key[ring->keys - 1];
    return last == NULL || last->revoked_ms != 0 ? NULL : last;
}

const struct keyring_key *keyring_find(const struct keyring *ring,
                                       const uint8_t key[static KEYRING_KEY])
{
    for (unsigned i = 0; i < ring->keys; i++)
        if (memcmp(ring->key[i].key, key, KEYRING_KEY) == 0)
            return &ring->key[i];
    return NULL;
}

/* ---- Steps ---- */

static bool check_registered(const struct keyring *ring, const struct keyring_step *step,
                             struct refusal *refusal)
{
    bool in_use = keyring_in_use(ring) != NULL;
    if (keyring_find(ring, step->key) != NULL)
        return refuse(refusal, KEYRING_REFUSAL_KNOWN,
                      "This key was registered before; create a new one.");
    if (ring->keys == KEYRING_KEYS_MAX)
        return refuse(refusal, KEYRING_REFUSAL_MANY,
                      "The player has registered 32 keys, the maximum.");
    if (in_use && !step->endorsed)
        return refuse(refusal, KEYRING_REFUSAL_IN_USE,
                      "Another key is in use: sign the new one with it as well (`endorsement`), or "
                      "revoke it first.");
    return in_use || !step->endorsed ||
           refuse(refusal, KEYRING_REFUSAL_NONE,
                  "No key is in use to endorse the new one; leave out `endorsement`.");
}

static bool check(const struct keyring *ring, const struct keyring_step *step,
                  struct refusal *refusal)
{
    const struct keyring_key *named;
    if (step->number != ring->steps + 1 || step->at_ms < ring->last_ms)
        return refuse(refusal, KEYRING_REFUSAL_STEP, "The step does not follow the one before.");
    if (ring->steps == KEYRING_STEPS_MAX)
        return refuse(refusal, KEYRING_REFUSAL_MANY,
                      "The player's key history has reached its maximum length.");
    switch (step->kind) {
    case KEYRING_REGISTERED:
        return check_registered(ring, step, refusal);
    case KEYRING_REVOKED:
        named = keyring_find(ring, step->key);
        return (named != NULL && named->revoked_ms == 0) ||
               refuse(refusal, KEYRING_REFUSAL_REVOKED,
                      "The player has no such key, or it is already revoked.");
    case KEYRING_REQUIRED:
    case KEYRING_OPTIONAL:
        return ring->required == (step->kind == KEYRING_OPTIONAL) ||
               refuse(refusal, KEYRING_REFUSAL_STEP, "The setting already has this value.");
    case KEYRING_KINDS:
        break;
    }
    return refuse(refusal, KEYRING_REFUSAL_STEP, "There is no such step.");
}

static void add_key(struct keyring *ring, const struct keyring_step *step)
{
    if (keyring_in_use(ring) != NULL)
        ring->key[ring->keys - 1].replaced_ms = step->at_ms;
    struct keyring_key *added = &ring->key[ring->keys++];
    *added = (struct keyring_key){.registered_ms = step->at_ms};
    memcpy(added->key, step->key, KEYRING_KEY);
}

static void revoke(struct keyring *ring, const struct keyring_step *step)
{
    for (unsigned i = 0; i < ring->keys; i++)
        if (memcmp(ring->key[i].key, step->key, KEYRING_KEY) == 0)
            ring->key[i].revoked_ms = step->at_ms;
}

bool keyring_apply(struct keyring *ring, const struct keyring_step *step, struct refusal *refusal)
{
    if (!check(ring, step, refusal))
        return false;
    if (step->kind == KEYRING_REGISTERED)
        add_key(ring, step);
    else if (step->kind == KEYRING_REVOKED)
        revoke(ring, step);
    else
        ring->required = step->kind == KEYRING_REQUIRED;
    ring->steps++;
    ring->last_ms = step->at_ms;
    return true;
}

/* ---- Signatures ---- */

void keyring_message(const char *player, const uint8_t key[static KEYRING_KEY],
                     const uint8_t *in_use, struct text *message)
{
    text_add(message, "tillroll key\n");
    text_add_line(message, player);
    text_add_hex_line(message, key, KEYRING_KEY);
    if (in_use == NULL)
        text_add_char(message, '-');
    else
        text_add_hex(message, in_use, KEYRING_KEY);
    text_add_char(message, '\n');
}

bool keyring_is_signed(const struct keyring *ring, const struct keyring_step *step)
{
    const struct keyring_key *in_use = keyring_in_use(ring);
    char bytes[KEYRING_MESSAGE_MAX];
    struct text message = TEXT_OVER(bytes);
    if (step->kind != KEYRING_REGISTERED)
        return true;
    keyring_message(ring->player, step->key, in_use == NULL ? NULL : in_use->key, &message);
    const unsigned char *signed_text = (const unsigned char *)message.at;
    if (crypto_sign_verify_detached(step->proof, signed_text, message.length, step->key) != 0)
        return false;
    return !step->endorsed ||
           (in_use != NULL && crypto_sign_verify_detached(step->endorsement, signed_text,
                                                          message.length, in_use->key) == 0);
}

/* ---- Lines ---- */

static void print_registered(const struct keyring_step *step, struct text *line)
{
    text_add_char(line, ' ');
    text_add_hex(line, step->proof, sizeof step->proof);
    text_add_char(line, ' ');
    if (step->endorsed)
        text_add_hex(line, step->endorsement, sizeof step->endorsement);
    else
        text_add_char(line, '-');
}

void keyring_print(const struct keyring_step *step, struct text *line)
{
    text_add_number(line, step->number);
    text_add_char(line, ' ');
    text_add_number(line, step->at_ms);
    text_add_char(line, ' ');
    text_add(line, keyring_kind_name(step->kind));
    if (step->kind == KEYRING_REGISTERED || step->kind == KEYRING_REVOKED) {
        text_add_char(line, ' ');
        text_add_hex(line, step->key, sizeof step->key);
    }
    if (step->kind == KEYRING_REGISTERED)
        print_registered(step, line);
}
