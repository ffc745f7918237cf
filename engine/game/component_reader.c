#include "engine/game/component_reader.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- Faults ---- */

static unsigned line_of(const struct component_reader *reader, uint32_t at)
{
    unsigned line = 1;
    for (uint32_t i = 0; i < at && i < reader->text.length; i++)
        line += reader->text.at[i] == '\n';
    return line;
}

static void add_path(const struct component_reader *reader, component at, struct text *path)
{
    if (at == reader->node)
        return;
    const struct component_node *parent = reader->node + at->parent;
    add_path(reader, parent, path);
    text_add_char(path, '/');
    if (parent->kind == COMPONENT_OBJECT) {
        text_add_span(path, (struct span){reader->text.at + at->key, at->key_length});
        return;
    }
    unsigned place = 0;
    for (const struct component_node *one = parent + 1; one != at; one = reader->node + one->next)
        place++;
    text_add_number(path, place);
}

/* A fault of the text itself, in or after the node `at`; NULL = there is none yet. */
static void refuse_at(struct component_reader *reader, uint32_t place, component at,
                      const char *message)
{
    struct component_fault *fault = reader->fault;
    if (reader->faulty)
        return;
    reader->faulty = true;
    *fault = (struct component_fault){.line = line_of(reader, place)};
    struct text path = TEXT_OVER(fault->path);
    struct text text = TEXT_OVER(fault->message);
    if (at != NULL)
        add_path(reader, at, &path);
    text_add(&text, message);
}

void component_refuse(struct component_reader *reader, component at, ...)
{
    struct component_fault *fault = reader->fault;
    if (reader->faulty)
        return;
    reader->faulty = true;
    if (at == NULL)
        at = reader->node;
    *fault = (struct component_fault){.line = line_of(reader, at->start)};
    struct text path = TEXT_OVER(fault->path);
    struct text text = TEXT_OVER(fault->message);
    add_path(reader, at, &path);
    va_list parts;
    va_start(parts, at);
    for (const char *part; (part = va_arg(parts, const char *)) != NULL;)
        text_add(&text, part);
    va_end(parts);
}

bool component_good(const struct component_reader *reader)
{
    return !reader->faulty;
}

/* ---- Parsing: RFC 8259, with whole numbers only ---- */

enum { FEW_KEYS = 64 }; /* are compared at once */

struct parser {
    struct component_reader *reader;
    uint32_t at, room;
    uint32_t value; /* the node that is parsed */
};

static bool more(const struct parser *parser)
{
    return parser->at < parser->reader->text.length;
}

static char here(const struct parser *parser)
{
    return more(parser) ? parser->reader->text.at[parser->at] : '\0';
}

static void skip_space(struct parser *parser)
{
    while (more(parser) && (here(parser) == ' ' || here(parser) == '\n' || here(parser) == '\r' ||
                            here(parser) == '\t'))
        parser->at++;
}

static bool complain(struct parser *parser, const char *message)
{
    const struct component_reader *reader = parser->reader;
    refuse_at(parser->reader, parser->at, reader->nodes == 0 ? NULL : reader->node + parser->value,
              message);
    return false;
}

