/* The frames of pages: what every page has around its <main> is in one file, shell.html, and what
 * each page has of its own in pages.json:
 *
 *      {"usual": {"without": ".."}, "pages": {"round": {"title": "Round - Tillroll"}}}
 *
 * makes round.html of the shell, in which {{title}} stands for the text under that name, of the
 * page or else of `usual`, and {{page}} for the page's name. A mark without a text is left out, and
 * an attribute that consists of nothing else (`class="{{main}}"`) with it.
 */
#ifndef TILLROLL_API_STATE_SHELLS_H
#define TILLROLL_API_STATE_SHELLS_H

#include <stdbool.h>

#include "engine/base/text.h"

/* Is given a page: its name with the ending, which is valid during the call, and its bytes, from
 * malloc, which it takes over. False if there is no room, with a sentence in `error`. */
typedef bool shells_take(void *context, const char *name, char *bytes, size_t length,
                         struct text *error);

/* Makes all pages of the two files, in their order. False with a sentence in `error`. */
bool shells_make(struct span shell, struct span pages, shells_take *take, void *context,
                 struct text *error);

#endif
