/* The page of a dispute without scripts: what it is about, and its steps with rulings and reasons,
 * as far as everybody may read them. */
#include <string.h>

#include "api/disputes/handlers.h"
#include "api/pages/page.h"
#include "api/pages/page_parts.h"
#include "api/pages/page_read.h"

struct dispute_page {
    struct growing *html;
    const json_t *dispute, *game; /* game: NULL = not everybody may see it yet */
};

/* ---- Words ---- */

struct dispute_word {
    const char *name, *words;
};

static const struct dispute_word states[] = {
    {"open", "open"},     {"frozen", "open, the game is frozen"},
    {"ruled", "ruled"},   {"appealed", "appealed"},
    {"closed", "closed"}, {"", ""}};

static const struct dispute_word claims[] = {{"illegal-move", "Illegal move"},
                                             {"rules", "The rules"},
                                             {"clock", "The clock"},
                                             {"misclick", "A misclick"},
                                             {"connection", "A lost connection"},
                                             {"conduct", "Conduct"},
                                             {"collusion", "Collusion"},
                                             {"result", "The result"},
                                             {"other", "Something else"},
                                             {"", ""}};

static const struct dispute_word kinds[] = {{"opened", "Opened"},        {"frozen", "Game frozen"},
                                            {"resumed", "Game resumed"}, {"ruled", "Ruled"},
                                            {"appealed", "Appealed"},    {"withdrawn", "Withdrawn"},
                                            {"closed", "Closed"},        {"", ""}};

/* What stands after the points or the player, where an order has them. */
static const struct dispute_word orders[] = {
    {"stands", "The game stands as it is."},
    {"takeback", "The game is taken back to an earlier line."},
    {"adjust", " points for "},
    {"forfeit", " is out of the game."},
    {"replay", "The game is replayed."},
    {"void", "The game is void."},
    {"upheld", "The first ruling is upheld."},
    {"", ""}};

static const char *words_of(const struct dispute_word *all, const char *name)
{
    while (all->name[0] != '\0' && strcmp(all->name, name) != 0)
        all++;
    return all->words;
}

/* ---- Steps ---- */

static void write_seat(const struct dispute_page *page, const json_t *order)
{
    const long long number = part_number(order, "seat");
    const json_t *seat = json_array_get(json_object_get(page->game, "seats"), (size_t)number);
    if (seat == NULL)
        html_write(page->html, "seat %lld", number + 1);
    else
        part_player(page->html, json_object_get(seat, "player"));
}

static void write_order(const struct dispute_page *page, const json_t *order)
{
    const char *name = part_text(order, "order");
    const char *words = words_of(orders, name);
    const bool adjusts = strcmp(name, "adjust") == 0;
    if (adjusts)
        html_write(page->html, "%lld%s", part_number(order, "points"), words);
    if (adjusts || strcmp(name, "forfeit") == 0)
        write_seat(page, order);
    if (adjusts)
        html_write(page->html, ".");
    else if (strcmp(name, "takeback") == 0 && !part_is_null(order, "entry"))
        html_write(page->html, "The game is taken back to before line %lld.",
                   part_number(order, "entry"));
    else
        html_write(page->html, "%s", words);
    html_write(page->html, " ");
}

static void write_step(const struct dispute_page *page, const json_t *step)
{
    const json_t *given = json_object_get(step, "orders");
    size_t i;
    json_t *order;
    html_write(page->html, "<li><strong>%s</strong> ", words_of(kinds, part_text(step, "kind")));
    part_player(page->html, json_object_get(step, "by"));
    html_write(page->html, ", ");
    part_time(page->html, part_text(step, "at"));
    html_write(page->html, json_array_size(given) > 0 ? "<p>" : "");
    json_array_foreach(given, i, order) write_order(page, order);
    html_write(page->html, json_array_size(given) > 0 ? "</p>" : "");
    if (!part_is_null(step, "text"))
        html_write(page->html, "<p class=\"reason\"><bdi>%s</bdi></p>", part_text(step, "text"));
    if (!part_is_null(step, "replayed_as"))
        html_write(page->html, "<p><a href=\"/games/%s\">The replacement game</a></p>",
                   part_text(step, "replayed_as"));
    html_write(page->html, "</li>\n");
}

/* ---- The page ---- */

static void write_facts(const struct dispute_page *page)
{
    struct growing *html = page->html;
    const json_t *dispute = page->dispute;
    html_write(html, "<h1>Dispute: %s</h1>\n<p class=\"about\"><span class=\"badge\">%s</span> ",
               words_of(claims, part_text(dispute, "claim")),
               words_of(states, part_text(dispute, "state")));
    if (page->game != NULL)
        part_game(html, page->game);
    if (page->game != NULL && part_number(dispute, "entry") > 0)
        html_write(html, ", <a href=\"/games/%s#line-%lld\">line %lld</a>",
                   part_text(dispute, "game"), part_number(dispute, "entry"),
                   part_number(dispute, "entry"));
    html_write(html, page->game == NULL ? "Opened by " : ". Opened by ");
    part_player(html, json_object_get(dispute, "opened_by"));
    html_write(html, ".");
    if (!part_is_null(dispute, "appeal_until")) {
        html_write(html, " Appeals until ");
        part_time(html, part_text(dispute, "appeal_until"));
        html_write(html, ".");
    }
    html_write(html, "</p>\n");
}

static void write_page(const struct dispute_page *page)
{
    size_t i;
    json_t *step;
    write_facts(page);
    html_write(page->html, "<h2>Steps</h2>\n<ol>");
    json_array_foreach(json_object_get(page->dispute, "log"), i, step) write_step(page, step);
    html_write(page->html, "</ol>\n");
    if (!part_is(page->dispute, "game_finished"))
        html_write(page->html, "<p class=\"hint\">Everybody can read what was written here when "
                               "the game is over.</p>\n");
}

/* Officials may see a dispute that others may not see yet: the script draws it for them. */
void page_dispute(struct call *call)
{
    enum { PAGE_BYTES = 16 * 1024 };
    static const struct page_head head = {"", "A dispute about a game, with its rulings."};
    const char *id = call->id[0].text;
    struct growing html;
    struct dispute_page page = {.html = &html, .dispute = page_read(call, "/v1/disputes/%s", id)};
    growing_begin(&html, call->arena, PAGE_BYTES);
    if (page.dispute != NULL) {
        page.game = page_read(call, "/v1/games/%s", part_text(page.dispute, "game"));
        write_page(&page);
    } else if (call->response->status == 404) {
        html_write(&html, "<h1>Dispute</h1>\n<p class=\"notice\">There is no public dispute here. "
                          "If you decide it or play in its game, sign in and allow scripts from "
                          "this site.</p>\n");
    } else {
        return;
    }
    page_answer_uncached(call, &head, &html);
}
