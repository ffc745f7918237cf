/* Players' keys: what is signed, what follows what, and how it is written. */
#include <sodium.h>
#include <string.h>

#include "engine/record/keyring.h"
#include "tests/engine/support/roll.h"
#include "tests/test.h"

static const char ada[] = "0190163d-8694-739b-aea5-966c26f8ad91";
static const char ben[] = "0190163d-8694-739b-aea5-966c26f8ad92";

static void sign(unsigned signer, const char *player, const uint8_t *key, const uint8_t *in_use,
                 uint8_t signature[static KEYRING_SIGNATURE])
{
    uint8_t public_key[KEYRING_KEY], secret_key[64];
    char bytes[KEYRING_MESSAGE_MAX];
    struct text message = TEXT_OVER(bytes);
    roll_key(signer, public_key, secret_key);
    keyring_message(player, key, in_use, &message);
    assert_false(message.overflow);
    crypto_sign_detached(signature, NULL, (const unsigned char *)bytes, message.length, secret_key);
}

/* Registers key `number`, endorsed by key `by`, or by none with -1. */
static struct keyring_step registered(const struct keyring *ring, unsigned number, int by)
{
    struct keyring_step step = {.number = ring->steps + 1,
                                .at_ms = ring->last_ms + 10,
                                .kind = KEYRING_REGISTERED,
                                .endorsed = by >= 0};
    const struct keyring_key *in_use = keyring_in_use(ring);
    uint8_t secret_key[64];
    roll_key(number, step.key, secret_key);
    sign(number, ada, step.key, in_use == NULL ? NULL : in_use->key, step.proof);
    if (by >= 0)
        sign((unsigned)by, ada, step.key, in_use == NULL ? NULL : in_use->key, step.endorsement);
    return step;
}

static struct keyring_step other(const struct keyring *ring, enum keyring_kind kind,
                                 const uint8_t *key)
{
    struct keyring_step step = {
        .number = ring->steps + 1, .at_ms = ring->last_ms + 10, .kind = kind};
    if (key != NULL)
        memcpy(step.key, key, sizeof step.key);
    return step;
}

static void take(struct keyring *ring, struct keyring_step step)
{
    struct refusal refusal;
    assert_true(keyring_is_signed(ring, &step));
    if (!keyring_apply(ring, &step, &refusal))
        fail_msg("%s: %s", refusal.code, refusal.message);
}

static void refuse_step(struct keyring *ring, struct keyring_step step, const char *code)
{
    struct refusal refusal = {NULL, NULL};
    struct keyring before = *ring;
    assert_false(keyring_apply(ring, &step, &refusal));
    assert_string_equal(refusal.code, code);
    assert_memory_equal(ring, &before, sizeof before);
}

TEST(test_what_is_signed)
{
    uint8_t key[KEYRING_KEY], in_use[KEYRING_KEY];
    char bytes[KEYRING_MESSAGE_MAX];
    struct text message = TEXT_OVER(bytes);
    memset(key, 0xab, sizeof key);
    memset(in_use, 0x1c, sizeof in_use);
    keyring_message(ada, key, NULL, &message);
    assert_string_equal(bytes, "tillroll key\n0190163d-8694-739b-aea5-966c26f8ad91\n"
                               "abababababababababababababababababababababababababababababababab\n"
                               "-\n");
    text_clear(&message);
    keyring_message(ada, key, in_use, &message);
    assert_string_equal(bytes,
                        "tillroll key\n0190163d-8694-739b-aea5-966c26f8ad91\n"
                        "abababababababababababababababababababababababababababababababab\n"
                        "1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c\n");
}

TEST(test_signatures_hold_for_one_step_only)
{
    struct keyring ring, of_ben;
    keyring_init(&ring, ada);
    keyring_init(&of_ben, ben);
    struct keyring_step first = registered(&ring, 0, -1);
    assert_true(keyring_is_signed(&ring, &first));
    assert_false(keyring_is_signed(&of_ben, &first));
    for (size_t bit = 0; bit < 8 * sizeof first.proof; bit += 5) {
        struct keyring_step bad = first;
        bad.proof[bit / 8] ^= (uint8_t)(1U << bit % 8);
        assert_false(keyring_is_signed(&ring, &bad));
    }
    take(&ring, first);
    /* What was good without a key in use is not good with one, and the other way round. */
    struct keyring_step second = registered(&ring, 1, 0);
    struct keyring empty;
    keyring_init(&empty, ada);
    assert_false(keyring_is_signed(&empty, &second));
    assert_true(keyring_is_signed(&ring, &second));
    struct keyring_step by_another = registered(&ring, 1, 2);
    assert_false(keyring_is_signed(&ring, &by_another));
    struct keyring_step by_itself = registered(&ring, 1, 1);
    assert_false(keyring_is_signed(&ring, &by_itself));
}

TEST(test_a_weak_key_proves_nothing)
{
    struct keyring ring;
    struct keyring_step step = {.number = 1, .kind = KEYRING_REGISTERED};
    keyring_init(&ring, ada);
    assert_false(keyring_is_signed(&ring, &step));
    step.key[0] = 1; /* the neutral point: everything would be signed */
    step.proof[0] = 1;
    assert_false(keyring_is_signed(&ring, &step));
}

