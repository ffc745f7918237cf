#include "engine/view_reading.h"

#include <assert.h>

struct span view_read_text(const json_t *value)
{
    const char *string = json_string_value(value);
    return span_of(string == NULL ? "" : string);
}

uint8_t view_read_number(const json_t *value)
{
    json_int_t number = json_integer_value(value);
    return number > 0 && number < VIEW_READ_NONE ? (uint8_t)number : 0;
}

void view_read_counts(json_t *object, view_read_find *find, uint8_t *counts)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        uint8_t index = find(span_of(key));
        if (index != VIEW_READ_NONE)
            counts[index] = view_read_number(value);
    }
}

uint32_t view_read_set(const json_t *list, view_read_find *find)
{
    uint32_t set = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint8_t index = find(view_read_text(json_array_get(list, i)));
        if (index == VIEW_READ_NONE)
            continue;
        assert(index < 32);
        set |= UINT32_C(1) << index;
    }
    return set;
}
