/* Documentation pages, built with the service (api/docs/build_docs.c), and the search, which
 * needs no script. */
#include <string.h>

#include "api/pages/docs_search.h"
#include "api/pages/handlers.h"
#include "api/pages/page.h"
#include "api/state/files.h"

/* Serves /docs/<folder>/<page>. */
void page_docs(struct call *call)
{
    char bytes[FILE_NAME_MAX];
    struct text name = TEXT_OVER(bytes);
    text_add(&name, "docs");
    for (size_t i = 0; i < call->words; i++) {
        text_add_char(&name, '/');
        text_add_span(&name, call->word[i]);
    }
    text_add(&name, ".html");
    page_answer_file(call,
                     name.overflow ? NULL : files_find(call->service->files, text_span(&name)));
}

/* ---- The search ---- */

/* The words of a form's query, separated by `+`. */
static size_t read_words(struct call *call, struct span words[static DOCS_WORDS_MAX])
{
    struct span query = http_parameter(call->request, "q");
    size_t count = 0;
    while (query.length > 0 && count < DOCS_WORDS_MAX) {
        const char *plus = memchr(query.at, '+', query.length);
        size_t length = plus == NULL ? query.length : (size_t)(plus - query.at);
        size_t skipped = plus == NULL ? length : length + 1;
        if (length > 0)
            words[count++] = (struct span){query.at, length};
        query = (struct span){query.at + skipped, query.length - skipped};
    }
    return count;
}

/* The text around the first word, cut at word boundaries. */
static void write_excerpt(struct growing *html, struct span text, struct span word)
{
    enum { BEFORE = 60, LENGTH = 220 };
    const struct span place = docs_place(text, word);
    const size_t at = (size_t)(place.at - text.at);
    bool found = place.length > 0;
    size_t start = found && at > BEFORE ? at - BEFORE : 0;
    while (start > 0 && text.at[start - 1] != ' ')
        start--;
    size_t end = start + LENGTH < text.length ? start + LENGTH : text.length;
    while (end < text.length && text.at[end] != ' ')
        end++;
    size_t mark = found ? at : start;
    size_t after = found ? at + place.length : start;
    html_write(html, start > 0 ? "<p>\u2026 " : "<p>");
    html_text(html, (struct span){text.at + start, mark - start});
    if (found) {
        html_write(html, "<mark>");
        html_text(html, (struct span){text.at + mark, after - mark});
        html_write(html, "</mark>");
    }
    html_text(html, (struct span){text.at + after, end - after});
    html_write(html, end < text.length ? " \u2026</p>" : "</p>");
}

static void write_found(struct growing *html, const struct docs_found *found, struct span word)
{
    html_write(html, "<li><a href=\"");
    html_text(html, found->address);
    html_write(html, "\">");
    html_text(html, found->page);
    if (!span_equal(found->page, found->heading)) {
        html_write(html, ": ");
        html_text(html, found->heading);
    }
    html_write(html, "</a>");
    write_excerpt(html, found->text, word);
    html_write(html, "</li>\n");
}

static void write_result(struct call *call, struct growing *html)
{
    struct span words[DOCS_WORDS_MAX];
    struct docs_found found[DOCS_FOUND_MAX];
    const struct file *index = files_find(call->service->files, span_of("docs/search.txt"));
    size_t count = read_words(call, words);
    size_t kept =
        count == 0 || index == NULL ? 0 : docs_search(file_bytes(index), words, count, found);
    if (count == 0) {
        html_write(html, "<p>Enter one or more words.</p>\n");
        return;
    }
    html_write(html, "<p role=\"status\">");
    if (kept == 0)
        html_write(html, "No page has all of these words: ");
    else
        html_write(html, kept == DOCS_FOUND_MAX ? "The %d best matches for: " : "%d found for: ",
                   (int)kept);
    for (size_t i = 0; i < count; i++) {
        html_write(html, i == 0 ? "<code>" : " <code>");
        html_text(html, words[i]);
        html_write(html, "</code>");
    }
    html_write(html, "</p>\n<ol class=\"found\">\n");
    for (size_t i = 0; i < kept; i++)
        write_found(html, &found[i], words[0]);
    html_write(html, "</ol>\n");
}

void page_docs_search(struct call *call)
{
    static const struct page_head head = {"Search", "Search the documentation of Tillroll."};
    struct growing content;
    growing_begin(&content, call->arena, 8192);
    html_write(&content, "<h1>Search</h1>\n");
    write_result(call, &content);
    page_answer(call, &head, &content);
}
