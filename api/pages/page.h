/* Pages that work without scripts: a shell from web-static/ with a title, a description, and
 * content in <main>, which a script replaces with the live page. The content is the same for all
 * readers. */
#ifndef TILLROLL_API_PAGES_PAGE_H
#define TILLROLL_API_PAGES_PAGE_H

#include "api/pages/html.h"
#include "api/request/call.h"
#include "api/state/files.h"

/* Metadata for search engines and link previews. Plain text. */
struct page_head {
    const char *title;       /* "" = as in the shell */
    const char *description; /* a sentence or two */
};

/* A title made of `before` and a name in direction isolates. In the arena. */
const char *page_title(struct call *call, const char *before, const char *name);

/* Answers with the file `shell` (NULL = the shell of the call's route) and `content` in its <main>,
 * tagged by content. */
void page_answer(struct call *call, const char *shell, const struct page_head *head,
                 const struct growing *content);

/* The same with a link preview image: `image` is a PNG of 1200 x 630 below /static. Omitted if
 * the service does not know its own address. */
void page_answer_pictured(struct call *call, const char *shell, const struct page_head *head,
                          const char *image, const struct growing *content);

/* The same without a tag and always as 200: for content whose changes are not announced, so that
 * it is never cached. */
void page_answer_unkept(struct call *call, const struct page_head *head,
                        const struct growing *content);

/* Answers with a file unchanged; with `not-found` if it is NULL. */
void page_answer_file(struct call *call, struct file *file);

/* Turns the call's problem into a page with the same status and the problem's detail. The
 * shell's script may still have more to show. */
void page_excuse(struct call *call);

/* The same for an address without a route: a page with links if the client accepts HTML. Below
 * /v1 and /static the problem is kept. */
void page_lost(struct call *call);

#endif
