/* JSON as tables for people. Control characters from a service are removed, since a terminal might
 * obey them. */
#ifndef TILLROLL_API_CLI_TABLE_H
#define TILLROLL_API_CLI_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct column {
    const char *title;
    const char *path; /* in a row: `player.name` */
    bool right;
};

enum { TABLE_COLUMNS_MAX = 12 };

/* Prints a list of objects, one per line, below the titles; only `none` if it is empty. */
void table_print(const json_t *rows, const struct column *columns, size_t count, const char *none);

/* Prints members of an object, one per line: title and value. Missing and null members are
 * skipped. */
void table_print_members(const json_t *object, const struct column *members, size_t count);

/* The value at a path, borrowed; NULL if there is none. */
json_t *table_find(const json_t *object, const char *path);

/* Prints a text without control characters. */
void table_print_text(FILE *file, const char *text);

/* Like fprintf(), for texts from files and services: removes control characters from the whole
 * line, except for a line feed at the end of `format`. */
void table_say(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints bytes from a service on standard output: unchanged to a file or a program; to a terminal
 * without control characters except line feeds and tabs. */
void table_print_bytes(const char *bytes, size_t length);

/* Prints a document as indented JSON, with escapes for characters that a terminal might obey. */
void table_print_json(const json_t *document);

#endif
