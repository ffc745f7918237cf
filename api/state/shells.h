/* The frames of pages: everything that a page has around its <main> is in one file, shell.html, and
 * the texts of each page are in pages.json:
 *
 *      {"usual": {"without": ".."}, "pages": {"round": {"title": "Round - Tillroll"}}}
 *
 * makes round.html from the shell, in which {{title}} stands for the text with that name, of the
 * page or else of `usual`, and {{page}} for the page's name. A mark without a text is left out,
 * together with an attribute that consists only of it (`class="{{main}}"`).
 */
#ifndef TILLROLL_API_STATE_SHELLS_H
#define TILLROLL_API_STATE_SHELLS_H

#include <stdbool.h>

#include "engine/base/text.h"

/* Takes a page: its name with the ending, valid during the call, and its bytes from malloc, whose
 * ownership passes to the function. False if there is no room, with a sentence in `error`. */
typedef bool shells_take(void *context, const char *name, char *bytes, size_t length,
                         struct text *error);

/* Makes all pages of pages.json, in their order. False with a sentence in `error`. */
bool shells_make(struct span shell, struct span pages, shells_take *take, void *context,
                 struct text *error);

#endif
