#include "api/base/json_text.h"

#include <string.h>

void json_text_begin(struct json_text *json, struct arena *arena, size_t capacity)
{
    growing_begin(&json->text, arena, capacity);
}

struct span json_text_span(const struct json_text *json)
{
    return growing_span(&json->text);
}

static void put(struct json_text *json, char one)
{
    *growing_extend(&json->text, 1) = one;
}

static void add(struct json_text *json, const char *bytes, size_t length)
{
    growing_add(&json->text, (struct span){bytes, length});
}

static bool is_first(const struct json_text *json)
{
    struct span written = growing_span(&json->text);
    char last = written.length == 0 ? '[' : written.at[written.length - 1];
    return last == '{' || last == '[';
}

/* Writes the comma and the key before a value. */
static void begin_value(struct json_text *json, const char *key)
{
    if (!is_first(json))
        put(json, ',');
    if (key == NULL)
        return;
    put(json, '"');
    add(json, key, strlen(key));
    add(json, "\":", 2);
}

void json_text_open(struct json_text *json, const char *key, char bracket)
{
    begin_value(json, key);
    put(json, bracket);
}

void json_text_close(struct json_text *json, char bracket)
{
    put(json, bracket);
}

void json_text_value(struct json_text *json, const char *key, struct span value)
{
    begin_value(json, key);
    add(json, value.at, value.length);
}

void json_text_boolean(struct json_text *json, const char *key, bool value)
{
    json_text_value(json, key, span_of(value ? "true" : "false"));
}

void json_text_null(struct json_text *json, const char *key)
{
    json_text_value(json, key, span_of("null"));
}

void json_text_number(struct json_text *json, const char *key, int64_t number)
{
    char digits[24];
    struct text text = TEXT_OVER(digits);
    text_add_number(&text, number);
    json_text_value(json, key, text_span(&text));
}

/* Escapes a quote, backslash or control character (RFC 8259 section 7). */
static void add_escaped(struct json_text *json, unsigned char c)
{
    static const char letters[] = "btnvfr"; /* for 8 .. 13, without 11 */
    static const char digits[] = "0123456789ABCDEF";
    if (c >= ' ')
        add(json, (char[]){'\\', (char)c}, 2);
    else if (c >= 8 && c <= 13 && c != 11)
        add(json, (char[]){'\\', letters[c - 8]}, 2);
    else
        add(json, (char[]){'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]}, 6);
}

static bool needs_escape(unsigned char c)
{
    return c < ' ' || c == '"' || c == '\\';
}

void json_text_string(struct json_text *json, const char *key, const char *string)
{
    begin_value(json, key);
    put(json, '"');
    while (*string != '\0') {
        size_t plain = 0;
        while (string[plain] != '\0' && !needs_escape((unsigned char)string[plain]))
            plain++;
        add(json, string, plain);
        string += plain;
        if (*string != '\0')
            add_escaped(json, (unsigned char)*string++);
    }
    put(json, '"');
}

char *json_text_of(struct arena *arena, const json_t *document, size_t flags)
{
    char *written = must(json_dumps(document, flags));
    char *text = arena_copy(arena, span_of(written));
    free(written);
    return text;
}
