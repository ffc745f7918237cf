/* Inside engine/wasm/json*.c only: what a value is (engine/wasm/include/jansson.h). */
#ifndef TILLROLL_ENGINE_WASM_JSON_VALUE_H
#define TILLROLL_ENGINE_WASM_JSON_VALUE_H

#include <jansson.h>

#include "engine/base/text.h"

struct json_member {
    struct span key; /* ends with NUL */
    json_t *value;
};

struct json_t {
    json_type type;
    json_int_t integer;
    struct span string; /* ends with NUL */
    size_t count, room; /* members or items, and how many fit */
    json_t **items;
    struct json_member *members; /* in the order in which they were added */
    uint32_t *slots;             /* of an object with many members, a hash table: 1 + index */
    size_t slot_count;           /* a power of two */
};

/* The member with this key, or NULL; also if the value is not an object. */
struct json_member *json_member_of(const json_t *object, struct span key);

/* Adds a member whose key the object does not have. */
void json_member_add(json_t *object, struct span key, json_t *value);

#endif
