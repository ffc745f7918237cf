#include "api/cli/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utf8proc.h>

json_t *table_find(const json_t *object, const char *path)
{
    while (object != NULL) {
        char name[64];
        size_t length = strcspn(path, ".");
        if (length >= sizeof name)
            return NULL;
        memcpy(name, path, length);
        name[length] = '\0';
        json_t *found = json_object_get(object, name);
        if (path[length] == '\0')
            return found;
        object = found;
        path += length + 1;
    }
    return NULL;
}

/* ---- Texts ---- */

/* The next character of a text with `left` bytes, -1 = up to its NUL; -1 for invalid bytes.
 * `length` is at least 1. */
static utf8proc_int32_t next_of(const char *text, utf8proc_ssize_t left, size_t *length)
{
    utf8proc_int32_t character;
    utf8proc_ssize_t taken = utf8proc_iterate((const utf8proc_uint8_t *)text, left, &character);
    *length = taken < 1 ? 1 : (size_t)taken;
    return taken < 1 ? -1 : character;
}

static utf8proc_int32_t next(const char *text, size_t *length)
{
    return next_of(text, -1, length);
}

/* False for control characters, and for those that change the direction of text. */
static bool is_shown(utf8proc_int32_t character)
{
    utf8proc_category_t category =
        character < 0 ? UTF8PROC_CATEGORY_CC : utf8proc_category(character);
    return category != UTF8PROC_CATEGORY_CC && category != UTF8PROC_CATEGORY_CF &&
           category != UTF8PROC_CATEGORY_ZL && category != UTF8PROC_CATEGORY_ZP;
}

static int width_of(const char *text)
{
    int width = 0;
    size_t length;
    for (; *text != '\0'; text += length) {
        utf8proc_int32_t character = next(text, &length);
        width += is_shown(character) ? utf8proc_charwidth(character) : 1;
    }
    return width;
}

void table_print_text(FILE *file, const char *text)
{
    size_t length;
    for (; *text != '\0'; text += length) {
        if (is_shown(next(text, &length)))
            fwrite(text, 1, length, file);
        else
            fputc('?', file);
    }
}

void table_print_bytes(const char *bytes, size_t length)
{
    size_t taken;
    if (isatty(STDOUT_FILENO) == 0) {
        fwrite(bytes, 1, length, stdout);
        return;
    }
    for (size_t at = 0; at < length; at += taken) {
        utf8proc_int32_t character = next_of(bytes + at, (utf8proc_ssize_t)(length - at), &taken);
        if (is_shown(character) || character == '\n' || character == '\t')
            fwrite(bytes + at, 1, taken, stdout);
        else
            fputc('?', stdout);
    }
}

void table_say(FILE *file, const char *format, ...)
{
    char *line;
    va_list values;
    va_start(values, format);
    int length = vasprintf(&line, format, values);
    va_end(values);
    if (length < 0)
        abort();
    const bool ends = format[0] != '\0' && format[strlen(format) - 1] == '\n';
    if (ends)
        line[length - 1] = '\0';
    table_print_text(file, line);
    if (ends)
        fputc('\n', file);
    free(line);
}

/* ---- Values ---- */

/* The value as a text, from malloc(). */
static char *show(const json_t *value)
{
    char number[32] = "-";
    if (json_is_string(value))
        return strdup(json_string_value(value));
    if (json_is_integer(value))
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
    else if (json_is_boolean(value))
        snprintf(number, sizeof number, "%s", json_is_true(value) ? "yes" : "no");
    else if (json_is_array(value))
        snprintf(number, sizeof number, "%zu", json_array_size(value));
    else if (json_is_object(value))
        return json_dumps(value, JSON_COMPACT);
    return strdup(number);
}

static void print_cell(const struct column *column, const char *text, int width, bool last)
{
    int blanks = width - width_of(text);
    printf("%*s", column->right ? blanks : 0, "");
    table_print_text(stdout, text);
    printf("%*s", column->right || last ? 0 : blanks, "");
    fputs(last ? "\n" : "  ", stdout);
}

void table_print(const json_t *rows, const struct column *columns, size_t count, const char *none)
{
    int width[TABLE_COLUMNS_MAX];
    size_t at;
    json_t *row;
    if (json_array_size(rows) == 0) {
        printf("%s\n", none);
        return;
    }
    for (size_t i = 0; i < count; i++)
        width[i] = width_of(columns[i].title);
    json_array_foreach(rows, at, row) for (size_t i = 0; i < count; i++)
    {
        char *text = show(table_find(row, columns[i].path));
        int wide = text == NULL ? 0 : width_of(text);
        width[i] = wide > width[i] ? wide : width[i];
        free(text);
    }
    for (size_t i = 0; i < count; i++)
        print_cell(&columns[i], columns[i].title, width[i], i + 1 == count);
    json_array_foreach(rows, at, row) for (size_t i = 0; i < count; i++)
    {
        char *text = show(table_find(row, columns[i].path));
        print_cell(&columns[i], text == NULL ? "" : text, width[i], i + 1 == count);
        free(text);
    }
}

void table_print_members(const json_t *object, const struct column *members, size_t count)
{
    int width = 0;
    for (size_t i = 0; i < count; i++)
        if (width_of(members[i].title) > width)
            width = width_of(members[i].title);
    for (size_t i = 0; i < count; i++) {
        const json_t *value = table_find(object, members[i].path);
        if (value == NULL || json_is_null(value))
            continue;
        char *text = show(value);
        table_say(stdout, "%-*s  %s\n", width, members[i].title, text == NULL ? "" : text);
        free(text);
    }
}

void table_print_json(const json_t *document)
{
    size_t length;
    char *text = json_dumps(document, JSON_INDENT(2) | JSON_ENCODE_ANY);
    for (const char *at = text; at != NULL && *at != '\0'; at += length) {
        utf8proc_int32_t character = next(at, &length);
        if (is_shown(character) || character == '\n')
            fwrite(at, 1, length, stdout);
        else if (character < 0x10000)
            printf("\\u%04X", (unsigned)character);
        else
            printf("\\u%04X\\u%04X", 0xd7c0U + ((unsigned)character >> 10),
                   0xdc00U + ((unsigned)character & 0x3ff));
    }
    free(text);
    printf("\n");
}
