/* The page of a game: result, players, and the record in words. */
#include <stdlib.h>
#include <string.h>

#include "api/pages/handlers.h"
#include "api/pages/page.h"
#include "api/pages/page_parts.h"
#include "api/pages/page_read.h"
#include "api/pages/page_waiting.h"

struct game_page {
    struct call *call;
    struct growing *html;
    const json_t *game, *event; /* event: NULL = none */
};

/* ---- Head ---- */

static bool is_finished(const json_t *game)
{
    return strcmp(part_text(game, "state"), "finished") == 0;
}

/* Writes the replay's verdict on a finished record. */
static bool write_verdict(const struct game_page *page)
{
    struct growing *html = page->html;
    if (!is_finished(page->game) || part_is(page->game, "voided")) {
        html_write(html, "<span class=\"badge\">%s</span> ",
                   part_is(page->game, "voided")         ? "void"
                   : part_is_null(page->game, "stopped") ? "running"
                                                         : "stopped");
        return true;
    }
    const json_t *found =
        page_read(page->call, "/v1/games/%s/verification", page->call->id[0].text);
    if (found == NULL)
        return false;
    const char *verdict = part_text(found, "verdict");
    if (strcmp(verdict, "valid") == 0)
        html_write(html, "<span class=\"badge good\">proved by replay</span> ");
    else if (strcmp(verdict, "unfinished") == 0) /* its duplicate round is still running */
        html_write(html, "<span class=\"badge\">finished</span> ");
    else
        html_write(html, "<span class=\"badge bad\">%s</span> ", verdict);
    return true;
}

static bool write_facts(const struct game_page *page)
{
    struct growing *html = page->html;
    html_write(html, "<h1>");
    part_game_name(html, page->game);
    html_write(html, "</h1>\n<p class=\"about\">");
    if (!write_verdict(page))
        return false;
    if (page->event != NULL)
        html_write(html, "<a href=\"/events/%s\"><bdi>%s</bdi></a>. ", part_text(page->event, "id"),
                   part_text(page->event, "name"));
    html_write(html, "%lld moves, started ", part_number(page->game, "plies"));
    part_time(html, part_text(page->game, "started_at"));
    html_write(html, ".</p>\n");
    return true;
}

/* ---- Players ---- */

static bool is_deciding(const json_t *game, const json_t *seat)
{
    size_t i;
    json_t *each;
    json_array_foreach(json_object_get(game, "deciders"), i, each)
    {
        if (json_integer_value(each) == part_number(seat, "seat"))
            return true;
    }
    return false;
}

static void write_seat(struct growing *html, const json_t *game, const json_t *seat)
{
    const json_t *seats = json_object_get(game, "seats");
    html_write(html, "<tr class=\"row\"><td>");
    part_seat_place(html, seats, seat);
    html_write(html, "</td><th scope=\"row\">");
    part_player(html, json_object_get(seat, "player"));
    html_write(
        html, "%s%s%s</th><td class=\"number\">%lld</td><td class=\"number\">",
        is_deciding(game, seat) ? " (to move)" : "", part_is(seat, "fallback") ? " (absent)" : "",
        part_is(seat, "forfeited") ? " (out of the game)" : "", part_number(seat, "seat") + 1);
    part_seat_score(html, seats, seat);
    html_write(html, "</td></tr>\n");
}

/* Writes seats by place; in seat order while the game runs. */
static void write_seats(const struct game_page *page)
{
    static const struct part_column columns[] = {
        {"Place", false}, {"Player", false}, {"Seat", true}, {"Score", true}};
    const json_t *seats = json_object_get(page->game, "seats");
    html_write(page->html, "<table class=\"seats\"><caption>%s</caption>",
               is_finished(page->game) ? "Result" : "Players");
    part_columns(page->html, columns, sizeof columns / sizeof columns[0]);
    for (long long rank = 0; rank <= (long long)json_array_size(seats); rank++) {
        size_t i;
        json_t *seat;
        json_array_foreach(seats, i, seat) if (part_number(seat, "rank") == rank)
            write_seat(page->html, page->game, seat);
    }
    html_write(page->html, "</tbody></table>\n");
}

