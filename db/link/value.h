/* Inside db/ only: the values of a statement's parameters. */
#ifndef TILLROLL_DB_LINK_VALUE_H
#define TILLROLL_DB_LINK_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "db/link/id.h"
#include "engine/base/arena.h"

/* A value for $1, $2 .. of a statement. The memory it points to is borrowed until the statement has
 * run. */
struct value {
    enum {
        VALUE_END,
        VALUE_TEXT,
        VALUE_BYTES,
        VALUE_NUMBER,
        VALUE_ARRAY_TEXT,
        VALUE_ARRAY_BYTES,
        VALUE_ARRAY_ID,
        VALUE_ARRAY_INTEGER,
        VALUE_ARRAY_BIGINT
    } kind;
    const void *at; /* NULL = SQL NULL, except for numbers and arrays */
    size_t size;    /* bytes, or elements of an array */
    int64_t number;
};

enum { VALUES_MAX = 20 };

/* The values of a statement, in order: `WITH(ID(&player), NUMBER(now_ms))`. They live as long as
 * the enclosing block. A statement without parameters takes NULL. */
#define WITH(...) ((const struct value[]){__VA_ARGS__, {.kind = VALUE_END}})

#define VALUE_OF(...)                ((struct value){__VA_ARGS__})
#define VALUE_POINTER(type, pointer) (1 ? (pointer) : (const type *)NULL) /* checks the type */
#define TEXT(string)                                                                               \
    VALUE_OF(.kind = VALUE_TEXT, .at = VALUE_POINTER(char, string)) /* NULL = NULL */
#define BYTES(bytes, length)                                                                       \
    VALUE_OF(.kind = VALUE_BYTES, .at = VALUE_POINTER(uint8_t, bytes),                             \
             .size = (length)) /* NULL = NULL */
#define NUMBER(whole)   VALUE_OF(.kind = VALUE_NUMBER, .number = (int64_t)(whole))
#define FLAG(condition) TEXT((condition) ? "t" : "f")
#define ID(id)          value_id((id), NULL) /* "" = NULL */
struct value value_id(const struct id *id, const char *instead);

/* 0 = NULL. */
#define POSITIVE(whole) value_positive(whole)
struct value value_positive(unsigned number);

/* Keys of paged lists: "" stands for an id before, or after, all others. */
#define AFTER(id)  value_id((id), "00000000-0000-0000-0000-000000000000")
#define BEFORE(id) value_id((id), "ffffffff-ffff-ffff-ffff-ffffffffffff")

/* Arrays of text and of bytea, from spans; of uuid, integer and bigint, from struct id, int32_t and
 * int64_t. An id that is "" is NULL. The numbers of INTEGERS() may not be negative. */
#define TEXTS(spans, count)                                                                        \
    VALUE_OF(.kind = VALUE_ARRAY_TEXT, .at = VALUE_POINTER(struct span, spans), .size = (count))
#define BYTE_STRINGS(spans, count)                                                                 \
    VALUE_OF(.kind = VALUE_ARRAY_BYTES, .at = VALUE_POINTER(struct span, spans), .size = (count))
#define IDS(ids, count)                                                                            \
    VALUE_OF(.kind = VALUE_ARRAY_ID, .at = VALUE_POINTER(struct id, ids), .size = (count))
#define INTEGERS(numbers, count)                                                                   \
    VALUE_OF(.kind = VALUE_ARRAY_INTEGER, .at = VALUE_POINTER(int32_t, numbers), .size = (count))
#define BIGINTS(numbers, count)                                                                    \
    VALUE_OF(.kind = VALUE_ARRAY_BIGINT, .at = VALUE_POINTER(int64_t, numbers), .size = (count))

/* A list of values in the form that libpq takes. */
struct value_parameters {
    int count;
    const char *value[VALUES_MAX];
    int length[VALUES_MAX];
    int format[VALUES_MAX]; /* 0 text, 1 binary */
    char number[VALUES_MAX][24];
};

/* Lists values, at most VALUES_MAX; NULL for none. The list borrows from them, and from `arena`,
 * which holds the bytes of arrays; it must not be copied. */
void value_list(const struct value *values, struct arena *arena, struct value_parameters *list);

#endif
