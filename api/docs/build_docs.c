/* Generates the pages below /docs at build time:
 *
 *      build_docs SOURCE OPENAPI PACK
 *
 * web-static/docs/index.md is the first page and the table of contents: the links in the lists
 * below its headings are the pages, in order. Each page is put into the shell
 * web-static/docs.html. The API page is generated from OPENAPI (api_page.h). Instructions for
 * games (web-static/docs/games) become part of the game's page, without shell and title:
 * rules/<slug>.html. All pages and a search index (api/pages/docs_search.h) go into one file,
 * PACK, which is embedded in the service (api/state/files.c):
 *
 *      docs/guides/players.html 15023\n
 *      15023 bytes
 */
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm/registry.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/docs/api_page.h"
#include "api/docs/render.h"

static const char index_file[] = "web-static/docs/index.md";
static const char shell_file[] = "web-static/docs.html";

struct building {
    struct library library;
    json_t *api;
    char *shell;
    FILE *pack;
};

/* ---- The contents ---- */

typedef void entry_visitor(struct building *building, cmark_node *link, void *context);
typedef void heading_visitor(struct building *building, const char *text, void *context);

/* Visits the lists of the first page: each heading with a list, and the first link of each item. */
static void visit_contents(struct building *building, heading_visitor *heading,
                           entry_visitor *entry, heading_visitor *end, void *context)
{
    struct document *index = &building->library.document[0];
    cmark_node *last = NULL;
    for (cmark_node *each = cmark_node_first_child(index->root); each != NULL;
         each = cmark_node_next(each)) {
        if (cmark_node_get_type(each) == CMARK_NODE_HEADING)
            last = each;
        if (cmark_node_get_type(each) != CMARK_NODE_LIST || last == NULL)
            continue;
        char *text = document_text(last);
        heading(building, text, context);
        for (cmark_node *item = cmark_node_first_child(each); item != NULL;
             item = cmark_node_next(item)) {
            cmark_node *link = cmark_node_first_child(cmark_node_first_child(item));
            if (link == NULL || cmark_node_get_type(link) != CMARK_NODE_LINK)
                document_fail(index_file, "items of the table of contents must begin with a link");
            entry(building, link, context);
        }
        end(building, text, context);
        free(text);
    }
}

static void ignore(struct building *building, const char *text, void *context)
{
    (void)building;
    (void)text;
    (void)context;
}

static bool ends_in_md(const char *file)
{
    size_t length = strlen(file);
    return length > 3 && strcmp(file + length - 3, ".md") == 0;
}

static void load_entry(struct building *building, cmark_node *link, void *context)
{
    struct library *library = &building->library;
    const char *url = cmark_node_get_url(link);
    (void)context;
    if (url[0] == '/')
        return;
    char *anchor;
    char *file = document_target(&library->document[0], url, &anchor);
    if (ends_in_md(file) && library_find(library, file) == NULL) {
        if (library->count == DOCUMENTS_MAX)
            document_fail(file, "there are too many documents");
        document_load(&library->document[library->count++], library->source, file);
    }
    free(file);
    free(anchor);
}

/* ---- The navigation of a page ---- */

struct navigation {
    FILE *html;
    const struct document *shown; /* NULL = no page */
};

static void write_section(struct building *building, const char *text, void *context)
{
    struct navigation *to = context;
    (void)building;
    fputs("<h2>", to->html);
    render_escaped(to->html, text);
    fputs("</h2>\n<ul>\n", to->html);
}

static void write_headings(const struct document *document, FILE *html)
{
    fputs("\n<ul>\n", html);
    for (size_t i = 1; i < document->headings; i++) {
        if (document->heading[i].level != 2)
            continue;
        fputs("<li><a href=\"#", html);
        render_escaped(html, document->heading[i].anchor);
        fputs("\">", html);
        render_escaped(html, document->heading[i].text);
        fputs("</a></li>\n", html);
    }
    fputs("</ul>\n", html);
}

