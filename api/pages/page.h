/* Pages that can be read without a script: a file of web-static/, its shell, with a title, a
 * description and what the page shows in its <main>, in which a script then draws the live page.
 * What is written is for everybody the same.
 */
#ifndef TILLROLL_API_PAGES_PAGE_H
#define TILLROLL_API_PAGES_PAGE_H

#include "api/pages/html.h"
#include "api/request/call.h"
#include "api/state/files.h"

/* Of what a page tells search engines and those who are sent its address. Plain text. */
struct page_head {
    const char *title;       /* "" = as in the shell */
    const char *description; /* a sentence or two */
};

/* A title: `before`, and a name between the marks that keep its writing direction to itself. In the
 * arena. */
const char *page_title(struct call *call, const char *before, const char *name);

/* Answers with the shell of the call's route, or with the file `shell` (NULL = the former), and
 * `content` in its <main>; tagged by what it shows. */
void page_answer(struct call *call, const char *shell, const struct page_head *head,
                 const struct growing *content);

/* The same with a picture of its own where the page is shown beside a link: `image` is the name of
 * a PNG of 1200 x 630 below /static. Pages have one only where the service knows its address. */
void page_answer_pictured(struct call *call, const char *shell, const struct page_head *head,
                          const char *image, const struct growing *content);

/* The same without a tag, as 200 whatever was answered before: of what nobody is told when it
 * changes, so that no copy of it may be kept. */
void page_answer_unkept(struct call *call, const struct page_head *head,
                        const struct growing *content);

/* Answers with a file as it is; with `not-found` if it is NULL. */
void page_answer_file(struct call *call, struct file *file);

/* Makes a page of a problem that is the call's answer, with the same status: its sentence stands in
 * the shell, whose script may then still have more to show. */
void page_excuse(struct call *call);

/* The same for a problem at an address that no route takes: a page with links for a browser, that
 * is, for whoever asks for HTML. What programs ask for, below /v1 and /static, keeps its problem.
 */
void page_lost(struct call *call);

#endif
