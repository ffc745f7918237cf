/* The home page: events, seasons and games. */
#include <string.h>

#include "api/pages/handlers.h"
#include "api/pages/page.h"
#include "api/pages/page_parts.h"
#include "api/pages/page_read.h"

/* ---- Events ---- */

/* Writes time and place, if given. */
static void write_when(struct growing *html, const json_t *event)
{
    const json_t *settings = json_object_get(event, "settings");
    if (part_is_null(settings, "starts_at") && part_is_null(settings, "place"))
        return;
    html_write(html, "<p class=\"when\">");
    part_when(html, settings);
    html_write(html, "</p>");
}

static void write_event(struct growing *html, const json_t *event)
{
    html_write(html, "<tr class=\"row\"><th scope=\"row\"><a href=\"/events/%s\"><bdi>%s</bdi></a>",
               part_text(event, "id"), part_text(event, "name"));
    write_when(html, event);
    html_write(html, "</th><td>%s</td><td>", part_text(json_object_get(event, "ruleset"), "title"));
    part_words(html, json_is_true(json_object_get(event, "cancelled")) ? "cancelled"
                                                                       : part_text(event, "state"));
    html_write(html, "</td><td>");
    part_rounds(html, event);
    html_write(html, "</td><td class=\"number\">%lld</td><td>", part_number(event, "entries"));
    part_player(html, json_object_get(event, "organizer"));
    html_write(html, "</td></tr>\n");
}

static void write_events(struct growing *html, const char *caption, const json_t *events)
{
    static const struct part_column columns[] = {{"Event", false},  {"Game", false},
                                                 {"State", false},  {"Rounds", false},
                                                 {"Entries", true}, {"Organizer", false}};
    size_t i;
    json_t *each;
    part_table(html, caption, columns, sizeof columns / sizeof columns[0]);
    json_array_foreach(json_object_get(events, "items"), i, each) write_event(html, each);
    part_table_end(html);
}

/* Writes an event's card; style.css draws the game's emblem. */
static void write_card(struct growing *html, const json_t *event)
{
    const json_t *ruleset = json_object_get(event, "ruleset");
    const char *title = part_text(ruleset, "title");
    long long entries = part_number(event, "entries");
    html_write(html, "<li class=\"event-card\">");
    part_sign(html, ruleset);
    html_write(html, "<a href=\"/events/%s\"><bdi>%s</bdi></a><p>%s \u00b7 ",
               part_text(event, "id"), part_text(event, "name"), title);
    /* Ladders and open play have no rounds. */
    bool in_rounds = part_number(json_object_get(event, "rounds"), "started") > 0;
    if (in_rounds && strcmp(part_text(event, "state"), "running") == 0) {
        html_write(html, "Round ");
        part_rounds(html, event);
        html_write(html, " \u00b7 ");
    }
    html_write(html, entries == 1 ? "%lld entry</p>" : "%lld entries</p>", entries);
    write_when(html, event);
    html_write(html, "</li>\n");
}

/* Writes a section for events in one state, if there are any. */
static bool write_state(struct call *call, struct growing *html, const char *state,
                        const char *heading)
{
    const json_t *events = page_read(call, "/v1/events?state=%s&limit=10", state);
    if (events == NULL)
        return false;
    if (json_array_size(json_object_get(events, "items")) == 0)
        return true;
    size_t i;
    json_t *each;
    html_write(html, "<h2>%s</h2>\n<ul class=\"event-cards\">\n", heading);
    json_array_foreach(json_object_get(events, "items"), i, each) write_card(html, each);
    html_write(html, "</ul>\n");
    return true;
}

static bool write_all(struct call *call, struct growing *html)
{
    html_write(html, "<section id=\"events\">\n");
    if (!write_state(call, html, "running", "Running") ||
        !write_state(call, html, "entries_open", "Open for entries"))
        return false;
    const char *from = part_parameter(call, "events");
    const json_t *events =
        page_read(call, "/v1/events?limit=30%s%s", from[0] == '\0' ? "" : "&after=", from);
    if (events == NULL)
        return false;
    html_write(html, "<h2>All events</h2>\n");
    if (json_array_size(json_object_get(events, "items")) == 0)
        html_write(html, "<p class=\"notice\">There are no events yet.</p>\n");
    else
        write_events(html, "Newest first", events);
    part_next(html, events, "", "events", "Older events");
    html_write(html, "</section>\n");
    return true;
}

/* ---- Seasons ---- */

static bool write_seasons(struct call *call, struct growing *html)
{
    const json_t *seasons = page_read(call, "/v1/seasons?limit=10");
    size_t i;
    json_t *each;
    if (seasons == NULL)
        return false;
    if (json_array_size(json_object_get(seasons, "items")) == 0)
        return true;
    html_write(html, "<h2>Seasons</h2>\n<ul>");
    json_array_foreach(json_object_get(seasons, "items"), i, each)
        html_write(html, "<li><a href=\"/seasons/%s\"><bdi>%s</bdi></a> (%s)</li>\n",
                   part_text(each, "id"), part_text(each, "name"), part_text(each, "state"));
    html_write(html, "</ul>\n");
    return true;
}

