/* JSON text (RFC 8259): reading it, and writing it as Jansson does with JSON_COMPACT. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/wasm/json.h"
#include "engine/wasm/json_value.h"

/* ---- Writing ---- */

/* Counts what does not fit, but drops it. */
struct output {
    char *bytes;
    size_t size, length;
};

static void put(struct output *output, const char *bytes, size_t length)
{
    if (output->length <= output->size && length <= output->size - output->length)
        memcpy(output->bytes + output->length, bytes, length);
    output->length += length;
}

static void put_char(struct output *output, char c)
{
    put(output, &c, 1);
}

static void put_escape(struct output *output, uint8_t byte)
{
    static const char short_ones[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    static const char digits[] = "0123456789ABCDEF";
    for (const char *at = short_ones; *at != '\0'; at += 2)
        if ((uint8_t)*at == byte) {
            put_char(output, '\\');
            put_char(output, at[1]);
            return;
        }
    const char code[] = {'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]};
    put(output, code, sizeof code);
}

static void put_string(struct output *output, struct span string)
{
    put_char(output, '"');
    for (size_t i = 0, from = 0; i <= string.length; i++) {
        bool ends = i == string.length;
        if (!ends && (uint8_t)string.at[i] >= ' ' && string.at[i] != '"' && string.at[i] != '\\')
            continue;
        put(output, string.at + from, i - from);
        if (!ends)
            put_escape(output, (uint8_t)string.at[i]);
        from = i + 1;
    }
    put_char(output, '"');
}

static void put_number(struct output *output, json_int_t number)
{
    char bytes[24];
    struct text text = TEXT_OVER(bytes);
    text_add_number(&text, number);
    put(output, text.at, text.length);
}

static int compare_keys(const void *one, const void *other)
{
    const struct json_member *const *a = one;
    const struct json_member *const *b = other;
    return span_compare((*a)->key, (*b)->key);
}

static void put_value(struct output *output, const json_t *value, bool sorted);

static void put_members(struct output *output, const json_t *object, bool sorted)
{
    const struct json_member **members = malloc((object->count + 1) * sizeof *members);
    assert(members != NULL);
    for (size_t i = 0; i < object->count; i++)
        members[i] = &object->members[i];
    if (sorted)
        qsort(members, object->count, sizeof *members, compare_keys);
    put_char(output, '{');
    for (size_t i = 0; i < object->count; i++) {
        if (i > 0)
            put_char(output, ',');
        put_string(output, members[i]->key);
        put_char(output, ':');
        put_value(output, members[i]->value, sorted);
    }
    put_char(output, '}');
    free(members);
}

static void put_items(struct output *output, const json_t *array, bool sorted)
{
    put_char(output, '[');
    for (size_t i = 0; i < array->count; i++) {
        if (i > 0)
            put_char(output, ',');
        put_value(output, array->items[i], sorted);
    }
    put_char(output, ']');
}

static void put_value(struct output *output, const json_t *value, bool sorted)
{
    switch (value->type) {
    case JSON_OBJECT:
        put_members(output, value, sorted);
        break;
    case JSON_ARRAY:
        put_items(output, value, sorted);
        break;
    case JSON_STRING:
        put_string(output, value->string);
        break;
    case JSON_INTEGER:
        put_number(output, value->integer);
        break;
    case JSON_TRUE:
        put(output, "true", strlen("true"));
        break;
    case JSON_FALSE:
        put(output, "false", strlen("false"));
        break;
    case JSON_NULL:
        put(output, "null", strlen("null"));
        break;
    }
}

size_t json_dumpb(const json_t *value, char *bytes, size_t size, size_t flags)
{
    struct output output = {bytes, size, 0};
    put_value(&output, value, (flags & JSON_SORT_KEYS) != 0);
    return output.length;
}

char *json_dumps(const json_t *value, size_t flags)
{
    size_t length = json_dumpb(value, NULL, 0, flags);
    char *text = malloc(length + 1);
    if (text == NULL)
        return NULL;
    json_dumpb(value, text, length, flags);
    text[length] = '\0';
    return text;
}

void json_write_string(struct span string, struct text *text)
{
    struct output output = {text->at + text->length, text->capacity - text->length - 1, 0};
    put_string(&output, string);
    if (output.length > output.size) {
        text->overflow = true;
        text->at[text->length] = '\0';
        return;
    }
    text->length += output.length;
    text->at[text->length] = '\0';
}

const char *json_answer(const json_t *value, struct text text)
{
    size_t length = json_dumpb(value, text.at, text.capacity - 1, 0);
    assert(length < text.capacity);
    text.at[length] = '\0';
    json_forget_all();
    return text.at;
}

/* ---- Reading ---- */

struct input {
    const char *at, *end;
    unsigned depth;
};

static void skip_space(struct input *input)
{
    while (input->at < input->end &&
           (*input->at == ' ' || *input->at == '\t' || *input->at == '\n' || *input->at == '\r'))
        input->at++;
}

static bool take_char(struct input *input, char c)
{
    skip_space(input);
    if (input->at == input->end || *input->at != c)
        return false;
    input->at++;
    return true;
}

static bool read_hex4(struct input *input, uint32_t *code)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    *code = 0;
    for (int i = 0; i < 4; i++, input->at++) {
        const char *digit =
            input->at < input->end && *input->at != '\0' ? strchr(digits, *input->at) : NULL;
        if (digit == NULL)
            return false;
        *code = *code << 4 | ((uint32_t)(digit - digits) & 15);
    }
    return true;
}

static size_t write_utf8(uint32_t code, char *into)
{
    if (code < 0x80) {
        into[0] = (char)code;
        return 1;
    }
    size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};
    into[0] = (char)(first[more] | code >> (6 * more));
    for (size_t i = 1; i <= more; i++)
        into[i] = (char)(0x80 | (code >> (6 * (more - i)) & 0x3f));
    return more + 1;
}

