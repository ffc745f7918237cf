/* Markdown documents: files of web-static/docs, or beside the code that they describe, with their
 * addresses below /docs and their anchors. For build_docs.c, which runs in one thread and ends at
 * the first error. */
#ifndef TILLROLL_API_DOCS_DOCUMENT_H
#define TILLROLL_API_DOCS_DOCUMENT_H

#include <cmark-gfm.h>
#include <stdbool.h>
#include <stddef.h>

enum { DOCUMENTS_MAX = 96 };

/* Texts in insertion order; owned. */
struct names {
    char **name;
    size_t count;
};

struct heading {
    char *text, *anchor; /* owned */
    int level;
};

struct document {
    char *file;    /* from the root of the repository: `web-static/docs/guides/players.md` */
    char *address; /* `/docs/guides/players`, `/docs` for web-static/docs/index.md, and
                      `/games/shinjuku` for web-static/docs/games/shinjuku.md */
    cmark_node *root;
    struct heading *heading; /* in order; the first is the title */
    size_t headings;
    struct names anchors; /* all anchors */
};

/* Ends the program with a message on standard error: `FILE: FORMAT...`. */
__attribute__((format(printf, 2, 3), noreturn)) void document_fail(const char *file,
                                                                   const char *format, ...);

/* Reads a file below `source`, and adds a NUL; to be freed. `length` may be NULL. */
char *document_read(const char *source, const char *file, size_t *length);

/* Reads and parses a document. It must begin with its only heading of level 1. */
void document_load(struct document *document, const char *source, const char *file);
void document_free(struct document *document);

/* The text of a node and its descendants, with single spaces; to be freed. */
char *document_text(cmark_node *node);

/* The anchor of a table row: its first cell, if that is a single code span. Otherwise NULL. To
 * be freed. */
char *document_row_anchor(cmark_node *cell);

/* The target of a link in `document`: its file, from the root of the repository, and anchor
 * (NULL = none). "guides/x.md#y" in web-static/docs/index.md is web-static/docs/guides/x.md and
 * y. Both are to be freed. */
char *document_target(const struct document *document, const char *url, char **anchor);

bool names_have(const struct names *names, const char *name);
void names_add(struct names *names, const char *name);
void names_free(struct names *names);

#endif
