/* The page of the API, made of openapi.json when the service is built. For build_docs.c. */
#ifndef TILLROLL_API_DOCS_API_PAGE_H
#define TILLROLL_API_DOCS_API_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "api/docs/document.h"

/* openapi.json (OpenAPI 3.1), read; ends the program if it cannot be. To be given to json_decref().
 */
json_t *api_page_load(const char *path);

/* A document that stands for the page among the others: its address, title and headings. It has no
 * root. To be freed. */
void api_page_document(struct document *document);

/* Writes what stands on the page: how to begin, an evening request by request, every request with
 * its parameters, body and responses, and every object in them. */
void api_page_write(json_t *api, FILE *html);

/* Writes a line of the search's index for each request and object (build_docs.c has the form). */
void api_page_index(json_t *api, FILE *to);

#endif