static bool has_sections(const struct document *document)
{
    size_t found = 0;
    for (size_t i = 1; i < document->headings; i++)
        found += document->heading[i].level == 2;
    return found > 1;
}

static void write_entry(struct building *building, cmark_node *link, void *context)
{
    struct navigation *to = context;
    struct document *index = &building->library.document[0];
    const char *url = cmark_node_get_url(link);
    char *address = render_address(&building->library, index, url);
    char *text = document_text(link);
    bool shown = to->shown != NULL && strcmp(address, to->shown->address) == 0;
    fprintf(to->html, "<li><a href=\"%s", address[0] == '#' ? index->address : "");
    render_escaped(to->html, address);
    fputs(shown ? "\" aria-current=\"page\">" : "\">", to->html);
    render_escaped(to->html, text);
    fputs("</a>", to->html);
    if (shown && has_sections(to->shown))
        write_headings(to->shown, to->html);
    fputs("</li>\n", to->html);
    free(text);
    free(address);
}

static void end_section(struct building *building, const char *text, void *context)
{
    struct navigation *to = context;
    (void)building;
    (void)text;
    fputs("</ul>\n", to->html);
}

/* ---- Pages ---- */

/* Copies the shell up to and including `mark`, and advances past it. */
static const char *write_until(FILE *html, const char *shell, const char *mark)
{
    const char *found = strstr(shell, mark);
    if (found == NULL)
        document_fail(shell_file, "there is no %s", mark);
    size_t length = (size_t)(found - shell) + strlen(mark);
    fwrite(shell, 1, length, html);
    return shell + length;
}

static const char *skip_to(const char *shell, const char *mark)
{
    const char *found = strstr(shell, mark);
    if (found == NULL)
        document_fail(shell_file, "there is no %s", mark);
    return found;
}

static void write_narrow_contents(const struct document *document, FILE *html)
{
    fputs("<details class=\"on-page\"><summary>On this page</summary>", html);
    write_headings(document, html);
    fputs("</details>\n", html);
}

/* Writes a page. `document` is NULL for the search page, whose content the service writes, and has
 * no root for the API page. */
static void write_page(struct building *building, struct document *document, FILE *html)
{
    const char *title = document == NULL ? "Search" : document->heading[0].text;
    struct navigation navigation = {html, document};
    const char *rest = write_until(html, building->shell, "<title");
    fputc('>', html);
    render_escaped(html, title);
    fputs(" - Tillroll", html);
    rest = write_until(html, skip_to(rest, "</title>"), "<main id=\"main\" lang=\"en\">");
    fputc('\n', html);
    if (document != NULL) {
        if (document->root == NULL)
            api_page_write(building->api, html);
        else
            render_body(&building->library, document, html);
        if (document != &building->library.document[0] && has_sections(document))
            write_narrow_contents(document, html);
    }
    rest = write_until(html, skip_to(rest, "</main>"), "<nav id=\"contents\" lang=\"en\"");
    rest = write_until(html, rest, ">");
    fputc('\n', html);
    visit_contents(building, write_section, write_entry, end_section, &navigation);
    fputs(skip_to(rest, "</nav>"), html);
}

static void pack_file(struct building *building, const char *name, const char *bytes)
{
    fprintf(building->pack, "%s.html %zu\n%s", name, strlen(bytes), bytes);
}

static void pack_page(struct building *building, struct document *document, const char *address)
{
    char *page = NULL;
    size_t size = 0;
    FILE *html = open_memstream(&page, &size);
    write_page(building, document, html);
    fclose(html);
    pack_file(building, strcmp(address, "/docs") == 0 ? "docs/index" : address + 1, page);
    free(page);
}

/* Packs the document without its title, which the game's page already has. */
static void pack_body(struct building *building, struct document *document, const char *name)
{
    static const char end_of_title[] = "</h1>\n";
    char *body = NULL;
    size_t size = 0;
    FILE *html = open_memstream(&body, &size);
    render_body(&building->library, document, html);
    fclose(html);
    pack_file(building, name, strstr(body, end_of_title) + strlen(end_of_title));
    free(body);
}