/* ---- Games ---- */

static void write_seats(struct growing *html, const json_t *seats)
{
    size_t i;
    json_t *seat;
    json_array_foreach(seats, i, seat)
    {
        long long rank = part_number(seat, "rank");
        html_write(html, i == 0 ? "" : ", ");
        part_seat_place(html, seats, seat);
        html_write(html, rank > 0 && json_array_size(seats) > 1 ? ". " : "");
        html_write(html, "<bdi>%s</bdi>", part_text(json_object_get(seat, "player"), "name"));
        if (rank > 0) {
            html_write(html, " (");
            part_seat_score(html, seats, seat);
            html_write(html, ")");
        }
    }
}

static bool write_games(struct call *call, struct growing *html)
{
    static const struct part_column columns[] = {
        {"Game", false}, {"State", false}, {"Players", false}, {"Started", false}};
    const char *from = part_parameter(call, "games");
    const json_t *games =
        page_read(call, "/v1/games?limit=15%s%s", from[0] == '\0' ? "" : "&after=", from);
    size_t i;
    json_t *each;
    if (games == NULL)
        return false;
    html_write(html, "<h2>Games</h2>\n");
    if (json_array_size(json_object_get(games, "items")) == 0)
        html_write(html, "<p>No game has been started.</p>\n");
    part_table(html, "Newest first", columns, sizeof columns / sizeof columns[0]);
    json_array_foreach(json_object_get(games, "items"), i, each)
    {
        html_write(html, "<tr class=\"row\"><th scope=\"row\">");
        part_game(html, each);
        html_write(html, "</th><td>%s</td><td>", part_state(each));
        write_seats(html, json_object_get(each, "seats"));
        html_write(html, "</td><td>");
        part_time(html, part_text(each, "started_at"));
        html_write(html, "</td></tr>\n");
    }
    part_table_end(html);
    part_next(html, games, "", "games", "Older games");
    return true;
}

/* ---- The top of the page ---- */

static void write_tile(struct growing *html, const json_t *ruleset)
{
    long long min = part_number(ruleset, "seats_min");
    long long max = part_number(ruleset, "seats_max");
    html_write(html, "<li class=\"event-card\">");
    part_sign(html, ruleset);
    html_write(html, "<a href=\"/games/%s\">%s</a><p>", part_text(ruleset, "slug"),
               part_text(ruleset, "title"));
    if (min == max)
        html_write(html, min == 1 ? "%lld player</p></li>\n" : "%lld players</p></li>\n", min);
    else
        html_write(html, "%lld to %lld players</p></li>\n", min, max);
}

static bool write_tiles(struct call *call, struct growing *html)
{
    const json_t *rulesets = page_read(call, "/v1/rulesets");
    const json_t *items = json_object_get(rulesets, "items");
    size_t i;
    json_t *each;
    if (rulesets == NULL)
        return false;
    html_write(html, "<h2>The games</h2>\n<ul class=\"event-cards tiles\">\n");
    json_array_foreach(items, i, each)
    {
        if (!part_is_shown_before(items, i, part_text(each, "slug")))
            write_tile(html, each);
    }
    html_write(html, "</ul>\n");
    return true;
}

/* Writes the newest public game in progress, if there is one. */
static bool write_live(struct call *call, struct growing *html)
{
    const json_t *games = page_read(call, "/v1/games?state=running&limit=10");
    size_t i;
    json_t *each;
    if (games == NULL)
        return false;
    json_array_foreach(json_object_get(games, "items"), i, each)
    {
        if (part_is(each, "hidden"))
            continue;
        html_write(html, "<h2>Being played now</h2>\n<ul class=\"event-cards\">\n"
                         "<li class=\"event-card live\">");
        part_sign(html, json_object_get(each, "ruleset"));
        part_game(html, each);
        html_write(html, "<p>");
        write_seats(html, json_object_get(each, "seats"));
        html_write(html, "</p></li>\n</ul>\n");
        break;
    }
    return true;
}

void page_home(struct call *call)
{
    enum { PAGE_BYTES = 32 * 1024 };
    static const struct page_head head = {
        "",
        "Tournaments of board games: standings, pairings, and every game, recorded line by line "
        "and proved by replay."};
    struct growing html;
    growing_begin(&html, call->arena, PAGE_BYTES);
    html_write(&html,
               "<h1>Board game tournaments</h1>\n<p class=\"about\">Play in, run and "
               "follow tournaments of five board games. Every move is recorded, and anyone can "
               "check every result.</p>\n<p class=\"actions\"><a href=\"/lobby\">Play now</a>"
               "<a href=\"/events/new\">Create event</a><a href=\"/login\">Sign in or create an "
               "account</a></p>\n");
    if (write_tiles(call, &html) && write_live(call, &html) && write_all(call, &html) &&
        write_seasons(call, &html) && write_games(call, &html))
        page_answer(call, &head, &html);
}
