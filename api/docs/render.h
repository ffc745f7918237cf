/* Renders a document as HTML. Its text cannot become markup: raw HTML and comments are dropped,
 * everything else is escaped, and links lead only to http, https or this service. */
#ifndef TILLROLL_API_DOCS_RENDER_H
#define TILLROLL_API_DOCS_RENDER_H

#include <stdio.h>

#include "api/docs/document.h"

/* All documents, for links between them. */
struct library {
    const char *source; /* the root of the repository */
    struct document document[DOCUMENTS_MAX];
    size_t count;
};

/* The document made from a file, or NULL. */
struct document *library_find(struct library *library, const char *file);

void render_escaped(FILE *html, const char *text);

/* The address of a link in `document`, or NULL for a repository file that is not a document.
 * Broken links end the program. To be freed. */
char *render_address(struct library *library, const struct document *document, const char *url);

/* Writes the document's content; headings and rows that begin with a code span get anchors. */
void render_body(struct library *library, struct document *document, FILE *html);

#endif
