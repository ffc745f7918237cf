#include "api/docs/render.h"

#include <cmark-gfm-core-extensions.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct document *library_find(struct library *library, const char *file)
{
    for (size_t i = 0; i < library->count; i++)
        if (strcmp(library->document[i].file, file) == 0)
            return &library->document[i];
    return NULL;
}

void render_escaped(FILE *html, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", html);
            break;
        case '<':
            fputs("&lt;", html);
            break;
        case '>':
            fputs("&gt;", html);
            break;
        case '"':
            fputs("&quot;", html);
            break;
        default:
            fputc(*text, html);
        }
    }
}

/* ---- Links ---- */

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static char *print(const char *a, const char *b, const char *c)
{
    char *made = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&made, &size);
    fprintf(to, "%s%s%s", a, b, c);
    fclose(to);
    return made;
}

static bool exists(const struct library *library, const char *file)
{
    char *path = print(library->source, "/", file);
    bool found = access(path, R_OK) == 0;
    free(path);
    return found;
}

/* Returns the address of a repository file that is not a document, if it is served unchanged, else
 * NULL. */
static char *address_of_file(const struct library *library, const struct document *document,
                             const char *file)
{
    static const char pages[] = "web-static/";
    if (!exists(library, file))
        document_fail(document->file, "there is no %s to link to", file);
    return begins(file, "web-static/docs/") ? print("/static/", file + strlen(pages), "") : NULL;
}

char *render_address(struct library *library, const struct document *document, const char *url)
{
    if (begins(url, "https://") || begins(url, "http://") || (url[0] == '/' && url[1] != '/'))
        return print(url, "", "");
    char *anchor;
    char *file = document_target(document, url, &anchor);
    struct document *target = library_find(library, file);
    char *address;
    if (target == NULL) {
        address = address_of_file(library, document, file);
    } else {
        if (anchor != NULL && !names_have(&target->anchors, anchor))
            document_fail(document->file, "%s has no anchor %s", file, anchor);
        address = print(target == document && anchor != NULL ? "" : target->address,
                        anchor == NULL ? "" : "#", anchor == NULL ? "" : anchor);
    }
    free(anchor);
    free(file);
    return address;
}

/* ---- Nodes ---- */

struct rendering {
    struct library *library;
    struct document *document;
    FILE *html;
    size_t heading;     /* number of headings written */
    struct names given; /* anchors */
    bool in_head;       /* inside the head of a table */
    int column;
    const uint8_t *alignment;
};

static void write_start(FILE *html, const char *tag, bool entering)
{
    fprintf(html, entering ? "<%s>" : "</%s>", tag);
}

static void render_heading(struct rendering *at, bool entering)
{
    const struct heading *heading = &at->document->heading[at->heading];
    if (entering) {
        fprintf(at->html, "<h%d id=\"", heading->level);
        render_escaped(at->html, heading->anchor);
        fputs("\">", at->html);
        return;
    }
    if (heading->level > 1) {
        fputs(" <a class=\"anchor\" href=\"#", at->html);
        render_escaped(at->html, heading->anchor);
        fputs("\" aria-label=\"Link to this section: ", at->html);
        render_escaped(at->html, heading->text);
        fputs("\">#</a>", at->html);
    }
    fprintf(at->html, "</h%d>\n", heading->level);
    at->heading++;
}

static void render_link(struct rendering *at, cmark_node *node, bool entering)
{
    char *address = render_address(at->library, at->document, cmark_node_get_url(node));
    if (address == NULL) {
        write_start(at->html, "span", entering);
    } else if (entering) {
        fputs("<a href=\"", at->html);
        render_escaped(at->html, address);
        fputs("\">", at->html);
    } else {
        fputs("</a>", at->html);
    }
    free(address);
}

static void render_image(struct rendering *at, cmark_node *node)
{
    char *address = render_address(at->library, at->document, cmark_node_get_url(node));
    char *text = document_text(node);
    if (address == NULL || text[0] == '\0')
        document_fail(at->document->file, "%s: a picture lies in web-static/docs and has words",
                      cmark_node_get_url(node));
    fputs("<img src=\"", at->html);
    render_escaped(at->html, address);
    fputs("\" alt=\"", at->html);
    render_escaped(at->html, text);
    fputs("\" loading=\"lazy\">", at->html);
    free(text);
    free(address);
}

static void render_list(FILE *html, cmark_node *node, bool entering)
{
    bool ordered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST;
    int start = cmark_node_get_list_start(node);
    if (ordered && entering && start > 1)
        fprintf(html, "<ol start=\"%d\">\n", start);
    else
        write_start(html, ordered ? "ol" : "ul", entering);
    if (!entering)
        fputc('\n', html);
}

static bool in_tight_list(cmark_node *paragraph)
{
    cmark_node *list = cmark_node_parent(cmark_node_parent(paragraph));
    return list != NULL && cmark_node_get_type(list) == CMARK_NODE_LIST &&
           cmark_node_get_list_tight(list) != 0;
}

static void render_literal(FILE *html, const char *start, cmark_node *node, const char *end)
{
    fputs(start, html);
    render_escaped(html, cmark_node_get_literal(node));
    fputs(end, html);
}

/* Writes a `picture NAME` code block: a placeholder in which a script draws the picture, with its
 * text alternative. */
static void render_picture(FILE *html, const char *name, cmark_node *node)
{
    fputs("<figure class=\"picture\" data-picture=\"", html);
    render_escaped(html, name);
    fputs("\">", html);
    render_literal(html, "<figcaption>", node, "</figcaption></figure>\n");
}

