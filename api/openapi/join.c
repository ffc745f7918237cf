/* Joins the parts of openapi.json, which the service serves; run by the build.
 *
 *      join_openapi OUTPUT FILE...
 *
 * The parts (api.json, walkthrough.json, shared.json, one for each tag, one for each game) are
 * OpenAPI with four abbreviations:
 *
 *      "fragments": {"kept": {..}}     texts that are used in several places, by name
 *      {"$use": "kept", ..}            has the members of the fragment, and its own over them;
 *                                      a list of names: of each, the later over the earlier
 *      {"$ref": "Id"}                  #/components/schemas/Id; "headers/ETag" names another kind
 *      "required": "all"               of a schema: all of its properties, in their order
 *
 * Objects in several files are merged; a value in two files is an error, as is a fragment that is
 * missing or not used. */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, REFERENCE_MAX = 256 };

static json_t *fragments, *used;

__attribute__((format(printf, 1, 2), noreturn)) static void fail(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("join_openapi: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    exit(1);
}

/* ---- Merging files ---- */

static void merge(json_t *into, json_t *from, const char *file)
{
    const char *key;
    json_t *value;
    json_object_foreach(from, key, value)
    {
        json_t *there = json_object_get(into, key);
        if (there == NULL)
            json_object_set(into, key, value);
        else if (json_is_object(there) && json_is_object(value))
            merge(there, value, file);
        else
            fail("%s: \"%s\" is in another file already", file, key);
    }
}

static json_t *read_parts(char **files, int count)
{
    json_t *document = json_object();
    for (int i = 0; i < count; i++) {
        json_error_t error;
        json_t *part = json_load_file(files[i], JSON_REJECT_DUPLICATES, &error);
        if (!json_is_object(part))
            fail("%s:%d: %s", files[i], error.line, error.text);
        merge(document, part, files[i]);
        json_decref(part);
    }
    return document;
}

/* ---- Expanding abbreviations ---- */

static json_t *expand(const json_t *value, int depth);

static json_t *expand_fragment(const char *name, int depth)
{
    const json_t *fragment = json_object_get(fragments, name);
    if (fragment == NULL)
        fail("there is no fragment \"%s\"", name);
    json_object_set_new(used, name, json_true());
    return expand(fragment, depth + 1);
}

static json_t *expand_reference(const char *text)
{
    char whole[REFERENCE_MAX];
    const char *kind = strchr(text, '/') == NULL ? "schemas/" : "";
    if (text[0] == '#')
        return json_string(text);
    if (snprintf(whole, sizeof whole, "#/components/%s%s", kind, text) >= (int)sizeof whole)
        fail("\"%s\" is too long", text);
    return json_string(whole);
}

static json_t *expand_member(const char *key, const json_t *value, int depth)
{
    if (json_is_string(value) && strcmp(key, "$ref") == 0)
        return expand_reference(json_string_value(value));
    return expand(value, depth + 1);
}

/* Merges a fragment's members into `whole`, over those that are there. */
static void put_fragment(json_t *whole, const json_t *name, int depth)
{
    if (!json_is_string(name))
        fail("$use takes the name of a fragment, or a list of them");
    json_t *fragment = expand_fragment(json_string_value(name), depth);
    if (!json_is_object(fragment) || json_object_update_recursive(whole, fragment) != 0)
        fail("\"%s\" is no object", json_string_value(name));
    json_decref(fragment);
}

static json_t *expand_object(const json_t *object, int depth)
{
    json_t *own = json_object();
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) if (strcmp(key, "$use") != 0)
        json_object_set_new(own, key, expand_member(key, value, depth));
    const json_t *use = json_object_get(object, "$use");
    if (use == NULL)
        return own;
    json_t *whole = json_object();
    size_t i;
    json_t *name;
    if (!json_is_array(use))
        put_fragment(whole, use, depth);
    json_array_foreach(use, i, name) put_fragment(whole, name, depth);
    json_object_update_recursive(whole, own);
    json_decref(own);
    return whole;
}

/* Returns a new value. */
static json_t *expand(const json_t *value, int depth)
{
    if (depth > DEPTH_MAX)
        fail("a fragment uses itself, or values are nested too deep");
    if (json_is_object(value))
        return expand_object(value, depth);
    if (!json_is_array(value))
        return json_deep_copy(value);
    json_t *list = json_array();
    size_t i;
    json_t *each;
    json_array_foreach(value, i, each) json_array_append_new(list, expand(each, depth + 1));
    return list;
}

static json_t *names_of(const json_t *properties)
{
    json_t *names = json_array();
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)properties, key, value)
    {
        (void)value;
        json_array_append_new(names, json_string(key));
    }
    return names;
}

/* Runs after fragments are expanded, so that their properties count too. */
static void require_all(json_t *value)
{
    const json_t *properties = json_object_get(value, "properties");
    const char *required = json_string_value(json_object_get(value, "required"));
    const char *key;
    size_t i;
    json_t *each;
    if (json_is_object(properties) && required != NULL && strcmp(required, "all") == 0)
        json_object_set_new(value, "required", names_of(properties));
    json_object_foreach(value, key, each) require_all(each);
    json_array_foreach(value, i, each) require_all(each);
}

static void check_used(void)
{
    const char *name;
    json_t *value;
    json_object_foreach(fragments, name, value) if (json_object_get(used, name) == NULL)
        fail("the fragment \"%s\" is not used", name);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        fail("usage: join_openapi OUTPUT FILE...");
    json_t *parts = read_parts(argv + 2, argc - 2);
    fragments = json_incref(json_object_get(parts, "fragments"));
    used = json_object();
    json_object_del(parts, "fragments");
    json_t *document = expand(parts, 0);
    require_all(document);
    check_used();
    if (json_dump_file(document, argv[1], JSON_COMPACT) != 0)
        fail("%s cannot be written", argv[1]);
    json_decref(document);
    json_decref(parts);
    json_decref(fragments);
    json_decref(used);
    return 0;
}
