/* Values lie in blocks, one after the other, and are freed all at once. Lists and objects refer to
 * their members, so that a value can be in several. Running out of memory traps. */
#include "engine/wasm/json.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/wasm/json_value.h"

enum {
    BLOCK = 256 * 1024,
    ALIGNMENT = 8,
    LISTED = 8 /* members of an object that are found without slots */
};

struct block {
    struct block *next;
    size_t used, size;
    _Alignas(ALIGNMENT) char bytes[];
};

static struct block *blocks; /* the newest first */

/* ---- Memory ---- */

static void *take(size_t size)
{
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (blocks == NULL || rounded > blocks->size - blocks->used) {
        size_t room = rounded > BLOCK ? rounded : BLOCK;
        struct block *block = malloc(sizeof *block + room);
        assert(block != NULL);
        block->next = blocks;
        block->used = 0;
        block->size = room;
        blocks = block;
    }
    void *taken = blocks->bytes + blocks->used;
    blocks->used += rounded;
    return taken;
}

void json_forget_all(void)
{
    while (blocks != NULL) {
        struct block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

/* Returns `size` bytes that begin with the first `used` of `bytes`. */
static void *take_longer(const void *bytes, size_t used, size_t size)
{
    void *longer = take(size);
    if (used > 0)
        memcpy(longer, bytes, used);
    return longer;
}

static const char *copy(const char *bytes, size_t length)
{
    char *made = take(length + 1);
    memcpy(made, bytes, length);
    made[length] = '\0';
    return made;
}

/* ---- Making ---- */

static json_t *make(json_type type)
{
    json_t *made = take(sizeof *made);
    *made = (json_t){.type = type};
    return made;
}

json_t *json_object(void)
{
    return make(JSON_OBJECT);
}

json_t *json_array(void)
{
    return make(JSON_ARRAY);
}

json_t *json_stringn(const char *value, size_t length)
{
    json_t *made = make(JSON_STRING);
    made->string = (struct span){copy(value, length), length};
    return made;
}

json_t *json_string(const char *value)
{
    return json_stringn(value, strlen(value));
}

json_t *json_integer(json_int_t value)
{
    json_t *made = make(JSON_INTEGER);
    made->integer = value;
    return made;
}

json_t *json_boolean(bool value)
{
    return make(value ? JSON_TRUE : JSON_FALSE);
}

json_t *json_true(void)
{
    return make(JSON_TRUE);
}

json_t *json_false(void)
{
    return make(JSON_FALSE);
}

json_t *json_null(void)
{
    return make(JSON_NULL);
}

/* ---- Lists ---- */

int json_array_append(json_t *array, json_t *value)
{
    assert(array->type == JSON_ARRAY && value != NULL);
    if (array->count == array->room) {
        size_t room = array->room == 0 ? 4 : 2 * array->room;
        array->items =
            take_longer(array->items, array->count * sizeof(json_t *), room * sizeof(json_t *));
        array->room = room;
    }
    array->items[array->count++] = value;
    return 0;
}

int json_array_append_new(json_t *array, json_t *value)
{
    return json_array_append(array, value);
}

int json_array_set_new(json_t *array, size_t i, json_t *value)
{
    assert(array->type == JSON_ARRAY && i < array->count && value != NULL);
    array->items[i] = value;
    return 0;
}

/* ---- Objects ---- */

/* FNV-1a. */
static uint32_t hash_of(struct span key)
{
    uint32_t hash = 2166136261U;
    for (size_t i = 0; i < key.length; i++)
        hash = (hash ^ (uint8_t)key.at[i]) * 16777619U;
    return hash;
}

/* The slot that has the member with this key, or where it would be. */
static uint32_t *slot_of(const json_t *object, struct span key)
{
    size_t at = hash_of(key) & (object->slot_count - 1);
    while (object->slots[at] != 0 && !span_equal(object->members[object->slots[at] - 1].key, key))
        at = (at + 1) & (object->slot_count - 1);
    return &object->slots[at];
}

/* Makes slots for all members, at most half of which will be used. */
static void fill_slots(json_t *object)
{
    object->slot_count = 4 * object->room;
    object->slots = take(object->slot_count * sizeof *object->slots);
    memset(object->slots, 0, object->slot_count * sizeof *object->slots);
    for (size_t i = 0; i < object->count; i++)
        *slot_of(object, object->members[i].key) = (uint32_t)(i + 1);
}

struct json_member *json_member_of(const json_t *object, struct span key)
{
    if (object == NULL || object->type != JSON_OBJECT)
        return NULL;
    if (object->slots != NULL) {
        uint32_t slot = *slot_of(object, key);
        return slot == 0 ? NULL : &object->members[slot - 1];
    }
    for (size_t i = 0; i < object->count; i++)
        if (span_equal(object->members[i].key, key))
            return &object->members[i];
    return NULL;
}

void json_member_add(json_t *object, struct span key, json_t *value)
{
    assert(object->type == JSON_OBJECT && value != NULL);
    bool grows = object->count == object->room;
    if (grows) {
        object->room = object->room == 0 ? LISTED : 2 * object->room;
        object->members = take_longer(object->members, object->count * sizeof *object->members,
                                      object->room * sizeof *object->members);
    }
    object->members[object->count++] =
        (struct json_member){{copy(key.at, key.length), key.length}, value};
    if (grows && object->room > LISTED)
        fill_slots(object);
    else if (object->slots != NULL)
        *slot_of(object, key) = (uint32_t)object->count;
}

int json_object_set(json_t *object, const char *key, json_t *value)
{
    struct json_member *member = json_member_of(object, span_of(key));
    if (member == NULL)
        json_member_add(object, span_of(key), value);
    else
        member->value = value;
    return 0;
}

int json_object_set_new(json_t *object, const char *key, json_t *value)
{
    return json_object_set(object, key, value);
}

int json_object_del(json_t *object, const char *key)
{
    struct json_member *member = json_member_of(object, span_of(key));
    if (member == NULL)
        return -1;
    size_t after = (size_t)(object->members + object->count - member) - 1;
    memmove(member, member + 1, after * sizeof *member);
    object->count--;
    if (object->slots != NULL)
        fill_slots(object);
    return 0;
}

/* ---- Making by a format ---- */

static json_t *pack(const char **format, va_list *arguments);

static json_t *pack_string(const char **format, va_list *arguments)
{
    const char *text = va_arg(*arguments, const char *);
    if ((*format)[0] != '%')
        return json_string(text);
    ++*format;
    return json_stringn(text, va_arg(*arguments, size_t));
}

static const char *skip(const char *format)
{
    return format + strspn(format, " ,:");
}

static json_t *pack_members(const char **format, va_list *arguments)
{
    json_t *object = json_object();
    while (**format != '}') {
        assert(**format == 's');
        const char *key = va_arg(*arguments, const char *);
        *format = skip(*format + 1);
        json_object_set(object, key, pack(format, arguments));
        *format = skip(*format);
    }
    ++*format;
    return object;
}

static json_t *pack_items(const char **format, va_list *arguments)
{
    json_t *array = json_array();
    while (**format != ']') {
        json_array_append(array, pack(format, arguments));
        *format = skip(*format);
    }
    ++*format;
    return array;
}

static json_t *pack(const char **format, va_list *arguments)
{
    switch (*(*format)++) {
    case '{':
        return pack_members(format, arguments);
    case '[':
        return pack_items(format, arguments);
    case 's':
        return pack_string(format, arguments);
    case 'i':
        return json_integer(va_arg(*arguments, int));
    case 'I':
        return json_integer(va_arg(*arguments, json_int_t));
    case 'b':
        return json_boolean(va_arg(*arguments, int) != 0);
    case 'n':
        return json_null();
    case 'o':
    case 'O':
        return va_arg(*arguments, json_t *);
    default:
        abort();
    }
}

json_t *json_pack(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    json_t *made = pack(&format, &arguments);
    va_end(arguments);
    return made;
}

/* ---- Reading: a value of another type has no parts, number or text ---- */

static bool is(const json_t *value, json_type type)
{
    return value != NULL && value->type == type;
}

json_type json_typeof(const json_t *value)
{
    return value->type;
}

json_t *json_object_get(const json_t *object, const char *key)
{
    const struct json_member *member = json_member_of(object, span_of(key));
    return member == NULL ? NULL : member->value;
}

size_t json_object_size(const json_t *object)
{
    return is(object, JSON_OBJECT) ? object->count : 0;
}

json_t *json_array_get(const json_t *array, size_t i)
{
    return is(array, JSON_ARRAY) && i < array->count ? array->items[i] : NULL;
}

size_t json_array_size(const json_t *array)
{
    return is(array, JSON_ARRAY) ? array->count : 0;
}

bool json_is_object(const json_t *value)
{
    return is(value, JSON_OBJECT);
}

bool json_is_array(const json_t *value)
{
    return is(value, JSON_ARRAY);
}

bool json_is_string(const json_t *value)
{
    return is(value, JSON_STRING);
}

bool json_is_integer(const json_t *value)
{
    return is(value, JSON_INTEGER);
}

bool json_is_boolean(const json_t *value)
{
    return is(value, JSON_TRUE) || is(value, JSON_FALSE);
}

bool json_is_true(const json_t *value)
{
    return is(value, JSON_TRUE);
}

bool json_is_null(const json_t *value)
{
    return is(value, JSON_NULL);
}

json_int_t json_integer_value(const json_t *value)
{
    return is(value, JSON_INTEGER) ? value->integer : 0;
}

const char *json_string_value(const json_t *value)
{
    return is(value, JSON_STRING) ? value->string.at : NULL;
}

size_t json_string_length(const json_t *value)
{
    return is(value, JSON_STRING) ? value->string.length : 0;
}

void *json_object_iter(json_t *object)
{
    return is(object, JSON_OBJECT) && object->count > 0 ? object->members : NULL;
}

void *json_object_iter_next(json_t *object, void *at)
{
    struct json_member *next = (struct json_member *)at + 1;
    return next == object->members + object->count ? NULL : next;
}

const char *json_object_iter_key(void *at)
{
    return ((struct json_member *)at)->key.at;
}

json_t *json_object_iter_value(void *at)
{
    return ((struct json_member *)at)->value;
}

/* ---- Comparing and copying ---- */

int json_equal(const json_t *one, const json_t *other)
{
    if (one == NULL || other == NULL || one->type != other->type || one->count != other->count)
        return 0;
    if (one->type == JSON_INTEGER)
        return one->integer == other->integer;
    if (one->type == JSON_STRING)
        return span_equal(one->string, other->string);
    for (size_t i = 0; one->type == JSON_ARRAY && i < one->count; i++)
        if (json_equal(one->items[i], other->items[i]) == 0)
            return 0;
    for (size_t i = 0; one->type == JSON_OBJECT && i < one->count; i++) {
        const struct json_member *member = json_member_of(other, one->members[i].key);
        if (member == NULL || json_equal(one->members[i].value, member->value) == 0)
            return 0;
    }
    return 1;
}

json_t *json_deep_copy(const json_t *value)
{
    if (value == NULL)
        return NULL;
    json_t *same = make(value->type);
    same->integer = value->integer;
    same->string = value->string; /* its bytes never change */
    for (size_t i = 0; value->type == JSON_ARRAY && i < value->count; i++)
        json_array_append(same, json_deep_copy(value->items[i]));
    for (size_t i = 0; value->type == JSON_OBJECT && i < value->count; i++)
        json_member_add(same, value->members[i].key, json_deep_copy(value->members[i].value));
    return same;
}
