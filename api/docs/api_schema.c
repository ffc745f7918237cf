#include "api/docs/api_schema.h"

#include <stdlib.h>
#include <string.h>

#include "api/docs/render.h"

enum { DEPTH_MAX = 32 };

const char *schema_string(const json_t *of, const char *member)
{
    const char *text = json_string_value(json_object_get(of, member));
    return text == NULL ? "" : text;
}

/* ---- Texts ---- */

void schema_write_json(FILE *html, const json_t *value, size_t flags)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | flags);
    if (text == NULL)
        abort();
    render_escaped(html, text);
    free(text);
}

void schema_write_code(FILE *html, const char *text)
{
    fputs("<code>", html);
    render_escaped(html, text);
    fputs("</code>", html);
}

static void write_value(FILE *html, const json_t *value)
{
    fputs("<code>", html);
    schema_write_json(html, value, JSON_COMPACT);
    fputs("</code>", html);
}

void schema_write_prose(FILE *html, const char *text)
{
    for (bool code = false;; code = !code) {
        size_t length = strcspn(text, "`");
        char *part = strndup(text, length);
        if (code)
            schema_write_code(html, part);
        else
            render_escaped(html, part);
        free(part);
        if (text[length] == '\0')
            return;
        text += length + 1;
    }
}

/* ---- Types ---- */

static void write_type(FILE *html, const json_t *schema, int depth);

static json_t *variants(const json_t *schema)
{
    json_t *any = json_object_get(schema, "anyOf");
    return any != NULL ? any : json_object_get(schema, "oneOf");
}

/* The schema of members that are not listed by name. */
static json_t *values_of(const json_t *schema)
{
    json_t *values = json_object_get(schema, "additionalProperties");
    return json_is_object(values) ? values : NULL;
}

static void write_reference(FILE *html, const char *reference)
{
    const char *name = strrchr(reference, '/') + 1;
    fprintf(html, "<a href=\"#schema-%s\">%s</a>", name, name);
}

static void write_enum(FILE *html, const json_t *values)
{
    size_t i;
    json_t *value;
    json_array_foreach(values, i, value)
    {
        fputs(i == 0 ? "" : ", ", html);
        write_value(html, value);
    }
}

static void write_variants(FILE *html, const json_t *several, int depth)
{
    size_t i;
    json_t *each;
    json_array_foreach(several, i, each)
    {
        fputs(i == 0 ? "" : " or ", html);
        write_type(html, each, depth);
    }
}

static void write_names(FILE *html, const json_t *type)
{
    size_t i;
    json_t *each;
    if (!json_is_array(type))
        fputs(type == NULL ? "anything" : json_string_value(type), html);
    json_array_foreach(type, i, each)
        fprintf(html, "%s%s", i == 0 ? "" : " or ", json_string_value(each));
}

static void write_bounds(FILE *html, const json_t *schema)
{
    const json_t *least = json_object_get(schema, "minimum");
    const json_t *most = json_object_get(schema, "maximum");
    if (least != NULL) {
        fputs(most == NULL ? ", at least " : " from ", html);
        schema_write_json(html, least, 0);
    }
    if (most != NULL) {
        fputs(least == NULL ? ", at most " : " to ", html);
        schema_write_json(html, most, 0);
    }
}

static void write_map(FILE *html, const json_t *schema, int depth)
{
    const json_t *names = json_object_get(schema, "propertyNames");
    fputs("object with ", html);
    write_type(html, values_of(schema), depth);
    fputs(names == NULL ? " for each name" : " for each of ", html);
    if (names != NULL)
        write_type(html, names, depth);
}

static void write_plain(FILE *html, const json_t *schema)
{
    const char *pattern = schema_string(schema, "pattern");
    write_names(html, json_object_get(schema, "type"));
    write_bounds(html, schema);
    if (pattern[0] != '\0') {
        fputs(", of the form ", html);
        schema_write_code(html, pattern);
    }
}

