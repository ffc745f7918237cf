/* Encryption of web push, by RFC 8291's own example, and tokens that OpenSSL verifies. */
#include <sodium.h>
#include <string.h>

#include <jansson.h>

#include "api/channels/push_message.h"
#include "tests/test.h"

static size_t decode(const char *words, uint8_t *bytes, size_t most)
{
    size_t size;
    assert_int_equal(sodium_base642bin(bytes, most, words, strlen(words), NULL, &size, NULL,
                                       sodium_base64_VARIANT_URLSAFE_NO_PADDING),
                     0);
    return size;
}

/* RFC 8291, section 5 and appendix A. */
static const char user_public[] =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
static const char user_auth[] = "BTBZMqHH6r4Tts7J_aSIgg";
static const char server_public[] =
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
static const char server_private[] = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
static const char given_salt[] = "DGv6ra1nlYgDCS1FRnbzlw";
static const char wanted[] =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6T"
    "lzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4"
    "a-fN";

static struct push_recipient recipient;
static struct push_key once;
static uint8_t salt[PUSH_SALT];
static uint8_t message[PUSH_MESSAGE_MAX];

FIXTURE(set_up)
{
    decode(user_public, recipient.public, PUSH_PUBLIC);
    decode(user_auth, recipient.auth, PUSH_AUTH);
    decode(server_public, once.public, PUSH_PUBLIC);
    decode(server_private, once.private, PUSH_PRIVATE);
    decode(given_salt, salt, PUSH_SALT);
    return 0;
}

LISTED_TEST(test_example)
{
    uint8_t expected[256];
    size_t size;
    assert_true(push_encrypt(&recipient, &once, salt,
                             span_of("When I grow up, I want to be a watermelon"), 0, message,
                             &size));
    assert_int_equal(size, decode(wanted, expected, sizeof expected));
    assert_memory_equal(message, expected, size);
}

LISTED_TEST(test_padding)
{
    char words[PUSH_PLAIN_MAX + 1];
    size_t one, two;
    memset(words, 'x', sizeof words);
    assert_true(push_encrypt(&recipient, &once, salt, span_of("a"), 512, message, &one));
    assert_true(push_encrypt(&recipient, &once, salt, span_of("abc"), 512, message, &two));
    assert_int_equal(one, two);
    assert_int_equal(one, PUSH_HEADER + 512 + 1 + 16);
    assert_true(push_encrypt(&recipient, &once, salt, (struct span){words, PUSH_PLAIN_MAX}, 512,
                             message, &one));
    assert_int_equal(one, PUSH_MESSAGE_MAX);
    assert_false(push_encrypt(&recipient, &once, salt, (struct span){words, PUSH_PLAIN_MAX + 1}, 0,
                              message, &one));
    assert_false(
        push_encrypt(&recipient, &once, salt, span_of("a"), PUSH_PLAIN_MAX + 1, message, &one));
}

/* Each message has a pair of its own, whose public key it carries. */
LISTED_TEST(test_new_pairs)
{
    enum { KEY_AT = PUSH_SALT + 4 + 1 };
    uint8_t other[PUSH_MESSAGE_MAX];
    size_t size, other_size;
    assert_true(push_encrypt(&recipient, NULL, salt, span_of("a"), 0, message, &size));
    assert_true(push_encrypt(&recipient, NULL, salt, span_of("a"), 0, other, &other_size));
    assert_int_equal(size, other_size);
    assert_true(push_public_good(message + KEY_AT));
    assert_true(push_public_good(other + KEY_AT));
    assert_memory_not_equal(message + KEY_AT, other + KEY_AT, PUSH_PUBLIC);
    assert_memory_not_equal(message + PUSH_HEADER, other + PUSH_HEADER, size - PUSH_HEADER);
}

LISTED_TEST(test_points)
{
    struct push_recipient off = recipient;
    struct push_key made;
    uint8_t zeros[PUSH_PUBLIC] = {4};
    size_t size;
    assert_true(push_public_good(recipient.public));
    assert_true(push_key_make(&made));
    assert_true(push_public_good(made.public));
    off.public[40] ^= 1;
    assert_false(push_public_good(off.public));
    assert_false(push_encrypt(&off, &once, salt, span_of("a"), 0, message, &size));
    assert_false(push_public_good(zeros));
    zeros[0] = 0;
    assert_false(push_public_good(zeros));
    memcpy(off.public, recipient.public, PUSH_PUBLIC);
    off.public[0] = 2;
    assert_false(push_public_good(off.public));
}

/* Verified by tests/api/channels/push.test.mjs; here, what it says. */
LISTED_TEST(test_authorization)
{
    char bytes[1024];
    uint8_t claims[512];
    struct text value = TEXT_OVER(bytes);
    assert_true(push_authorization(&once, "https://push.example:8443/x/y", "mailto:a@club.example",
                                   1800000000, &value));
    assert_memory_equal(bytes, "vapid t=", 8);
    char *key = strstr(bytes, ", k=");
    assert_non_null(key);
    assert_string_equal(key + 4, server_public);
    *key = '\0';
    char *claims_at = strchr(bytes + 8, '.') + 1;
    char *signature = strchr(claims_at, '.');
    *signature = '\0';
    size_t size = decode(claims_at, claims, sizeof claims);
    json_t *read = json_loadb((const char *)claims, size, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(read, "aud")),
                        "https://push.example:8443");
    assert_string_equal(json_string_value(json_object_get(read, "sub")), "mailto:a@club.example");
    assert_int_equal(json_integer_value(json_object_get(read, "exp")), 1800000000);
    assert_int_equal(decode(signature + 1, claims, sizeof claims), 64);
    json_decref(read);
    struct text small = {bytes, 0, 64, false};
    assert_false(push_authorization(&once, "https://push.example/", NULL, 1, &small));
    value = TEXT_OVER(bytes);
    assert_false(push_authorization(&once, "no address", NULL, 1, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_example, set_up), cmocka_unit_test_setup(test_padding, set_up),
        cmocka_unit_test_setup(test_new_pairs, set_up), cmocka_unit_test_setup(test_points, set_up),
        cmocka_unit_test_setup(test_authorization, set_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
