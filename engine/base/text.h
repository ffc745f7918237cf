/* Slices of text, and bounded writing of text. Nothing here allocates.
 *
 * A `struct span` borrows bytes that other code owns. A `struct text` writes into a buffer that the
 * caller owns, always NUL-terminated. A piece that does not fit sets `overflow` and is dropped
 * whole, so a caller checks once at the end instead of at every step.
 */
#ifndef TILLROLL_ENGINE_BASE_TEXT_H
#define TILLROLL_ENGINE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
    const char *at;
    size_t length;
};

struct text {
    char *at;
    size_t length;   /* bytes written, without the NUL */
    size_t capacity; /* bytes of the buffer, NUL included; at least 1 */
    bool overflow;
};

/* A text over a char array that the caller declared. */
#define TEXT_OVER(array) ((struct text){(array), 0, sizeof(array), ((array)[0] = '\0', false)})

/* The span of a string literal, usable in static tables. */
#define SPAN_LITERAL(literal)                                                                      \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

static inline struct span span_of(const char *string)
{
    return (struct span){string, strlen(string)};
}

static inline bool span_equal(struct span a, struct span b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

static inline bool span_is(struct span a, const char *string)
{
    return span_equal(a, span_of(string));
}

/* True if it is one of the words, which end with NULL; NULL: none. */
static inline bool span_is_any(struct span a, const char *const *words)
{
    for (; words != NULL && *words != NULL; words++)
        if (span_is(a, *words))
            return true;
    return false;
}

/* Compares bytes like strcmp: negative, 0 or positive. */
int span_compare(struct span a, struct span b);

/* Takes the first word (up to a space or the end) off `rest` and returns it; skips one space after
 * it. Returns an empty span when `rest` is empty. */
static inline struct span span_word(struct span *rest)
{
    struct span word = {rest->at, 0};
    while (word.length < rest->length && word.at[word.length] != ' ')
        word.length++;
    size_t cut = word.length < rest->length ? word.length + 1 : word.length;
    if (cut > 0)
        rest->at += cut;
    rest->length -= cut;
    return word;
}

/* Takes the first line off `rest`, without its LF. False at the end. A last line without LF
 * counts. */
bool span_line(struct span *rest, struct span *line);

/* Takes the last line off the end of `rest`, without its LF, if it has one. False at the
 * beginning. */
bool span_last_line(struct span *rest, struct span *line);

/* A decimal number without sign or leading zero, 0 .. max. False if `a` is anything else. */
bool span_number(struct span a, uint64_t max, uint64_t *value);

/* Exactly `size` bytes as 2 * size lower-case hex digits. False if `a` is anything else. */
bool span_hex(struct span a, uint8_t *bytes, size_t size);

/* The same with a minus sign allowed for values below 0: -max .. max, no `-0`. */
bool span_integer(struct span a, int64_t max, int64_t *value);

void text_clear(struct text *text);

static inline void text_add_span(struct text *text, struct span span)
{
    if (text->overflow || span.length >= text->capacity - text->length) {
        text->overflow = text->overflow || span.length > 0;
        return;
    }
    if (span.length > 0)
        memcpy(text->at + text->length, span.at, span.length);
    text->length += span.length;
    text->at[text->length] = '\0';
}

static inline void text_add(struct text *text, const char *string)
{
    text_add_span(text, span_of(string));
}

/* Appends several strings, one after the other. */
#define text_add_all(text, ...)                                                                    \
    text_add_strings((text), (const char *const[]){__VA_ARGS__},                                   \
                     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static inline void text_add_strings(struct text *text, const char *const *strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_add(text, strings[i]);
}

static inline void text_add_char(struct text *text, char c)
{
    if (text->overflow || text->capacity - text->length <= 1) {
        text->overflow = true;
        return;
    }
    text->at[text->length++] = c;
    text->at[text->length] = '\0';
}

void text_add_number(struct text *text, int64_t number);
void text_add_hex(struct text *text, const uint8_t *bytes, size_t size);

/* The same, with LF after it. */

static inline void text_add_span_line(struct text *text, struct span span)
{
    text_add_span(text, span);
    text_add_char(text, '\n');
}

static inline void text_add_line(struct text *text, const char *string)
{
    text_add_span_line(text, span_of(string));
}

static inline void text_add_number_line(struct text *text, int64_t number)
{
    text_add_number(text, number);
    text_add_char(text, '\n');
}

static inline void text_add_hex_line(struct text *text, const uint8_t *bytes, size_t size)
{
    text_add_hex(text, bytes, size);
    text_add_char(text, '\n');
}

static inline struct span text_span(const struct text *text)
{
    return (struct span){text->at, text->length};
}

/* Base 64 with padding (RFC 4648 section 4), as C2SP's formats use it. */

/* Appends `size` (at most 256) bytes. */
void text_add_base64(struct text *text, const uint8_t *bytes, size_t size);

/* Reads at most `max` bytes in their canonical encoding. False if `a` is anything else. */
bool span_base64(struct span a, uint8_t *bytes, size_t max, size_t *size);

#endif
