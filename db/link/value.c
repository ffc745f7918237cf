#include "db/link/value.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Object identifiers of pg_catalog's types, the same in every database. */
enum { TYPE_BYTEA = 17, TYPE_BIGINT = 20, TYPE_INTEGER = 23, TYPE_TEXT = 25, TYPE_UUID = 2950 };

struct value value_id(const struct id *id, const char *instead)
{
    return TEXT(id->text[0] == '\0' ? instead : id->text);
}

struct value value_positive(unsigned number)
{
    return number == 0 ? TEXT(NULL) : NUMBER(number);
}

static void add(struct value_parameters *list, const void *value, size_t length, int format)
{
    assert(list->count < VALUES_MAX && length <= INT32_MAX);
    list->value[list->count] = value;
    list->length[list->count] = (int)length;
    list->format[list->count] = format;
    list->count++;
}

/* ---- Arrays ---- */

static uint8_t *put_bytes(uint8_t *at, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        at[i] = (uint8_t)(number >> (8 * (size - 1 - i)));
    return at + size;
}

static uint8_t *put_number(uint8_t *at, size_t number)
{
    assert(number <= INT32_MAX);
    return put_bytes(at, number, 4);
}

/* An id that is "" is NULL. */
static bool is_null(unsigned type, const struct span *element)
{
    return type == TYPE_UUID && element->length == 0;
}

/* Adds an array in the form of array_recv() in PostgreSQL: dimensions, has-null flag, element type;
 * then size and lower bound of the dimension; then each element with its length, all ones for NULL.
 * All numbers are big-endian. */
static void add_array(struct value_parameters *list, struct arena *arena, unsigned type,
                      const struct span *elements, size_t count)
{
    size_t size = 20;
    bool nulls = false;
    for (size_t i = 0; i < count; i++) {
        size += 4 + elements[i].length;
        nulls = nulls || is_null(type, &elements[i]);
    }
    uint8_t *bytes = arena_take(arena, size);
    uint8_t *at = put_number(bytes, 1);
    at = put_number(at, nulls ? 1 : 0);
    at = put_number(at, type);
    at = put_number(at, count);
    at = put_number(at, 1);
    for (size_t i = 0; i < count; i++) {
        if (is_null(type, &elements[i])) {
            memset(at, UINT8_MAX, 4);
            at += 4;
            continue;
        }
        at = put_number(at, elements[i].length);
        if (elements[i].length > 0)
            memcpy(at, elements[i].at, elements[i].length);
        at += elements[i].length;
    }
    add(list, bytes, size, 1);
}

/* Writes one id or number, in `size` bytes, as the server takes it; false for no id. */
static bool put_element(uint8_t *bytes, const struct value *array, size_t i, size_t size)
{
    if (array->kind == VALUE_ARRAY_ID) {
        const struct id *id = (const struct id *)array->at + i;
        if (id->text[0] == '\0')
            return false;
        id_to_bytes(id, bytes);
    } else if (array->kind == VALUE_ARRAY_INTEGER) {
        int32_t number = ((const int32_t *)array->at)[i];
        assert(number >= 0);
        put_bytes(bytes, (uint64_t)number, size);
    } else {
        put_bytes(bytes, (uint64_t)((const int64_t *)array->at)[i], size);
    }
    return true;
}

static void add_fixed(struct value_parameters *list, struct arena *arena, unsigned type,
                      const struct value *array, size_t size)
{
    uint8_t *bytes = arena_array(arena, array->size, size);
    struct span *elements = arena_array(arena, array->size, sizeof *elements);
    for (size_t i = 0; i < array->size; i++)
        if (put_element(bytes + i * size, array, i, size))
            elements[i] = (struct span){(const char *)bytes + i * size, size};
    add_array(list, arena, type, elements, array->size);
}

/* ---- The list ---- */

static void add_value(struct value_parameters *list, struct arena *arena, const struct value *value)
{
    char *number = list->number[list->count];
    switch (value->kind) {
    case VALUE_TEXT:
        add(list, value->at, 0, 0);
        break;
    case VALUE_BYTES:
        add(list, value->at, value->size, 1);
        break;
    case VALUE_NUMBER:
        snprintf(number, sizeof list->number[0], "%lld", (long long)value->number);
        add(list, number, 0, 0);
        break;
    case VALUE_ARRAY_TEXT:
        add_array(list, arena, TYPE_TEXT, value->at, value->size);
        break;
    case VALUE_ARRAY_BYTES:
        add_array(list, arena, TYPE_BYTEA, value->at, value->size);
        break;
    case VALUE_ARRAY_ID:
        add_fixed(list, arena, TYPE_UUID, value, ID_BYTES);
        break;
    case VALUE_ARRAY_INTEGER:
        add_fixed(list, arena, TYPE_INTEGER, value, sizeof(int32_t));
        break;
    case VALUE_ARRAY_BIGINT:
        add_fixed(list, arena, TYPE_BIGINT, value, sizeof(int64_t));
        break;
    case VALUE_END:
        break;
    }
}

void value_list(const struct value *values, struct arena *arena, struct value_parameters *list)
{
    list->count = 0;
    for (; values != NULL && values->kind != VALUE_END; values++)
        add_value(list, arena, values);
}
