/* Writing HTML: literal formats are markup, values are escaped.
 *
 *      html_write(&html, "<a href=\"/players/%s\"><bdi>%s</bdi></a>", id, name); */
#ifndef TILLROLL_API_PAGES_HTML_H
#define TILLROLL_API_PAGES_HTML_H

#include "engine/base/arena.h"

/* Adds `format`, a literal, unchanged except for these conversions:
 *
 *      %s      text, UTF-8, escaped for elements and quoted attributes; NULL is empty
 *      %d      an int
 *      %lld    a long long
 *      %%      a percent sign
 *
 * There are no others. */
void html_write(struct growing *html, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds text, escaped. */
void html_text(struct growing *html, struct span text);

#endif
