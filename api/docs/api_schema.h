/* JSON Schema as HTML prose: types of values and members of objects. For api_page.c. */
#ifndef TILLROLL_API_DOCS_API_SCHEMA_H
#define TILLROLL_API_DOCS_API_SCHEMA_H

#include <jansson.h>
#include <stdio.h>

/* A string member, or "". Borrowed from `of`, which may be NULL. */
const char *schema_string(const json_t *of, const char *member);

/* Writes a value as escaped JSON; `flags` as for json_dumps(). */
void schema_write_json(FILE *html, const json_t *value, size_t flags);

/* Writes a text as inline code. */
void schema_write_code(FILE *html, const char *text);

/* Writes a text with `code` in it; descriptions use no other markup. */
void schema_write_prose(FILE *html, const char *text);

/* Writes the type of a value: `integer from 1 to 9`, a link to a schema, or a list of these. */
void schema_write_type(FILE *html, const json_t *schema);

/* Writes a whole schema: its description and members, including nested ones. */
void schema_write(FILE *html, const json_t *schema);

#endif
