/* The search of the documentation: the sections in which every word occurs, those first that have
 * them in a heading. The index was made with the pages (api/docs/build_docs.c); a line a section:
 * address, title of the page, heading, text, parted by tabs. */
#ifndef TILLROLL_API_PAGES_DOCS_SEARCH_H
#define TILLROLL_API_PAGES_DOCS_SEARCH_H

#include "engine/base/text.h"

enum { DOCS_WORDS_MAX = 8, DOCS_FOUND_MAX = 25 };

/* A section, borrowed from the index. */
struct docs_found {
    struct span address, page, heading, text;
    unsigned score;
};

/* Looks for `count` (1 .. DOCS_WORDS_MAX) words, none of them empty; ASCII letters in either case.
 * Returns how many of the best have been put into `found`, the best first; of equals, in the order
 * of the index. Pure. */
size_t docs_search(struct span index, const struct span *words, size_t count,
                   struct docs_found found[static DOCS_FOUND_MAX]);

/* The first place of `word` in `text`, or text.length. Pure. */
size_t docs_place(struct span text, struct span word);

#endif