static void write_type(FILE *html, const json_t *schema, int depth)
{
    if (depth > DEPTH_MAX)
        document_fail("openapi.json", "its schemas are too deep");
    if (json_object_get(schema, "$ref") != NULL) {
        write_reference(html, schema_string(schema, "$ref"));
    } else if (json_object_get(schema, "const") != NULL) {
        write_value(html, json_object_get(schema, "const"));
    } else if (json_object_get(schema, "enum") != NULL) {
        write_enum(html, json_object_get(schema, "enum"));
    } else if (variants(schema) != NULL) {
        write_variants(html, variants(schema), depth + 1);
    } else if (strcmp(schema_string(schema, "type"), "array") == 0) {
        fputs("list of ", html);
        write_type(html, json_object_get(schema, "items"), depth + 1);
    } else if (values_of(schema) != NULL) {
        write_map(html, schema, depth + 1);
    } else {
        write_plain(html, schema);
    }
}

/* ---- Documents ---- */

static void write_members(FILE *html, const json_t *schema, int depth);

/* Writes nested members, if any. */
static void write_inner(FILE *html, const json_t *schema, int depth)
{
    const json_t *places[] = {schema, json_object_get(schema, "items"), values_of(schema)};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (json_object_get(places[i], "properties") != NULL)
            write_members(html, places[i], depth);
}

static void write_inner_variants(FILE *html, const json_t *schema, int depth)
{
    size_t i, shown = 0;
    json_t *each;
    json_array_foreach(variants(schema), i, each)
    {
        if (json_object_get(each, "properties") != NULL) {
            fprintf(html, "<p>%s: ", shown++ == 0 ? "Either" : "Or");
            schema_write_prose(html, schema_string(each, "description"));
            fputs("</p>\n", html);
        }
        write_inner(html, each, depth);
    }
}

static bool is_required(const json_t *schema, const char *name)
{
    size_t i;
    json_t *each;
    json_array_foreach(json_object_get(schema, "required"), i, each)
    {
        if (strcmp(json_string_value(each), name) == 0)
            return true;
    }
    return false;
}

static void write_members(FILE *html, const json_t *schema, int depth)
{
    const char *name;
    json_t *member;
    if (depth > DEPTH_MAX)
        document_fail("openapi.json", "its schemas are too deep");
    fputs("<dl class=\"terms\">\n", html);
    json_object_foreach(json_object_get(schema, "properties"), name, member)
    {
        fputs("<dt>", html);
        schema_write_code(html, name);
        fprintf(html, "%s</dt>\n<dd>", is_required(schema, name) ? "" : " (optional)");
        write_type(html, member, 0);
        fputs(". ", html);
        schema_write_prose(html, schema_string(member, "description"));
        write_inner(html, member, depth + 1);
        write_inner_variants(html, member, depth + 1);
        fputs("</dd>\n", html);
    }
    fputs("</dl>\n", html);
}

/* True for texts with several forms, such as a game's moves. */
static bool has_forms(const json_t *schema)
{
    size_t i, forms = 0;
    json_t *each;
    json_array_foreach(variants(schema), i, each)
    {
        forms += strcmp(schema_string(each, "type"), "string") == 0 &&
                 json_object_get(each, "description") != NULL;
    }
    return forms > 1;
}

static void write_forms(FILE *html, const json_t *schema)
{
    size_t i;
    json_t *each;
    fputs("<ul>\n", html);
    json_array_foreach(variants(schema), i, each)
    {
        const char *form = schema_string(each, "pattern");
        if (strcmp(schema_string(each, "type"), "string") != 0)
            continue;
        fputs("<li>", html);
        schema_write_prose(html, schema_string(each, "description"));
        fputc(' ', html);
        schema_write_code(html, form[0] == '\0' ? schema_string(each, "const") : form);
        fputs("</li>\n", html);
    }
    fputs("</ul>\n", html);
}

static bool has_kinds(const json_t *schema)
{
    size_t i;
    json_t *each;
    json_array_foreach(variants(schema), i, each)
    {
        if (json_object_get(each, "properties") != NULL)
            return true;
    }
    return false;
}

void schema_write(FILE *html, const json_t *schema)
{
    fputs("<p>", html);
    schema_write_prose(html, schema_string(schema, "description"));
    fputs("</p>\n", html);
    if (has_forms(schema)) {
        write_forms(html, schema);
        return;
    }
    if (json_object_get(schema, "properties") != NULL)
        write_members(html, schema, 0);
    write_inner_variants(html, schema, 0);
    if (json_object_get(schema, "properties") == NULL && !has_kinds(schema)) {
        fputs("<p>", html);
        write_type(html, schema, 0);
        fputs("</p>\n", html);
    }
}

void schema_write_type(FILE *html, const json_t *schema)
{
    write_type(html, schema, 0);
}
