#include "engine/base/json.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"

static void *take_or_end(size_t size)
{
    void *taken = malloc(size);
    if (taken == NULL)
        end_without_memory();
    return taken;
}

void json_begin(void)
{
    json_set_alloc_funcs(take_or_end, free);
    json_object_seed((size_t)randombytes_random());
}

/* Scans the text without parsing it: skips strings and counts brackets and separators. Accepted
 * text is bounded in depth and size for any parser. */
static bool is_bounded(struct span body)
{
    unsigned depth = 0;
    unsigned tokens = 0;
    bool in_string = false;
    for (size_t i = 0; i < body.length; i++) {
        char c = body.at[i];
        if (in_string) {
            if (c == '\\')
                i++;
            in_string = c != '"';
            continue;
        }
        in_string = c == '"';
        if (c == '{' || c == '[') {
            depth++;
            tokens++;
        } else if ((c == '}' || c == ']') && depth > 0) {
            depth--;
        } else if (c == ',' || c == ':') {
            tokens++;
        }
        if (depth > JSON_DEPTH_LIMIT || tokens > JSON_TOKENS_LIMIT)
            return false;
    }
    return true;
}

/* The parser's error may quote a piece of the text, cut off in the middle of a character. */
static void add_complaint(struct text *error, const char *complaint)
{
    for (; *complaint != '\0'; complaint++)
        text_add_char(error, *complaint >= ' ' && *complaint <= '~' ? *complaint : '?');
}

json_t *json_parse_object(struct span body, struct text *error)
{
    json_error_t parse_error;
    if (!is_bounded(body)) {
        text_add(error, "The JSON nests deeper than 16 levels or has more than 4096 values.");
        return NULL;
    }
    /* Jansson skips a NUL after a word or a number. */
    if (memchr(body.at, '\0', body.length) != NULL) {
        text_add(error, "The JSON holds a NUL byte.");
        return NULL;
    }
    json_t *value = json_loadb(body.at, body.length, JSON_REJECT_DUPLICATES, &parse_error);
    if (value == NULL) {
        text_add(error, "The JSON cannot be read at line ");
        text_add_number(error, parse_error.line);
        text_add(error, ", column ");
        text_add_number(error, parse_error.column);
        text_add(error, ": ");
        add_complaint(error, parse_error.text);
        text_add(error, ".");
        return NULL;
    }
    if (!json_is_object(value)) {
        text_add(error, "The body must be a JSON object.");
        json_decref(value);
        return NULL;
    }
    return value;
}

const char *json_unknown_key(const json_t *object, const char *const *known)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        size_t i = 0;
        while (known[i] != NULL && strcmp(known[i], key) != 0)
            i++;
        if (known[i] == NULL)
            return key;
    }
    return NULL;
}

bool json_read_whole(const json_t *value, int64_t least, int64_t most, int64_t *number)
{
    json_int_t whole = json_integer_value(value);
    if (!json_is_integer(value) || whole < least || whole > most)
        return false;
    *number = whole;
    return true;
}

bool json_read_word(const json_t *value, const char *const *words, size_t count, size_t *index)
{
    const char *word = json_string_value(value);
    for (size_t i = 0; word != NULL && i < count && words[i] != NULL; i++) {
        if (strcmp(word, words[i]) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

void json_say_whole(struct text *text, int64_t least, int64_t most)
{
    text_add(text, "must be a whole number from ");
    text_add_number(text, least);
    text_add(text, " to ");
    text_add_number(text, most);
    text_add_char(text, '.');
}

void json_say_words(struct text *text, const char *const *words, size_t count)
{
    text_add(text, "must be one of:");
    for (size_t i = 0; i < count && words[i] != NULL; i++) {
        text_add_char(text, ' ');
        text_add(text, words[i]);
    }
}
