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
    const char *title;       /* "" = as in the shell */
    const char *description; /* a sentence or two */
};

/* The image beside a link to a page. */
struct page_image {
    const char *path; /* of a PNG of 1200 x 630 on this service */
    const char *alt;  /* what it shows, as plain text */
};

/* A title made of `before` and a name in direction isolates. In the arena. */
const char *page_title(struct call *call, const char *before, const char *name);

/* Answers with the shell of the call's route and `content` in its <main>, tagged by content. */
void page_answer(struct call *call, const struct page_head *head, const struct growing *content);

/* The same with content in German. */
void page_answer_german(struct call *call, const struct page_head *head,
                        const struct growing *content);

/* The same with the file `shell` (NULL = that of the call's route) and another link preview image
 * than the usual one, which is omitted if the service does not know its own address. */
void page_answer_pictured(struct call *call, const char *shell, const struct page_head *head,
                          const struct page_image *image, const struct growing *content);

/* The same as page_answer() for a page about one of our games, by its slug and title: with the
 * picture of that game. */
void page_answer_of_game(struct call *call, const struct page_head *head, const char *slug,
                         const char *title, const struct growing *content);

/* Answers with a picture drawn for this address, tagged by content; `unavailable` if memory is
 * short. */
void page_answer_picture(struct call *call, const struct picture *picture);

/* The file of a ruleset's emblem, for a picture; borrowed, empty if there is none. */
struct span page_emblem(const struct call *call, const char *slug);

/* The site's name, for a picture's foot: `club.example`, or `Tillroll` if it is not known.
 * Borrowed. */
const char *page_site_name(const struct call *call);

/* The same without a tag and always as 200: for content whose changes are not announced, so that
 * it is never cached. */
void page_answer_unkept(struct call *call, const struct page_head *head,
                        const struct growing *content);

/* Answers with a file unchanged; with `not-found` if it is NULL. */
void page_answer_file(struct call *call, struct file *file);

/* Turns the call's problem into a page with the same status and the problem's detail. The
 * shell's script may still have more to show. */
void page_excuse(struct call *call);

/* True if a link to the page or picture asks for German (`?language=de`): who shared it reads
 * German. Pages themselves are in the reader's language, but a picture has one. */
bool page_is_german(const struct call *call);

/* `path` with the language of the request, for a picture of its page. */
const char *page_picture_path(struct call *call, const char *path);

/* The same for an address without a route: a page with links if the client accepts HTML. Below
 * /v1 and /static the problem is kept. */
void page_lost(struct call *call);

#endif
