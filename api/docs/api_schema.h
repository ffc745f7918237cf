/* JSON Schema in words, as HTML: what a value is, and the members of a document. For api_page.c. */
#ifndef TILLROLL_API_DOCS_API_SCHEMA_H
#define TILLROLL_API_DOCS_API_SCHEMA_H

#include <jansson.h>
#include <stdio.h>

/* A member's text, or "" if there is none. Belongs to `of`, which may be NULL. */
const char *schema_string(const json_t *of, const char *member);

/* A value as JSON, escaped; `flags` as for json_dumps(). */
void schema_write_json(FILE *html, const json_t *value, size_t flags);

/* A text as a piece of code. */
void schema_write_code(FILE *html, const char *text);

/* A text with `code` in it; the descriptions use no other markup. */
void schema_write_prose(FILE *html, const char *text);

/* What a value may be: `integer from 1 to 9`, a link to the object, a list of either. */
void schema_write_type(FILE *html, const json_t *schema);

/* All of an object: what it is, and its members, those of objects in it too. */
void schema_write(FILE *html, const json_t *schema);

#endif