/* ---- Disputes ---- */

/* Lists the disputes of a game of an event; the event's changes announce them. */
static bool write_disputes(const struct game_page *page)
{
    size_t i;
    json_t *dispute;
    if (page->event == NULL)
        return true;
    const json_t *found = page_read(page->call, "/v1/games/%s/disputes", page->call->id[0].text);
    const json_t *items = json_object_get(found, "items");
    if (json_array_size(items) == 0)
        return found != NULL;
    html_write(page->html, "<h2 id=\"disputes\">Disputes</h2>\n<ul>");
    json_array_foreach(items, i, dispute)
    {
        html_write(page->html, "<li><a href=\"/disputes/%s\">Opened ", part_text(dispute, "id"));
        part_time(page->html, part_text(dispute, "opened_at"));
        html_write(page->html, "</a> by ");
        part_player(page->html, json_object_get(dispute, "opened_by"));
        html_write(page->html, ": %s</li>\n", part_text(dispute, "state"));
    }
    html_write(page->html, "</ul>\n");
    return true;
}

/* ---- The roll ---- */

static void write_name(const struct game_page *page, long long seat)
{
    const json_t *found =
        seat < 0 ? NULL : json_array_get(json_object_get(page->game, "seats"), (size_t)seat);
    if (found == NULL)
        html_write(page->html, "seat %lld", seat + 1);
    else
        html_write(page->html, "<bdi>%s</bdi>",
                   part_text(json_object_get(found, "player"), "name"));
}

/* Replaces `{seat 2}` in events with the player's name. */
static void write_sentence(const struct game_page *page, const char *text)
{
    static const char mark[] = "{seat ";
    for (const char *found; (found = strstr(text, mark)) != NULL;) {
        char *end;
        long seat = strtol(found + sizeof mark - 1, &end, 10);
        if (*end != '}')
            break;
        html_text(page->html, (struct span){text, (size_t)(found - text)});
        write_name(page, seat);
        text = end + 1;
    }
    html_text(page->html, span_of(text));
}

static void write_ply(const struct game_page *page, const json_t *item)
{
    size_t i;
    json_t *event;
    write_name(page, part_number(item, "seat"));
    html_write(page->html, " <code>%s</code>", part_text(item, "move"));
    json_array_foreach(json_object_get(item, "events"), i, event)
    {
        html_write(page->html, "<p>");
        write_sentence(page, part_text(event, "text"));
        html_write(page->html, "</p>");
    }
}

/* Sentences for lines that are not moves, by kind; for rulings, by order. `{name}` is the player of
 * the line's seat; other names in braces are members of the line. */
static const struct {
    const char *kind, *order, *words;
} lines[] = {
    {"fallback", "", "From here on, fallback moves are played for {name}."},
    {"reveal", "", "The game's secret is in the record: its luck can now be verified."},
    {"result", "alone", "{name}: {score}."},
    {"result", "", "{name}: place {rank} with a score of {score}."},
    {"undo", "", "{name} takes moves back: the game is again as it was before line {target}."},
    {"sealed", "", "{name} has decided, in secret."},
    {"timeout", "", "The clock of {name} has run out."},
    {"return", "", "{name} is back and moves again."},
    {"forfeit", "", "{name} is out of the game."},
    {"substitute", "", "{player} takes the seat."},
    {"stop", "", "The game is stopped: no clock runs."},
    {"freeze", "", "The game is stopped for a dispute: no clock runs."},
    {"resume", "", "The game resumes."},
    {"ruling", "stands", "A ruling ({why}): the game stands as it is."},
    {"ruling", "void", "A ruling ({why}): the game is void."},
    {"ruling", "forfeit", "A ruling ({why}): {name} is out of the game."},
    {"ruling", "adjust", "A ruling ({why}): {points} points for {name}."},
    {"ruling", "takeback", "A ruling ({why}): the game is again as it was before line {target}."},
    {"ruling", "", "A ruling ({why})."},
    {"", "", "{kind}"},
};

