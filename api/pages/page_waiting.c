#include "api/pages/page_waiting.h"

#include <string.h>

#include "api/pages/page_parts.h"
#include "api/pages/page_read.h"

struct waiting_page {
    struct growing *html;
    const json_t *waiting, *event;
    bool dropped; /* the game will not be played */
};

static void write_name(const struct waiting_page *page, struct growing *text)
{
    json_t *game = json_pack("{s:O, s:O}", "ruleset", json_object_get(page->event, "ruleset"),
                             "event", json_object_get(page->waiting, "event"));
    part_game_name(text, game);
    json_decref(game);
}

static void write_event(const struct waiting_page *page)
{
    html_write(page->html, "<a href=\"/events/%s\"><bdi>%s</bdi></a>", part_text(page->event, "id"),
               part_text(page->event, "name"));
}

/* The id tells the page's script that the game has not begun. */
static void write_facts(const struct waiting_page *page)
{
    struct growing *html = page->html;
    html_write(html, "<h1>");
    write_name(page, html);
    html_write(html, "</h1>\n<p id=\"waiting\" class=\"about\"><span class=\"badge\">%s</span> ",
               page->dropped ? "not played" : "waiting");
    write_event(page);
    if (page->dropped) {
        html_write(html, ". The event was closed before this game began, so it will not be "
                         "played.</p>\n");
        return;
    }
    html_write(html, ". The game starts when all players have given entropy (their share of its "
                     "luck), or with whatever has arrived ");
    part_time(html, part_text(page->waiting, "until"));
    html_write(html, ".</p>\n");
}

static void write_players(const struct waiting_page *page)
{
    static const struct part_column columns[] = {
        {"Player", false}, {"Seat", true}, {"Entropy", false}};
    struct growing *html = page->html;
    size_t i;
    json_t *seat;
    html_write(html, "<table class=\"seats\"><caption>Players</caption>");
    part_columns(html, columns, sizeof columns / sizeof columns[0]);
    json_array_foreach(json_object_get(page->waiting, "seats"), i, seat)
    {
        html_write(html, "<tr class=\"row\"><th scope=\"row\">");
        part_player(html, json_object_get(seat, "player"));
        html_write(html, "</th><td class=\"number\">%lld</td><td>%s</td></tr>\n",
                   part_number(seat, "seat") + 1,
                   part_is(seat, "given") ? "given"
                   : page->dropped        ? "not given"
                                          : "awaited");
    }
    html_write(html, "</tbody></table>\n");
}

static void write_dealers(const struct waiting_page *page)
{
    struct growing *html = page->html;
    const json_t *dealers = json_object_get(page->waiting, "dealers");
    size_t i;
    json_t *dealer;
    if (json_array_size(dealers) == 0)
        return;
    html_write(
        html,
        "<h2>Co-dealers</h2>\n<p>The players' contributions are complete. Before the game starts, "
        "independent parties add random values that nobody could know in "
        "advance:</p>\n<ul id=\"dealers\">");
    json_array_foreach(dealers, i, dealer)
    {
        html_write(html, "<li>%s: %s</li>\n", part_text(dealer, "name"),
                   part_is(dealer, "answered") ? "has answered" : "awaited");
    }
    html_write(html, "</ul>\n");
}

static void write_commitment(const struct waiting_page *page)
{
    html_write(
        page->html,
        "<h2>The commitment</h2>\n<p>Before players could give entropy, the service committed to "
        "a secret of its own: <code class=\"hash\">%s</code>. The transparency log records "
        "this (<a href=\"/v1/log/inclusion?leaf=%s\">proof</a>). The shuffles come from the "
        "secret and everything that the players give. What they give is not shown "
        "before the game begins, and is then part of its record.</p>\n",
        part_text(page->waiting, "commitment"), part_text(page->waiting, "leaf"));
}

static void write_instructions(const struct waiting_page *page)
{
    struct growing *html = page->html;
    if (page->dropped)
        return;
    html_write(html, "<h2>Giving entropy</h2>\n<p>If you play in this game, sign in and allow "
                     "scripts from this site: your browser then gives 32 random bytes "
                     "automatically, on this page and on those of ");
    write_event(page);
    html_write(html,
               ". Programs send theirs to <code>/v1/games/%s/entropy</code> "
               "(<a href=\"/docs/api\">API</a>).</p>\n",
               part_text(page->waiting, "game"));
}

static const char *title_of(struct call *call, const struct waiting_page *page)
{
    struct growing text;
    growing_begin(&text, call->arena, 256);
    write_name(page, &text);
    growing_add(&text, span_of(", "));
    return page_title(call, arena_copy(call->arena, growing_span(&text)),
                      part_text(page->event, "name"));
}

void page_waiting(struct call *call, const json_t *waiting, struct growing *html)
{
    struct waiting_page page = {
        .html = html,
        .waiting = waiting,
        .event =
            page_read(call, "/v1/events/%s", part_text(json_object_get(waiting, "event"), "id")),
        .dropped = strcmp(part_text(waiting, "state"), "dropped") == 0};
    if (page.event == NULL)
        return;
    write_facts(&page);
    write_players(&page);
    write_dealers(&page);
    write_commitment(&page);
    write_instructions(&page);
    const struct page_head head = {title_of(call, &page),
                                   "A game that is waiting for its players' entropy."};
    page_answer_uncached(call, &head, html);
}
