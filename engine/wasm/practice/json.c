/* Values lie in one buffer, one after the other, and are freed all at once. A value is in at most
 * one list or object and points to its successor there. Running out of space, or a use that the
 * games do not make, traps. */
#include "engine/wasm/practice/json.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

enum { ROOM = 4 * 1024 * 1024, ALIGNMENT = 8 };

enum kind { KIND_NULL, KIND_FALSE, KIND_TRUE, KIND_INTEGER, KIND_STRING, KIND_ARRAY, KIND_OBJECT };

struct json_t {
    enum kind kind;
    json_int_t integer;
    struct span string;
    json_t *first, *last; /* its members */
    size_t count;         /* number of members */
    const char *key;      /* its name within an object */
    json_t *next;         /* next value in the list or object */
};

static _Alignas(ALIGNMENT) char room[ROOM];
static size_t used;

/* ---- Making ---- */

static void *take(size_t size)
{
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    assert(rounded <= sizeof room - used);
    void *taken = room + used;
    used += rounded;
    return taken;
}

static json_t *make(enum kind kind)
{
    json_t *made = take(sizeof *made);
    *made = (json_t){.kind = kind};
    return made;
}

static const char *copy(const char *bytes, size_t length)
{
    char *made = take(length + 1);
    memcpy(made, bytes, length);
    made[length] = '\0';
    return made;
}

json_t *json_object(void)
{
    return make(KIND_OBJECT);
}

json_t *json_array(void)
{
    return make(KIND_ARRAY);
}

json_t *json_stringn(const char *value, size_t length)
{
    json_t *made = make(KIND_STRING);
    made->string = (struct span){copy(value, length), length};
    return made;
}

json_t *json_string(const char *value)
{
    return json_stringn(value, strlen(value));
}

json_t *json_integer(json_int_t value)
{
    json_t *made = make(KIND_INTEGER);
    made->integer = value;
    return made;
}

json_t *json_boolean(bool value)
{
    return make(value ? KIND_TRUE : KIND_FALSE);
}

json_t *json_null(void)
{
    return make(KIND_NULL);
}

static void append(json_t *whole, json_t *part)
{
    if (whole->last == NULL)
        whole->first = part;
    else
        whole->last->next = part;
    whole->last = part;
    whole->count++;
}

int json_array_append_new(json_t *array, json_t *value)
{
    assert(array->kind == KIND_ARRAY && value != NULL && value->next == NULL);
    append(array, value);
    return 0;
}

int json_object_set_new(json_t *object, const char *key, json_t *value)
{
    assert(object->kind == KIND_OBJECT && value != NULL && value->next == NULL);
    json_t *there = json_object_get(object, key);
    if (there != NULL) {
        value->key = there->key;
        value->next = there->next;
        *there = *value;
        return 0;
    }
    value->key = copy(key, strlen(key));
    append(object, value);
    return 0;
}

/* The caller keeps its value, so a copy is added. */
int json_object_set(json_t *object, const char *key, json_t *value)
{
    json_t *same = make(value->kind);
    *same = *value;
    same->key = NULL;
    same->next = NULL;
    return json_object_set_new(object, key, same);
}

json_t *json_pack(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    json_t *array = json_array();
    for (; *format != '\0'; format++) {
        assert(strchr("[i,]", *format) != NULL);
        if (*format == 'i')
            json_array_append_new(array, json_integer(va_arg(arguments, int)));
    }
    va_end(arguments);
    return array;
}

/* ---- Reading: a value of another kind has no parts, number or text ---- */

static bool is(const json_t *value, enum kind kind)
{
    return value != NULL && value->kind == kind;
}

json_t *json_object_get(const json_t *object, const char *key)
{
    json_t *at = is(object, KIND_OBJECT) ? object->first : NULL;
    while (at != NULL && strcmp(at->key, key) != 0)
        at = at->next;
    return at;
}

json_t *json_array_get(const json_t *array, size_t i)
{
    json_t *at = is(array, KIND_ARRAY) ? array->first : NULL;
    while (at != NULL && i-- > 0)
        at = at->next;
    return at;
}

size_t json_array_size(const json_t *array)
{
    return is(array, KIND_ARRAY) ? array->count : 0;
}

bool json_is_object(const json_t *value)
{
    return is(value, KIND_OBJECT);
}

bool json_is_integer(const json_t *value)
{
    return is(value, KIND_INTEGER);
}

bool json_is_true(const json_t *value)
{
    return is(value, KIND_TRUE);
}

bool json_is_null(const json_t *value)
{
    return is(value, KIND_NULL);
}

json_int_t json_integer_value(const json_t *value)
{
    return is(value, KIND_INTEGER) ? value->integer : 0;
}

const char *json_string_value(const json_t *value)
{
    return is(value, KIND_STRING) ? value->string.at : NULL;
}

size_t json_string_length(const json_t *value)
{
    return is(value, KIND_STRING) ? value->string.length : 0;
}

void *json_object_iter(json_t *object)
{
    return is(object, KIND_OBJECT) ? object->first : NULL;
}

void *json_object_iter_next(json_t *object, void *at)
{
    (void)object;
    return ((json_t *)at)->next;
}

const char *json_object_iter_key(void *at)
{
    return ((json_t *)at)->key;
}

json_t *json_object_iter_value(void *at)
{
    return at;
}

/* ---- Writing ---- */

void json_write_string(struct span string, struct text *text)
{
    text_add_char(text, '"');
    for (size_t i = 0; i < string.length; i++) {
        const uint8_t byte = (uint8_t)string.at[i];
        if (byte == '"' || byte == '\\')
            text_add_char(text, '\\');
        if (byte >= 0x20) {
            text_add_char(text, string.at[i]);
            continue;
        }
        text_add(text, "\\u00");
        text_add_hex(text, &byte, 1);
    }
    text_add_char(text, '"');
}

static void write_value(const json_t *value, struct text *text);

static void write_parts(const json_t *value, struct text *text)
{
    bool named = value->kind == KIND_OBJECT;
    text_add_char(text, named ? '{' : '[');
    for (const json_t *at = value->first; at != NULL; at = at->next) {
        if (named) {
            json_write_string(span_of(at->key), text);
            text_add_char(text, ':');
        }
        write_value(at, text);
        if (at->next != NULL)
            text_add_char(text, ',');
    }
    text_add_char(text, named ? '}' : ']');
}

static void write_value(const json_t *value, struct text *text)
{
    static const char *const words[] = {
        [KIND_NULL] = "null", [KIND_FALSE] = "false", [KIND_TRUE] = "true"};
    if (value->kind == KIND_INTEGER)
        text_add_number(text, value->integer);
    else if (value->kind == KIND_STRING)
        json_write_string(value->string, text);
    else if (value->kind == KIND_ARRAY || value->kind == KIND_OBJECT)
        write_parts(value, text);
    else
        text_add(text, words[value->kind]);
}

const char *json_answer(const json_t *value, struct text text)
{
    write_value(value, &text);
    assert(!text.overflow);
    used = 0;
    return text.at;
}
