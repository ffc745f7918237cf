/* A document as HTML. Nothing that it says becomes markup: raw HTML, comments too, is left out, all
 * else is escaped, and links lead to http, https, or into this service. */
#ifndef TILLROLL_API_DOCS_RENDER_H
#define TILLROLL_API_DOCS_RENDER_H

#include <stdio.h>

#include "api/docs/document.h"

/* All documents, so that links among them can be written. */
struct library {
    const char *source; /* the top of the repository */
    struct document document[DOCUMENTS_MAX];
    size_t count;
};

/* The document of a file, or NULL. */
struct document *library_find(struct library *library, const char *file);

void render_escaped(FILE *html, const char *text);

/* Where a link of `document` leads: an address, or NULL for a file of the repository that is no
 * document. A link that leads nowhere ends the program. To be freed. */
char *render_address(struct library *library, const struct document *document, const char *url);

/* Writes what stands in the document; headings and rows that begin with a piece of code get
 * anchors. */
void render_body(struct library *library, struct document *document, FILE *html);

#endif
