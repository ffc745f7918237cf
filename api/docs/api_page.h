/* The API page, generated from openapi.json at build time. For build_docs.c. */
#ifndef TILLROLL_API_DOCS_API_PAGE_H
#define TILLROLL_API_DOCS_API_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "api/docs/document.h"

/* Reads openapi.json (OpenAPI 3.1); ends the program on failure. The caller owns the reference. */
json_t *api_page_load(const char *path);

/* A document representing the page among the others: address, title and headings, without a
 * root. To be freed. */
void api_page_document(struct document *document);

/* Writes the page: how to begin, the walkthrough, every request with its parameters, body and
 * responses, and every schema. */
void api_page_write(json_t *api, FILE *html);

/* Writes a search index line for each request and schema (format: build_docs.c). */
void api_page_index(json_t *api, FILE *to);

#endif
