/* Bodies of webhooks in each form, and their signatures. */
#include <sodium.h>
#include <string.h>

#include "api/channels/webhook_message.h"
#include "tests/test.h"

static const struct webhook_message plain = {.kind = "turn",
                                             .at = "2026-11-28T14:00:00.000Z",
                                             .title = "Your turn",
                                             .text = "*Ada* <@everyone> & \"Bea\"",
                                             .url = "https://club.example/games/1"};

static char bytes[WEBHOOK_BODY_MAX];

static json_t *body(const char *form, const struct webhook_message *message)
{
    struct text text = TEXT_OVER(bytes);
    assert_true(webhook_body(&text, form, message));
    json_t *read = json_loadb(text.at, text.length, 0, NULL);
    assert_non_null(read);
    return read;
}

static void assert_member(json_t *object, const char *key, const char *value)
{
    assert_string_equal(json_string_value(json_object_get(object, key)), value);
}

TEST(test_standard)
{
    struct webhook_message message = plain;
    message.data = json_pack("{s:s}", "game", "1");
    json_t *read = body("standard", &message);
    json_t *data = json_object_get(read, "data");
    assert_member(read, "type", "notice.turn");
    assert_member(read, "timestamp", "2026-11-28T14:00:00.000Z");
    assert_member(data, "title", "Your turn");
    assert_member(data, "text", plain.text);
    assert_member(data, "url", plain.url);
    assert_member(data, "game", "1");
    json_decref(read);
    json_decref(message.data);
    message = plain;
    message.url = NULL;
    read = body("standard", &message);
    assert_true(json_is_null(json_object_get(json_object_get(read, "data"), "url")));
    json_decref(read);
}

TEST(test_chats)
{
    json_t *read = body("discord", &plain);
    assert_member(read, "content",
                  "**Your turn**\n\\*Ada\\* \\<\\@everyone\\> & \"Bea\"\n"
                  "https://club.example/games/1");
    json_t *mentions = json_object_get(json_object_get(read, "allowed_mentions"), "parse");
    assert_true(json_is_array(mentions));
    assert_int_equal(json_array_size(mentions), 0);
    json_decref(read);
    read = body("slack", &plain);
    assert_member(read, "text",
                  "Your turn\n*Ada* &lt;@everyone&gt; &amp; \"Bea\"\nhttps://club.example/games/1");
    assert_true(json_is_false(json_object_get(read, "mrkdwn")));
    json_decref(read);
    read = body("matrix", &plain);
    assert_member(read, "text",
                  "Your turn\n*Ada* <@everyone> & \"Bea\"\nhttps://club.example/games/1");
    assert_member(read, "html",
                  "<strong>Your turn</strong><br>*Ada* &lt;@everyone&gt; &amp; &quot;Bea&quot;<br>"
                  "https://club.example/games/1");
    json_decref(read);
}

TEST(test_room)
{
    char words[3000];
    struct webhook_message message = plain;
    memset(words, 'x', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    message.text = words;
    struct text text = TEXT_OVER(bytes);
    assert_false(webhook_body(&text, "discord", &message));
    struct text small = {bytes, 0, 64, false};
    assert_false(webhook_body(&small, "standard", &plain));
    assert_int_equal(small.length, 0);
}

/* The code was computed with Python's hmac. */
TEST(test_signature)
{
    uint8_t key[WEBHOOK_KEY];
    char secret[WEBHOOK_SECRET_TEXT];
    char signature[WEBHOOK_SIGNATURE_TEXT];
    for (int i = 0; i < WEBHOOK_KEY; i++)
        key[i] = (uint8_t)i;
    webhook_secret_text(key, secret);
    assert_string_equal(secret, "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
    webhook_signature(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
                      span_of("{\"test\": 2432232314}"), signature);
    assert_string_equal(signature, "v1,O4Gjv1HqPqsMrjmczoggs/sWA8gZD0VyHG+fLh4+ktI=");
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
