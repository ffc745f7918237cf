/* Pages that work without scripts: a shell from web-static/ with a title, a description, and
 * content in <main>, which a script replaces with the live page. The content is the same for all
 * readers. */
#ifndef TILLROLL_API_PAGES_PAGE_H
#define TILLROLL_API_PAGES_PAGE_H

#include "api/pages/html.h"
#include "api/pages/picture.h"
#include "api/request/call.h"
#include "api/state/files.h"

/* Metadata for search engines and link previews. Plain text. */
struct page_head {
    const char *title;       /* "" = the shell's */
    const char *description; /* a sentence or two */
};

/* The image beside a link to a page. */
struct page_image {
    const char *path; /* of a PNG of 1200 x 630 on this service */
    const char *alt;  /* its content, as plain text */
};

/* A title from `before` and a name within direction isolates. Owned by the call's arena. */
const char *page_title(struct call *call, const char *before, const char *name);

/* Answers with the shell of the call's route, and `content` in its <main>. The entity tag depends
 * on the content. */
void page_answer(struct call *call, const struct page_head *head, const struct growing *content);

/* As page_answer(), with content in German. */
void page_answer_german(struct call *call, const struct page_head *head,
                        const struct growing *content);

/* As page_answer(), with the file `shell` (NULL = that of the call's route) and a specific link
 * preview image. Services that do not know their own address omit the image. */
void page_answer_pictured(struct call *call, const char *shell, const struct page_head *head,
                          const struct page_image *image, const struct growing *content);

/* As page_answer(), for a page about one of the service's games, given by its slug and title: with
 * the picture of that game. */
void page_answer_of_game(struct call *call, const struct page_head *head, const char *slug,
                         const char *title, const struct growing *content);

/* Answers with a picture drawn for this address, with an entity tag; `unavailable` if there is not
 * enough memory. */
void page_answer_picture(struct call *call, const struct picture *picture);

/* The file of a ruleset's emblem, for a picture. Borrowed; empty if there is none. */
struct span page_emblem(const struct call *call, const char *slug);

/* The site's name, for a picture's foot: `club.example`, or `Tillroll` if the service does not know
 * its address. Borrowed. */
const char *page_site_name(const struct call *call);

/* As page_answer(), without a tag and always with status 200: for content whose changes are not
 * announced, so that it is never cached. */
void page_answer_uncached(struct call *call, const struct page_head *head,
                          const struct growing *content);

/* Answers with a file unchanged, or with `not-found` if it is NULL. */
void page_answer_file(struct call *call, struct file *file);

/* Turns the call's problem into a page with the same status and the problem's detail. The shell's
 * script may show more. */
void page_show_problem(struct call *call);

/* True if a link to the page or picture asks for German (`?language=de`), the language of the
 * reader who shared it. Scripts show pages in each reader's own language; a picture has only one.
 */
bool page_is_german(const struct call *call);

/* Adds the language of the request to `path`, for a picture of its page. */
const char *page_picture_path(struct call *call, const char *path);

/* As page_show_problem(), for an address without a route: a page with links if the client accepts
 * HTML. Below /v1 and /static the response remains a problem document. */
void page_not_found(struct call *call);

#endif
