/* The part of Jansson that games use for views, events and advice: Debian has no Jansson for
 * WebAssembly. engine/wasm/practice/json.c has the functions; the verifier uses only the type. They
 * follow Jansson's documentation, except that values are not freed individually: every value stays
 * until json_forget_all(). */
#ifndef TILLROLL_WASM_JANSSON_H
#define TILLROLL_WASM_JANSSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_t json_t;
typedef int64_t json_int_t;

json_t *json_object(void);
json_t *json_array(void);
json_t *json_string(const char *value);
json_t *json_stringn(const char *value, size_t length);
json_t *json_integer(json_int_t value);
json_t *json_boolean(bool value);
json_t *json_null(void);

/* Supports only lists of integers: `[i,i]`. */
json_t *json_pack(const char *format, ...);

int json_object_set(json_t *object, const char *key, json_t *value);
int json_object_set_new(json_t *object, const char *key, json_t *value);
json_t *json_object_get(const json_t *object, const char *key);
int json_array_append_new(json_t *array, json_t *value);
json_t *json_array_get(const json_t *array, size_t i);
size_t json_array_size(const json_t *array);

bool json_is_object(const json_t *value);
bool json_is_integer(const json_t *value);
bool json_is_true(const json_t *value);
bool json_is_null(const json_t *value);
json_int_t json_integer_value(const json_t *value);
const char *json_string_value(const json_t *value);
size_t json_string_length(const json_t *value);

void *json_object_iter(json_t *object);
void *json_object_iter_next(json_t *object, void *at);
const char *json_object_iter_key(void *at);
json_t *json_object_iter_value(void *at);

static inline void json_decref(json_t *value)
{
    (void)value;
}

#define json_object_foreach(object, key, value)                                                    \
    for (void *json_at = json_object_iter(object);                                                 \
         json_at != NULL &&                                                                        \
         ((key) = json_object_iter_key(json_at), (value) = json_object_iter_value(json_at), true); \
         json_at = json_object_iter_next(object, json_at))

#define json_array_foreach(array, i, value)                                                        \
    for ((i) = 0; (i) < json_array_size(array) && ((value) = json_array_get(array, i)) != NULL;    \
         (i)++)

#endif
