#include "api/channels/webhook_message.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

const char *const webhook_forms[] = {"standard", "discord", "slack", "matrix", NULL};

/* ---- Bodies ---- */

enum { PLAIN_MAX = 1900 /* bytes: Discord takes 2000 characters, all other targets more */ };

/* Appends a character that would be markup in the form. */
typedef void add_escaped(struct text *text, char c);

static void add_plain(struct text *text, char c)
{
    text_add_char(text, c);
}

static void add_markdown(struct text *text, char c)
{
    if (strchr("\\*_~`|<>[]()#-:@", c) != NULL)
        text_add_char(text, '\\');
    text_add_char(text, c);
}

/* The escapes of HTML, which Slack uses too. */
static void add_entity(struct text *text, char c)
{
    if (c == '&')
        text_add(text, "&amp;");
    else if (c == '<')
        text_add(text, "&lt;");
    else if (c == '>')
        text_add(text, "&gt;");
    else if (c == '"')
        text_add(text, "&quot;");
    else
        text_add_char(text, c);
}

static void add_slack(struct text *text, char c)
{
    if (c == '"')
        text_add_char(text, c);
    else
        add_entity(text, c);
}

static void add_all(struct text *text, const char *words, add_escaped *add)
{
    for (; *words != '\0'; words++)
        add(text, *words);
}

/* Appends three lines: title, text, and the address without escapes. */
static bool add_lines(struct text *text, const struct webhook_message *message, add_escaped *add,
                      const char *before, const char *after, const char *line_end)
{
    text_add(text, before);
    add_all(text, message->title, add);
    text_add(text, after);
    text_add(text, line_end);
    add_all(text, message->text, add);
    if (message->url != NULL) {
        text_add(text, line_end);
        text_add(text, message->url);
    }
    return !text->overflow;
}

static json_t *standard_body(const struct webhook_message *message)
{
    json_t *data = message->data == NULL ? json_object() : json_deep_copy(message->data);
    char type[64];
    snprintf(type, sizeof type, "notice.%s", message->kind);
    json_object_set_new(data, "title", json_string(message->title));
    json_object_set_new(data, "text", json_string(message->text));
    json_object_set_new(data, "url",
                        message->url == NULL ? json_null() : json_string(message->url));
    return json_pack("{s:s, s:s, s:o}", "type", type, "timestamp", message->at, "data", data);
}

static json_t *discord_body(const struct webhook_message *message)
{
    enum { SUPPRESS_EMBEDS = 4 };
    char bytes[PLAIN_MAX];
    struct text text = TEXT_OVER(bytes);
    if (!add_lines(&text, message, add_markdown, "**", "**", "\n"))
        return NULL;
    return json_pack("{s:s, s:{s:[]}, s:i}", "content", bytes, "allowed_mentions", "parse", "flags",
                     SUPPRESS_EMBEDS);
}

static json_t *slack_body(const struct webhook_message *message)
{
    char bytes[PLAIN_MAX];
    struct text text = TEXT_OVER(bytes);
    if (!add_lines(&text, message, add_slack, "", "", "\n"))
        return NULL;
    return json_pack("{s:s, s:b, s:b}", "text", bytes, "mrkdwn", false, "unfurl_links", false);
}

static json_t *matrix_body(const struct webhook_message *message)
{
    char bytes[PLAIN_MAX];
    char marked[2 * PLAIN_MAX];
    struct text text = TEXT_OVER(bytes);
    struct text html = TEXT_OVER(marked);
    if (!add_lines(&text, message, add_plain, "", "", "\n") ||
        !add_lines(&html, message, add_entity, "<strong>", "</strong>", "<br>"))
        return NULL;
    return json_pack("{s:s, s:s}", "text", bytes, "html", marked);
}

bool webhook_body(struct text *body, const char *form, const struct webhook_message *message)
{
    json_t *document = strcmp(form, "discord") == 0  ? discord_body(message)
                       : strcmp(form, "slack") == 0  ? slack_body(message)
                       : strcmp(form, "matrix") == 0 ? matrix_body(message)
                                                     : standard_body(message);
    size_t room = body->capacity - body->length - 1;
    size_t length =
        document == NULL ? 0 : json_dumpb(document, body->at + body->length, room, JSON_COMPACT);
    json_decref(document);
    if (length == 0 || length > room)
        return false;
    body->length += length;
    body->at[body->length] = '\0';
    return true;
}

/* ---- Signatures ---- */

void webhook_secret_text(const uint8_t key[static WEBHOOK_KEY],
                         char text[static WEBHOOK_SECRET_TEXT])
{
    struct text secret = {text, 0, WEBHOOK_SECRET_TEXT, false};
    text_add(&secret, "whsec_");
    text_add_base64(&secret, key, WEBHOOK_KEY);
}

void webhook_signature(const uint8_t key[static WEBHOOK_KEY], const char *id, int64_t sent_s,
                       struct span body, char text[static WEBHOOK_SIGNATURE_TEXT])
{
    char bytes[128];
    struct text start = TEXT_OVER(bytes);
    uint8_t code[crypto_auth_hmacsha256_BYTES];
    crypto_auth_hmacsha256_state state;
    text_add(&start, id);
    text_add_char(&start, '.');
    text_add_number(&start, sent_s);
    text_add_char(&start, '.');
    crypto_auth_hmacsha256_init(&state, key, WEBHOOK_KEY);
    crypto_auth_hmacsha256_update(&state, (const uint8_t *)bytes, start.length);
    crypto_auth_hmacsha256_update(&state, (const uint8_t *)body.at, body.length);
    crypto_auth_hmacsha256_final(&state, code);
    struct text signature = {text, 0, WEBHOOK_SIGNATURE_TEXT, false};
    text_add(&signature, "v1,");
    text_add_base64(&signature, code, sizeof code);
}
