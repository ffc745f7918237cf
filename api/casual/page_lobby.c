/* The lobby and the invitation page, without scripts. */
#include <string.h>

#include "api/casual/handlers.h"
#include "api/pages/page.h"
#include "api/pages/page_parts.h"
#include "api/pages/page_read.h"

enum { PAGE_BYTES = 16 * 1024 };

/* ---- Parts ---- */

/* Writes a duration in the largest unit that divides it. */
static void write_length(struct growing *html, long long ms)
{
    static const struct {
        long long ms;
        const char *name;
    } units[] = {{86400000, "day"}, {3600000, "hour"}, {60000, "minute"}, {1000, "second"}};
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof units[0] && ms % units[i].ms != 0)
        i++;
    html_write(html, ms / units[i].ms == 1 ? "%lld %s" : "%lld %ss", ms / units[i].ms,
               units[i].name);
}

static void write_clock(struct growing *html, const json_t *clock)
{
    long long move_ms = part_number(clock, "move_ms");
    long long increment_ms = part_number(clock, "increment_ms");
    write_length(html, move_ms > 0 ? move_ms : part_number(clock, "bank_ms"));
    html_write(html, move_ms > 0 ? " a move" : " a player");
    if (increment_ms > 0) {
        html_write(html, " and ");
        write_length(html, increment_ms);
        html_write(html, " more for each move");
    }
}

static void write_players(struct growing *html, const json_t *players)
{
    size_t i;
    json_t *each;
    json_array_foreach(players, i, each)
    {
        html_write(html, i == 0 ? "" : ", ");
        part_player(html, json_object_get(each, "player"));
        if (!part_is(each, "seated"))
            html_write(html, " (invited)");
    }
}

static void write_seats(struct growing *html, const json_t *table)
{
    html_write(html, "%lld of %lld seats",
               (long long)json_array_size(json_object_get(table, "players")),
               part_number(table, "seats"));
}

/* ---- The lobby ---- */

static void write_tables(struct growing *html, const json_t *tables)
{
    static const struct part_column columns[] = {{"Game", false},  {"Players", false},
                                                 {"Seats", false}, {"Clock", false},
                                                 {"Rated", false}, {"Opened", false}};
    size_t i;
    json_t *each;
    part_table(html, "Newest first", columns, sizeof columns / sizeof columns[0]);
    json_array_foreach(json_object_get(tables, "items"), i, each)
    {
        html_write(html, "<tr class=\"row\"><th scope=\"row\">%s</th><td>",
                   part_text(json_object_get(each, "ruleset"), "title"));
        write_players(html, json_object_get(each, "players"));
        html_write(html, "</td><td>");
        write_seats(html, each);
        html_write(html, "</td><td>");
        write_clock(html, json_object_get(each, "clock"));
        html_write(html, part_is(each, "rated") ? "</td><td>yes</td><td>" : "</td><td>no</td><td>");
        part_time(html, part_text(each, "created_at"));
        html_write(html, "</td></tr>\n");
    }
    part_table_end(html);
}

static void write_practice(struct growing *html, const json_t *rulesets)
{
    const json_t *items = json_object_get(rulesets, "items");
    size_t i;
    json_t *each;
    html_write(html, "<h2>Practice alone</h2>\n<ul class=\"event-cards tiles\">\n");
    json_array_foreach(items, i, each)
    {
        if (part_is_shown_before(items, i, part_text(each, "slug")))
            continue;
        html_write(html, "<li class=\"event-card\">");
        part_sign(html, each);
        html_write(html, "<a href=\"/practice/%s\">%s</a></li>\n", part_text(each, "slug"),
                   part_text(each, "title"));
    }
    html_write(html, "</ul>\n");
}

void page_lobby(struct call *call)
{
    static const struct page_head head = {
        "Play", "Open tables of casual games: take a seat, open a table, or practice alone."};
    const json_t *tables = page_read(call, "/v1/lobby?limit=50");
    const json_t *rulesets = tables == NULL ? NULL : page_read(call, "/v1/rulesets");
    struct growing html;
    if (rulesets == NULL)
        return;
    growing_begin(&html, call->arena, PAGE_BYTES);
    html_write(&html, "<h1>Play</h1>\n<p class=\"about\">Casual games belong to no event. "
                      "Play with an account or as a guest.</p>\n<h2>Open tables</h2>\n");
    if (json_array_size(json_object_get(tables, "items")) == 0)
        html_write(&html, "<p class=\"notice\">No table is open.</p>\n");
    else
        write_tables(&html, tables);
    write_practice(&html, rulesets);
    page_answer_uncached(call, &head, &html);
}

/* ---- An invitation ---- */

static void write_table(struct growing *html, const json_t *table)
{
    const json_t *ruleset = json_object_get(table, "ruleset");
    html_write(html, "<h1>%s</h1>\n", part_text(ruleset, "title"));
    html_write(html, "<p class=\"about\">A casual game, %s: ",
               part_is(table, "rated") ? "rated" : "unrated");
    write_seats(html, table);
    html_write(html, ", ");
    write_clock(html, json_object_get(table, "clock"));
    html_write(html, ".</p>\n<p>At the table: ");
    write_players(html, json_object_get(table, "players"));
    html_write(html, ".</p>\n");
    if (!part_is_null(table, "game"))
        html_write(html, "<p><a href=\"/games/%s\">The game</a> has started.</p>\n",
                   part_text(table, "game"));
}

void page_join(struct call *call)
{
    static const struct page_head head = {"Invitation to a game",
                                          "You are invited to a casual game."};
    struct growing html;
    const char *code = arena_copy(call->arena, call->word[0]);
    const json_t *table = page_read(call, "/v1/invitations/%s", code);
    if (table == NULL)
        return;
    growing_begin(&html, call->arena, PAGE_BYTES);
    write_table(&html, table);
    page_answer_uncached(call, &head, &html);
}