/* A game for one has a score, but no places. */
static const char *words_of(const struct game_page *page, const json_t *item)
{
    size_t i = 0;
    const char *kind = part_text(item, "kind");
    bool alone = json_array_size(json_object_get(page->game, "seats")) == 1;
    const char *order = alone && strcmp(kind, "result") == 0 ? "alone" : part_text(item, "order");
    while (lines[i].kind[0] != '\0' &&
           (strcmp(lines[i].kind, kind) != 0 ||
            (lines[i].order[0] != '\0' && strcmp(lines[i].order, order) != 0)))
        i++;
    return lines[i].words;
}

static void write_member(const struct game_page *page, const json_t *item, const char *name)
{
    const json_t *member = json_object_get(item, name);
    const json_t *seat =
        json_array_get(json_object_get(page->game, "seats"), (size_t)part_number(item, "seat"));
    if (strcmp(name, "name") == 0)
        write_name(page, part_number(item, "seat"));
    else if (strcmp(name, "rank") == 0)
        html_write(page->html, "%lld", part_number(seat, name));
    else if (strcmp(name, "score") == 0)
        part_seat_score(page->html, json_object_get(page->game, "seats"), seat);
    else if (json_is_object(member))
        html_write(page->html, "<bdi>%s</bdi>", part_text(member, "name"));
    else if (json_is_integer(member))
        html_write(page->html, "%lld", (long long)json_integer_value(member));
    else
        html_write(page->html, "%s", json_string_value(member));
}

static void write_line(const struct game_page *page, const json_t *item)
{
    const char *words = words_of(page, item);
    for (const char *open; (open = strchr(words, '{')) != NULL;) {
        char name[16];
        struct text text = TEXT_OVER(name);
        const char *close = strchr(open, '}');
        html_text(page->html, (struct span){words, (size_t)(open - words)});
        text_add_span(&text, (struct span){open + 1, (size_t)(close - open - 1)});
        write_member(page, item, name);
        words = close + 1;
    }
    html_text(page->html, span_of(words));
}

static void write_item(const struct game_page *page, const json_t *item)
{
    html_write(page->html, "<li id=\"line-%lld\" value=\"%lld\">", part_number(item, "seq"),
               part_number(item, "seq"));
    if (strcmp(part_text(item, "kind"), "ply") == 0)
        write_ply(page, item);
    else
        write_line(page, item);
    html_write(page->html, "</li>\n");
}

/* Writes `words` and the co-dealers that have answered, or have not. */
static void write_dealers(const struct game_page *page, bool answered, const char *words)
{
    const json_t *dealers = json_object_get(page->game, "dealers");
    size_t count = 0;
    size_t i;
    json_t *dealer;
    json_array_foreach(dealers, i, dealer)
    {
        if (part_is(dealer, "answered") != answered)
            continue;
        if (count++ == 0)
            html_write(page->html, "<p>%s: %s", words, part_text(dealer, "name"));
        else
            html_write(page->html, ", %s", part_text(dealer, "name"));
    }
    if (count > 0)
        html_write(page->html, ".</p>\n");
}

/* Writes all entries, which are read from the list page by page. */
static bool write_roll(const struct game_page *page)
{
    const char *id = page->call->id[0].text;
    long long last = part_number(page->game, "seq");
    html_write(page->html,
               "<h2>The roll</h2>\n<p><a href=\"/v1/games/%s/record\" "
               "download=\"%s.roll\">Download the record</a> and check it without "
               "trusting this server.</p>\n",
               id, id);
    write_dealers(page, true, "Co-dealers whose random outputs are part of its luck");
    write_dealers(page, false, "Co-dealers that did not answer");
    html_write(page->html, "<ol class=\"plain-roll\">\n");
    for (long long after = 0, told = 1; told > 0 && after < last;) {
        size_t i;
        json_t *item;
        const json_t *list = page_read(page->call, "/v1/games/%s/events?after=%lld", id, after);
        if (list == NULL)
            return false;
        json_array_foreach(json_object_get(list, "items"), i, item) write_item(page, item);
        told = (long long)json_array_size(json_object_get(list, "items"));
        after = part_number(list, "next");
    }
    html_write(page->html, "</ol>\n");
    return true;
}

