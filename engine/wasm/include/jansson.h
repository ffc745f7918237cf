/* The part of Jansson that the engine uses: Debian has no Jansson for WebAssembly.
 * engine/wasm/json.c has the functions; the verifier of records uses only the type. They follow
 * Jansson's documentation, with these exceptions: values are not freed individually, but stay until
 * json_forget_all(); reals are refused, because nothing that is stored or proved has any; and text
 * nests at most JSON_DEPTH levels deep. Running out of memory traps. */
#ifndef TILLROLL_WASM_JANSSON_H
#define TILLROLL_WASM_JANSSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_t json_t;
typedef int64_t json_int_t;

/* All writing is compact. */
enum {
    JSON_COMPACT = 0,
    JSON_REJECT_DUPLICATES = 1,
    JSON_SORT_KEYS = 2,
    JSON_DEPTH = 2048, /* as Jansson */
    JSON_ERROR_TEXT_LENGTH = 64
};

typedef enum {
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_STRING,
    JSON_INTEGER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
} json_type;

typedef struct json_error_t {
    int line, column; /* both 1: only engine/base/json.c shows them, and not in a browser */
    char text[JSON_ERROR_TEXT_LENGTH];
} json_error_t;

json_t *json_object(void);
json_t *json_array(void);
json_t *json_string(const char *value);
json_t *json_stringn(const char *value, size_t length);
json_t *json_integer(json_int_t value);
json_t *json_boolean(bool value);
json_t *json_true(void);
json_t *json_false(void);
json_t *json_null(void);

/* Supports objects, lists and `s`, `s%`, `i`, `I`, `b`, `n`, `o`, `O`. */
json_t *json_pack(const char *format, ...);

int json_object_set(json_t *object, const char *key, json_t *value);
int json_object_set_new(json_t *object, const char *key, json_t *value);
int json_object_del(json_t *object, const char *key);
json_t *json_object_get(const json_t *object, const char *key);
size_t json_object_size(const json_t *object);
int json_array_append(json_t *array, json_t *value);
int json_array_append_new(json_t *array, json_t *value);
int json_array_set_new(json_t *array, size_t i, json_t *value);
json_t *json_array_get(const json_t *array, size_t i);
size_t json_array_size(const json_t *array);

json_type json_typeof(const json_t *value);
bool json_is_object(const json_t *value);
bool json_is_array(const json_t *value);
bool json_is_string(const json_t *value);
bool json_is_integer(const json_t *value);
bool json_is_boolean(const json_t *value);
bool json_is_true(const json_t *value);
bool json_is_null(const json_t *value);
json_int_t json_integer_value(const json_t *value);
const char *json_string_value(const json_t *value);
size_t json_string_length(const json_t *value);

int json_equal(const json_t *one, const json_t *other);
json_t *json_deep_copy(const json_t *value);

/* The flags of json_loadb() are without effect: repeated keys are always rejected. */
json_t *json_loadb(const char *bytes, size_t length, size_t flags, json_error_t *error);
size_t json_dumpb(const json_t *value, char *bytes, size_t size, size_t flags);
char *json_dumps(const json_t *value, size_t flags);

void *json_object_iter(json_t *object);
void *json_object_iter_next(json_t *object, void *at);
const char *json_object_iter_key(void *at);
json_t *json_object_iter_value(void *at);

static inline json_t *json_incref(json_t *value)
{
    return value;
}

static inline void json_decref(json_t *value)
{
    (void)value;
}

static inline void json_set_alloc_funcs(void *(*take)(size_t size), void (*release)(void *bytes))
{
    (void)take;
    (void)release;
}

static inline void json_object_seed(size_t seed)
{
    (void)seed;
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