/* The length of a well-formed character of UTF-8 (RFC 3629), or 0. */
static uint32_t character_length(const unsigned char *at, size_t left)
{
    static const struct {
        unsigned char first, last, least, most; /* of the first byte, of the second */
        uint8_t length;
    } forms[] = {{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                 {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
                 {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
                 {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    if (at[0] < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (at[0] < forms[i].first || at[0] > forms[i].last || left < forms[i].length ||
            at[1] < forms[i].least || at[1] > forms[i].most)
            continue;
        for (uint8_t k = 2; k < forms[i].length; k++)
            if (at[k] < 0x80 || at[k] > 0xbf)
                return 0;
        return forms[i].length;
    }
    return 0;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool skip_escape(struct parser *parser)
{
    parser->at++;
    char c = here(parser);
    parser->at++;
    if (c == '\0' || strchr("\"\\/bfnrtu", c) == NULL)
        return complain(parser, "This backslash does not begin a JSON escape.");
    for (unsigned i = 0; c == 'u' && i < 4; i++, parser->at++)
        if (!is_hex(here(parser)))
            return complain(parser, "\\u must be followed by four hexadecimal digits.");
    return true;
}

/* The text between the quotes. */
static bool parse_string(struct parser *parser, uint32_t *start, uint32_t *length)
{
    if (here(parser) != '"')
        return complain(parser, "A string in double quotes is expected here.");
    *start = ++parser->at;
    while (more(parser) && here(parser) != '"') {
        const unsigned char *at = (const unsigned char *)parser->reader->text.at + parser->at;
        uint32_t bytes = character_length(at, parser->reader->text.length - parser->at);
        if (*at == '\\') {
            if (!skip_escape(parser))
                return false;
        } else if (bytes == 0) {
            return complain(parser, "This is not UTF-8.");
        } else if (*at < 0x20) {
            return complain(parser, "A string must end on the line where it begins.");
        } else {
            parser->at += bytes;
        }
    }
    if (!more(parser))
        return complain(parser, "The file ends inside a string.");
    *length = parser->at++ - *start;
    return true;
}

static bool parse_number(struct parser *parser, struct component_node *node)
{
    node->kind = COMPONENT_NUMBER;
    if (here(parser) == '-')
        parser->at++;
    uint32_t digits = parser->at;
    while (here(parser) >= '0' && here(parser) <= '9')
        parser->at++;
    if (parser->at == digits)
        return complain(parser, "No JSON value begins like this.");
    if (here(parser) == '.' || here(parser) == 'e' || here(parser) == 'E')
        return complain(parser, "Numbers must be whole here.");
    if (parser->at - digits > 9 ||
        (parser->at - digits > 1 && parser->reader->text.at[digits] == '0'))
        return complain(parser, "A number has at most nine digits, and no leading zero.");
    node->length = parser->at - node->start;
    return true;
}

static bool parse_word(struct parser *parser, struct component_node *node)
{
    static const struct {
        const char *word;
        uint8_t kind;
    } words[] = {{"true", COMPONENT_TRUE}, {"false", COMPONENT_FALSE}, {"null", COMPONENT_NULL}};
    size_t left = parser->reader->text.length - parser->at;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].word);
        if (length > left ||
            memcmp(parser->reader->text.at + parser->at, words[i].word, length) != 0)
            continue;
        node->kind = words[i].kind;
        node->length = (uint32_t)length;
        parser->at += node->length;
        return true;
    }
    return complain(parser, "No JSON value begins like this.");
}

static bool same_key(const struct component_reader *reader, const struct component_node *a,
                     const struct component_node *b)
{
    return span_equal((struct span){reader->text.at + a->key, a->key_length},
                      (struct span){reader->text.at + b->key, b->key_length});
}

static bool has_room(struct parser *parser)
{
    struct component_reader *reader = parser->reader;
    if (reader->nodes < parser->room)
        return true;
    if (reader->nodes == COMPONENT_NODES_MAX)
        return complain(parser, "The file has too many values.");
    uint32_t room = 2 * parser->room;
    void *nodes = realloc(reader->node, room * sizeof *reader->node);
    if (nodes == NULL)
        return complain(parser, "There is not enough memory to read the file.");
    reader->node = nodes;
    parser->room = room;
    return true;
}

static bool parse_value(struct parser *parser, uint32_t parent, unsigned depth,
                        struct component_node begun);

static bool complain_twice(struct parser *parser, uint32_t key)
{
    parser->at = key - 1;
    return complain(parser, "This key appears twice in its object.");
}

/* By length, bytes and place. */
static int compare_keys(const void *one, const void *other)
{
    const struct span *a = one, *b = other;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    int difference = a->length == 0 ? 0 : memcmp(a->at, b->at, a->length);
    if (difference != 0)
        return difference;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Finds duplicate keys of a complete object with too many keys to compare all pairs. */
static bool check_many_keys(struct parser *parser, uint32_t object)
{
    const struct component_reader *reader = parser->reader;
    size_t count = 0;
    struct span *keys = malloc(reader->node[object].count * sizeof *keys);
    if (keys == NULL)
        return complain(parser, "There is not enough memory to read the file.");
    for (uint32_t i = object + 1; i != 0; i = reader->node[i].next)
        keys[count++] =
            (struct span){reader->text.at + reader->node[i].key, reader->node[i].key_length};
    qsort(keys, count, sizeof *keys, compare_keys);
    const char *twice = NULL;
    for (size_t i = 1; i < count; i++)
        if (span_equal(keys[i - 1], keys[i]) && (twice == NULL || keys[i].at < twice))
            twice = keys[i].at;
    free(keys);
    return twice == NULL || complain_twice(parser, (uint32_t)(twice - reader->text.at));
}

static bool parse_key(struct parser *parser, uint32_t parent, struct component_node *begun)
{
    const struct component_reader *reader = parser->reader;
    const uint32_t before = reader->node[parent].count;
    if (!parse_string(parser, &begun->key, &begun->key_length))
        return false;
    for (uint32_t i = before > 0 && before < FEW_KEYS ? parent + 1 : 0; i != 0;
         i = reader->node[i].next)
        if (same_key(reader, &reader->node[i], begun))
            return complain_twice(parser, begun->key);
    skip_space(parser);
    if (here(parser) != ':')
        return complain(parser, "A colon is expected after a key.");
    parser->at++;
    skip_space(parser);
    return true;
}

static bool parse_all(struct parser *parser, uint32_t parent, unsigned depth)
{
    const bool object = here(parser) == '{';
    const char close = object ? '}' : ']';
    uint32_t last = 0;
    parser->at++;
    skip_space(parser);
    while (here(parser) != close || last != 0) {
        struct component_node begun = {0};
        if (object && !parse_key(parser, parent, &begun))
            return false;
        uint32_t index = parser->reader->nodes;
        if (last != 0)
            parser->reader->node[last].next = index;
        if (!parse_value(parser, parent, depth + 1, begun))
            return false;
        parser->value = parent;
        last = index;
        parser->reader->node[parent].count++;
        skip_space(parser);
        if (here(parser) == close)
            break;
        if (here(parser) != ',')
            return complain(parser, object ? "A comma or } is expected here."
                                           : "A comma or ] is expected here.");
        parser->at++;
        skip_space(parser);
    }
    parser->at++;
    return !object || parser->reader->node[parent].count <= FEW_KEYS ||
           check_many_keys(parser, parent);
}

static bool parse_value(struct parser *parser, uint32_t parent, unsigned depth,
                        struct component_node begun)
{
    const char first = here(parser);
    if (!has_room(parser))
        return false;
    if (depth > COMPONENT_DEPTH_MAX)
        return complain(parser, "The file nests too deeply.");
    const uint32_t index = parser->value = parser->reader->nodes++;
    struct component_node *node = &parser->reader->node[index];
    *node = begun;
    node->parent = parent;
    node->start = parser->at;
    if (first == '{' || first == '[') {
        node->kind = first == '{' ? COMPONENT_OBJECT : COMPONENT_ARRAY;
        return parse_all(parser, index, depth);
    }
    if (first == '"') {
        node->kind = COMPONENT_STRING;
        return parse_string(parser, &node->start, &node->length);
    }
    if (first == '-' || (first >= '0' && first <= '9'))
        return parse_number(parser, node);
    return parse_word(parser, node);
}

void component_begin(struct component_reader *reader, struct span text,
                     struct component_fault *fault)
{
    struct parser parser = {.reader = reader, .room = 1024};
    *reader = (struct component_reader){.text = text, .fault = fault};
    *fault = (struct component_fault){0};
    reader->node = malloc(parser.room * sizeof *reader->node);
    if (reader->node == NULL) {
        refuse_at(reader, 0, NULL, "There is not enough memory to read the file.");
        fault->line = 0;
        return;
    }
    if (text.length > COMPONENT_BYTES_MAX) {
        refuse_at(reader, 0, NULL, "The file is larger than 256 KiB.");
        return;
    }
    if (text.length >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0) {
        (void)complain(&parser, "The file begins with a byte order mark: save it as UTF-8 without "
                                "one.");
        return;
    }
    skip_space(&parser);
    if (here(&parser) != '{') {
        (void)complain(&parser, "A component set is a JSON object: { is expected here.");
        return;
    }
    if (!parse_value(&parser, 0, 0, (struct component_node){0}))
        return;
    skip_space(&parser);
    if (more(&parser))
        (void)complain(&parser, "The file continues after its object.");
}

bool component_end(struct component_reader *reader)
{
    free(reader->node);
    reader->node = NULL;
    return !reader->faulty;
}

void component_pool(struct component_reader *reader, char *pool, size_t size)
{
    reader->pool = pool;
    reader->pool_left = size;
}

static bool is_among(const char *const *words, struct span word)
{
    for (; *words != NULL; words++)
        if (span_is(word, *words))
            return true;
    return false;
}

/* True if the node, or what it belongs to, is for display only. */
static bool is_display(const struct component_reader *reader, const struct component_node *node,
                       const char *const *display)
{
    for (; node != reader->node; node = reader->node + node->parent) {
        struct span key = {reader->text.at + node->key, node->key_length};
        if (span_is(key, "provenance") || is_among(display, key))
            return true;
    }
    return false;
}

void component_finish(struct component_reader *reader, const char *const *display)
{
    for (uint32_t i = 1; !reader->faulty && i < reader->nodes; i++) {
        const struct component_node *node = reader->node + i;
        const bool member = reader->node[node->parent].kind == COMPONENT_OBJECT;
        if (!node->asked && member && !is_display(reader, node, display))
            component_refuse(reader, node, "The ruleset has no such key here.", PARTS_END);
    }
}

/* ---- Values ---- */

component component_root(struct component_reader *reader)
{
    return reader->faulty ? NULL : reader->node;
}

component component_optional(struct component_reader *reader, component at, const char *key)
{
    if (at == NULL || reader->faulty || at->kind != COMPONENT_OBJECT || at->count == 0)
        return NULL;
    uint32_t i = (uint32_t)(at - reader->node) + 1;
    do {
        struct component_node *node = reader->node + i;
        if (span_is((struct span){reader->text.at + node->key, node->key_length}, key)) {
            node->asked = true;
            return node;
        }
        i = node->next;
    } while (i != 0);
    return NULL;
}

component component_member(struct component_reader *reader, component at, const char *key)
{
    if (at == NULL || reader->faulty || key == NULL)
        return reader->faulty ? NULL : at;
    if (at->kind != COMPONENT_OBJECT) {
        component_refuse(reader, at, "This must be an object with the key `", key, "`.", PARTS_END);
        return NULL;
    }
    component member = component_optional(reader, at, key);
    if (member == NULL)
        component_refuse(reader, at, "The key `", key, "` is missing.", PARTS_END);
    return member;
}

static component value_of(struct component_reader *reader, component at, const char *key,
                          enum component_kind kind, const char *message)
{
    component value = component_member(reader, at, key);
    if (value == NULL || value->kind == kind)
        return value;
    component_refuse(reader, value, message, PARTS_END);
    return NULL;
}

static void write_number(char digits[static 16], int32_t number)
{
    struct text text = {.at = digits, .capacity = 16};
    text_clear(&text);
    text_add_number(&text, number);
}

component component_list(struct component_reader *reader, component at, const char *key,
                         unsigned least, unsigned most)
{
    component list = value_of(reader, at, key, COMPONENT_ARRAY, "This must be a list.");
    char low[16];
    char high[16];
    if (list == NULL || (list->count >= least && list->count <= most))
        return list;
    write_number(low, (int32_t)least);
    write_number(high, (int32_t)most);
    if (least == most)
        component_refuse(reader, list, "This list must have exactly ", low,
                         least == 1 ? " element." : " elements.", PARTS_END);
    else
        component_refuse(reader, list, "This list must have ", low, " to ", high, " elements.",
                         PARTS_END);
    return NULL;
}

component component_rows(struct component_reader *reader, const char *table, const char *rows,
                         unsigned least, unsigned most)
{
    component member = component_member(reader, component_root(reader), table);
    return component_list(reader, member, rows, least, most);
}

unsigned component_count(component at)
{
    return at == NULL ? 0 : at->count;
}

component component_element(const struct component_reader *reader, component list, unsigned i)
{
    if (list == NULL || reader->faulty || i >= list->count)
        return NULL;
    component element = list + 1;
    for (; i > 0; i--)
        element = reader->node + element->next;
    return element;
}

component component_next(const struct component_reader *reader, component element)
{
    return element == NULL || element->next == 0 ? NULL : reader->node + element->next;
}

static int32_t number_of(const struct component_reader *reader, component value)
{
    struct span digits = {reader->text.at + value->start, value->length};
    int32_t number = 0;
    for (size_t i = digits.at[0] == '-'; i < digits.length; i++)
        number = 10 * number + (digits.at[i] - '0');
    return digits.at[0] == '-' ? -number : number;
}

int32_t component_number(struct component_reader *reader, component at, const char *key,
                         int32_t least, int32_t most)
{
    component value = value_of(reader, at, key, COMPONENT_NUMBER, "This must be a whole number.");
    char low[16];
    char high[16];
    if (value == NULL)
        return least;
    int32_t number = number_of(reader, value);
    if (number >= least && number <= most)
        return number;
    write_number(low, least);
    write_number(high, most);
    if (least == most)
        component_refuse(reader, value, "This number must be ", low, ".", PARTS_END);
    else
        component_refuse(reader, value, "This number must be from ", low, " to ", high, ".",
                         PARTS_END);
    return least;
}

void component_fixed(struct component_reader *reader, component at, const char *key, int32_t value)
{
    component given = value_of(reader, at, key, COMPONENT_NUMBER, "This must be a whole number.");
    char digits[16];
    if (given == NULL || number_of(reader, given) == value)
        return;
    write_number(digits, value);
    component_refuse(reader, given, "The rules fix this number: it must be ", digits, ".",
                     PARTS_END);
}

bool component_flag(struct component_reader *reader, component at, const char *key)
{
    component value = component_member(reader, at, key);
    if (value != NULL && value->kind != COMPONENT_TRUE && value->kind != COMPONENT_FALSE)
        component_refuse(reader, value, "This must be true or false.", PARTS_END);
    return value != NULL && value->kind == COMPONENT_TRUE;
}

struct span component_keep(struct component_reader *reader, struct span text)
{
    if (reader->faulty)
        return (struct span){"", 0};
    if (text.length + 1 > reader->pool_left) {
        component_refuse(reader, NULL, "The names and texts of the file are too long in total.",
                         PARTS_END);
        return (struct span){"", 0};
    }
    char *kept = reader->pool;
    memcpy(kept, text.at, text.length);
    kept[text.length] = '\0';
    reader->pool += text.length + 1;
    reader->pool_left -= text.length + 1;
    return (struct span){kept, text.length};
}

static component string_of(struct component_reader *reader, component at, const char *key)
{
    return value_of(reader, at, key, COMPONENT_STRING, "This must be a string.");
}

static struct span text_of(const struct component_reader *reader, component value)
{
    return (struct span){reader->text.at + value->start, value->length};
}

static bool is_name(struct span text)
{
    char before = '-';
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && !(c == '-' && before != '-'))
            return false;
        before = c;
    }
    return before != '-' && text.length <= COMPONENT_NAME_MAX;
}

static struct span name_of(struct component_reader *reader, component value)
{
    if (value == NULL)
        return (struct span){"", 0};
    if (!is_name(text_of(reader, value))) {
        component_refuse(reader, value,
                         "A name has lower-case letters, digits and single hyphens between them, "
                         "and at most 40 characters.",
                         PARTS_END);
        return (struct span){"", 0};
    }
    return component_keep(reader, text_of(reader, value));
}

struct span component_name(struct component_reader *reader, component at, const char *key)
{
    return name_of(reader, string_of(reader, at, key));
}

struct span component_title(struct component_reader *reader, component at, const char *key)
{
    component value = string_of(reader, at, key);
    if (value == NULL)
        return (struct span){"", 0};
    struct span text = text_of(reader, value);
    bool plain = text.length > 0 && text.length <= COMPONENT_TITLE_MAX;
    for (size_t i = 0; i < text.length; i++)
        plain = plain && text.at[i] != '\\' && text.at[i] != 0x7f && text.at[i] != '{' &&
                text.at[i] != '}';
    if (plain)
        return component_keep(reader, text);
    component_refuse(reader, value,
                     "A text for people has 1 to 160 bytes, and no backslash, brace or control "
                     "character.",
                     PARTS_END);
    return (struct span){"", 0};
}

size_t component_length(component at)
{
    return at != NULL && at->kind == COMPONENT_STRING ? at->length : 0;
}

struct span component_drawing(struct component_reader *reader, component at, const char *key,
                              const char *signs, size_t length)
{
    component value = string_of(reader, at, key);
    if (value == NULL)
        return (struct span){"", 0};
    struct span text = text_of(reader, value);
    bool fits = text.length == length;
    for (size_t i = 0; i < text.length; i++)
        fits = fits && strchr(signs, text.at[i]) != NULL;
    if (fits)
        return component_keep(reader, text);
    char digits[16];
    write_number(digits, (int32_t)length);
    component_refuse(reader, value, "This line of the drawing has exactly ", digits,
                     " characters, each one of `", signs, "`.", PARTS_END);
    return (struct span){"", 0};
}

bool component_is_null(struct component_reader *reader, component at, const char *key)
{
    component value = component_member(reader, at, key);
    return value != NULL && value->kind == COMPONENT_NULL;
}

unsigned component_word(struct component_reader *reader, component at, const char *key,
                        const char *const *words)
{
    component value = string_of(reader, at, key);
    char bytes[160];
    struct text list = TEXT_OVER(bytes);
    if (value == NULL)
        return 0;
    for (unsigned i = 0; words[i] != NULL; i++) {
        if (span_is(text_of(reader, value), words[i]))
            return i;
        text_add(&list, i == 0 ? "" : ", ");
        text_add(&list, words[i]);
    }
    component_refuse(reader, value, "This must be one of: ", bytes, ".", PARTS_END);
    return 0;
}

bool component_is(struct component_reader *reader, component at, const char *key, const char *word)
{
    component value = string_of(reader, at, key);
    return value != NULL && span_is(text_of(reader, value), word);
}

uint8_t component_reference(struct component_reader *reader, component at, const char *key,
                            struct names names, const char *what)
{
    component value = string_of(reader, at, key);
    if (value == NULL)
        return 0;
    uint8_t row = names_find(names, text_of(reader, value));
    if (row != NAMES_NONE)
        return row;
    component_refuse(reader, value, "There is no ", what, " of this name in the set.", PARTS_END);
    return 0;
}

struct span component_new_name(struct component_reader *reader, component at, const char *key,
                               struct names names)
{
    component value = string_of(reader, at, key);
    if (value != NULL && names_find(names, text_of(reader, value)) != NAMES_NONE)
        component_refuse(reader, value, "An earlier row has this name.", PARTS_END);
    return name_of(reader, component_good(reader) ? value : NULL);
}

void component_index(struct component_reader *reader, component at, unsigned i)
{
    component value = value_of(reader, at, "index", COMPONENT_NUMBER, "This must be a number.");
    char digits[16];
    if (value == NULL || number_of(reader, value) == (int32_t)i)
        return;
    write_number(digits, (int32_t)i);
    component_refuse(reader, value, "Rows must be in the order of their index: this is row ",
                     digits, ".", PARTS_END);
}

void component_sort(struct names names, uint8_t *order)
{
    for (unsigned i = 0; i < names.count; i++) {
        unsigned at = i;
        for (; at > 0 && span_compare(names_at(names, order[at - 1]), names_at(names, i)) > 0; at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)i;
    }
}
