#include "api/docs/document.h"

#include <cmark-gfm-core-extensions.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char home[] = "web-static/docs/";

_Noreturn void document_fail(const char *file, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fprintf(stderr, "%s: ", file);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    exit(1);
}

static char *copy(const char *text)
{
    char *made = strdup(text);
    if (made == NULL)
        abort();
    return made;
}

/* ---- Names ---- */

bool names_have(const struct names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return true;
    return false;
}

void names_add(struct names *names, const char *name)
{
    names->name = realloc(names->name, (names->count + 1) * sizeof *names->name);
    if (names->name == NULL)
        abort();
    names->name[names->count++] = copy(name);
}

void names_free(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
}

/* ---- Texts ---- */

char *document_read(const char *source, const char *file, size_t *length)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", source, file);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        document_fail(file, "there is no such file");
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    char bytes[8192];
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, stream)) > 0;)
        fwrite(bytes, 1, got, memory);
    fclose(memory);
    fclose(stream);
    if (length != NULL)
        *length = size;
    return text;
}

static bool is_break(cmark_node_type type)
{
    return type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK ||
           type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_ITEM;
}

static void add_words(FILE *to, const char *text, bool *blank)
{
    for (; *text != '\0'; text++) {
        bool white = isspace((unsigned char)*text) != 0;
        if (!white || !*blank)
            fputc(white ? ' ' : *text, to);
        *blank = white;
    }
}

char *document_text(cmark_node *node)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    bool blank = true;
    cmark_iter *iter = cmark_iter_new(node);
    while (cmark_iter_next(iter) != CMARK_EVENT_DONE) {
        cmark_node *each = cmark_iter_get_node(iter);
        cmark_node_type type = cmark_node_get_type(each);
        if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE || type == CMARK_NODE_CODE_BLOCK)
            add_words(to, cmark_node_get_literal(each), &blank);
        else if (is_break(type) || strncmp(cmark_node_get_type_string(each), "table", 5) == 0)
            add_words(to, " ", &blank);
    }
    cmark_iter_free(iter);
    fclose(to);
    if (size > 0 && text[size - 1] == ' ')
        text[size - 1] = '\0';
    return text;
}

/* The anchor for a text, as on GitHub: lower case, spaces become hyphens, punctuation is
 * dropped. To be freed. */
static char *document_anchor(const char *text)
{
    char *anchor = copy(text);
    char *end = anchor;
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == ' ')
            *end++ = '-';
        else if (isalnum(c) || c == '-' || c == '_' || c >= 0x80)
            *end++ = (char)tolower(c);
    }
    *end = '\0';
    return anchor;
}

/* ---- Addresses ---- */

/* Instructions for a game belong to the game's page. A game's `RULES.md` is named after its
 * folder, other documents beside code after their own files. */
static char *address_of(const char *file)
{
    char address[512];
    if (strncmp(file, home, strlen(home)) == 0) {
        const char *name = file + strlen(home);
        if (strcmp(name, "index.md") == 0)
            return copy("/docs");
        snprintf(address, sizeof address, "%s%.*s",
                 strncmp(name, "games/", 6) == 0 ? "/" : "/docs/", (int)strlen(name) - 3, name);
        return copy(address);
    }
    const char *name = strrchr(file, '/') == NULL ? file : strrchr(file, '/') + 1;
    if (strcmp(name, "RULES.md") == 0) {
        const char *folder = name - 1;
        while (folder > file && folder[-1] != '/')
            folder--;
        snprintf(address, sizeof address, "/docs/rules/%.*s", (int)(name - 1 - folder), folder);
        return copy(address);
    }
    char *lower = document_anchor(name);
    snprintf(address, sizeof address, "/docs/formats/%.*s", (int)strlen(lower) - 2, lower);
    free(lower);
    return copy(address);
}

