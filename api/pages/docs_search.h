/* Documentation search: finds sections that contain every word, and ranks sections with the words
 * in a heading first. A section may also have a word without its ending, or a synonym (`resign`:
 * `leave`); such sections rank lower. The index is built with the pages (api/docs/build_docs.c),
 * with a line per section: address, page title, heading, text; separated by tabs. */
#ifndef TILLROLL_API_PAGES_DOCS_SEARCH_H
#define TILLROLL_API_PAGES_DOCS_SEARCH_H

#include "engine/base/text.h"

enum { DOCS_WORDS_MAX = 8, DOCS_FOUND_MAX = 25 };

/* A section, borrowed from the index. */
struct docs_found {
    struct span address, page, heading, text;
    unsigned score;
};

/* Searches for `count` (1 .. DOCS_WORDS_MAX) non-empty words, ignoring ASCII case. Writes the
 * best matches to `found`, best first, ties in index order; returns their number. Pure. */
size_t docs_search(struct span index, const struct span *words, size_t count,
                   struct docs_found found[static DOCS_FOUND_MAX]);

/* The occurrence of `word` or its synonym in `text`: a part of `text`, empty if there is none.
 * Pure. */
struct span docs_place(struct span text, struct span word);

#endif