/* ---- The page ---- */

static bool read_game(struct game_page *page)
{
    struct call *call = page->call;
    page->game = page_read(call, "/v1/games/%s", call->id[0].text);
    const json_t *of = json_object_get(page->game, "event");
    if (page->game == NULL || json_is_null(of))
        return page->game != NULL;
    page->event = page_read(call, "/v1/events/%s", part_text(of, "id"));
    return page->event != NULL && id_parse(span_of(part_text(of, "id")), &call->sight.event);
}

static const char *title_of(const struct game_page *page)
{
    struct growing text;
    growing_begin(&text, page->call->arena, 256);
    part_game_name(&text, page->game);
    growing_add(&text, span_of(page->event == NULL ? "" : ", "));
    const char *name = arena_copy(page->call->arena, growing_span(&text));
    return page->event == NULL ? name
                               : page_title(page->call, name, part_text(page->event, "name"));
}

/* Writes players by place, with their scores; by seat while the game runs. */
static void write_players(struct growing *text, const json_t *game)
{
    const json_t *seats = json_object_get(game, "seats");
    const char *before = "";
    for (long long rank = 0; rank <= (long long)json_array_size(seats); rank++) {
        size_t i;
        json_t *seat;
        json_array_foreach(seats, i, seat)
        {
            if (part_number(seat, "rank") != rank)
                continue;
            growing_add_all(text, before, part_text(json_object_get(seat, "player"), "name"),
                            part_is_null(seat, "score") ? "" : " ");
            part_seat_score(text, seats, seat);
            before = ", ";
        }
    }
}

static const char *description_of(const struct game_page *page)
{
    struct growing text;
    growing_begin(&text, page->call->arena, 256);
    growing_add(&text, span_of(is_finished(page->game) ? "Result: " : "Running: "));
    write_players(&text, page->game);
    growing_add(&text, span_of("."));
    return arena_copy(page->call->arena, growing_span(&text));
}

/* Players may see a hidden game, which the script draws. */
static void answer_hidden(struct call *call, struct growing *html)
{
    const struct page_head head = {"", "A game that is not public yet, or does not exist."};
    html_write(html, "<h1>Game</h1>\n<p class=\"notice\">There is no public game here. If you "
                     "play in it, sign in and allow scripts from this site.</p>\n");
    page_answer_uncached(call, &head, html); /* the game may become visible soon */
}

static void answer_without_game(struct call *call, struct growing *html)
{
    const json_t *waiting = page_read(call, "/v1/games/%s/entropy", call->id[0].text);
    if (waiting != NULL)
        page_waiting(call, waiting, html);
    else if (call->response->status == 404)
        answer_hidden(call, html);
}

void page_game(struct call *call)
{
    enum { PAGE_BYTES = 64 * 1024 };
    struct growing html;
    struct game_page page = {.call = call, .html = &html};
    growing_begin(&html, call->arena, PAGE_BYTES);
    if (!read_game(&page)) {
        if (page.game == NULL && call->response->status == 404)
            answer_without_game(call, &html);
        return;
    }
    if (!write_facts(&page))
        return;
    write_seats(&page);
    if (!write_disputes(&page) || !write_roll(&page))
        return;
    const struct page_head head = {title_of(&page), description_of(&page)};
    const json_t *ruleset = json_object_get(page.game, "ruleset");
    page_answer_of_game(call, &head, part_text(ruleset, "slug"), part_text(ruleset, "title"),
                        &html);
}