/* After `\u`: a character that is not NUL, two escapes for one beyond the first 65,536. */
static bool read_code(struct input *input, char *into, size_t *length)
{
    uint32_t code, low;
    if (!read_hex4(input, &code) || code == 0 || (code >= 0xdc00 && code < 0xe000))
        return false;
    if (code >= 0xd800 && code < 0xdc00) {
        if (input->end - input->at < 2 || memcmp(input->at, "\\u", 2) != 0)
            return false;
        input->at += 2;
        if (!read_hex4(input, &low) || low < 0xdc00 || low >= 0xe000)
            return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    *length += write_utf8(code, into + *length);
    return true;
}

/* After a backslash. */
static bool read_escape(struct input *input, char *into, size_t *length)
{
    static const char short_ones[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    if (input->at == input->end)
        return false;
    char c = *input->at++;
    if (c == 'u')
        return read_code(input, into, length);
    for (const char *at = short_ones; *at != '\0'; at += 2)
        if (*at == c) {
            into[(*length)++] = at[1];
            return true;
        }
    return false;
}

/* The bytes of the UTF-8 sequence (RFC 3629) at the start of the string; 0 if there is none. */
static size_t sequence_at(struct span string)
{
    const uint8_t *at = (const uint8_t *)string.at;
    if (at[0] < 0x80)
        return 1;
    size_t length = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    if (at[0] < 0xc2 || at[0] > 0xf4 || length > string.length)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    bool is_bad = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
                  (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f);
    return is_bad ? 0 : length;
}

static bool is_utf8(struct span string)
{
    while (string.length > 0) {
        size_t length = sequence_at(string);
        if (length == 0)
            return false;
        string.at += length;
        string.length -= length;
    }
    return true;
}

/* After the first quotation mark. The caller frees the bytes, which no NUL ends. */
static bool read_string(struct input *input, char **bytes, size_t *length)
{
    size_t most = 0;
    while (input->at + most < input->end && input->at[most] != '"')
        most += input->at[most] == '\\' ? 2 : 1;
    *bytes = malloc(most + 1);
    *length = 0;
    assert(*bytes != NULL);
    while (input->at < input->end && *input->at != '"') {
        char c = *input->at++;
        if (c == '\\' ? !read_escape(input, *bytes, length) : (uint8_t)c < ' ')
            return false;
        if (c != '\\')
            (*bytes)[(*length)++] = c;
    }
    return take_char(input, '"') && is_utf8((struct span){*bytes, *length});
}

static json_t *read_number(struct input *input)
{
    bool negative = *input->at == '-';
    const char *first = input->at + negative;
    const char *at = first;
    uint64_t number = 0;
    for (; at < input->end && *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (number > ((uint64_t)INT64_MAX + negative - digit) / 10)
            return NULL;
        number = 10 * number + digit;
    }
    if (at == first || (*first == '0' && at - first > 1) ||
        (at < input->end && (*at == '.' || *at == 'e' || *at == 'E')))
        return NULL;
    input->at = at;
    return json_integer(negative ? (int64_t)(0 - number) : (int64_t)number);
}

static json_t *read_value(struct input *input);

static json_t *read_members(struct input *input)
{
    json_t *object = json_object();
    if (take_char(input, '}'))
        return object;
    do {
        char *key = NULL;
        size_t length;
        json_t *value = NULL;
        if (take_char(input, '"') && read_string(input, &key, &length) && take_char(input, ':') &&
            json_member_of(object, (struct span){key, length}) == NULL)
            value = read_value(input);
        if (value != NULL)
            json_member_add(object, (struct span){key, length}, value);
        free(key);
        if (value == NULL)
            return NULL;
    } while (take_char(input, ','));
    return take_char(input, '}') ? object : NULL;
}

static json_t *read_items(struct input *input)
{
    json_t *array = json_array();
    if (take_char(input, ']'))
        return array;
    do {
        json_t *value = read_value(input);
        if (value == NULL)
            return NULL;
        json_array_append(array, value);
    } while (take_char(input, ','));
    return take_char(input, ']') ? array : NULL;
}

static json_t *read_text(struct input *input)
{
    char *bytes;
    size_t length;
    json_t *value = read_string(input, &bytes, &length) ? json_stringn(bytes, length) : NULL;
    free(bytes);
    return value;
}

static json_t *read_word(struct input *input)
{
    static const char *const words[] = {"true", "false", "null"};
    static json_t *(*const makes[])(void) = {json_true, json_false, json_null};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(input->end - input->at) >= length &&
            memcmp(input->at, words[i], length) == 0) {
            input->at += length;
            return makes[i]();
        }
    }
    return NULL;
}

static json_t *read_any(struct input *input)
{
    if (take_char(input, '{'))
        return read_members(input);
    if (take_char(input, '['))
        return read_items(input);
    if (take_char(input, '"'))
        return read_text(input);
    if (input->at == input->end)
        return NULL;
    return *input->at == '-' || (*input->at >= '0' && *input->at <= '9') ? read_number(input)
                                                                         : read_word(input);
}

/* Each value is a level, as in Jansson: numbers and texts, too. */
static json_t *read_value(struct input *input)
{
    if (input->depth == JSON_DEPTH)
        return NULL;
    input->depth++;
    json_t *value = read_any(input);
    input->depth--;
    return value;
}

json_t *json_loadb(const char *bytes, size_t length, size_t flags, json_error_t *error)
{
    struct input input = {bytes, bytes + length, 0};
    (void)flags;
    if (error != NULL)
        *error = (json_error_t){1, 1, "not JSON"};
    skip_space(&input);
    if (input.at == input.end || (*input.at != '{' && *input.at != '['))
        return NULL;
    json_t *value = read_value(&input);
    skip_space(&input);
    return input.at == input.end ? value : NULL;
}
