/* A board of a duplicate round: what everyone made of the same cards, seat by seat. */
#include <string.h>

#include "api/event_pages/handlers.h"
#include "api/pages/page.h"
#include "api/pages/page_parts.h"
#include "api/pages/page_read.h"
#include "engine/game/game.h"

/* `alone`: of a game for one. */
static void write_result(struct growing *html, const json_t *board, const json_t *result,
                         bool alone)
{
    long long field = part_number(result, "field");
    long long place = part_number(result, "place");
    long long sharing = 0;
    size_t i;
    json_t *each;
    json_array_foreach(json_object_get(board, "results"), i, each) sharing +=
        part_number(each, "seat") == part_number(result, "seat") &&
        part_number(each, "place") == place;
    html_write(html, "<tr class=\"row\"><td class=\"number\">");
    part_place(html, place, sharing);
    html_write(html, "</td><th scope=\"row\">");
    part_player(html, json_object_get(result, "player"));
    html_write(html, "</th><td class=\"number\">");
    if (alone && part_number(result, "score") < 0)
        html_write(html, "Defeat");
    else
        html_write(html, "%lld", part_number(result, "score"));
    html_write(html, "</td><td class=\"number\">");
    if (field > 1)
        html_write(html, "%lld of %lld", part_number(result, "matchpoints"), 2 * (field - 1));
    html_write(html, "</td><td class=\"number points\">%s</td><td><a href=\"/games/%s\">",
               part_text(json_object_get(result, "percentage"), "text"), part_text(result, "game"));
    html_write(html, "%lld</a></td></tr>\n", part_number(result, "table"));
}

static void write_seat(struct growing *html, const json_t *board, long long seat, bool alone)
{
    static const struct part_column columns[] = {{"Place", true}, {"Player", false},
                                                 {"Score", true}, {"Matchpoints", true},
                                                 {"%", true},     {"Table", false}};
    static const char *const captions[GAME_SEATS_MAX] = {"Seat 1", "Seat 2", "Seat 3", "Seat 4",
                                                         "Seat 5"};
    bool open = false;
    size_t i;
    json_t *each;
    json_array_foreach(json_object_get(board, "results"), i, each)
    {
        if (part_number(each, "seat") != seat)
            continue;
        if (!open)
            part_table(html, captions[seat], columns, sizeof columns / sizeof columns[0]);
        open = true;
        write_result(html, board, each, alone);
    }
    if (open)
        part_table_end(html);
}

static void write_missing(struct growing *html, const json_t *board)
{
    size_t i;
    json_t *player;
    json_array_foreach(json_object_get(board, "missing"), i, player)
    {
        html_write(html, i == 0 ? "<p>Sat out: " : ", ");
        part_player(html, player);
    }
    html_write(html, i > 0 ? "</p>\n" : "");
}

void page_board(struct call *call)
{
    enum { PAGE_BYTES = 32 * 1024 };
    const char *id = call->id[0].text;
    long long round = (long long)call->number[0], number = (long long)call->number[1];
    struct growing html;
    const json_t *event = page_read(call, "/v1/events/%s", id);
    const json_t *board =
        event == NULL ? NULL
                      : page_read(call, "/v1/events/%s/rounds/%lld/boards/%lld", id, round, number);
    if (board == NULL)
        return;
    bool alone = part_number(json_object_get(event, "seats"), "max") == 1;
    growing_begin(&html, call->arena, PAGE_BYTES);
    html_write(&html, "<h1>Board %lld of round %lld</h1>\n<p class=\"about\">%s, tables: %lld. ",
               number, round, part_text(json_object_get(event, "ruleset"), "title"),
               part_number(board, "tables"));
    html_write(&html, "<a href=\"/events/%s\"><bdi>%s</bdi></a></p>\n", id,
               part_text(event, "name"));
    if (strcmp(part_text(board, "state"), "hidden") == 0)
        html_write(&html, "<p class=\"notice\">This board still has to be played at other tables. "
                          "Its results are shown afterwards.</p>\n");
    for (long long seat = 0; seat < GAME_SEATS_MAX; seat++)
        write_seat(&html, board, seat, alone);
    write_missing(&html, board);
    const char *const before[] = {
        "Board ", call_digits(call, number), " of round ", call_digits(call, round), ", ", NULL};
    const struct page_head head = {
        page_title(call, call_strings(call, before), part_text(event, "name")),
        "What everyone made of the same board, compared seat by seat."};
    page_answer(call, &head, &html);
}