/* Packs the German version, if there is one. Its headings get the anchors of the English ones, to
 * which pages link. */
static void pack_german(struct building *building, const struct document *english, const char *slug)
{
    char file[256];
    char path[4096];
    struct document german;
    snprintf(file, sizeof file, "web-static/docs/games/%s.de.md", slug);
    snprintf(path, sizeof path, "%s/%s", building->library.source, file);
    if (access(path, R_OK) != 0)
        return;
    document_load(&german, building->library.source, file);
    if (german.headings != english->headings)
        document_fail(file, "its headings differ from those of the English text");
    for (size_t i = 0; i < german.headings; i++) {
        free(german.heading[i].anchor);
        german.heading[i].anchor = strdup(english->heading[i].anchor);
    }
    snprintf(path, sizeof path, "rules/%s.de", slug);
    pack_body(building, &german, path);
    document_free(&german);
}

static void pack_rules(struct building *building, struct document *document, const char *slug)
{
    char name[256];
    snprintf(name, sizeof name, "rules/%s", slug);
    pack_body(building, document, name);
    pack_german(building, document, slug);
}

static void pack_document(struct building *building, struct document *document)
{
    static const char games[] = "/games/";
    if (strncmp(document->address, games, strlen(games)) == 0)
        pack_rules(building, document, document->address + strlen(games));
    else
        pack_page(building, document, document->address);
}

/* ---- The index of the search ---- */

/* Writes a line per section: address, page title, heading, text; separated by tabs. */
static void index_section(const struct document *document, size_t heading, const char *text,
                          FILE *to)
{
    const struct heading *at = &document->heading[heading];
    fprintf(to, "%s%s%s\t%s\t%s\t%s\n", document->address, heading == 0 ? "" : "#",
            heading == 0 ? "" : at->anchor, document->heading[0].text, at->text, text);
}

static void index_document(const struct document *document, FILE *to)
{
    cmark_node *each = cmark_node_next(cmark_node_first_child(document->root));
    for (size_t heading = 0; heading < document->headings; heading++) {
        char *text = NULL;
        size_t size = 0;
        FILE *words = open_memstream(&text, &size);
        for (; each != NULL && cmark_node_get_type(each) != CMARK_NODE_HEADING;
             each = cmark_node_next(each)) {
            char *part = document_text(each);
            fprintf(words, "%s ", part);
            free(part);
        }
        fclose(words);
        index_section(document, heading, text, to);
        free(text);
        each = each == NULL ? NULL : cmark_node_next(each);
    }
}

static void pack_index(struct building *building)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    for (size_t i = 0; i < building->library.count; i++)
        index_document(&building->library.document[i], to);
    api_page_index(building->api, to);
    fclose(to);
    fprintf(building->pack, "docs/search.txt %zu\n", size);
    fwrite(text, 1, size, building->pack);
    free(text);
}

int main(int count, char **words)
{
    static struct building building;
    struct library *library = &building.library;
    struct document api;
    if (count != 4) {
        fprintf(stderr, "usage: build_docs SOURCE OPENAPI PACK\n");
        return 2;
    }
    cmark_gfm_core_extensions_ensure_registered();
    library->source = words[1];
    building.api = api_page_load(words[2]);
    api_page_document(&api);
    building.shell = document_read(library->source, shell_file, NULL);
    document_load(&library->document[library->count++], library->source, index_file);
    visit_contents(&building, ignore, load_entry, ignore, NULL);
    building.pack = fopen(words[3], "wb");
    if (building.pack == NULL)
        document_fail(words[3], "cannot be written");
    for (size_t i = 0; i < library->count; i++)
        pack_document(&building, &library->document[i]);
    pack_page(&building, &api, api.address);
    pack_page(&building, NULL, "/docs/search");
    pack_index(&building);
    bool written = fclose(building.pack) == 0;
    for (size_t i = 0; i < library->count; i++)
        document_free(&library->document[i]);
    document_free(&api);
    json_decref(building.api);
    free(building.shell);
    cmark_release_plugins();
    return written ? 0 : 1;
}