char *document_target(const struct document *document, const char *url, char **anchor)
{
    char path[1024];
    const char *hash = strchr(url, '#');
    size_t length = hash == NULL ? strlen(url) : (size_t)(hash - url);
    *anchor = hash == NULL ? NULL : copy(hash + 1);
    if (length == 0)
        return copy(document->file);
    const char *slash = strrchr(document->file, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash - document->file);
    while (length >= 3 && strncmp(url, "../", 3) == 0) {
        if (folder == 0)
            document_fail(document->file, "%s leads out of the repository", url);
        while (folder > 0 && document->file[folder - 1] != '/')
            folder--;
        folder -= folder > 0;
        url += 3;
        length -= 3;
    }
    snprintf(path, sizeof path, "%.*s%s%.*s", (int)folder, document->file, folder > 0 ? "/" : "",
             (int)length, url);
    return copy(path);
}

/* ---- Documents ---- */

static cmark_node *parse(const char *text, size_t length)
{
    cmark_parser *parser = cmark_parser_new(CMARK_OPT_VALIDATE_UTF8);
    cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("table"));
    cmark_parser_feed(parser, text, length);
    cmark_node *root = cmark_parser_finish(parser);
    cmark_parser_free(parser);
    return root;
}

static void add_heading(struct document *document, cmark_node *node)
{
    struct heading heading = {.text = document_text(node),
                              .level = cmark_node_get_heading_level(node)};
    heading.anchor = document_anchor(heading.text);
    if (cmark_node_get_type(cmark_node_parent(node)) != CMARK_NODE_DOCUMENT)
        document_fail(document->file, "a heading must not be nested: %s", heading.text);
    if ((document->headings == 0) != (heading.level == 1))
        document_fail(document->file,
                      "a document must have one heading of level 1, at its beginning: %s",
                      heading.text);
    if (names_have(&document->anchors, heading.anchor))
        document_fail(document->file, "two headings have the anchor %s", heading.anchor);
    names_add(&document->anchors, heading.anchor);
    document->heading = realloc(document->heading, (document->headings + 1) * sizeof heading);
    if (document->heading == NULL)
        abort();
    document->heading[document->headings++] = heading;
}

char *document_row_anchor(cmark_node *cell)
{
    cmark_node *row = cmark_node_parent(cell);
    cmark_node *only = cmark_node_first_child(cell);
    bool alone = only != NULL && cmark_node_next(only) == NULL &&
                 cmark_node_get_type(only) == CMARK_NODE_CODE;
    if (!alone || cmark_node_previous(cell) != NULL ||
        strcmp(cmark_node_get_type_string(row), "table_row") != 0)
        return NULL;
    return document_anchor(cmark_node_get_literal(only));
}

static void add_anchor(struct document *document, cmark_node *node)
{
    if (cmark_node_get_type(node) == CMARK_NODE_HEADING) {
        add_heading(document, node);
    } else if (strcmp(cmark_node_get_type_string(node), "table_cell") == 0) {
        char *anchor = document_row_anchor(node);
        if (anchor != NULL && !names_have(&document->anchors, anchor))
            names_add(&document->anchors, anchor);
        free(anchor);
    }
}

void document_load(struct document *document, const char *source, const char *file)
{
    size_t length;
    char *text = document_read(source, file, &length);
    *document = (struct document){.file = copy(file), .address = address_of(file)};
    document->root = parse(text, length);
    free(text);
    cmark_iter *iter = cmark_iter_new(document->root);
    for (cmark_event_type event; (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE;)
        if (event == CMARK_EVENT_ENTER)
            add_anchor(document, cmark_iter_get_node(iter));
    cmark_iter_free(iter);
    if (document->headings == 0)
        document_fail(file, "a document must begin with a heading");
}

void document_free(struct document *document)
{
    for (size_t i = 0; i < document->headings; i++) {
        free(document->heading[i].text);
        free(document->heading[i].anchor);
    }
    free(document->heading);
    names_free(&document->anchors);
    if (document->root != NULL)
        cmark_node_free(document->root);
    free(document->file);
    free(document->address);
}