TEST(test_one_key_is_in_use)
{
    struct keyring ring;
    keyring_init(&ring, ada);
    assert_null(keyring_in_use(&ring));
    struct keyring_step zero = registered(&ring, 0, -1);
    assert_null(keyring_find(&ring, zero.key));
    refuse_step(&ring, registered(&ring, 0, 1), KEYRING_REFUSAL_NONE);
    refuse_step(&ring, other(&ring, KEYRING_REVOKED, zero.key), KEYRING_REFUSAL_REVOKED);
    take(&ring, zero);
    assert_memory_equal(keyring_in_use(&ring)->key, zero.key, KEYRING_KEY);
    refuse_step(&ring, registered(&ring, 0, 0), KEYRING_REFUSAL_KNOWN);
    refuse_step(&ring, registered(&ring, 1, -1), KEYRING_REFUSAL_IN_USE);

    struct keyring_step one = registered(&ring, 1, 0);
    take(&ring, one);
    assert_memory_equal(keyring_in_use(&ring)->key, one.key, KEYRING_KEY);
    assert_int_equal(keyring_find(&ring, zero.key)->replaced_ms, one.at_ms);
    assert_int_equal(keyring_find(&ring, zero.key)->revoked_ms, 0);

    take(&ring, other(&ring, KEYRING_REVOKED, zero.key));
    assert_memory_equal(keyring_in_use(&ring)->key, one.key, KEYRING_KEY);
    assert_int_equal(keyring_find(&ring, zero.key)->revoked_ms, ring.last_ms);
    take(&ring, other(&ring, KEYRING_REVOKED, one.key));
    assert_null(keyring_in_use(&ring));
    refuse_step(&ring, other(&ring, KEYRING_REVOKED, one.key), KEYRING_REFUSAL_REVOKED);
    refuse_step(&ring, registered(&ring, 0, -1), KEYRING_REFUSAL_KNOWN);
    struct keyring_step two = registered(&ring, 2, -1);
    take(&ring, two);
    assert_int_equal(keyring_find(&ring, one.key)->replaced_ms, 0);
    assert_int_equal(ring.keys, 3);
}

TEST(test_steps_follow_each_other)
{
    struct keyring ring;
    keyring_init(&ring, ada);
    take(&ring, registered(&ring, 0, -1));
    refuse_step(&ring, other(&ring, KEYRING_OPTIONAL, NULL), KEYRING_REFUSAL_STEP);
    struct keyring_step late = other(&ring, KEYRING_REQUIRED, NULL);
    late.number++;
    refuse_step(&ring, late, KEYRING_REFUSAL_STEP);
    struct keyring_step early = other(&ring, KEYRING_REQUIRED, NULL);
    early.at_ms = ring.last_ms - 1;
    refuse_step(&ring, early, KEYRING_REFUSAL_STEP);
    refuse_step(&ring, other(&ring, KEYRING_KINDS, NULL), KEYRING_REFUSAL_STEP);
    take(&ring, other(&ring, KEYRING_REQUIRED, NULL));
    assert_true(ring.required);
    refuse_step(&ring, other(&ring, KEYRING_REQUIRED, NULL), KEYRING_REFUSAL_STEP);
    take(&ring, other(&ring, KEYRING_OPTIONAL, NULL));
    assert_false(ring.required);
}

TEST(test_there_is_an_end)
{
    struct keyring ring;
    struct refusal refusal;
    keyring_init(&ring, ada);
    for (uint8_t i = 0; i < KEYRING_KEYS_MAX; i++) {
        struct keyring_step step = {.number = ring.steps + 1, .endorsed = i > 0};
        step.key[0] = i;
        assert_true(keyring_apply(&ring, &step, &refusal));
    }
    refuse_step(&ring, registered(&ring, 0, 0), KEYRING_REFUSAL_MANY);
    while (ring.steps < KEYRING_STEPS_MAX)
        take(&ring, other(&ring, ring.required ? KEYRING_OPTIONAL : KEYRING_REQUIRED, NULL));
    refuse_step(&ring, other(&ring, ring.required ? KEYRING_OPTIONAL : KEYRING_REQUIRED, NULL),
                KEYRING_REFUSAL_MANY);
}

TEST(test_lines)
{
    char bytes[KEYRING_LINE_MAX];
    struct text line = TEXT_OVER(bytes);
    struct keyring_step step = {
        .number = KEYRING_STEPS_MAX, .at_ms = INT64_C(253402300799999), .endorsed = true};
    memset(step.key, 0x0f, sizeof step.key);
    memset(step.proof, 0xf0, sizeof step.proof);
    memset(step.endorsement, 0xff, sizeof step.endorsement);
    keyring_print(&step, &line);
    assert_false(line.overflow);
    assert_int_equal(line.length,
                     strlen("256 253402300799999 registered ") + 64 + 1 + 128 + 1 + 128);
    step.endorsed = false;
    text_clear(&line);
    keyring_print(&step, &line);
    assert_string_equal(bytes + line.length - 4, "f0 -");
    step = (struct keyring_step){.number = 2, .at_ms = 7, .kind = KEYRING_REVOKED};
    text_clear(&line);
    keyring_print(&step, &line);
    assert_string_equal(
        bytes, "2 7 revoked 0000000000000000000000000000000000000000000000000000000000000000");
    step.kind = KEYRING_REQUIRED;
    text_clear(&line);
    keyring_print(&step, &line);
    assert_string_equal(bytes, "2 7 required");
}

int main(void)
{
    if (sodium_init() < 0)
        return 1;
    return run_all_tests(NULL, NULL);
}