static void render_code(FILE *html, cmark_node *node)
{
    static const char picture[] = "picture ";
    const char *kind = cmark_node_get_fence_info(node);
    if (kind != NULL && begins(kind, picture))
        render_picture(html, kind + strlen(picture), node);
    else
        render_literal(html, "<pre tabindex=\"0\"><code>", node, "</code></pre>\n");
}

/* ---- Tables ---- */

/* The first of several rows with the same anchor gets it. */
static void render_row_head(struct rendering *at, cmark_node *cell)
{
    char *anchor = document_row_anchor(cell);
    fputs("<th scope=\"row\"", at->html);
    if (anchor != NULL && !names_have(&at->given, anchor)) {
        names_add(&at->given, anchor);
        fputs(" id=\"", at->html);
        render_escaped(at->html, anchor);
        fputc('"', at->html);
    }
    fputc('>', at->html);
    free(anchor);
}

static void render_cell(struct rendering *at, cmark_node *cell, bool entering)
{
    bool row_head = !at->in_head && at->column == 0 && cmark_node_first_child(cell) != NULL;
    if (!entering) {
        write_start(at->html, at->in_head || row_head ? "th" : "td", false);
        at->column++;
    } else if (row_head) {
        render_row_head(at, cell);
    } else {
        fputs(at->in_head ? "<th scope=\"col\"" : "<td", at->html);
        fputs(at->alignment[at->column] == 'r' ? " class=\"number\">" : ">", at->html);
        if (at->in_head && cmark_node_first_child(cell) == NULL)
            fputs("<span class=\"unseen\">What</span>", at->html);
    }
}

static void render_table(struct rendering *at, cmark_node *table, bool entering)
{
    if (!entering) {
        fputs("</tbody></table></div>\n", at->html);
        return;
    }
    at->alignment = cmark_gfm_extensions_get_table_alignments(table);
    fputs("<div class=\"scroll\" tabindex=\"0\"><table><caption class=\"unseen\">", at->html);
    render_escaped(at->html, at->document->heading[at->heading - 1].text);
    fputs("</caption>\n", at->html);
}

static void render_row(struct rendering *at, bool head, bool entering)
{
    at->in_head = head;
    at->column = 0;
    if (entering)
        fputs(head ? "<thead><tr>" : "<tr class=\"row\">", at->html);
    else
        fputs(head ? "</tr></thead>\n<tbody>\n" : "</tr>\n", at->html);
}

/* Renders nodes of the table extension. */
static void render_extension(struct rendering *at, cmark_node *node, bool entering)
{
    const char *type = cmark_node_get_type_string(node);
    if (strcmp(type, "table") == 0)
        render_table(at, node, entering);
    else if (strcmp(type, "table_cell") == 0)
        render_cell(at, node, entering);
    else if (strcmp(type, "table_header") == 0 || strcmp(type, "table_row") == 0)
        render_row(at, type[6] == 'h', entering);
    else
        document_fail(at->document->file, "unsupported Markdown: %s", type);
}

/* ---- The document ---- */

static void render_node(struct rendering *at, cmark_node *node, bool entering)
{
    FILE *html = at->html;
    switch (cmark_node_get_type(node)) {
    case CMARK_NODE_DOCUMENT:
    case CMARK_NODE_HTML_BLOCK:
    case CMARK_NODE_HTML_INLINE:
        break;
    case CMARK_NODE_HEADING:
        render_heading(at, entering);
        break;
    case CMARK_NODE_PARAGRAPH:
        if (!in_tight_list(node))
            fputs(entering ? "<p>" : "</p>\n", html);
        break;
    case CMARK_NODE_BLOCK_QUOTE:
        write_start(html, "blockquote", entering);
        break;
    case CMARK_NODE_LIST:
        render_list(html, node, entering);
        break;
    case CMARK_NODE_ITEM:
        fputs(entering ? "<li>" : "</li>\n", html);
        break;
    case CMARK_NODE_THEMATIC_BREAK:
        fputs("<hr>\n", html);
        break;
    case CMARK_NODE_CODE_BLOCK:
        render_code(html, node);
        break;
    case CMARK_NODE_TEXT:
        render_literal(html, "", node, "");
        break;
    case CMARK_NODE_CODE:
        render_literal(html, "<code>", node, "</code>");
        break;
    case CMARK_NODE_SOFTBREAK:
        fputc('\n', html);
        break;
    case CMARK_NODE_LINEBREAK:
        fputs("<br>\n", html);
        break;
    case CMARK_NODE_EMPH:
        write_start(html, "em", entering);
        break;
    case CMARK_NODE_STRONG:
        write_start(html, "strong", entering);
        break;
    case CMARK_NODE_LINK:
        render_link(at, node, entering);
        break;
    default:
        render_extension(at, node, entering);
    }
}

void render_body(struct library *library, struct document *document, FILE *html)
{
    struct rendering at = {.library = library, .document = document, .html = html};
    names_add(&at.given, "main"); /* from the shell */
    names_add(&at.given, "contents");
    names_add(&at.given, "account");
    for (size_t i = 0; i < document->headings; i++)
        names_add(&at.given, document->heading[i].anchor);
    cmark_iter *iter = cmark_iter_new(document->root);
    for (cmark_event_type event; (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE;) {
        cmark_node *node = cmark_iter_get_node(iter);
        if (cmark_node_get_type(node) != CMARK_NODE_IMAGE) {
            render_node(&at, node, event == CMARK_EVENT_ENTER);
        } else if (event == CMARK_EVENT_ENTER) {
            render_image(&at, node);
            cmark_iter_reset(iter, node, CMARK_EVENT_EXIT);
        }
    }
    cmark_iter_free(iter);
    names_free(&at.given);
}
