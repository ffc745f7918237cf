/* The standings of a season. */
#include <string.h>

#include "api/event_pages/handlers.h"
#include "api/pages/page.h"
#include "api/pages/page_parts.h"
#include "api/pages/page_read.h"

/* Writes with two decimals. */
static void write_millionths(struct growing *html, long long millionths)
{
    long long hundredths = (millionths + 5000) / 10000;
    html_write(html, "%lld.%lld%lld", hundredths / 100, hundredths / 10 % 10, hundredths % 10);
}

/* ---- Rules ---- */

static void write_rules(struct growing *html, const json_t *rules)
{
    long long best = part_number(rules, "best");
    html_write(html, "A result is worth its %s%s. ",
               strcmp(part_text(rules, "method"), "points") == 0
                   ? "points in the event"
                   : "percentile among those who played",
               strcmp(part_text(rules, "weighting"), "field") == 0
                   ? ", weighted by the strength of the field"
                   : "");
    if (strcmp(part_text(rules, "method"), "percentile") == 0)
        html_write(html, "Place p of n is worth 100 × (n + 5) / (n + 6) × (n − p) / (n − 1), so a "
                         "large field counts a little more. ");
    if (part_is_null(rules, "best"))
        html_write(html, "All results count");
    else if (best == 1)
        html_write(html, "The best result of a player counts");
    else
        html_write(html, "The best %lld results of a player count", best);
    html_write(html, ", in events of at least %lld players. ",
               part_number(rules, "least_entrants"));
}

/* ---- Standings ---- */

static const json_t *find_event(const json_t *standings, const char *id)
{
    size_t i;
    json_t *each;
    json_array_foreach(json_object_get(standings, "events"), i, each)
    {
        const json_t *event = json_object_get(each, "event");
        if (strcmp(part_text(event, "id"), id) == 0)
            return event;
    }
    return NULL;
}

static void write_result(struct growing *html, const json_t *standings, const json_t *result)
{
    const char *id = part_text(result, "event");
    const json_t *event = find_event(standings, id);
    html_write(html, "<li><strong>");
    write_millionths(html, part_number(result, "value_millionths"));
    html_write(html, "</strong> <span>%s<a href=\"/events/%s\"><bdi>%s</bdi></a>: place ",
               part_is(result, "counted") ? "" : "(does not count) ", id,
               event == NULL ? "event" : part_text(event, "name"));
    part_place(html, part_number(result, "place"), part_number(result, "shared"));
    html_write(html, " of %lld</span></li>\n", part_number(result, "entrants"));
}

static void write_row(struct growing *html, const json_t *standings, const json_t *row)
{
    long long rank = part_number(row, "rank");
    size_t i;
    json_t *each;
    html_write(html, "<tr class=\"row\"><td class=\"number\">");
    part_place(html, rank, part_sharing(json_object_get(standings, "items"), rank));
    html_write(html, "</td><th scope=\"row\">");
    part_player(html, json_object_get(row, "player"));
    html_write(html, "</th><td class=\"number points\">");
    write_millionths(html, part_number(row, "total_millionths"));
    html_write(html, "</td><td><ul class=\"results\">\n");
    json_array_foreach(json_object_get(row, "results"), i, each)
        write_result(html, standings, each);
    html_write(html, "</ul></td></tr>\n");
}

static void write_standings(struct growing *html, const json_t *standings)
{
    static const struct part_column columns[] = {
        {"Place", true}, {"Player", false}, {"Total", true}, {"Results, best first", false}};
    bool final = strcmp(part_text(standings, "state"), "final") == 0;
    size_t i;
    json_t *each;
    html_write(html, "<h2>Standings</h2>\n");
    if (json_array_size(json_object_get(standings, "items")) == 0) {
        html_write(html, "<p>No event of the season is over yet.</p>\n");
        return;
    }
    html_write(html, "<div class=\"season-standings\">");
    part_table(html, final ? "Final" : "Provisional until the season is closed", columns,
               sizeof columns / sizeof columns[0]);
    json_array_foreach(json_object_get(standings, "items"), i, each)
        write_row(html, standings, each);
    part_table_end(html);
    html_write(html, "</div>\n");
    part_next(html, standings, "", "after", "Next");
}

/* ---- Events ---- */

static void write_event(struct growing *html, const json_t *counted)
{
    const json_t *event = json_object_get(counted, "event");
    bool over = part_is(counted, "over");
    html_write(html,
               "<tr class=\"row\"><th scope=\"row\"><a href=\"/events/%s\"><bdi>%s</bdi></a></th>"
               "<td>%s</td><td>%s</td><td class=\"number\">",
               part_text(event, "id"), part_text(event, "name"),
               part_text(json_object_get(event, "ruleset"), "title"), over ? "over" : "unfinished");
    if (over)
        html_write(html, "%lld", part_number(counted, "entrants"));
    html_write(html, "</td></tr>\n");
}

static void write_events(struct growing *html, const json_t *standings)
{
    static const struct part_column columns[] = {
        {"Event", false}, {"Game", false}, {"State", false}, {"Players", true}};
    size_t i;
    json_t *each;
    html_write(html, "<h2>Events</h2>\n");
    if (json_array_size(json_object_get(standings, "events")) == 0) {
        html_write(html, "<p>No event counts yet.</p>\n");
        return;
    }
    part_table(html, "In chronological order", columns, sizeof columns / sizeof columns[0]);
    json_array_foreach(json_object_get(standings, "events"), i, each) write_event(html, each);
    part_table_end(html);
}

void page_season(struct call *call)
{
    enum { PAGE_BYTES = 32 * 1024 };
    const char *id = call->id[0].text;
    const char *after = part_parameter(call, "after");
    struct growing html;
    const json_t *season = page_read(call, "/v1/seasons/%s", id);
    const json_t *standings = season == NULL
                                  ? NULL
                                  : page_read(call, "/v1/seasons/%s/standings?limit=100%s%s", id,
                                              after[0] == '\0' ? "" : "&after=", after);
    if (standings == NULL)
        return;
    growing_begin(&html, call->arena, PAGE_BYTES);
    html_write(&html, "<h1><bdi>%s</bdi></h1>\n<p class=\"about\"><span class=\"badge\">%s</span> ",
               part_text(season, "name"), part_text(season, "state"));
    write_rules(&html, json_object_get(season, "rules"));
    html_write(&html, "Organizer: ");
    part_player(&html, json_object_get(season, "organizer"));
    html_write(&html, ".</p>\n");
    write_standings(&html, standings);
    write_events(&html, standings);
    const struct page_head head = {page_title(call, "", part_text(season, "name")),
                                   "The standings of a season, over several events."};
    page_answer(call, &head, &html);
}
