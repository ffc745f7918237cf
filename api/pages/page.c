#include "api/pages/page.h"

#include <assert.h>
#include <string.h>

#include "api/request/route.h"
#include "api/state/files.h"

/* ---- The shell ---- */

/* Copies up to and including `mark`, and leaves the remainder in `rest`. Every shell has every mark
 * (checked in tests/api/pages). */
static struct span cut_after(struct span *rest, const char *mark)
{
    const char *found = memmem(rest->at, rest->length, mark, strlen(mark));
    size_t length = found == NULL ? 0 : (size_t)(found - rest->at) + strlen(mark);
    struct span head = {rest->at, length};
    *rest = (struct span){rest->at + length, rest->length - length};
    return head;
}

static void skip_before(struct span *rest, const char *mark)
{
    const char *found = memmem(rest->at, rest->length, mark, strlen(mark));
    size_t length = found == NULL ? 0 : (size_t)(found - rest->at);
    *rest = (struct span){rest->at + length, rest->length - length};
}

static struct span shell_of(const struct call *call, const char *name)
{
    const char *wanted = name == NULL ? call->route->page : name;
    const struct file *file = files_find(call->service->files, span_of(wanted));
    return file == NULL ? span_of("") : file_bytes(file);
}

static void write_head(struct growing *html, const struct page_head *head)
{
    html_write(html,
               "\n<meta name=\"description\" content=\"%s\">\n"
               "<meta property=\"og:site_name\" content=\"Tillroll\">\n"
               "<meta property=\"og:type\" content=\"website\">\n"
               "<meta property=\"og:title\" content=\"%s\">\n"
               "<meta property=\"og:description\" content=\"%s\">",
               head->description, head->title[0] == '\0' ? "Tillroll" : head->title,
               head->description);
}

/* Link previews need absolute addresses. */
static void write_image(struct growing *html, const struct call *call,
                        const struct page_image *image)
{
    const char *site = call->service->site_address;
    if (site != NULL)
        html_write(html,
                   "\n<meta property=\"og:url\" content=\"%s%s\">\n"
                   "<meta property=\"og:image\" content=\"%s%s\">\n"
                   "<meta property=\"og:image:type\" content=\"image/png\">\n"
                   "<meta property=\"og:image:width\" content=\"1200\">\n"
                   "<meta property=\"og:image:height\" content=\"630\">\n"
                   "<meta property=\"og:image:alt\" content=\"%s\">\n"
                   "<meta name=\"twitter:card\" content=\"summary_large_image\">\n"
                   "<meta name=\"twitter:image:alt\" content=\"%s\">",
                   site, arena_copy(call->arena, call->request->path), site, image->path,
                   image->alt, image->alt);
}

static const struct page_image usual_image = {"/static/emblems/tillroll.png",
                                              "The sign of Tillroll"};

static struct span fill_shell(struct call *call, struct span shell, const struct page_head *head,
                              const struct page_image *image, struct span content, bool german)
{
    enum { HEAD_BYTES = 2048 };
    struct growing html;
    growing_begin(&html, call->arena, shell.length + content.length + HEAD_BYTES);
    if (german) {
        growing_add(&html, cut_after(&shell, "<html lang=\""));
        html_write(&html, "de");
        skip_before(&shell, "\"");
    }
    growing_add(&html, cut_after(&shell, "<title"));
    if (head->title[0] != '\0') {
        html_write(&html, ">%s - Tillroll", head->title);
        skip_before(&shell, "</title>");
    }
    growing_add(&html, cut_after(&shell, "</title>"));
    write_head(&html, head);
    write_image(&html, call, image);
    growing_add(&html, cut_after(&shell, "<main id=\"main\""));
    html_write(&html, " data-plain");
    growing_add(&html, cut_after(&shell, ">"));
    html_write(&html, "\n");
    growing_add(&html, content);
    skip_before(&shell, "</main>");
    growing_add(&html, shell);
    return growing_span(&html);
}

/* ---- Responses ---- */

/* U+2068 and U+2069, first strong isolate and its end. Written as bytes because linters distrust
 * them in literals. */
static const char isolate[] = {(char)0xe2, (char)0x81, (char)0xa8, '\0'};
static const char end_of_isolate[] = {(char)0xe2, (char)0x81, (char)0xa9, '\0'};

const char *page_title(struct call *call, const char *before, const char *name)
{
    return call_strings(call, (const char *const[]){before, isolate, name, end_of_isolate, NULL});
}

