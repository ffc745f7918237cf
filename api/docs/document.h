/* A document of web-static/docs, or one that stands beside its code: Markdown, with an address
 * below /docs and the anchors that links can lead to. For the program that makes pages when the
 * service is built (build_docs.c); it runs in one thread and ends at the first fault. */
#ifndef TILLROLL_API_DOCS_DOCUMENT_H
#define TILLROLL_API_DOCS_DOCUMENT_H

#include <cmark-gfm.h>
#include <stdbool.h>
#include <stddef.h>

enum { DOCUMENTS_MAX = 96 };

/* Texts in the order in which they were added; owned. */
struct names {
    char **name;
    size_t count;
};

struct heading {
    char *text, *anchor; /* owned */
    int level;
};

struct document {
    char *file;    /* from the top of the repository: `web-static/docs/guides/players.md` */
    char *address; /* `/docs/guides/players`, `/docs` for web-static/docs/index.md, and
                      `/games/shinjuku` for web-static/docs/games/shinjuku.md */
    cmark_node *root;
    struct heading *heading; /* in order; the first is the title */
    size_t headings;
    struct names anchors; /* all of them */
};

/* Ends the program with a sentence on standard error: `FILE: FORMAT...`. */
__attribute__((format(printf, 2, 3), noreturn)) void document_fail(const char *file,
                                                                   const char *format, ...);

/* The whole of a file below `source`, NUL-terminated; to be freed. `length` may be NULL. */
char *document_read(const char *source, const char *file, size_t *length);

/* Reads and parses a document. It must begin with a heading of level 1, and have no other. */
void document_load(struct document *document, const char *source, const char *file);
void document_free(struct document *document);

/* The text of a node and of all that is in it, with single blanks; to be freed. */
char *document_text(cmark_node *node);

/* The anchor of a text, as GitHub makes it: lower case, blanks become hyphens, punctuation goes. To
 * be freed. */
char *document_anchor(const char *text);

/* The anchor of the row that a cell of a table begins: that of the piece of code that is all of the
 * cell. NULL if it has none. To be freed. */
char *document_row_anchor(cmark_node *cell);

/* The file that a link of `document` leads to, from the top of the repository, and its anchor (NULL
 * = none): "guides/x.md#y" in web-static/docs/index.md is web-static/docs/guides/x.md and y. Both
 * are to be freed. */
char *document_target(const struct document *document, const char *url, char **anchor);

bool names_have(const struct names *names, const char *name);
void names_add(struct names *names, const char *name);
void names_free(struct names *names);

#endif