static void answer(struct call *call, const char *shell, const struct page_head *head,
                   const struct page_image *image, const struct growing *content, bool german)
{
    call_answer_body(
        call, "text/html; charset=utf-8",
        fill_shell(call, shell_of(call, shell), head, image, growing_span(content), german));
}

void page_answer_pictured(struct call *call, const char *shell, const struct page_head *head,
                          const struct page_image *image, const struct growing *content)
{
    answer(call, shell, head, image, content, false);
}

void page_answer(struct call *call, const struct page_head *head, const struct growing *content)
{
    page_answer_pictured(call, NULL, head, &usual_image, content);
}

void page_answer_german(struct call *call, const struct page_head *head,
                        const struct growing *content)
{
    answer(call, NULL, head, &usual_image, content, true);
}

void page_answer_of_game(struct call *call, const struct page_head *head, const char *slug,
                         const char *title, const struct growing *content)
{
    const char *const path[] = {"/static/emblems/", slug, ".png", NULL};
    const char *const alt[] = {"The sign of ", title, NULL};
    const struct page_image image = {call_strings(call, path), call_strings(call, alt)};
    page_answer_pictured(call, NULL, head, &image, content);
}

void page_answer_picture(struct call *call, const struct picture *picture)
{
    struct span png;
    if (picture_draw(call->arena, picture, &png))
        call_answer_body(call, "image/png", png);
    else
        call_problem(call, "unavailable", "The service is out of memory; try again soon.");
}

bool page_is_german(const struct call *call)
{
    return span_is(http_parameter(call->request, "language"), "de");
}

const char *page_picture_path(struct call *call, const char *path)
{
    const char *const full[] = {path, page_is_german(call) ? "?language=de" : "", NULL};
    return call_strings(call, full);
}

struct span page_emblem(const struct call *call, const char *slug)
{
    const char *name = call_strings(call, (const char *const[]){"emblems/", slug, ".png", NULL});
    const struct file *file = files_find(call->service->files, span_of(name));
    return file == NULL ? span_of("") : file_bytes(file);
}

const char *page_site_name(const struct call *call)
{
    const char *site = call->service->site_address;
    const char *host = site == NULL ? NULL : strstr(site, "://");
    return host == NULL ? "Tillroll" : host + 3;
}

void page_answer_uncached(struct call *call, const struct page_head *head,
                          const struct growing *content)
{
    *call->response = (struct http_response){.status = 0};
    page_answer(call, head, content);
    call->response->etag = NULL;
    call->response->status = 200;
}

static const char *heading_of(int status)
{
    return status == 404 ? "There is nothing here" : "This cannot be shown";
}

static void write_links(struct growing *html)
{
    html_write(html, "<p class=\"links\"><a href=\"/#events\">All events</a> "
                     "<a href=\"/leaderboard\">Leaderboard</a> <a href=\"/docs\">Docs</a></p>\n");
}

static void answer_excuse(struct call *call, struct span shell, const struct page_head *head)
{
    struct growing content;
    growing_begin(&content, call->arena, 512);
    html_write(&content, "<h1>%s</h1>\n<p class=\"notice\">%s</p>\n", head->title,
               head->description);
    write_links(&content);
    call->response->body =
        fill_shell(call, shell, head, &usual_image, growing_span(&content), false);
    call->response->content_type = "text/html; charset=utf-8";
}

void page_show_problem(struct call *call)
{
    struct http_response *response = call->response;
    struct span shell = shell_of(call, NULL);
    if (shell.length == 0) {
        page_not_found(call);
        return;
    }
    json_t *problem = json_loadb(response->body.at, response->body.length, 0, NULL);
    const char *detail = json_string_value(json_object_get(problem, "detail"));
    const struct page_head head = {heading_of(response->status), detail == NULL ? "" : detail};
    answer_excuse(call, shell, &head);
    json_decref(problem);
}

/* ---- Unknown addresses ---- */

static bool begins_with(struct span path, const char *folder)
{
    size_t length = strlen(folder);
    return path.length >= length && memcmp(path.at, folder, length) == 0 &&
           (path.length == length || path.at[length] == '/');
}

static bool is_browser(const struct http_request *request)
{
    return (request->method == HTTP_GET || request->method == HTTP_HEAD) &&
           request->accept != NULL && strcasestr(request->accept, "text/html") != NULL &&
           !begins_with(request->path, "/v1") && !begins_with(request->path, "/static");
}

void page_not_found(struct call *call)
{
    static const struct page_head head = {
        "There is nothing here",
        "There is no page at this address, or it has been removed. The address may have been "
        "mistyped."};
    if (call->response->status == 404 && is_browser(call->request))
        answer_excuse(call, shell_of(call, "lost.html"), &head);
}
